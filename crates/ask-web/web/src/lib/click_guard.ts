// Stops clicks, keys and files that were meant for something else. A control that moves by itself to where another one was
// gets no click that was meant for that one.

/** How long a person needs to notice that something has moved. */
export const SETTLED_MS = 700;
/** A second click in this time, and this near, is part of a double click. */
const DOUBLE_MS = 400;
const NEAR_PX = 24;
const CONTROLS = "a[href], button, summary, label, input";

type FormerPosition = { control: Element; box: DOMRect; until: number };
/** Where controls were shortly before. */
let formerPositions: FormerPosition[] = [];
let lastClick: { control: Element; x: number; y: number; at: number } | undefined;
/** What has the focus only because the focused element vanished. */
let inheritedFocus: { element: Element; until: number } | undefined;

/** Records what an automatic change has moved. Undefined if no change is pending. */
let compareLayout: (() => void) | undefined;

/** Call it before the page changes by itself. What then moves or vanishes is remembered for a moment. */
export function beforeAutomaticChange(): void {
  if (compareLayout) return;
  // Measuring rows that are out of sight would force their layout, so a long list skips them.
  const before = [...document.querySelectorAll(CONTROLS)].filter((control) => CHAT || control.checkVisibility({ contentVisibilityAuto: true })).map((control) => ({ control, box: control.getBoundingClientRect() }));
  const root = document.documentElement;
  const { scrollTop, scrollHeight } = root;
  const done = (compareLayout = () => {
    if (compareLayout !== done) return;
    compareLayout = undefined;
    const now = performance.now();
    // If the page's height is the same, the person has scrolled. A card in a chat is as tall as its content, so it never scrolls.
    const scrolled = !CHAT && root.scrollHeight === scrollHeight ? scrollTop - root.scrollTop : 0;
    const moved = before.filter(({ control, box }) => {
      const { x, y, width } = control.getBoundingClientRect();
      const by = y - box.y;
      return x !== box.x || (by && Math.abs(by - scrolled) > 1) || !width;
    });
    formerPositions = [...formerPositions.filter(({ until }) => until > now), ...moved.map((position) => ({ ...position, until: now + SETTLED_MS }))];
  });
  requestAnimationFrame(done);
}

/** Until when all clicks are ignored, because the layout changed, for example when a tablet was turned. */
let resizedUntil = 0;
export function noteResize(): void {
  resizedUntil = performance.now() + SETTLED_MS;
}

/** Focuses an element that the person didn't choose. */
export function passFocus(element: HTMLElement): void {
  inheritedFocus = { element, until: performance.now() + SETTLED_MS };
  element.focus();
}

const contains = ({ box: { left, right, top, bottom } }: FormerPosition, x: number, y: number): boolean => left <= x && x <= right && top <= y && y <= bottom;

/** Whether a click was meant for something else. */
function isMisdirected({ clientX: x, clientY: y, detail }: MouseEvent, control: Element): boolean {
  const now = performance.now();
  // A click by key has no position.
  if (!detail) return !CHAT && inheritedFocus?.element === control && inheritedFocus.until > now;
  if (now < resizedUntil) return true;
  const before = formerPositions.filter((position) => position.until > now && contains(position, x, y));
  if (before.length && !before.some((position) => position.control === control)) return true;
  const isDouble = lastClick && lastClick.control !== control && now - lastClick.at < DOUBLE_MS && Math.hypot(x - lastClick.x, y - lastClick.y) < NEAR_PX && !lastClick.control.checkVisibility();
  lastClick = { control, x, y, at: now };
  return Boolean(isDouble);
}

/** Installs the guard: from then on no click or key reaches what it wasn't meant for. */
export function guardClicks(): void {
  const stop = (event: Event) => {
    event.preventDefault();
    event.stopPropagation();
  };
  // A change that the person causes is not automatic: a Send that replaces the Review that they pressed may be clicked.
  for (const name of ["pointerdown", "keydown", "input"]) addEventListener(name, () => compareLayout?.(), true);
  addEventListener("click", (event) => {
    compareLayout?.();
    const control = (event.target as Element).closest?.(CONTROLS);
    if (control && isMisdirected(event, control)) stop(event);
  }, true);
  // A browser would open a file that is dropped beside its field in place of the page. Dropped text is no problem.
  for (const name of ["dragover", "drop"] as const) addEventListener(name, (event) => event.dataTransfer?.types.includes("Files") && event.preventDefault());
  // A key that is held down acts only once.
  addEventListener("keydown", (event) => {
    if (event.repeat && event.key === "Enter" && (event.target as Element).closest?.("a[href], button, summary")) stop(event);
  }, true);
}
