// The hub's events. One tab of this browser holds the stream and passes on what it hears; the others
// take over when it closes.
import { Problem } from "../lib/api.ts";
import { group, headline, sorted, who } from "./asks.ts";
import { send } from "../lib/proof.ts";
import { byItself } from "../lib/click_guard.ts";
import { pause, reader } from "../lib/sse.ts";
import { type Link, atComputer, get, line, secure, set, setTime, now as time } from "./store.ts";
import type { Ask, Day, Inbox, Pairing, Viewer } from "../lib/types.ts";
import { say } from "../lib/i18n.ts";

/** Silence for so long is a broken line: the hub says something every 15 s. */
const SILENCE_MS = 40_000;
const CHANNEL = "ask-user-events";
/** A tab that says nothing for so long was put to sleep. */
const ASLEEP_MS = 5000;

type Passed = { event: string; data: unknown } | { link: Link } | { hello: true; recheck?: true };
const others = "BroadcastChannel" in window ? new BroadcastChannel(CHANNEL) : undefined;
let leading = false;
let tries = 0;
let cursor: string | undefined;
let renewing = false;
let wake: (() => void) | undefined;
/** The build of the page that is open: another one in the hub takes its place. */
const built = document.querySelector<HTMLMetaElement>("meta[name=build]")?.content;
let hello: object | undefined;
let hangUp: (() => void) | undefined;
let unanswered: ReturnType<typeof setTimeout>;

/** Comes once what was just set is on the screen; where nothing is painted, soon. */
const painted = (): Promise<void> =>
  new Promise((go) => {
    requestAnimationFrame(() => requestAnimationFrame(() => go()));
    setTimeout(go, 100);
  });

let show: () => void;
/** Comes once there is a list to look at, or when that takes its time: what can wait until then does. */
export const listed = new Promise<void>((go) => {
  show = go;
  setTimeout(go, 300);
});

function take(event: string, data: unknown): void {
  // What a page begins with takes nothing from anybody.
  if (get().ready && (event === "snapshot" || event.startsWith("ask."))) byItself();
  if (event === "snapshot") return snapshot(data as Inbox);
  if (event === "hello") {
    const { page, now, local = atComputer, scope = "answer", encrypted = secure, language } = data as { page: string; now?: string; language?: string } & Partial<Viewer>;
    const viewer = { local, scope, encrypted };
    hello = { page, language, ...viewer };
    set({ viewer });
    setTime(now);
    line.speaks(language);
    if (built && page !== built) renew();
    return;
  }
  if (event === "day") return set({ day: { ...get().day, ...(data as Day) } });
  if (event === "pairing") return set({ pairing: data as Pairing });
  if (event === "reload") return renew();
  const asks = new Map(get().asks);
  if (event === "ask.gone") {
    asks.delete((data as { askId: string }).askId);
    return set({ asks });
  }
  if (!event.startsWith("ask.")) return;
  const ask = data as Ask;
  const known = asks.has(ask.askId);
  if (group(ask)) asks.set(ask.askId, ask);
  else asks.delete(ask.askId);
  set({ asks });
  line.heard(ask);
  if (event === "ask.created" && !known) announce(ask);
}

/** Begins anew with the page that the hub has now, once what was typed is kept. */
function renew(): void {
  if (renewing) return;
  renewing = true;
  void line.leaving().then(() => location.reload());
}

/** A first look at the most urgent, before the stream has begun. */
export async function glance(): Promise<void> {
  const response = await send("/v1/asks?first=40");
  if (response.ok) snapshot((await response.json()) as Inbox, true);
}

function snapshot({ asks, day, now }: Inbox, more = Boolean(day?.more)): void {
  setTime(now);
  const { asks: known, ready } = get();
  // The most urgent come first, for a first look; all of them follow.
  if (more && (ready || known.size)) return;
  const fresh = ready ? asks.filter((ask) => group(ask) === "waiting" && !known.has(ask.askId)) : [];
  // What this page has answered stays known, so that its card can say so.
  set({ asks: new Map(asks.map((ask) => [ask.askId, ask])), ready: !more, ...(day ? { day } : {}) });
  void painted().then(show);
  asks.forEach((ask) => line.heard(ask));
  fresh.forEach(announce);
}

/** Says that an agent asks: here, and, of all tabs, by one of them in the background. */
function announce(ask: Ask): void {
  set({ polite: say("asked-now", { who: who(ask), what: headline(ask) }) });
  if (leading) line.asked(ask);
}

function setLink(link: Link): void {
  const before = get().link.kind;
  set({ link });
  if (leading) others?.postMessage({ link } satisfies Passed);
  if (link.kind === "live" && before !== "live") line.live();
}

