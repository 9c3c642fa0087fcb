// What this browser keeps until the hub has it: drafts, and answers that wait for the connection.
import type { Draft } from "./types.ts";

export type KeptDraft = { askId: string; draft: Draft; agreed: Draft; revision: number };
export type KeptSend = { askId: string; draft: Draft; leaveGaps: boolean; key: string };
type Shelf = "drafts" | "sends";

let opened: Promise<IDBDatabase> | undefined;

function open(): Promise<IDBDatabase> {
  opened ??= new Promise((done, failed) => {
    const request = indexedDB.open("ask-user", 1);
    request.onupgradeneeded = () => {
      for (const shelf of ["drafts", "sends"]) request.result.createObjectStore(shelf, { keyPath: "askId" });
    };
    request.onsuccess = () => done(request.result);
    request.onerror = () => failed(request.error);
  });
  return opened;
}

async function within<T>(shelf: Shelf, mode: IDBTransactionMode, what: (store: IDBObjectStore) => IDBRequest): Promise<T | undefined> {
  try {
    const database = await open();
    return await new Promise((done, failed) => {
      const whole = database.transaction(shelf, mode);
      const request = what(whole.objectStore(shelf));
      // That there is no room left shows at the end.
      whole.oncomplete = () => done(request.result as T);
      whole.onabort = () => failed(whole.error);
    });
  } catch {
    // Private windows may have no database: the page then keeps things for as long as it is open.
    return undefined;
  }
}

// A card in a chat client has no place of its own.
const on: typeof within = CHAT ? async () => undefined : within;

export const keep = (shelf: Shelf, value: KeptDraft | KeptSend): Promise<unknown> => on(shelf, "readwrite", (store) => store.put(value));
export const drop = (shelf: Shelf, id: string): Promise<unknown> => on(shelf, "readwrite", (store) => store.delete(id));
export const keptDraft = (id: string): Promise<KeptDraft | undefined> => on("drafts", "readonly", (store) => store.get(id));
/** Nothing where this browser keeps nothing. */
export const keptSends = (): Promise<KeptSend[] | undefined> => on("sends", "readonly", (store) => store.getAll());
/** Makes drafts of the answers that wait: whoever is let in anew sends nothing unasked. */
export async function holdSends(): Promise<void> {
  for (const { askId, draft } of (await keptSends()) ?? []) {
    const agreed = { answers: draft.answers.map(() => ({})) };
    if (await keep("drafts", { agreed, revision: 0, ...(await keptDraft(askId)), askId, draft })) await drop("sends", askId);
  }
}
/** Forgets all of it. */
export const forgetKept = (): Promise<unknown> => Promise.all((["drafts", "sends"] as const).map((shelf) => on(shelf, "readwrite", (store) => store.clear())));
