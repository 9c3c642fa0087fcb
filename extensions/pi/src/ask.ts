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

/** The questions of a record, as a call has them. */
export function askedQuestions(questions: Question[]): Question[] {
  return questions.map(({ question, header, options, multiSelect }) => ({
    question,
    ...(header && { header }),
    ...(options && { options: options.map(({ label, description }) => ({ label, ...(description && { description }) })) }),
    ...(multiSelect && { multiSelect }),
  }));
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
  /** The program that answered, if an agent had started it: the person may not have answered. */
  answeredFrom?: Origin;
  /** A paragraph for a summary of the session. */
  summary?: string;
}

/** A program that answered, and the agent above it. */
export interface Origin {
  pid: number;
  program?: string;
  terminal?: string;
  belowAgent?: string;
}

/** The binary's reply to a call. */
export interface Outcome {
  /** What the agent reads: the reply, then what else it should know, such as who answered. */
  text: string;
  reply: Reply;
  askId?: string;
  answeredFrom?: Origin;
  details?: { answeredAt?: number };
  summary?: string;
}

/** The path of the binary: from the environment, otherwise from the file that `register` wrote beside this one, otherwise by PATH. */
export function binaryPath(): string {
  if (process.env.ASK_USER_BIN) return process.env.ASK_USER_BIN;
  const config = join(fileURLToPath(new URL(".", import.meta.url)), "ask-user.json");
  if (existsSync(config)) {
    const path: unknown = JSON.parse(readFileSync(config, "utf8")).bin;
    if (typeof path === "string" && existsSync(path)) return path;
  }
  return "ask-user";
}

/** The name of this client in records. */
const CLIENT = "pi";

/** Starts the binary for a session of pi, in the session's folder. */
export function start(ctx: ExtensionContext, args: string[]): ChildProcess {
  const env = { ...process.env, ASK_USER_CLIENT: CLIENT, ASK_USER_SESSION: ctx.sessionManager.getSessionId() };
  return spawn(binaryPath(), args, { cwd: ctx.cwd, env, stdio: ["pipe", "pipe", "pipe"] });
}

/** How a run of the binary ended. */
export interface RunResult {
  pid?: number | undefined;
  code: number | null;
  out: string;
  err: string;
}

/** Runs the binary to its end. An abort sends SIGTERM, upon which it saves what was typed so far. */
export async function run(ctx: ExtensionContext, args: string[], input = "", signal?: AbortSignal): Promise<RunResult> {
  const child = start(ctx, args);
  const terminate = () => child.kill("SIGTERM");
  signal?.addEventListener("abort", terminate, { once: true });
  if (signal?.aborted) terminate();
  try {
    return await waitForEnd(child, input);
  } finally {
    signal?.removeEventListener("abort", terminate);
  }
}

/** Writes the input, and collects the output until the process ends. */
function waitForEnd(child: ChildProcess, input: string): Promise<RunResult> {
  const result: RunResult = { pid: child.pid, code: null, out: "", err: "" };
  child.stdout?.setEncoding("utf8").on("data", (text: string) => (result.out += text));
  child.stderr?.setEncoding("utf8").on("data", (text: string) => (result.err += text));
  // The process may end before it has read everything; its exit code says why.
  child.stdin?.on("error", () => {});
  child.stdin?.end(input);
  return new Promise((resolve, reject) => {
    child.once("error", (error) => reject(startError(error)));
    child.once("close", (code) => resolve({ ...result, code }));
  });
}

/** The error for a binary that can't be started, with the remedy. */
export function startError(error: Error): Error {
  const reason = (error as NodeJS.ErrnoException).code === "ENOENT" ? "is not installed" : `can't be run: ${error.message}`;
  return new Error(`ask-user ${reason} (looked for ${binaryPath()}). Install it, or set ASK_USER_BIN to its path; until then ask in plain text.`);
}

/** The exit code for wrong usage, such as without a terminal. */
const EXIT_USAGE = 2;

/** The beginning of the text which says that an agent may have answered. */
const DOUBT = "This came from a program that was started below an agent";

/**
 * Parses the output of `--result`. Throws an error for the agent if it isn't a reply. `sender` is a process that this
 * extension started to send what the person said: it runs below pi, and so its answer is marked, but the agent need not doubt it.
 */
export function parseOutcome(run: RunResult, sender?: RunResult): Outcome {
  const line = run.out.trim();
  if (!line) throw new Error(run.err.trim() || `ask-user ended with code ${run.code} and without output`);
  const result = JSON.parse(line);
  const from: Origin | undefined = result._meta?.["ask-user/answeredFrom"];
  const isSender = from?.belowAgent === CLIENT && sender?.pid === from.pid;
  const all: string[] = result.content.flatMap((item: { text?: string }) => item.text ?? []);
  const texts = all.filter((text) => !isSender || !text.startsWith(DOUBT));
  const text = texts.join("\n\n");
  if (result.isError) throw new Error(text);
  // Beside attached files, for instance, the reply is only in its text.
  const outcome: Outcome = { text, reply: result.structuredContent ?? JSON.parse(texts[0] ?? "") };
  const meta = result._meta ?? {};
  if (meta["ask-user/askId"]) outcome.askId = meta["ask-user/askId"];
  if (from) outcome.answeredFrom = from;
  if (meta["ask-user/details"]) outcome.details = meta["ask-user/details"];
  if (meta["ask-user/summary"]) outcome.summary = meta["ask-user/summary"];
  return outcome;
}

/** Whether the binary found no terminal to ask on. */
export function hadNoTerminal(run: RunResult): boolean {
  return run.code === EXIT_USAGE && !run.out.trim();
}

/** The details that the session stores. */
export function buildDetails(call: Call, mode: Mode, outcome: Outcome): Details {
  const { answers, ...rest } = outcome.reply;
  const details: Details = { questions: call.questions, answers, mode, ...rest };
  if (outcome.details?.answeredAt !== undefined) details.answeredAt = outcome.details.answeredAt;
  if (call.metadata) details.metadata = call.metadata;
  if (outcome.askId) details.askId = outcome.askId;
  if (outcome.answeredFrom) details.answeredFrom = outcome.answeredFrom;
  if (outcome.summary) details.summary = outcome.summary;
  return details;
}
