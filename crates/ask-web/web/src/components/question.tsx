// One question of an ask: its text, choices, own words, a note and files.
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { Files } from "./attachments.tsx";
import { choiceLabels, shortName, surfaceName } from "../state/asks.ts";
import { PreviousAnswers } from "./previous_answers.tsx";
import type { AskForm } from "../state/ask_form.ts";
import { type Entry, toggleChoice, withOwnText } from "../state/form.ts";
import { Markdown, Scroll } from "./markdown.tsx";
import { Dialog, Field } from "./basics.tsx";
import { focusOn, hubNow } from "../state/store.ts";
import { formatTime } from "../lib/time.ts";
import type { ShownChoice } from "../lib/types.ts";
import { useWide } from "../lib/window_width.ts";
import { translate } from "../lib/i18n.ts";

type Props = { form: AskForm; at: number };

/** A filter is shown for more choices than these. Picked choices stay in sight. */
const FILTER_ABOVE = 12;

const fitsChoice = (label: string, filter: string) => filter.toLowerCase().split(/\s+/).every((word) => label.toLowerCase().includes(word));

export function QuestionView({ form, at }: Props): JSX.Element | null {
  const { ask } = form;
  const question = ask.questions[at];
  const entry = form.values.entries[at];
  const isSplit = CHAT ? false : useWide("(min-width: 68.75em)");
  const [previewed, setPreviewed] = useState<number>();
  const [filter, setFilter] = useState("");
  if (!question || !entry) return null;
  const shown = ask.shown.questions?.[at];
  const names = choiceLabels(ask, at);
  const all = (shown?.choices ?? []).map((choice, n) => ({ ...choice, label: names[n] ?? choice.label }));
  const first = all.findIndex((choice) => choice.preview);
  const previewChoice = all[[previewed, entry.picks.at(-1), first].find((n) => n !== undefined && all[n]?.preview) ?? -1];
  const mistake = form.mistakes.get(at);
  const several = ask.questions.length > 1;
  const id = `q${at}`;
  const place = several ? translate("question-of", { at: at + 1, all: ask.questions.length }) : translate("question");
  return (
    <section class={!CHAT && isSplit && first >= 0 ? "question split" : "question"} aria-labelledby={`${id}-head`}>
      <div>
        <h2 id={`${id}-head`} tabIndex={-1} class={several || !question.required ? "" : "vh"}>
          {place}{several && question.header && <> · <bdi>{shortName(ask, at)}</bdi></>}
          {!question.required && <span class="muted"> · {translate("optional")}</span>}
        </h2>
        <div id={`${id}-text`} class="question-text"><Markdown doc={shown?.text} /></div>
        {mistake && <p class="mistake" id={`${id}-mistake`}>{mistake}</p>}
        <AlternativeOffer form={form} at={at} />
        {question.type === "text" ? (
          <div class="only"><Field
            id={`${id}-own`} label={translate("your-answer")} hideLabel rows={3} value={entry.own} placeholder={shown?.placeholder}
            describedBy={mistake ? `${id}-mistake` : `${id}-text`} invalid={Boolean(mistake)}
            onInput={(own) => form.change(at, { own })} {...trackFocus(form, at)}
          />{!CHAT && <PreviousAnswers form={form} at={at} entry={entry} />}</div>
        ) : (
          <fieldset aria-labelledby={`${id}-text`} aria-describedby={mistake ? `${id}-mistake` : undefined} class={question.type}>
            {all.length > FILTER_ABOVE && (
              <input type="search" aria-label={translate("filter")} placeholder={translate("filter")} value={filter} onInput={(event) => setFilter(event.currentTarget.value)} />
            )}
            {all.map((choice, n) => (fitsChoice(choice.label, filter) || entry.picks.includes(n)) && (
              <ChoiceRow key={n} form={form} at={at} n={n} choice={choice} isSplit={isSplit} onPreview={() => setPreviewed(n)} />
            ))}
            {question.type === "multi-select" && (
              <label class="choice slim">
                <input
                  type="checkbox" checked={entry.none}
                  onChange={(event) => form.change(at, event.currentTarget.checked ? { none: true, picks: [], ownChosen: false } : { none: false })}
                />
                <span class="label">{translate("none-of-these")}</span>
              </label>
            )}
            <OtherField form={form} at={at} entry={entry} />
          </fieldset>
        )}
        <NoteField form={form} at={at} entry={entry} />
        <Files form={form} at={at} />
      </div>
      {!CHAT && isSplit && previewChoice && <Preview choice={previewChoice} />}
    </section>
  );
}

/** Records which question's field has the focus. Nothing from elsewhere is put into that question. */
export function trackFocus(form: AskForm, at: number): { onFocus: () => void; onBlur: () => void } {
  return { onFocus: () => void (form.focusedAt = at), onBlur: () => void (form.focusedAt = undefined) };
}

