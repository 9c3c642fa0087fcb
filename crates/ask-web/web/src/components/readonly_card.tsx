// One ask on a device that may look and nothing else: all of it to read, and nothing to fill in.
import type { JSX } from "preact";
import { AnswerView, sentDraft } from "./answers.tsx";
import { answerable, by, headline, who } from "../state/asks.ts";
import { Context, Markdown } from "./markdown.tsx";
import { Ago, Countdown, WhoAsksFully } from "./basics.tsx";
import { now } from "../state/store.ts";
import { clock } from "../lib/time.ts";
import type { Ask, Question, ShownQuestion } from "../lib/types.ts";
import { useWide } from "../lib/window_width.ts";
import { say } from "../lib/i18n.ts";

export function SeenCard({ ask }: { ask: Ask }): JSX.Element {
  const wide = useWide();
  const open = answerable(ask);
  const at = ask.answeredAt ? clock(ask.answeredAt, now()) : "";
  const { answers, note } = sentDraft(ask);
  return (
    <article class="card seen" aria-labelledby="card-title">
      <header class="card-head">
        {!wide && <p><a class="back" href="/">‹ {say("inbox")}</a></p>}
        <h1 id="card-title" tabIndex={-1}><bdi>{ask.title ? headline(ask) : say("asks", { who: who(ask) })}</bdi></h1>
        <WhoAsksFully ask={ask} />
        <p class="muted row wrap"><Ago at={ask.askedAt} says="asked-ago" /><Countdown ask={ask} /></p>
      </header>
      <p class="notice">{open ? say("pair-only-sees") : say(`closed-${ask.state === "waiting" ? "answered" : ask.state}`, { by: by(ask), at })}</p>
      {ask.shown.context && <Context doc={ask.shown.context} open />}
      <ol class="rows">
        {ask.questions.map((question, n) => (
          <li key={question.questionId}>
            {ask.state === "answered" ? <AnswerView ask={ask} at={n} answer={answers[n]} /> : <Asked question={question} shown={ask.shown.questions?.[n]} />}
          </li>
        ))}
        {note && <li class="note">{say("note-is", { note })}</li>}
      </ol>
      {ask.outcome?.clarify && <p class="said">{ask.outcome.clarify}</p>}
      {ask.outcome?.reason && <p class="said">{ask.outcome.reason}</p>}
    </article>
  );
}

/** What is asked, with its choices. */
function Asked({ question, shown }: { question: Question; shown: ShownQuestion | undefined }): JSX.Element {
  return (
    <>
      <div class="asked"><Markdown doc={shown?.text} /></div>
      {!question.required && <p class="muted">{say("optional")}</p>}
      {shown && shown.choices.length > 0 && (
        <ul class="stack offered">
          {shown.choices.map((choice) => (
            <li>
              <p><b><bdi>{choice.label}</bdi></b>{choice.recommended && <> <span class="badge ok">{say("recommended")}</span></>}</p>
              {choice.description && <div class="muted"><Markdown doc={choice.description} /></div>}
              {choice.preview && <details><summary>{say("see-preview")}<span class="vh"> {choice.label}</span></summary><Markdown doc={choice.preview} /></details>}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
