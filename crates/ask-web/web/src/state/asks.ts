// What the page derives from asks: groups, order, names and marks. Pure.
import { DAY, formatTime, formatCountdown } from "../lib/time.ts";
import type { Ask } from "../lib/types.ts";
import { hasMessage, translate } from "../lib/i18n.ts";

export const GROUPS = ["waiting", "snoozed", "late", "kept"] as const;
export type Group = (typeof GROUPS)[number];

/** The group of an ask in the list; undefined once nothing is left to do. */
export function groupOf(ask: Ask): Group | undefined {
  if (ask.state === "waiting") {
    if (ask.snoozedUntil) return "snoozed";
    return ask.waiters ? "waiting" : "late";
  }
  if (ask.state === "expired") return "late";
  // Most agents that haven't fetched an answer for a day never will; the history has it.
  const old = Date.now() - Date.parse(ask.answeredAt ?? "") > DAY;
  return ask.heldUntil || (ask.state !== "withdrawn" && !ask.delivered && !ask.waiters && !old) ? "kept" : undefined;
}

/** Whether a person can still answer it. */
export function isAnswerable(ask: Ask): boolean {
  return ask.state === "waiting" || ask.state === "expired";
}

/** Whether an answer only waits for the agent to ask again. */
export function isLate(ask: Ask): boolean {
  return isAnswerable(ask) && (ask.state === "expired" || !ask.waiters);
}

/** By group, then deadline, then age. Times and ids sort correctly as plain text. */
export function sortAsks(asks: Iterable<Ask>): Ask[] {
  const keyed = [...asks].flatMap((ask): [string, Ask][] => {
    const group = groupOf(ask);
    return group ? [[`${GROUPS.indexOf(group)} ${ask.deadlineAt ?? "9"} ${ask.askedAt} ${ask.askId}`, ask]] : [];
  });
  return keyed.sort(([a], [b]) => (a < b ? -1 : Number(a > b))).map(([, ask]) => ask);
}

let sortedFrom: ReadonlyMap<string, Ask> | undefined;
let sortedCache: Ask[] = [];
/** All known asks, sorted once for each state of the map. */
export function sortedAsks(asks: ReadonlyMap<string, Ask>): Ask[] {
  if (asks !== sortedFrom) [sortedFrom, sortedCache] = [asks, sortAsks(asks.values())];
  return sortedCache;
}

/** How many wait for an answer. */
export function waitingCount(asks: ReadonlyMap<string, Ask>): number {
  let count = 0;
  for (const ask of asks.values()) if (groupOf(ask) === "waiting") count++;
  return count;
}

/** Who asks: the client's name, else what the agent calls itself. */
export function askerName(ask: Ask): string {
  return ask.shown.asker.client ?? ask.shown.asker.agent ?? translate("an-agent");
}

/** Where it was answered, on which paired device, or below which agent: "browser · iPhone, Safari". */
export function answeredVia(ask: Ask): string {
  return [surfaceName(ask.answeredBy), ask.answeredDevice, belowAgent(ask)].filter(Boolean).join(" · ");
}

/** A note, if an agent had started the program that answered. */
function belowAgent({ answeredFrom }: Ask): string | undefined {
  const agent = answeredFrom?.belowAgent;
  return agent && translate("below-agent", { agent });
}

/** Where the agent works: "project:branch". */
export function projectAndBranch({ shown: { asker } }: Ask): string {
  return [asker.project, asker.branch].filter(Boolean).join(":");
}

/** A surface's name, translated if it is one of ours. */
export function surfaceName(name = ""): string {
  const id = `surface-${name}`;
  return hasMessage(id) ? translate(id) : name;
}

/** The labels of a question's choices. Yes and no are translated. */
export const choiceLabels = (ask: Ask, at: number): string[] =>
  ask.questions[at]?.type === "confirm" ? [translate("yes"), translate("no")] : (ask.shown.questions?.[at]?.choices ?? []).map((choice) => choice.label);

export const headline = (ask: Ask): string => ask.shown.title || translate("untitled");

/** A question's name in the list of steps. */
export const shortName = (ask: Ask, at: number): string => ask.shown.questions?.[at]?.title ?? "";

const searchTexts = new WeakMap<Ask, string>();

/** Whether every word of the filter occurs in the ask. */
export function matchesFilter(ask: Ask, filter: string): boolean {
  const text = searchTexts.get(ask) ?? [...Object.values(ask.shown.asker), ask.shown.title, ...ask.questions.map((q) => q.question.slice(0, 2000))]
    .join("\n").toLowerCase();
  searchTexts.set(ask, text);
  return filter.toLowerCase().split(/\s+/).every((word) => text.includes(word));
}

/** How many questions have an answer in the saved draft. */
export function answeredCount(ask: Ask): number {
  return (ask.draft?.answers ?? []).filter((a) => a.none || a.picks?.length || a.own?.trim() || a.attachments?.length).length;
}

/** The mark of an ask in the list; `urgent` if little time is left. */
export function statusMark(ask: Ask, now: number): { text: string; urgent?: boolean } | undefined {
  const { snoozedUntil } = ask;
  if (ask.state === "answered" || ask.state === "declined" || ask.state === "clarify" || ask.state === "expired") {
    return { text: [translate(`mark-${ask.state}`), belowAgent(ask)].filter(Boolean).join(" · ") };
  }
  if (snoozedUntil) {
    return { text: snoozedUntil === "asked-again" ? translate("back-when-asked") : translate("back-at", { at: formatTime(snoozedUntil, now) }) };
  }
  if (ask.deadlineAt) {
    const ms = Date.parse(ask.deadlineAt) - now;
    return { text: translate("due-in", { left: formatCountdown(ms) }), urgent: ms < 60_000 };
  }
  if (ask.inClient) return { text: translate(ask.inClient === "dialog" ? "mark-dialog" : "mark-handed") };
  const done = answeredCount(ask);
  if (done && ask.questions.length > 1) return { text: translate("mark-answered-of", { given: done, all: ask.questions.length }) };
  if (done) return { text: translate("mark-draft") };
  if (ask.askedAgainAt) return { text: translate("mark-asked-again") };
  return undefined;
}

/** Which kind of answer an ask wants. */
export function answerKind(ask: Ask): string {
  const [first, ...rest] = ask.questions;
  if (rest.length) return translate("questions", { count: rest.length + 1 });
  if (first?.options?.some((choice) => choice.preview)) return translate("kind-preview");
  return first ? translate(`kind-${first.type}`) : "";
}
