// The page's frame: its head, the way between its parts, the state of the connection, what is read out.
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { group, inOrder, waitingCount } from "../state/asks.ts";
import { arrive, keepFocus } from "../lib/focus.ts";
import { AskList } from "../components/ask_list.tsx";
import { Part } from "../components/lazy.tsx";
import { type Route, go, useRoute } from "../lib/router.ts";
import { Said } from "../components/toast.tsx";
import { foreign, shortcutsOn, typedInto } from "../lib/shortcuts.ts";
import { get, useNow, useStore } from "../state/store.ts";
import { listed, now as tryNow } from "../state/stream.ts";
import { useWide } from "../lib/window_width.ts";
import { say } from "../lib/i18n.ts";

const card = () => import("../chunks/card.ts");
/** The list comes first. */
export const later = () => listed.then(() => import("../chunks/later.ts"));
const more = () => import("../chunks/more.ts");
const pair = () => import("../chunks/pair.ts");
const pairing = () => import("../chunks/pairing.ts");

/** Another language begins the page anew: what is typed is kept elsewhere. */
export function App(): JSX.Element {
  return <Page key={useStore((state) => state.language)} />;
}

function Page(): JSX.Element {
  const route = useRoute();
  const wide = useWide();
  const [help, showHelp] = useState(false);
  const out = useStore((state) => state.signedOut);
  const ready = useStore((state) => state.ready);
  const shut = useStore((state) => state.link.shut);
  const first = useStore((state) => (state.ready ? inOrder(state.asks).find((ask) => group(ask) === "waiting")?.askId : undefined));

  const knocks = useStore((state) => Boolean(state.pairing?.requests.length));

  useEffect(keepFocus, []);
  // With room for both, the list stands beside the first ask that waits when one comes here. One that is asked
  // later only joins the list: it never opens under somebody's fingers.
  useEffect(() => {
    if (wide && route.name === "inbox" && first) go(`/a/${first}`, "replace");
  }, [wide, route.name, ready]);

  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const target = event.target as HTMLElement;
      if (foreign(event) || typedInto(event) || event.ctrlKey || event.metaKey || event.altKey || !shortcutsOn()) return;
      if (target.matches("textarea, select, input:not([type=radio], [type=checkbox], [type=file])")) return;
      if (event.key === "?") showHelp(true);
      else if (event.key === "/") [...document.querySelectorAll<HTMLElement>("input[type=search]")].pop()?.focus();
      else if (event.key === "[" || event.key === "]") neighbour(route, event.key === "]" ? 1 : -1);
      else return;
      event.preventDefault();
    };
    document.addEventListener("keydown", press);
    return () => document.removeEventListener("keydown", press);
  });

  if (route.name === "pair") return <Part of={pair} show={({ PairPage }) => <PairPage />} />;
  if (out) return <Part of={pair} show={({ SignedOut }) => <SignedOut />} />;
  const listed = route.name === "inbox" || route.name === "ask";
  return (
    <>
      <a class="skip" href="#main">{say("skip")}</a>
      <Head route={route} onHelp={() => showHelp(true)} />
      {shut && <p class="notice warn" role="status">{say("pair-shut-out")}</p>}
      <main id="main" class={listed ? `inbox ${route.name}` : "page"} tabIndex={-1}>
        {listed && (wide || route.name === "inbox") && (
          <>
            {route.name === "inbox" && <h1 class="vh" tabIndex={-1}>{say("inbox")}</h1>}
            <AskList open={route.id} />
          </>
        )}
        {route.name === "ask" && <Part of={card} show={({ AskPage }) => <AskPage id={route.id} />} />}
        {route.name === "history" && <Part of={more} show={({ HistoryPage }) => <HistoryPage query={route.query} />} />}
        {route.name === "past" && <Part of={more} show={({ PastPage }) => <PastPage id={route.id} />} />}
        {route.name === "stats" && <Part of={more} show={({ StatsPage }) => <StatsPage />} />}
        {route.name === "settings" && <Part of={more} show={({ SettingsPage }) => <SettingsPage />} />}
      </main>
      {knocks && <Part silent of={pairing} show={({ Knocks }) => <Knocks />} />}
      <Said />
      {help && <Part of={card} show={({ Help }) => <Help onClose={() => showHelp(false)} />} />}
    </>
  );
}

function neighbour(route: Route, step: number): void {
  const all = inOrder(get().asks).filter((ask) => group(ask) !== "kept");
  const at = all.findIndex((ask) => ask.askId === route.id);
  const next = all[(at < 0 ? 0 : at + step + all.length) % (all.length || 1)];
  if (!next) return;
  go(`/a/${next.askId}`);
  arrive("main h1");
}

function Head({ route, onHelp }: { route: Route; onHelp: () => void }): JSX.Element {
  const waiting = useStore((state) => waitingCount(state.asks));
  const at = (...names: Route["name"][]) => (names.includes(route.name) ? "page" : undefined);
  return (
    <header class={route.name === "ask" ? "head on-ask" : "head"}>
      <a class="brand" href="/"><img src="/icon.svg" alt="" width="22" height="22" />ask</a>
      <nav aria-label={say("parts")}>
        <a href="/" aria-current={at("inbox", "ask")}>{say("inbox")}{waiting > 0 && <span class="count">{waiting}<span class="vh"> {say("waiting")}</span></span>}</a>
        <a href="/history" aria-current={at("history", "past")}>{say("history")}</a>
        <a href="/stats" aria-current={at("stats")}>{say("stats")}</a>
        <a href="/settings" aria-current={at("settings")}>{say("settings")}</a>
      </nav>
      <Part silent of={later} show={({ Chip }) => <Chip />} />
      <ConnectionState />
      <button class="quiet help" aria-label={say("keys")} onClick={onHelp}>?</button>
    </header>
  );
}

function ConnectionState(): JSX.Element {
  const link = useStore((state) => state.link);
  const queued = useStore((state) => state.queued.size);
  const waits = queued > 0 && ` · ${say("queued-count", { count: queued })}`;
  if (link.kind === "pausing") return <Pausing until={link.until} waits={waits} />;
  return <p class={`link ${link.kind}`}><span class="dot" aria-hidden="true" />{say(`link-${link.kind}`)}{waits}</p>;
}

function Pausing({ until, waits }: { until: number; waits: string | false }): JSX.Element {
  useNow(1);
  const count = Math.max(1, Math.ceil((until - Date.now()) / 1000));
  return (
    <p class="link pausing">
      <span class="dot" aria-hidden="true" />{say("link-pausing", { count })}{waits}
      <button class="quiet" onClick={tryNow}>{say("try-now")}</button>
    </p>
  );
}
