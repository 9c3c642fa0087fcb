// Where a text names a file: the word at the caret that begins with `@`. What helps to complete it is brought
// with the first of them, and only to who stands at the computer.
import { knownForm } from "./ask_form.ts";
import { route } from "../lib/router.ts";
import { get } from "./store.ts";

/** No longer word is completed. */
const LONGEST = 400;

export type Mention = { start: number; letters: string };

/** The word that ends at the caret and begins with `@`: where it begins, and what follows the sign. */
export function mention(text: string, caret: number): Mention | undefined {
  const near = Math.max(0, caret - LONGEST);
  const [all, before, letters = ""] = /(^|\p{White_Space})@(\P{White_Space}*)$/u.exec(text.slice(near, caret)) ?? [];
  return all && (before || !near) ? { start: caret - letters.length - 1, letters } : undefined;
}

/** The mention at the caret of a field. */
const mentioned = ({ value, selectionStart: at, selectionEnd }: HTMLTextAreaElement): Mention | undefined => (at === selectionEnd ? mention(value, at) : undefined);

/** The ask whose agent's files are offered: at the computer alone, and where the agent has told its folder. */
function asking(): string | undefined {
  const { viewer } = get();
  const { name, id } = route();
  return name === "ask" && viewer?.local && viewer.scope === "answer" && knownForm(id)?.ask.asker.directory ? id : undefined;
}

/** What a field is asked by the part that completes. */
export type Asking = typeof asking;
export type Mentioned = typeof mentioned;

let brought: Promise<unknown> | undefined;

globalThis.document?.addEventListener("input", ({ target, isComposing }: Event & { isComposing?: boolean }) => {
  if (brought || isComposing || !(target instanceof HTMLTextAreaElement) || !mentioned(target) || !asking()) return;
  // What doesn't come is tried again with the next letter.
  brought = import("../chunks/paths.ts").then(({ begin }) => begin(target, asking, mentioned), () => (brought = undefined));
});
