// The main process of a desktop app at the bridge (docs/reference/protocol.md). Needs Node 22, or Node 20 with
// --experimental-websocket, and no packages.
//
//   node bridge.js                    all waiting asks
//   node bridge.js --instance w1      the asks of one window's agents; may be repeated
//   node bridge.js --registered       connect to the app's own server, registered by `ask-user mcp --register`
//
// It prints waiting asks and reads one line for each question from standard input: the number of an
// option or own text, several separated by commas, an empty line to skip the question; `/cancel`
// declines the whole ask. If the hub ends, the app starts it again, reconnects and repeats what the
// hub may not have received.

import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { scheduler } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";

export interface Question {
  id: string;
  question: string;
  type: "text" | "select" | "multi-select" | "confirm";
  options?: string[];
  required: boolean;
  placeholder?: string;
}

export interface Asked {
  type: "cn_ask_user.asked";
  requestId: string;
  questions: Question[];
  title?: string;
  /** The window whose agent asks. */
  instanceId?: string;
}

export interface Answer {
  questionId: string;
  values: string[];
  customText?: string;
}

/** From the app: the person's answers. From the bridge: the ask was answered, here or elsewhere. */
export interface Answered {
  type: "cn_ask_user.answered";
  requestId: string;
  answers: Answer[];
  by?: string;
}

export interface Cancelled {
  type: "cn_ask_user.cancelled";
  requestId: string;
  reason?: string;
  by?: string;
}

export interface Failure {
  type: "cn_ask_user.error";
  requestId?: string;
  code: string;
  message: string;
  hint?: string;
}

type Event = Asked | Answered | Cancelled | Failure;

/** The port and the token of a bridge. */
export interface Place {
  port: number;
  token: string;
}

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 10_000;

/** An app at a bridge, across all its connections. */
export class Bridge {
  onAsked: (asked: Asked) => void = () => {};
  /** The ask was closed, by this app or elsewhere, and its outcome is stored. */
  onClosed: (closed: Answered | Cancelled) => void = () => {};
  /** A request failed; its ask still waits. */
  onError: (failure: Failure) => void = () => {};
  /** The connection was lost, for this reason; the app reconnects. */
  onLost: (why: string) => void = () => {};
  private readonly find: () => Promise<Place>;
  private readonly instances: string[];
  /** The ids of the asks that this app shows. */
  private readonly open = new Set<string>();
  /** Answers that no bridge has confirmed. Sending them again does no harm. */
  private readonly unconfirmed = new Map<string, Answered | Cancelled>();
  private socket: WebSocket | undefined;
  private readonly ends = new AbortController();

  constructor(find: () => Promise<Place>, instances: string[] = []) {
    this.find = find;
    this.instances = instances;
  }

  /** Stays connected until `close`. */
  async run(): Promise<void> {
    let wait = FIRST_PAUSE_MS;
    const { signal } = this.ends;
    while (!signal.aborted) {
      const why = await this.connect(() => (wait = FIRST_PAUSE_MS)).catch((error: unknown) => String(error));
      if (signal.aborted) return;
      this.onLost(why);
      // A random delay: several windows that lost one bridge must not all reconnect at once.
      await scheduler.wait(wait * (0.5 + Math.random() / 2), { signal }).catch(() => {});
      wait = Math.min(2 * wait, LONGEST_PAUSE_MS);
    }
  }

  answer(requestId: string, answers: Answer[]): void {
    this.say({ type: "cn_ask_user.answered", requestId, answers });
  }

  cancel(requestId: string, reason?: string): void {
    this.say({ type: "cn_ask_user.cancelled", requestId, ...(reason ? { reason } : {}) });
  }

  /** Disconnects. Waiting asks stay open, here and on every other surface. */
  close(): void {
    this.ends.abort();
    this.socket?.close();
  }

  /** Runs one connection; resolves with the reason why it ended. */
  private async connect(stands: () => void): Promise<string> {
    const { port, token } = await this.find();
    const query = new URLSearchParams(this.instances.map((instance) => ["instance", instance]));
    // With these ids the bridge reports what was closed meanwhile and doesn't repeat what still waits.
    if (this.open.size > 0) query.set("open", [...this.open].join(","));
    // A main process can send headers. A page can't, and must not have the token.
    const headers = { authorization: `Bearer ${token}` };
    const socket = new WebSocket(`ws://127.0.0.1:${port}/bridge?${query}`, { headers } as unknown as string[]);
    this.socket = socket;
    socket.addEventListener("message", ({ data }) => this.hear(JSON.parse(String(data)) as Event));
    socket.addEventListener("open", () => {
      stands();
      for (const event of this.unconfirmed.values()) socket.send(JSON.stringify(event));
    });
    return new Promise((resolve) => {
      socket.addEventListener("error", () => resolve(`the bridge at port ${port} can't be reached`));
      socket.addEventListener("close", ({ code }) => resolve(`the bridge at port ${port} is gone (${code})`));
    });
  }

  private say(event: Answered | Cancelled): void {
    this.unconfirmed.set(event.requestId, event);
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(event));
  }

  private hear(event: Event): void {
    switch (event.type) {
      case "cn_ask_user.asked":
        if (this.open.has(event.requestId)) return;
        this.open.add(event.requestId);
        this.onAsked(event);
        return;
      case "cn_ask_user.answered":
      case "cn_ask_user.cancelled":
        this.unconfirmed.delete(event.requestId);
        if (this.open.delete(event.requestId)) this.onClosed(event);
        return;
      case "cn_ask_user.error": {
        const said = this.unconfirmed.get(event.requestId ?? "");
        if (said && event.code === "hub") {
          // The app's own server runs, but its hub can't be reached at the moment: try again later.
          const again = scheduler.wait(LONGEST_PAUSE_MS, { signal: this.ends.signal });
          void again.then(
            () => this.unconfirmed.get(said.requestId) === said && this.say(said),
            () => {},
          );
        } else if (said) {
          this.unconfirmed.delete(said.requestId);
        } else if (event.code === "closed") {
          // The event that closed the ask has arrived already.
          return;
        }
        this.onError(event);
      }
    }
  }
}

