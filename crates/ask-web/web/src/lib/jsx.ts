// What JSX is built into.
import { Fragment, h as make } from "preact";
export { Fragment };

/** For each line of a word whose letters join, as Arabic ones do, a browser shapes all the rest of it: thousands hold it for seconds. */
const LONG = 200;
/** No sign is parted from its letter, nor a mark of punctuation from its word. */
const WORD = new RegExp(`\\S{${LONG}}(?<=\\p{L})(?=\\p{L})`, "gu");

/** A text with places where its words may be broken. They are no letters: nothing is added to what is copied. */
export function breakable(text: string): unknown[] {
  const parts: unknown[] = [];
  let from = 0;
  for (const { index, 0: word } of text.matchAll(WORD)) {
    parts.push(text.slice(from, index + word.length), make("wbr", null));
    from = index + word.length;
  }
  return [...parts, text.slice(from)];
}

/** The time that a browser takes to lay out a text grows with the square of how often its direction changes. */
const MANY = 1000;
const LETTER = /\p{L}/u;
const RTL = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** Whether the letters of a text change their direction so often that nobody reads it. */
export function tangled(text: string): boolean {
  let [turns, last] = [0, 0];
  for (const char of text.length > MANY && RTL.test(text) ? text : "") {
    const direction = LETTER.test(char) ? (RTL.test(char) ? 2 : 1) : last;
    turns += direction === last ? 0 : 1;
    last = direction;
  }
  return turns > MANY;
}

function broken(child: unknown): unknown {
  if (typeof child !== "string" || child.length <= LONG) return child;
  return tangled(child) ? make("bdo", { dir: "ltr" }, ...breakable(child) as never[]) : breakable(child);
}

/** Makes a node, as Preact's own does. An option holds text alone. */
export const h = ((type: never, props: never, ...children: never[]) => (
  type === Fragment || (typeof type === "string" && type !== "option") ? make(type, props, ...children.map(broken) as never[]) : make(type, props, ...children)
)) as typeof make;
