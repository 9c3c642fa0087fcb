// By what a history is narrowed down: one control for each, and what is chosen as a list that one takes from.
import type { JSX } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { call } from "../lib/api.ts";
import { surface } from "../state/asks.ts";
import { go } from "../lib/router.ts";
import { now } from "../state/store.ts";
import { DAY, day } from "../lib/time.ts";
import type { Figures } from "../lib/types.ts";
import { useWide } from "../lib/window_width.ts";
import { say } from "../lib/i18n.ts";

export const OUTCOMES = ["answered", "late", "declined", "ask-back", "expired", "withdrawn", "undelivered"] as const;
const DAYS = ["1", "7", "30", "90"];
const BETWEEN = "between";
const NAMES = ["agent", "project", "branch", "outcome", "surface", "recommended", "days", "from", "until"] as const;
type Name = (typeof NAMES)[number];
type Pair = [value: string, label: string];

/** What the address looks for, as the hub wants it. Days are those of the person's calendar. */
export function wantedOf(asked: URLSearchParams): URLSearchParams {
  const wanted = new URLSearchParams(asked);
  for (const name of ["days", "from", "until"]) wanted.delete(name);
  const from = start(asked.get("from")) ?? valid(new Date(now() - (Number(asked.get("days")) || NaN) * DAY));
  const until = start(asked.get("until"), 1);
  if (from) wanted.set("since", from.toISOString());
  if (until) wanted.set("until", until.toISOString());
  return wanted;
}

/** When a day begins, or the one after it. */
function start(date: string | null, after = 0): Date | undefined {
  const [year, month, dayOf] = (date ?? "").split("-").map(Number);
  return year && month && dayOf ? valid(new Date(year, month - 1, dayOf + after)) : undefined;
}

/** No calendar goes farther. */
const valid = (at: Date): Date | undefined => (Number.isFinite(at.getTime()) ? at : undefined);

let known: Figures | undefined;

export function Facets({ query }: { query: string }): JSX.Element {
  const asked = new URLSearchParams(query);
  const wide = useWide("(min-width: 43.75em)");
  const [figures, put] = useState(known);
  const [between, setBetween] = useState(false);
  const search = useRef<HTMLInputElement>(null);
  const branch = useRef<HTMLInputElement>(null);
  useEffect(() => {
    // Who asks, for what, and where one answers: all that the history knows of.
    call<Figures>("GET", "history/stats").then((all) => put((known = all)), () => undefined);
  }, []);
  useLayoutEffect(() => {
    if (search.current) search.current.value = asked.get("q") ?? "";
    if (branch.current) branch.current.value = asked.get("branch") ?? "";
  }, [query]);

  const to = (name: string, value: string) => {
    const next = new URLSearchParams(asked);
    if (name === "days") ["days", "from", "until"].forEach((one) => next.delete(one));
    next.delete(name);
    if (value) next.set(name, value);
    go(`/history${next.size ? `?${next}` : ""}`);
  };
  const names = (all: string[] | undefined, name: Name): Pair[] => {
    const at = asked.get(name);
    return [...new Set([...(all ?? []), ...(at ? [at] : [])])].filter(Boolean).map((value) => [value, name === "surface" ? surface(value) : value]);
  };
  const values: Partial<Record<Name, Pair[]>> = {
    agent: names(figures?.agents.map((one) => one.agent), "agent"),
    project: names(figures?.projects.map((one) => one.project), "project"),
    outcome: OUTCOMES.map((name) => [name, say(`end-${name}`)]),
    surface: names(figures?.surfaces.map((one) => one.surface), "surface"),
    recommended: [["true", say("recommended-taken")], ["false", say("recommended-not-taken")]],
    days: [...DAYS.map((value): Pair => [value, say("last-days", { count: Number(value) })]), [BETWEEN, say("between")]],
  };
  const dated = between || asked.has("from") || asked.has("until");
  const select = (name: Name) => {
    const at = name === "days" && dated ? BETWEEN : (asked.get(name) ?? "");
    return (
      <label>
        {say(name === "days" ? "facet-when" : `facet-${name}`)}
        <select
          onChange={(event) => {
            const { value } = event.currentTarget;
            if (name === "days") setBetween(value === BETWEEN);
            to(name, value === BETWEEN ? "" : value);
          }}
        >
          <option value="" selected={!at}>{say(name === "days" ? "always" : "all")}</option>
          {values[name]?.map(([value, label]) => <option value={value} selected={at === value}>{label}</option>)}
        </select>
      </label>
    );
  };
  const chosen = NAMES.filter((name) => asked.get(name));
  const called = (name: Name): string => {
    const value = asked.get(name) ?? "";
    const of = (label: string) => `${say(name === "days" ? "facet-when" : `facet-${name}`)}: ${label}`;
    const date = start(value);
    if (name === "from" || name === "until") return of(date ? day(date) : value);
    return of(values[name]?.find(([one]) => one === value)?.[1] ?? value);
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
        <label class="vh" for="history-search">{say("search")}</label>
        <input ref={search} id="history-search" type="search" placeholder={say("search")} autocomplete="off" onChange={(event) => to("q", event.currentTarget.value.trim())} />
        <button>{say("search")}</button>
      </form>
      <details open={wide}>
        <summary>{say("filters")}{chosen.length > 0 && <span class="count">{chosen.length}</span>}</summary>
        <div class="filters">
          {select("outcome")}
          {select("days")}
          {dated && (["from", "until"] as const).map((name) => (
            <label>{say(`facet-${name}`)}<input type="date" value={asked.get(name) ?? ""} onChange={(event) => to(name, event.currentTarget.value)} /></label>
          ))}
          {select("agent")}
          {select("project")}
          <label>{say("facet-branch")}<input ref={branch} autocomplete="off" onChange={(event) => to("branch", event.currentTarget.value.trim())} /></label>
          {select("surface")}
          {select("recommended")}
        </div>
      </details>
      {chosen.length > 0 && (
        <p class="row wrap">
          {chosen.map((name) => (
            <button class="chosen" aria-label={say("remove-filter", { what: called(name) })} onClick={() => to(name, "")}>
              <bdi class="cut">{called(name)}</bdi> <span aria-hidden="true">×</span>
            </button>
          ))}
          <a href="/history">{say("clear-filters")}</a>
        </p>
      )}
    </search>
  );
}
