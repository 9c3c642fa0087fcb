// Every word of ours that a person reads on the page, by its id, in the person's language. The words come from the
// catalog of all surfaces, `crates/ask-config/locales/`; `words.mjs` makes dist of it. Where a number decides the
// form, both are given: for one, and for others; no language of ours has more that matter below a million.
import type english from "../../dist/words.en.json";

export type Word = keyof typeof english;
type Words = Record<Word, string | string[]>;

const LANGUAGES = ["en", "de", "es", "fr", "ja", "ko", "zh-Hans"];

let words: Partial<Words> = {};
let asked = 0;
let spoken = "en";
/** Made when they are needed: that is dear, and the first look needs neither. */
let plural: Intl.PluralRules | undefined;
let number: Intl.NumberFormat | undefined;
/** Whose dates and numbers are written: the language's, as the browser's person writes it where that says more. */
export let locale = "en";

/** The language of ours that comes first among those that are wanted. */
export function chosen(wanted: readonly string[], ours: readonly string[] = LANGUAGES): string {
  return wanted.map(short).find((language) => ours.includes(language)) ?? "en";
}

/** Traditional characters are another language to their readers. */
const short = (tag: string): string => (/^zh(?!.*-(Hant|TW|HK|MO))/i.test(tag) ? "zh-Hans" : (tag.split("-")[0] as string));

/** Brings the words of the language that the person set, else of one that the browser wants. */
export async function loadWords(set: string | null | undefined): Promise<void> {
  const wanted = set ? [set] : navigator.languages;
  const language = chosen(wanted);
  const turn = ++asked;
  const response = await fetch(`/assets/words.${language}.json`);
  const found = (await response.json()) as Words;
  // Another language may have been asked for since.
  if (turn !== asked) return;
  useWords(found, language, navigator.languages.find((tag) => short(tag) === language));
  document.documentElement.lang = language;
}

export function useWords(of: Partial<Words>, language: string, tag = language): void {
  words = of;
  locale = tag;
  spoken = language;
  plural = number = undefined;
}

/** Whether there are words for what came as a name. */
export const isWord = (id: string): id is Word => id in words;

/** The words of an id, with what belongs in their places. */
export function say(id: Word, args: Record<string, string | number> = {}): string {
  const forms = words[id] ?? id;
  const text = typeof forms === "string" ? forms : (forms[(plural ??= new Intl.PluralRules(spoken)).select(Number(args.count)) === "one" ? 0 : 1] ?? id);
  return text.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = args[name] ?? "";
    return typeof value === "number" ? (number ??= new Intl.NumberFormat(locale)).format(value) : apart(value);
  });
}

/** Words that run from right to left, or turn what follows, stay in their place among ours. */
const apart = (text: string): string => (/[\p{Bidi_Control}\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u.test(text) ? `\u2068${text}\u2069` : text);
