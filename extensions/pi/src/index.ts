/**
 * ask-user for pi: the `ask_user` tool, the `/questions` command, and the outcomes that a session
 * stores. It has no rules of its own: `ask.ts` runs the binary that has them.
 */
import { closeSync, constants, existsSync, fstatSync, lstatSync, openSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { compact, type ExtensionAPI, type ExtensionContext, parseArgs } from "@earendil-works/pi-coding-agent";
import { Text } from "@earendil-works/pi-tui";
import { Type } from "typebox";
import { askedQuestions, buildDetails, type Call, type Details, type Mode, type Outcome, parseOutcome, type Question, run } from "./ask.ts";
import { ask, endClientCalls, type Flags, isWaitingForClient } from "./modes.ts";
import { renderCall, renderResult, transcript } from "./render.ts";
import { plainLines } from "./safe.ts";
import { callOf, type Interrupted, interruptedCall, outcomes, pendingCall, summaries, withResults } from "./session.ts";

const TOOL = "ask_user";
const ANSWER_TOOL = "answer_pending_questions";
const FOLDER = ".pi";

const OptionSchema = Type.Object({
  label: Type.String({ description: "Display text" }),
  description: Type.Optional(Type.String({ description: "Help text" })),
});

const QuestionSchema = Type.Object({
  question: Type.String({ description: "The question to ask" }),
  header: Type.Optional(Type.String({ description: "Optional header/title for context" })),
  options: Type.Optional(Type.Array(OptionSchema, { description: "Suggested options" })),
  multiSelect: Type.Optional(Type.Boolean({ description: "Allow multiple selections" })),
});

const AskUserParams = Type.Object({
  questions: Type.Array(QuestionSchema, {
    description: "One or more questions to ask the user",
    minItems: 1,
  }),
  metadata: Type.Optional(
    Type.Object({}, {
      additionalProperties: true,
      description: "Optional metadata for tracking (e.g., { source: 'setup-wizard' })",
    }),
  ),
});

const DESCRIPTION = `Ask the user one or more questions. Use when you need:
- Clarification on requirements or preferences
- User decisions between multiple valid approaches
- Confirmation before significant changes
- Input that cannot be inferred from context

Each question can have suggested options with descriptions.
Users can always select "Other" to provide a custom answer.
In non-interactive mode, creates a pending questions file for async response.

Guidelines:
- Put recommended option first with "(Recommended)" in the label
- Batch related questions together (avoid multiple rounds)
- Limit to 3-5 questions per call to avoid user fatigue
- Don't ask what can be inferred from context or previous messages
- Don't re-ask questions already answered in this session`;

function currentMode(ctx: ExtensionContext): Mode {
  if (ctx.mode === "tui") return "interactive";
  return ctx.mode === "rpc" ? "rpc" : "print";
}

/** This process: its id, and the tick at which it started, which the 22nd field of its stat has. Undefined except on Linux. */
function thisProcess(): string | undefined {
  if (process.platform !== "linux") return undefined;
  const stat = readFileSync("/proc/self/stat", "utf8");
  const ticks = stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19];
  return ticks && `${process.pid}:${ticks}`;
}

