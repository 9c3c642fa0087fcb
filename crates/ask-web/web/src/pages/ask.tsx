// One ask by its address: its card while it can be answered, afterwards a notice with the outcome.
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Problem, call, path } from "../lib/api.ts";
import { isAnswerable } from "../state/asks.ts";
import { AskCard } from "../components/card.tsx";
import { formOf, useAskForm } from "../state/ask_form.ts";
import { receive } from "../state/draft_sync.ts";
import { loadAsk } from "../state/browser_storage.ts";
import { Loading } from "../components/loading.tsx";
import { ResolvedNotice } from "../components/review.tsx";
import { ReadonlyCard } from "../components/readonly_card.tsx";
import { isLoopback, useStore } from "../state/store.ts";
import type { Ask } from "../lib/types.ts";
import { translate } from "../lib/i18n.ts";

export function AskPage({ id }: { id: string }): JSX.Element {
  const known = useStore((state) => state.asks.get(id));
  const connection = useStore((state) => state.connection.kind);
  // At another address than the computer's own, the ask is shown only once the viewer's scope is known.
  const scope = useStore((state) => state.viewer?.scope ?? (isLoopback ? "answer" : undefined));
  const [loaded, setLoaded] = useState<Ask>();
  const [isGone, setGone] = useState(false);
  const isLive = connection === "live";
  // A form gets changes by events. A read-only page loads the ask again when it changes.
  const changed = scope === "see" ? known : undefined;
  useEffect(() => {
    if (!scope) return;
    let isCurrent = true;
    setGone(false);
    const show = (ask: Ask | null | undefined) => {
      if (!isCurrent || !ask) return;
      if (scope === "answer") receive(formOf(ask), ask);
      setLoaded(ask);
    };
    call<Ask>("GET", path.ask(id)).then(show, (error: unknown) => {
      // Without a connection, the questions are those that this browser stores.
      if (!(error instanceof Problem)) return loadAsk(id).then(show);
      if (isCurrent) setGone(error.status === 404);
    });
    return () => {
      isCurrent = false;
    };
  }, [id, isLive, scope, changed]);
  const ask = known ?? (loaded?.askId === id ? loaded : undefined);
  if (isGone && !known) return <div class="card"><h1 tabIndex={-1}>{translate("gone")}</h1><p><a href="/">{translate("to-inbox")}</a></p></div>;
  if (!ask || !scope) return <div class="card"><Loading /></div>;
  if (scope === "see") return <ReadonlyCard ask={loaded?.askId === id ? loaded : ask} />;
  return <Open key={id} ask={ask} />;
}

function Open({ ask }: { ask: Ask }): JSX.Element {
  const form = useAskForm(ask);
  if (!form.ask.shown.questions) return <div class="card"><Loading /></div>;
  return !isAnswerable(form.ask) ? <ResolvedNotice form={form} /> : <AskCard form={form} />;
}
