// Moments, lengths of time and numbers as people write them in the page's language. Pure: the time is an argument.
import { locale } from "./i18n.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

type Format = { format(value: number): string };
const made = new Map<string, Format>();
/** Making a format is dear, and a list needs the same one for every row. */
function kept(name: string, make: () => Format): Format {
  const key = `${locale} ${name}`;
  const found = made.get(key) ?? make();
  made.set(key, found);
  return found;
}

const numbered = (name: string, options: Intl.NumberFormatOptions) => kept(`number ${name}`, () => new Intl.NumberFormat(locale, options));
const dated = (name: string, options: Intl.DateTimeFormatOptions) => kept(`date ${name}`, () => new Intl.DateTimeFormat(locale, options));

/** So much of a unit: "4 min", "1.5 MB". */
export const much = (value: number, unit: string): string =>
  numbered(unit, { style: "unit", unit, unitDisplay: "short", maximumFractionDigits: 1 }).format(value);

export const percent = (part: number): string => numbered("%", { style: "percent" }).format(part);

/** The largest whole unit of a length. */
function whole(ms: number): [number, "second" | "minute" | "hour" | "day"] {
  if (ms < MINUTE) return [0, "second"];
  if (ms < HOUR) return [Math.floor(ms / MINUTE), "minute"];
  return ms < DAY ? [Math.floor(ms / HOUR), "hour"] : [Math.floor(ms / DAY), "day"];
}

/** How long ago, in a sentence: "now", "4 minutes ago". One day ago is not always yesterday. */
export function ago(ms: number): string {
  const [count, unit] = whole(ms);
  const relative = (numeric: "auto" | "always") => () => {
    const made = new Intl.RelativeTimeFormat(locale, { numeric });
    return { format: (value: number) => made.format(-value, unit) };
  };
  return kept(`ago ${unit}`, relative(count ? "always" : "auto")).format(count);
}

/** An age at a glance: "now", "4 min", "1 hr", "3 days". */
export function short(ms: number): string {
  const [count, unit] = whole(ms);
  return count ? much(count, unit) : ago(0);
}

/** What is left, counted down: "2:41", "1:02:03". */
export function left(ms: number): string {
  const all = Math.max(0, Math.ceil(ms / 1000));
  const two = (n: number) => String(n).padStart(2, "0");
  const [hours, minutes, seconds] = [Math.floor(all / 3600), Math.floor(all / 60) % 60, all % 60];
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds)}` : `${minutes}:${two(seconds)}`;
}

/** How long something took: "12 sec", "4 min", "1 hr 5 min". */
export function took(ms: number | undefined): string {
  if (ms === undefined) return "–";
  if (ms < MINUTE) return much(Math.round(ms / 1000), "second");
  if (ms < HOUR) return much(Math.round(ms / MINUTE), "minute");
  const [hours, minutes] = [Math.floor(ms / HOUR), Math.round((ms % HOUR) / MINUTE)];
  if (ms >= DAY) return much(Math.round(ms / DAY), "day");
  return minutes ? `${much(hours, "hour")} ${much(minutes, "minute")}` : much(hours, "hour");
}

/** The time of day, with the date where it isn't today, and the year where it isn't this one. */
export function clock(at: string, now: number): string {
  const then = new Date(at);
  const time = dated("time", { timeStyle: "short" }).format(+then);
  const today = new Date(now);
  // What a card in a chat is about began a while ago at most.
  const years = CHAT ? 0 : then.getFullYear() - today.getFullYear();
  return then.toDateString() === today.toDateString() ? time : `${day(then, years)} ${time}`;
}

/** `years` says how far another year is: then it is said, too. */
export const day = (then: Date, years?: number): string => dated(`day ${years}`, { month: "short", day: "numeric", ...(years && { year: "numeric" }) }).format(+then);
export const hour = (of: number): string => dated("hour", { hour: "numeric" }).format(new Date(2000, 0, 1, of).getTime());
export const moment = (at: string): string => dated("moment", { dateStyle: "medium", timeStyle: "medium" }).format(Date.parse(at));

/** Nine in the morning of the next day. */
export function tomorrow(now: number): Date {
  const then = new Date(now);
  then.setDate(then.getDate() + 1);
  then.setHours(9, 0, 0, 0);
  return then;
}

/** When a clock shows this next, written as 14:30. */
export function next(time: string, now: number): Date {
  const then = new Date(now);
  const [hours = 0, minutes = 0] = time.split(":").map(Number);
  then.setHours(hours, minutes, 0, 0);
  if (+then <= now) then.setDate(then.getDate() + 1);
  return then;
}
