/**
 * Asks the questions of a call in pi's own dialogs, one after the other: for RPC clients, and if
 * ask-user can't use the terminal. `ask-user` interprets the answers.
 */
import type { ExtensionUIContext } from "@earendil-works/pi-coding-agent";
import type { Question } from "./ask.ts";
import { plain, plainLines } from "./safe.ts";

/** A client's response to an ask. */
export type Response = { answers: unknown[] } | { cancelled: true };

const OTHER = "Other (type your answer)";
const SUBMIT = "Submit";
/** Longer answers, in characters, need a confirmation. */
const LONG_CHARS = 2000;

/** The answer to a question; undefined if its dialog was dismissed or closed. */
type DialogAnswer = string | (string | OwnWords)[] | OwnWords | undefined;

/** Words that the person typed. They are no choice, even if they look like one. */
interface OwnWords {
  answer: string;
  wasCustom: true;
}

/**
 * Asks all questions, and saves the answers after each of them. Returns undefined if the ask was
 * closed elsewhere.
 */
export async function askInDialogs(ui: ExtensionUIContext, questions: Question[], save: (answers: unknown[]) => void, closed: AbortSignal): Promise<Response | undefined> {
  const answers: DialogAnswer[] = [];
  while (answers.length < questions.length) {
    const index = answers.length;
    const answer = await askOne(ui, questions[index] as Question, progress(index, questions.length), closed);
    if (closed.aborted) return undefined;
    if (answer !== undefined) {
      answers.push(answer);
      save(answers);
    } else if (index === 0 || (await confirmDiscard(ui, index, closed))) {
      return closed.aborted ? undefined : { cancelled: true };
    }
  }
  return { answers };
}

async function confirmDiscard(ui: ExtensionUIContext, given: number, closed: AbortSignal): Promise<boolean> {
  const title = `Discard ${given} ${given === 1 ? "answer" : "answers"}?`;
  return ui.confirm(title, "The questions are cancelled, and nothing is sent.", { signal: closed });
}

function progress(index: number, count: number): string {
  return count > 1 ? `(${index + 1}/${count}) ` : "";
}

async function askOne(ui: ExtensionUIContext, question: Question, prefix: string, closed: AbortSignal): Promise<DialogAnswer> {
  const header = question.header ? `${plain(question.header)}\n\n` : "";
  const title = `${prefix}${header}${plainLines(question.question)}`;
  const rows = (question.options ?? []).map((option, index) => {
    const description = option.description ? ` — ${plain(option.description)}` : "";
    return `${index + 1}. ${plain(option.label)}${description}`;
  });
  if (rows.length === 0) return ownWords(await askText(ui, title, closed));
  return question.multiSelect ? pickMany(ui, question, title, rows, closed) : pickOne(ui, question, title, rows, closed);
}

async function pickOne(ui: ExtensionUIContext, question: Question, title: string, rows: string[], closed: AbortSignal): Promise<DialogAnswer> {
  for (;;) {
    const chosen = await ui.select(title, [...rows, OTHER], { signal: closed });
    if (chosen === undefined) return undefined;
    if (chosen !== OTHER) return question.options?.[rows.indexOf(chosen)]?.label ?? chosen;
    const own = await askText(ui, title, closed);
    if (own !== undefined || closed.aborted) return ownWords(own);
  }
}

async function pickMany(ui: ExtensionUIContext, question: Question, title: string, rows: string[], closed: AbortSignal): Promise<DialogAnswer> {
  const picked = new Set<number>();
  let own: string | undefined;
  for (;;) {
    const checkbox = (on: boolean) => (on ? "[x] " : "[ ] ");
    const other = `${checkbox(own !== undefined)}${own === undefined ? OTHER : `Other: ${plain(own)}`}`;
    const offered = [...rows.map((row, index) => checkbox(picked.has(index)) + row), other, SUBMIT];
    const chosen = await ui.select(title, offered, { signal: closed });
    if (chosen === undefined) return undefined;
    if (chosen === SUBMIT) break;
    const index = offered.indexOf(chosen);
    if (chosen === other) own = own === undefined ? await askText(ui, title, closed) : undefined;
    else if (!picked.delete(index)) picked.add(index);
    if (closed.aborted) return undefined;
  }
  const labels = [...picked].sort((one, two) => one - two).map((index) => question.options?.[index]?.label ?? "");
  return own === undefined ? labels : [...labels, { answer: own, wasCustom: true }];
}

function ownWords(text: string | undefined): OwnWords | undefined {
  return text === undefined ? undefined : { answer: text, wasCustom: true };
}

async function askText(ui: ExtensionUIContext, title: string, closed: AbortSignal): Promise<string | undefined> {
  for (;;) {
    const text = await ui.input(title, undefined, { signal: closed });
    if (text === undefined || text.length <= LONG_CHARS) return text?.trim() ? text : undefined;
    const count = text.length.toLocaleString("en");
    if (await ui.confirm(`Answer is long (${count} chars).`, "Continue anyway?", { signal: closed })) return text;
    if (closed.aborted) return undefined;
  }
}
