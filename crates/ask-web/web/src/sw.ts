// The service worker. It caches the page's own files, so that the page opens while the hub is away, and never sees answers.

/** The page's files, and a hash of them all. `build.mjs` fills in both. */
declare const FILES: readonly string[];
declare const BUILD: string;
const CACHE = `ask-user-page-${BUILD}`;
/** Paths of the page's own views, which all load index.html. */
const PAGE_PATH = /^\/($|a\/|history($|\/)|stats$|settings$|pair$)/;

type ExtendableEvent = Event & { waitUntil(work: Promise<unknown>): void };
type FetchEvent = ExtendableEvent & { request: Request; respondWith(answer: Promise<Response>): void };
type WorkerScope = typeof globalThis & { skipWaiting(): Promise<void>; clients: { claim(): Promise<void> } };
const scope = globalThis as unknown as WorkerScope;

// The files of one build are cached together and never added to: files of two builds don't fit together.
addEventListener("install", (event) => {
  (event as ExtendableEvent).waitUntil(caches.open(CACHE).then((cache) => cache.addAll(FILES)).then(() => scope.skipWaiting()));
});

addEventListener("activate", (event) => {
  const old = caches.keys().then((names) => Promise.all(names.filter((name) => name !== CACHE).map((name) => caches.delete(name))));
  (event as ExtendableEvent).waitUntil(old.then(() => scope.clients.claim()));
});

addEventListener("fetch", (event) => {
  const { request } = event as FetchEvent;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== location.origin) return;
  const file = request.mode === "navigate" && PAGE_PATH.test(url.pathname) ? "/" : url.pathname;
  if (!FILES.includes(file) || (file === "/" && request.mode !== "navigate")) return;
  (event as FetchEvent).respondWith(networkFirst(request, file));
});

/** The hub's file, or the cached one while the hub is away. */
async function networkFirst(request: Request, file: string): Promise<Response> {
  try {
    return await fetch(request);
  } catch (error) {
    const old = await caches.match(file, { cacheName: CACHE });
    if (old) return old;
    throw error;
  }
}
