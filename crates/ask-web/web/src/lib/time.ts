// Formats times, durations and numbers in the page's language. Pure: the time is an argument.
import { locale } from "./i18n.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

type Format = { format(value: number): string };
const formats = new Map<string, Format>();
/** Creating a format is slow, and a list needs the same one for every row. */
function cachedFormat(name: string, make: () => Format): Format {
  const key = `${locale} ${name}`;
  const found = formats.get(key) ?? make();
  formats.set(key, found);
  return found;
}

const numberFormat = (name: string, options: Intl.NumberFormatOptions) => cachedFormat(`number ${name}`, () => new Intl.NumberFormat(locale, options));
const dateFormat = (name: string, options: Intl.DateTimeFormatOptions) => cachedFormat(`date ${name}`, () => new Intl.DateTimeFormat(locale, options));

/** A number with its unit: "4 min", "1.5 MB". */
export const formatUnit = (value: number, unit: string): string =>
  numberFormat(unit, { style: "unit", unit, unitDisplay: "short", maximumFractionDigits: 1 }).format(value);

export const formatPercent = (part: number): string => numberFormat("%", { style: "percent" }).format(part);

/** A duration in its largest whole unit. */
function largestUnit(ms: number): [number, "second" | "minute" | "hour" | "day"] {
  if (ms < MINUTE) return [0, "second"];
  if (ms < HOUR) return [Math.floor(ms / MINUTE), "minute"];
  return ms < DAY ? [Math.floor(ms / HOUR), "hour"] : [Math.floor(ms / DAY), "day"];
}

/** How long ago, for a sentence: "now", "4 minutes ago". It never says "yesterday", which 24 hours ago need not be. */
export function formatAgo(ms: number): string {
  const [count, unit] = largestUnit(ms);
  const relative = (numeric: "auto" | "always") => () => {
    const made = new Intl.RelativeTimeFormat(locale, { numeric });
    return { format: (value: number) => made.format(-value, unit) };
  };
  return cachedFormat(`ago ${unit}`, relative(count ? "always" : "auto")).format(count);
}

/** A short age: "now", "4 min", "1 hr", "3 days". */
export function formatAge(ms: number): string {
  const [count, unit] = largestUnit(ms);
  return count ? formatUnit(count, unit) : formatAgo(0);
}

/** The time left: "2:41", "1:02:03". */
export function formatCountdown(ms: number): string {
  const all = Math.max(0, Math.ceil(ms / 1000));
  const two = (n: number) => String(n).padStart(2, "0");
  const [hours, minutes, seconds] = [Math.floor(all / 3600), Math.floor(all / 60) % 60, all % 60];
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds)}` : `${minutes}:${two(seconds)}`;
}

/** A duration: "12 sec", "4 min", "1 hr 5 min". */
export function formatDuration(ms: number | undefined): string {
  if (ms === undefined) return "–";
  if (ms < MINUTE) return formatUnit(Math.round(ms / 1000), "second");
  if (ms < HOUR) return formatUnit(Math.round(ms / MINUTE), "minute");
  const [hours, minutes] = [Math.floor(ms / HOUR), Math.round((ms % HOUR) / MINUTE)];
  if (ms >= DAY) return formatUnit(Math.round(ms / DAY), "day");
  return minutes ? `${formatUnit(hours, "hour")} ${formatUnit(minutes, "minute")}` : formatUnit(hours, "hour");
}

/** The time of day, with the date unless it is today, and with the year unless it is this one. */
export function formatTime(at: string, now: number): string {
  const then = new Date(at);
  const time = dateFormat("time", { timeStyle: "short" }).format(+then);
  const today = new Date(now);
  // The ask of a card in a chat is never years old.
  const years = CHAT ? 0 : then.getFullYear() - today.getFullYear();
  return then.toDateString() === today.toDateString() ? time : `${formatDay(then, years)} ${time}`;
}

/** `years` is the distance to the current year. Unless it is 0 the year is included. */
export const formatDay = (then: Date, years?: number): string => dateFormat(`day ${years}`, { month: "short", day: "numeric", ...(years && { year: "numeric" }) }).format(+then);
export const formatHour = (hour: number): string => dateFormat("hour", { hour: "numeric" }).format(new Date(2000, 0, 1, hour).getTime());
export const formatDateTime = (at: string): string => dateFormat("moment", { dateStyle: "medium", timeStyle: "medium" }).format(Date.parse(at));

/** Nine in the morning of the next day. */
export function tomorrowMorning(now: number): Date {
  const then = new Date(now);
  then.setDate(then.getDate() + 1);
  then.setHours(9, 0, 0, 0);
  return then;
}

/** When a clock next shows this time of day, such as "14:30". */
export function nextTimeOfDay(time: string, now: number): Date {
  const then = new Date(now);
  const [hours = 0, minutes = 0] = time.split(":").map(Number);
  then.setHours(hours, minutes, 0, 0);
  if (+then <= now) then.setDate(then.getDate() + 1);
  return then;
}
