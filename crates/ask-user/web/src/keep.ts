// What this browser keeps until the hub has it: drafts, and answers that wait for the connection; and what was asked,
// so that it can be answered while the hub is away.
import { type Other, beside } from "./form.ts";
import type { Ask, Draft } from "./types.ts";

/** What was begun in a dialog, to ask back or to decline. */
export type Begun = { "ask-back": string; decline: string };
export type KeptDraft = { askId: string; draft: Draft; agreed: Draft; revision: number; words?: Begun; behind?: string[]; offered?: Map<number, Other>; at?: number; stamp?: number };
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
export const keptDraft = (id: string): Promise<KeptDraft | null | undefined> => on("drafts", "readonly", (store) => store.get(id));
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
export const keptDrafts = all<KeptDraft>("drafts");
export const keptSends = all<KeptSend>("sends");
export const keptAsks = all<Ask>("asks");
/** Makes drafts of the answers that wait: whoever is let in anew sends nothing unasked. */
export async function holdSends(): Promise<void> {
  for (const { askId, draft } of (await keptSends()) ?? []) {
    const kept = await keptDraft(askId);
    // What was typed after it stands, and it is offered.
    const offered = new Map([...(kept?.offered ?? []), ...(kept ? beside(draft, kept.draft, Date.now()) : [])]);
    const agreed = { answers: draft.answers.map(() => ({})) };
    if (await keep("drafts", { agreed, revision: 0, draft, ...kept, askId, offered, stamp: Math.random() })) await drop("sends", askId);
  }
}
export const clear = (shelf: Shelf): Promise<unknown> => on(shelf, "readwrite", (store) => store.clear());
/** Forgets all of it. */
export function forgetKept(): Promise<unknown> {
  left = true;
  return Promise.all(SHELVES.map(clear));
}
