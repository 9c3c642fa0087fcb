// Shows answers: in the review, in the notice about a closed ask, and in the history.
import type { JSX } from "preact";
import { FileList } from "./attachments.tsx";
import { headline, choiceLabels, shortName } from "../state/asks.ts";
import { isGiven } from "../state/form.ts";
import { Markdown } from "./markdown.tsx";
import type { Answer, Ask, Draft } from "../lib/types.ts";
import { translate } from "../lib/i18n.ts";

const INVISIBLE = /(?![\n\t\u200c\u200d\ufe00-\ufe0f\u{e0100}-\u{e01ef}])[\p{Cc}\p{Bidi_C}\p{DI}\ufff9-\ufffb]/gu;

/** A text without direction marks and invisible characters: a program may have answered in the person's place. */
export const visible = (text: string): string => text.replace(/[\u2028\u2029]/g, "\n").replace(INVISIBLE, "");

/** The picks and own words of an answer, one line each. */
function answerLines(ask: Ask, at: number, answer: Answer): string[] {
  const names = choiceLabels(ask, at);
  const picked = (answer.picks ?? []).map((pick) => names[pick] ?? "");
  const own = answer.own?.trim();
  return [...picked, ...(answer.none && !own && !picked.length ? [translate("none-of-these")] : []), ...(own ? [own] : [])];
}

/** The answers on one line. */
export const answersInShort = (ask: Ask, { answers }: Draft): string => ask.questions.flatMap((_, at) => answerLines(ask, at, answers[at] ?? {})).map(visible).join(" · ");

/** The outcome's answers as the draft that they were sent as. */
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

/** A question with its answer below. */
export function AnswerView({ ask, at, answer = {} }: { ask: Ask; at: number; answer: Answer | undefined }): JSX.Element {
  const required = ask.questions[at]?.required;
  return (
    <>
      <div class="question-text"><Markdown doc={ask.shown.questions?.[at]?.text} /></div>
      <div class="answer">
      {answerLines(ask, at, answer).map((line) => <p class="quoted"><bdi>{visible(line)}</bdi></p>)}
      {!isGiven(answer) && <p class={required ? "mistake" : "muted"}>{translate(required ? "not-answered" : "not-answered-optional")}</p>}
      {answer.note && <p class="muted note">{translate("note-is", { note: visible(answer.note) })}</p>}
      <FileList files={answer.attachments ?? []} />
    </div>
    </>
  );
}

/** The answers as text to copy. */
export function answersAsText(ask: Ask, draft: Draft): string {
  const parts = ask.questions.map((_, at) => {
    const answer = draft.answers[at] ?? {};
    const given = answerLines(ask, at, answer);
    const files = (answer.attachments ?? []).map((file) => `[${file.name}]`);
    const note = answer.note ? [translate("note-is", { note: answer.note })] : [];
    return [`## ${shortName(ask, at)}`, ...(given.length ? given : [translate("not-answered")]), ...files, ...note].join("\n\n");
  });
  return [`# ${headline(ask)}`, ...parts, ...(draft.note ? [translate("note-is", { note: draft.note })] : [])].join("\n\n");
}
