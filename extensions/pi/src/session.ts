/**
 * The questions of a session, read from its active branch. On a branch from before a question, the
 * question hasn't been asked.
 */
import type { ContextEvent, SessionEntry } from "@earendil-works/pi-coding-agent";
import type { Call, Details } from "./ask.ts";

type Message = ContextEvent["messages"][number];

/** A call that was interrupted by the end of pi and has no outcome. */
export interface Interrupted {
  toolCallId: string;
  call: Call;
}

/** The details of an outcome, with the id of its call if it was delivered outside of that call. */
type StoredOutcome = Details & { toolCallId?: string };

/** Every outcome on a branch, in order. */
export function outcomes(branch: SessionEntry[], tool: string): StoredOutcome[] {
  return branch.flatMap((entry) => {
    const outcome = findOutcome(entry, tool);
    return outcome ? [outcome] : [];
  });
}

/** The outcome that an entry stores, if it does. */
function findOutcome(entry: SessionEntry, tool: string): StoredOutcome | undefined {
  if (entry.type === "custom_message") return entry.customType === tool ? (entry.details as StoredOutcome) : undefined;
  if (entry.type !== "message" || entry.message.role !== "toolResult" || entry.message.isError) return undefined;
  const isOurs = entry.message.toolName === tool || entry.message.toolName === "answer_pending_questions";
  return isOurs ? (entry.message.details as StoredOutcome | undefined) : undefined;
}

/** The last call of a branch if it has no result. */
export function interruptedCall(branch: SessionEntry[], tool: string): Interrupted | undefined {
  const done = new Set<string>();
  for (const entry of branch.toReversed()) {
    if (entry.type === "custom_message") {
      const id = findOutcome(entry, tool)?.toolCallId;
      if (id) done.add(id);
    }
    if (entry.type !== "message") continue;
    const message = entry.message;
    if (message.role === "toolResult") done.add(message.toolCallId);
    if (message.role === "user") return undefined;
    if (message.role !== "assistant") continue;
    if (message.stopReason === "aborted" || message.stopReason === "error") return undefined;
    for (const block of message.content) {
      if (block.type !== "toolCall" || block.name !== tool || done.has(block.id)) continue;
      return { toolCallId: block.id, call: block.arguments as unknown as Call };
    }
    return undefined;
  }
  return undefined;
}

/** The call whose pending file has this id, if it was made on this branch. */
export function pendingCall(branch: SessionEntry[], tool: string, id: string): Call | undefined {
  const found = outcomes(branch, tool).find((one) => one.askId === id && one.pendingFile);
  return found && callOf(found);
}

/** The call that an outcome belongs to. */
export function callOf(outcome: Details): Call {
  return { questions: outcome.questions, ...(outcome.metadata && { metadata: outcome.metadata }) };
}

/** The paragraphs that a summary of everything before an entry must contain, one for each ask. */
export function summaries(branch: SessionEntry[], firstKeptId: string, tool: string): string[] {
  const end = branch.findIndex((entry) => entry.id === firstKeptId);
  const before = end === -1 ? branch : branch.slice(0, end);
  return outcomes(before, tool).flatMap(({ summary }) => (summary ? [summary] : []));
}

/**
 * Moves outcomes that arrived after an interruption to where the agent expects them: after their call, as its result.
 * The ids of calls may repeat in a conversation, so an outcome belongs to the last call before it.
 */
export function withResults(messages: Message[], tool: string): Message[] {
  const lastCall = new Map<string, Message>();
  const results = new Map<Message, Message[]>();
  const rest = messages.filter((message) => {
    if (message.role === "assistant") {
      for (const block of message.content) if (block.type === "toolCall") lastCall.set(block.id, message);
    }
    if (message.role !== "custom" || message.customType !== tool) return true;
    const id = (message.details as StoredOutcome | undefined)?.toolCallId;
    const call = id === undefined ? undefined : lastCall.get(id);
    if (id === undefined || !call) return true;
    results.set(call, [...(results.get(call) ?? []), toToolResult(id, tool, message)]);
    return false;
  });
  return rest.flatMap((message) => [message, ...(results.get(message) ?? [])]);
}

/** An outcome that was delivered later, as the result of its call. */
function toToolResult(toolCallId: string, toolName: string, message: Message): Message {
  const content = message.role === "custom" && typeof message.content === "string" ? message.content : "";
  const text = content.slice(content.indexOf("\n") + 1);
  return { role: "toolResult", toolCallId, toolName, content: [{ type: "text", text }], isError: false, timestamp: message.timestamp } as Message;
}
