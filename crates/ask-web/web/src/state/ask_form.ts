// One ask while its form is filled in on this page: the values, what other surfaces typed instead, and the listeners that
// are called when either changes. `draft_sync.ts` keeps the draft with the hub, `draft_persistence.ts` in this browser, and
// `send_queue.ts` sends the answer.
import { useEffect, useReducer } from "preact/hooks";
import { Problem } from "../lib/api.ts";
import { SETTLED_MS } from "../lib/click_guard.ts";
import { translate } from "../lib/i18n.ts";
import type { Answer, Ask, Draft } from "../lib/types.ts";
import { type DialogTexts, backUpDraft } from "./browser_storage.ts";
import { mergeAlternatives, restore, storedDraft, unchosenOwn } from "./draft_persistence.ts";
import { saveSoon } from "./draft_sync.ts";
import { extendIfSoon } from "./extend_deadline.ts";
import { type Alternative, type Entry, type FormValues, type MergeResult, answerAt, applyAnswer, chainAlternatives, draftOf, initialValues, isGiven, sameAnswer } from "./form.ts";

/** How long a person needs to notice that a program has filled in something. */
const NOTICED_MS = 2000;

/** The surface of a draft that a program below an agent has filled in, with the agent's client. */
const AGENTS_MARK = /^below (.*)/s;

export class AskForm {
  ask: Ask;
  values: FormValues;
  /** The question that is shown; after the last one comes the review. */
  step = 0;
  /** What else was typed for a question, here or elsewhere, and is offered in place of what is shown. */
  alternatives = new Map<number, Alternative>();
  /** What another surface sent last, question by question. */
  received = new Map<number, Answer>();
  savedAt: string | undefined;
  /** Whether what was typed has not reached the hub. */
  onlyHere = false;
  /** Whether this browser could store it; unknown until it has tried. */
  isStored: boolean | undefined;
  sending = false;
  /** Whether this page closed the ask. */
  sent = false;
  /** Whether the values were changed between the send and its reply. */
  changedAfterSend = false;
  /** Whether the dialog to ask back or to decline is open. */
  isDialogOpen = false;
  problem = "";
  /** The part of `problem` that a later save takes back. */
  saveProblem = "";
  /** What is wrong with which question. */
  mistakes = new Map<number, string>();
  /** What was typed in the dialogs to ask back and to decline, and not sent. */
  dialogTexts: DialogTexts = { "ask-back": "", decline: "" };
  /** Whether this browser stores text that is not part of the draft: of dialogs, or own words of a choice not taken. */
  storesExtraText = false;
  /** What a tap in the list replaced in the first question. */
  beforeTap: Entry | undefined;
  /** The question whose field has the focus; one after the last question, the note for all. */
  focusedAt: number | undefined;
  /** Until when (`performance.now()`) the person can't have noticed that another text replaced theirs. */
  unseenUntil = 0;
  /** When (`Date.now()`) somebody typed here last. */
  typedAt = 0;
  /** Files on their way to the hub. A send waits for them. */
  uploads: Promise<unknown> | undefined;
  /** Resolves once what this browser stored for the ask is part of the form. */
  restored: Promise<void>;
  /** The draft that this page and the hub agreed on last: the base of a three-way merge. */
  base: Draft;
  /** The draft that was sent to the hub last. When it comes back, nobody else typed it, whatever became of the reply. */
  inFlight: Draft;
  revision: number;
  /** The revision of the last draft that this page saved. */
  ownRevision?: number;
  sendKey: string | undefined;
  saveTimer: ReturnType<typeof setTimeout> | undefined;
  saving: Promise<void> | undefined;
  private listeners = new Set<() => void>();
  /** Questions with files whose upload failed. */
  declare missingFiles?: Set<number>;
  /** The client of the agent below which a program had filled in the form when the ask was closed elsewhere. */
  declare closedFilledInBelow?: string | undefined;
  /** Whether what was typed is in `localStorage`, and not yet in the database. */
  declare isBackedUp?: boolean;
  /** The stamp of the stored draft that this page read or wrote last. Another stamp is another tab's. */
  declare stamp: number | undefined;

  constructor(ask: Ask) {
    this.ask = ask;
    this.values = initialValues(ask);
    this.base = this.inFlight = this.draft;
    this.revision = ask.draft?.revision ?? 0;
    this.savedAt = ask.draft?.savedAt;
    this.restored = restore(this);
  }

  get draft(): Draft {
    return draftOf(this.values);
  }

  /** What was typed in dialogs and not sent. */
  get unsentTexts(): string[] {
    return Object.values(this.dialogTexts).filter((text) => text.trim());
  }

  notify(): void {
    for (const listener of [...this.listeners]) listener();
  }

  subscribe(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }

