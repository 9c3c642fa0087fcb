// Statistics: each block a picture and the same numbers as a table. Everything stays on this machine.
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { call, why } from "../lib/api.ts";
import { Scroll } from "../components/markdown.tsx";
import { OUTCOMES } from "../components/history_filters.tsx";
import { surface } from "../state/asks.ts";
import { day, hour, percent, took } from "../lib/time.ts";
import type { Figures } from "../lib/types.ts";
import { say } from "../lib/i18n.ts";

export function StatsPage(): JSX.Element {
  const [figures, put] = useState<Figures>();
  const [problem, fail] = useState("");
  useEffect(() => {
    call<Figures>("GET", "history/stats").then(put, (error: unknown) => fail(why(error)));
  }, []);
  return (
    <section class="stats">
      <h1 tabIndex={-1}>{say("stats")}</h1>
      {problem && <p class="mistake" role="alert">{say("failed", { why: problem })}</p>}
      {!figures && !problem && <p class="muted" role="status">{say("looking")}</p>}
      {figures && <All figures={figures} />}
    </section>
  );
}

const share = (of: number, all: number) => (all ? percent(of / all) : "–");
/** A date of the hub's calendar, which is not a moment. */
const dated = (date: string) => day(new Date(`${date}T12:00`));

function All({ figures }: { figures: Figures }): JSX.Element {
  const { asks, answered, waiting, outcomes } = figures;
  const tiles: [string, string][] = [
    [say("stats-asks"), String(asks)],
    [say("stats-answered"), share(answered, asks)],
    [say("stats-median"), took(figures.took.medianMs)],
    [say("stats-waiting"), String(waiting)],
    [say("stats-longest"), took(figures.longestTodayMs)],
  ];
  if (!asks && !waiting) return <p class="empty big">{say("nothing-over")}</p>;
  const days = figures.days.slice(-30);
  const agents = figures.agents;
  const surfaces = figures.surfaces.filter((one) => one.count);
  return (
    <>
      <dl class="tiles">{tiles.map(([name, value]) => <div><dt>{name}</dt><dd>{value}</dd></div>)}</dl>
      <Block
        title={say("stats-days")} head={[say("facet-day"), say("facet-agent"), say("stats-asks")]}
        bars={days.map(({ date, agents }) => [dated(date), agents.reduce((sum, one) => sum + one.asks, 0)])} upright
        rows={days.flatMap(({ date, agents }) => agents.map((one) => [dated(date), one.agent, one.asks]))}
      />
      <Block
        title={say("stats-outcomes")} head={[say("facet-outcome"), say("stats-asks"), "%"]}
        bars={Object.entries(outcomes).filter(([, count]) => count).map(([name, count]) => [endName(name), count])}
        rows={Object.entries(outcomes).map(([name, count]) => [endName(name), count, share(count, asks)])}
      />
      <Block
        title={say("stats-surfaces")} head={[say("facet-surface"), say("stats-asks"), say("stats-median"), say("stats-p90")]}
        bars={surfaces.map((one) => [surface(one.surface), one.count])}
        rows={surfaces.map((one) => [surface(one.surface), one.count, took(one.medianMs), took(one.p90Ms)])}
      />
      <Block
        title={say("stats-hours")} head={[say("facet-hour"), say("stats-asks"), say("stats-median"), say("stats-p90")]} upright
        bars={figures.hours.map((one) => [hour(one.hour), one.medianMs ?? 0])} said={took}
        rows={figures.hours.map((one) => [hour(one.hour), one.count, took(one.medianMs), took(one.p90Ms)])}
      />
      <Block
        title={say("stats-agents")}
        head={[say("facet-agent"), say("stats-asks"), say("recommended"), say("stats-another"), say("stats-own"), say("stats-notes"), say("stats-ask-backs")]}
        bars={agents.map((one) => [one.agent, one.withOptions ? one.ownWords / one.withOptions : 0])} said={percent} whole={1} note={say("stats-agents-says")}
        rows={agents.map((one) => [
          one.agent, one.asks, share(one.recommended, one.withRecommendation), share(one.another, one.withRecommendation),
          share(one.ownWords, one.withOptions), one.notes, one.askBacks,
        ])}
      />
    </>
  );
}

function endName(name: string): string {
  const found = OUTCOMES.find((one) => one === name);
  return found ? say(`end-${found}`) : name;
}

type BlockProps = {
  title: string;
  head: string[];
  bars: [string, number][];
  rows: (string | number)[][];
  upright?: boolean;
  /** How a value is written. */
  said?: (value: number) => string;
  /** What fills a bar; the largest value where nothing is said. */
  whole?: number | undefined;
  note?: string;
};

function Block({ title, head, bars, rows, upright, said = String, whole, note }: BlockProps): JSX.Element | null {
  if (!rows.length) return null;
  return (
    <section class="panel">
      <h2>{title}</h2>
      {note && <p class="muted">{note}</p>}
      {upright ? <Columns bars={bars} said={said} /> : <Bars bars={bars} said={said} whole={whole} />}
      <details>
        <summary>{say("as-table")}<span class="vh">: {title}</span></summary>
        <Scroll label={title}>
          <table>
            <thead><tr>{head.map((cell) => <th scope="col">{cell}</th>)}</tr></thead>
            <tbody>{rows.map((row) => <tr>{row.map((cell, at) => (at ? <td>{cell}</td> : <th scope="row">{cell}</th>))}</tr>)}</tbody>
          </table>
        </Scroll>
      </details>
    </section>
  );
}

/** Lying bars with their names. */
function Bars({ bars, said, whole }: Pick<BlockProps, "bars" | "whole"> & { said: (value: number) => string }): JSX.Element {
  const most = whole ?? (Math.max(...bars.map(([, value]) => value)) || 1);
  return (
    <ul class="bars" aria-hidden="true">
      {bars.map(([name, value]) => (
        <li>
          <span class="cut">{name}</span>
          <svg viewBox="0 0 100 10" preserveAspectRatio="none"><rect width={(value / most) * 100} height="10" /></svg>
          <span>{said(value)}</span>
        </li>
      ))}
    </ul>
  );
}

/** Standing bars, one beside the other, with what the highest stands for. */
function Columns({ bars, said }: { bars: [string, number][]; said: (value: number) => string }): JSX.Element {
  const most = Math.max(...bars.map(([, value]) => value)) || 1;
  const wide = Math.max(bars.length, 12);
  return (
    <div class="columns" aria-hidden="true">
      <p class="muted small">{said(most)}</p>
      <svg viewBox={`0 0 ${wide * 10} 60`} preserveAspectRatio="none">
        {bars.map(([name, value], at) => {
          const height = Math.max(1, (value / most) * 58);
          return <rect x={at * 10 + 1} y={60 - height} width="8" height={height}><title>{name}</title></rect>;
        })}
      </svg>
      <p class="row spread muted small">
        {/* A few stand where the row begins, and so do their names. */}
        <span>{bars[0]?.[0]}{bars.length > 1 && bars.length < wide && ` – ${bars.at(-1)?.[0]}`}</span>
        {bars.length === wide && <span>{bars.at(-1)?.[0]}</span>}
      </p>
    </div>
  );
}
