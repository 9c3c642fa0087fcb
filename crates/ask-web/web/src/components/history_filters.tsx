// The filters of the history: one control for each, and a list of the active ones with a button to remove each.
import type { JSX } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { call } from "../lib/api.ts";
import { surfaceName } from "../state/asks.ts";
import { navigate } from "../lib/router.ts";
import { hubNow } from "../state/store.ts";
import { DAY, formatDay } from "../lib/time.ts";
import type { Stats } from "../lib/types.ts";
import { useWide } from "../lib/window_width.ts";
import { translate } from "../lib/i18n.ts";

export const OUTCOMES = ["answered", "late", "declined", "ask-back", "expired", "withdrawn", "undelivered"] as const;
const DAYS = ["1", "7", "30", "90"];
const BETWEEN = "between";
const NAMES = ["agent", "project", "branch", "outcome", "surface", "recommended", "days", "from", "until"] as const;
type Name = (typeof NAMES)[number];
type Pair = [value: string, label: string];

/** The hub's query for the filters in the page's address. Days are those of the person's calendar. */
export function hubQuery(filters: URLSearchParams): URLSearchParams {
  const query = new URLSearchParams(filters);
  for (const name of ["days", "from", "until"]) query.delete(name);
  const from = startOfDay(filters.get("from")) ?? validDate(new Date(hubNow() - (Number(filters.get("days")) || NaN) * DAY));
  const until = startOfDay(filters.get("until"), 1);
  if (from) query.set("since", from.toISOString());
  if (until) query.set("until", until.toISOString());
  return query;
}

/** When a day begins, or a day so many days after it. */
function startOfDay(date: string | null, daysAfter = 0): Date | undefined {
  const [year, month, dayOf] = (date ?? "").split("-").map(Number);
  return year && month && dayOf ? validDate(new Date(year, month - 1, dayOf + daysAfter)) : undefined;
}

/** The date, or undefined if it is outside of what `Date` can represent. */
const validDate = (at: Date): Date | undefined => (Number.isFinite(at.getTime()) ? at : undefined);

let cachedStats: Stats | undefined;

export function Facets({ query }: { query: string }): JSX.Element {
  const filters = new URLSearchParams(query);
  const wide = useWide("(min-width: 43.75em)");
  const [stats, setStats] = useState(cachedStats);
  const [isBetween, setBetween] = useState(false);
  const search = useRef<HTMLInputElement>(null);
  const branch = useRef<HTMLInputElement>(null);
  useEffect(() => {
    // The statistics of the whole history have all agents, projects and surfaces to choose from.
    call<Stats>("GET", "history/stats").then((all) => setStats((cachedStats = all)), () => undefined);
  }, []);
  useLayoutEffect(() => {
    if (search.current) search.current.value = filters.get("q") ?? "";
    if (branch.current) branch.current.value = filters.get("branch") ?? "";
  }, [query]);

  const to = (name: string, value: string) => {
    const next = new URLSearchParams(filters);
    if (name === "days") ["days", "from", "until"].forEach((one) => next.delete(one));
    next.delete(name);
    if (value) next.set(name, value);
    navigate(`/history${next.size ? `?${next}` : ""}`);
  };
  const names = (all: string[] | undefined, name: Name): Pair[] => {
    const at = filters.get(name);
    return [...new Set([...(all ?? []), ...(at ? [at] : [])])].filter(Boolean).map((value) => [value, name === "surface" ? surfaceName(value) : value]);
  };
  const values: Partial<Record<Name, Pair[]>> = {
    agent: names(stats?.agents.map((one) => one.agent), "agent"),
    project: names(stats?.projects.map((one) => one.project), "project"),
    outcome: OUTCOMES.map((name) => [name, translate(`end-${name}`)]),
    surface: names(stats?.surfaces.map((one) => one.surface), "surface"),
    recommended: [["true", translate("recommended-taken")], ["false", translate("recommended-not-taken")]],
    days: [...DAYS.map((value): Pair => [value, translate("last-days", { count: Number(value) })]), [BETWEEN, translate("between")]],
  };
  const hasDates = isBetween || filters.has("from") || filters.has("until");
  const select = (name: Name) => {
    const at = name === "days" && hasDates ? BETWEEN : (filters.get(name) ?? "");
    return (
      <label>
        {translate(name === "days" ? "facet-when" : `facet-${name}`)}
        <select
          onChange={(event) => {
            const { value } = event.currentTarget;
            if (name === "days") setBetween(value === BETWEEN);
            to(name, value === BETWEEN ? "" : value);
          }}
        >
          <option value="" selected={!at}>{translate(name === "days" ? "always" : "all")}</option>
          {values[name]?.map(([value, label]) => <option value={value} selected={at === value}>{label}</option>)}
        </select>
      </label>
    );
  };
  const chosen = NAMES.filter((name) => filters.get(name));
  const filterLabel = (name: Name): string => {
    const value = filters.get(name) ?? "";
    const labelled = (label: string) => `${translate(name === "days" ? "facet-when" : `facet-${name}`)}: ${label}`;
    const date = startOfDay(value);
    if (name === "from" || name === "until") return labelled(date ? formatDay(date) : value);
    return labelled(values[name]?.find(([one]) => one === value)?.[1] ?? value);
  };
  return (
    <search class="facets">
      <form
        class="row"
        onSubmit={(event) => {
          event.preventDefault();
          to("q", search.current?.value.trim() ?? "");
        }}
      >
        <label class="vh" for="history-search">{translate("search")}</label>
        <input ref={search} id="history-search" type="search" placeholder={translate("search")} autocomplete="off" onChange={(event) => to("q", event.currentTarget.value.trim())} />
        <button>{translate("search")}</button>
      </form>
      <details open={wide}>
        <summary>{translate("filters")}{chosen.length > 0 && <span class="count">{chosen.length}</span>}</summary>
        <div class="filters">
          {select("outcome")}
          {select("days")}
          {hasDates && (["from", "until"] as const).map((name) => (
            <label>{translate(`facet-${name}`)}<input type="date" value={filters.get(name) ?? ""} onChange={(event) => to(name, event.currentTarget.value)} /></label>
          ))}
          {select("agent")}
          {select("project")}
          <label>{translate("facet-branch")}<input ref={branch} autocomplete="off" onChange={(event) => to("branch", event.currentTarget.value.trim())} /></label>
          {select("surface")}
          {select("recommended")}
        </div>
      </details>
      {chosen.length > 0 && (
        <p class="row wrap">
          {chosen.map((name) => (
            <button class="chosen" aria-label={translate("remove-filter", { what: filterLabel(name) })} onClick={() => to(name, "")}>
              <bdi class="cut">{filterLabel(name)}</bdi> <span aria-hidden="true">×</span>
            </button>
          ))}
          <a href="/history">{translate("clear-filters")}</a>
        </p>
      )}
    </search>
  );
}
