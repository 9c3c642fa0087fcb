// The history: closed asks, searched by words and filters. The search is in the page's address, so that it can be
// bookmarked, shared and returned to.
import type { JSX } from "preact";
import { useEffect, useReducer, useRef, useState } from "preact/hooks";
import { call, errorText } from "../lib/api.ts";
import { answeredVia, headline, projectAndBranch, askerName } from "../state/asks.ts";
import { Facets, OUTCOMES, hubQuery } from "../components/history_filters.tsx";
import { Dialog } from "../components/basics.tsx";
import { downloadHandlers } from "../lib/downloads.ts";
import { hubNow, toast, useStore } from "../state/store.ts";
import { formatTime, formatDuration } from "../lib/time.ts";
import type { Ask, Stats, HistoryResponse } from "../lib/types.ts";
import { translate } from "../lib/i18n.ts";

const PAGE_SIZE = 50;
/** How many searches are cached. */
const MAX_CACHED = 12;

type SearchResult = HistoryResponse & { count?: number };
/** Results by their query, so that going back shows the list as it was. */
const cache = new Map<string, SearchResult>();

function cacheResult(query: string, found: SearchResult): void {
  cache.delete(query);
  cache.set(query, found);
  if (cache.size > MAX_CACHED) cache.delete(cache.keys().next().value as string);
}

/** Drops all cached results after asks were deleted. */
export const clearCache = (): void => cache.clear();

export function HistoryPage({ query }: { query: string }): JSX.Element {
  const [, rerender] = useReducer((n: number) => n + 1, 0);
  const [problem, setProblem] = useState("");
  const [deleting, setDeleting] = useState(false);
  const local = useStore((state) => state.viewer?.local);
  const last = useRef<SearchResult | undefined>(undefined);
  const filters = hubQuery(new URLSearchParams(query));
  const found = cache.get(query);
  // The previous results stay until the new ones are loaded.
  const shown = found ?? last.current;
  last.current = shown;
  const loadPage = (before?: number) => {
    const page = new URLSearchParams(filters);
    if (before !== undefined) page.set("before", String(before));
    page.set("limit", String(PAGE_SIZE));
    return call<HistoryResponse>("GET", `asks?state=closed&${page}`);
  };
  useEffect(() => {
    let isCurrent = true;
    setProblem("");
    const update = (part: Partial<SearchResult>) => {
      cacheResult(query, { ...(cache.get(query) ?? { asks: [] }), ...part });
      if (isCurrent) rerender(undefined as never);
    };
    // Only a first page is loaded again: with more pages the person would lose their place.
    if (!found || found.asks.length <= PAGE_SIZE) loadPage().then(update, (error: unknown) => isCurrent && setProblem(errorText(error)));
    call<Stats>("GET", `history/stats?${filters}`).then(({ asks }) => cache.has(query) && update({ count: asks }), () => undefined);
    return () => {
      isCurrent = false;
    };
  }, [query, found === undefined]);
  const loadMore = async () => {
    if (!found) return;
    const next = await loadPage(found.before);
    const { before: _, ...rest } = found;
    cacheResult(query, { ...rest, ...next, asks: [...found.asks, ...next.asks] });
    rerender(undefined as never);
  };
  const count = found?.count;
  return (
    <section class="history">
      <h1 tabIndex={-1}>{translate("history")}</h1>
      <Facets query={query} />
      <p class="row wrap muted">
        <span role="status">{problem ? "" : !found ? translate("looking") : count !== undefined && found.asks.length > 0 && translate("found-count", { count })}</span>
        <span class="push row wrap">
          {translate("export")} {["Markdown", "CSV", "JSON"].map((name) => {
            const format = name === "Markdown" ? "md" : name.toLowerCase();
            const path = `history/export?format=${format}&${filters}`;
            return <a href={`/v1/${path}`} {...downloadHandlers(path, `history.${format}`)}>{name}</a>;
          })}
        </span>
      </p>
      {problem && <p class="mistake" role="alert">{translate("failed", { why: problem })}</p>}
      {found && !found.asks.length && <p class="empty big" role="status">{translate(query ? "nothing-found" : "nothing-over")}</p>}
      {shown && shown.asks.length > 0 && <ul class="history-list" aria-busy={!found}>{shown.asks.map((ask) => <HistoryItem key={ask.askId} ask={ask} />)}</ul>}
      <div class="row wrap">
        {found?.before !== undefined && <button onClick={() => void loadMore().catch((error: unknown) => setProblem(errorText(error)))}>{translate("show-more")}</button>}
        {local && found && found.asks.length > 0 && <button class="danger push" onClick={() => setDeleting(true)}>{translate("delete-found")}</button>}
      </div>
      {deleting && <DeleteFound filters={filters} onClose={() => setDeleting(false)} onDone={() => (clearCache(), rerender(undefined as never))} />}
    </section>
  );
}

