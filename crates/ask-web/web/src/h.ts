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

const broken = (child: unknown): unknown => (typeof child === "string" && child.length > LONG ? breakable(child) : child);

/** Makes a node, as Preact's own does. An option holds text alone. */
export const h = ((type: never, props: never, ...children: never[]) => (
  type === Fragment || (typeof type === "string" && type !== "option") ? make(type, props, ...children.map(broken) as never[]) : make(type, props, ...children)
)) as typeof make;
