/**
 * The `ask-user` binary: where it is, how it is run, and what it says. All asking is its work;
 * this extension only carries calls to it and replies back.
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

/** What a session keeps of a call: the specification's fields, and how it ended. */
export interface Details extends Omit<Reply, "answers"> {
  questions: Question[];
  answers: Answer[];
  answeredAt?: number;
  mode: Mode;
  metadata?: Record<string, unknown>;
  /** The ask's name in the inbox, in `ask-user show` and in the history. */
  askId?: string;
  /** One paragraph, for a summary of the session. */
  summary?: string;
}

/** What the binary said to a call. */
export interface Outcome {
  text: string;
  reply: Reply;
  askId?: string;
  kept?: { answeredAt?: number };
  summary?: string;
}

/** The binary: named in the environment, written down beside this file at registration, or on the path. */
export function binary(): string {
  if (process.env.ASK_USER_BIN) return process.env.ASK_USER_BIN;
  const beside = join(fileURLToPath(new URL(".", import.meta.url)), "ask-user.json");
  if (existsSync(beside)) {
    const named: unknown = JSON.parse(readFileSync(beside, "utf8")).bin;
    if (typeof named === "string" && existsSync(named)) return named;
  }
  return "ask-user";
}

/** Starts it for a session of pi, in its folder. */
export function start(ctx: ExtensionContext, args: string[]): ChildProcess {
  const env = { ...process.env, ASK_USER_CLIENT: "pi", ASK_USER_SESSION: ctx.sessionManager.getSessionId() };
  return spawn(binary(), args, { cwd: ctx.cwd, env, stdio: ["pipe", "pipe", "pipe"] });
}

export interface Ran {
  code: number | null;
  out: string;
  err: string;
}

/** Runs it to its end. When pi aborts, it is asked to go: what was typed so far is kept. */
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
  // It may end before it has read everything; then its exit says why.
  child.stdin?.on("error", () => {});
  child.stdin?.end(input);
  return new Promise((resolve, reject) => {
    child.once("error", (error) => reject(missing(error)));
    child.once("close", (code) => resolve({ ...ran, code }));
  });
}

/** That there is no binary to run, said so that it can be mended. */
export function missing(error: Error): Error {
  const because = (error as NodeJS.ErrnoException).code === "ENOENT" ? "is not installed" : `can't be run: ${error.message}`;
  return new Error(`ask-user ${because} (looked for ${binary()}). Install it, or name it in ASK_USER_BIN; until then ask in plain text.`);
}

/** The exit code where there is no terminal, among other things. */
const USAGE = 2;

/** Reads what `--result` printed. What is no reply becomes an error, which the agent reads. */
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

/** Whether there was no terminal to ask on. */
export function hadNoTerminal(ran: Ran): boolean {
  return ran.code === USAGE && !ran.out.trim();
}

/** What the session keeps. */
export function details(call: Call, mode: Mode, said: Outcome): Details {
  const { answers, ...how } = said.reply;
  const kept: Details = { questions: call.questions, answers, mode, ...how };
  if (said.kept?.answeredAt !== undefined) kept.answeredAt = said.kept.answeredAt;
  if (call.metadata) kept.metadata = call.metadata;
  if (said.askId) kept.askId = said.askId;
  if (said.summary) kept.summary = said.summary;
  return kept;
}
