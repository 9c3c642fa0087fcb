// The real pi in its own home with a scripted model, driven like by a person or a program.
import { execFile, execFileSync, spawn } from "node:child_process";
import { EventEmitter, once } from "node:events";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { model } from "./model.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const extension = join(here, "..");
const node = process.execPath;
const pi = join(here, "node_modules/@earendil-works/pi-coding-agent/dist/bundle/cli.js");
const binary = process.env.ASK_USER_BIN;
if (!binary || !existsSync(binary)) throw new Error("ASK_USER_BIN must name the ask-user binary");

/** How long a test waits for anything before it fails. */
const TIMEOUT_MS = Number(process.env.PATIENCE ?? 60_000);

/**
 * Waits until `find` returns something, and calls it again after each change. Fails with `what` and
 * `last()`. Without `changes`, `find` runs a command, which takes some time.
 */
export async function until(what, find, last = () => "", changes = undefined) {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  for (;;) {
    const change = changes && once(changes, "change", { signal }).catch(() => {});
    const found = await find();
    if (found) return found;
    if (signal.aborted) throw new Error(`${what} did not come\n${last()}`);
    await change;
  }
}

export class Sandbox {
  static async open(turns, { installed = false, tuiMode = "regular", wrap = [] } = {}) {
    const sandbox = new Sandbox();
    sandbox.model = await model(turns);
    sandbox.root = mkdtempSync(join(tmpdir(), "ask-user-pi-"));
    sandbox.work = join(sandbox.root, "work");
    const agent = join(sandbox.root, "agent");
    for (const folder of [sandbox.work, agent]) mkdirSync(folder, { recursive: true });
    const provider = {
      baseUrl: `http://127.0.0.1:${sandbox.model.port}/v1`,
      api: "openai-completions",
      apiKey: "none",
      models: [{ id: "script", contextWindow: 200000, maxTokens: 4096, compat: { supportsDeveloperRole: false } }],
    };
    writeFileSync(join(agent, "models.json"), JSON.stringify({ providers: { scripted: provider } }));
    const settings = { defaultProvider: "scripted", defaultModel: "script", quietStartup: true, tuiMode, compaction: { keepRecentTokens: 10, reserveTokens: 1000 } };
    writeFileSync(join(agent, "settings.json"), JSON.stringify(settings));
    sandbox.loads = installed ? [] : ["-e", extension];
    sandbox.env = {
      PATH: `${dirname(binary)}:${process.env.PATH}`,
      HOME: sandbox.root,
      TERM: "xterm-256color",
      LANG: "C.UTF-8",
      TMPDIR: process.env.TMPDIR ?? "/tmp",
      PI_CODING_AGENT_DIR: agent,
      PI_OFFLINE: "1",
      PI_TELEMETRY: "0",
      PI_SKIP_VERSION_CHECK: "1",
      ASK_USER_BIN: binary,
      ASK_USER_HOME: join(sandbox.root, "ask"),
    };
    sandbox.ends = [];
    sandbox.wrap = wrap;
    return sandbox;
  }

