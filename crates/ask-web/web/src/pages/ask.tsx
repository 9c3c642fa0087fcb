// One ask by its address: its card while it can be answered, what became of it afterwards.
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Problem, call, path } from "../lib/api.ts";
import { answerable } from "../state/asks.ts";
import { AskCard } from "../components/card.tsx";
import { formOf, useAskForm } from "../state/ask_form.ts";
import { receive } from "../state/draft_sync.ts";
import { loadAsk } from "../state/browser_storage.ts";
import { Looking } from "../components/loading.tsx";
import { ResolvedNotice } from "../components/review.tsx";
import { SeenCard } from "../components/readonly_card.tsx";
import { atComputer, useStore } from "../state/store.ts";
import type { Ask } from "../lib/types.ts";
import { say } from "../lib/i18n.ts";

export function AskPage({ id }: { id: string }): JSX.Element {
  const known = useStore((state) => state.asks.get(id));
  const link = useStore((state) => state.link.kind);
  // Whoever came from elsewhere is shown an ask once it is known what they may do.
  const scope = useStore((state) => state.viewer?.scope ?? (atComputer ? "answer" : undefined));
  const [read, put] = useState<Ask>();
  const [gone, lose] = useState(false);
  const live = link === "live";
  // Whoever fills in an ask hears of it; who only sees it, reads it again.
  const seen = scope === "see" ? known : undefined;
  useEffect(() => {
    if (!scope) return;
    let here = true;
    lose(false);
    const show = (ask: Ask | null | undefined) => {
      if (!here || !ask) return;
      if (scope === "answer") receive(formOf(ask), ask);
      put(ask);
    };
    call<Ask>("GET", path.ask(id)).then(show, (error: unknown) => {
      // Without a line, other tabs know its name and this browser its questions.
      if (!(error instanceof Problem)) return loadAsk(id).then(show);
      if (here) lose(error.status === 404);
    });
    return () => {
      here = false;
    };
  }, [id, live, scope, seen]);
  const ask = known ?? (read?.askId === id ? read : undefined);
  if (gone && !known) return <div class="card"><h1 tabIndex={-1}>{say("gone")}</h1><p><a href="/">{say("to-inbox")}</a></p></div>;
  if (!ask || !scope) return <div class="card"><Looking /></div>;
  if (scope === "see") return <SeenCard ask={read?.askId === id ? read : ask} />;
  return <Open key={id} ask={ask} />;
}

function Open({ ask }: { ask: Ask }): JSX.Element {
  const form = useAskForm(ask);
  if (!form.ask.shown.questions) return <div class="card"><Looking /></div>;
  return !answerable(form.ask) ? <ResolvedNotice form={form} /> : <AskCard form={form} />;
}
