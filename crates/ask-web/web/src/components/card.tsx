// The card of one ask: who asks and what, one question after another, the review, and the way out.
import type { JSX } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { act } from "../lib/api.ts";
import { headline, isLate, kind, shortName, who } from "../state/asks.ts";
import { attach } from "./attachments.tsx";
import { type Asked, AskDialog, extend, perform } from "./dialogs.tsx";
import type { AskForm } from "../state/ask_form.ts";
import { save } from "../state/draft_sync.ts";
import { send as sendAnswer, unqueueSend } from "../state/send_queue.ts";
import { arrive } from "../lib/focus.ts";
import { unanswered, isGiven } from "../state/form.ts";
import { onKeys } from "../state/card_keys.ts";
import { Context } from "./markdown.tsx";
import { Ago, Countdown, WhoAsksFully } from "./basics.tsx";
import { QuestionView } from "./question.tsx";
import { Review } from "./review.tsx";
import { now, useStore } from "../state/store.ts";
import { ago, clock } from "../lib/time.ts";
import { useWide } from "../lib/window_width.ts";
import { say } from "../lib/i18n.ts";

/** Signs a draft that is what the person answered when the same was asked before. */
const EARLIER = "earlier answer";
/** Signs what a program has filled in that an agent has started, before the name of that agent's client. */
const BELOW = "below ";

export function AskCard({ form }: { form: AskForm }): JSX.Element {
  const { ask, step } = form;
  // A chat is narrow, and a card in it never wider than a page on a phone is made for.
  const wide = CHAT ? false : useWide();
  const [asked, setAsked] = useState<Asked>();
  const queued = CHAT ? false : useStore((state) => state.queued.has(ask.askId));
  const card = useRef<HTMLElement>(null);
  const count = ask.questions.length;
  const reviewing = count > 1 && step === count;

  useEffect(() => {
    const seen = () => document.visibilityState === "visible" && void act(ask.askId, "shown", {}).catch(() => undefined);
    seen();
    if (!CHAT) form.cancelQuickAnswer?.();
    return () => void save(form);
  }, [ask.askId]);

  const to = (next: number) => {
    form.step = Math.max(0, Math.min(next, count > 1 ? count : 0));
    void save(form);
    form.notify();
    // Also below a long context, all of the question, or where it begins.
    requestAnimationFrame(() => card.current?.querySelector(".question, .review")?.scrollIntoView({ block: "nearest" }));
    // Not onto the heading whatever happens: a quick key may have gone on from there already.
    arrive(".question h2", ".review h2");
  };
  const send = (leaveGaps: boolean) => {
    if (performance.now() < form.unseenUntil) return;
    const missing = unanswered(ask, form.draft);
    if (missing.length && !(leaveGaps && form.draft.answers.some(isGiven))) {
      form.mistakes = new Map(missing.map((at) => [at, say("needs-answer")]));
      form.problem = count > 1 ? "" : say("needs-answer-or-decline");
      form.notify();
      return requestAnimationFrame(() => card.current?.querySelector<HTMLElement>("[aria-invalid], .question input, .review a")?.focus());
    }
    return void sendAnswer(form, leaveGaps);
  };
  const go = () => (form.sending || queued ? undefined : count === 1 ? send(false) : reviewing ? send(true) : to(step + 1));
  useLayoutEffect(() => onKeys({ form, to, go, ask: setAsked, open: asked !== undefined }));

  const late = isLate(ask);
  const sendWord = say(late ? "keep-late" : "send");
  const extra = <Extra form={form} onAsk={setAsked} />;
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
            {!CHAT && <a class="back" href="/">‹ {say("inbox")}</a>}
            <details class="menu"><summary aria-label={say("more")}>⋯</summary><div class="stack" onClick={(event) => closeMenu(event.currentTarget.closest("details"))}>{extra}<Ways onAsk={setAsked} /></div></details>
          </div>
        )}
        <h1 id="card-title" tabIndex={-1}><bdi>{ask.title ? headline(ask) : say("asks", { who: who(ask) })}</bdi></h1>
        <WhoAsksFully ask={ask} />
        <p class="muted row wrap">
          <Ago at={ask.askedAt} says="asked-ago" />
          {count > 1 && <span>{kind(ask)}</span>}
          <Standing form={form} />
          <Countdown ask={ask} />
          {wide && <span class="row push">{extra}</span>}
        </p>
      </header>
      {ask.shown.context && <Context doc={ask.shown.context} open />}
      {ask.draft?.savedBy === EARLIER && <p class="notice">{say("repeats", { time: ago(now() - Date.parse(ask.draft.savedAt)) })}</p>}
      {ask.draft?.savedBy.startsWith(BELOW) && <p class="notice warn">{say("filled-in-below", { agent: ask.draft.savedBy.slice(BELOW.length) })}</p>}
      {count > 1 && <Steps form={form} to={to} />}
      {reviewing ? <Review form={form} to={to} /> : <QuestionView key={`${ask.askId} ${step}`} form={form} at={step} />}
      {!CHAT && queued && (
        <p class="notice warn">
          {say("queued-says")} <button class="quiet" onClick={() => void unqueueSend(ask.askId)}>{say("take-back")}</button>
        </p>
      )}
      {form.problem && <p class="mistake" role="alert">{form.problem}</p>}
      <footer class="bar">
        {wide && <Ways onAsk={setAsked} />}
        <span class="muted small saved">{form.onlyHere ? say(!CHAT && form.isStored ? "saved-here" : "chat-unsaved") : form.savedAt ? say("saved-at", { at: clock(form.savedAt, now()) }) : ""}</span>
        {count > 1 && step > 0 && <button onClick={() => to(step - 1)}>{say("back")}</button>}
        {count > 1 && !reviewing && <button key="next" class="primary" onClick={() => to(step + 1)}>{say(step === count - 1 ? "review" : "next")}</button>}
        {(count === 1 || reviewing) && (
          <button key="send" class="primary" aria-disabled={form.sending || queued || undefined} onClick={go}>
            {form.sending ? say("sending") : !CHAT && queued ? say("send-when-connected") : reviewing ? reviewWord(form, late) : sendWord}
          </button>
        )}
      </footer>
      {asked && <AskDialog form={form} asked={asked} onClose={() => setAsked(undefined)} />}
    </article>
  );
}

