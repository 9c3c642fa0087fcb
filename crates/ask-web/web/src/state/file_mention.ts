// Finds file mentions: the word at the caret that begins with `@`. The completion is loaded with the first of them, and
// only at the computer itself.
import { knownForm } from "./ask_form.ts";
import { currentRoute } from "../lib/router.ts";
import { getState } from "./store.ts";

/** Longer words are not completed. */
const MAX_LENGTH = 400;

export type Mention = { start: number; letters: string };

/** The word that ends at the caret and begins with `@`: its start, and the letters after the `@`. */
export function parseMention(text: string, caret: number): Mention | undefined {
  const near = Math.max(0, caret - MAX_LENGTH);
  const [all, before, letters = ""] = /(^|\p{White_Space})@(\P{White_Space}*)$/u.exec(text.slice(near, caret)) ?? [];
  return all && (before || !near) ? { start: caret - letters.length - 1, letters } : undefined;
}

/** The mention at the caret of a field. */
const mentionAtCaret = ({ value, selectionStart: at, selectionEnd }: HTMLTextAreaElement): Mention | undefined => (at === selectionEnd ? parseMention(value, at) : undefined);

/** The ask whose agent's files can be offered: only at the computer, and if the agent has named its folder. */
function currentAskId(): string | undefined {
  const { viewer } = getState();
  const { name, id } = currentRoute();
  return name === "ask" && viewer?.local && viewer.scope === "answer" && knownForm(id)?.ask.asker.directory ? id : undefined;
}

/** What the lazily loaded completion gets from this file. */
export type GetAskId = typeof currentAskId;
export type GetMention = typeof mentionAtCaret;

let loading: Promise<unknown> | undefined;

globalThis.document?.addEventListener("input", ({ target, isComposing }: Event & { isComposing?: boolean }) => {
  if (loading || isComposing || !(target instanceof HTMLTextAreaElement) || !mentionAtCaret(target) || !currentAskId()) return;
  // A failed load is tried again with the next letter.
  loading = import("../chunks/paths.ts").then(({ startCompletion }) => startCompletion(target, currentAskId, mentionAtCaret), () => (loading = undefined));
});
