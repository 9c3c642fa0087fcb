// Own words of earlier answers, offered to be given again: first those that the person chose in the history, then those of
// the same project. The terminal offers them in the same order.
import { sentDraft } from "../components/answers.tsx";
import { call } from "../lib/api.ts";
import type { Ask, HistoryResponse } from "../lib/types.ts";

/** How many asks of the history are searched. */
const HISTORY_LIMIT = 200;

const preferred: string[] = [];

/** Offers these texts first from now on. */
export function preferAnswers(texts: string[]): void {
  preferred.unshift(...texts);
}

/** The own words in an ask's answers, unless a program below an agent gave them. An answer of files alone has a generated text, which is left out. */
export function ownWords(ask: Ask): string[] {
  if (ask.state !== "answered" || ask.answeredFrom?.belowAgent) return [];
  const generated = (names: string[]) => `(see the attached ${names.join(", ")})`;
  return sentDraft(ask).answers.flatMap(({ own = "", attachments = [] }) =>
    own.trim() && !(attachments.length && own === generated(attachments.map((file) => file.name))) ? [own] : []);
}

/** Each text once: first the preferred ones, then those of the project, then all others, each from the latest on. */
export function previousAnswers(asks: Ask[], project: string | undefined, first: string[] = preferred): string[] {
  const here = asks.filter((ask) => ask.asker.project === project);
  const elsewhere = asks.filter((ask) => ask.asker.project !== project);
  return [...new Set([...first, ...[...here, ...elsewhere].flatMap(ownWords)])];
}

export async function loadPreviousAnswers(project: string | undefined): Promise<string[]> {
  const { asks } = await call<HistoryResponse>("GET", `asks?state=closed&limit=${HISTORY_LIMIT}`);
  return previousAnswers(asks, project);
}
