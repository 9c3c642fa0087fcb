// The list of asks: waiting, snoozed, late, and answered ones that are kept for their agents.
import type { JSX } from "preact";
import { useMemo, useState } from "preact/hooks";
import { GROUPS, isAnswerable, matchesFilter, groupOf, headline, sortedAsks, answerKind, statusMark, projectAndBranch, askerName } from "../state/asks.ts";
import { Loading } from "./loading.tsx";
import { navigate } from "../lib/router.ts";
import { getState, setState, toast, useNow, useStore } from "../state/store.ts";
import { formatAge } from "../lib/time.ts";
import type { Ask } from "../lib/types.ts";
import { useWide } from "../lib/window_width.ts";
import { translate } from "../lib/i18n.ts";

/** How many asks of a group are shown at first, and how many each click adds. */
const PAGE_SIZE = 100;

export function AskList({ open }: { open: string }): JSX.Element {
  const asks = useStore((state) => state.asks);
  const ready = useStore((state) => state.ready);
  const filter = useStore((state) => state.filter);
  const wide = useWide();
  // The first asks may come before the viewer's scope is known.
  const mayAnswer = useStore((state) => state.viewer?.scope === "answer");
  const [limit, setLimit] = useState(PAGE_SIZE);
  const all = sortedAsks(asks);
  const shown = useMemo(() => all.filter((ask) => matchesFilter(ask, filter)), [all, filter]);
  return (
    <section class="list" aria-labelledby="list-head">
      <h2 id="list-head" class="vh">{translate("list-head")}</h2>
      {(all.length > 3 || filter) && (
        <div class="filter">
          <label class="vh" for="filter">{translate("filter")}</label>
          <input
            id="filter" type="search" placeholder={translate("filter")} value={filter} autocomplete="off"
            onInput={(event) => setState({ filter: event.currentTarget.value })}
          />
          {filter && <span class="muted small" role="status">{translate("fit", { count: shown.length, all: all.length })}</span>}
        </div>
      )}
      {GROUPS.map((name) => {
        const these = shown.filter((ask) => groupOf(ask) === name);
        if (!these.length) return null;
        return (
          <section aria-labelledby={`group-${name}`}>
            <h3 id={`group-${name}`}>{translate(`group-${name}`)} <span class="count">{these.length}</span></h3>
            {name !== "waiting" && name !== "snoozed" && <p class="muted small">{translate(`group-${name}-says`)}</p>}
            <ul>{these.slice(0, limit).map((ask) => <AskItem key={ask.askId} ask={ask} current={ask.askId === open} answersByTap={!wide && mayAnswer} />)}</ul>
            {these.length > limit && <button onClick={() => setLimit(limit + PAGE_SIZE)}>{translate("show-more")}</button>}
          </section>
        );
      })}
      {ready && !all.length && <EmptyList />}
      {ready && all.length > 0 && !shown.length && <p class="muted">{translate("none-fit")}</p>}
      {!ready && <Loading />}
    </section>
  );
}

function EmptyList(): JSX.Element {
  const { answered } = useStore((state) => state.day);
  return (
    <div class="empty">
      <p class="big">{translate("none-waits")}</p>
      <p class="muted">{translate("none-yet")}</p>
      {answered > 0 && <p class="muted">{translate("answered-today", { count: answered })}</p>}
    </div>
  );
}

/** `answersByTap`: whether yes or no can be answered in the list. */
function AskItem({ ask, current, answersByTap }: { ask: Ask; current: boolean; answersByTap: boolean }): JSX.Element {
  const quick = answersByTap && ask.state === "waiting" && ask.questions.length === 1 && ask.questions[0]?.type === "confirm";
  const to = isAnswerable(ask) ? `/a/${ask.askId}` : `/history/${ask.askId}`;
  return (
    <li class={current ? "item current" : "item"}>
      <a href={to} aria-current={current ? "page" : undefined}>
        <span class="title"><bdi>{headline(ask)}</bdi></span>
        <span class="muted small row">
          <span class="cut"><bdi>{askerName(ask)}</bdi>{projectAndBranch(ask) && <> · <bdi>{projectAndBranch(ask)}</bdi></>}</span>
        </span>
        <span class="muted small row spread">
          <StatusMark ask={ask} />
          <span>{answerKind(ask)}</span>
        </span>
      </a>
      {quick && <QuickConfirm ask={ask} />}
    </li>
  );
}

/** The ask's most urgent mark, else its age. */
function StatusMark({ ask }: { ask: Ask }): JSX.Element {
  const now = useNow(ask.deadlineAt ? 1 : 20);
  const mark = statusMark(ask, now);
  if (!mark) return <span>{formatAge(now - Date.parse(ask.askedAt))}</span>;
  return <span class={mark.urgent ? "badge bad" : "badge"}>{mark.text}</span>;
}

/** Answers yes or no with one tap. The hub keeps the answer from the agent for some seconds, in which it can be taken back. */
function QuickConfirm({ ask }: { ask: Ask }): JSX.Element {
  const choose = async (yes: boolean) => {
    const { formOf, send: sendAnswer } = await import("../chunks/later.ts");
    const form = formOf(ask);
    await form.restored;
    const before = form.values.entries[0];
    const openCard = () => navigate(`/a/${ask.askId}`);
    if (!before || form.filledInBelow) return openCard();
    form.change(0, { picks: [yes ? 0 : 1], ownChosen: false });
    // A note or file isn't visible in the list, so the card is opened before anything is sent.
    if (before.note.trim() || before.attachments.length || form.values.note.trim()) return openCard();
    form.beforeTap = before;
    await sendAnswer(form, false);
    if (!form.sent) toast(form.problem || translate(getState().queued.has(ask.askId) ? "queued" : "queued-closed"));
  };
  return (
    <div class="row quick">
      <button aria-label={`${translate("yes")}: ${headline(ask)}`} onClick={() => void choose(true)}>{translate("yes")}</button>
      <button aria-label={`${translate("no")}: ${headline(ask)}`} onClick={() => void choose(false)}>{translate("no")}</button>
    </div>
  );
}
