// Clicks, keys and files that were on their way to something else. What comes into another control's place by itself
// gets none that were meant for what stood there before.

/** A person needs so long to see that something else stands there. */
export const SETTLED_MS = 700;
/** A second click so soon and so near belongs to the first. */
const DOUBLE_MS = 400;
const NEAR_PX = 24;
const CONTROLS = "a[href], button, summary, label, input";

type Stood = { one: Element; box: DOMRect; until: number };
/** Where controls stood shortly before. */
let stood: Stood[] = [];
let first: { one: Element; x: number; y: number; at: number } | undefined;
/** What has the focus because what had it vanished. */
let heir: { one: Element; until: number } | undefined;

/** Tells what moved since the page changed by itself. */
let compare: (() => void) | undefined;

/** To be called before the page changes by itself: what moves or vanishes then is remembered for a moment. */
export function byItself(): void {
  if (compare) return;
  // Rows of a long list that are out of sight are not laid out for this.
  const before = [...document.querySelectorAll(CONTROLS)].filter((one) => CHAT || one.checkVisibility({ contentVisibilityAuto: true })).map((one) => ({ one, box: one.getBoundingClientRect() }));
  const root = document.documentElement;
  const { scrollTop, scrollHeight } = root;
  const done = (compare = () => {
    if (compare !== done) return;
    compare = undefined;
    const now = performance.now();
    // Where nothing came or went, the person has scrolled; a card in a chat is as long as what is in it.
    const scrolled = !CHAT && root.scrollHeight === scrollHeight ? scrollTop - root.scrollTop : 0;
    const moved = before.filter(({ one, box }) => {
      const { x, y, width } = one.getBoundingClientRect();
      const by = y - box.y;
      return x !== box.x || (by && Math.abs(by - scrolled) > 1) || !width;
    });
    stood = [...stood.filter(({ until }) => until > now), ...moved.map((of) => ({ ...of, until: now + SETTLED_MS }))];
  });
  requestAnimationFrame(done);
}

/** Until when it isn't known what stands where: a tablet was turned. */
let turning = 0;
export function turned(): void {
  turning = performance.now() + SETTLED_MS;
}

/** Gives the focus on to what the person didn't choose. */
export function inherit(one: HTMLElement): void {
  heir = { one, until: performance.now() + SETTLED_MS };
  one.focus();
}

const has = ({ box: { left, right, top, bottom } }: Stood, x: number, y: number): boolean => left <= x && x <= right && top <= y && y <= bottom;

/** Whether a click was meant for something else. */
function strays({ clientX: x, clientY: y, detail }: MouseEvent, one: Element): boolean {
  const at = performance.now();
  // Keys click, too, and nowhere.
  if (!detail) return !CHAT && heir?.one === one && heir.until > at;
  if (at < turning) return true;
  const before = stood.filter((of) => of.until > at && has(of, x, y));
  if (before.length && !before.some((of) => of.one === one)) return true;
  const doubled = first && first.one !== one && at - first.at < DOUBLE_MS && Math.hypot(x - first.x, y - first.y) < NEAR_PX && !first.one.checkVisibility();
  first = { one, x, y, at };
  return Boolean(doubled);
}

/** From now on no click or key reaches what it wasn't meant for. */
export function settle(): void {
  const stop = (event: Event) => {
    event.preventDefault();
    event.stopPropagation();
  };
  // What the person does from now on changes nothing by itself: Send is not in the place of a Review that was pressed.
  for (const deed of ["pointerdown", "keydown", "input"]) addEventListener(deed, () => compare?.(), true);
  addEventListener("click", (event) => {
    compare?.();
    const one = (event.target as Element).closest?.(CONTROLS);
    if (one && strays(event, one)) stop(event);
  }, true);
  // A file that misses its place isn't opened in place of the page. Text goes where it is dropped.
  for (const name of ["dragover", "drop"] as const) addEventListener(name, (event) => event.dataTransfer?.types.includes("Files") && event.preventDefault());
  // A key that is held down does once what it does.
  addEventListener("keydown", (event) => {
    if (event.repeat && event.key === "Enter" && (event.target as Element).closest?.("a[href], button, summary")) stop(event);
  }, true);
}