async function listen(): Promise<void> {
  const stop = new AbortController();
  hangUp = () => stop.abort();
  let quiet = setTimeout(() => stop.abort(), SILENCE_MS);
  try {
    const headers: Record<string, string> = { Accept: "text/event-stream" };
    if (cursor) headers["Last-Event-ID"] = cursor;
    const response = await send("/v1/events", { headers, signal: stop.signal, cache: "no-store" });
    if (!response.ok || !response.body) {
      if (response.status === 401) set({ signedOut: true });
      throw new Problem(response.status, await response.json().catch(() => ({})));
    }
    const read = reader(({ id, event, data }) => {
      if (id) cursor = id;
      const value: unknown = JSON.parse(data);
      take(event, value);
      others?.postMessage({ event, data: value } satisfies Passed);
      if (get().link.kind !== "live") setLink({ kind: "live" });
    });
    const text = response.body.pipeThrough(new TextDecoderStream()).getReader();
    let looked = get().ready;
    for (;;) {
      const { done, value } = await text.read();
      if (done) return;
      if (tries) setLink({ kind: "live" });
      tries = 0;
      clearTimeout(quiet);
      quiet = setTimeout(() => stop.abort(), SILENCE_MS);
      read(value);
      // The first look is shown before the rest is read, which takes a while.
      if (!looked && get().asks.size) {
        looked = true;
        await painted();
      }
    }
  } finally {
    clearTimeout(quiet);
  }
}

async function lead(): Promise<void> {
  leading = true;
  while (leading && !get().signedOut) {
    const error: unknown = await listen().catch((error: unknown) => error);
    const shut = error instanceof Problem && error.kind === "devices-off";
    if (!leading || get().signedOut) break;
    const wait = pause(tries++, Math.random());
    setLink(navigator.onLine ? { kind: "pausing", until: Date.now() + wait, shut } : { kind: "offline" });
    await new Promise<void>((go) => {
      wake = go;
      if (navigator.locks || !document.hidden) setTimeout(go, wait);
    });
    if (leading && navigator.onLine) setLink({ kind: "connecting", shut });
  }
}

/** Tries now instead of later; signed out, whether another tab has signed this browser in. */
export function now(): void {
  if (get().signedOut) return void send("/v1/session").then(({ ok }) => ok && location.reload(), () => undefined);
  wake?.();
  greet();
}

/** Asks whoever holds the stream how things stand; phones put tabs to sleep with it, and then it is taken over. */
function greet(): void {
  others?.postMessage({ hello: true } satisfies Passed);
  if (!others || !navigator.locks) return;
  clearTimeout(unanswered);
  unanswered = setTimeout(() => leading || hold(true), ASLEEP_MS);
}

/** The lock is held for as long as the tab lives, or sleeps: its end is what lets the next one lead. */
function hold(steal: boolean): void {
  void navigator.locks.request(CHANNEL, { steal }, lead).catch(() => {
    const led = leading;
    leading = false;
    hangUp?.();
    wake?.();
    // Where a browser keeps nothing for this address it has no locks either: each tab listens by itself.
    if (!led) return void lead();
    hold(false);
    greet();
  });
}

export function start(): void {
  if (others) {
    others.onmessage = ({ data }: MessageEvent<Passed>) => {
      if ("hello" in data) {
        if (!leading || get().signedOut) return get().signedOut ? now() : undefined;
        // Without a lock each tab listens by itself, and no browser has more than six lines: who isn't seen gives way.
        if (data.recheck || (!navigator.locks && document.hidden)) return hangUp?.();
        wake?.();
        const { asks, day, link, pairing, ready } = get();
        if (hello) others.postMessage({ event: "hello", data: { ...hello, now: new Date(time()).toISOString() } } satisfies Passed);
        if (pairing) others.postMessage({ event: "pairing", data: pairing } satisfies Passed);
        if (ready) others.postMessage({ event: "snapshot", data: { asks: sorted(asks.values()), day } } satisfies Passed);
        return others.postMessage({ link } satisfies Passed);
      }
      // Only who leads says anything else.
      clearTimeout(unanswered);
      if (leading) return;
      if ("link" in data) setLink(data.link);
      else take(data.event, data.data);
    };
    greet();
  }
  if (others && navigator.locks) hold(false);
  else void lead();
  addEventListener("online", now);
  line.recheck = () => {
    if (leading) hangUp?.();
    else others?.postMessage({ hello: true, recheck: true } satisfies Passed);
  };
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "visible") now();
    else void line.leaving();
  });
}
