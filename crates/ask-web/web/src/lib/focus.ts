// Where the focus goes when what had it vanishes, or when another part of the page is shown: never to nothing.
import { inherit } from "./click_guard.ts";

/** What is read out where one has come to. */
const HEADS = [".question h2", ".review h2", "main h1"];
const STOPS = "a[href], button, input, select, textarea, summary, [tabindex]";
/** What is too large a part to look for a neighbour in. */
const LARGE = "main, .card, .list, .page > *, dialog, body";

let last: HTMLElement | undefined;
let above: HTMLElement[] = [];
/** What had it before the dialog that has it now. */
let opener: [HTMLElement, HTMLElement[]] | undefined;
/** What is to have the focus as soon as it is there. */
let wanted: string[] | undefined;

const isShown = (one: HTMLElement): boolean => one.isConnected && one.checkVisibility();
const inDialog = (parts: HTMLElement[]): boolean => parts.some((part) => part.matches("dialog"));
const isLost = (): boolean => !document.activeElement || document.activeElement === document.body;

/** Puts the focus onto the first of these, now or once it is shown; whatever else takes it comes first. */
export function arrive(...selectors: string[]): void {
  wanted = selectors;
  // What is to be left is still there until the next part is shown.
  requestAnimationFrame(look);
}

function look(): void {
  if (!wanted) return;
  const found = wanted.flatMap((one) => [...document.querySelectorAll<HTMLElement>(one)]).find(isShown);
  if (!found) return;
  wanted = undefined;
  found.focus();
}

/** What stood beside it, else the heading of what is shown. */
function mend(): void {
  if (!last || !isLost() || isShown(last)) return;
  if (opener && inDialog(above)) {
    [last, above] = opener;
    if (isShown(last)) return last.focus();
  }
  const dialog = document.querySelector<HTMLElement>("dialog[open]");
  for (const part of dialog ? [dialog] : above) {
    if (part.matches(LARGE) && part !== dialog) break;
    const next = isShown(part) && [...part.querySelectorAll<HTMLElement>(STOPS)].find(isShown);
    if (next) return inherit(next);
  }
  wanted ??= HEADS;
  look();
  if (wanted) document.querySelector<HTMLElement>("main")?.focus();
}

export function keepFocus(): void {
  document.addEventListener("focusin", ({ target }) => {
    const one = target as HTMLElement;
    if (!one.matches("main")) wanted = undefined;
    if (one.closest("dialog") && last && !inDialog(above)) opener = [last, above];
    last = one;
    above = [];
    for (let part = one.parentElement; part; part = part.parentElement) above.push(part);
  });
  document.addEventListener("focusout", ({ target, relatedTarget }) => {
    // Left on purpose, for nothing: that is the person's wish.
    if (!relatedTarget) queueMicrotask(() => isLost() && target === last && isShown(target as HTMLElement) && (last = undefined));
  });
  new MutationObserver(() => {
    look();
    mend();
  }).observe(document.body, { childList: true, subtree: true });
}
