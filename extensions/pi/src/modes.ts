/**
 * The three ways of asking a call: on pi's own terminal, in a file in print mode, and through the
 * client in RPC mode. The inbox and the page show the ask as well, and the first answer counts.
 */
import { writeSync } from "node:fs";
import { StringDecoder } from "node:string_decoder";
import type { ExtensionContext } from "@earendil-works/pi-coding-agent";
import { matchesKey, Text } from "@earendil-works/pi-tui";
import { type Call, type Outcome, type Question, type RunResult, hadNoTerminal, parseOutcome, run, start, startError } from "./ask.ts";
import { askInDialogs } from "./dialogs.ts";
import { plainLines } from "./safe.ts";

/** The flags of this extension. */
export interface Flags {
  /** The answers of the command line, which the first call of a run uses up. */
  answers(): string | undefined;
  /** Whether the client shows questions itself, with `ask_user_request` and `ask_user_response`. */
  lines(): boolean;
}

/** Asks in pi's current mode. Resolves when there is an outcome; it has no timeout. */
export async function ask(ctx: ExtensionContext, call: Call, flags: Flags, signal?: AbortSignal): Promise<Outcome> {
  const given = flags.answers();
  if (given !== undefined) return withAnswers(ctx, call, given, signal);
  if (ctx.mode === "tui") return onTerminal(ctx, call, signal);
  if (ctx.mode === "rpc") return throughClient(ctx, call, flags.lines(), signal);
  return inFile(ctx, call, signal);
}

function interrupted(): Error {
  return new Error("Interrupted. The question stays open for the user; they have neither agreed nor refused. Asking the same again waits for the same answer.");
}

const PROMPT = ["prompt", "-", "--dialect", "pi", "--result"];

/** Answers with what the command line gave. */
async function withAnswers(ctx: ExtensionContext, call: Call, answers: string, signal?: AbortSignal): Promise<Outcome> {
  const finished = await run(ctx, [...PROMPT, "--answers", answers], JSON.stringify(call), signal);
  return parseOutcome(finished, finished);
}

/** Print mode: writes the questions to a file and tells the agent how they will be answered. */
async function inFile(ctx: ExtensionContext, call: Call, signal?: AbortSignal): Promise<Outcome> {
  const finished = await run(ctx, [...PROMPT, "--mode", "pending"], JSON.stringify(call), signal);
  const outcome = parseOutcome(finished);
  if (!outcome.reply.pendingFile) return outcome;
  const words = finished.err.slice(Math.max(finished.err.indexOf("Questions pending."), 0)).trim();
  // On standard error as well: the agent may not pass it on, and standard output belongs to the agent.
  process.stderr.write(`${words}\n`);
  return { ...outcome, text: `${words}\n\n${outcome.text}` };
}

/** Gives up the terminal until the work is done. */
async function lendTerminal<T>(ctx: ExtensionContext, work: () => Promise<T>): Promise<T> {
  const done = await ctx.ui.custom<{ value: T } | { error: unknown }>((tui, _theme, _keys, finish) => {
    // In the terminal's canonical mode, Ctrl+C signals all its processes. It is meant for the one that
    // uses the terminal, so pi ignores it meanwhile.
    const ignore = () => {};
    process.on("SIGINT", ignore);
    tui.stop();
    const finishWith = (end: { value: T } | { error: unknown }) => {
      process.off("SIGINT", ignore);
      tui.start();
      tui.requestRender(true);
      finish(end);
    };
    work().then((value) => finishWith({ value }), (error: unknown) => finishWith({ error }));
    return { render: () => [], invalidate: () => {} };
  });
  if ("error" in done) throw done.error;
  return done.value;
}

async function onTerminal(ctx: ExtensionContext, call: Call, signal?: AbortSignal): Promise<Outcome> {
  const mode = process.env.ASK_USER_PLAIN || process.env.ACCESSIBLE ? "plain" : "tui";
  for (;;) {
    const work = () => run(ctx, [...PROMPT, "--mode", mode], JSON.stringify(call), signal);
    const finished = await lendTerminal(ctx, work);
    if (hadNoTerminal(finished)) return throughClient(ctx, call, false, signal);
    const outcome = parseOutcome(finished);
    if (!outcome.reply.waiting) return outcome;
    if (signal?.aborted || !outcome.askId) throw interrupted();
    const next = await waitWhileLeft(ctx, outcome.askId, signal);
    if (next) return next;
  }
}

