// The form of an ask while it is filled in, and how it meets what was filled in elsewhere. Pure.
import type { Answer, Ask, Attachment, Draft, Question, Saved } from "../lib/types.ts";

/** One question's part of the form. Own words stay when they are not chosen. */
export type Entry = {
  picks: number[];
  own: string;
  /** Whether the own words are part of the answer. */
  ownChosen: boolean;
  note: string;
  none: boolean;
  attachments: Attachment[];
};
export type FormValues = { entries: Entry[]; note: string };

/** How many things can be picked. */
export const choiceCount = (question: Question): number => (question.type === "confirm" ? 2 : (question.options?.length ?? 0));

/** The part of the form that an answer fills in. */
export function entryOf(question: Question, answer: Answer | undefined): Entry {
  return {
    picks: (answer?.picks ?? []).filter((pick) => pick < choiceCount(question)),
    own: answer?.own ?? "",
    ownChosen: question.type === "text" || Boolean(answer?.own?.trim()),
    note: answer?.note ?? "",
    none: answer?.none ?? false,
    attachments: answer?.attachments ?? [],
  };
}

/** What came for a question takes its entry's place; own words that weren't chosen stay. */
export function applyAnswer(question: Question, old: Entry, answer: Answer): Entry {
  const next = entryOf(question, answer);
  return old.ownChosen || next.own ? next : { ...next, own: old.own };
}

/** The form as it begins: the kept draft, else the agent's texts to begin with. */
export function initialValues(ask: Ask, draft: Draft | undefined = ask.draft): FormValues {
  return {
    entries: ask.questions.map((question, at) => {
      const start = question.type === "text" ? ask.shown.questions?.[at]?.default : undefined;
      return entryOf(question, !draft && start !== undefined ? { own: start } : draft?.answers[at]);
    }),
    note: draft?.note ?? "",
  };
}

/** What one entry says. */
export function entryAnswer(entry: Entry): Answer {
  const out: Answer = {};
  if (entry.picks.length) out.picks = [...entry.picks].sort((a, b) => a - b);
  if (entry.ownChosen && entry.own.trim()) out.own = entry.own;
  if (entry.note.trim()) out.note = entry.note;
  if (entry.none && !out.picks && !out.own && !entry.attachments.length) out.none = true;
  if (entry.attachments.length) out.attachments = entry.attachments;
  return out;
}

/** The draft that the form makes. */
export function draftOf(form: FormValues): Draft {
  const out: Draft = { answers: form.entries.map(entryAnswer) };
  if (form.note.trim()) out.note = form.note;
  return out;
}

/** Whether it answers anything. A note alone doesn't. */
export function isGiven(answer: Answer): boolean {
  return Boolean(answer.none || answer.picks?.length || answer.own?.trim() || answer.attachments?.length);
}

/** Whether there is anything that a person would miss. */
export function isTouched(draft: Draft): boolean {
  return Boolean(draft.note?.trim()) || draft.answers.some((a) => isGiven(a) || a.note?.trim());
}

/** The questions that count on an answer and have none. */
export function unanswered(ask: Ask, draft: Draft): number[] {
  return ask.questions.flatMap((question, at) => (question.required && !isGiven(draft.answers[at] ?? {}) ? [at] : []));
}

/** The entry once a choice was marked or unmarked. */
export function toggleChoice(question: Question, entry: Entry, choice: number, on = !entry.picks.includes(choice)): Entry {
  if (question.type === "multi-select") {
    const picks = entry.picks.filter((other) => other !== choice);
    return { ...entry, picks: on ? [...picks, choice] : picks, none: false };
  }
  return { ...entry, picks: on ? [choice] : [], ownChosen: false };
}

/** The entry once own words were chosen, typed, or put away. */
export function withOwnText(question: Question, entry: Entry, own: string, on: boolean): Entry {
  const picks = on && question.type !== "multi-select" ? [] : entry.picks;
  return { ...entry, own, ownChosen: on, picks, none: on ? false : entry.none };
}

