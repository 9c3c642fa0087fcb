// What is over: looked through by words, by who asked, where, when, and how it ended. What is looked for is in
// the address, so that it can be kept, shared and gone back to.
import type { JSX } from "preact";
import { useEffect, useReducer, useRef, useState } from "preact/hooks";
import { call, why } from "../lib/api.ts";
import { by, headline, where, who } from "../state/asks.ts";
import { Facets, OUTCOMES, wantedOf } from "../components/history_filters.tsx";
import { Dialog } from "../components/basics.tsx";
import { save } from "../lib/downloads.ts";
import { now, toast, useStore } from "../state/store.ts";
import { clock, took } from "../lib/time.ts";
import type { Ask, Figures, Past } from "../lib/types.ts";
import { say } from "../lib/i18n.ts";

const PAGE = 50;
/** So many searches are remembered. */
const MOST_KEPT = 12;

type Found = Past & { count?: number };
/** What was found, by what was looked for: whoever comes back finds it as it was. */
const kept = new Map<string, Found>();

function keep(query: string, found: Found): void {
  kept.delete(query);
  kept.set(query, found);
  if (kept.size > MOST_KEPT) kept.delete(kept.keys().next().value as string);
}

/** What was found is no more what it was. */
export const lookAgain = (): void => kept.clear();

export function HistoryPage({ query }: { query: string }): JSX.Element {
  const [, again] = useReducer((n: number) => n + 1, 0);
  const [problem, fail] = useState("");
  const [deleting, setDeleting] = useState(false);
  const local = useStore((state) => state.viewer?.local);
  const last = useRef<Found | undefined>(undefined);
  const wanted = wantedOf(new URLSearchParams(query));
  const found = kept.get(query);
  // Until the next is there, what was found before stays.
  const shown = found ?? last.current;
  last.current = shown;
  const look = (before?: number) => {
    const page = new URLSearchParams(wanted);
    if (before !== undefined) page.set("before", String(before));
    page.set("limit", String(PAGE));
    return call<Past>("GET", `asks?state=closed&${page}`);
  };
  useEffect(() => {
    let here = true;
    fail("");
    const tell = (part: Partial<Found>) => {
      keep(query, { ...(kept.get(query) ?? { asks: [] }), ...part });
      if (here) again(undefined as never);
    };
    // More than a first page is not fetched anew: one would lose one's place.
    if (!found || found.asks.length <= PAGE) look().then(tell, (error: unknown) => here && fail(why(error)));
    call<Figures>("GET", `history/stats?${wanted}`).then(({ asks }) => kept.has(query) && tell({ count: asks }), () => undefined);
    return () => {
      here = false;
    };
  }, [query, found === undefined]);
  const more = async () => {
    if (!found) return;
    const next = await look(found.before);
    const { before: _, ...rest } = found;
    keep(query, { ...rest, ...next, asks: [...found.asks, ...next.asks] });
    again(undefined as never);
  };
  const count = found?.count;
  return (
    <section class="history">
      <h1 tabIndex={-1}>{say("history")}</h1>
      <Facets query={query} />
      <p class="row wrap muted">
        <span role="status">{problem ? "" : !found ? say("looking") : count !== undefined && found.asks.length > 0 && say("found-count", { count })}</span>
        <span class="push row wrap">
          {say("export")} {["Markdown", "CSV", "JSON"].map((name) => {
            const format = name === "Markdown" ? "md" : name.toLowerCase();
            const path = `history/export?format=${format}&${wanted}`;
            return <a href={`/v1/${path}`} {...save(path, `history.${format}`)}>{name}</a>;
          })}
        </span>
      </p>
      {problem && <p class="mistake" role="alert">{say("failed", { why: problem })}</p>}
      {found && !found.asks.length && <p class="empty big" role="status">{say(query ? "nothing-found" : "nothing-over")}</p>}
      {shown && shown.asks.length > 0 && <ul class="past" aria-busy={!found}>{shown.asks.map((ask) => <Row key={ask.askId} ask={ask} />)}</ul>}
      <div class="row wrap">
        {found?.before !== undefined && <button onClick={() => void more().catch((error: unknown) => fail(why(error)))}>{say("show-more")}</button>}
        {local && found && found.asks.length > 0 && <button class="danger push" onClick={() => setDeleting(true)}>{say("delete-found")}</button>}
      </div>
      {deleting && <DeleteFound wanted={wanted} onClose={() => setDeleting(false)} onDone={() => (lookAgain(), again(undefined as never))} />}
    </section>
  );
}

type Forgotten = { count: number; undelivered: number };

/** Deletes what is found, once it was said how much that is. */
function DeleteFound({ wanted, onClose, onDone }: { wanted: URLSearchParams; onClose: () => void; onDone: () => void }): JSX.Element {
  const [would, put] = useState<Forgotten>();
  const [problem, fail] = useState("");
  const forget = (only: boolean) => call<Forgotten>("DELETE", `asks?${wanted}${wanted.size ? "" : "all=true"}${only ? "&count=true" : ""}`);
  useEffect(() => void forget(true).then(put, (error: unknown) => fail(why(error))), []);
  const go = async () => {
    try {
      const { count } = await forget(false);
      toast(say("deleted-count", { count }));
      onClose();
      onDone();
    } catch (error) {
      fail(why(error));
    }
  };
  return (
    <Dialog title={say("delete-found")} onClose={onClose}>
      {!would && !problem && <p class="muted" role="status">{say("looking")}</p>}
      {would && <p role="status">{would.count ? say("delete-found-says", { count: would.count }) : say("delete-found-none")}</p>}
      {would && would.undelivered > 0 && <p class="warn">{say("delete-found-undelivered", { count: would.undelivered })}</p>}
      {problem && <p class="mistake" role="alert">{say("failed", { why: problem })}</p>}
      <div class="row end">
        <button onClick={onClose}>{say("keep-it")}</button>
        {would && would.count > 0 && <button class="danger" onClick={() => void go()}>{say("delete-it")}</button>}
      </div>
    </Dialog>
  );
}

/** How it ended, in the words of the facet. */
export function end(ask: Ask): string {
  const found = OUTCOMES.find((name) => name === (ask.end ?? (ask.state === "clarify" ? "ask-back" : ask.state)));
  return found ? say(`end-${found}`) : say("waiting");
}

function Row({ ask }: { ask: Ask }): JSX.Element {
  const length = ask.answeredAt ? Date.parse(ask.answeredAt) - Date.parse(ask.askedAt) : undefined;
  return (
    <li class="item">
      <a href={`/history/${ask.askId}`}>
        <span class="title"><bdi>{headline(ask)}</bdi></span>
        <span class="muted small row wrap spread">
          <span><bdi>{who(ask)}</bdi>{where(ask) && <> · <bdi>{where(ask)}</bdi></>}</span>
          <span><span class={`badge ${ask.state}`}>{end(ask)}</span>{(ask.answeredDevice ?? ask.answeredFrom?.belowAgent) && <> <bdi>{by(ask)}</bdi></>} {took(length)} · <time dateTime={ask.askedAt}>{clock(ask.askedAt, now())}</time></span>
        </span>
      </a>
    </li>
  );
}