const run = promisify(execFile);

/** The hub's own bridge. Starts a hub if none runs. */
export async function atTheHub(): Promise<Place> {
  const { stdout } = await run("ask-user", ["hub", "--json"]);
  const hub = JSON.parse(stdout) as { port?: number; state: string };
  if (hub.port === undefined) throw new Error("the hub serves no HTTP (http.enabled)");
  return { port: hub.port, token: (await readFile(join(hub.state, "answer-token"), "utf8")).trim() };
}

/** The app's own server, as registered in Antigravity's settings. */
export async function asRegistered(): Promise<Place> {
  const file = join(homedir(), ".gemini/antigravity/mcp_config.json");
  const settings = JSON.parse(await readFile(file, "utf8")) as {
    mcpServers?: Record<string, { args?: string[]; env?: Record<string, string> }>;
  };
  const { args = [], env = {} } = settings.mcpServers?.["codenomad-ask-user"] ?? {};
  const after = (name: string): string => {
    const value = args.includes(name) ? args[args.indexOf(name) + 1] : undefined;
    if (value === undefined) throw new Error(`${file}: codenomad-ask-user has no ${name}`);
    return value;
  };
  const port = Number(after("--port"));
  // An older entry may still have the variable; the file takes precedence.
  const own = args.includes("--token-file") ? (await readFile(after("--token-file"), "utf8")).trim() : env.ASK_USER_TOKEN;
  if (own === undefined) throw new Error(`${file}: codenomad-ask-user has no ASK_USER_TOKEN`);
  return { port, token: own };
}

function options(question: Question): string[] {
  return question.type === "confirm" ? ["yes", "no"] : (question.options ?? []);
}

/** Parses a line as an answer. */
function answer(question: Question, line: string): Answer {
  const parts = question.type === "multi-select" ? line.split(",") : [line];
  const texts = parts.map((part) => part.trim()).filter((part) => part !== "");
  const offered = options(question);
  const picked = texts.map((text) => offered[Number(text) - 1] ?? text);
  // A part that isn't an option is own text. A text question has no options, so its text is the value.
  const values = picked.filter((text) => offered.length === 0 || offered.includes(text));
  const customText = picked.filter((text) => !values.includes(text)).join(", ");
  return { questionId: question.id, values, ...(customText && { customText }) };
}

/** A wizard for one person at one terminal: one ask after another. */
async function wizard(bridge: Bridge): Promise<void> {
  const typed = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
  const show = (text: string) => process.stdout.write(`${text}\n`);
  /** Waiting asks in the order of arrival; the first one is being filled in. */
  const waiting: Asked[] = [];
  const sent = new Map<string, Asked>();
  let changed = () => {};
  bridge.onAsked = (asked) => {
    waiting.push(asked);
    changed();
  };
  bridge.onClosed = (closed) => {
    const at = waiting.findIndex((asked) => asked.requestId === closed.requestId);
    if (at >= 0) waiting.splice(at, 1);
    sent.delete(closed.requestId);
    show(JSON.stringify(closed));
    changed();
  };
  bridge.onError = (failure) => {
    show(JSON.stringify(failure));
    // The ask still waits, so the person is asked again.
    const asked = sent.get(failure.requestId ?? "");
    if (asked && (failure.code === "unfinished" || failure.code === "malformed")) bridge.onAsked(asked);
  };
  bridge.onLost = (why) => console.error(`${why}; connecting again`);
  const ended = bridge.run();
  let line = typed.next();
  for (;;) {
    const change = new Promise<undefined>((resolve) => (changed = () => resolve(undefined)));
    const asked = waiting[0];
    if (asked === undefined) {
      // A line that was typed ahead is kept for the next question; the end of the input ends the app.
      const isOver = line.then(({ done }) => (done ? true : change));
      if (!(await Promise.race([change, isOver]))) continue;
      bridge.close();
      return ended;
    }
    const from = asked.instanceId === undefined ? "" : ` in ${JSON.stringify(asked.instanceId)}`;
    show(`asked ${JSON.stringify(asked.requestId)}${from}`);
    const answers: Answer[] = [];
    for (const question of asked.questions) {
      // As JSON, because an agent's text may contain control characters.
      show(JSON.stringify(question.question));
      options(question).forEach((option, at) => show(`  ${at + 1} ${JSON.stringify(option)}`));
      let said: IteratorResult<string> | undefined;
      // Other asks may arrive meanwhile. If this one is closed elsewhere, no line is read for it.
      while (said === undefined && waiting[0] === asked) {
        const news = new Promise<undefined>((resolve) => (changed = () => resolve(undefined)));
        said = await Promise.race([line, news]);
      }
      if (said === undefined) break;
      if (said.done) {
        bridge.close();
        return ended;
      }
      line = typed.next();
      if (said.value.trim() === "/cancel") break;
      answers.push(answer(question, said.value));
    }
    if (waiting[0] !== asked) continue;
    waiting.shift();
    sent.set(asked.requestId, asked);
    if (answers.length === asked.questions.length) bridge.answer(asked.requestId, answers);
    else bridge.cancel(asked.requestId);
  }
}

// Runs only as a program, not on import.
if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const args = process.argv.slice(2);
  const instances = args.flatMap((word, at) => (args[at - 1] === "--instance" ? [word] : []));
  const find = args.includes("--registered") ? asRegistered : atTheHub;
  await wizard(new Bridge(find, instances));
}