  async close() {
    for (const end of this.ends.reverse()) await end();
    this.model.close();
    await this.ask("hub", "--stop");
    // A pi that has just lost its terminal may still write.
    rmSync(this.root, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  }

  /** Runs ask-user as the person would in another terminal: in a session of its own, so that it isn't below pi. */
  ask(...args) {
    return new Promise((resolve, reject) => {
      const child = spawn(binary, args, { env: this.env, cwd: this.work, detached: true, stdio: ["ignore", "pipe", "pipe"] });
      const result = { code: 0, out: "", err: "" };
      child.stdout.setEncoding("utf8").on("data", (text) => (result.out += text));
      child.stderr.setEncoding("utf8").on("data", (text) => (result.err += text));
      child.on("error", reject).on("close", (code) => resolve({ ...result, code }));
    });
  }

  async waiting() {
    const found = await until("an ask", async () => {
      const list = JSON.parse((await this.ask("list", "--json")).out || "[]");
      return list.find((one) => one.state === "waiting" && !this.seen?.has(one.askId));
    });
    return found;
  }

  async record(id) {
    return JSON.parse((await this.ask("show", id, "--json")).out);
  }

  command(...args) {
    return [...this.wrap, node, pi, ...this.loads, ...args];
  }

  /** Runs pi to its end, without a terminal and without input. */
  pi(...args) {
    const [program, ...rest] = this.command(...args);
    return new Promise((resolve) => {
      const child = execFile(program, rest, { env: this.env, cwd: this.work, timeout: TIMEOUT_MS }, (error, out, err) => resolve({ code: error?.code ?? 0, out, err }));
      child.stdin.end();
    });
  }

  /** The entries of the newest session. */
  session() {
    const root = join(this.root, "agent", "sessions");
    const files = readdirSync(root, { recursive: true }).filter((name) => name.endsWith(".jsonl")).sort();
    return readFileSync(join(root, files.at(-1)), "utf8").trim().split("\n").map((line) => JSON.parse(line));
  }

  /** The results of tools that the model received last. */
  results() {
    const messages = this.model.requests.filter(({ tools }) => tools?.length).at(-1).messages;
    return messages.filter(({ role }) => role === "tool").map(({ content }) => (typeof content === "string" ? content : content.map(({ text }) => text).join("\n")));
  }

  file() {
    return join(this.work, ".pi", "pending-questions.json");
  }

  screen(...args) {
    return Screen.open(this, this.command(...args));
  }

  rpc(...args) {
    return Rpc.open(this, this.command("--mode", "rpc", ...args));
  }
}

let count = 0;

/** A terminal of tmux with a shell in it, and pi started from the shell. */
export class Screen {
  static async open(sandbox, command) {
    const screen = new Screen();
    screen.sandbox = sandbox;
    screen.changes = new EventEmitter();
    screen.socket = `ask-user-pi-${process.pid}-${++count}`;
    const script = join(sandbox.root, `start-${count}`);
    const quoted = command.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(" ");
    // The shell writes pi's exit code to a file before it prints it: a card that is still open may clear
    // what is printed on the screen.
    screen.end = join(sandbox.root, `ended-${count}`);
    writeFileSync(script, `${quoted}\ncode=$?\necho $code >'${screen.end}'\necho "pi ended: $code"\nexec cat\n`);
    chmodSync(script, 0o755);
    screen.tmux("-f", "/dev/null", "new-session", "-d", "-x", "100", "-y", "40", "-c", sandbox.work, "sh", script);
    // Its output reports changes of the screen.
    const watch = spawn("tmux", ["-L", screen.socket, "-C", "attach-session", "-f", "ignore-size"], { env: screen.env(), stdio: ["pipe", "pipe", "ignore"] });
    watch.stdout.on("data", () => screen.changes.emit("change"));
    watch.on("error", () => {});
    sandbox.ends.push(() => {
      try {
        screen.tmux("kill-server");
      } catch {
        // The process may have ended by itself.
      }
    });
    return screen;
  }

  env() {
    return { ...this.sandbox.env, TMUX: "" };
  }

  tmux(...args) {
    return execFileSync("tmux", ["-L", this.socket, ...args], { env: this.env(), encoding: "utf8" });
  }

  text() {
    return this.tmux("capture-pane", "-p");
  }

  async waitForText(...words) {
    await until(`"${words.join('", "')}"`, () => words.every((word) => this.text().includes(word)), () => this.text(), this.changes);
  }

  /** Waits until a card with these words accepts keys. */
  async waitForCard(...words) {
    await this.waitForText("›", ...words);
    await this.waitUntilBright("›");
  }

  /** Waits until text is bright: it is dim while the card ignores keys. */
  async waitUntilBright(text) {
    await until(`"${text}" to be bright`, () => isBright(this.tmux("capture-pane", "-p", "-e"), text), () => this.text(), this.changes);
  }

  /**
   * Gives an answer to a field. It is pasted with bracketed paste: after letters that are typed
   * faster than by a person, Enter would count as a part of a paste, and so as a line break.
   */
  async answer(text) {
    this.tmux("set-buffer", text);
    this.tmux("paste-buffer", "-p");
    await this.waitUntilBright(text);
    this.press("Enter");
  }

