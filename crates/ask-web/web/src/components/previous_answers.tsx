// Earlier answers of the person's own, offered where one is typed.
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { why } from "../lib/api.ts";
import type { AskForm } from "../state/ask_form.ts";
import { type Entry, withOwnText } from "../state/form.ts";
import { Dialog } from "./basics.tsx";
import { earlier } from "../state/previous_answers.ts";
import { focusOn, toast } from "../state/store.ts";
import { say } from "../lib/i18n.ts";

/** More than so many are filtered. */
const FEW = 6;

export function Earlier({ form, at, entry }: { form: AskForm; at: number; entry: Entry }): JSX.Element {
  const [open, put] = useState(false);
  const take = (own: string) => {
    const question = form.ask.questions[at];
    put(false);
    if (!question) return;
    const before = { own: entry.own, ownChosen: entry.ownChosen, picks: entry.picks, none: entry.none };
    form.change(at, withOwnText(question, entry, own, true));
    // What was typed can be had again.
    toast(say("earlier-taken"), before.own.trim() ? { label: say("undo"), run: () => form.change(at, before) } : undefined);
    focusOn(`q${at}-own`);
  };
  return (
    <>
      <button class="quiet earlier" onClick={() => put(true)}>{say("earlier")}</button>
      {open && <Words project={form.ask.asker.project} onTake={take} onClose={() => put(false)} />}
    </>
  );
}

function Words({ project, onTake, onClose }: { project: string | undefined; onTake: (own: string) => void; onClose: () => void }): JSX.Element {
  const [all, put] = useState<string[]>();
  const [filter, setFilter] = useState("");
  const [problem, fail] = useState("");
  useEffect(() => void earlier(project).then(put, (error: unknown) => fail(why(error))), []);
  const shown = all?.filter((own) => own.toLowerCase().includes(filter.trim().toLowerCase()));
  return (
    <Dialog title={say("earlier")} onClose={onClose}>
      {problem && <p class="mistake" role="alert">{say("failed", { why: problem })}</p>}
      {!all && !problem && <p class="muted" role="status">{say("looking")}</p>}
      {all && <p class="muted">{say(all.length ? "earlier-says" : "earlier-none")}</p>}
      {all && all.length > FEW && <input type="search" aria-label={say("filter")} placeholder={say("filter")} autocomplete="off" onInput={(event) => setFilter(event.currentTarget.value)} />}
      <ul class="stack">
        {shown?.map((own) => <li key={own}><button onClick={() => onTake(own)}><bdi class="said">{own}</bdi></button></li>)}
      </ul>
      {all && all.length > 0 && !shown?.length && <p class="muted" role="status">{say("none-fit")}</p>}
    </Dialog>
  );
}
