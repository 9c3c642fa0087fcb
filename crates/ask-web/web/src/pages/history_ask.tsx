// One ask of the history: the questions and answers, the timeline, and the reply to the agent.
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { AnswerView, answersAsText, sentDraft, visible } from "../components/answers.tsx";
import { call, path, errorText } from "../lib/api.ts";
import { isAnswerable, answeredVia, headline, choiceLabels, surfaceName } from "../state/asks.ts";
import { outcomeLabel, clearCache } from "./history.tsx";
import { Context, Markdown, Scroll } from "../components/markdown.tsx";
import { Dialog, WhoAsksFully, copyText } from "../components/basics.tsx";
import { ownWords, preferAnswers } from "../state/previous_answers.ts";
import { navigate } from "../lib/router.ts";
import { getState, hubNow, isReadOnly, isSecure, setState, toast, useStore } from "../state/store.ts";
import { formatTime } from "../lib/time.ts";
import type { Ask } from "../lib/types.ts";
import { translate } from "../lib/i18n.ts";

export function HistoryAskPage({ id }: { id: string }): JSX.Element {
  const [ask, setAsk] = useState<Ask>();
  const [problem, setProblem] = useState("");
  const [deleting, setDeleting] = useState(false);
  const local = useStore((state) => state.viewer?.local);
  useEffect(() => {
    setAsk(undefined);
    call<Ask>("GET", path.ask(id)).then(setAsk, (error: unknown) => setProblem(errorText(error)));
  }, [id]);
  if (problem) return <><h1 tabIndex={-1}>{translate("history")}</h1><p class="mistake" role="alert">{translate("failed", { why: problem })}</p></>;
  if (!ask) return <><h1 tabIndex={-1}>{translate("history")}</h1><p class="muted" role="status">{translate("looking")}</p></>;
  const draft = sentDraft(ask);
  const reusable = ownWords(ask);
  const isUndelivered = ["answered", "declined", "clarify"].includes(ask.state) && !ask.delivered;
  const confirmDelete = async () => {
    setDeleting(false);
    if (await deleteAsk(id, isUndelivered)) navigate("/history");
  };
  return (
    <article class="detail">
      <p><a class="back" href="/history">‹ {translate("history")}</a></p>
      <h1 tabIndex={-1}><bdi>{headline(ask)}</bdi></h1>
      <WhoAsksFully ask={ask} />
      <p><span class={`badge ${ask.state}`}>{outcomeLabel(ask)}</span></p>
      {ask.outcome?.reason && <p class="quoted">{visible(ask.outcome.reason)}</p>}
      {ask.outcome?.clarify && <p class="quoted">{visible(ask.outcome.clarify)}</p>}
      {isAnswerable(ask) && !isReadOnly() && <p><a class="button primary" href={`/a/${id}`}>{translate("answer-it")}</a></p>}
      {ask.shown.context && <Context doc={ask.shown.context} open={false} />}
      <ol class="rows">
        {ask.questions.map((question, at) => (
          <li>
            {ask.state === "answered"
              ? <AnswerView ask={ask} at={at} answer={draft.answers[at]} />
              : <div class="question-text"><Markdown doc={ask.shown.questions?.[at]?.text} /></div>}
            {question.options && (
              <details><summary>{translate("choices", { count: question.options.length })}</summary>
                <ul class="choices">{choiceLabels(ask, at).map((label) => <li><bdi>{label}</bdi></li>)}</ul>
              </details>
            )}
          </li>
        ))}
        {draft.note && <li class="note">{translate("note-is", { note: visible(draft.note) })}</li>}
      </ol>
      <Timeline ask={ask} />
      {ask.reply && (
        <details>
          <summary>{translate("what-agent-got")}</summary>
          <Scroll label={translate("what-agent-got")}><pre><code>{prettyPrint(ask.reply)}</code></pre></Scroll>
          {isSecure && <button class="quiet" onClick={() => void copyText(ask.reply ?? "")}>{translate("copy-reply")}</button>}
        </details>
      )}
      <div class="row wrap">
        {isSecure && <button onClick={() => void copyText(answersAsText(ask, draft))}>{translate("copy-markdown")}</button>}
        {reusable.length > 0 && !isReadOnly() && (
          <button
            onClick={() => {
              preferAnswers(reusable);
              toast(translate("used-again"));
            }}
          >
            {translate("use-again")}
          </button>
        )}
        {local && ask.state !== "waiting" && <button class="danger" onClick={() => setDeleting(true)}>{translate("delete")}</button>}
      </div>
      {deleting && (
        <Dialog title={translate("delete")} onClose={() => setDeleting(false)}>
          <p>{translate("delete-says")}</p>
          {isUndelivered && <p class="warn">{translate("delete-unheard")}</p>}
          <div class="row end">
            <button onClick={() => setDeleting(false)}>{translate("keep-it")}</button>
            <button class="danger" onClick={() => void confirmDelete()}>{translate("delete-it")}</button>
          </div>
        </Dialog>
      )}
    </article>
  );
}

/** Indents JSON and leaves other texts as they are. Invisible characters and those that change the direction of text are escaped. */
function prettyPrint(reply: string): string {
  const escape = (char: string) => [...Array(char.length).keys()].map((at) => `\\u${char.charCodeAt(at).toString(16).padStart(4, "0")}`).join("");
  const escapeInvisible = (text: string) => text.replace(/(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{DI}]/gu, escape);
  try {
    return escapeInvisible(JSON.stringify(JSON.parse(reply), null, 2));
  } catch {
    return escapeInvisible(reply);
  }
}

function Timeline({ ask }: { ask: Ask }): JSX.Element {
  const events: [string | undefined, string][] = [
    [ask.askedAt, translate("asked")],
    [ask.shownAt, translate("shown-on", { by: surfaceName(ask.shownOn) })],
    [ask.askedAgainAt, translate("asked-again")],
    [ask.answeredAt, `${outcomeLabel(ask)}${ask.answeredBy ? ` (${answeredVia(ask)})` : ""}`],
    [ask.deliveredAt, translate("told")],
  ];
  const happened = events.filter((event): event is [string, string] => Boolean(event[0])).sort(([a], [b]) => a.localeCompare(b));
  return (
    <ol class="timeline" aria-label={translate("timeline")}>
      {happened.map(([at, what]) => <li><time dateTime={at}>{formatTime(at, hubNow())}</time> {what}</li>)}
    </ol>
  );
}

/** Deletes a closed ask. `undelivered` allows that for one whose answer no agent has fetched. */
async function deleteAsk(id: string, undelivered: boolean): Promise<boolean> {
  try {
    await call("DELETE", path.ask(id) + (undelivered ? "?undelivered=true" : ""));
    const asks = new Map(getState().asks);
    asks.delete(id);
    setState({ asks });
    clearCache();
    toast(translate("deleted"));
    return true;
  } catch (error) {
    toast(translate("failed", { why: errorText(error) }));
    return false;
  }
}

