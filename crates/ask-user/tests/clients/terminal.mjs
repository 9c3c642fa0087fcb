// A program in a real terminal, in tmux.
import { execFileSync } from "node:child_process";
import { setTimeout as pause } from "node:timers/promises";

export class Terminal {
  constructor(socket, env, command, folder = env.HOME) {
    this.tmux = (...args) => execFileSync("tmux", ["-S", socket, ...args], { env, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
    this.tmux("-f", "/dev/null", "new-session", "-d", "-x", "100", "-y", "40", "-c", folder, ...command);
  }

  screen() {
    return this.tmux("capture-pane", "-p");
  }

  /** The screen, as soon as `is` holds of it, within so many tenths of a second. */
  async until(what, is, tenths = 300) {
    let screen = "";
    for (let look = 0; look < tenths; look += 1) {
      screen = this.screen();
      if (is(screen)) return screen;
      await pause(100);
    }
    throw new Error(`the terminal never showed ${what}, but:\n${screen}`);
  }

  /** Presses a key until it shows: what just appeared takes no key for a moment. */
  async press(key, what, is) {
    for (let more = 10; ; more -= 1) {
      this.tmux("send-keys", key);
      try {
        return await this.until(what, is, 10);
      } catch (error) {
        if (more === 0) throw error;
      }
    }
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
