// Requests to the hub. What it refuses comes as a `Problem`, what doesn't reach it as any other error.
import { send } from "./proof.ts";
import { get, set } from "../state/store.ts";
import type { Ask } from "./types.ts";
import { isWord, say } from "./i18n.ts";

/** What the hub answers when it doesn't do what it was asked. */
export class Problem extends Error {
  status: number;
  /** A word for what it is. */
  kind: string;
  record: Ask | undefined;
  problems: { question: number }[];
  /** Of a wrong code. */
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

/** After so long nobody answers any more. */
const LONGEST_MS = 30_000;

/** How a card in a chat has its requests carried. */
export type Carrier = (method: string, path: string, body?: unknown, more?: Record<string, string>) => Promise<unknown>;
let carrier: Carrier | undefined;
export const carryBy = (other: Carrier): unknown => (carrier = other);

/** One request; JSON both ways. */
export const call = CHAT ? <T>(...request: Parameters<Carrier>): Promise<T> => carrier?.(...request) as Promise<T> : overHttp;

async function overHttp<T>(method: string, path: string, body?: unknown, more?: Record<string, string>): Promise<T> {
  const headers: Record<string, string> = { "X-Ask-User": "page", ...more };
  const init: RequestInit = { method, headers };
  const file = body instanceof Blob;
  if (file) init.body = body;
  else if (body !== undefined) {
    headers["Content-Type"] = "application/json";
    init.body = JSON.stringify(body);
  }
  // On a line that is dead and doesn't say so.
  if (init.body) init.signal = AbortSignal.timeout(file ? 10 * LONGEST_MS : LONGEST_MS);
  const response = await send(`/v1/${path}`, init);
  const json = (response.headers.get("Content-Type") ?? "").includes("json");
  const value = json ? await response.json() : undefined;
  if (response.ok) return value as T;
  // A proxy that doesn't reach the hub: there is no connection.
  if (!json && response.status > 501) throw new Error();
  // A wrong code is no lost session.
  if (response.status === 401 && path !== "pair" && path !== "session" && !get().signedOut) set({ signedOut: true });
  throw new Problem(response.status, value ?? {});
}

/** A file of the hub's, for which no link may stand: a browser that follows one proves nothing. */
export async function bring(path: string): Promise<Blob> {
  const response = await send(`/v1/${path}`);
  if (response.ok) return response.blob();
  throw new Problem(response.status, await response.json());
}

/** Why it failed, in our words: the hub's own are for programs. */
export function why(error: unknown): string {
  if (!(error instanceof Problem)) return say("no-connection");
  const word = `problem-${error.kind}`;
  return isWord(word) ? say(word) : say("problem-other", { type: error.kind });
}

const ask = (id: string) => `asks/${encodeURIComponent(id)}`;
export const path = { ask };

/** Does something with an ask besides answering it, and says how it stands afterwards. */
export const act = (id: string, what: string, body: unknown): Promise<{ record?: Ask } | undefined> => call("POST", `${ask(id)}/${what}`, body);