export default function (pi: ExtensionAPI) {
  // By this the hub knows what pi's shells start, also before pi asks and after such a shell has ended.
  const agent = thisProcess();
  if (agent) process.env.ASK_USER_AGENT_PROCESS = agent;
  pi.registerFlag("answers", {
    type: "string",
    description: "Answers to pending questions, or to the first ones asked: a JSON list in their order",
  });
  pi.registerFlag("ask-user-rpc", {
    type: "boolean",
    description: "In RPC mode, send questions as ask_user_request instead of dialogs",
  });

  /** Whether a call has used the answers of the command line. */
  let areAnswersUsed = false;
  const flags: Flags = {
    answers: () => {
      const given = pi.getFlag("answers");
      if (typeof given !== "string" || areAnswersUsed) return undefined;
      areAnswersUsed = true;
      return given;
    },
    lines: () => pi.getFlag("ask-user-rpc") === true,
  };

  pi.registerTool({
    name: TOOL,
    label: "Ask User",
    description: DESCRIPTION,
    promptSnippet: "Ask the user structured questions and wait for the answers",
    parameters: AskUserParams,
    executionMode: "sequential",
    async execute(_id, params, signal, _update, ctx) {
      const call = params as Call;
      const outcome = await ask(ctx, call, flags, signal);
      return { content: [{ type: "text", text: outcome.text }], details: buildDetails(call, currentMode(ctx), outcome) };
    },
    renderCall: (params, theme) => renderCall(params as Partial<Call>, theme),
    renderResult: (result, _options, theme) => renderResult(result, theme),
  });

  pi.registerMessageRenderer<Details>(TOOL, (message, _options, theme) =>
    message.details ? new Text(transcript(message.details, theme), 1, 0) : undefined,
  );

  /** Whether pi is starting, and hasn't sent the prompt of its command line yet. */
  let isStarting = false;

  /** Delivers an outcome to the agent outside of the call that asked. */
  const deliver = (ctx: ExtensionContext, call: Call, outcome: Outcome, toolCallId?: string) => {
    const details = { ...buildDetails(call, currentMode(ctx), outcome), ...(toolCallId && { toolCallId }) };
    const content = `The outcome of an earlier ${TOOL} call:\n${outcome.text}`;
    const message = { customType: TOOL, content, display: true, details };
    // If the command line has a prompt, the outcome goes along with it; otherwise it starts a turn.
    if (isStarting && hasPrompt(ctx)) pi.sendMessage(message, { deliverAs: "nextTurn" });
    else pi.sendMessage(message, { triggerTurn: true });
  };

  pi.on("session_start", async (event, ctx) => {
    if (event.reason !== "startup" && event.reason !== "resume") return;
    isStarting = true;
    const isDelivered = await fetchAnswers(ctx, flags, deliver).catch((error: Error) => notify(ctx, error.message, "error"));
    isStarting = false;
    if (isDelivered && ctx.mode === "print" && !hasPrompt(ctx)) await waitUntilSettled(pi);
    if (isDelivered || hasPrompt(ctx)) return;
    const interrupted = interruptedCall(ctx.sessionManager.getBranch(), TOOL);
    if (interrupted && ctx.hasUI) askAgain(ctx, interrupted);
  });

  /** Asks the question of an interrupted call again, with the draft that was typed so far. */
  const askAgain = (ctx: ExtensionContext, interrupted: Interrupted) => {
    const work = async () => {
      const outcome = await ask(ctx, interrupted.call, flags);
      deliver(ctx, interrupted.call, outcome, interrupted.toolCallId);
    };
    // Pi shows the session after this handler has returned, so the question is asked later.
    setImmediate(() => work().catch((error: Error) => notify(ctx, error.message, "error")));
  };

  pi.on("context", (event) => ({ messages: withResults(event.messages, TOOL) }));

  pi.on("before_agent_start", async (event, ctx) => {
    removeAnswerTool(pi);
    // An attached file is in the prompt as it is. An id alone can come from any text that the agent wrote.
    const file = await readPendingFile(ctx, (content) => event.prompt.includes(content.trim()));
    if (!file) return undefined;
    addAnswerTool(pi, ctx, file);
    return {
      message: {
        customType: "ask_user_pending",
        content: `The user's message contains the pending questions of an earlier ${TOOL} call, and the user's answers in their own words. First call ${ANSWER_TOOL} with these answers, then continue the work.`,
        display: false,
      },
    };
  });

  pi.on("agent_settled", () => removeAnswerTool(pi));

  pi.on("session_before_compact", async (event, ctx) => {
    const paragraphs = summaries(event.branchEntries, event.preparation.firstKeptEntryId, TOOL);
    if (paragraphs.length === 0 || !ctx.model) return undefined;
    const streams = ctx.modelRegistry.streamSimple.bind(ctx.modelRegistry);
    const { preparation, customInstructions, signal } = event;
    const compaction = await compact(preparation, ctx.model, undefined, undefined, customInstructions, signal, ctx.thinkingLevel, streams as never);
    return { compaction: { ...compaction, summary: `${compaction.summary}\n\n## Questions and answers\n\n${paragraphs.map((one) => `- ${one}`).join("\n")}` } };
  });

  pi.on("session_shutdown", async (event) => {
    if (event.reason !== "quit" || !isWaitingForClient()) return;
    // Pi must not end before the session has the call's result.
    const stored = new Promise<void>((resolve) => {
      pi.on("message_end", ({ message }) => {
        if (message.role === "toolResult" && message.toolName === TOOL) resolve();
      });
    });
    endClientCalls();
    await stored;
  });

  pi.registerCommand("questions", {
    description: "Show or clear pending questions",
    getArgumentCompletions: (prefix) => {
      const words = ["show", "answer", "clear"].filter((word) => word.startsWith(prefix) && word !== prefix);
      return words.length > 0 ? words.map((word) => ({ value: word, label: word })) : null;
    },
    handler: async (args, ctx) => {
      const [command = "show", ...options] = args.trim().split(/\s+/).filter(Boolean);
      if (command === "answer") {
        const file = await readPendingFile(ctx);
        if (!file) return notify(ctx, `${FOLDER} has no pending questions of pi; /questions shows what is pending.`);
        const call = pendingCall(ctx.sessionManager.getBranch(), TOOL, file.id) ?? file.call;
        return deliver(ctx, call, await ask(ctx, { ...call, sessionId: file.id } as Call, flags));
      }
      const ran = await run(ctx, ["pending", command, ...options]);
      const answered = outcomes(ctx.sessionManager.getBranch(), TOOL).flatMap((one) => one.summary ?? []);
      const before = command === "show" && answered.length > 0 ? `\n\nIn this session:\n${answered.join("\n")}` : "";
      notify(ctx, plainLines(`${ran.out}${ran.err}`.trim() + before), ran.code === 0 ? "info" : "warning");
    },
  });
}

