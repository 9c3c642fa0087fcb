/**
 * ask-user for pi: the `ask_user` tool, the `/questions` command, and the questions that a session
 * stores. It has no rules of its own; `ask.ts` runs the binary that has them.
 */
import { closeSync, constants, existsSync, fstatSync, lstatSync, openSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { compact, type ExtensionAPI, type ExtensionContext, parseArgs } from "@earendil-works/pi-coding-agent";
import { Text } from "@earendil-works/pi-tui";
import { Type } from "typebox";
import { type Call, type Details, type Mode, type Outcome, details, outcome, run } from "./ask.ts";
import { ask, clientGone, type Flags, waitsForClient } from "./modes.ts";
import { plainLines, renderCall, renderResult, transcript } from "./render.ts";
import { callOf, facts, interruptedCall, type Interrupted, pendingCall, past, withResults } from "./session.ts";

const TOOL = "ask_user";
const ANSWERING = "answer_pending_questions";
const FILE = join(".pi", "pending-questions.json");

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

function modeOf(ctx: ExtensionContext): Mode {
  if (ctx.mode === "tui") return "interactive";
  return ctx.mode === "rpc" ? "rpc" : "print";
}

export default function (pi: ExtensionAPI) {
  pi.registerFlag("answers", {
    type: "string",
    description: "Answers to pending questions, or to the first ones asked: a JSON list in their order",
  });
  pi.registerFlag("ask-user-rpc", {
    type: "boolean",
    description: "In RPC mode, send questions as ask_user_request instead of dialogs",
  });

  /** Whether the answers of the command line have been used, which happens once. */
  let used = false;
  const flags: Flags = {
    answers: () => {
      const given = pi.getFlag("answers");
      if (typeof given !== "string" || used) return undefined;
      used = true;
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
      const said = await ask(ctx, call, flags, signal);
      return { content: [{ type: "text", text: said.text }], details: details(call, modeOf(ctx), said) };
    },
    renderCall: (params, theme) => renderCall(params as Partial<Call>, theme),
    renderResult: (result, _options, theme) => renderResult(result, theme),
  });

  pi.registerMessageRenderer<Details>(TOOL, (message, _options, theme) =>
    message.details ? new Text(transcript(message.details, theme), 1, 0) : undefined,
  );

  /** Whether pi is starting and hasn't sent the prompt of its command line yet. */
  let starting = false;

  /** Delivers an outcome to the agent outside the call that asked. */
  const tell = (ctx: ExtensionContext, call: Call, said: Outcome, toolCallId?: string) => {
    const kept = { ...details(call, modeOf(ctx), said), ...(toolCallId && { toolCallId }) };
    const content = `The questions of an earlier ${TOOL} call have come to this:\n${said.text}`;
    const message = { customType: TOOL, content, display: true, details: kept };
    // If the command line has a prompt, the outcome goes along with it; otherwise it starts a turn.
    if (starting && promptComes(ctx)) pi.sendMessage(message, { deliverAs: "nextTurn" });
    else pi.sendMessage(message, { triggerTurn: true });
  };

  pi.on("session_start", async (event, ctx) => {
    if (event.reason !== "startup" && event.reason !== "resume") return;
    starting = true;
    const told = await answersOf(ctx, flags, tell).catch((error: Error) => say(ctx, error.message, "error"));
    starting = false;
    if (told && ctx.mode === "print" && !promptComes(ctx)) await settled(pi);
    if (told || promptComes(ctx)) return;
    const left = interruptedCall(ctx.sessionManager.getBranch(), TOOL);
    if (left && ctx.hasUI) replay(ctx, left);
  });

  /** Asks the question of an interrupted call again, with the draft that was typed so far. */
  const replay = (ctx: ExtensionContext, left: Interrupted) => {
    const again = async () => {
      const said = await ask(ctx, left.call, flags);
      tell(ctx, left.call, said, left.toolCallId);
    };
    // Pi shows the session after this handler has returned, so the question is asked later.
    setImmediate(() => again().catch((error: Error) => say(ctx, error.message, "error")));
  };

  pi.on("context", (event) => ({ messages: withResults(event.messages, TOOL) }));

  pi.on("before_agent_start", async (event, ctx) => {
    const file = await pendingFile(ctx, (id) => event.prompt.includes(id));
    if (!file) return undefined;
    registerAnswering(pi, ctx, file.call);
    return {
      message: {
        customType: "ask_user_pending",
        content: `The user's message comes with the pending questions of an earlier ${TOOL} call and their answers in their own words. First call ${ANSWERING} with what they said; then go on with the work.`,
        display: false,
      },
    };
  });

  pi.on("session_before_compact", async (event, ctx) => {
    const known = facts(event.branchEntries, event.preparation.firstKeptEntryId, TOOL);
    if (known.length === 0 || !ctx.model) return undefined;
    const streams = ctx.modelRegistry.streamSimple.bind(ctx.modelRegistry);
    const { preparation, customInstructions, signal } = event;
    const made = await compact(preparation, ctx.model, undefined, undefined, customInstructions, signal, ctx.thinkingLevel, streams as never);
    return { compaction: { ...made, summary: `${made.summary}\n\n## Questions and answers\n\n${known.map((one) => `- ${one}`).join("\n")}` } };
  });

  pi.on("session_shutdown", async (event) => {
    if (event.reason !== "quit" || !waitsForClient()) return;
    // The call's reply still has to be stored in the session.
    const kept = new Promise<void>((resolve) => {
      pi.on("message_end", ({ message }) => {
        if (message.role === "toolResult" && message.toolName === TOOL) resolve();
      });
    });
    clientGone();
    await kept;
  });

  pi.registerCommand("questions", {
    description: "Show or clear pending questions",
    getArgumentCompletions: (prefix) => {
      const words = ["show", "answer", "clear"].filter((word) => word.startsWith(prefix) && word !== prefix);
      return words.length > 0 ? words.map((word) => ({ value: word, label: word })) : null;
    },
    handler: async (args, ctx) => {
      const [word = "show", ...more] = args.trim().split(/\s+/).filter(Boolean);
      if (word === "answer") {
        const file = await pendingFile(ctx);
        if (!file) return say(ctx, `No questions can be read from ${FILE}; /questions shows what is pending.`);
        const call = pendingCall(ctx.sessionManager.getBranch(), TOOL, file.id) ?? file.call;
        return tell(ctx, call, await ask(ctx, { ...call, sessionId: file.id } as Call, flags));
      }
      const ran = await run(ctx, ["pending", word, ...more]);
      const answered = past(ctx.sessionManager.getBranch(), TOOL).flatMap((one) => one.summary ?? []);
      const before = word === "show" && answered.length > 0 ? `\n\nIn this session:\n${answered.join("\n")}` : "";
      say(ctx, plainLines(`${ran.out}${ran.err}`.trim() + before), ran.code === 0 ? "info" : "warning");
    },
  });
}