/** Waits while the person has left the question open, until they return to it, cancel it, or answer elsewhere. */
async function waitWhileLeft(ctx: ExtensionContext, id: string, signal?: AbortSignal): Promise<Outcome | undefined> {
  const returning = new AbortController();
  const abort = signal ? AbortSignal.any([signal, returning.signal]) : returning.signal;
  const waiting = run(ctx, ["wait", id, "--result"], "", abort);
  const over = waiting.then(() => true, () => true);
  const choose = () => ctx.ui.custom<"again" | "cancel" | "closed">((_tui, theme, _keys, done) => {
    waiting.then(() => done("closed"), () => done("closed"));
    const message = theme.fg("accent", "The question is still open; it can also be answered with `ask-user` elsewhere.");
    const text = new Text(`${message}\n${theme.fg("dim", "enter answer here • esc cancel")}`, 1, 0);
    return {
      render: (width) => text.render(width),
      invalidate: () => text.invalidate(),
      handleInput: (data) => {
        if (matchesKey(data, "enter")) done("again");
        if (matchesKey(data, "escape")) done("cancel");
      },
    };
  });
  let choice = await choose();
  let declined: RunResult | undefined;
  while (choice === "cancel") {
    declined = await run(ctx, ["decline", id]);
    if (declined.code === 0 || (await Promise.race([over, undefined]))) break;
    // This command runs below pi. On the card itself, cancelling counts as the person's.
    const why = plainLines(declined.err.trim());
    ctx.ui.notify(`${why}\nNothing was cancelled. Press Enter to open the question, and cancel it there.`, "warning");
    choice = await choose();
  }
  if (choice === "again") returning.abort();
  const finished = await waiting;
  if (finished.out.trim()) return parseOutcome(finished, declined);
  if (signal?.aborted) throw interrupted();
  if (choice === "closed") throw new Error(finished.err.trim() || "ask-user ended without output");
  return undefined;
}

/** For each call that waits for a client: ends it, when the client disconnects. */
const waitingCalls = new Set<() => void>();

/** Ends all calls that wait for the client. */
export function endClientCalls(): void {
  for (const end of waitingCalls) end();
}

/** Whether calls wait for the client. */
export function isWaitingForClient(): boolean {
  return waitingCalls.size > 0;
}

/** RPC mode: the binary requests what to show, and the client answers in dialogs or lines. */
function throughClient(ctx: ExtensionContext, call: Call, lines: boolean, signal?: AbortSignal): Promise<Outcome> {
  const child = start(ctx, [...PROMPT, "--mode", "rpc"]);
  const closed = new AbortController();
  const end = () => child.stdin?.end();
  const terminate = () => child.kill("SIGTERM");
  const send = (line: object) => child.stdin?.write(`${JSON.stringify(line)}\n`);
  let request: Line | undefined;

  const present = async (request: Line) => {
    const { requestId } = request;
    const save = (answers: unknown[]) => send({ type: "ask_user_draft", requestId, answers });
    const response = lines ? await askByLines(request, closed.signal) : await askInDialogs(ctx.ui, request.questions as Question[], save, closed.signal);
    if (response && !closed.signal.aborted) send({ ...response, type: "ask_user_response", requestId });
  };

  const done = new Promise<Outcome>((resolve, reject) => {
    const handle = (text: string) => {
      const line = JSON.parse(text);
      if (line.type === undefined) return resolve(parseOutcome({ code: 0, out: text, err: "" }));
      if (line.type === "ask_user_request") request = line;
      else if (line.type !== "ask_user_error" || line.code === "closed") return;
      else ctx.ui.notify(line.message, "warning");
      if (request) present(request).catch(reject);
    };
    let rest = "";
    let err = "";
    child.stdout?.setEncoding("utf8").on("data", (text: string) => {
      const all = (rest + text).split("\n");
      rest = all.pop() ?? "";
      try {
        for (const line of all) if (line) handle(line);
      } catch (error) {
        reject(error);
      }
    });
    child.stderr?.setEncoding("utf8").on("data", (text: string) => (err += text));
    child.stdin?.on("error", () => {});
    child.once("error", (error) => reject(startError(error)));
    child.once("close", () => reject(signal?.aborted ? interrupted() : new Error(err.trim() || "ask-user ended before an answer")));
    signal?.addEventListener("abort", terminate, { once: true });
    waitingCalls.add(end);
    send(call);
  });
  return done.finally(() => {
    closed.abort();
    waitingCalls.delete(end);
    signal?.removeEventListener("abort", terminate);
    end();
  });
}

type Line = Record<string, unknown>;

/** Passes the request to a client that knows `ask_user_request` and answers all questions at once. */
function askByLines(request: Line, closed: AbortSignal): Promise<Line | undefined> {
  writeLine(request);
  return new Promise((resolve) => {
    const decoder = new StringDecoder("utf8");
    let rest = "";
    const handle = (chunk: Buffer | string) => {
      const all = (rest + (typeof chunk === "string" ? chunk : decoder.write(chunk))).split("\n");
      rest = all.pop() ?? "";
      const lines = all.map(parseLine);
      const response = lines.find((line) => line?.type === "ask_user_response" && line.requestId === request.requestId);
      if (response) end(response);
    };
    const end = (response?: Line) => {
      process.stdin.off("data", handle);
      if (!response) writeLine({ type: "ask_user_closed", requestId: request.requestId });
      resolve(response);
    };
    process.stdin.on("data", handle);
    closed.addEventListener("abort", () => end(), { once: true });
  });
}

/** Parses a line; undefined if it isn't JSON. */
function parseLine(text: string): Line | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Writes a line to standard output (file descriptor 1). Pi redirects `process.stdout`, so that only its own lines get there. */
function writeLine(line: object): void {
  let bytes = Buffer.from(`${JSON.stringify(line)}\n`);
  while (bytes.length > 0) {
    try {
      bytes = bytes.subarray(writeSync(1, bytes));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EAGAIN") throw error;
    }
  }
}
