// What this browser keeps until the hub has it: drafts, and answers that wait for the connection; and what was asked,
// so that it can be answered while the hub is away.
import { type Other, beside, inRow, wordings } from "./form.ts";
import type { Ask, Draft } from "../lib/types.ts";

/** What was begun in a dialog, to ask back or to decline. */
export type Begun = { "ask-back": string; decline: string };
/** `taken`: which of its answers came from elsewhere, so that nobody typed them here. */
export type KeptDraft = { askId: string; draft: Draft; agreed: Draft; revision: number; words?: Begun; behind?: string[]; offered?: Map<number, Other>; taken?: number[]; at?: number; stamp?: number; tab?: number };
export type KeptSend = { askId: string; draft: Draft; leaveGaps: boolean; key: string };
const SHELVES = ["drafts", "sends", "asks"] as const;
type Shelf = (typeof SHELVES)[number];

const opened: Record<string, Promise<IDBDatabase>> = {};

/** Nobody waits for a tab of an earlier build to let a database go: what is new has one of its own. */
function open(name: string): Promise<IDBDatabase> {
  return (opened[name] ??= new Promise((done, failed) => {
    const request = indexedDB.open(name, 1);
    request.onupgradeneeded = () => {
      for (const shelf of SHELVES) request.result.createObjectStore(shelf, { keyPath: "askId" });
    };
    request.onsuccess = () => done(request.result);
    request.onerror = () => failed(request.error);
  }));
}

/** `null` where there is nothing; `undefined` where nothing can be kept. */
async function within<T>(shelf: Shelf, mode: IDBTransactionMode, what: (store: IDBObjectStore) => IDBRequest): Promise<T | null | undefined> {
  try {
    const database = await open(shelf === "asks" ? "ask-user-asks" : "ask-user");
    return await new Promise((done, failed) => {
      const whole = database.transaction(shelf, mode);
      const request = what(whole.objectStore(shelf));
      // That there is no room left shows at the end.
      whole.oncomplete = () => done((request.result as T) ?? null);
      whole.onabort = () => failed(whole.error);
    });
  } catch {
    // Private windows may have no database: the page then keeps things for as long as it is open.
    return undefined;
  }
}

// A card in a chat client has no place of its own.
const on: typeof within = CHAT ? async () => undefined : within;

/** Whoever signed out here leaves nothing more. */
let left = false;
export const keep = async (shelf: Shelf, value: KeptDraft | KeptSend | Ask): Promise<unknown> => !left && on(shelf, "readwrite", (store) => store.put(value));
export const drop = (shelf: Shelf, id: string): Promise<unknown> => on(shelf, "readwrite", (store) => store.delete(id));
export async function keptDraft(id: string): Promise<KeptDraft | null | undefined> {
  await gather();
  return on("drafts", "readonly", (store) => store.get(id));
}
/** Puts in a draft's place what is made of it, with no other tab in between; tells whether it is kept. */
export const keepOver = async (id: string, make: (kept: KeptDraft | undefined) => KeptDraft | undefined): Promise<boolean> =>
  (await on("drafts", "readwrite", (store) => {
    const request = store.get(id);
    request.onsuccess = () => {
      const next = make(request.result as KeptDraft | undefined);
      if (next && !left) store.put(next);
      else store.delete(id);
    };
    return request;
  })) !== undefined;
/** Nothing where this browser keeps nothing. */
const all = <T>(shelf: Shelf) => (): Promise<T[] | null | undefined> => on(shelf, "readonly", (store) => store.getAll());
export const keptDrafts = (): Promise<KeptDraft[] | null | undefined> => gather().then(all<KeptDraft>("drafts"));
export const keptSends = all<KeptSend>("sends");
export const keptAsk = (id: string): Promise<Ask | null | undefined> => on("asks", "readonly", (store) => store.get(id));
export const keptAsks = all<Ask>("asks");
/** Makes drafts of the answers that wait: whoever is let in anew sends nothing unasked. */
export async function holdSends(): Promise<void> {
  for (const { askId, draft } of (await keptSends()) ?? []) {
    const agreed = { answers: draft.answers.map(() => ({})) };
    // What was typed after it stands, and it is offered.
    const kept = await keepOver(askId, (known) => (known ? offering(known, draft, Date.now()) : { askId, draft, agreed, revision: 0, stamp: Math.random() }));
    if (kept) await drop("sends", askId);
  }
}

/** What is kept, with another draft offered behind all that was offered before. */
function offering(kept: KeptDraft, draft: Draft, at: number): KeptDraft {
  const offered = new Map(kept.offered);
  for (const [n, other] of beside(draft, kept.draft, at)) offered.set(n, inRow([...wordings(offered.get(n)), other]) as Other);
  return { ...kept, offered, stamp: Math.random() };
}

/** Names this tab in what its browser keeps. */
export const TAB = CHAT ? 0 : Math.random();
const JOTTED = "ask-user-typed ";
/** Longer texts would keep who types them waiting. */
const JOT_LENGTH = 100_000;
/** Private windows may have no such place, and it may be full: then it is kept a moment later, or not at all. */
function allowed<T>(what: () => T): T | undefined {
  try {
    return what();
  } catch {
    return undefined;
  }
}
const jotted = (): string[] => allowed(() => Object.keys(localStorage).filter((key) => key.startsWith(JOTTED))) ?? [];

/** Writes down at once what was typed a moment ago: a tab that is closed, or dies, has no time for more. */
export function jot(typed: KeptDraft): void {
  const text = JSON.stringify(typed);
  if (!left && text.length < JOT_LENGTH) allowed(() => localStorage.setItem(`${JOTTED}${typed.askId} ${TAB}`, text));
}
export const unjot = (id: string): unknown => allowed(() => localStorage.removeItem(`${JOTTED}${id} ${TAB}`));

/** Puts what tabs have left so to the drafts. */
async function gather(): Promise<void> {
  if (CHAT) return;
  for (const key of jotted()) {
    const typed = allowed(() => JSON.parse(localStorage[key] as string) as KeptDraft);
    if (!typed || typed.tab === TAB) continue;
    const { askId, draft, tab, at = 0 } = typed;
    const kept = await keepOver(askId, (known) => {
      if (known && known.tab !== tab) return offering(known, draft, at);
      return (known?.at ?? 0) > at ? known : { ...known, ...typed, stamp: Math.random() };
    });
    if (kept) localStorage.removeItem(key);
  }
}
export const clear = (shelf: Shelf): Promise<unknown> => on(shelf, "readwrite", (store) => store.clear());
/** Forgets all of it. */
export function forgetKept(): Promise<unknown> {
  left = true;
  for (const key of jotted()) localStorage.removeItem(key);
  return Promise.all(SHELVES.map(clear));
}