/** Whether two answers say the same. */
export function sameAnswer(one: Answer | undefined, other: Answer | undefined): boolean {
  return answerKey(one) === answerKey(other);
}

function answerKey(of: Answer | undefined): string {
  const { picks = [], own = "", note = "", none = false, attachments = [] } = of ?? {};
  return JSON.stringify([picks, own, note, none, attachments.map((file) => file.sha256)]);
}

/** Whether two drafts say the same. */
export function sameDraft(one: Draft, other: Draft): boolean {
  const most = Math.max(one.answers.length, other.answers.length);
  for (let at = 0; at < most; at++) if (!sameAnswer(one.answers[at], other.answers[at])) return false;
  return (one.note ?? "") === (other.note ?? "");
}

/** The other wording of an answer, where there are two; with those of more tabs of this browser, each named by its tab. */
export type Alternative = { answer: Answer; by: string; at: string; own: boolean; tab?: number; more?: Alternative[] };

/** All other wordings, one after another. */
export const listAlternatives = (other: Alternative | undefined): Alternative[] => (other ? [{ ...other, more: [] }, ...(other.more ?? [])] : []);
/** Such a row as one that has the rest with it. */
export const chainAlternatives = ([first, ...more]: Alternative[]): Alternative | undefined => first && { ...first, more };
/** What comes into the form from elsewhere; the note for all counts as the last answer. */
export type MergeResult = { answers: Map<number, Answer>; alternatives: Map<number, Alternative | undefined> };
/** What came from elsewhere before: the other wordings, and what nobody typed here. */
export type MergeContext = { alternatives: ReadonlyMap<number, Alternative>; received: ReadonlyMap<number, Answer> };

/** One of a draft's answers; the note for all counts as the last one. */
export const answerAt = ({ answers, note }: Draft, at: number): Answer => (at < answers.length ? (answers[at] ?? {}) : note ? { note } : {});

/** What a draft of one's own answers otherwise than another, to be offered beside that. */
export function differences(mine: Draft, other: Draft, at: number): Map<number, Alternative> {
  const all = [...mine.answers, {}].map((_, n): [number, Alternative] => [n, { answer: answerAt(mine, n), by: "web", at: new Date(at).toISOString(), own: true }]);
  return new Map(all.filter(([n, { answer }]) => isTouched({ answers: [answer] }) && !sameAnswer(answer, answerAt(other, n))));
}

/**
 * What was filled in elsewhere meets what was filled in here, since both agreed: question by question the
 * newest wins where nothing was typed here, and what it takes the place of is offered; else it is offered.
 * Question `busy` is being typed in, so nothing is put there. Words of the person's own that were offered
 * stay so, however often what took their place changes.
 */
export function mergeDraft(agreed: Draft, mine: Draft, saved: Saved, busy?: number, came?: MergeContext): MergeResult {
  const met: MergeResult = { answers: new Map(), alternatives: new Map() };
  const last = Math.max(saved.answers.length, mine.answers.length);
  const of = (draft: Draft, at: number): Answer => (at < last ? (draft.answers[at] ?? {}) : { note: draft.note ?? "" });
  const other = (answer: Answer, own: boolean) => ({ answer, by: saved.savedBy, at: saved.savedAt, own });
  for (let at = 0; at <= last; at++) {
    const [before, theirs, ours] = [of(agreed, at), of(saved, at), of(mine, at)];
    if (sameAnswer(theirs, before) || sameAnswer(theirs, ours)) continue;
    if (!sameAnswer(ours, before) || at === busy) {
      met.alternatives.set(at, other(theirs, false));
      continue;
    }
    const first = came?.alternatives.get(at);
    const taken = came?.received.get(at);
    const own = taken && sameAnswer(taken, ours) ? (first?.own ? first.answer : {}) : ours;
    met.alternatives.set(at, isTouched({ answers: [own] }) && !sameAnswer(own, theirs) ? other(own, true) : undefined);
    met.answers.set(at, theirs);
  }
  return met;
}
