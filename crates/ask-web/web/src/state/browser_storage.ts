// What this browser stores until the hub has it: drafts and queued answers. It stores asks as well, so that they can be
// answered while the hub is away.
import { type Alternative, differences, chainAlternatives, listAlternatives } from "./form.ts";
import type { Ask, Draft } from "../lib/types.ts";

/** Unsent texts of the dialogs to ask back and to decline. */
export type DialogTexts = { "ask-back": string; decline: string };
/** `taken` lists the answers that came from another surface and were not typed here, and `kept` is when a queued answer was added. The names are those of stored data. */
export type StoredDraft = { askId: string; draft: Draft; agreed: Draft; revision: number; words?: DialogTexts; behind?: string[]; offered?: Map<number, Alternative>; taken?: number[]; at?: number; kept?: number; stamp?: number; tab?: number };
/** `at` is the hub's time when it was sent, and `known` the drafts that the hub may have had or was getting then. */
export type QueuedSend = { askId: string; draft: Draft; leaveGaps: boolean; key: string; at?: number; known?: Draft[] };
const STORES = ["drafts", "sends", "asks"] as const;
type StoreName = (typeof STORES)[number];

const opened: Record<string, Promise<IDBDatabase>> = {};

/** A new store gets a database of its own: an upgrade would have to wait until tabs of an earlier build close theirs. */
function openDatabase(name: string): Promise<IDBDatabase> {
  return (opened[name] ??= new Promise((done, failed) => {
    const request = indexedDB.open(name, 1);
    request.onupgradeneeded = () => {
      for (const name of STORES) request.result.createObjectStore(name, { keyPath: "askId" });
    };
    request.onsuccess = () => done(request.result);
    request.onerror = () => failed(request.error);
  }));
}

/** `null` if there is no such record; `undefined` if this browser can't store anything. */
async function inTransaction<T>(name: StoreName, mode: IDBTransactionMode, action: (store: IDBObjectStore) => IDBRequest): Promise<T | null | undefined> {
  try {
    const database = await openDatabase(name === "asks" ? "ask-user-asks" : "ask-user");
    return await new Promise((done, failed) => {
      const transaction = database.transaction(name, mode);
      const request = action(transaction.objectStore(name));
      // A full disk is only reported when the transaction ends.
      transaction.oncomplete = () => done((request.result as T) ?? null);
      transaction.onabort = () => failed(transaction.error);
    });
  } catch {
    // Private windows may have no database. The page then keeps everything in memory.
    return undefined;
  }
}

// A card in a chat client has no storage.
const transact: typeof inTransaction = CHAT ? async () => undefined : inTransaction;

/** Whether the person signed out: nothing is stored afterwards. */
let isErased = false;
export const store = async (name: StoreName, value: StoredDraft | QueuedSend | Ask): Promise<unknown> => !isErased && transact(name, "readwrite", (store) => store.put(value));
export const remove = (name: StoreName, id: string): Promise<unknown> => transact(name, "readwrite", (store) => store.delete(id));
export async function loadDraft(id: string): Promise<StoredDraft | null | undefined> {
  await importBackups();
  return transact("drafts", "readonly", (store) => store.get(id));
}
/** Replaces a stored draft in one transaction, so that no other tab writes in between. Resolves to whether that worked. */
export const updateDraft = async (id: string, make: (stored: StoredDraft | undefined) => StoredDraft | undefined): Promise<boolean> =>
  (await transact("drafts", "readwrite", (store) => {
    const request = store.get(id);
    request.onsuccess = () => {
      const next = make(request.result as StoredDraft | undefined);
      if (next && !isErased) store.put(next);
      else store.delete(id);
    };
    return request;
  })) !== undefined;
const loadAll = <T>(name: StoreName) => (): Promise<T[] | null | undefined> => transact(name, "readonly", (store) => store.getAll());
export const loadDrafts = (): Promise<StoredDraft[] | null | undefined> => importBackups().then(loadAll<StoredDraft>("drafts"));
export const loadSends = loadAll<QueuedSend>("sends");
export const loadAsk = (id: string): Promise<Ask | null | undefined> => transact("asks", "readonly", (store) => store.get(id));
export const loadAsks = loadAll<Ask>("asks");
/** Turns queued answers into drafts, so that a device that is paired again sends nothing without being asked to. */
export async function sendsToDrafts(): Promise<void> {
  for (const attempt of (await loadSends()) ?? []) if (await sendToDraft(attempt)) await remove("sends", attempt.askId);
}

/** Stores a queued answer as a draft. Later text stays in the form, and the queued answer is offered. */
export function sendToDraft({ askId, draft, at = Date.now() }: QueuedSend): Promise<boolean> {
  const agreed = { answers: draft.answers.map(() => ({})) };
  return updateDraft(askId, (known) => ({ ...(known ? withAlternative(known, draft, at) : { askId, draft, agreed, revision: 0, at, stamp: Math.random() }), kept: Date.now() }));
}

/** The stored draft with another one added as its last alternatives. */
function withAlternative(stored: StoredDraft, draft: Draft, at: number): StoredDraft {
  const offered = new Map(stored.offered);
  for (const [n, other] of differences(draft, stored.draft, at)) offered.set(n, chainAlternatives([...listAlternatives(offered.get(n)), other]) as Alternative);
  return { ...stored, offered, stamp: Math.random() };
}

/** Identifies this tab in stored drafts. */
export const TAB = CHAT ? 0 : Math.random();
const BACKUP_PREFIX = "ask-user-typed ";
/** Writing longer texts at each key would make typing slow. */
const MAX_BACKUP_LENGTH = 100_000;
/** Runs an access to `localStorage`, which private windows may lack and which may be full. The database is written a moment later. */
function tryStorage<T>(access: () => T): T | undefined {
  try {
    return access();
  } catch {
    return undefined;
  }
}
const backupKeys = (): string[] => tryStorage(() => Object.keys(localStorage).filter((key) => key.startsWith(BACKUP_PREFIX))) ?? [];

/** Writes what was just typed to `localStorage` at once: a tab that closes or crashes has no time for the database. */
export function backUpDraft(typed: StoredDraft): void {
  const text = JSON.stringify(typed);
  if (!isErased && text.length < MAX_BACKUP_LENGTH) tryStorage(() => localStorage.setItem(`${BACKUP_PREFIX}${typed.askId} ${TAB}`, text));
}
export const removeBackup = (id: string): unknown => tryStorage(() => localStorage.removeItem(`${BACKUP_PREFIX}${id} ${TAB}`));

/** Moves the backups of other tabs into the stored drafts. */
async function importBackups(): Promise<void> {
  if (CHAT) return;
  for (const key of backupKeys()) {
    const typed = tryStorage(() => JSON.parse(localStorage[key] as string) as StoredDraft);
    if (!typed || typed.tab === TAB) continue;
    const { askId, draft, tab, at = 0 } = typed;
    const isStored = await updateDraft(askId, (known) => {
      if (known && known.tab !== tab) return withAlternative(known, draft, at);
      return (known?.at ?? 0) > at ? known : { ...known, ...typed, stamp: Math.random() };
    });
    if (isStored) localStorage.removeItem(key);
  }
}
export const clearStore = (name: StoreName): Promise<unknown> => transact(name, "readwrite", (store) => store.clear());
/** Deletes everything that this browser stores of asks and drafts. */
export function eraseAll(): Promise<unknown> {
  isErased = true;
  for (const key of backupKeys()) localStorage.removeItem(key);
  return Promise.all(STORES.map(clearStore));
}
