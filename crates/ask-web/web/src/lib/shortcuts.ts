// Whose a key is, and whether single keys do anything.
import { wishes } from "../state/store.ts";

/** Whether the key belongs to somebody else: an input method, a dialog, a menu's own letters. */
export function foreign(event: KeyboardEvent): boolean {
  return event.isComposing || event.keyCode === 229 || event.defaultPrevented || Boolean(document.querySelector("dialog[open]"));
}

export const isField = (target: EventTarget | null) =>
  target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement ||
  (target instanceof HTMLInputElement && !["radio", "checkbox", "button", "file"].includes(target.type));

/** The field that a letter belongs to: a question that wants text has no other use for it. */
export function typedInto(event: KeyboardEvent): HTMLTextAreaElement | null {
  if (event.ctrlKey || event.metaKey || event.altKey || isField(event.target)) return null;
  const isLetter = event.key.length === 1 && event.key !== " ";
  const composes = event.keyCode === 229 && !event.isComposing;
  if (!(isLetter || composes) || event.defaultPrevented || document.querySelector("dialog[open]")) return null;
  return document.querySelector(".question .only textarea");
}

export const shortcutsOn = (): boolean => wishes.get("shortcuts") !== "off";
