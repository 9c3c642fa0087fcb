// The values of an ask's form, and how they are merged with what was filled in elsewhere. Pure.
import type { Answer, Ask, Attachment, Draft, Question, SavedDraft } from "../lib/types.ts";

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
  const own = answer?.own ?? "";
  const isOwnAlone = question.type !== "multi-select" && own.trim();
  return {
    picks: isOwnAlone ? [] : (answer?.picks ?? []).filter((pick) => pick < choiceCount(question)),
    own,
    ownChosen: question.type === "text" || Boolean(own.trim()),
    note: answer?.note ?? "",
    none: answer?.none ?? false,
    attachments: answer?.attachments ?? [],
  };
}

/** The entry with an answer from elsewhere. Own words that weren't chosen stay. */
export function applyAnswer(question: Question, old: Entry, answer: Answer): Entry {
  const next = entryOf(question, answer);
  return old.ownChosen || next.own ? next : { ...next, own: old.own };
}

/** The form's first values: the saved draft, else the agent's initial texts. */
export function initialValues(ask: Ask, draft: Draft | undefined = ask.draft): FormValues {
  return {
    entries: ask.questions.map((question, at) => {
      const start = question.type === "text" ? ask.shown.questions?.[at]?.default : undefined;
      return entryOf(question, !draft && start !== undefined ? { own: start } : draft?.answers[at]);
    }),
    note: draft?.note ?? "",
  };
}

/** The questions that are empty, each with its entry after an earlier form was filled in. What was entered stays, notes too. */
export function fillable(ask: Ask, { entries }: FormValues, earlier: Draft): [number, Entry][] {
  return entries.flatMap((old, at): [number, Entry][] => {
    const answer = earlier.answers[at] ?? {};
    // The agent's initial text was not entered here.
    const own = old.own === ask.shown.questions?.[at]?.default ? "" : old.own;
    if (isGiven({ ...old, own }) || !isGiven(answer)) return [];
    return [[at, entryOf(ask.questions[at] as Question, { ...answer, note: old.note || (answer.note ?? "") })]];
  });
}

/** The answer that an entry gives. */
export function entryAnswer(entry: Entry): Answer {
  const out: Answer = {};
  if (entry.picks.length) out.picks = [...entry.picks].sort((a, b) => a - b);
  if (entry.ownChosen && entry.own.trim()) out.own = entry.own;
  if (entry.note.trim()) out.note = entry.note;
  if (entry.none && !out.picks && !out.own && !entry.attachments.length) out.none = true;
  if (entry.attachments.length) out.attachments = entry.attachments;
  return out;
}

/** The draft that the form's values give. */
export function draftOf(form: FormValues): Draft {
  const out: Draft = { answers: form.entries.map(entryAnswer) };
  if (form.note.trim()) out.note = form.note;
  return out;
}

/** Whether it answers the question. A note alone doesn't. */
export function isGiven(answer: Answer): boolean {
  return Boolean(answer.none || answer.picks?.length || answer.own?.trim() || answer.attachments?.length);
}

/** Whether the draft has anything that a person entered. */
export function isTouched(draft: Draft): boolean {
  return Boolean(draft.note?.trim()) || draft.answers.some((a) => isGiven(a) || a.note?.trim());
}

/** The required questions without an answer. */
export function unanswered(ask: Ask, draft: Draft): number[] {
  return ask.questions.flatMap((question, at) => (question.required && !isGiven(draft.answers[at] ?? {}) ? [at] : []));
}

/** The entry after a choice was marked or unmarked. */
export function toggleChoice(question: Question, entry: Entry, choice: number, on = !entry.picks.includes(choice)): Entry {
  if (question.type === "multi-select") {
    const picks = entry.picks.filter((other) => other !== choice);
    return { ...entry, picks: on ? [...picks, choice] : picks, none: false };
  }
  return { ...entry, picks: on ? [choice] : [], ownChosen: false };
}

/** The entry after own words were chosen, typed, or unchosen. */
export function withOwnText(question: Question, entry: Entry, own: string, on: boolean): Entry {
  const picks = on && question.type !== "multi-select" ? [] : entry.picks;
  return { ...entry, own, ownChosen: on, picks, none: on ? false : entry.none };
}

