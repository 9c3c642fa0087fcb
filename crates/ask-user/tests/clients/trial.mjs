// One client in a home, with a model of its own; and one run of it.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const MODEL = fileURLToPath(new URL("model.mjs", import.meta.url));
/** What started and has not ended, as groups of processes. */
const children = new Set();

function start(command, args, options) {
  const child = spawn(command, args, { ...options, detached: true });
  children.add(child);
  child.once("close", () => children.delete(child));
  return child;
}

/** Sends a signal to a whole group, as a terminal does. */
function signal(child, name) {
  try {
    process.kill(-child.pid, name);
  } catch (error) {
    if (error.code !== "ESRCH") throw error;
  }
}

export function endAll() {
  for (const child of children) signal(child, "SIGKILL");
}

export class Trial {
  /** Starts the model, and points the client at it. */
  static async begin(key, client, root, env) {
    const trial = new Trial();
    Object.assign(trial, { key, client, root, folder: join(root, `work-${key}`) });
    mkdirSync(trial.folder);
    trial.script = join(root, `${key}.script.json`);
    trial.log = join(root, `${key}.model.jsonl`);
    trial.follow([]);
    const child = start(process.execPath, [MODEL, trial.script, trial.log], { stdio: ["ignore", "pipe", "inherit"] });
    const [port] = await once(createInterface({ input: child.stdout }), "line");
    trial.env = { ...env, ...client.point(env.HOME, `http://127.0.0.1:${port}`) };
    return trial;
  }

  follow(turns) {
    writeFileSync(this.script, JSON.stringify({ turns }));
  }

  /** All that the model was sent. */
  heard() {
    if (!existsSync(this.log)) return [];
    const lines = readFileSync(this.log, "utf8").split("\n");
    // The last is empty, or not written to its end yet.
    return lines.slice(0, -1).map((line) => JSON.parse(line));
  }

  /** Runs the client once, without a terminal, with a model that takes these turns. */
  run(turns) {
    this.follow(turns);
    return new Run(this, this.client.once);
  }

  /** The same turns once more. Where a client's sessions have names, the last one goes on, with the results that it has. */
  runAgain(turns) {
    const { again, asksAgain, once } = this.client;
    this.follow(asksAgain ? [] : again ? [...turns, ...turns] : turns);
    return new Run(this, again ?? once);
  }
}

class Run {
  said = "";
  over = false;

  constructor(trial, args) {
    this.trial = trial;
    this.from = trial.heard().length;
    this.began = Date.now();
    const { client, folder, env } = trial;
    const prompt = "Ask me what you need to know.";
    const options = { cwd: folder, env, stdio: [client.lines ? "pipe" : "ignore", "pipe", "pipe"] };
    this.child = start(client.program, args(prompt), options);
    this.child.stdin?.on("error", () => {}).write(client.lines.begin(prompt));
    for (const stream of [this.child.stdout, this.child.stderr]) stream.on("data", (text) => this.hear(text));
    this.child.once("error", (error) => (this.said += error));
    this.ended = once(this.child, "close").then(([code, name]) => {
      this.over = true;
      appendFileSync(join(trial.root, `${trial.key}.said`), `${this.said}\n== ended with ${code ?? name}\n`);
      return code ?? name;
    });
  }

  hear(text) {
    this.said += text;
    if (this.trial.client.lines?.over.test(this.said)) this.child.stdin.end();
  }

  /** What the model was sent in this run. */
  heard() {
    return this.trial.heard().slice(this.from);
  }

  /** The last of it that belongs to the conversation: what a client asks besides comes at any time. */
  last() {
    return this.heard().findLast(({ kind }) => kind === "turn" || kind === "final");
  }

  /** What the model was shown in the end as results of the tools of ask-user. */
  results() {
    return (this.last()?.results ?? []).filter(({ name }) => /ask_(human|user)|^tool_call$/.test(name));
  }

  signal(name) {
    signal(this.child, name);
  }

  /** Waits for something, and fails at once if the client ends before. */
  async before(promise) {
    const gone = this.ended.then((code) => {
      throw new Error(`${this.trial.key} ended too early, with ${code}`);
    });
    gone.catch(() => {});
    return Promise.race([promise, gone]);
  }

  seconds() {
    return ((Date.now() - this.began) / 1_000).toFixed(1);
  }
}
