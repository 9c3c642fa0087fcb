// The card of one ask: who asks and what, one question after another, the review, and the buttons to send or decline.
import type { ComponentChildren, JSX } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { postAction } from "../lib/api.ts";
import { headline, isLate, answerKind, shortName, askerName } from "../state/asks.ts";
import { answersInShort } from "./answers.tsx";
import { attach } from "./attachments.tsx";
import { type CardDialog, AskDialog, extend, perform } from "./dialogs.tsx";
import type { AskForm } from "../state/ask_form.ts";
import { save } from "../state/draft_sync.ts";
import { send as sendAnswer, unqueueSend } from "../state/send_queue.ts";
import { focusWhenShown } from "../lib/focus.ts";
import { fillable, unanswered, isGiven } from "../state/form.ts";
import { onKeys } from "../state/card_keys.ts";
import { Context } from "./markdown.tsx";
import { Ago, Countdown, WhoAsksFully } from "./basics.tsx";
import { QuestionView } from "./question.tsx";
import { Review } from "./review.tsx";
import { hubNow, useStore } from "../state/store.ts";
import { formatTime } from "../lib/time.ts";
import { useWide } from "../lib/window_width.ts";
import { translate } from "../lib/i18n.ts";
import type { EarlierAnswer as EarlierAnswerForm } from "../lib/types.ts";

export function AskCard({ form }: { form: AskForm }): JSX.Element {
  const { ask, step } = form;
  // A card in a chat is always narrow.
  const wide = CHAT ? false : useWide();
  const [dialog, setDialog] = useState<CardDialog>();
  const queued = CHAT ? false : useStore((state) => state.queued.has(ask.askId));
  const card = useRef<HTMLElement>(null);
  const count = ask.questions.length;
  const reviewing = count > 1 && step === count;
  const agent = form.filledInBelow;

  useEffect(() => {
    const reportShown = () => document.visibilityState === "visible" && void postAction(ask.askId, "shown", {}).catch(() => undefined);
    reportShown();
    if (agent) form.holdBack();
    return () => void save(form);
  }, [ask.askId]);

  const to = (next: number) => {
    form.step = Math.max(0, Math.min(next, count > 1 ? count : 0));
    void save(form);
    form.notify();
    // Below a long context, too, the question is shown whole, or from its start.
    requestAnimationFrame(() => card.current?.querySelector(".question, .review")?.scrollIntoView({ block: "nearest" }));
    // The heading gets the focus only if nothing else got it before: a quick key may already have moved on.
    focusWhenShown(".question h2", ".review h2");
  };
  const send = (leaveGaps: boolean) => {
    if (performance.now() < form.unseenUntil) return;
    const missing = unanswered(ask, form.draft);
    if (missing.length && !(leaveGaps && form.draft.answers.some(isGiven))) {
      form.mistakes = new Map(missing.map((at) => [at, translate("needs-answer")]));
      form.problem = count > 1 ? "" : translate("needs-answer-or-decline");
      form.notify();
      return requestAnimationFrame(() => card.current?.querySelector<HTMLElement>("[aria-invalid], .question input, .review a")?.focus());
    }
    return void sendAnswer(form, leaveGaps);
  };
  const submit = () => (form.sending || queued ? undefined : count === 1 ? send(false) : reviewing ? send(true) : to(step + 1));
  useLayoutEffect(() => onKeys({ form, to, submit, openDialog: setDialog }));

  const late = isLate(ask);
  const sendLabel = translate(late ? "keep-late" : "send");
  const extra = <TimeActions form={form} onOpen={setDialog} />;
  return (
    <article
      ref={card} class="card" aria-labelledby="card-title"
      onPaste={CHAT ? undefined : (event) => {
        const files = [...(event.clipboardData?.files ?? [])];
        if (!files.length || reviewing) return;
        event.preventDefault();
        void attach(form, step, files);
      }}
      onDrop={CHAT ? undefined : (event) => reviewing || void attach(form, step, event.dataTransfer?.files ?? [])}
    >
      <header class="card-head">
        {!wide && (
          <div class="row">
            {!CHAT && <a class="back" href="/">‹ {translate("inbox")}</a>}
            <details class="menu"><summary aria-label={translate("more")}>⋯</summary><div class="stack" onClick={(event) => closeMenu(event.currentTarget.closest("details"))}>{extra}<OtherActions onOpen={setDialog} /></div></details>
          </div>
        )}
        <h1 id="card-title" tabIndex={-1}><bdi>{ask.title ? headline(ask) : translate("asks", { who: askerName(ask) })}</bdi></h1>
        <WhoAsksFully ask={ask} />
        <p class="muted row wrap">
          <Ago at={ask.askedAt} says="asked-ago" />
          {count > 1 && <span>{answerKind(ask)}</span>}
          <AskStatus form={form} />
          <Countdown ask={ask} />
          {wide && <span class="row push">{extra}</span>}
        </p>
      </header>
      {ask.shown.context && <Context doc={ask.shown.context} open />}
      {ask.earlierAnswer && <EarlierAnswer form={form} earlier={ask.earlierAnswer} to={to} />}
      {count > 1 && <Steps form={form} to={to} />}
      {reviewing ? <Review form={form} to={to} /> : <QuestionView key={`${ask.askId} ${step}`} form={form} at={step} />}
      {!CHAT && queued && (
        <p class="notice warn">
          {translate("queued-says")} <button class="quiet" onClick={() => void unqueueSend(ask.askId)}>{translate("take-back")}</button>
        </p>
      )}
      {form.problem && <p class="mistake" role="alert">{form.problem}</p>}
      <footer class="bar">
        {agent && <p class="notice warn" role="alert">{translate("filled-in-below", { agent })}</p>}
        {wide && <OtherActions onOpen={setDialog} />}
        <span class="muted small saved">{form.onlyHere ? translate(!CHAT && form.isStored ? "saved-here" : "chat-unsaved") : form.savedAt ? translate("saved-at", { at: formatTime(form.savedAt, hubNow()) }) : ""}</span>
        {count > 1 && step > 0 && <button onClick={() => to(step - 1)}>{translate("back")}</button>}
        {count > 1 && !reviewing && <button key="next" class="primary" onClick={() => to(step + 1)}>{translate(step === count - 1 ? "review" : "next")}</button>}
        {(count === 1 || reviewing) && (
          <button key="send" class="primary" aria-disabled={form.sending || queued || (agent && performance.now() < form.unseenUntil) || undefined} onClick={submit}>
            {form.sending ? translate("sending") : !CHAT && queued ? translate("send-when-connected") : reviewing ? reviewLabel(form, late) : sendLabel}
          </button>
        )}
      </footer>
      {dialog && <AskDialog form={form} kind={dialog} onClose={() => setDialog(undefined)} />}
    </article>
  );
}

