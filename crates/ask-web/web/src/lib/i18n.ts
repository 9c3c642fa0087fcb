// The page's own texts in the person's language, by their ids. They come from the catalog of all surfaces,
// `crates/ask-config/locales/`, from which `words.mjs` makes the files in dist. A text with a plural has two forms, for one
// and for others: no supported language needs more below a million.
import type english from "../../dist/words.en.json";

export type MessageId = keyof typeof english;
type Messages = Record<MessageId, string | string[]>;

const LANGUAGES = ["en", "de", "es", "fr", "ja", "ko", "zh-Hans"];

let messages: Partial<Messages> = {};
let requests = 0;
let messagesLanguage = "en";
/** Created when first needed: that is slow, and the first paint needs neither. */
let pluralRules: Intl.PluralRules | undefined;
let numberFormat: Intl.NumberFormat | undefined;
/** The locale of dates and numbers: the language, with the region if the browser names one. */
export let locale = "en";

/** The first of the wanted languages that the page supports. */
export function chooseLanguage(wanted: readonly string[], supported: readonly string[] = LANGUAGES): string {
  return wanted.map(baseLanguage).find((language) => supported.includes(language)) ?? "en";
}

/** The language without its region. Chinese in traditional characters counts as another language. */
const baseLanguage = (tag: string): string => (/^zh(?!.*-(Hant|TW|HK|MO))/i.test(tag) ? "zh-Hans" : (tag.split("-")[0] as string));

/** Loads the messages of the language that the person set, else of one that the browser prefers. */
export async function loadMessages(set: string | null | undefined): Promise<void> {
  const wanted = set ? [set] : navigator.languages;
  const language = chooseLanguage(wanted);
  const request = ++requests;
  const response = await fetch(`/assets/words.${language}.json`);
  const found = (await response.json()) as Messages;
  // Another language may have been requested meanwhile.
  if (request !== requests) return;
  setMessages(found, language, navigator.languages.find((tag) => baseLanguage(tag) === language));
  document.documentElement.lang = language;
}

export function setMessages(loaded: Partial<Messages>, language: string, tag = language): void {
  messages = loaded;
  locale = tag;
  messagesLanguage = language;
  pluralRules = numberFormat = undefined;
}

/** Whether there is a message with this id. */
export const hasMessage = (id: string): id is MessageId => id in messages;

/** The message of an id, with its placeholders filled in. */
export function translate(id: MessageId, args: Record<string, string | number> = {}): string {
  const forms = messages[id] ?? id;
  const text = typeof forms === "string" ? forms : (forms[(pluralRules ??= new Intl.PluralRules(messagesLanguage)).select(Number(args.count)) === "one" ? 0 : 1] ?? id);
  return text.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = args[name] ?? "";
    return typeof value === "number" ? (numberFormat ??= new Intl.NumberFormat(locale)).format(value) : isolateDirection(value);
  });
}

/** Isolates text that runs from right to left, or changes the direction of what follows, so that it doesn't reorder the message. */
const isolateDirection = (text: string): string => (/[\p{Bidi_Control}\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u.test(text) ? `\u2068${text}\u2069` : text);
