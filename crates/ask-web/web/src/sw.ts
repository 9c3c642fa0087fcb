// The worker: keeps the page's own files, so that it opens while the hub is away. It never sees answers.

/** The page's files and what changes with any of them: written in when the page is built. */
declare const FILES: readonly string[];
declare const BUILD: string;
const KEPT = `ask-user-page-${BUILD}`;
/** Addresses that are places of the page, and begin with its first file. */
const PLACE = /^\/($|a\/|history($|\/)|stats$|settings$|pair$)/;

type Later = Event & { waitUntil(work: Promise<unknown>): void };
type Fetched = Later & { request: Request; respondWith(answer: Promise<Response>): void };
type Scope = typeof globalThis & { skipWaiting(): Promise<void>; clients: { claim(): Promise<void> } };
const scope = globalThis as unknown as Scope;

// All files of one build come together, and nothing is put to them later: parts of two builds don't fit.
addEventListener("install", (event) => {
  (event as Later).waitUntil(caches.open(KEPT).then((kept) => kept.addAll(FILES)).then(() => scope.skipWaiting()));
});

addEventListener("activate", (event) => {
  const old = caches.keys().then((names) => Promise.all(names.filter((name) => name !== KEPT).map((name) => caches.delete(name))));
  (event as Later).waitUntil(old.then(() => scope.clients.claim()));
});

addEventListener("fetch", (event) => {
  const { request } = event as Fetched;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== location.origin) return;
  const file = request.mode === "navigate" && PLACE.test(url.pathname) ? "/" : url.pathname;
  if (!FILES.includes(file) || (file === "/" && request.mode !== "navigate")) return;
  (event as Fetched).respondWith(fresh(request, file));
});

/** What the hub has now; what was kept, while it is away. */
async function fresh(request: Request, file: string): Promise<Response> {
  try {
    return await fetch(request);
  } catch (error) {
    const old = await caches.match(file, { cacheName: KEPT });
    if (old) return old;
    throw error;
  }
}
