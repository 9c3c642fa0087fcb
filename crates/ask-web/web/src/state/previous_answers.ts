// Own words of earlier answers, to be given again: those that the person called for first, then those of the
// same project. As the terminal has them.
import { sentDraft } from "../components/answers.tsx";
import { call } from "../lib/api.ts";
import type { Ask, Past } from "../lib/types.ts";

/** So many asks of the history are looked through. */
const LOOKED_THROUGH = 200;

const called: string[] = [];

/** Has these words come first from now on. */
export function useAgain(words: string[]): void {
  called.unshift(...words);
}

/** The own words in an ask's answers. Of an answer that is nothing but files, the words are ours. */
export function ownWords(ask: Ask): string[] {
  if (ask.state !== "answered") return [];
  const ours = (names: string[]) => `(see the attached ${names.join(", ")})`;
  return sentDraft(ask).answers.flatMap(({ own = "", attachments = [] }) =>
    own.trim() && !(attachments.length && own === ours(attachments.map((file) => file.name))) ? [own] : []);
}

/** Each once, the latest first. */
export function recalled(asks: Ask[], project: string | undefined, first: string[] = called): string[] {
  const here = asks.filter((ask) => ask.asker.project === project);
  const elsewhere = asks.filter((ask) => ask.asker.project !== project);
  return [...new Set([...first, ...[...here, ...elsewhere].flatMap(ownWords)])];
}

export async function earlier(project: string | undefined): Promise<string[]> {
  const { asks } = await call<Past>("GET", `asks?state=closed&limit=${LOOKED_THROUGH}`);
  return recalled(asks, project);
}