type Row = Props & { n: number; choice: ShownChoice; isSplit: boolean; onPreview: () => void };

function ChoiceRow({ form, at, n, choice, isSplit, onPreview }: Row): JSX.Element | null {
  const question = form.ask.questions[at];
  const entry = form.values.entries[at];
  if (!question || !entry) return null;
  const { label, recommended, description, preview } = choice;
  const many = question.type === "multi-select";
  const id = `q${at}-c${n}`;
  return (
    <div class="choice-box" onMouseEnter={preview && onPreview}>
      <label class="choice" for={id}>
        <input
          id={id} type={many ? "checkbox" : "radio"} name={`q${at}`} checked={entry.picks.includes(n)} data-choice={n + 1}
          aria-describedby={description ? `${id}-says` : undefined}
          onChange={(event) => form.change(at, toggleChoice(question, entry, n, event.currentTarget.checked))}
          onFocus={preview && onPreview}
        />
        <span class="label">
          <bdi>{label}</bdi>
          {recommended && <> <span class="badge ok">{translate("recommended")}</span></>}
        </span>
        {!CHAT && n < 9 && <kbd aria-hidden="true">{n + 1}</kbd>}
      </label>
      {description && <div class="says" id={`${id}-says`}><Markdown doc={description} /></div>}
      {preview && !isSplit && (
        <details class="preview-below">
          <summary>{translate("see-preview")}<span class="vh"> {label}</span></summary>
          <Preview choice={choice} />
        </details>
      )}
    </div>
  );
}

function OtherField({ form, at, entry }: Props & { entry: Entry }): JSX.Element | null {
  const question = form.ask.questions[at];
  if (!question) return null;
  const many = question.type === "multi-select";
  const id = `q${at}-other`;
  const choose = (on: boolean) => {
    form.change(at, withOwnText(question, entry, entry.own, on));
    if (on) focusOn(`q${at}-own`);
  };
  return (
    <div class={entry.ownChosen ? "choice-box other on" : "choice-box other"}>
      <label class="choice" for={id}>
        <input
          id={id} type={many ? "checkbox" : "radio"} name={`q${at}`} checked={entry.ownChosen} data-choice={0}
          onClick={(event) => !many && !entry.ownChosen && event.detail > 0 && choose(true)}
          onChange={(event) => form.change(at, withOwnText(question, entry, entry.own, event.currentTarget.checked))}
        />
        <span class="label">{translate("other")}</span>
        {!CHAT && <kbd aria-hidden="true">0</kbd>}
      </label>
      {(entry.ownChosen || entry.own) && (
        <>
          <Field
            id={`q${at}-own`} label={translate("own-words")} hideLabel value={entry.own} rows={2}
            placeholder={translate("type-your-answer")} onInput={(own) => form.change(at, withOwnText(question, entry, own, true))} {...trackFocus(form, at)}
          />
          {!CHAT && <PreviousAnswers form={form} at={at} entry={entry} />}
        </>
      )}
      {!entry.ownChosen && entry.own.trim() && <p class="muted small">{translate("kept-not-chosen")}</p>}
    </div>
  );
}

function NoteField({ form, at, entry }: Props & { entry: Entry }): JSX.Element {
  const [isOpen, setOpen] = useState(false);
  const id = `q${at}-note`;
  if (!isOpen && !entry.note) {
    const show = () => {
      setOpen(true);
      focusOn(id);
    };
    return <button class="quiet add-note" onClick={show}>+ {translate("add-note")}</button>;
  }
  return <Field id={id} label={translate("note-label")} value={entry.note} onInput={(note) => form.change(at, { note })} {...trackFocus(form, at)} />;
}

/** Says that the question was also filled in elsewhere, and swaps both answers. */
export function AlternativeOffer({ form, at }: Props): JSX.Element | null {
  const other = form.alternatives.get(at);
  if (!other) return null;
  return (
    <p class="alternative">
      {translate("changed-elsewhere", { by: surfaceName(other.by), at: formatTime(other.at, hubNow()) })}{" "}
      <button class="quiet" onClick={() => form.swapAlternative(at)}>{translate(other.own ? "load-mine" : "load-theirs")}</button>
    </p>
  );
}

function Preview({ choice }: { choice: ShownChoice }): JSX.Element {
  const [isFull, setFull] = useState(false);
  const title = translate("preview-of", { name: choice.label });
  return (
    <aside class="preview" aria-label={title}>
      <header>
        <span class="name">{title}</span>
        {!CHAT && <button class="quiet" onClick={() => setFull(true)}>{translate("full-size")}</button>}
      </header>
      <Scroll label={title}><Markdown doc={choice.preview} /></Scroll>
      {!CHAT && isFull && <Dialog wide title={title} onClose={() => setFull(false)}><Scroll label={title}><Markdown doc={choice.preview} /></Scroll></Dialog>}
    </aside>
  );
}
