// The event stream's text, read as it comes, and how long to wait before the next try. Pure.

export type Message = { id?: string; event: string; data: string };

/** Reads server-sent events from pieces of text, wherever they are cut. */
export function reader(heard: (message: Message) => void): (piece: string) => void {
  let rest = "";
  let message: Message = { event: "message", data: "" };
  return (piece) => {
    const [first = "", ...lines] = piece.split("\n");
    // A long line comes in many pieces, and none of them is looked through twice.
    lines.unshift(rest + first);
    rest = lines.pop() ?? "";
    for (const whole of lines) {
      const line = whole.replace(/\r$/, "");
      if (line === "") {
        if (message.data) heard({ ...message, data: message.data.slice(0, -1) });
        message = { event: "message", data: "" };
        continue;
      }
      const colon = line.indexOf(":");
      const name = colon < 0 ? line : line.slice(0, colon);
      const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
      if (name === "event") message.event = value;
      else if (name === "data") message.data += `${value}\n`;
      else if (name === "id") message.id = value;
    }
  };
}

/** 1, 2, 4 … 30 s, each up to a quarter longer, so that not all tabs come at once. */
export function pause(tries: number, random: number): number {
  return Math.min(30_000, 1000 * 2 ** Math.min(tries, 10)) * (1 + random / 4);
}
