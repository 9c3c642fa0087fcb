// What this browser keeps until the hub has it: drafts, and answers that wait for the connection; and what was asked,
// so that it can be answered while the hub is away.
import { type Alternative, differences, chainAlternatives, listAlternatives } from "./form.ts";
import type { Ask, Draft } from "../lib/types.ts";

/** What was begun in a dialog, to ask back or to decline. */
export type DialogTexts = { "ask-back": string; decline: string };
/** `taken`: which of its answers came from elsewhere, so that nobody typed them here. */
export type StoredDraft = { askId: string; draft: Draft; agreed: Draft; revision: number; words?: DialogTexts; behind?: string[]; offered?: Map<number, Alternative>; taken?: number[]; at?: number; stamp?: number; tab?: number };
export type QueuedSend = { askId: string; draft: Draft; leaveGaps: boolean; key: string };
const STORES = ["drafts", "sends", "asks"] as const;
type StoreName = (typeof STORES)[number];

const opened: Record<string, Promise<IDBDatabase>> = {};

/** Nobody waits for a tab of an earlier build to let a database go: what is new has one of its own. */
function open(name: string): Promise<IDBDatabase> {
  return (opened[name] ??= new Promise((done, failed) => {
    const request = indexedDB.open(name, 1);
    request.onupgradeneeded = () => {
      for (const shelf of STORES) request.result.createObjectStore(shelf, { keyPath: "askId" });
    };
    request.onsuccess = () => done(request.result);
    request.onerror = () => failed(request.error);
  }));
}

/** `null` where there is nothing; `undefined` where nothing can be kept. */
async function inTransaction<T>(shelf: StoreName, mode: IDBTransactionMode, what: (store: IDBObjectStore) => IDBRequest): Promise<T | null | undefined> {
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
const transact: typeof inTransaction = CHAT ? async () => undefined : inTransaction;

/** Whoever signed out here leaves nothing more. */
let isErased = false;
export const put = async (shelf: StoreName, value: StoredDraft | QueuedSend | Ask): Promise<unknown> => !isErased && transact(shelf, "readwrite", (store) => store.put(value));
export const remove = (shelf: StoreName, id: string): Promise<unknown> => transact(shelf, "readwrite", (store) => store.delete(id));
export async function loadDraft(id: string): Promise<StoredDraft | null | undefined> {
  await importJots();
  return transact("drafts", "readonly", (store) => store.get(id));
}
/** Puts in a draft's place what is made of it, with no other tab in between; tells whether it is kept. */
export const updateDraft = async (id: string, make: (kept: StoredDraft | undefined) => StoredDraft | undefined): Promise<boolean> =>
  (await transact("drafts", "readwrite", (store) => {
    const request = store.get(id);
    request.onsuccess = () => {
      const next = make(request.result as StoredDraft | undefined);
      if (next && !isErased) store.put(next);
      else store.delete(id);
    };
    return request;
  })) !== undefined;
/** Nothing where this browser keeps nothing. */
const loadAll = <T>(shelf: StoreName) => (): Promise<T[] | null | undefined> => transact(shelf, "readonly", (store) => store.getAll());
export const loadDrafts = (): Promise<StoredDraft[] | null | undefined> => importJots().then(loadAll<StoredDraft>("drafts"));
export const loadSends = loadAll<QueuedSend>("sends");
export const loadAsk = (id: string): Promise<Ask | null | undefined> => transact("asks", "readonly", (store) => store.get(id));
export const loadAsks = loadAll<Ask>("asks");
/** Makes drafts of the answers that wait: whoever is let in anew sends nothing unasked. */
export async function sendsToDrafts(): Promise<void> {
  for (const { askId, draft } of (await loadSends()) ?? []) {
    const agreed = { answers: draft.answers.map(() => ({})) };
    // What was typed after it stands, and it is offered.
    const kept = await updateDraft(askId, (known) => (known ? withOffer(known, draft, Date.now()) : { askId, draft, agreed, revision: 0, stamp: Math.random() }));
    if (kept) await remove("sends", askId);
  }
}

/** What is kept, with another draft offered behind all that was offered before. */
function withOffer(kept: StoredDraft, draft: Draft, at: number): StoredDraft {
  const offered = new Map(kept.offered);
  for (const [n, other] of differences(draft, kept.draft, at)) offered.set(n, chainAlternatives([...listAlternatives(offered.get(n)), other]) as Alternative);
  return { ...kept, offered, stamp: Math.random() };
}

/** Names this tab in what its browser keeps. */
export const TAB = CHAT ? 0 : Math.random();
const JOT_PREFIX = "ask-user-typed ";
/** Longer texts would keep who types them waiting. */
const JOT_LENGTH = 100_000;
/** Private windows may have no such place, and it may be full: then it is kept a moment later, or not at all. */
function tryStorage<T>(what: () => T): T | undefined {
  try {
    return what();
  } catch {
    return undefined;
  }
}
const jotKeys = (): string[] => tryStorage(() => Object.keys(localStorage).filter((key) => key.startsWith(JOT_PREFIX))) ?? [];

/** Writes down at once what was typed a moment ago: a tab that is closed, or dies, has no time for more. */
export function jot(typed: StoredDraft): void {
  const text = JSON.stringify(typed);
  if (!isErased && text.length < JOT_LENGTH) tryStorage(() => localStorage.setItem(`${JOT_PREFIX}${typed.askId} ${TAB}`, text));
}
export const unjot = (id: string): unknown => tryStorage(() => localStorage.removeItem(`${JOT_PREFIX}${id} ${TAB}`));

/** Puts what tabs have left so to the drafts. */
async function importJots(): Promise<void> {
  if (CHAT) return;
  for (const key of jotKeys()) {
    const typed = tryStorage(() => JSON.parse(localStorage[key] as string) as StoredDraft);
    if (!typed || typed.tab === TAB) continue;
    const { askId, draft, tab, at = 0 } = typed;
    const kept = await updateDraft(askId, (known) => {
      if (known && known.tab !== tab) return withOffer(known, draft, at);
      return (known?.at ?? 0) > at ? known : { ...known, ...typed, stamp: Math.random() };
    });
    if (kept) localStorage.removeItem(key);
  }
}
export const clearStore = (shelf: StoreName): Promise<unknown> => transact(shelf, "readwrite", (store) => store.clear());
/** Forgets all of it. */
export function eraseAll(): Promise<unknown> {
  isErased = true;
  for (const key of jotKeys()) localStorage.removeItem(key);
  return Promise.all(STORES.map(clearStore));
}