/** Whether two answers are the same. */
export function sameAnswer(one: Answer | undefined, other: Answer | undefined): boolean {
  return answerKey(one) === answerKey(other);
}

function answerKey(answer: Answer | undefined): string {
  const { picks = [], own = "", note = "", none = false, attachments = [] } = answer ?? {};
  return JSON.stringify([picks, own, note, none, attachments.map((file) => file.sha256)]);
}

/** Whether two drafts are the same. */
export function sameDraft(one: Draft, other: Draft): boolean {
  const length = Math.max(one.answers.length, other.answers.length);
  for (let at = 0; at < length; at++) if (!sameAnswer(one.answers[at], other.answers[at])) return false;
  return (one.note ?? "") === (other.note ?? "");
}

/** Another wording of an answer, which is offered beside it. `more` has those of further tabs of this browser, each with its tab. */
export type Alternative = { answer: Answer; by: string; at: string; own: boolean; tab?: number; more?: Alternative[] };

/** An alternative and its further ones as a list. */
export const listAlternatives = (other: Alternative | undefined): Alternative[] => (other ? [{ ...other, more: [] }, ...(other.more ?? [])] : []);
/** Such a list as its first alternative with the others in `more`. */
export const chainAlternatives = ([first, ...more]: Alternative[]): Alternative | undefined => first && { ...first, more };
/** What a merge changes in the form. The note for all counts as the last answer. */
export type MergeResult = { answers: Map<number, Answer>; alternatives: Map<number, Alternative | undefined> };
/** What earlier merges brought: the alternatives, and the answers that nobody typed here. */
export type MergeContext = { alternatives: ReadonlyMap<number, Alternative>; received: ReadonlyMap<number, Answer> };

/** One of a draft's answers. The note for all counts as the last one. */
export const answerAt = ({ answers, note }: Draft, at: number): Answer => (at < answers.length ? (answers[at] ?? {}) : note ? { note } : {});

/** The answers in which one's own draft differs from another, as alternatives to it. */
export function differences(mine: Draft, other: Draft, at: number): Map<number, Alternative> {
  const all = [...mine.answers, {}].map((_, n): [number, Alternative] => [n, { answer: answerAt(mine, n), by: "web", at: new Date(at).toISOString(), own: true }]);
  return new Map(all.filter(([n, { answer }]) => isTouched({ answers: [answer] }) && !sameAnswer(answer, answerAt(other, n))));
}

/**
 * Merges what was filled in elsewhere with what was filled in here since both agreed, question by question. If nothing was
 * typed here, the newest answer wins and the one that it replaces is offered. Otherwise the newest one is offered.
 * Somebody types in question `busy`, so nothing is put there. The person's own words stay on offer, however often their
 * replacement changes.
 */
export function mergeDraft(agreed: Draft, mine: Draft, saved: SavedDraft, busy?: number, context?: MergeContext): MergeResult {
  const result: MergeResult = { answers: new Map(), alternatives: new Map() };
  const last = Math.max(saved.answers.length, mine.answers.length);
  const answerOf = (draft: Draft, at: number): Answer => (at < last ? (draft.answers[at] ?? {}) : { note: draft.note ?? "" });
  const other = (answer: Answer, own: boolean) => ({ answer, by: saved.savedBy, at: saved.savedAt, own });
  for (let at = 0; at <= last; at++) {
    const [before, theirs, ours] = [answerOf(agreed, at), answerOf(saved, at), answerOf(mine, at)];
    if (sameAnswer(theirs, before) || sameAnswer(theirs, ours)) continue;
    if (!sameAnswer(ours, before) || at === busy) {
      result.alternatives.set(at, other(theirs, false));
      continue;
    }
    const first = context?.alternatives.get(at);
    const taken = context?.received.get(at);
    const own = taken && sameAnswer(taken, ours) ? (first?.own ? first.answer : {}) : ours;
    result.alternatives.set(at, isTouched({ answers: [own] }) && !sameAnswer(own, theirs) ? other(own, true) : undefined);
    result.answers.set(at, theirs);
  }
  return result;
}
