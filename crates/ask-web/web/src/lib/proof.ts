// Proves with each request that it comes from the browser that was signed in, by a key that never leaves that browser
// (RFC 9449, DPoP). Its cookie alone, or a recorded request, gives no access. Browsers have no keys in an insecure context;
// there, requests carry no proof.
import { preferences } from "../state/store.ts";

/** The name under which the hub's current nonce is stored. A nonce is valid until the hub ends. */
const NONCE_KEY = "nonce";
const KEY_ALGORITHM = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };

let nonce: string | undefined;
/** The key that this browser stores. */
let storedKey: Promise<CryptoKeyPair | undefined> | undefined;
/** The key of a session that is just being started. */
let newSessionKey: CryptoKeyPair | undefined;

const subtle = (): SubtleCrypto | undefined => globalThis.crypto?.subtle;
const generateKey = async (): Promise<CryptoKeyPair | undefined> => subtle()?.generateKey(KEY_ALGORITHM, false, ["sign", "verify"]);

/** Undefined if this browser can't store anything. Then a key lasts as long as its page. */
const inKeyStore = (action: (store: IDBObjectStore) => IDBRequest): Promise<CryptoKeyPair | undefined> =>
  new Promise<CryptoKeyPair | undefined>((done, failed) => {
    const opening = indexedDB.open("ask-user-key", 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore("key");
    opening.onerror = failed;
    opening.onsuccess = () => {
      const transaction = opening.result.transaction("key", "readwrite");
      const request = action(transaction.objectStore("key"));
      transaction.oncomplete = () => (opening.result.close(), done(request.result as CryptoKeyPair | undefined));
      transaction.onabort = failed;
    };
  }).catch(() => undefined);

const loadKey = (): typeof storedKey & {} => (storedKey ??= inKeyStore((store) => store.get(0)));

async function storeKey(pair: CryptoKeyPair | undefined): Promise<void> {
  if (!pair) return;
  storedKey = Promise.resolve(pair);
  await inKeyStore((store) => store.put(pair, 0));
}

/** Starts a session by a request. The session is bound to a new key, which replaces the stored one once the request succeeded. */
export async function beginSession(request: () => Promise<unknown>): Promise<void> {
  newSessionKey = await generateKey();
  try {
    await request();
    await storeKey(newSessionKey);
  } finally {
    newSessionKey = undefined;
  }
}

/** Makes sure that there is a key. Pairing needs it before the session starts, at a time that isn't known. */
export const ensureKey = async (): Promise<void> => ((await loadKey()) ? undefined : storeKey(await generateKey()));

export function forgetKey(): Promise<unknown> {
  storedKey = undefined;
  return inKeyStore((store) => store.clear());
}

const base64 = (text: string): string => btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
const encodeJson = (value: object): string => base64(JSON.stringify(value));

/** A proof that is valid only for this request. */
async function createProof({ privateKey, publicKey }: CryptoKeyPair, htm: string, { origin, pathname }: URL): Promise<string> {
  const { kty, crv, x, y } = await crypto.subtle.exportKey("jwk", publicKey);
  nonce ??= preferences.get(NONCE_KEY) ?? "";
  const claims = { jti: crypto.randomUUID(), htm, htu: origin + pathname, iat: Math.floor(Date.now() / 1000), nonce };
  const signed = `${encodeJson({ typ: "dpop+jwt", alg: "ES256", jwk: { kty, crv, x, y } })}.${encodeJson(claims)}`;
  const signature = await crypto.subtle.sign(KEY_ALGORITHM, privateKey, new TextEncoder().encode(signed));
  return `${signed}.${base64(String.fromCharCode(...new Uint8Array(signature)))}`;
}

/** Sends a request with its proof, and again if the hub wants another nonce. */
export async function sendWithProof(path: string, init: RequestInit = {}): Promise<Response> {
  const url = new URL(path, location.href);
  for (let isRetry = false; ; isRetry = true) {
    const headers = new Headers(init.headers);
    const pair = newSessionKey ?? (await loadKey());
    if (pair) headers.set("DPoP", await createProof(pair, init.method ?? "GET", url));
    const response = await fetch(url, { ...init, headers });
    const next = response.headers.get("DPoP-Nonce");
    if (next && next !== nonce) preferences.set(NONCE_KEY, (nonce = next));
    if (response.status !== 401 || !next || isRetry) return response;
    // Another tab may have signed this browser in with another key.
    storedKey = undefined;
  }
}
