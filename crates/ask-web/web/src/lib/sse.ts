// The parser of the event stream, and the delay before the next attempt to connect. Pure.

export type Message = { id?: string; event: string; data: string };

/** Parses server-sent events from chunks of text, wherever those are cut. */
export function sseParser(onMessage: (message: Message) => void): (piece: string) => void {
  let rest = "";
  let message: Message = { event: "message", data: "" };
  return (piece) => {
    const [first = "", ...lines] = piece.split("\n");
    // A long line comes in many chunks, and each is searched only once.
    lines.unshift(rest + first);
    rest = lines.pop() ?? "";
    for (const whole of lines) {
      const line = whole.replace(/\r$/, "");
      if (line === "") {
        if (message.data) onMessage({ ...message, data: message.data.slice(0, -1) });
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

/** 1, 2, 4 … 30 s, each up to a quarter longer, so that not all tabs connect at once. */
export function retryDelay(tries: number, random: number): number {
  return Math.min(30_000, 1000 * 2 ** Math.min(tries, 10)) * (1 + random / 4);
}
