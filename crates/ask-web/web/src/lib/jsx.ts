// The function that JSX is compiled to. It lets browsers break long words.
import { Fragment, h as createElement } from "preact";
export { Fragment };

/** For each line of a word whose letters join, as in Arabic, a browser shapes the whole rest of it. Thousands of letters block it for seconds. */
const LONG_TEXT = 200;
/** A break is only allowed between two letters, so that marks and punctuation stay with theirs. */
const LONG_WORD = new RegExp(`\\S{${LONG_TEXT}}(?<=\\p{L})(?=\\p{L})`, "gu");

/** A text with places where its words may be broken. They are elements, so copied text has nothing added. */
export function breakable(text: string): unknown[] {
  const parts: unknown[] = [];
  let from = 0;
  for (const { index, 0: word } of text.matchAll(LONG_WORD)) {
    parts.push(text.slice(from, index + word.length), createElement("wbr", null));
    from = index + word.length;
  }
  return [...parts, text.slice(from)];
}

/** A browser's time for the layout of a text grows with the square of its direction changes. */
const MAX_DIRECTION_CHANGES = 1000;
const LETTER = /\p{L}/u;
const RTL = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** Whether the letters of a text change direction so often that nobody could read it. */
export function hasManyDirectionChanges(text: string): boolean {
  let [turns, last] = [0, 0];
  for (const char of text.length > MAX_DIRECTION_CHANGES && RTL.test(text) ? text : "") {
    const direction = LETTER.test(char) ? (RTL.test(char) ? 2 : 1) : last;
    turns += direction === last ? 0 : 1;
    last = direction;
  }
  return turns > MAX_DIRECTION_CHANGES;
}

function makeBreakable(child: unknown): unknown {
  if (typeof child !== "string" || child.length <= LONG_TEXT) return child;
  return hasManyDirectionChanges(child) ? createElement("bdo", { dir: "ltr" }, ...breakable(child) as never[]) : breakable(child);
}

/** Creates a node, as Preact's own function does. An option can only contain text. */
export const h = ((type: never, props: never, ...children: never[]) => (
  type === Fragment || (typeof type === "string" && type !== "option") ? createElement(type, props, ...children.map(makeBreakable) as never[]) : createElement(type, props, ...children)
)) as typeof createElement;