/** Shows a message in pi's interface, or on standard error without one. */
function notify(ctx: ExtensionContext, text: string, kind: "info" | "warning" | "error" = "info"): void {
  if (ctx.hasUI) ctx.ui.notify(text, kind);
  else process.stderr.write(`${text}\n`);
}

/** Whether the command line has a prompt, which pi sends itself. */
function hasPrompt(ctx: ExtensionContext): boolean {
  if (ctx.mode === "rpc") return false;
  const parsed = parseArgs(process.argv.slice(2));
  return parsed.messages.length > 0 || parsed.fileArgs.length > 0;
}

/** Waits until the agent has finished. Otherwise, print mode would end after its last prompt. */
function waitUntilSettled(pi: ExtensionAPI): Promise<void> {
  return new Promise((resolve) => {
    const unsubscribe = pi.on("agent_settled", () => {
      unsubscribe();
      resolve();
    });
  });
}

interface PendingFile {
  /** Its path below the project's folder. */
  path: string;
  /** The id of the ask. */
  id: string;
  /** The questions of the ask. */
  call: Call;
}

/** The largest pending file that is read, in bytes. */
const MAX_FILE_BYTES = 4 << 20;

/** A pending file of pi: several asks that wait in one folder have one each. */
const FILE_NAME = /^pending-questions(-\w+)?\.json$/;

/**
 * Reads the first pending file that is accepted. Its id must belong to an ask of pi that ask-user knows, because anybody
 * can put a file into a checkout. Returns undefined if no file is accepted; `/questions` shows why.
 */
