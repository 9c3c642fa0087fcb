// One ask of the history: what was asked and answered, and when what happened.
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { AnswerView, asText, sentDraft } from "../components/answers.tsx";
import { call, path, why } from "../lib/api.ts";
import { answerable, by, headline, labels, surface } from "../state/asks.ts";
import { end, lookAgain } from "./history.tsx";
import { Context, Markdown, Scroll } from "../components/markdown.tsx";
import { Dialog, WhoAsksFully, copy } from "../components/basics.tsx";
import { ownWords, useAgain } from "../state/previous_answers.ts";
import { go } from "../lib/router.ts";
import { get, now, onlySees, secure, set, toast, useStore } from "../state/store.ts";
import { clock } from "../lib/time.ts";
import type { Ask } from "../lib/types.ts";
import { say } from "../lib/i18n.ts";

export function PastPage({ id }: { id: string }): JSX.Element {
  const [ask, put] = useState<Ask>();
  const [problem, fail] = useState("");
  const [deleting, setDeleting] = useState(false);
  const local = useStore((state) => state.viewer?.local);
  useEffect(() => {
    put(undefined);
    call<Ask>("GET", path.ask(id)).then(put, (error: unknown) => fail(why(error)));
  }, [id]);
  if (problem) return <><h1 tabIndex={-1}>{say("history")}</h1><p class="mistake" role="alert">{say("failed", { why: problem })}</p></>;
  if (!ask) return <><h1 tabIndex={-1}>{say("history")}</h1><p class="muted" role="status">{say("looking")}</p></>;
  const draft = sentDraft(ask);
  const again = ownWords(ask);
  const unheard = ["answered", "declined", "clarify"].includes(ask.state) && !ask.delivered;
  const forgetIt = async () => {
    setDeleting(false);
    if (await forget(id, unheard)) go("/history");
  };
  return (
    <article class="detail">
      <p><a class="back" href="/history">‹ {say("history")}</a></p>
      <h1 tabIndex={-1}><bdi>{headline(ask)}</bdi></h1>
      <WhoAsksFully ask={ask} />
      <p><span class={`badge ${ask.state}`}>{end(ask)}</span></p>
      {ask.outcome?.reason && <p class="said">{ask.outcome.reason}</p>}
      {ask.outcome?.clarify && <p class="said">{ask.outcome.clarify}</p>}
      {answerable(ask) && !onlySees() && <p><a class="button primary" href={`/a/${id}`}>{say("answer-it")}</a></p>}
      {ask.shown.context && <Context doc={ask.shown.context} open={false} />}
      <ol class="rows">
        {ask.questions.map((question, at) => (
          <li>
            {ask.state === "answered"
              ? <AnswerView ask={ask} at={at} answer={draft.answers[at]} />
              : <div class="asked"><Markdown doc={ask.shown.questions?.[at]?.text} /></div>}
            {question.options && (
              <details><summary>{say("choices", { count: question.options.length })}</summary>
                <ul class="choices">{labels(ask, at).map((label) => <li><bdi>{label}</bdi></li>)}</ul>
              </details>
            )}
          </li>
        ))}
        {draft.note && <li class="note">{say("note-is", { note: draft.note })}</li>}
      </ol>
      <Timeline ask={ask} />
      {ask.reply && (
        <details>
          <summary>{say("what-agent-got")}</summary>
          <Scroll label={say("what-agent-got")}><pre><code>{neat(ask.reply)}</code></pre></Scroll>
          {secure && <button class="quiet" onClick={() => void copy(ask.reply ?? "")}>{say("copy-reply")}</button>}
        </details>
      )}
      <div class="row wrap">
        {secure && <button onClick={() => void copy(asText(ask, draft))}>{say("copy-markdown")}</button>}
        {again.length > 0 && !onlySees() && (
          <button
            onClick={() => {
              useAgain(again);
              toast(say("used-again"));
            }}
          >
            {say("use-again")}
          </button>
        )}
        {local && ask.state !== "waiting" && <button class="danger" onClick={() => setDeleting(true)}>{say("delete")}</button>}
      </div>
      {deleting && (
        <Dialog title={say("delete")} onClose={() => setDeleting(false)}>
          <p>{say("delete-says")}</p>
          {unheard && <p class="warn">{say("delete-unheard")}</p>}
          <div class="row end">
            <button onClick={() => setDeleting(false)}>{say("keep-it")}</button>
            <button class="danger" onClick={() => void forgetIt()}>{say("delete-it")}</button>
          </div>
        </Dialog>
      )}
    </article>
  );
}

/** JSON with a line for each of its parts; other texts as they are. What nobody would see, or what turns others, is written out. */
function neat(reply: string): string {
  const written = (one: string) => [...Array(one.length).keys()].map((at) => `\\u${one.charCodeAt(at).toString(16).padStart(4, "0")}`).join("");
  const plainly = (text: string) => text.replace(/(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, written);
  try {
    return plainly(JSON.stringify(JSON.parse(reply), null, 2));
  } catch {
    return plainly(reply);
  }
}

function Timeline({ ask }: { ask: Ask }): JSX.Element {
  const events: [string | undefined, string][] = [
    [ask.askedAt, say("asked")],
    [ask.shownAt, say("shown-on", { by: surface(ask.shownOn) })],
    [ask.askedAgainAt, say("asked-again")],
    [ask.answeredAt, `${end(ask)}${ask.answeredBy ? ` (${by(ask)})` : ""}`],
    [ask.deliveredAt, say("told")],
  ];
  const happened = events.filter((event): event is [string, string] => Boolean(event[0])).sort(([a], [b]) => a.localeCompare(b));
  return (
    <ol class="timeline" aria-label={say("timeline")}>
      {happened.map(([at, what]) => <li><time dateTime={at}>{clock(at, now())}</time> {what}</li>)}
    </ol>
  );
}

/** Has the hub forget an ask that is over; one whose agent was not told only if that is meant. */
async function forget(id: string, undelivered: boolean): Promise<boolean> {
  try {
    await call("DELETE", path.ask(id) + (undelivered ? "?undelivered=true" : ""));
    const asks = new Map(get().asks);
    asks.delete(id);
    set({ asks });
    lookAgain();
    toast(say("deleted"));
    return true;
  } catch (error) {
    toast(say("failed", { why: why(error) }));
    return false;
  }
}

