// What this browser stores of a form until the hub has it, and how a form restores what this or another tab stored.
import type { Answer } from "../lib/types.ts";
import { isAnswerable } from "./asks.ts";
import type { AskForm } from "./ask_form.ts";
import { type StoredDraft, TAB, loadDraft, removeBackup, updateDraft } from "./browser_storage.ts";
import { type Alternative, type FormValues, answerAt, chainAlternatives, differences, draftOf, initialValues, listAlternatives, mergeDraft, sameAnswer, sameDraft } from "./form.ts";
import { hubNow, isReadOnly } from "./store.ts";

/** Own words that are not part of the answer because a choice took their place, question by question. */
export const unchosenOwn = ({ entries }: FormValues): string[] => entries.map(({ own, ownChosen }) => (ownChosen ? "" : own.trim() && own));

/** The values with these unchosen own words in each question that has none. */
export const withUnchosenOwn = (values: FormValues, words: string[] = []): FormValues => ({ ...values, entries: values.entries.map((one, at) => (one.own ? one : { ...one, own: words[at] ?? "" })) });

/** A new alternative beside the offered ones. Those that the person typed, here or in another tab, are kept. */
export function mergeAlternatives(other: Alternative | undefined, offered: Alternative | undefined, shown: Answer): Alternative | undefined {
  const typed = listAlternatives(offered).filter(({ own, tab, answer }) => (own || tab) && !sameAnswer(answer, shown) && !sameAnswer(answer, other?.answer));
  return chainAlternatives([...listAlternatives(other), ...typed]);
}

/** What is typed in a form and may be stored nowhere else. */
export function storedDraft({ draft, base, inFlight, revision, dialogTexts: words, values, received, typedAt: at, ask: { askId } }: AskForm): StoredDraft {
  const taken = [...received].filter(([n, answer]) => sameAnswer(answer, answerAt(draft, n))).map(([n]) => n);
  // Text may have been deleted while its request was under way: what the hub then stores is older.
  const agreed = sameDraft(draft, base) ? inFlight : base;
  return { askId, draft, agreed, revision, words, behind: unchosenOwn(values), taken, at, tab: TAB };
}

/** Merges what another tab of this browser stored and the hub doesn't have. The newest text of each tab is offered. */
function mergeStored(form: AskForm, { draft: theirs, agreed, words, behind: own, offered, taken, at, tab = 1 }: StoredDraft): void {
  const differing = [...differences(theirs, form.draft, at ?? hubNow())].map(([n, other]): [number, Alternative] => [n, taken?.includes(n) ? { ...other, own: false } : { ...other, tab }]);
  const more = [...(offered ?? [])].flatMap(([n, other]) => listAlternatives(other).map((one): [number, Alternative] => [n, one]));
  for (const [n, other] of [...differing, ...more]) {
    if (other.tab === TAB) continue;
    const isSame = (one: Answer | undefined): boolean => sameAnswer(one, other.answer);
    const typed = other.own || other.tab;
    const listed = listAlternatives(form.alternatives.get(n));
    // The hub doesn't tell who typed what came through it. The stored draft does: a person, in this browser.
    if (typed && isSame(form.received.get(n))) form.received.delete(n);
    if (listed.some(({ answer }) => isSame(answer))) {
      if (typed) form.alternatives.set(n, chainAlternatives(listed.map((one) => (isSame(one.answer) ? { ...one, tab: one.tab || other.tab || tab } : one))) as Alternative);
      continue;
    }
    if ([agreed, form.base, form.draft].some((draft) => isSame(answerAt(draft, n)))) continue;
    form.alternatives.set(n, chainAlternatives([...listed.filter((one) => !other.tab || one.tab !== other.tab), other]) as Alternative);
  }
  if (words && !form.unsentTexts.length) form.dialogTexts = words;
  form.values = withUnchosenOwn(form.values, own);
  form.notify();
}

/** Stores in this browser what the hub doesn't have, and deletes it once the hub has it. */
export async function storeLocally(form: AskForm): Promise<void> {
  if (CHAT) return;
  const stamp = Math.random();
  let at: number | undefined;
  form.isStored = await updateDraft(form.ask.askId, (stored) => {
    // Another tab of this browser wrote meanwhile.
    if (stored && stored.stamp !== form.stamp) mergeStored(form, stored);
    const typed = storedDraft(form);
    const { draft, agreed, behind: own } = typed;
    // Of an open ask the hub may end up with what is still on its way; of a closed one it keeps no draft.
    const saved = sameDraft(draft, isAnswerable(form.ask) ? agreed : form.base);
    at = typed.at;
    // Alternatives that were not taken, and own words that a choice replaced, are stored nowhere else.
    if (saved && !form.unsentTexts.length && !form.alternatives.size && !own?.some(Boolean)) return undefined;
    return { ...typed, offered: form.alternatives, stamp };
  });
  if (!form.isStored) return;
  form.stamp = stamp;
  if (at !== form.typedAt) return;
  removeBackup(form.ask.askId);
  form.isBackedUp = false;
}

/** Restores what was typed here while the hub was away. */
export async function restore(form: AskForm): Promise<void> {
  if (CHAT || isReadOnly()) return;
  const stored = await loadDraft(form.ask.askId);
  form.stamp = stored?.stamp;
  if (stored?.words && !form.unsentTexts.length) {
    form.dialogTexts = stored.words;
    form.storesExtraText = true;
    form.notify();
  }
  if (!stored || stored.draft.answers.length !== form.ask.questions.length) return;
  if (!sameDraft(form.draft, form.base)) {
    // Somebody typed before the database had answered: what it has is offered.
    mergeStored(form, stored);
    return form.changed();
  }
  const saved = form.ask.draft;
  form.values = withUnchosenOwn(initialValues(form.ask, stored.draft), stored.behind);
  if (stored.offered) form.alternatives = stored.offered;
  stored.taken?.forEach((at) => form.received.set(at, answerAt(stored.draft, at)));
  if (saved && saved.revision > stored.revision) {
    const merge = mergeDraft(stored.agreed, stored.draft, saved);
    form.applyMerge(merge);
    // The newer of the two is shown, and the other one is offered.
    if (!(stored.at && stored.at > Date.parse(saved.savedAt))) merge.alternatives.forEach((other, at) => other && !other.own && form.swapAlternative(at));
  }
  form.changed();
  form.typedAt = stored.at ?? 0;
}

/** Stores what was typed for a closed ask and is not part of its answer: the hub keeps no draft of a closed ask. */
export function storeRest(form: AskForm): Promise<void> {
  form.base = draftOf(initialValues(form.ask));
  return storeLocally(form);
}
