/** Texts of agents and people, made safe for a terminal. */

/**
 * Escape sequences, control characters, invisible characters, and characters that change the
 * direction of text. Joiners stay, and so do selectors of a variant, except the ones for
 * ideographs behind another character.
 */
const UNSAFE =
  /\x1b\[[0-9;:?]*[ \-\/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)?|[[\p{Cc}\p{Bidi_Control}\p{Default_Ignorable_Code_Point}\u2028\u2029\u2800\ufff9-\ufffb]--[\u200c\u200d\p{Variation_Selector}]]+|(?<!\p{Ideographic})[\u{e0100}-\u{e01ef}]+/gv;

/** The text as one safe line. */
export function plain(text: string): string {
  return text.replace(UNSAFE, " ").replace(/ {2,}/g, " ").trim();
}

/** The text as safe lines. */
export function plainLines(text: string): string {
  return text.split("\n").map(plain).join("\n");
}
