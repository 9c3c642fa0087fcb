// One ask on a device that may only read: all of it is shown, and nothing can be filled in.
import type { JSX } from "preact";
import { AnswerView, sentDraft, visible } from "./answers.tsx";
import { isAnswerable, answeredVia, headline, askerName } from "../state/asks.ts";
import { Context, Markdown } from "./markdown.tsx";
import { Ago, Countdown, WhoAsksFully } from "./basics.tsx";
import { hubNow } from "../state/store.ts";
import { formatTime } from "../lib/time.ts";
import type { Ask, Question, ShownQuestion } from "../lib/types.ts";
import { useWide } from "../lib/window_width.ts";
import { translate } from "../lib/i18n.ts";

export function ReadonlyCard({ ask }: { ask: Ask }): JSX.Element {
  const wide = useWide();
  const open = isAnswerable(ask);
  const at = ask.answeredAt ? formatTime(ask.answeredAt, hubNow()) : "";
  const { answers, note } = sentDraft(ask);
  return (
    <article class="card readonly" aria-labelledby="card-title">
      <header class="card-head">
        {!wide && <p><a class="back" href="/">‹ {translate("inbox")}</a></p>}
        <h1 id="card-title" tabIndex={-1}><bdi>{ask.title ? headline(ask) : translate("asks", { who: askerName(ask) })}</bdi></h1>
        <WhoAsksFully ask={ask} />
        <p class="muted row wrap"><Ago at={ask.askedAt} says="asked-ago" /><Countdown ask={ask} /></p>
      </header>
      <p class="notice">{open ? translate("pair-only-sees") : translate(`closed-${ask.state === "waiting" ? "answered" : ask.state}`, { by: answeredVia(ask), at })}</p>
      {ask.shown.context && <Context doc={ask.shown.context} open />}
      <ol class="rows">
        {ask.questions.map((question, n) => (
          <li key={question.questionId}>
            {ask.state === "answered" ? <AnswerView ask={ask} at={n} answer={answers[n]} /> : <ReadonlyQuestion question={question} shown={ask.shown.questions?.[n]} />}
          </li>
        ))}
        {note && <li class="note">{translate("note-is", { note: visible(note) })}</li>}
      </ol>
      {ask.outcome?.clarify && <p class="quoted">{visible(ask.outcome.clarify)}</p>}
      {ask.outcome?.reason && <p class="quoted">{visible(ask.outcome.reason)}</p>}
    </article>
  );
}

/** A question with its choices. */
function ReadonlyQuestion({ question, shown }: { question: Question; shown: ShownQuestion | undefined }): JSX.Element {
  return (
    <>
      <div class="question-text"><Markdown doc={shown?.text} /></div>
      {!question.required && <p class="muted">{translate("optional")}</p>}
      {shown && shown.choices.length > 0 && (
        <ul class="stack offered">
          {shown.choices.map((choice) => (
            <li>
              <p><b><bdi>{choice.label}</bdi></b>{choice.recommended && <> <span class="badge ok">{translate("recommended")}</span></>}</p>
              {choice.description && <div class="muted"><Markdown doc={choice.description} /></div>}
              {choice.preview && <details><summary>{translate("see-preview")}<span class="vh"> {choice.label}</span></summary><Markdown doc={choice.preview} /></details>}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