async function readPendingFile(ctx: ExtensionContext, accepts: (content: string, path: string) => boolean = () => true): Promise<PendingFile | undefined> {
  const accepted = new Map<string, string>();
  for (const path of pendingPaths(ctx)) {
    try {
      const content = readRegularFile(join(ctx.cwd, path));
      if (accepts(content, path)) accepted.set(path, content);
    } catch {
      // Another file may be readable.
    }
  }
  if (accepted.size === 0) return undefined;
  for (const { file, ask } of await knownFiles(ctx)) {
    const content = accepted.get(file);
    if (content === undefined || ask?.asker?.client !== "pi") continue;
    try {
      if (ask.askId !== JSON.parse(content).sessionId) continue;
      // The file's words may have been changed, and the answer goes to what was asked.
      return { path: file, id: ask.askId, call: { questions: askedQuestions(ask.questions) } };
    } catch {
      // Another file may be whole.
    }
  }
  return undefined;
}

/** A pending file, and its ask if ask-user knows it. */
interface KnownFile {
  file: string;
  ask?: { askId: string; asker?: { client?: string }; questions: Question[] };
}

/** The paths of the pending files in the project's folder. */
function pendingPaths(ctx: ExtensionContext): string[] {
  const names = existsSync(join(ctx.cwd, FOLDER)) ? readdirSync(join(ctx.cwd, FOLDER)) : [];
  return names.filter((name) => FILE_NAME.test(name)).map((name) => join(FOLDER, name));
}

/** The pending files of the project's folder, with their asks. */
async function knownFiles(ctx: ExtensionContext): Promise<KnownFile[]> {
  if (pendingPaths(ctx).length === 0) return [];
  const ran = await run(ctx, ["pending", "show", "--json"]);
  if (!ran.out.trim()) throw new Error(ran.err.trim().replace(/^ask-user: /, "") || "ask-user can't tell which questions are pending");
  return JSON.parse(ran.out);
}

/** Reads a regular file that is not a link, because a checkout may have a pipe, a device or a huge file there. */
function readRegularFile(path: string): string {
  if (!lstatSync(dirname(path)).isDirectory()) throw new Error(`${dirname(path)} is not a folder`);
  const file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const stats = fstatSync(file);
    if (!stats.isFile() || stats.size > MAX_FILE_BYTES) throw new Error(`${path} is not a regular file, or too large`);
    return readFileSync(file, "utf8");
  } finally {
    closeSync(file);
  }
}

/** Fetches and delivers the answers to pending questions: from the command line, the edited file, or another surface. */
async function fetchAnswers(ctx: ExtensionContext, flags: Flags, deliver: (ctx: ExtensionContext, call: Call, outcome: Outcome) => void): Promise<boolean> {
  const stored = outcomes(ctx.sessionManager.getBranch(), TOOL);
  const ended = new Set(stored.flatMap((one) => (one.askId && !one.pendingFile ? [one.askId] : [])));
  const known = await knownFiles(ctx);
  const paths = new Map<string, Call>();
  const fetched: [Call, Outcome][] = [];
  const withoutFile: string[] = [];
  for (const one of stored) {
    if (!one.pendingFile || !one.askId || ended.has(one.askId)) continue;
    // A file of this name may belong to a later question of another session.
    const file = known.find(({ ask }) => ask?.askId === one.askId)?.file;
    if (file) {
      paths.set(file, callOf(one));
      continue;
    }
    ended.add(one.askId);
    const outcome = await fetchOutcome(ctx, one.askId);
    if (outcome === "open") withoutFile.push(one.askId);
    else if (outcome) fetched.push([callOf(one), outcome]);
  }
  // Answers from the command line are for any session, others only for the session that asked.
  const file = paths.size === 0 ? await readPendingFile(ctx) : undefined;
  let given = paths.size > 0 || file ? flags.answers() : undefined;
  if (file && given !== undefined) paths.set(file.path, file.call);
  const waiting = [...paths.keys(), ...withoutFile];
  if (given !== undefined && waiting.length > 1) {
    notify(ctx, `--answers answers one call, and ${waiting.length} wait: ${waiting.join(", ")}. Attach the one that you mean: pi -p @FILE "your answers". Nothing was sent.`, "error");
    if (file) paths.delete(file.path);
    given = undefined;
  }
  let isDelivered = false;
  const deliverTo = (call: Call, outcome: Outcome | undefined) => {
    if (outcome) deliver(ctx, call, outcome);
    isDelivered ||= outcome !== undefined;
  };
  for (const [path, call] of paths) deliverTo(call, await settle(ctx, path, given));
  for (const [call, outcome] of fetched) deliverTo(call, outcome);
  return isDelivered;
}

