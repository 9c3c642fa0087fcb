// The hub's events. One tab of this browser, the leader, reads the stream and passes its events on to the others. Another
// tab takes over when it closes.
import { Problem } from "../lib/api.ts";
import { groupOf, headline, sortAsks, askerName } from "./asks.ts";
import { sendWithProof } from "../lib/proof.ts";
import { beforeAutomaticChange } from "../lib/click_guard.ts";
import { retryDelay, sseParser } from "../lib/sse.ts";
import { type Connection, isLoopback, getState, callbacks, isSecure, setState, setHubTime, hubNow } from "./store.ts";
import type { Ask, Day, Inbox, Pairing, Viewer } from "../lib/types.ts";
import { translate } from "../lib/i18n.ts";

/** After this silence the connection counts as broken: the hub sends something every 15 s. */
const SILENCE_MS = 40_000;
const CHANNEL = "ask-user-events";
/** A leader that doesn't answer in this time was suspended by its browser. */
const LEADER_TIMEOUT_MS = 5000;

type TabMessage = { event: string; data: unknown } | { link: Connection } | { hello: true; recheck?: true };
const channel = "BroadcastChannel" in window ? new BroadcastChannel(CHANNEL) : undefined;
let isLeader = false;
let tries = 0;
let cursor: string | undefined;
let isReloading = false;
let endPause: (() => void) | undefined;
/** The build of this page. If the hub has another one, the page reloads. */
const openBuild = document.querySelector<HTMLMetaElement>("meta[name=build]")?.content;
let hello: object | undefined;
let abortStream: (() => void) | undefined;
let leaderTimer: ReturnType<typeof setTimeout>;

/** Resolves once the last change is painted, or soon if the browser paints nothing, as in the background. */
const nextPaint = (): Promise<void> =>
  new Promise((done) => {
    requestAnimationFrame(() => requestAnimationFrame(() => done()));
    setTimeout(done, 100);
  });

let resolveListed: () => void;
/** Resolves once the list is shown, or after 300 ms. What isn't urgent waits for it. */
export const listShown = new Promise<void>((done) => {
  resolveListed = done;
  setTimeout(done, 300);
});

function applyEvent(event: string, data: unknown): void {
  // The first list moves nothing that the person could be about to click.
  if (getState().ready && (event === "snapshot" || event.startsWith("ask."))) beforeAutomaticChange();
  if (event === "snapshot") return applySnapshot(data as Inbox);
  if (event === "hello") {
    const { page, now, local = isLoopback, scope = "answer", encrypted = isSecure, language } = data as { page: string; now?: string; language?: string } & Partial<Viewer>;
    const viewer = { local, scope, encrypted };
    hello = { page, language, ...viewer };
    setState({ viewer });
    setHubTime(now);
    callbacks.languageSet(language);
    if (openBuild && page !== openBuild) reloadPage();
    return;
  }
  if (event === "day") return setState({ day: { ...getState().day, ...(data as Day) } });
  if (event === "pairing") return setState({ pairing: data as Pairing });
  if (event === "reload") return reloadPage();
  const asks = new Map(getState().asks);
  if (event === "ask.gone") {
    asks.delete((data as { askId: string }).askId);
    return setState({ asks });
  }
  if (!event.startsWith("ask.")) return;
  const ask = data as Ask;
  const known = asks.has(ask.askId);
  if (groupOf(ask)) asks.set(ask.askId, ask);
  else asks.delete(ask.askId);
  setState({ asks });
  callbacks.askChanged(ask);
  if (event === "ask.created" && !known) announce(ask);
}

/** Loads the hub's current page, after what was typed is stored. A page that a cache keeps must not load itself all the time. */
function reloadPage(): void {
  if (isReloading) return;
  isReloading = true;
  const [navigation] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
  const pauseMs = navigation?.type === "reload" ? Math.max(0, 30_000 - performance.now()) : 0;
  setTimeout(() => void callbacks.pageLeaving().then(() => location.reload()), pauseMs);
}

/** Loads the most urgent asks before the stream has started. */
export async function loadMostUrgent(): Promise<void> {
  const response = await sendWithProof("/v1/asks?first=40");
  if (response.ok) applySnapshot((await response.json()) as Inbox, true);
}

function applySnapshot({ asks, day, now }: Inbox, more = Boolean(day?.more)): void {
  setHubTime(now);
  const { asks: known, ready } = getState();
  // The most urgent asks come first, so that they are shown early. All of them follow.
  if (more && (ready || known.size)) return;
  const fresh = ready ? asks.filter((ask) => groupOf(ask) === "waiting" && !known.has(ask.askId)) : [];
  setState({ asks: new Map(asks.map((ask) => [ask.askId, ask])), ready: !more, ...(day ? { day } : {}) });
  void nextPaint().then(resolveListed);
  asks.forEach((ask) => callbacks.askChanged(ask));
  fresh.forEach(announce);
}

/** Announces a new ask: to screen readers in each tab, and by a notification from the leader alone. */
function announce(ask: Ask): void {
  setState({ polite: translate("asked-now", { who: askerName(ask), what: headline(ask) }) });
  if (isLeader) callbacks.askCreated(ask);
}

