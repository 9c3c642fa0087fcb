// All answers once more before they are sent, and what is said when there is nothing left to send.
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { AnswerView, asText, sentDraft } from "./answers.tsx";
import { by, group, headline, inOrder, who } from "../state/asks.ts";
import type { AskForm } from "../state/ask_form.ts";
import { unanswered, isGiven, isTouched, sameDraft, listAlternatives } from "../state/form.ts";
import { Field, copy } from "./basics.tsx";
import { Elsewhere, typing } from "./question.tsx";
import { now, secure, useStore } from "../state/store.ts";
import { clock } from "../lib/time.ts";
import { useWide } from "../lib/window_width.ts";
import { say } from "../lib/i18n.ts";

export function Review({ form, to }: { form: AskForm; to: (step: number) => void }): JSX.Element {
  const { ask, draft } = form;
  const missing = unanswered(ask, draft);
  return (
    <section class="review" aria-labelledby="review-head">
      <h2 id="review-head" tabIndex={-1}>{say("review-head")}</h2>
      {missing.length > 0 && <p class="notice warn">{say("gaps", { count: missing.length })}</p>}
      <ol class="rows">
        {ask.questions.map((_, at) => (
          <li>
            <AnswerView ask={ask} at={at} answer={draft.answers[at]} />
            {form.mistakes.get(at) && <p class="mistake">{form.mistakes.get(at)}</p>}
            <button class="quiet" onClick={() => to(at)}>
              {say(isGiven(draft.answers[at] ?? {}) ? "change" : "go-to-question")}<span class="vh"> {at + 1}</span>
            </button>
          </li>
        ))}
      </ol>
      <Elsewhere form={form} at={ask.questions.length} />
      <Field id="note-for-all" label={say("note-for-all")} value={form.values.note} onInput={(note) => form.changeNote(note)} {...typing(form, ask.questions.length)} />
    </section>
  );
}

/** The ask is over: sent from here, or closed elsewhere, with whatever was typed here meanwhile. */
export function ResolvedNotice({ form }: { form: AskForm }): JSX.Element {
  const { ask, sent, draft } = form;
  const wide = CHAT ? false : useWide();
  const head = useRef<HTMLHeadingElement>(null);
  const next = CHAT ? undefined : useStore((state) => inOrder(state.asks).find((other) => group(other) === "waiting" && other.askId !== ask.askId));
  // Whoever is busy in another part of the page stays there.
  useEffect(() => {
    if (document.activeElement === document.body) head.current?.focus();
  }, []);
  const how = ask.state === "waiting" ? "answered" : ask.state;
  const answered = sent && how === "answered";
  const differs = answered ? !CHAT && form.changedAfterSend : isTouched(draft) && !sameDraft(draft, sentDraft(ask));
  // What came from elsewhere may have taken the place of own words.
  const offered = CHAT ? [] : [...form.alternatives.values()].flatMap(listAlternatives).flatMap(({ own, answer }) => (own ? [answer.own ?? "", answer.note ?? ""] : []));
  const words = sent ? [] : CHAT ? form.unsentTexts : [...form.unsentTexts, ...offered.filter(Boolean)];
  const at = ask.answeredAt ? clock(ask.answeredAt, now()) : "";
  return (
    <article class="card resolved">
      {!CHAT && !wide && <p><a class="back" href="/">‹ {say("inbox")}</a></p>}
      <h1 ref={head} tabIndex={-1}>{sent ? say(`sent-${how}`, { who: who(ask) }) : say(`closed-${how}`, { by: by(ask), at })}</h1>
      <p class="muted"><bdi>{headline(ask)}</bdi></p>
      {answered && <p class={ask.delivered ? "muted" : "warn"}>{say(ask.delivered ? "told" : "not-told")}</p>}
      {(differs || words.length > 0) && <p class="notice">{say(!CHAT && answered ? "changed-since" : "nothing-sent")}</p>}
      {ask.outcome?.clarify && <p class="said">{ask.outcome.clarify}</p>}
      {ask.outcome?.reason && <p class="said">{ask.outcome.reason}</p>}
      {ask.state === "answered" && (
        <section aria-label={say("what-was-answered")}>
          <h2>{say("what-was-answered")}</h2>
          <Answers form={form} mine={false} />
        </section>
      )}
      {(differs || words.length > 0) && (
        <section aria-label={say("your-draft")} class="draft">
          <h2>{say("your-draft")}</h2>
          {differs && <Answers form={form} mine />}
          {words.map((text) => <p class="said">{text}</p>)}
          {!CHAT && secure && <button onClick={() => void copy([...(differs ? [asText(ask, draft)] : []), ...words].join("\n\n"))}>{say("copy-draft")}</button>}
        </section>
      )}
      {!CHAT && <footer class="bar">
        {next
          ? <a class="button primary" href={`/a/${next.askId}`}><span class="cut">{say("next-ask", { what: headline(next) })}</span></a>
          : <a class="button primary" href="/">{say("to-inbox")}</a>}
      </footer>}
    </article>
  );
}

function Answers({ form: { ask, draft }, mine }: { form: AskForm; mine: boolean }): JSX.Element {
  const { answers, note } = mine ? draft : sentDraft(ask);
  return (
    <ol class="rows">
      {ask.questions.map((_, at) => (
        <li>
          <AnswerView ask={ask} at={at} answer={answers[at]} />
        </li>
      ))}
      {note && <li class="note">{say("note-is", { note })}</li>}
    </ol>
  );
}