/** Fetches the outcome of an ask that has no file any more. Returns undefined if the ask was removed. */
async function fetchOutcome(ctx: ExtensionContext, id: string): Promise<Outcome | "open" | undefined> {
  const shown = await run(ctx, ["show", id, "--json"]);
  if (!shown.out.trim()) return undefined;
  if (JSON.parse(shown.out).state === "waiting") return "open";
  return parseOutcome(await run(ctx, ["wait", id, "--result"]));
}

/** Settles the ask of a pending file. Returns undefined if questions are still open. */
async function settle(ctx: ExtensionContext, path: string, answers?: string): Promise<Outcome | undefined> {
  const options = answers === undefined ? ["--mode", "pending"] : ["--answers", answers];
  const ran = await run(ctx, ["prompt", path, "--dialect", "pi", "--result", ...options]);
  if (!ran.out.trim()) throw new Error(ran.err.trim().replace(/^ask-user: /, ""));
  if (JSON.parse(ran.out).isError) throw new Error(`${path} can't be read: correct it, or remove it with /questions clear --force. Nothing was sent.`);
  const outcome = parseOutcome(ran, answers === undefined ? undefined : ran);
  if (!outcome.reply.pendingFile) {
    const unsent = ran.err.split("\n").filter((line) => / not sent\.$| is kept in /.test(line));
    if (unsent.length > 0) notify(ctx, unsent.join("\n"), "warning");
    return outcome;
  }
  const missing = ran.err.split("\n\n")[0] ?? "";
  if (missing.startsWith(path)) notify(ctx, missing, "warning");
  return undefined;
}

/** Takes the tool away again that one prompt had. */
function removeAnswerTool(pi: ExtensionAPI): void {
  const active = pi.getActiveTools();
  if (active.includes(ANSWER_TOOL)) pi.setActiveTools(active.filter((name) => name !== ANSWER_TOOL));
}

/** Gives this prompt the tool with which the agent sends answers that the person gave in the prompt itself. */
function addAnswerTool(pi: ExtensionAPI, ctx: ExtensionContext, { path, id, call }: PendingFile): void {
  pi.registerTool({
    name: ANSWER_TOOL,
    label: "Answer Pending Questions",
    description:
      "Pass on the answers that the user gave in this very prompt to the pending questions in the attached file, in the order of the questions: the label of an option, the user's own words, a list where several are allowed, or null where they gave none. Never answer in the user's place.",
    parameters: Type.Object({
      answers: Type.Array(Type.Union([Type.String(), Type.Array(Type.String()), Type.Null()])),
    }),
    async execute(_id, { answers }) {
      // Once its ask is answered, the file of a later question may have the same name.
      const file = await readPendingFile(ctx, (_, found) => found === path);
      if (file?.id !== id) throw new Error("The questions of this prompt are answered, or no longer pending.");
      const outcome = await settle(ctx, path, JSON.stringify(answers));
      if (!outcome) throw new Error("The questions are still open.");
      removeAnswerTool(pi);
      return { content: [{ type: "text", text: outcome.text }], details: buildDetails(call, currentMode(ctx), outcome) };
    },
    renderResult: (result, _options, theme) => renderResult(result, theme),
  });
  // A tool that was taken away before isn't active again.
  const active = pi.getActiveTools();
  if (!active.includes(ANSWER_TOOL)) pi.setActiveTools([...active, ANSWER_TOOL]);
}
