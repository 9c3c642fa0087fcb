// The statistics: each block has a chart and the same numbers as a table. Everything stays on this machine.
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { call, errorText } from "../lib/api.ts";
import { Scroll } from "../components/markdown.tsx";
import { OUTCOMES } from "../components/history_filters.tsx";
import { surfaceName } from "../state/asks.ts";
import { formatDay, formatHour, formatPercent, formatDuration } from "../lib/time.ts";
import type { Stats } from "../lib/types.ts";
import { translate } from "../lib/i18n.ts";

export function StatsPage(): JSX.Element {
  const [stats, setStats] = useState<Stats>();
  const [problem, setProblem] = useState("");
  useEffect(() => {
    call<Stats>("GET", "history/stats").then(setStats, (error: unknown) => setProblem(errorText(error)));
  }, []);
  return (
    <section class="stats">
      <h1 tabIndex={-1}>{translate("stats")}</h1>
      {problem && <p class="mistake" role="alert">{translate("failed", { why: problem })}</p>}
      {!stats && !problem && <p class="muted" role="status">{translate("looking")}</p>}
      {stats && <AllStats stats={stats} />}
    </section>
  );
}

const share = (part: number, all: number) => (all ? formatPercent(part / all) : "–");
/** Formats a date of the hub's calendar, which has no time and no time zone. */
const formatDate = (date: string) => formatDay(new Date(`${date}T12:00`));

function AllStats({ stats }: { stats: Stats }): JSX.Element {
  const { asks, answered, waiting, outcomes } = stats;
  const tiles: [string, string][] = [
    [translate("stats-asks"), String(asks)],
    [translate("stats-answered"), share(answered, asks)],
    [translate("stats-median"), formatDuration(stats.took.medianMs)],
    [translate("stats-waiting"), String(waiting)],
    [translate("stats-longest"), formatDuration(stats.longestTodayMs)],
  ];
  if (!asks && !waiting) return <p class="empty big">{translate("nothing-over")}</p>;
  const days = stats.days.slice(-30);
  const agents = stats.agents;
  const surfaces = stats.surfaces.filter((one) => one.count);
  return (
    <>
      <dl class="tiles">{tiles.map(([name, value]) => <div><dt>{name}</dt><dd>{value}</dd></div>)}</dl>
      <Block
        title={translate("stats-days")} head={[translate("facet-day"), translate("facet-agent"), translate("stats-asks")]}
        bars={days.map(({ date, agents }) => [formatDate(date), agents.reduce((sum, one) => sum + one.asks, 0)])} upright
        rows={days.flatMap(({ date, agents }) => agents.map((one) => [formatDate(date), one.agent, one.asks]))}
      />
      <Block
        title={translate("stats-outcomes")} head={[translate("facet-outcome"), translate("stats-asks"), "%"]}
        bars={Object.entries(outcomes).filter(([, count]) => count).map(([name, count]) => [outcomeName(name), count])}
        rows={Object.entries(outcomes).map(([name, count]) => [outcomeName(name), count, share(count, asks)])}
      />
      <Block
        title={translate("stats-surfaces")} head={[translate("facet-surface"), translate("stats-asks"), translate("stats-median"), translate("stats-p90")]}
        bars={surfaces.map((one) => [surfaceName(one.surface), one.count])}
        rows={surfaces.map((one) => [surfaceName(one.surface), one.count, formatDuration(one.medianMs), formatDuration(one.p90Ms)])}
      />
      <Block
        title={translate("stats-hours")} head={[translate("facet-hour"), translate("stats-asks"), translate("stats-median"), translate("stats-p90")]} upright
        bars={stats.hours.map((one) => [formatHour(one.hour), one.medianMs ?? 0])} format={formatDuration}
        rows={stats.hours.map((one) => [formatHour(one.hour), one.count, formatDuration(one.medianMs), formatDuration(one.p90Ms)])}
      />
      <Block
        title={translate("stats-agents")}
        head={[translate("facet-agent"), translate("stats-asks"), translate("recommended"), translate("stats-another"), translate("stats-own"), translate("stats-notes"), translate("stats-ask-backs")]}
        bars={agents.map((one) => [one.agent, one.withOptions ? one.ownWords / one.withOptions : 0])} format={formatPercent} fullValue={1} note={translate("stats-agents-says")}
        rows={agents.map((one) => [
          one.agent, one.asks, share(one.recommended, one.withRecommendation), share(one.another, one.withRecommendation),
          share(one.ownWords, one.withOptions), one.notes, one.askBacks,
        ])}
      />
    </>
  );
}

function outcomeName(name: string): string {
  const found = OUTCOMES.find((one) => one === name);
  return found ? translate(`end-${found}`) : name;
}

type BlockProps = {
  title: string;
  head: string[];
  bars: [string, number][];
  rows: (string | number)[][];
  upright?: boolean;
  /** Formats a value. */
  format?: (value: number) => string;
  /** The value of a full bar; by default the largest one. */
  fullValue?: number | undefined;
  note?: string;
};

function Block({ title, head, bars, rows, upright, format = String, fullValue, note }: BlockProps): JSX.Element | null {
  if (!rows.length) return null;
  return (
    <section class="panel">
      <h2>{title}</h2>
      {note && <p class="muted">{note}</p>}
      {upright ? <Columns bars={bars} format={format} /> : <Bars bars={bars} format={format} fullValue={fullValue} />}
      <details>
        <summary>{translate("as-table")}<span class="vh">: {title}</span></summary>
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

/** Horizontal bars with their names. */
function Bars({ bars, format, fullValue }: Pick<BlockProps, "bars" | "fullValue"> & { format: (value: number) => string }): JSX.Element {
  const max = fullValue ?? (Math.max(...bars.map(([, value]) => value)) || 1);
  return (
    <ul class="bars" aria-hidden="true">
      {bars.map(([name, value]) => (
        <li>
          <span class="cut">{name}</span>
          <svg viewBox="0 0 100 10" preserveAspectRatio="none"><rect width={(value / max) * 100} height="10" /></svg>
          <span>{format(value)}</span>
        </li>
      ))}
    </ul>
  );
}

/** Vertical bars side by side, with the value of the highest. */
function Columns({ bars, format }: { bars: [string, number][]; format: (value: number) => string }): JSX.Element {
  const max = Math.max(...bars.map(([, value]) => value)) || 1;
  const wide = Math.max(bars.length, 12);
  return (
    <div class="columns" aria-hidden="true">
      <p class="muted small">{format(max)}</p>
      <svg viewBox={`0 0 ${wide * 10} 60`} preserveAspectRatio="none">
        {bars.map(([name, value], at) => {
          const height = Math.max(1, (value / max) * 58);
          return <rect x={at * 10 + 1} y={60 - height} width="8" height={height}><title>{name}</title></rect>;
        })}
      </svg>
      <p class="row spread muted small">
        {/* A few bars are at the start of the row, and so are their names. */}
        <span>{bars[0]?.[0]}{bars.length > 1 && bars.length < wide && ` – ${bars.at(-1)?.[0]}`}</span>
        {bars.length === wide && <span>{bars.at(-1)?.[0]}</span>}
      </p>
    </div>
  );
}