function setConnection(connection: Connection): void {
  const before = getState().connection.kind;
  setState({ connection });
  if (isLeader) channel?.postMessage({ link: connection } satisfies TabMessage);
  if (connection.kind === "live" && before !== "live") callbacks.connected();
}

async function readStream(): Promise<void> {
  const stop = new AbortController();
  abortStream = () => stop.abort();
  let silenceTimer = setTimeout(() => stop.abort(), SILENCE_MS);
  try {
    const headers: Record<string, string> = { Accept: "text/event-stream" };
    if (cursor) headers["Last-Event-ID"] = cursor;
    const response = await sendWithProof("/v1/events", { headers, signal: stop.signal, cache: "no-store" });
    if (!response.ok || !response.body) {
      if (response.status === 401) setState({ signedOut: true });
      throw new Problem(response.status, await response.json().catch(() => ({})));
    }
    const read = sseParser(({ id, event, data }) => {
      if (id) cursor = id;
      const value: unknown = JSON.parse(data);
      applyEvent(event, value);
      channel?.postMessage({ event, data: value } satisfies TabMessage);
      if (getState().connection.kind !== "live") setConnection({ kind: "live" });
    });
    const text = response.body.pipeThrough(new TextDecoderStream()).getReader();
    let isListShown = getState().ready;
    for (;;) {
      const { done, value } = await text.read();
      if (done) return;
      if (tries) setConnection({ kind: "live" });
      tries = 0;
      clearTimeout(silenceTimer);
      silenceTimer = setTimeout(() => stop.abort(), SILENCE_MS);
      read(value);
      // The first asks are painted before the rest is parsed, which takes a while.
      if (!isListShown && getState().asks.size) {
        isListShown = true;
        await nextPaint();
      }
    }
  } finally {
    clearTimeout(silenceTimer);
  }
}

async function lead(): Promise<void> {
  isLeader = true;
  while (isLeader && !getState().signedOut) {
    const error: unknown = await readStream().catch((error: unknown) => error);
    const devicesOff = error instanceof Problem && error.kind === "devices-off";
    if (!isLeader || getState().signedOut) break;
    const wait = retryDelay(tries++, Math.random());
    setConnection(navigator.onLine ? { kind: "pausing", until: Date.now() + wait, devicesOff } : { kind: "offline" });
    await new Promise<void>((done) => {
      endPause = done;
      if (navigator.locks || !document.hidden) setTimeout(done, wait);
    });
    if (isLeader && navigator.onLine) setConnection({ kind: "connecting", devicesOff });
  }
}

/** Tries to connect now instead of later. A signed-out page checks whether another tab has signed this browser in. */
export function retryNow(): void {
  if (getState().signedOut) return void sendWithProof("/v1/session").then(({ ok }) => ok && location.reload(), () => undefined);
  endPause?.();
  pingLeader();
}

/** Asks the leader for the current state. Phones suspend tabs, so this tab takes over if the leader doesn't answer. */
function pingLeader(): void {
  channel?.postMessage({ hello: true } satisfies TabMessage);
  if (!channel || !navigator.locks) return;
  clearTimeout(leaderTimer);
  leaderTimer = setTimeout(() => isLeader || waitForLeadership(true), LEADER_TIMEOUT_MS);
}

/** Leads once no other tab does. A tab holds the lock until it closes, also while it is suspended. */
function waitForLeadership(steal: boolean): void {
  void navigator.locks.request(CHANNEL, { steal }, lead).catch(() => {
    const led = isLeader;
    isLeader = false;
    abortStream?.();
    endPause?.();
    // A browser that allows this address no storage has no locks either. Then each tab reads its own stream.
    if (!led) return void lead();
    waitForLeadership(false);
    pingLeader();
  });
}

export function startStream(): void {
  if (channel) {
    channel.onmessage = ({ data }: MessageEvent<TabMessage>) => {
      if ("hello" in data) {
        if (!isLeader || getState().signedOut) return getState().signedOut ? retryNow() : undefined;
        // Without locks each tab reads its own stream, and browsers open at most six connections. Hidden tabs give theirs up.
        if (data.recheck || (!navigator.locks && document.hidden)) return abortStream?.();
        endPause?.();
        const { asks, day, connection, pairing, ready } = getState();
        if (hello) channel.postMessage({ event: "hello", data: { ...hello, now: new Date(hubNow()).toISOString() } } satisfies TabMessage);
        if (pairing) channel.postMessage({ event: "pairing", data: pairing } satisfies TabMessage);
        if (ready) channel.postMessage({ event: "snapshot", data: { asks: sortAsks(asks.values()), day } } satisfies TabMessage);
        return channel.postMessage({ link: connection } satisfies TabMessage);
      }
      // Only the leader sends other messages.
      clearTimeout(leaderTimer);
      if (isLeader) return;
      if ("link" in data) setConnection(data.link);
      else applyEvent(data.event, data.data);
    };
    pingLeader();
  }
  if (channel && navigator.locks) waitForLeadership(false);
  else void lead();
  addEventListener("online", retryNow);
  callbacks.checkConnection = () => {
    if (isLeader) abortStream?.();
    else channel?.postMessage({ hello: true, recheck: true } satisfies TabMessage);
  };
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "visible") retryNow();
    else void callbacks.pageLeaving();
  });
}