/** Shows a message in pi's interface, or on standard error without one. */
function say(ctx: ExtensionContext, text: string, kind: "info" | "warning" | "error" = "info"): void {
  if (ctx.hasUI) ctx.ui.notify(text, kind);
  else process.stderr.write(`${text}\n`);
}

/** Whether the command line has a prompt, which pi sends by itself. */
function promptComes(ctx: ExtensionContext): boolean {
  if (ctx.mode === "rpc") return false;
  const parsed = parseArgs(process.argv.slice(2));
  return parsed.messages.length > 0 || parsed.fileArgs.length > 0;
}

/** Resolves when the agent has finished. Without waiting, print mode would end after its last prompt. */
function settled(pi: ExtensionAPI): Promise<void> {
  return new Promise((resolve) => {
    const off = pi.on("agent_settled", () => {
      off();
      resolve();
    });
  });
}

interface PendingFile {
  /** The id of the ask. */
  id: string;
  /** The call, as far as the file holds it. */
  call: Call;
}

/** The longest pending file that is read, in bytes. */
const MOST = 4 << 20;

/**
 * The content of the pending file, if its id fits and is that of an ask of pi that ask-user knows: anybody
 * can put a file into a checkout. Undefined if it can't be read, for which `/questions` gives the reason.
 */