type DeleteCount = { count: number; undelivered: number };

/** The dialog that deletes all results, after it has shown how many there are. */
function DeleteFound({ filters, onClose, onDone }: { filters: URLSearchParams; onClose: () => void; onDone: () => void }): JSX.Element {
  const [affected, setAffected] = useState<DeleteCount>();
  const [problem, setProblem] = useState("");
  const deleteAsks = (countOnly: boolean) => call<DeleteCount>("DELETE", `asks?${filters}${filters.size ? "" : "all=true"}${countOnly ? "&count=true" : ""}`);
  useEffect(() => void deleteAsks(true).then(setAffected, (error: unknown) => setProblem(errorText(error))), []);
  const confirm = async () => {
    try {
      const { count } = await deleteAsks(false);
      toast(translate("deleted-count", { count }));
      onClose();
      onDone();
    } catch (error) {
      setProblem(errorText(error));
    }
  };
  return (
    <Dialog title={translate("delete-found")} onClose={onClose}>
      {!affected && !problem && <p class="muted" role="status">{translate("looking")}</p>}
      {affected && <p role="status">{affected.count ? translate("delete-found-says", { count: affected.count }) : translate("delete-found-none")}</p>}
      {affected && affected.undelivered > 0 && <p class="warn">{translate("delete-found-undelivered", { count: affected.undelivered })}</p>}
      {problem && <p class="mistake" role="alert">{translate("failed", { why: problem })}</p>}
      <div class="row end">
        <button onClick={onClose}>{translate("keep-it")}</button>
        {affected && affected.count > 0 && <button class="danger" onClick={() => void confirm()}>{translate("delete-it")}</button>}
      </div>
    </Dialog>
  );
}

/** How the ask ended, named as in the outcome filter. */
export function outcomeLabel(ask: Ask): string {
  const found = OUTCOMES.find((name) => name === (ask.end ?? (ask.state === "clarify" ? "ask-back" : ask.state)));
  return found ? translate(`end-${found}`) : translate("waiting");
}

function HistoryItem({ ask }: { ask: Ask }): JSX.Element {
  const duration = ask.answeredAt ? Date.parse(ask.answeredAt) - Date.parse(ask.askedAt) : undefined;
  return (
    <li class="item">
      <a href={`/history/${ask.askId}`}>
        <span class="title"><bdi>{headline(ask)}</bdi></span>
        <span class="muted small row wrap spread">
          <span><bdi>{askerName(ask)}</bdi>{projectAndBranch(ask) && <> · <bdi>{projectAndBranch(ask)}</bdi></>}</span>
          <span><span class={`badge ${ask.state}`}>{outcomeLabel(ask)}</span>{(ask.answeredDevice ?? ask.answeredFrom?.belowAgent) && <> <bdi>{answeredVia(ask)}</bdi></>} {formatDuration(duration)} · <time dateTime={ask.askedAt}>{formatTime(ask.askedAt, hubNow())}</time></span>
        </span>
      </a>
    </li>
  );
}
