// What keys do on a card. Nothing here sends or throws away anything but Ctrl+Enter, where one writes.
import type { Asked } from "../components/dialogs.tsx";
import { arrive } from "../lib/focus.ts";
import type { AskForm } from "./ask_form.ts";
import { type Entry, isGiven, choiceCount, toggleChoice, withOwnText } from "./form.ts";
import { go as goTo } from "../lib/router.ts";
import { foreign, isField, shortcutsOn, typedInto } from "../lib/shortcuts.ts";
import { focusOn, toast } from "./store.ts";
import type { Question } from "../lib/types.ts";
import { say } from "../lib/i18n.ts";

type Card = { form: AskForm; to: (step: number) => void; go: () => void; ask: (asked: Asked) => void; open: boolean };

/** Behind every text. */
const END = 1e9;

const sends = (event: KeyboardEvent): boolean => event.key === "Enter" && (event.ctrlKey || event.metaKey);

function listen(press: (event: KeyboardEvent) => void): () => void {
  document.addEventListener("keydown", press);
  return () => document.removeEventListener("keydown", press);
}

/** A card in a chat leaves all other keys to its client. */
const sendingKey = ({ go }: Card): (() => void) =>
  listen((event) => {
    if (foreign(event) || !sends(event)) return;
    event.preventDefault();
    if (!event.repeat) go();
  });

export const onKeys = CHAT ? sendingKey : allKeys;

function allKeys(card: Card): () => void {
  return listen((event) => {
    const field = typedInto(event);
    // The letter itself follows the focus, and goes on where the text ends.
    if (field) return field.focus(), field.setSelectionRange(END, END);
    if (foreign(event)) return;
    const { target, key } = event;
    if (sends(event)) {
      event.preventDefault();
      return event.repeat ? undefined : card.go();
    }
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (isField(target)) {
      // Esc leaves the field and keeps the text.
      if (key === "Escape") (document.querySelector<HTMLElement>(".question h2, .review h2") ?? document.querySelector<HTMLElement>("h1"))?.focus();
      return;
    }
    if (key === "Escape") {
      // Beside the card the list is there already.
      if (!document.querySelector(".list")) goTo("/");
      return arrive(`.list a[href="/a/${card.form.ask.askId}"]`, ".list a[aria-current]", "main h1");
    }
    if (shortcutsOn() && act(card, key, target)) event.preventDefault();
  });
}

/** Takes what the agent recommends, beside what was marked where one may mark several. */
function recommended(form: AskForm, at: number): boolean {
  const question = form.ask.questions[at] as Question;
  const choices = form.ask.shown.questions?.[at]?.choices ?? [];
  const picks = choices.flatMap(({ recommended }, choice) => (recommended ? [choice] : []));
  const several = question.type === "multi-select";
  let entry = form.values.entries[at] as Entry;
  for (const choice of several ? picks : picks.slice(0, 1)) entry = toggleChoice(question, entry, choice, true);
  if (picks.length) form.change(at, entry);
  return picks.length > 0;
}

function act({ form, to, ask }: Card, key: string, target: EventTarget | null): boolean {
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
    ask("ask-back");
    return true;
  }
  if (!question || !entry) return false;
  if (key === "r") {
    recommended(form, at) || toast(say("none-recommended"));
    return true;
  }
  if (key === "R") {
    // What has an answer keeps it.
    const all = form.ask.questions.map((_, other) => !isGiven(form.draft.answers[other] ?? {}) && recommended(form, other));
    if (all.some(Boolean)) to(form.ask.questions.length);
    else toast(say("none-recommended"));
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