async function pendingFile(ctx: ExtensionContext, fits: (id: string) => boolean = () => true): Promise<PendingFile | undefined> {
  try {
    const { sessionId, questions } = JSON.parse(readRegular(join(ctx.cwd, FILE)));
    if (typeof sessionId !== "string" || sessionId === "" || !fits(sessionId)) return undefined;
    const ran = await run(ctx, ["pending", "show", "--json"]);
    const known: { file: string; ask?: { askId: string; asker?: { client?: string } } }[] = JSON.parse(ran.out);
    const ask = known.find(({ file }) => file === FILE)?.ask;
    if (ask?.askId !== sessionId || ask.asker?.client !== "pi") return undefined;
    const called = questions.map(({ question, options }: { question: string; options?: string[] }) => ({
      question,
      ...(options && { options: options.map((label) => ({ label })) }),
    }));
    return { id: sessionId, call: { questions: called } };
  } catch {
    return undefined;
  }
}

/** The text of a regular file that is no link: a checkout may have a pipe, a device or a huge file there. */
function readRegular(path: string): string {
  if (!lstatSync(dirname(path)).isDirectory()) throw new Error(`${dirname(path)} is no folder of its own`);
  const file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const found = fstatSync(file);
    if (!found.isFile() || found.size > MOST) throw new Error(`${path} is no file of a pending question`);
    return readFileSync(file, "utf8");
  } finally {
    closeSync(file);
  }
}

/** Fetches the answers to pending questions: from the command line, the edited file, or another surface. */
async function answersOf(ctx: ExtensionContext, flags: Flags, tell: (ctx: ExtensionContext, call: Call, said: Outcome) => void): Promise<boolean> {
  // Answers of the command line may go to any session; others only to the one that asked.
  const asked = past(ctx.sessionManager.getBranch(), TOOL).filter((one) => one.pendingFile && existsSync(join(ctx.cwd, one.pendingFile)));
  const paths = new Map(asked.map((one) => [one.pendingFile as string, callOf(one)]));
  const file = paths.size === 0 ? await pendingFile(ctx) : undefined;
  const given = paths.size > 0 || file ? flags.answers() : undefined;
  if (file && given !== undefined) paths.set(FILE, file.call);
  let told = false;
  for (const [path, call] of paths) {
    const said = await settle(ctx, path, given);
    if (said) tell(ctx, call, said);
    told ||= said !== undefined;
  }
  return told;
}

/** Runs the second pass, in which the file is the call. Returns undefined if questions are still open. */
async function settle(ctx: ExtensionContext, path: string, answers?: string): Promise<Outcome | undefined> {
  const how = answers === undefined ? ["--mode", "pending"] : ["--answers", answers];
  const ran = await run(ctx, ["prompt", path, "--dialect", "pi", "--result", ...how]);
  if (!ran.out.trim()) throw new Error(ran.err.trim().replace(/^ask-user: /, ""));
  if (JSON.parse(ran.out).isError) throw new Error(`${path} can't be read: mend it, or /questions clear --force removes it. Nothing was sent.`);
  const said = outcome(ran);
  if (!said.reply.pendingFile) return said;
  const missing = ran.err.split("\n\n")[0] ?? "";
  if (missing.startsWith(path)) say(ctx, missing, "warning");
  return undefined;
}

/** Registers a tool for a person who has answered in the prompt itself: the agent passes those answers on. */
function registerAnswering(pi: ExtensionAPI, ctx: ExtensionContext, call: Call): void {
  pi.registerTool({
    name: ANSWERING,
    label: "Answer Pending Questions",
    description:
      "Pass on the answers that the user gave in this very prompt to the pending questions in the attached file, in the order of the questions: the label of an option, the user's own words, a list where several are allowed, or null where they gave none. Never answer in the user's place.",
    parameters: Type.Object({
      answers: Type.Array(Type.Union([Type.String(), Type.Array(Type.String()), Type.Null()])),
    }),
    async execute(_id, { answers }) {
      const said = await settle(ctx, FILE, JSON.stringify(answers));
      if (!said) throw new Error("The questions are still open.");
      return { content: [{ type: "text", text: said.text }], details: details(call, modeOf(ctx), said) };
    },
    renderResult: (result, _options, theme) => renderResult(result, theme),
  });
}
