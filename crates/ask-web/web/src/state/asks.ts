// What can be read off asks: their groups, order, names and marks. Pure.
import { DAY, clock, left } from "../lib/time.ts";
import type { Ask } from "../lib/types.ts";
import { isWord, say } from "../lib/i18n.ts";

export const GROUPS = ["waiting", "snoozed", "late", "kept"] as const;
export type Group = (typeof GROUPS)[number];

/** The group that an ask stands in; none once there is nothing left to do. */
export function group(ask: Ask): Group | undefined {
  if (ask.state === "waiting") {
    if (ask.snoozedUntil) return "snoozed";
    return ask.waiters ? "waiting" : "late";
  }
  if (ask.state === "expired") return "late";
  // Most agents that haven't fetched an answer for a day never will; the history has it.
  const old = Date.now() - Date.parse(ask.answeredAt ?? "") > DAY;
  return ask.state !== "withdrawn" && !ask.delivered && !ask.waiters && !old ? "kept" : undefined;
}

/** Whether a person can still answer it. */
export function answerable(ask: Ask): boolean {
  return ask.state === "waiting" || ask.state === "expired";
}

/** Whether an answer only waits for the agent to ask again. */
export function isLate(ask: Ask): boolean {
  return answerable(ask) && (ask.state === "expired" || !ask.waiters);
}

/** Group by group; within, by deadline and then age. Moments and ids stand in order as plain text does. */
export function sorted(asks: Iterable<Ask>): Ask[] {
  const keyed = [...asks].flatMap((ask): [string, Ask][] => {
    const of = group(ask);
    return of ? [[`${GROUPS.indexOf(of)} ${ask.deadlineAt ?? "9"} ${ask.askedAt} ${ask.askId}`, ask]] : [];
  });
  return keyed.sort(([a], [b]) => (a < b ? -1 : Number(a > b))).map(([, ask]) => ask);
}

let of: ReadonlyMap<string, Ask> | undefined;
let order: Ask[] = [];
/** The same of all that is known, sorted once for as long as nothing of it changes. */
export function inOrder(asks: ReadonlyMap<string, Ask>): Ask[] {
  if (asks !== of) [of, order] = [asks, sorted(asks.values())];
  return order;
}

/** How many wait for an answer. */
export function waitingCount(asks: ReadonlyMap<string, Ask>): number {
  let count = 0;
  for (const ask of asks.values()) if (group(ask) === "waiting") count++;
  return count;
}

/** Who asks: the client's name, else what the agent calls itself. */
export function who(ask: Ask): string {
  return ask.shown.asker.client ?? ask.shown.asker.agent ?? say("an-agent");
}

/** Where it was answered, and on which device, if that was let in, or below which agent: "browser · iPhone, Safari". */
export function by({ answeredBy, answeredDevice, answeredFrom }: Ask): string {
  const below = answeredFrom?.belowAgent;
  return [surface(answeredBy), answeredDevice, below && say("below-agent", { agent: below })].filter(Boolean).join(" · ");
}

/** Where it works, at a glance. */
export function where({ shown: { asker } }: Ask): string {
  return [asker.project, asker.branch].filter(Boolean).join(":");
}

/** A surface by the name that it gave, in words where it is one of ours. */
export function surface(name = ""): string {
  const word = `surface-${name}`;
  return isWord(word) ? say(word) : name;
}

/** The names of a question's choices: yes and no are ours. */
export const labels = (ask: Ask, at: number): string[] =>
  ask.questions[at]?.type === "confirm" ? [say("yes"), say("no")] : (ask.shown.questions?.[at]?.choices ?? []).map((choice) => choice.label);

export const headline = (ask: Ask): string => ask.shown.title || say("untitled");

/** A question's name on its step. */
export const shortName = (ask: Ask, at: number): string => ask.shown.questions?.[at]?.title ?? "";

const texts = new WeakMap<Ask, string>();

/** Whether every word that is looked for occurs. */
export function fits(ask: Ask, filter: string): boolean {
  const text = texts.get(ask) ?? [...Object.values(ask.shown.asker), ask.shown.title, ...ask.questions.map((q) => q.question.slice(0, 2000))]
    .join("\n").toLowerCase();
  texts.set(ask, text);
  return filter.toLowerCase().split(/\s+/).every((word) => text.includes(word));
}

/** How many of a kept draft's questions have an answer. */
export function given(ask: Ask): number {
  return (ask.draft?.answers ?? []).filter((a) => a.none || a.picks?.length || a.own?.trim() || a.attachments?.length).length;
}

/** What is worth knowing at one glance; `urgent` where time is short. */
export function mark(ask: Ask, now: number): { text: string; urgent?: boolean } | undefined {
  const { snoozedUntil } = ask;
  if (ask.state === "answered" || ask.state === "declined" || ask.state === "clarify" || ask.state === "expired") {
    return { text: say(`mark-${ask.state}`) };
  }
  if (snoozedUntil) {
    return { text: snoozedUntil === "asked-again" ? say("back-when-asked") : say("back-at", { at: clock(snoozedUntil, now) }) };
  }
  if (ask.deadlineAt) {
    const ms = Date.parse(ask.deadlineAt) - now;
    return { text: say("due-in", { left: left(ms) }), urgent: ms < 60_000 };
  }
  if (ask.inClient) return { text: say(ask.inClient === "dialog" ? "mark-dialog" : "mark-handed") };
  const done = given(ask);
  if (done && ask.questions.length > 1) return { text: say("mark-answered-of", { given: done, all: ask.questions.length }) };
  if (done) return { text: say("mark-draft") };
  if (ask.askedAgainAt) return { text: say("mark-asked-again") };
  return undefined;
}

/** What kind of answer it wants. */
export function kind(ask: Ask): string {
  const [first, ...rest] = ask.questions;
  if (rest.length) return say("questions", { count: rest.length + 1 });
  if (first?.options?.some((choice) => choice.preview)) return say("kind-preview");
  return first ? say(`kind-${first.type}`) : "";
}
