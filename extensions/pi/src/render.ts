/** Renders calls and answers in pi's transcript. */
import type { AgentToolResult, Theme } from "@earendil-works/pi-coding-agent";
import { Text } from "@earendil-works/pi-tui";
import type { Answer, Call, Details } from "./ask.ts";
import { plain, plainLines } from "./safe.ts";

function answerText(answer: Answer): string {
  const text = Array.isArray(answer.answer) ? answer.answer.join(", ") : answer.answer;
  return plain(text ?? "") || "no answer";
}

/** Why a call has no answer; undefined if it was answered. */
export function unansweredReason(details: Details): string | undefined {
  if (details.answered) return undefined;
  if (details.cancelled) return "Cancelled";
  if (details.connectionLost) return "The client disconnected before an answer";
  if (details.pendingFile) return `Questions saved to ${details.pendingFile}`;
  if (details.clarify !== undefined) return `Asked back: ${plain(details.clarify)}`;
  return "Not answered yet";
}

export function renderCall(call: Partial<Call>, theme: Theme): Text {
  // The call may be incomplete while it is streamed.
  const questions = Array.isArray(call.questions) ? call.questions : [];
  const titles = questions.map((one) => plain(String(one?.header ?? one?.question ?? ""))).filter(Boolean);
  const count = questions.length === 1 ? "1 question" : `${questions.length} questions`;
  const head = theme.fg("toolTitle", theme.bold("ask_user ")) + theme.fg("muted", count);
  return new Text(titles.length ? `${head}${theme.fg("dim", ` (${titles.join(" · ")})`)}` : head, 0, 0);
}

export function renderResult(result: AgentToolResult<unknown>, theme: Theme): Text {
  const details = result.details as Details | undefined;
  if (!details?.questions) {
    const first = result.content[0];
    return new Text(theme.fg("error", plainLines(first?.type === "text" ? first.text : "")), 0, 0);
  }
  return new Text(transcript(details, theme), 0, 0);
}

/** The answers of a call as lines, or why it has none. */
export function transcript(details: Details, theme: Theme): string {
  const reason = unansweredReason(details);
  if (reason) return theme.fg("warning", reason);
  const line = (answer: Answer) => {
    const own = answer.wasCustom ? theme.fg("muted", " (own words)") : "";
    return `${theme.fg("success", "✓ ")}${plain(answer.question)} ${theme.fg("accent", answerText(answer))}${own}`;
  };
  const agent = details.answeredFrom?.belowAgent;
  const doubt = agent ? [theme.fg("warning", `Answered by a program below ${plain(agent)}, perhaps by the agent itself`)] : [];
  return [...details.answers.map(line), ...doubt].join("\n");
}
