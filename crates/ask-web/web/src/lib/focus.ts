// Moves the focus when the focused element vanishes or another page is shown, so that something always has it.
import { passFocus } from "./click_guard.ts";

/** The headings that get the focus, and are read out, when nothing else is left. */
const HEADINGS = [".question h2", ".review h2", "main h1"];
const FOCUSABLE = "a[href], button, input, select, textarea, summary, [tabindex]";
/** Parts too large for a neighbour in them to be close. */
const REGIONS = "main, .card, .list, .page > *, dialog, body";

let lastFocused: HTMLElement | undefined;
let ancestors: HTMLElement[] = [];
/** What had the focus before the dialog that has it now, with its ancestors. */
let focusedBeforeDialog: [HTMLElement, HTMLElement[]] | undefined;
/** Selectors of what gets the focus as soon as it is shown. */
let wanted: string[] | undefined;

const isShown = (element: HTMLElement): boolean => element.isConnected && element.checkVisibility();
const inDialog = (elements: HTMLElement[]): boolean => elements.some((element) => element.matches("dialog"));
const isFocusLost = (): boolean => !document.activeElement || document.activeElement === document.body;

/** Focuses the first of these, now or once it is shown, unless something else gets the focus before. */
export function focusWhenShown(...selectors: string[]): void {
  wanted = selectors;
  // The page that is left is still there until the next frame.
  requestAnimationFrame(focusWanted);
}

function focusWanted(): void {
  if (!wanted) return;
  const found = wanted.flatMap((selector) => [...document.querySelectorAll<HTMLElement>(selector)]).find(isShown);
  if (!found) return;
  wanted = undefined;
  found.focus();
}

/** Focuses a neighbour of the element that vanished, else the heading of the page. */
function restoreFocus(): void {
  if (!lastFocused || !isFocusLost() || isShown(lastFocused)) return;
  if (focusedBeforeDialog && inDialog(ancestors)) {
    [lastFocused, ancestors] = focusedBeforeDialog;
    if (isShown(lastFocused)) return lastFocused.focus();
  }
  const dialog = document.querySelector<HTMLElement>("dialog[open]");
  for (const part of dialog ? [dialog] : ancestors) {
    if (part.matches(REGIONS) && part !== dialog) break;
    const next = isShown(part) && [...part.querySelectorAll<HTMLElement>(FOCUSABLE)].find(isShown);
    if (next) return passFocus(next);
  }
  wanted ??= HEADINGS;
  focusWanted();
  if (wanted) document.querySelector<HTMLElement>("main")?.focus();
}

export function watchFocus(): void {
  document.addEventListener("focusin", ({ target }) => {
    const element = target as HTMLElement;
    if (!element.matches("main")) wanted = undefined;
    if (element.closest("dialog") && lastFocused && !inDialog(ancestors)) focusedBeforeDialog = [lastFocused, ancestors];
    lastFocused = element;
    ancestors = [];
    for (let parent = element.parentElement; parent; parent = parent.parentElement) ancestors.push(parent);
  });
  document.addEventListener("focusout", ({ target, relatedTarget }) => {
    // The person moved the focus to nothing on purpose, so it stays there.
    if (!relatedTarget) queueMicrotask(() => isFocusLost() && target === lastFocused && isShown(target as HTMLElement) && (lastFocused = undefined));
  });
  new MutationObserver(() => {
    focusWanted();
    restoreFocus();
  }).observe(document.body, { childList: true, subtree: true });
}