  /** Waits until pi has ended; its exit code. */
  async ended() {
    const code = () => (existsSync(this.end) ? readFileSync(this.end, "utf8").trim() : "");
    return Number(await until("the end of pi", code, () => this.text(), this.changes));
  }

  async waitUntilGone(word) {
    await until(`the end of "${word}"`, () => !this.text().includes(word), () => this.text(), this.changes);
  }

  press(...keys) {
    for (const key of keys) {
      // The time that a person needs for Enter: faster keys count as a paste, in which a line break sends
      // nothing.
      if (key === "Enter") this.tmux("run-shell", "-d", "0.05", "true");
      this.tmux("send-keys", key);
    }
  }

  type(text) {
    this.tmux("send-keys", "-l", text);
  }

  /** Sends a message to the agent. */
  async send(text) {
    this.type(text);
    await this.waitForText(text);
    this.press("Enter");
  }

  /** The process that the pane's shell started. */
  child() {
    const shell = this.tmux("display-message", "-p", "#{pane_pid}").trim();
    return Number(readFileSync(`/proc/${shell}/task/${shell}/children`, "utf8").trim().split(" ")[0]);
  }
}

function isBright(screen, text) {
  const at = screen.indexOf(text);
  if (at === -1) return false;
  const before = screen.slice(0, at);
  const styles = [...before.matchAll(/\x1b\[([0-9;]*)m/g)].flatMap(([, numbers]) => numbers.split(";"));
  return styles.findLast((number) => ["", "0", "22", "2"].includes(number)) !== "2";
}

/** Pi's RPC mode. */
export class Rpc {
  static async open(sandbox, [program, ...args]) {
    const rpc = new Rpc();
    rpc.lines = [];
    rpc.changes = new EventEmitter();
    rpc.child = spawn(program, args, { env: sandbox.env, cwd: sandbox.work });
    let rest = "";
    rpc.err = "";
    rpc.child.stdout.setEncoding("utf8").on("data", (text) => {
      const all = (rest + text).split("\n");
      rest = all.pop();
      rpc.lines.push(...all.filter(Boolean).map((line) => JSON.parse(line)));
      rpc.changes.emit("change");
    });
    rpc.child.stderr.setEncoding("utf8").on("data", (text) => (rpc.err += text));
    rpc.ended = new Promise((resolve) => rpc.child.once("close", resolve));
    sandbox.ends.push(async () => {
      rpc.child.kill("SIGKILL");
      await rpc.ended;
    });
    return rpc;
  }

  send(line) {
    this.child.stdin.write(`${JSON.stringify(line)}\n`);
  }

  /** Waits for a matching line, and takes it. */
  async waitForLine(what, matches) {
    return until(
      what,
      () => {
        const at = this.lines.findIndex(matches);
        return at === -1 ? undefined : this.lines.splice(at, 1)[0];
      },
      () => `${this.lines.map((line) => JSON.stringify(line)).join("\n")}\n${this.err}`,
      this.changes,
    );
  }

  dialog(method) {
    return this.waitForLine(method, (line) => line.type === "extension_ui_request" && line.method === method);
  }

  reply(request, value) {
    this.send({ type: "extension_ui_response", id: request.id, ...value });
  }
}

export const database = {
  question: "Which database should we use?",
  header: "Database Selection",
  options: [
    { label: "PostgreSQL (Recommended)", description: "Battle-tested relational DB" },
    { label: "SQLite", description: "Lightweight, file-based" },
    { label: "MongoDB", description: "Document store" },
  ],
};
export const service = { question: "What should we name this service?", header: "Service Setup" };
export const features = { question: "Which features should we include?", multiSelect: true, options: [{ label: "Authentication" }, { label: "REST API" }, { label: "Admin Dashboard" }] };

export function asks(...questions) {
  return { tool: "ask_user", arguments: { questions, metadata: { source: "project-setup" } } };
}
