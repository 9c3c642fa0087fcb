// The list of asks: what waits, what was put aside, what is late, and what is kept for its agent.
import type { JSX } from "preact";
import { useMemo, useState } from "preact/hooks";
import { GROUPS, answerable, fits, group, headline, inOrder, kind, mark, where, who } from "../state/asks.ts";
import { Looking } from "./loading.tsx";
import { go } from "../lib/router.ts";
import { get, set, toast, unsay, useNow, useStore } from "../state/store.ts";
import { short } from "../lib/time.ts";
import type { Ask } from "../lib/types.ts";
import { useWide } from "../lib/window_width.ts";
import { say } from "../lib/i18n.ts";

const UNDO_MS = 5000;
/** How many of a group are shown at first, and how many more at once. */
const PAGE = 100;

export function AskList({ open }: { open: string }): JSX.Element {
  const asks = useStore((state) => state.asks);
  const ready = useStore((state) => state.ready);
  const filter = useStore((state) => state.filter);
  const wide = useWide();
  // A first look may come before it is known who looks.
  const answers = useStore((state) => state.viewer?.scope === "answer");
  const [most, setMost] = useState(PAGE);
  const all = inOrder(asks);
  const shown = useMemo(() => all.filter((ask) => fits(ask, filter)), [all, filter]);
  return (
    <section class="list" aria-labelledby="list-head">
      <h2 id="list-head" class="vh">{say("list-head")}</h2>
      {(all.length > 3 || filter) && (
        <div class="filter">
          <label class="vh" for="filter">{say("filter")}</label>
          <input
            id="filter" type="search" placeholder={say("filter")} value={filter} autocomplete="off"
            onInput={(event) => set({ filter: event.currentTarget.value })}
          />
          {filter && <span class="muted small" role="status">{say("fit", { count: shown.length, all: all.length })}</span>}
        </div>
      )}
      {GROUPS.map((name) => {
        const these = shown.filter((ask) => group(ask) === name);
        if (!these.length) return null;
        return (
          <section aria-labelledby={`group-${name}`}>
            <h3 id={`group-${name}`}>{say(`group-${name}`)} <span class="count">{these.length}</span></h3>
            {name !== "waiting" && name !== "snoozed" && <p class="muted small">{say(`group-${name}-says`)}</p>}
            <ul>{these.slice(0, most).map((ask) => <Item key={ask.askId} ask={ask} current={ask.askId === open} tapped={!wide && answers} />)}</ul>
            {these.length > most && <button onClick={() => setMost(most + PAGE)}>{say("show-more")}</button>}
          </section>
        );
      })}
      {ready && !all.length && <Empty />}
      {ready && all.length > 0 && !shown.length && <p class="muted">{say("none-fit")}</p>}
      {!ready && <Looking />}
    </section>
  );
}

function Empty(): JSX.Element {
  const { answered } = useStore((state) => state.day);
  return (
    <div class="empty">
      <p class="big">{say("none-waits")}</p>
      <p class="muted">{say("none-yet")}</p>
      {answered > 0 && <p class="muted">{say("answered-today", { count: answered })}</p>}
    </div>
  );
}

/** `tapped` where what takes one tap is answered in the list. */
function Item({ ask, current, tapped }: { ask: Ask; current: boolean; tapped: boolean }): JSX.Element {
  const quick = tapped && ask.state === "waiting" && ask.questions.length === 1 && ask.questions[0]?.type === "confirm";
  const to = answerable(ask) ? `/a/${ask.askId}` : `/history/${ask.askId}`;
  return (
    <li class={current ? "item current" : "item"}>
      <a href={to} aria-current={current ? "page" : undefined}>
        <span class="title"><bdi>{headline(ask)}</bdi></span>
        <span class="muted small row">
          <span class="cut"><bdi>{who(ask)}</bdi>{where(ask) && <> · <bdi>{where(ask)}</bdi></>}</span>
        </span>
        <span class="muted small row spread">
          <Mark ask={ask} />
          <span>{kind(ask)}</span>
        </span>
      </a>
      {quick && <QuickConfirm ask={ask} />}
    </li>
  );
}

/** The most pressing of what is worth knowing, else its age. */
function Mark({ ask }: { ask: Ask }): JSX.Element {
  const now = useNow(ask.deadlineAt ? 1 : 20);
  const found = mark(ask, now);
  if (!found) return <span>{short(now - Date.parse(ask.askedAt))}</span>;
  return <span class={found.urgent ? "badge bad" : "badge"}>{found.text}</span>;
}

/**
 * Two buttons are a whole answer: what was tapped is sent after some seconds, unless it is undone. Once nobody looks
 * nobody undoes it, and a phone in a pocket counts no seconds. Whoever opens its card sends it there.
 */
function QuickConfirm({ ask }: { ask: Ask }): JSX.Element {
  const choose = async (yes: boolean) => {
    const { formOf, send: sendAnswer } = await import("../chunks/later.ts");
    const form = formOf(ask);
    await form.restored;
    form.cancelQuickAnswer?.();
    const before = form.values.entries[0];
    if (!before) return;
    form.change(0, { picks: [yes ? 0 : 1], ownChosen: false });
    // What can't be seen here is seen before it goes.
    if (before.note.trim() || before.attachments.length || form.values.note.trim()) return go(`/a/${ask.askId}`);
    const end = (form.cancelQuickAnswer = () => {
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", send);
      unsay(said);
      form.cancelQuickAnswer = undefined;
    });
    const send = () => {
      end();
      void sendAnswer(form, false).then(() => !form.sent && toast(form.problem || say(get().queued.has(ask.askId) ? "queued" : "queued-closed")));
    };
    const undo = () => {
      end();
      form.change(0, { picks: before.picks, ownChosen: before.ownChosen });
      toast(say("undone"));
    };
    const timer = setTimeout(send, UNDO_MS);
    document.addEventListener("visibilitychange", send);
    const said = toast(say(yes ? "sending-yes" : "sending-no", { who: who(ask), title: headline(ask) }), { label: say("undo"), run: undo }, UNDO_MS);
  };
  return (
    <div class="row quick">
      <button aria-label={`${say("yes")}: ${headline(ask)}`} onClick={() => void choose(true)}>{say("yes")}</button>
      <button aria-label={`${say("no")}: ${headline(ask)}`} onClick={() => void choose(false)}>{say("no")}</button>
    </div>
  );
}
