// Which keys are shortcuts, and whether shortcuts are on.
import { preferences } from "../state/store.ts";

/** Whether something else handles the key: an input method, a dialog, or a menu's own letters. */
export function isTakenKey(event: KeyboardEvent): boolean {
  return event.isComposing || event.keyCode === 229 || event.defaultPrevented || Boolean(document.querySelector("dialog[open]"));
}

export const isField = (target: EventTarget | null) =>
  target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement ||
  (target instanceof HTMLInputElement && !["radio", "checkbox", "button", "file"].includes(target.type));

/** The field for a typed letter, if the question wants text: there letters are no shortcuts. */
export function fieldForTyping(event: KeyboardEvent): HTMLTextAreaElement | null {
  if (event.ctrlKey || event.metaKey || event.altKey || isField(event.target)) return null;
  const isLetter = event.key.length === 1 && event.key !== " ";
  const composes = event.keyCode === 229 && !event.isComposing;
  if (!(isLetter || composes) || event.defaultPrevented || document.querySelector("dialog[open]")) return null;
  return document.querySelector(".question .only textarea");
}

export const shortcutsOn = (): boolean => preferences.get("shortcuts") !== "off";
