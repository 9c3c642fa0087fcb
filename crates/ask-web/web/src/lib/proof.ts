// Proves with each request that it comes from the browser that was signed in, by a key that never leaves it
// (RFC 9449, DPoP): its cookie alone opens nothing, and a request that is passed on from here neither. Where others
// may read along browsers have no keys, and nothing is proved.
import { wishes } from "../state/store.ts";

/** Where it is kept which nonce the hub wants: it stays for as long as the hub does. */
const NONCE = "nonce";
const KEY = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };

let nonce: string | undefined;
/** The key that is kept. */
let own: Promise<CryptoKeyPair | undefined> | undefined;
/** The key of a session that only begins. */
let fresh: CryptoKeyPair | undefined;

const subtle = (): SubtleCrypto | undefined => globalThis.crypto?.subtle;
const make = async (): Promise<CryptoKeyPair | undefined> => subtle()?.generateKey(KEY, false, ["sign", "verify"]);

/** Nothing where this browser keeps nothing: then a key lasts for as long as its page. */
const within = (what: (store: IDBObjectStore) => IDBRequest): Promise<CryptoKeyPair | undefined> =>
  new Promise<CryptoKeyPair | undefined>((done, failed) => {
    const opening = indexedDB.open("ask-user-key", 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore("key");
    opening.onerror = failed;
    opening.onsuccess = () => {
      const whole = opening.result.transaction("key", "readwrite");
      const request = what(whole.objectStore("key"));
      whole.oncomplete = () => (opening.result.close(), done(request.result as CryptoKeyPair | undefined));
      whole.onabort = failed;
    };
  }).catch(() => undefined);

const kept = (): typeof own & {} => (own ??= within((store) => store.get(0)));

async function keep(pair: CryptoKeyPair | undefined): Promise<void> {
  if (!pair) return;
  own = Promise.resolve(pair);
  await within((store) => store.put(pair, 0));
}

/** Begins a session by a request: it is bound to a new key, which takes the place of the one before once it stands. */
export async function begin(request: () => Promise<unknown>): Promise<void> {
  fresh = await make();
  try {
    await request();
    await keep(fresh);
  } finally {
    fresh = undefined;
  }
}

/** Has a key ready: when the session that is bound to it begins is not known. */
export const ready = async (): Promise<void> => ((await kept()) ? undefined : keep(await make()));

export function forgetKey(): Promise<unknown> {
  own = undefined;
  return within((store) => store.clear());
}

const base64 = (text: string): string => btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
const part = (of: object): string => base64(JSON.stringify(of));

/** A proof that is for this request alone. */
async function proof({ privateKey, publicKey }: CryptoKeyPair, htm: string, { origin, pathname }: URL): Promise<string> {
  const { kty, crv, x, y } = await crypto.subtle.exportKey("jwk", publicKey);
  nonce ??= wishes.get(NONCE) ?? "";
  const claims = { jti: crypto.randomUUID(), htm, htu: origin + pathname, iat: Math.floor(Date.now() / 1000), nonce };
  const signed = `${part({ typ: "dpop+jwt", alg: "ES256", jwk: { kty, crv, x, y } })}.${part(claims)}`;
  const signature = await crypto.subtle.sign(KEY, privateKey, new TextEncoder().encode(signed));
  return `${signed}.${base64(String.fromCharCode(...new Uint8Array(signature)))}`;
}

/** Sends a request with its proof; once more where the hub wants another. */
export async function send(path: string, init: RequestInit = {}): Promise<Response> {
  const url = new URL(path, location.href);
  for (let again = false; ; again = true) {
    const headers = new Headers(init.headers);
    const pair = fresh ?? (await kept());
    if (pair) headers.set("DPoP", await proof(pair, init.method ?? "GET", url));
    const response = await fetch(url, { ...init, headers });
    const next = response.headers.get("DPoP-Nonce");
    if (next && next !== nonce) wishes.set(NONCE, (nonce = next));
    if (response.status !== 401 || !next || again) return response;
    // Another tab may have signed this browser in anew.
    own = undefined;
  }
}