/** Offers what the person answered when the same was asked shortly before. Nothing of it is in the form until they take it. */
function EarlierAnswer({ form, earlier, to }: { form: AskForm; earlier: EarlierAnswerForm; to: (step: number) => void }): ComponentChildren {
  const { ask, values } = form;
  const empty = fillable(ask, values, earlier);
  const fillIn = () => {
    empty.forEach((filled) => form.change(...filled));
    form.changeNote(values.note || earlier.note || "");
    // The button goes: the focus moves to the review, or to the only question.
    to(ask.questions.length);
  };
  // A long answer is cut.
  const answer = answersInShort(ask, earlier).replace(/(.{80}).+/su, "$1…");
  return empty[0] && (
    <p class="notice">
      <Ago at={earlier.answeredAt} says="earlier-answer" /> <bdi>{answer}</bdi> <button class="quiet" onClick={fillIn}>{translate("fill-in")}</button>
    </p>
  );
}

/** Closes the menu and focuses its button. */
function closeMenu(menu: HTMLDetailsElement | null): void {
  menu?.querySelector("summary")?.focus();
  menu?.removeAttribute("open");
}

function reviewLabel(form: AskForm, late: boolean): string {
  const count = form.draft.answers.filter(isGiven).length;
  if (late || !count) return translate(late ? "keep-late" : "send");
  return translate(unanswered(form.ask, form.draft).length ? "send-anyway" : "send-answers", { count });
}

/** The ask's status as text. */
function AskStatus({ form }: { form: AskForm }): JSX.Element {
  const { ask } = form;
  const { snoozedUntil: until } = ask;
  const text = ask.state === "expired" ? translate("stands-expired") : isLate(ask) ? translate("stands-left") : translate("stands-waits");
  return (
    <>
      <span class={isLate(ask) ? "warn" : ""}>{text}</span>
      {until && <span class="warn">{until === "asked-again" ? translate("back-when-asked") : translate("back-at", { at: formatTime(until, hubNow()) })}</span>}
      {ask.askedAgainAt && <span class="warn">{translate("asked-again")}</span>}
      {ask.inClient && !CHAT && <span>{translate(ask.inClient === "dialog" ? "in-dialog" : "in-client")}</span>}
    </>
  );
}

function TimeActions({ form, onOpen }: { form: AskForm; onOpen: (dialog: CardDialog) => void }): JSX.Element {
  const { ask } = form;
  if (ask.state !== "waiting") return <></>;
  return (
    <>
      {ask.deadlineAt && <button onClick={() => void extend(form)}>{translate("more-time")}</button>}
      {!CHAT && (ask.snoozedUntil
        ? <button onClick={() => void perform(form, "snooze", { until: null }, translate("back-again"))}>{translate("wake")}</button>
        : <button onClick={() => onOpen("snooze")}>{translate("snooze")}</button>)}
    </>
  );
}

function OtherActions({ onOpen }: { onOpen: (dialog: CardDialog) => void }): JSX.Element {
  return (
    <>
      <button onClick={() => onOpen("ask-back")}>{translate("ask-back")}</button>
      <button onClick={() => onOpen("decline")}>{translate("decline")}</button>
    </>
  );
}

/** One step for each question, and one for the review. */
function Steps({ form, to }: { form: AskForm; to: (step: number) => void }): JSX.Element {
  const { ask, step } = form;
  const { answers } = form.draft;
  const list = useRef<HTMLOListElement>(null);
  // In a narrow window only the steps scroll sideways. The current or focused one is kept in sight.
  const show = (step: HTMLElement | null | undefined) => step && list.current?.scrollTo(step.offsetLeft - 60, 0);
  useLayoutEffect(() => void show(list.current?.querySelector<HTMLElement>("[aria-current]")), [step]);
  return (
    <nav class="steps" aria-label={translate("questions-nav")}>
      <ol ref={list} onFocusIn={({ target }) => show(target as HTMLElement)}>
        {ask.questions.map((_, at) => {
          const done = isGiven(answers[at] ?? {});
          return (
            <li>
              <button aria-current={at === step ? "step" : undefined} class={form.mistakes.has(at) ? "bad" : ""} onClick={() => to(at)}>
                <span class="number" aria-hidden="true">{done ? "✓" : at + 1}</span>
                <bdi class="cut">{shortName(ask, at)}</bdi>
                {done && <span class="vh">, {translate("answered")}</span>}
              </button>
            </li>
          );
        })}
        <li>
          <button aria-current={step === ask.questions.length ? "step" : undefined} onClick={() => to(ask.questions.length)}>{translate("review")}</button>
        </li>
      </ol>
    </nav>
  );
}
