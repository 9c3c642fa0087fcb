// Answers as people read them: in the review, in a notice, in the history.
import type { JSX } from "preact";
import { FileList } from "./attachments.tsx";
import { headline, labels, shortName } from "../state/asks.ts";
import { isGiven } from "../state/form.ts";
import { Markdown } from "./markdown.tsx";
import type { Answer, Ask, Draft } from "../lib/types.ts";
import { say } from "../lib/i18n.ts";

/** What an answer says, one line each. */
function lines(ask: Ask, at: number, answer: Answer): string[] {
  const names = labels(ask, at);
  const picked = (answer.picks ?? []).map((pick) => names[pick] ?? "");
  const own = answer.own?.trim();
  return [...picked, ...(answer.none && !own && !picked.length ? [say("none-of-these")] : []), ...(own ? [own] : [])];
}

/** What the person said, as the draft that it was sent as. */
export function sentDraft(ask: Ask): Draft {
  const answers = ask.questions.map((question): Answer => {
    const given = ask.outcome?.answers.find((one) => one.questionId === question.questionId);
    if (!given) return {};
    const labels = question.type === "confirm" ? ["yes", "no"] : (question.options ?? []).map((choice) => choice.label);
    const out: Answer = {};
    const picks = given.values.map((value) => labels.indexOf(value)).filter((pick) => pick >= 0);
    if (picks.length) out.picks = picks;
    const own = question.type === "text" ? given.values[0] : given.customText;
    if (own) out.own = own;
    if (given.note) out.note = given.note;
    if (given.attachments?.length) out.attachments = given.attachments;
    if (given.status === "answered" && !isGiven(out)) out.none = true;
    return out;
  });
  return ask.outcome?.note ? { answers, note: ask.outcome.note } : { answers };
}

/** What was asked, and the answer below. */
export function AnswerView({ ask, at, answer = {} }: { ask: Ask; at: number; answer: Answer | undefined }): JSX.Element {
  const required = ask.questions[at]?.required;
  return (
    <>
      <div class="asked"><Markdown doc={ask.shown.questions?.[at]?.text} /></div>
      <div class="answer">
      {lines(ask, at, answer).map((line) => <p class="said"><bdi>{line}</bdi></p>)}
      {!isGiven(answer) && <p class={required ? "mistake" : "muted"}>{say(required ? "not-answered" : "not-answered-optional")}</p>}
      {answer.note && <p class="muted note">{say("note-is", { note: answer.note })}</p>}
      <FileList files={answer.attachments ?? []} />
    </div>
    </>
  );
}

/** The answers as text to copy. */
export function asText(ask: Ask, draft: Draft): string {
  const parts = ask.questions.map((_, at) => {
    const answer = draft.answers[at] ?? {};
    const said = lines(ask, at, answer);
    const files = (answer.attachments ?? []).map((file) => `[${file.name}]`);
    const note = answer.note ? [say("note-is", { note: answer.note })] : [];
    return [`## ${shortName(ask, at)}`, ...(said.length ? said : [say("not-answered")]), ...files, ...note].join("\n\n");
  });
  return [`# ${headline(ask)}`, ...parts, ...(draft.note ? [say("note-is", { note: draft.note })] : [])].join("\n\n");
}
