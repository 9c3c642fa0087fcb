// The review of all answers before they are sent, and the notice that is shown for a closed ask.
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { AnswerView, answersAsText, sentDraft, visible } from "./answers.tsx";
import { answeredVia, groupOf, headline, sortedAsks, askerName } from "../state/asks.ts";
import type { AskForm } from "../state/ask_form.ts";
import { takeBack } from "../state/send_queue.ts";
import { unanswered, isGiven, isTouched, sameDraft, listAlternatives } from "../state/form.ts";
import { Field, copyText } from "./basics.tsx";
import { AlternativeOffer, trackFocus } from "./question.tsx";
import { hubNow, isSecure, useStore } from "../state/store.ts";
import { formatTime } from "../lib/time.ts";
import { useWide } from "../lib/window_width.ts";
import { translate } from "../lib/i18n.ts";

export function Review({ form, to }: { form: AskForm; to: (step: number) => void }): JSX.Element {
  const { ask, draft } = form;
  const missing = unanswered(ask, draft);
  return (
    <section class="review" aria-labelledby="review-head">
      <h2 id="review-head" tabIndex={-1}>{translate("review-head")}</h2>
      {missing.length > 0 && <p class="notice warn">{translate("gaps", { count: missing.length })}</p>}
      <ol class="rows">
        {ask.questions.map((_, at) => (
          <li>
            <AnswerView ask={ask} at={at} answer={draft.answers[at]} />
            {form.mistakes.get(at) && <p class="mistake">{form.mistakes.get(at)}</p>}
            <button class="quiet" onClick={() => to(at)}>
              {translate(isGiven(draft.answers[at] ?? {}) ? "change" : "go-to-question")}<span class="vh"> {at + 1}</span>
            </button>
          </li>
        ))}
      </ol>
      <AlternativeOffer form={form} at={ask.questions.length} />
      <Field id="note-for-all" label={translate("note-for-all")} value={form.values.note} onInput={(note) => form.changeNote(note)} {...trackFocus(form, ask.questions.length)} />
    </section>
  );
}

/** The notice about a closed ask: sent from here, or closed elsewhere with what was typed here meanwhile. */
export function ResolvedNotice({ form }: { form: AskForm }): JSX.Element {
  const { ask, sent, draft } = form;
  const wide = CHAT ? false : useWide();
  const head = useRef<HTMLHeadingElement>(null);
  const next = CHAT ? undefined : useStore((state) => sortedAsks(state.asks).find((other) => groupOf(other) === "waiting" && other.askId !== ask.askId));
  // The focus stays where it is if the person is busy in another part of the page.
  useEffect(() => {
    if (document.activeElement === document.body) head.current?.focus();
  }, []);
  const state = ask.state === "waiting" ? "answered" : ask.state;
  const answered = sent && state === "answered";
  const differs = answered ? !CHAT && form.changedAfterSend : isTouched(draft) && !sameDraft(draft, sentDraft(ask));
  // A draft from elsewhere may have replaced own words.
  const offered = CHAT ? [] : [...form.alternatives.values()].flatMap(listAlternatives).flatMap(({ own, answer }) => (own ? [answer.own ?? "", answer.note ?? ""] : []));
  // Words that were sent, though their reply was lost, are no draft.
  const sentWords = ["", ask.outcome?.clarify, ask.outcome?.reason];
  const texts = sent ? [] : [...form.unsentTexts, ...offered].filter((text) => !sentWords.includes(text.trim()));
  const at = ask.answeredAt ? formatTime(ask.answeredAt, hubNow()) : "";
  return (
    <article class="card resolved">
      {!CHAT && !wide && <p><a class="back" href="/">‹ {translate("inbox")}</a></p>}
      <h1 ref={head} tabIndex={-1}>{sent ? translate(`sent-${state}`, { who: askerName(ask) }) : translate(`closed-${state}`, { by: answeredVia(ask), at })}</h1>
      <p class="muted"><bdi>{headline(ask)}</bdi></p>
      {answered && <p class={ask.delivered ? "muted" : "warn"}>{translate(ask.delivered ? "told" : "not-told")}</p>}
      {(differs || texts.length > 0) && <p class="notice">{translate(!CHAT && answered ? "changed-since" : "nothing-sent")}</p>}
      {ask.outcome?.clarify && <p class="quoted">{visible(ask.outcome.clarify)}</p>}
      {ask.outcome?.reason && <p class="quoted">{visible(ask.outcome.reason)}</p>}
      {ask.state === "answered" && (
        <section aria-label={translate("what-was-answered")}>
          <h2>{translate("what-was-answered")}</h2>
          <Answers form={form} mine={false} />
        </section>
      )}
      {(differs || texts.length > 0) && (
        <section aria-label={translate("your-draft")} class="draft">
          <h2>{translate("your-draft")}</h2>
          {!CHAT && differs && form.closedFilledInBelow && <p class="notice warn">{translate("filled-in-by", { agent: form.closedFilledInBelow })}</p>}
          {differs && <Answers form={form} mine />}
          {texts.map((text) => <p class="quoted">{text}</p>)}
          {!CHAT && isSecure && <button onClick={() => void copyText([...(differs ? [answersAsText(ask, draft)] : []), ...texts].join("\n\n"))}>{translate("copy-draft")}</button>}
        </section>
      )}
      {!CHAT && <footer class="bar">
        {(ask.heldUntil || groupOf(ask) === "kept") && <button onClick={() => void takeBack(form)}>{translate("undo")}</button>}
        {next
          ? <a class="button primary" href={`/a/${next.askId}`}><span class="cut">{translate("next-ask", { what: headline(next) })}</span></a>
          : <a class="button primary" href="/">{translate("to-inbox")}</a>}
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
      {note && <li class="note">{translate("note-is", { note: visible(note) })}</li>}
    </ol>
  );
}
