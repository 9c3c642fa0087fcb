/**
 * The three ways of asking a call: on pi's own terminal, in a file in print mode, and through the
 * client in RPC mode. The inbox and the page show the ask as well, and the first answer counts.
 */
import { writeSync } from "node:fs";
import { StringDecoder } from "node:string_decoder";
import type { ExtensionContext } from "@earendil-works/pi-coding-agent";
import { matchesKey, Text } from "@earendil-works/pi-tui";
import { type Call, type Outcome, hadNoTerminal, missing, outcome, run, start } from "./ask.ts";
import { askInDialogs } from "./dialogs.ts";

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
  if (given !== undefined) return answered(ctx, call, given, signal);
  if (ctx.mode === "tui") return onTerminal(ctx, call, signal);
  if (ctx.mode === "rpc") return throughClient(ctx, call, flags.lines(), signal);
  return inFile(ctx, call, signal);
}

function interrupted(): Error {
  return new Error("Interrupted. The question stays open for the user; they have neither agreed nor refused. Asking the same again waits for the same answer.");
}

const PROMPT = ["prompt", "-", "--dialect", "pi", "--result"];

async function answered(ctx: ExtensionContext, call: Call, answers: string, signal?: AbortSignal): Promise<Outcome> {
  return outcome(await run(ctx, [...PROMPT, "--answers", answers], JSON.stringify(call), signal));
}

/** Print mode: writes the questions to a file and tells the agent how they will be answered. */
async function inFile(ctx: ExtensionContext, call: Call, signal?: AbortSignal): Promise<Outcome> {
  const ran = await run(ctx, [...PROMPT, "--mode", "pending"], JSON.stringify(call), signal);
  const said = outcome(ran);
  if (!said.reply.pendingFile) return said;
  const words = ran.err.slice(Math.max(ran.err.indexOf("Questions pending."), 0)).trim();
  // On standard error as well: the agent may not pass it on, and standard output belongs to the agent.
  process.stderr.write(`${words}\n`);
  return { ...said, text: `${words}\n\n${said.text}` };
}

/** Lends the terminal until the work is done. */
async function onScreen<T>(ctx: ExtensionContext, work: () => Promise<T>): Promise<T> {
  const done = await ctx.ui.custom<{ value: T } | { error: unknown }>((tui, _theme, _keys, finish) => {
    // In the terminal's canonical mode, Ctrl+C signals all processes on it. It is meant for the one that
    // has the terminal, so pi ignores it meanwhile.
    const stay = () => {};
    process.on("SIGINT", stay);
    tui.stop();
    const back = (end: { value: T } | { error: unknown }) => {
      process.off("SIGINT", stay);
      tui.start();
      tui.requestRender(true);
      finish(end);
    };
    work().then((value) => back({ value }), (error: unknown) => back({ error }));
    return { render: () => [], invalidate: () => {} };
  });
  if ("error" in done) throw done.error;
  return done.value;
}

async function onTerminal(ctx: ExtensionContext, call: Call, signal?: AbortSignal): Promise<Outcome> {
  const mode = process.env.ASK_USER_PLAIN || process.env.ACCESSIBLE ? "plain" : "tui";
  for (;;) {
    const work = () => run(ctx, [...PROMPT, "--mode", mode], JSON.stringify(call), signal);
    const ran = await onScreen(ctx, work);
    if (hadNoTerminal(ran)) return throughClient(ctx, call, false, signal);
    const said = outcome(ran);
    if (!said.reply.waiting) return said;
    if (signal?.aborted || !said.askId) throw interrupted();
    const next = await untilBack(ctx, said.askId, signal);
    if (next) return next;
  }
}

