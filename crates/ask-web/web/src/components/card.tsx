// The card of one ask: who asks and what, one question after another, the review, and the way out.
import type { JSX } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { act } from "../lib/api.ts";
import { headline, isLate, kind, shortName, who } from "../state/asks.ts";
import { attach } from "./attachments.tsx";
import { type Asked, AskDialog, extend, perform } from "./dialogs.tsx";
import { type Filling, unqueue } from "../state/ask_form.ts";
import { arrive } from "../lib/focus.ts";
import { gaps, isGiven } from "../state/form.ts";
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

export function AskCard({ of }: { of: Filling }): JSX.Element {
  const { ask, step } = of;
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
    if (!CHAT) of.stop?.();
    return () => void of.save();
  }, [ask.askId]);

  const to = (next: number) => {
    of.step = Math.max(0, Math.min(next, count > 1 ? count : 0));
    void of.save();
    of.look();
    // Also below a long context, all of the question, or where it begins.
    requestAnimationFrame(() => card.current?.querySelector(".question, .review")?.scrollIntoView({ block: "nearest" }));
    // Not onto the heading whatever happens: a quick key may have gone on from there already.
    arrive(".question h2", ".review h2");
  };
  const send = (leaveGaps: boolean) => {
    if (performance.now() < of.fresh) return;
    const missing = gaps(ask, of.draft);
    if (missing.length && !(leaveGaps && of.draft.answers.some(isGiven))) {
      of.mistakes = new Map(missing.map((at) => [at, say("needs-answer")]));
      of.problem = count > 1 ? "" : say("needs-answer-or-decline");
      of.look();
      return requestAnimationFrame(() => card.current?.querySelector<HTMLElement>("[aria-invalid], .question input, .review a")?.focus());
    }
    return void of.send(leaveGaps);
  };
  const go = () => (of.sending || queued ? undefined : count === 1 ? send(false) : reviewing ? send(true) : to(step + 1));
  useLayoutEffect(() => onKeys({ of, to, go, ask: setAsked, open: asked !== undefined }));

  const late = isLate(ask);
  const sendWord = say(late ? "keep-late" : "send");
  const extra = <Extra of={of} onAsk={setAsked} />;
  return (
    <article
      ref={card} class="card" aria-labelledby="card-title"
      onPaste={CHAT ? undefined : (event) => {
        const files = [...(event.clipboardData?.files ?? [])];
        if (!files.length || reviewing) return;
        event.preventDefault();
        void attach(of, step, files);
      }}
      onDrop={CHAT ? undefined : (event) => reviewing || void attach(of, step, event.dataTransfer?.files ?? [])}
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
          <Standing of={of} />
          <Countdown ask={ask} />
          {wide && <span class="row push">{extra}</span>}
        </p>
      </header>
      {ask.shown.context && <Context doc={ask.shown.context} open />}
      {ask.draft?.savedBy === EARLIER && <p class="notice">{say("repeats", { time: ago(now() - Date.parse(ask.draft.savedAt)) })}</p>}
      {ask.draft?.savedBy.startsWith(BELOW) && <p class="notice warn">{say("filled-in-below", { agent: ask.draft.savedBy.slice(BELOW.length) })}</p>}
      {count > 1 && <Steps of={of} to={to} />}
      {reviewing ? <Review of={of} to={to} /> : <QuestionView key={`${ask.askId} ${step}`} of={of} at={step} />}
      {!CHAT && queued && (
        <p class="notice warn">
          {say("queued-says")} <button class="quiet" onClick={() => void unqueue(ask.askId)}>{say("take-back")}</button>
        </p>
      )}
      {of.problem && <p class="mistake" role="alert">{of.problem}</p>}
      <footer class="bar">
        {wide && <Ways onAsk={setAsked} />}
        <span class="muted small saved">{of.onlyHere ? say(!CHAT && of.kept ? "saved-here" : "chat-unsaved") : of.savedAt ? say("saved-at", { at: clock(of.savedAt, now()) }) : ""}</span>
        {count > 1 && step > 0 && <button onClick={() => to(step - 1)}>{say("back")}</button>}
        {count > 1 && !reviewing && <button key="next" class="primary" onClick={() => to(step + 1)}>{say(step === count - 1 ? "review" : "next")}</button>}
        {(count === 1 || reviewing) && (
          <button key="send" class="primary" aria-disabled={of.sending || queued || undefined} onClick={go}>
            {of.sending ? say("sending") : !CHAT && queued ? say("send-when-connected") : reviewing ? reviewWord(of, late) : sendWord}
          </button>
        )}
      </footer>
      {asked && <AskDialog of={of} asked={asked} onClose={() => setAsked(undefined)} />}
    </article>
  );
}

/** The menu's own button has the focus once the menu is closed. */
function closeMenu(menu: HTMLDetailsElement | null): void {
  menu?.querySelector("summary")?.focus();
  menu?.removeAttribute("open");
}

function reviewWord(of: Filling, late: boolean): string {
  const count = of.draft.answers.filter(isGiven).length;
  if (late || !count) return say(late ? "keep-late" : "send");
  return say(gaps(of.ask, of.draft).length ? "send-anyway" : "send-answers", { count });
}

/** How the ask stands, in words. */
function Standing({ of }: { of: Filling }): JSX.Element {
  const { ask } = of;
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

function Extra({ of, onAsk }: { of: Filling; onAsk: (asked: Asked) => void }): JSX.Element {
  const { ask } = of;
  if (ask.state !== "waiting") return <></>;
  return (
    <>
      {ask.deadlineAt && <button onClick={() => void extend(of)}>{say("more-time")}</button>}
      {!CHAT && (ask.snoozedUntil
        ? <button onClick={() => void perform(of, "snooze", { until: null }, say("back-again"))}>{say("wake")}</button>
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
function Steps({ of, to }: { of: Filling; to: (step: number) => void }): JSX.Element {
  const { ask, step } = of;
  const { answers } = of.draft;
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
              <button aria-current={at === step ? "step" : undefined} class={of.mistakes.has(at) ? "bad" : ""} onClick={() => to(at)}>
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
