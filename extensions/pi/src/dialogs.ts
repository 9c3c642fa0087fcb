/**
 * Asks a call in pi's own dialogs, one question after the other: for RPC clients, and where the
 * terminal can't be lent. `ask-user` decides what the answers mean.
 */
import type { ExtensionUIContext } from "@earendil-works/pi-coding-agent";
import type { Question } from "./ask.ts";
import { plain, plainLines } from "./render.ts";

/** A client's response to an ask. */
export type Response = { answers: unknown[] } | { cancelled: true };

const OTHER = "Other (type your answer)";
const SEND = "Submit";
const LONG = 2000;

type Said = string | string[] | undefined;

/** Asks all questions. Returns undefined if the ask was closed elsewhere. */
export async function askInDialogs(ui: ExtensionUIContext, questions: Question[], over: AbortSignal): Promise<Response | undefined> {
  const answers: Said[] = [];
  while (answers.length < questions.length) {
    const at = answers.length;
    const answer = await one(ui, questions[at] as Question, place(at, questions.length), over);
    if (over.aborted) return undefined;
    if (answer !== undefined) {
      answers.push(answer);
    } else if (at === 0 || (await discards(ui, at, over))) {
      return over.aborted ? undefined : { cancelled: true };
    }
  }
  return { answers };
}

async function discards(ui: ExtensionUIContext, given: number, over: AbortSignal): Promise<boolean> {
  const what = `Discard ${given} ${given === 1 ? "answer" : "answers"}?`;
  return ui.confirm(what, "The questions are cancelled, and nothing is sent.", { signal: over });
}

function place(at: number, of: number): string {
  return of > 1 ? `(${at + 1}/${of}) ` : "";
}

function one(ui: ExtensionUIContext, question: Question, where: string, over: AbortSignal): Promise<Said> {
  const header = question.header ? `${plain(question.header)}\n\n` : "";
  const title = `${where}${header}${plainLines(question.question)}`;
  const rows = (question.options ?? []).map((option, at) => {
    const about = option.description ? ` — ${plain(option.description)}` : "";
    return `${at + 1}. ${plain(option.label)}${about}`;
  });
  if (rows.length === 0) return typed(ui, title, over);
  return question.multiSelect ? many(ui, question, title, rows, over) : pick(ui, question, title, rows, over);
}

async function pick(ui: ExtensionUIContext, question: Question, title: string, rows: string[], over: AbortSignal): Promise<Said> {
  for (;;) {
    const chosen = await ui.select(title, [...rows, OTHER], { signal: over });
    if (chosen === undefined) return undefined;
    if (chosen !== OTHER) return question.options?.[rows.indexOf(chosen)]?.label ?? chosen;
    const own = await typed(ui, title, over);
    if (own !== undefined || over.aborted) return own;
  }
}

async function many(ui: ExtensionUIContext, question: Question, title: string, rows: string[], over: AbortSignal): Promise<Said> {
  const picked = new Set<number>();
  let own: string | undefined;
  for (;;) {
    const box = (on: boolean) => (on ? "[x] " : "[ ] ");
    const other = `${box(own !== undefined)}${own === undefined ? OTHER : `Other: ${plain(own)}`}`;
    const offered = [...rows.map((row, at) => box(picked.has(at)) + row), other, SEND];
    const chosen = await ui.select(title, offered, { signal: over });
    if (chosen === undefined) return undefined;
    if (chosen === SEND) break;
    const at = offered.indexOf(chosen);
    if (chosen === other) own = own === undefined ? await typed(ui, title, over) : undefined;
    else if (!picked.delete(at)) picked.add(at);
    if (over.aborted) return undefined;
  }
  const labels = [...picked].sort((one, two) => one - two).map((at) => question.options?.[at]?.label ?? "");
  return own === undefined ? labels : [...labels, own];
}

async function typed(ui: ExtensionUIContext, title: string, over: AbortSignal): Promise<string | undefined> {
  for (;;) {
    const text = await ui.input(title, undefined, { signal: over });
    if (text === undefined || text.length <= LONG) return text?.trim() ? text : undefined;
    const count = text.length.toLocaleString("en");
    if (await ui.confirm(`Answer is long (${count} chars).`, "Continue anyway?", { signal: over })) return text;
    if (over.aborted) return undefined;
  }
}
