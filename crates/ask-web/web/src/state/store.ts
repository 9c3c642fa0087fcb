// What the page knows, in one place; parts of the page look again when it changes.
import { useEffect, useReducer, useState } from "preact/hooks";
import type { Ask, Day, Pairing, Viewer } from "../lib/types.ts";

/** How the page stands to the hub. */
export type Link = ({ kind: "connecting" | "live" | "offline" } | { kind: "pausing"; until: number }) & {
  /** Whether the computer answers, but lets no device in at the moment. */
  shut?: boolean;
};
/** What was just done, with a way back for as long as it stands. */
export type Toast = { text: string; action?: { label: string; run: () => void } | undefined };
export type State = {
  asks: ReadonlyMap<string, Ask>;
  ready: boolean;
  signedOut: boolean;
  /** Whether the link that this page was opened by opens nothing any more. */
  usedLink: boolean;
  day: Day;
  link: Link;
  toasts: Toast[];
  /** What screen readers are told, when there is time, and at once. */
  polite: string;
  urgent: string;
  /** Grow with whatever is told: the same words again are told again. */
  politely: number;
  urgently: number;
  /** Answers that wait for the connection. */
  queued: ReadonlySet<string>;
  filter: string;
  /** The language that the page speaks. */
  language: string;
  /** Known once the hub said so. */
  viewer: Viewer | undefined;
  /** Told at the computer alone. */
  pairing: Pairing | undefined;
};

let state: State = {
  asks: new Map(),
  ready: false,
  signedOut: false,
  usedLink: false,
  day: { answered: 0, muted: false },
  link: { kind: "connecting" },
  toasts: [],
  polite: "",
  urgent: "",
  politely: 0,
  urgently: 0,
  queued: new Set(),
  filter: "",
  language: "",
  viewer: undefined,
  pairing: undefined,
};
const lookers = new Set<() => void>();

export const get = (): State => state;

export function set(part: Partial<State>): void {
  state = { ...state, ...part };
  if (part.polite) state.politely++;
  if (part.urgent) state.urgently++;
  for (const look of [...lookers]) look();
}

/** Calls whenever anything changes. */
export const watch = (look: () => void): unknown => lookers.add(look);

/** Puts the focus somewhere once what was just changed is shown, and before the next key: none is lost. */
export const focusOn = (id: string): unknown => Promise.resolve().then(() => document.getElementById(id)?.focus());

/** A part of the state; whoever uses it is shown anew when that part changes. */
export function useStore<T>(part: (state: State) => T): T {
  const [, again] = useReducer((n: number) => n + 1, 0);
  const value = part(state);
  useEffect(() => {
    const look = () => part(state) !== value && again(undefined as never);
    look();
    lookers.add(look);
    return () => void lookers.delete(look);
  });
  return value;
}

/** Whether the page stands on the computer, or is forwarded as if it did. */
export const atComputer = /^(localhost|127\.[\d.]+|\[::1\])$/.test(globalThis.location?.hostname ?? "");
/** Whether nobody on the way can read along; where somebody can, browsers hold much back. */
export const secure = globalThis.isSecureContext ?? false;
/** Whether this device may look and nothing else. */
export const onlySees = (): boolean => state.viewer?.scope === "see";

/** What parts tell each other that are not brought at once. */
export const line = {
  /** A request didn't get through although the line seemed to stand. */
  recheck: (): void => {},
  /** This is how an ask stands now. */
  heard: (_ask: Ask): void => {},
  /** A new ask came, in the tab that holds the stream. */
  asked: (_ask: Ask): void => {},
  /** The person has set this language, or none. */
  speaks: (_language: string | undefined): void => {},
  /** The hub is back. */
  live: (): unknown => undefined,
  /** The page is about to go. */
  leaving: async (): Promise<unknown> => undefined,
};

let shift = 0;
/** The time as the hub has it. */
export const now = (): number => Date.now() + shift;
export function setTime(at: string | undefined): void {
  if (at) shift = Date.parse(at) - Date.now();
}

const tickers = new Set<() => void>();
let ticking: ReturnType<typeof setInterval> | undefined;

/** The time, looked at again every so many seconds. */
export function useNow(seconds: number): number {
  const [at, put] = useState(now);
  useEffect(() => {
    const tick = () => put((last) => (now() - last >= seconds * 1000 - 100 ? now() : last));
    tickers.add(tick);
    ticking ??= setInterval(() => tickers.forEach((tick) => tick()), 1000);
    return () => void tickers.delete(tick);
  }, [seconds]);
  return at;
}

/** Takes away what says that something was done. */
export const unsay = (one: Toast): void => set({ toasts: state.toasts.filter((other) => other !== one) });

/** Says what was done, and offers a way back for some seconds: for as long, whatever else is done meanwhile. */
export function toast(text: string, action?: Toast["action"], ms = 6000): Toast {
  const one: Toast = { text, action };
  set({ toasts: CHAT ? [one] : [...state.toasts.filter((other) => other.action), one], polite: text });
  setTimeout(() => unsay(one), ms);
  return one;
}

/** What this browser remembers of the person's wishes. */
export const wishes = {
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
      // A browser that keeps nothing keeps the page's own settings until it is closed.
    }
  },
};
