/**
 * Finds and runs the `ask-user` binary and parses its output. The binary does all the asking; this
 * extension only passes calls to it and replies back.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { ExtensionContext } from "@earendil-works/pi-coding-agent";

export interface Option {
  label: string;
  description?: string;
}

export interface Question {
  question: string;
  header?: string;
  options?: Option[];
  multiSelect?: boolean;
}

export interface Call {
  questions: Question[];
  metadata?: Record<string, unknown>;
}

export interface Answer {
  question: string;
  answer: string | string[] | null;
  selectedOption?: string;
  wasCustom: boolean;
  note?: string;
}

/** The reply that the agent reads. */
export interface Reply {
  answered: boolean;
  answers: Answer[];
  cancelled?: boolean;
  pendingFile?: string;
  connectionLost?: boolean;
  clarify?: string;
  waiting?: boolean;
  withdrawn?: boolean;
}

export type Mode = "interactive" | "print" | "rpc";

/** What a session stores about a call: the fields of pi's specification, and the outcome. */
export interface Details extends Omit<Reply, "answers"> {
  questions: Question[];
  answers: Answer[];
  answeredAt?: number;
  mode: Mode;
  metadata?: Record<string, unknown>;
  /** The ask's id in the inbox, in `ask-user show` and in history. */
  askId?: string;
  /** A paragraph for a summary of the session. */
  summary?: string;
}

/** The binary's reply to a call. */
export interface Outcome {
  text: string;
  reply: Reply;
  askId?: string;
  kept?: { answeredAt?: number };
  summary?: string;
}

/** The binary: from the environment, from the file that registration wrote beside this one, or from PATH. */
export function binary(): string {
  if (process.env.ASK_USER_BIN) return process.env.ASK_USER_BIN;
  const beside = join(fileURLToPath(new URL(".", import.meta.url)), "ask-user.json");
  if (existsSync(beside)) {
    const named: unknown = JSON.parse(readFileSync(beside, "utf8")).bin;
    if (typeof named === "string" && existsSync(named)) return named;
  }
  return "ask-user";
}

/** Starts the binary for a session of pi, in the session's folder. */
export function start(ctx: ExtensionContext, args: string[]): ChildProcess {
  const env = { ...process.env, ASK_USER_CLIENT: "pi", ASK_USER_SESSION: ctx.sessionManager.getSessionId() };
  return spawn(binary(), args, { cwd: ctx.cwd, env, stdio: ["pipe", "pipe", "pipe"] });
}

export interface Ran {
  code: number | null;
  out: string;
  err: string;
}

/** Runs the binary to its end. An abort sends SIGTERM, upon which it saves what was typed so far. */
export async function run(ctx: ExtensionContext, args: string[], input = "", signal?: AbortSignal): Promise<Ran> {
  const child = start(ctx, args);
  const leave = () => child.kill("SIGTERM");
  signal?.addEventListener("abort", leave, { once: true });
  if (signal?.aborted) leave();
  try {
    return await ended(child, input);
  } finally {
    signal?.removeEventListener("abort", leave);
  }
}

function ended(child: ChildProcess, input: string): Promise<Ran> {
  const ran: Ran = { code: null, out: "", err: "" };
  child.stdout?.setEncoding("utf8").on("data", (text: string) => (ran.out += text));
  child.stderr?.setEncoding("utf8").on("data", (text: string) => (ran.err += text));
  // The process may end before it has read everything; its exit code says why.
  child.stdin?.on("error", () => {});
  child.stdin?.end(input);
  return new Promise((resolve, reject) => {
    child.once("error", (error) => reject(missing(error)));
    child.once("close", (code) => resolve({ ...ran, code }));
  });
}

/** The error for a binary that can't be run, with the remedy. */
export function missing(error: Error): Error {
  const because = (error as NodeJS.ErrnoException).code === "ENOENT" ? "is not installed" : `can't be run: ${error.message}`;
  return new Error(`ask-user ${because} (looked for ${binary()}). Install it, or name it in ASK_USER_BIN; until then ask in plain text.`);
}

/** The exit code for wrong usage, which includes a missing terminal. */
const USAGE = 2;

/** Parses the output of `--result`. Throws an error for the agent if it isn't a reply. */
export function outcome(ran: Ran): Outcome {
  const line = ran.out.trim();
  if (!line) throw new Error(ran.err.trim() || `ask-user ended with code ${ran.code} and said nothing`);
  const result = JSON.parse(line);
  const text: string = result.content[0].text;
  if (result.isError) throw new Error(text);
  const found: Outcome = { text, reply: result.structuredContent };
  const facts = result._meta ?? {};
  if (facts["ask-user/askId"]) found.askId = facts["ask-user/askId"];
  if (facts["ask-user/details"]) found.kept = facts["ask-user/details"];
  if (facts["ask-user/summary"]) found.summary = facts["ask-user/summary"];
  return found;
}

/** Whether the binary found no terminal to ask on. */
export function hadNoTerminal(ran: Ran): boolean {
  return ran.code === USAGE && !ran.out.trim();
}

/** The details that the session stores. */
export function details(call: Call, mode: Mode, said: Outcome): Details {
  const { answers, ...how } = said.reply;
  const kept: Details = { questions: call.questions, answers, mode, ...how };
  if (said.kept?.answeredAt !== undefined) kept.answeredAt = said.kept.answeredAt;
  if (call.metadata) kept.metadata = call.metadata;
  if (said.askId) kept.askId = said.askId;
  if (said.summary) kept.summary = said.summary;
  return kept;
}
