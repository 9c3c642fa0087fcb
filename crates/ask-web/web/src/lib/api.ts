// Requests to the hub. A refusal is thrown as a `Problem`; if the request doesn't reach the hub, another error is thrown.
import { sendWithProof } from "./proof.ts";
import { getState, setState } from "../state/store.ts";
import type { Ask } from "./types.ts";
import { hasMessage, translate } from "./i18n.ts";

/** The hub's refusal of a request. */
export class Problem extends Error {
  status: number;
  /** The last part of the problem's type, such as `too-large`. */
  kind: string;
  record: Ask | undefined;
  problems: { question: number }[];
  /** What is left after a wrong pairing code. */
  tries: { triesLeft?: number; anotherCode?: boolean };
  constructor(status: number, body: { type?: string; detail?: string; record?: Ask; problems?: Problem["problems"] } & Problem["tries"]) {
    super(body.detail ?? String(status));
    this.status = status;
    this.kind = body.type?.split(":").pop() ?? String(status);
    this.record = body.record;
    this.problems = body.problems ?? [];
    this.tries = body;
  }
}

/** A request without a reply counts as failed after this time. */
const TIMEOUT_MS = 30_000;

/** Sends a request. A card in a chat client has no network and sets its own. */
export type Transport = (method: string, path: string, body?: unknown, more?: Record<string, string>) => Promise<unknown>;
let transport: Transport | undefined;
export const setTransport = (chosen: Transport): unknown => (transport = chosen);

/** Sends one request, with JSON in both directions. */
export const call = CHAT ? <T>(...request: Parameters<Transport>): Promise<T> => transport?.(...request) as Promise<T> : overHttp;

async function overHttp<T>(method: string, path: string, body?: unknown, more?: Record<string, string>): Promise<T> {
  const headers: Record<string, string> = { "X-Ask-User": "page", ...more };
  const init: RequestInit = { method, headers };
  const file = body instanceof Blob;
  if (file) init.body = body;
  else if (body !== undefined) {
    headers["Content-Type"] = "application/json";
    init.body = JSON.stringify(body);
  }
  // A broken connection may report no error.
  if (init.body) init.signal = AbortSignal.timeout(file ? 10 * TIMEOUT_MS : TIMEOUT_MS);
  const response = await sendWithProof(`/v1/${path}`, init);
  const json = (response.headers.get("Content-Type") ?? "").includes("json");
  const value = json ? await response.json() : undefined;
  if (response.ok) return value as T;
  // The reply of a proxy that doesn't reach the hub counts as no connection.
  if (!json && response.status > 501) throw new Error();
  // A wrong code or link doesn't end a session.
  if (response.status === 401 && path !== "pair" && path !== "session" && !getState().signedOut) setState({ signedOut: true });
  throw new Problem(response.status, value ?? {});
}

/** Downloads a file from the hub. A plain link can't: a browser that follows it sends no proof. */
export async function fetchFile(path: string): Promise<Blob> {
  const response = await sendWithProof(`/v1/${path}`);
  if (response.ok) return response.blob();
  throw new Problem(response.status, await response.json());
}

/** Why a request failed, translated. The hub's own texts are for programs. */
export function errorText(error: unknown): string {
  if (!(error instanceof Problem)) return translate("no-connection");
  const id = `problem-${error.kind}`;
  return hasMessage(id) ? translate(id) : translate("problem-other", { type: error.kind });
}

const ask = (id: string) => `asks/${encodeURIComponent(id)}`;
export const path = { ask };

/** Performs an action on an ask, such as `snooze`, and returns the ask's new state. */
export const postAction = (id: string, action: string, body: unknown): Promise<{ record?: Ask } | undefined> => call("POST", `${ask(id)}/${action}`, body);
