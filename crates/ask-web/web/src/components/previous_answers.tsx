// Offers the person's earlier answers in a field for own words.
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { errorText } from "../lib/api.ts";
import type { AskForm } from "../state/ask_form.ts";
import { type Entry, withOwnText } from "../state/form.ts";
import { Dialog } from "./basics.tsx";
import { loadPreviousAnswers } from "../state/previous_answers.ts";
import { focusOn, toast } from "../state/store.ts";
import { translate } from "../lib/i18n.ts";

/** A filter is shown for more answers than these. */
const MAX_UNFILTERED = 6;

export function PreviousAnswers({ form, at, entry }: { form: AskForm; at: number; entry: Entry }): JSX.Element {
  const [isOpen, setOpen] = useState(false);
  const applyText = (own: string) => {
    const question = form.ask.questions[at];
    setOpen(false);
    if (!question) return;
    const before = { own: entry.own, ownChosen: entry.ownChosen, picks: entry.picks, none: entry.none };
    form.change(at, withOwnText(question, entry, own, true));
    // An undo brings back what was typed.
    toast(translate("earlier-taken"), before.own.trim() ? { label: translate("undo"), run: () => form.change(at, before) } : undefined);
    focusOn(`q${at}-own`);
  };
  return (
    <>
      <button class="quiet earlier" onClick={() => setOpen(true)}>{translate("earlier")}</button>
      {isOpen && <PreviousAnswersDialog project={form.ask.asker.project} onTake={applyText} onClose={() => setOpen(false)} />}
    </>
  );
}

function PreviousAnswersDialog({ project, onTake, onClose }: { project: string | undefined; onTake: (own: string) => void; onClose: () => void }): JSX.Element {
  const [all, setAll] = useState<string[]>();
  const [filter, setFilter] = useState("");
  const [problem, setProblem] = useState("");
  useEffect(() => void loadPreviousAnswers(project).then(setAll, (error: unknown) => setProblem(errorText(error))), []);
  const shown = all?.filter((own) => own.toLowerCase().includes(filter.trim().toLowerCase()));
  return (
    <Dialog title={translate("earlier")} onClose={onClose}>
      {problem && <p class="mistake" role="alert">{translate("failed", { why: problem })}</p>}
      {!all && !problem && <p class="muted" role="status">{translate("looking")}</p>}
      {all && <p class="muted">{translate(all.length ? "earlier-says" : "earlier-none")}</p>}
      {all && all.length > MAX_UNFILTERED && <input type="search" aria-label={translate("filter")} placeholder={translate("filter")} autocomplete="off" onInput={(event) => setFilter(event.currentTarget.value)} />}
      <ul class="stack">
        {shown?.map((own) => <li key={own}><button onClick={() => onTake(own)}><bdi class="quoted">{own}</bdi></button></li>)}
      </ul>
      {all && all.length > 0 && !shown?.length && <p class="muted" role="status">{translate("none-fit")}</p>}
    </Dialog>
  );
}
