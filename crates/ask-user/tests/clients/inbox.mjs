// A person's end of ask-user in a home of its own, as commands.
import { execFile, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { within } from "./bounds.mjs";

const run = promisify(execFile);

/** `value()` as soon as it is true; looked at again at each `look`, for so many seconds. */
export async function until(what, seconds, value, looks) {
  let again;
  const found = new Promise((resolve) => {
    again = () => value() && resolve(value());
    looks.add(again);
    again();
  });
  return within(what, seconds, found).finally(() => looks.delete(again));
}

/** The inbox: every record as it last stood, and what a person can do. */
export class Inbox {
  records = new Map();
  looks = new Set();

  constructor(program, env) {
    this.program = program;
    this.env = env;
  }

  /** The output of a command of ask-user; a failure says what it printed. */
  async say(...args) {
    const { stdout } = await run(this.program, args, { env: this.env, timeout: 60_000 });
    return stdout;
  }

  async open() {
    await this.say("list");
    this.watch = spawn(this.program, ["watch", "--json"], { env: this.env, stdio: ["ignore", "pipe", "inherit"] });
    createInterface({ input: this.watch.stdout }).on("line", (line) => {
      const record = JSON.parse(line);
      this.records.set(record.askId, record);
      for (const look of [...this.looks]) look();
    });
  }

  /** Forgets how these stood, so that only what is said of them from now on counts. */
  forget(...records) {
    for (const { askId } of records) this.records.delete(askId);
  }

  /** The first record of which `is` holds, once there is one. */
  until(what, seconds, is) {
    return until(what, seconds, () => [...this.records.values()].find(is), this.looks);
  }

  async hub() {
    return JSON.parse(await this.say("hub", "--status", "--json"));
  }

  async close() {
    this.watch?.kill();
    await this.say("hub", "--stop").catch(() => {});
  }
}