/** The menu's own button has the focus once the menu is closed. */
function closeMenu(menu: HTMLDetailsElement | null): void {
  menu?.querySelector("summary")?.focus();
  menu?.removeAttribute("open");
}

function reviewWord(form: AskForm, late: boolean): string {
  const count = form.draft.answers.filter(isGiven).length;
  if (late || !count) return say(late ? "keep-late" : "send");
  return say(unanswered(form.ask, form.draft).length ? "send-anyway" : "send-answers", { count });
}

/** How the ask stands, in words. */
function Standing({ form }: { form: AskForm }): JSX.Element {
  const { ask } = form;
  const { snoozedUntil: until } = ask;
  const text = ask.state === "expired" ? say("stands-expired") : isLate(ask) ? say("stands-left") : say("stands-waits");
  return (
    <>
      <span class={isLate(ask) ? "warn" : ""}>{text}</span>
      {until && <span class="warn">{until === "asked-again" ? say("back-when-asked") : say("back-at", { at: clock(until, now()) })}</span>}
      {ask.askedAgainAt && <span class="warn">{say("asked-again")}</span>}
      {ask.inClient && !CHAT && <span>{say(ask.inClient === "dialog" ? "in-dialog" : "in-client")}</span>}
    </>
  );
}

function Extra({ form, onAsk }: { form: AskForm; onAsk: (asked: Asked) => void }): JSX.Element {
  const { ask } = form;
  if (ask.state !== "waiting") return <></>;
  return (
    <>
      {ask.deadlineAt && <button onClick={() => void extend(form)}>{say("more-time")}</button>}
      {!CHAT && (ask.snoozedUntil
        ? <button onClick={() => void perform(form, "snooze", { until: null }, say("back-again"))}>{say("wake")}</button>
        : <button onClick={() => onAsk("snooze")}>{say("snooze")}</button>)}
    </>
  );
}

function Ways({ onAsk }: { onAsk: (asked: Asked) => void }): JSX.Element {
  return (
    <>
      <button onClick={() => onAsk("ask-back")}>{say("ask-back")}</button>
      <button onClick={() => onAsk("decline")}>{say("decline")}</button>
    </>
  );
}

/** One step a question, and the review. */
function Steps({ form, to }: { form: AskForm; to: (step: number) => void }): JSX.Element {
  const { ask, step } = form;
  const { answers } = form.draft;
  const list = useRef<HTMLOListElement>(null);
  // On a narrow window they scroll sideways, and nothing else does: the one that is shown, or has the focus, is in sight.
  const show = (one: HTMLElement | null | undefined) => one && list.current?.scrollTo(one.offsetLeft - 60, 0);
  useLayoutEffect(() => void show(list.current?.querySelector<HTMLElement>("[aria-current]")), [step]);
  return (
    <nav class="steps" aria-label={say("questions-nav")}>
      <ol ref={list} onFocusIn={({ target }) => show(target as HTMLElement)}>
        {ask.questions.map((_, at) => {
          const done = isGiven(answers[at] ?? {});
          return (
            <li>
              <button aria-current={at === step ? "step" : undefined} class={form.mistakes.has(at) ? "bad" : ""} onClick={() => to(at)}>
                <span class="number" aria-hidden="true">{done ? "✓" : at + 1}</span>
                <bdi class="cut">{shortName(ask, at)}</bdi>
                {done && <span class="vh">, {say("answered")}</span>}
              </button>
            </li>
          );
        })}
        <li>
          <button aria-current={step === ask.questions.length ? "step" : undefined} onClick={() => to(ask.questions.length)}>{say("review")}</button>
        </li>
      </ol>
    </nav>
  );
}
