// The page's state in one place. Components render again when the part that they use changes.
import { useEffect, useReducer, useState } from "preact/hooks";
import type { Ask, Day, Pairing, Viewer } from "../lib/types.ts";

/** The page's connection to the hub. */
export type Connection = ({ kind: "connecting" | "live" | "offline" } | { kind: "pausing"; until: number }) & {
  /** Whether the hub answers, but currently accepts no devices. */
  devicesOff?: boolean;
};
/** A message about what was just done. It may have a button to undo that. */
export type Toast = { text: string; action?: { label: string; run: () => void } | undefined };
export type State = {
  asks: ReadonlyMap<string, Ask>;
  ready: boolean;
  signedOut: boolean;
  /** The kind of the problem with the sign-in link that opened this page, if the hub refused it. */
  badLink?: string | undefined;
  day: Day;
  connection: Connection;
  toasts: Toast[];
  /** Texts for screen readers: `polite` waits for a pause, `urgent` interrupts. */
  polite: string;
  urgent: string;
  /** Grow with each text, so that a screen reader also reads the same text again. */
  politeCount: number;
  urgentCount: number;
  /** Answers that wait for the connection. */
  queued: ReadonlySet<string>;
  filter: string;
  /** The language of the page. */
  language: string;
  /** Who looks at the page; undefined until the hub has sent it. */
  viewer: Viewer | undefined;
  /** The hub sends it only to pages at the computer itself. */
  pairing: Pairing | undefined;
};

let state: State = {
  asks: new Map(),
  ready: false,
  signedOut: false,
  day: { answered: 0, muted: false },
  connection: { kind: "connecting" },
  toasts: [],
  polite: "",
  urgent: "",
  politeCount: 0,
  urgentCount: 0,
  queued: new Set(),
  filter: "",
  language: "",
  viewer: undefined,
  pairing: undefined,
};
const subscribers = new Set<() => void>();

export const getState = (): State => state;

export function setState(part: Partial<State>): void {
  state = { ...state, ...part };
  if (part.polite) state.politeCount++;
  if (part.urgent) state.urgentCount++;
  for (const subscriber of [...subscribers]) subscriber();
}

/** Calls the subscriber whenever any state changes. */
export const subscribe = (subscriber: () => void): unknown => subscribers.add(subscriber);

/** Focuses an element after the pending render and before the next key, so that no key is lost. */
export const focusOn = (id: string): unknown => Promise.resolve().then(() => document.getElementById(id)?.focus());

/** A part of the state. The component renders again when that part changes. */
export function useStore<T>(part: (state: State) => T): T {
  const [, rerender] = useReducer((n: number) => n + 1, 0);
  const value = part(state);
  useEffect(() => {
    const compare = () => part(state) !== value && rerender(undefined as never);
    compare();
    subscribers.add(compare);
    return () => void subscribers.delete(compare);
  });
  return value;
}

/** Whether the page is opened at a loopback address: at the computer itself, or through a forwarded port. */
export const isLoopback = /^(localhost|127\.[\d.]+|\[::1\])$/.test(globalThis.location?.hostname ?? "");
/** Whether the connection is a secure context. Browsers withhold many APIs from others. */
export const isSecure = globalThis.isSecureContext ?? false;
/** Whether this device may only read. */
export const isReadOnly = (): boolean => state.viewer?.scope === "see";

/** Callbacks between parts of the page that are loaded at different times. Each part sets its own. */
export const callbacks = {
  /** A request failed although the page seemed to be connected. */
  checkConnection: (): void => {},
  /** The hub sent the current state of an ask. */
  askChanged: (_ask: Ask): void => {},
  /** A new ask came. Only the tab that holds the stream calls this. */
  askCreated: (_ask: Ask): void => {},
  /** The person has set this language, or none. */
  languageSet: (_language: string | undefined): void => {},
  /** The page is connected to the hub again. */
  connected: (): unknown => undefined,
  /** The page is about to be left or reloaded. */
  pageLeaving: async (): Promise<unknown> => undefined,
};

let clockOffset = 0;
/** The current time by the hub's clock. */
export const hubNow = (): number => Date.now() + clockOffset;
export function setHubTime(at: string | undefined): void {
  if (at) clockOffset = Date.parse(at) - Date.now();
}

const tickers = new Set<() => void>();
let interval: ReturnType<typeof setInterval> | undefined;

/** The current time, updated every so many seconds. */
export function useNow(seconds: number): number {
  const [time, setTime] = useState(hubNow);
  useEffect(() => {
    const tick = () => setTime((last) => (hubNow() - last >= seconds * 1000 - 100 ? hubNow() : last));
    tickers.add(tick);
    interval ??= setInterval(() => tickers.forEach((tick) => tick()), 1000);
    return () => void tickers.delete(tick);
  }, [seconds]);
  return time;
}

/** Removes a toast. */
export const dismissToast = (toast: Toast): void => setState({ toasts: state.toasts.filter((other) => other !== toast) });

/** Shows a message for some seconds. One with a button stays for its whole time, whatever else is shown meanwhile. */
export function toast(text: string, action?: Toast["action"], ms = 6000): Toast {
  const shown: Toast = { text, action };
  setState({ toasts: CHAT ? [shown] : [...state.toasts.filter((other) => other.action), shown], polite: text });
  setTimeout(() => dismissToast(shown), ms);
  return shown;
}

/** The person's settings that this browser stores. */
export const preferences = {
  get: (name: string): string | null => {
    try {
      return localStorage.getItem(name);
    } catch {
      return null;
    }
  },
  set: (name: string, value: string): void => {
    try {
      localStorage.setItem(name, value);
    } catch {
      // A browser without storage loses the page's settings when the page is closed.
    }
  },
};
