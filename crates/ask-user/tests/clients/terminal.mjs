// A program in a real terminal, in tmux. A client in control mode says when something was written, so
// that whoever waits for a screen looks again.
import { execFileSync, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { over } from "./bounds.mjs";

export class Terminal {
  looks = new Set();

  constructor(socket, env, command, folder = env.HOME) {
    const options = { env, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] };
    this.tmux = (...args) => execFileSync("tmux", ["-S", socket, ...args], options);
    this.tmux("-f", "/dev/null", "new-session", "-d", "-x", "100", "-y", "40", "-c", folder, ...command);
    this.tmux("set", "-g", "window-size", "manual");
    const attach = ["-S", socket, "-C", "attach-session", "-f", "ignore-size"];
    this.control = spawn("tmux", attach, { env, stdio: ["pipe", "pipe", "ignore"] });
    createInterface({ input: this.control.stdout }).on("line", () => {
      for (const look of this.looks) look();
      this.looks.clear();
    });
  }

  screen() {
    return this.tmux("capture-pane", "-p");
  }

  /** Something was written, or so many seconds are over. */
  changed(seconds) {
    return Promise.race([new Promise((look) => this.looks.add(look)), over(seconds)]);
  }

  /** The screen, as soon as `is` holds of it. */
  async until(what, is, seconds = 60, shown = () => this.screen()) {
    let late = false;
    const limit = over(seconds).then(() => (late = true));
    for (;;) {
      const screen = shown();
      if (is(screen)) return screen;
      if (late) throw new Error(`the terminal never showed ${what}, but:\n${screen}`);
      await Promise.race([this.changed(seconds), limit]);
    }
  }

  /** Waits until the rows of a card take keys: they are dim while an answer would be a slip. */
  ready() {
    return this.until("rows that take keys", (painted) => bright(painted, "›"), 60, () => this.tmux("capture-pane", "-p", "-e"));
  }

  send(...keys) {
    this.tmux("send-keys", ...keys);
  }

  close() {
    try {
      this.tmux("kill-server");
    } catch {
      // Its program has ended, and it with it.
    }
  }
}

/** Whether text that was painted with its styles is there, and not dim. */
function bright(painted, text) {
  const at = painted.indexOf(text);
  if (at === -1) return false;
  const styles = [...painted.slice(0, at).matchAll(/\x1b\[([0-9;]*)m/g)].flatMap(([, numbers]) => numbers.split(";"));
  return styles.findLast((number) => ["", "0", "22", "2"].includes(number)) !== "2";
}