/** The person has left the question open: waits until they return to it, cancel it, or answer elsewhere. */
async function untilBack(ctx: ExtensionContext, id: string, signal?: AbortSignal): Promise<Outcome | undefined> {
  const leaving = new AbortController();
  const either = signal ? AbortSignal.any([signal, leaving.signal]) : leaving.signal;
  const waits = run(ctx, ["wait", id, "--result"], "", either);
  const does = await ctx.ui.custom<"again" | "cancel" | "over">((_tui, theme, _keys, done) => {
    waits.then(() => done("over"), () => done("over"));
    const says = theme.fg("accent", "The question is still open; it can also be answered with `ask-user` elsewhere.");
    const text = new Text(`${says}\n${theme.fg("dim", "enter answer here • esc cancel")}`, 1, 0);
    return {
      render: (width) => text.render(width),
      invalidate: () => text.invalidate(),
      handleInput: (data) => {
        if (matchesKey(data, "enter")) done("again");
        if (matchesKey(data, "escape")) done("cancel");
      },
    };
  });
  if (does === "cancel") await run(ctx, ["decline", id]);
  if (does === "again") leaving.abort();
  const ran = await waits;
  if (ran.out.trim()) return outcome(ran);
  if (signal?.aborted) throw interrupted();
  if (does === "over") throw new Error(ran.err.trim() || "ask-user ended without a word");
  return undefined;
}

/** Functions that end the calls waiting for a client, called when the client disconnects. */
const open = new Set<() => void>();

/** Ends all calls that wait for the client. */
export function clientGone(): void {
  for (const end of open) end();
}

/** Whether calls wait for the client. */
export function waitsForClient(): boolean {
  return open.size > 0;
}

/** RPC mode: the binary requests what to show, and the client answers in dialogs or lines. */
function throughClient(ctx: ExtensionContext, call: Call, lines: boolean, signal?: AbortSignal): Promise<Outcome> {
  const child = start(ctx, [...PROMPT, "--mode", "rpc"]);
  const over = new AbortController();
  const end = () => child.stdin?.end();
  const leave = () => child.kill("SIGTERM");
  const say = (line: object) => child.stdin?.write(`${JSON.stringify(line)}\n`);
  let asked: Line | undefined;

  const present = async (request: Line) => {
    const response = lines ? await askByLines(request, over.signal) : await askInDialogs(ctx.ui, call.questions, over.signal);
    if (response && !over.signal.aborted) say({ ...response, type: "ask_user_response", requestId: request.requestId });
  };

  const done = new Promise<Outcome>((resolve, reject) => {
    const hear = (text: string) => {
      const line = JSON.parse(text);
      if (line.type === undefined) return resolve(outcome({ code: 0, out: text, err: "" }));
      if (line.type === "ask_user_request") asked = line;
      else if (line.type !== "ask_user_error" || line.code === "closed") return;
      else ctx.ui.notify(line.message, "warning");
      if (asked) present(asked).catch(reject);
    };
    let rest = "";
    let err = "";
    child.stdout?.setEncoding("utf8").on("data", (text: string) => {
      const all = (rest + text).split("\n");
      rest = all.pop() ?? "";
      try {
        for (const line of all) if (line) hear(line);
      } catch (error) {
        reject(error);
      }
    });
    child.stderr?.setEncoding("utf8").on("data", (text: string) => (err += text));
    child.stdin?.on("error", () => {});
    child.once("error", (error) => reject(missing(error)));
    child.once("close", () => reject(signal?.aborted ? interrupted() : new Error(err.trim() || "ask-user ended before an answer")));
    signal?.addEventListener("abort", leave, { once: true });
    open.add(end);
    say(call);
  });
  return done.finally(() => {
    over.abort();
    open.delete(end);
    signal?.removeEventListener("abort", leave);
    end();
  });
}

type Line = Record<string, unknown>;

/** Passes the request to a client that knows `ask_user_request` and answers all questions at once. */
function askByLines(request: Line, over: AbortSignal): Promise<Line | undefined> {
  writeLine(request);
  return new Promise((resolve) => {
    const decoder = new StringDecoder("utf8");
    let rest = "";
    const hear = (chunk: Buffer | string) => {
      const all = (rest + (typeof chunk === "string" ? chunk : decoder.write(chunk))).split("\n");
      rest = all.pop() ?? "";
      const lines = all.map(parsed);
      const response = lines.find((line) => line?.type === "ask_user_response" && line.requestId === request.requestId);
      if (response) end(response);
    };
    const end = (response?: Line) => {
      process.stdin.off("data", hear);
      if (!response) writeLine({ type: "ask_user_closed", requestId: request.requestId });
      resolve(response);
    };
    process.stdin.on("data", hear);
    over.addEventListener("abort", () => end(), { once: true });
  });
}

function parsed(text: string): Line | undefined {
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
