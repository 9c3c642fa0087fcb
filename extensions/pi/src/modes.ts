/**
 * The three ways a call meets its person: on pi's own terminal, in a file in print mode, and
 * through the client in RPC mode. Wherever it is asked, the inbox and the browser show it too,
 * and whoever answers first has answered.
 */
import { writeSync } from "node:fs";
import type { ExtensionContext } from "@earendil-works/pi-coding-agent";
import { matchesKey, Text } from "@earendil-works/pi-tui";
import { type Call, type Outcome, hadNoTerminal, missing, outcome, read, run, start } from "./ask.ts";
import { askInDialogs, type Response } from "./dialogs.ts";

/** The flags of this extension. */
export interface Flags {
  /** Answers that came on the command line, for the first call of a run. */
  answers?: string | undefined;
  /** The client shows questions itself, by `ask_user_request` and `ask_user_response`. */
  lines: boolean;
}

/** Asks, however pi runs. Resolves when there is an outcome, and never by the clock. */
export async function ask(ctx: ExtensionContext, call: Call, flags: Flags, signal?: AbortSignal): Promise<Outcome> {
  if (flags.answers !== undefined) return answered(ctx, call, flags.answers, signal);
  if (ctx.mode === "tui") return onTerminal(ctx, call, signal);
  if (ctx.mode === "rpc") return throughClient(ctx, call, flags.lines, signal);
  return inFile(ctx, call, signal);
}

function interrupted(): Error {
  return new Error("Interrupted. The question stays open for the user; they have neither agreed nor refused. Asking the same again waits for the same answer.");
}

const PROMPT = ["prompt", "-", "--dialect", "pi", "--result"];

async function answered(ctx: ExtensionContext, call: Call, answers: string, signal?: AbortSignal): Promise<Outcome> {
  return outcome(await run(ctx, [...PROMPT, "--answers", answers], JSON.stringify(call), signal));
}

/** Print mode: the questions go into a file, and the agent is told how they will be answered. */
async function inFile(ctx: ExtensionContext, call: Call, signal?: AbortSignal): Promise<Outcome> {
  const ran = await run(ctx, [...PROMPT, "--mode", "pending"], JSON.stringify(call), signal);
  const said = outcome(ran);
  if (!said.reply.pendingFile) return said;
  const words = ran.err.slice(Math.max(ran.err.indexOf("Questions pending."), 0)).trim();
  // The agent may not pass it on, and standard output is the agent's.
  process.stderr.write(`${words}\n`);
  return { ...said, text: `${words}\n\n${said.text}` };
}

/** Gives the terminal away until the work is done. */
export async function onScreen<T>(ctx: ExtensionContext, work: () => Promise<T>): Promise<T> {
  const done = await ctx.ui.custom<{ value: T } | { error: unknown }>((tui, _theme, _keys, finish) => {
    // In line mode Ctrl+C signals everybody on the terminal; it is meant for whoever has it.
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

/** The person has left the question open: wait until they come back to it, cancel it, or answer elsewhere. */
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

/** Streams of calls that wait for a client, to be ended when it goes. */
const open = new Set<() => void>();

/** Tells all of them that their client is gone. */
export function clientGone(): void {
  for (const end of open) end();
}

/** Whether calls wait for a client. */
export function waitsForClient(): boolean {
  return open.size > 0;
}

/** RPC mode: one stream to the binary that asks for the agent and shows to the client. */
function throughClient(ctx: ExtensionContext, call: Call, lines: boolean, signal?: AbortSignal): Promise<Outcome> {
  const session = ctx.sessionManager.getSessionId();
  const child = start(ctx, ["rpc", "--dialect", "pi", "--client", "pi", "--surface", "--session", session]);
  const over = new AbortController();
  const mine = "call";
  const say = (line: object) => child.stdin?.write(`${JSON.stringify(line)}\n`);
  const shown = new Map<string, Call>();
  let id: string | undefined;
  let presenting = false;

  const present = async () => {
    const asked = id === undefined ? undefined : shown.get(id);
    if (!asked || presenting) return;
    presenting = true;
    say({ type: "ask_user_shown", requestId: id });
    const response = lines ? await askByLines(id as string, call, over.signal) : await askInDialogs(ctx.ui, call.questions, over.signal);
    presenting = false;
    if (response && !over.signal.aborted) say({ type: "ask_user_response", requestId: id, ...response });
  };

  return new Promise<Outcome>((resolve, reject) => {
    const hear = (line: any) => {
      if (line.type === "ask_user_opened" && line.requestId === mine) id = line.askId;
      if (line.type === "ask_user_request") shown.set(line.requestId, line);
      if (line.type === "ask_user_left" && line.requestId === mine) reject(interrupted());
      if (line.type === "ask_user_response" && line.requestId === mine) {
        const { type: _type, requestId: _request, _meta: facts, isError, ...reply } = line;
        if (isError) return reject(new Error(line.text ?? JSON.stringify(reply)));
        return resolve(read(JSON.stringify(reply), reply, facts ?? {}));
      }
      if (line.type === "ask_user_error") {
        if (line.requestId === mine || line.requestId === undefined) return reject(new Error(line.message));
        if (line.requestId === id && line.code !== "closed") ctx.ui.notify(line.message, "warning");
        else return;
      }
      present().catch(reject);
    };
    let rest = "";
    let err = "";
    child.stdout?.setEncoding("utf8").on("data", (text: string) => {
      const all = (rest + text).split("\n");
      rest = all.pop() ?? "";
      for (const line of all) if (line) hear(JSON.parse(line));
    });
    child.stderr?.setEncoding("utf8").on("data", (text: string) => (err += text));
    child.stdin?.on("error", () => {});
    child.once("error", (error) => reject(missing(error)));
    child.once("close", () => reject(new Error(err.trim() || "ask-user ended before an answer")));
    const end = () => child.stdin?.end();
    open.add(end);
    signal?.addEventListener("abort", () => say({ type: "ask_user_leave", requestId: mine }), { once: true });
    say({ ...call, type: "ask_user_request", requestId: mine });
    over.signal.addEventListener("abort", () => open.delete(end), { once: true });
  }).finally(() => {
    over.abort();
    child.stdin?.end();
  });
}

/** A client that knows `ask_user_request` gets the whole call at once and answers it at once. */
function askByLines(id: string, call: Call, over: AbortSignal): Promise<Response | undefined> {
  writeLine({ type: "ask_user_request", requestId: id, ...call });
  return new Promise((resolve) => {
    let rest = "";
    const hear = (chunk: Buffer | string) => {
      const all = (rest + chunk.toString()).split("\n");
      rest = all.pop() ?? "";
      for (const text of all) {
        const line = parsed(text);
        if (line?.type !== "ask_user_response" || line.requestId !== id) continue;
        const { type: _type, requestId: _request, ...response } = line;
        end(response);
      }
    };
    const end = (response?: Response) => {
      process.stdin.off("data", hear);
      if (!response) writeLine({ type: "ask_user_closed", requestId: id });
      resolve(response);
    };
    process.stdin.on("data", hear);
    over.addEventListener("abort", () => end(), { once: true });
  });
}

function parsed(text: string): any {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Pi keeps standard output for its own records and sends `process.stdout` elsewhere; this is one of its lines. */
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