  /** Changes one question's part. */
  change(at: number, part: Partial<Entry>): void {
    const entries = [...this.values.entries];
    const before = entries[at] as Entry;
    // A key that was meant to mark a choice would take away what a program has just marked. Typed words count at once.
    const isPick = part.picks && (part.own ?? before.own) === before.own;
    if (isPick && this.filledInBelow && performance.now() < this.unseenUntil) return this.notify();
    entries[at] = { ...before, ...part };
    this.values = { ...this.values, entries };
    // A missing file stays a mistake until it is there.
    if (CHAT || !this.missingFiles?.has(at)) this.mistakes.delete(at);
    if (!CHAT && unchosenOwn(this.values).some(Boolean)) this.storesExtraText = true;
    this.changed();
  }

  changeNote(note: string): void {
    this.values = { ...this.values, note };
    this.changed();
  }

  changed(): void {
    this.typedAt = Date.now();
    this.problem = "";
    extendIfSoon(this.ask);
    if (!CHAT) {
      backUpDraft(storedDraft(this));
      this.isBackedUp = true;
    }
    saveSoon(this);
    this.notify();
  }

  /** Puts the offered alternative of a question into the form, and offers what was there instead. */
  swapAlternative(at: number): void {
    const other = this.alternatives.get(at);
    if (!other) return;
    const question = this.ask.questions[at];
    const mine = question ? (this.draft.answers[at] ?? {}) : { note: this.values.note };
    const back = { ...other, answer: mine, own: !other.own };
    if (CHAT) this.alternatives.set(at, back);
    else {
      // Further alternatives take turns. What was typed here keeps a mark of its own, so that no other tab replaces it.
      const others = (other.more ?? []).filter((one) => !sameAnswer(one.answer, mine));
      const tab = sameAnswer(mine, this.received.get(at)) ? 0 : Math.random();
      this.alternatives.set(at, chainAlternatives([...others, { ...back, tab, more: [] }]) as Alternative);
    }
    if (!other.own && !other.tab) this.received.set(at, other.answer);
    // A choice that the person loads is no key that came too early.
    this.unseenUntil = 0;
    if (question) this.change(at, applyAnswer(question, this.values.entries[at] as Entry, other.answer));
    else this.changeNote(other.answer.note ?? "");
    // As the hub marks it once it has the draft.
    if (!other.own && AGENTS_MARK.test(other.by)) {
      this.ask = { ...this.ask, draft: { ...this.draft, revision: this.revision, savedAt: other.at, savedBy: other.by } };
      this.holdBack();
    }
  }

  /** The client of the agent below which a program filled in some of the form. */
  get filledInBelow(): string | undefined {
    return AGENTS_MARK.exec(this.ask.draft?.savedBy ?? "")?.[1];
  }

  /** Sends nothing for two seconds, in which the person notices that a program has filled in something. */
  holdBack(): void {
    this.unseenUntil = performance.now() + NOTICED_MS;
    this.notify();
    setTimeout(() => this.notify(), NOTICED_MS);
  }

  /** Puts into the form what a merge decided. */
  applyMerge({ answers, alternatives }: MergeResult): void {
    const { questions } = this.ask;
    const entries = this.values.entries.map((old, at) => {
      const [question, answer] = [questions[at], answers.get(at)];
      return question && answer ? applyAnswer(question, old, answer) : old;
    });
    const mine = this.draft;
    alternatives.forEach((other, at) => {
      if (!CHAT) other = mergeAlternatives(other, this.alternatives.get(at), answers.get(at) ?? answerAt(mine, at));
      if (other) this.alternatives.set(at, other);
      else this.alternatives.delete(at);
    });
    answers.forEach((answer, at) => this.received.set(at, answer));
    if ([...alternatives.values()].some((other) => other?.own)) {
      this.unseenUntil = performance.now() + SETTLED_MS;
    }
    this.values = { entries, note: answers.get(questions.length)?.note ?? this.values.note };
  }

  /** Marks the questions whose answers the hub refused. */
  markMistakes({ problems }: Problem): void {
    const { answers } = this.draft;
    this.mistakes = new Map(problems.map(({ question }) => [question - 1, translate(isGiven(answers[question - 1] ?? {}) ? "does-not-fit" : "needs-answer")]));
  }
}

const forms = new Map<string, AskForm>();

/** The one form of an ask on this page. */
export function formOf(ask: Ask): AskForm {
  const known = forms.get(ask.askId) ?? new AskForm(ask);
  forms.set(ask.askId, known);
  return known;
}

export function useAskForm(ask: Ask): AskForm {
  const form = formOf(ask);
  const [, rerender] = useReducer((n: number) => n + 1, 0);
  useEffect(() => {
    // It may have been restored before the first subscriber.
    if (!CHAT) void form.restored.then(() => rerender(undefined as never));
    return form.subscribe(() => rerender(undefined as never));
  }, [form]);
  return form;
}

export const knownForm = (id = ""): AskForm | undefined => forms.get(id);
export const allForms = (): AskForm[] => [...forms.values()];
