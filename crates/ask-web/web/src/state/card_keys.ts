// The keys of a card. Only Ctrl+Enter sends, and no key discards anything.
import type { CardDialog } from "../components/dialogs.tsx";
import { focusWhenShown } from "../lib/focus.ts";
import type { AskForm } from "./ask_form.ts";
import { type Entry, isGiven, choiceCount, toggleChoice, withOwnText } from "./form.ts";
import { navigate } from "../lib/router.ts";
import { isTakenKey, isField, shortcutsOn, fieldForTyping } from "../lib/shortcuts.ts";
import { focusOn, toast } from "./store.ts";
import type { Question } from "../lib/types.ts";
import { translate } from "../lib/i18n.ts";

type Card = { form: AskForm; to: (step: number) => void; submit: () => void; openDialog: (dialog: CardDialog) => void };

/** A caret position behind the end of any text. */
const END = 1e9;

const isSendKey = (event: KeyboardEvent): boolean => event.key === "Enter" && (event.ctrlKey || event.metaKey);

function listen(onKeyDown: (event: KeyboardEvent) => void): () => void {
  document.addEventListener("keydown", onKeyDown);
  return () => document.removeEventListener("keydown", onKeyDown);
}

/** A card in a chat leaves all other keys to the client. */
const sendKeyOnly = ({ submit }: Card): (() => void) =>
  listen((event) => {
    if (isTakenKey(event) || !isSendKey(event)) return;
    event.preventDefault();
    if (!event.repeat) submit();
  });

export const onKeys = CHAT ? sendKeyOnly : allKeys;

function allKeys(card: Card): () => void {
  return listen((event) => {
    const field = fieldForTyping(event);
    // The browser types the letter into the focused field, at the end of its text.
    if (field) return field.focus(), field.setSelectionRange(END, END);
    if (isTakenKey(event)) return;
    const { target, key } = event;
    if (isSendKey(event)) {
      event.preventDefault();
      return event.repeat ? undefined : card.submit();
    }
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (isField(target)) {
      // Esc leaves the field and keeps the text.
      if (key === "Escape") (document.querySelector<HTMLElement>(".question h2, .review h2") ?? document.querySelector<HTMLElement>("h1"))?.focus();
      return;
    }
    if (key === "Escape") {
      // On a wide page the list is shown beside the card.
      if (!document.querySelector(".list")) navigate("/");
      return focusWhenShown(`.list a[href="/a/${card.form.ask.askId}"]`, ".list a[aria-current]", "main h1");
    }
    if (shortcutsOn() && handleKey(card, key, target)) event.preventDefault();
  });
}

/** Picks what the agent recommends, in addition to earlier picks in a multi-select question. */
function takeRecommended(form: AskForm, at: number): boolean {
  const question = form.ask.questions[at] as Question;
  const choices = form.ask.shown.questions?.[at]?.choices ?? [];
  const picks = choices.flatMap(({ recommended }, choice) => (recommended ? [choice] : []));
  const several = question.type === "multi-select";
  let entry = form.values.entries[at] as Entry;
  for (const choice of several ? picks : picks.slice(0, 1)) entry = toggleChoice(question, entry, choice, true);
  if (picks.length) form.change(at, entry);
  return picks.length > 0;
}

function handleKey({ form, to, openDialog }: Card, key: string, target: EventTarget | null): boolean {
  const at = form.step;
  const question = form.ask.questions[at];
  const entry = form.values.entries[at];
  const inGroup = target instanceof HTMLInputElement && target.type === "radio";
  if (key === "ArrowLeft" || key === "ArrowRight") {
    if (inGroup || form.ask.questions.length < 2) return false;
    to(at + (key === "ArrowLeft" ? -1 : 1));
    return true;
  }
  if (key === "c") {
    openDialog("ask-back");
    return true;
  }
  if (!question || !entry) return false;
  if (key === "r") {
    takeRecommended(form, at) || toast(translate("none-recommended"));
    return true;
  }
  if (key === "R") {
    // Questions that have an answer keep it.
    const all = form.ask.questions.map((_, other) => !isGiven(form.draft.answers[other] ?? {}) && takeRecommended(form, other));
    if (all.some(Boolean)) to(form.ask.questions.length);
    else toast(translate("none-recommended"));
    return true;
  }
  if (key === "n") {
    document.querySelector<HTMLElement>(".add-note")?.click();
    focusOn(`q${at}-note`);
    return true;
  }
  if (key === "0" || (question.type === "text" && key === "Enter" && target === document.body)) {
    if (question.type !== "text") form.change(at, withOwnText(question, entry, entry.own, true));
    focusOn(`q${at}-own`);
    return true;
  }
  const choice = Number(key) - 1;
  if (!/^[1-9]$/.test(key) || choice >= choiceCount(question)) return false;
  form.change(at, toggleChoice(question, entry, choice, question.type === "multi-select" ? undefined : true));
  document.getElementById(`q${at}-c${choice}`)?.focus();
  return true;
}
