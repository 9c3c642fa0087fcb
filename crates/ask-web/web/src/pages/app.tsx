// The frame of the page: its head with the navigation and the state of the connection, the current page, and texts for
// screen readers.
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { groupOf, sortedAsks, waitingCount } from "../state/asks.ts";
import { focusWhenShown, watchFocus } from "../lib/focus.ts";
import { AskList } from "../components/ask_list.tsx";
import { Lazy } from "../components/lazy.tsx";
import { type Route, navigate, useRoute } from "../lib/router.ts";
import { Toasts } from "../components/toast.tsx";
import { isTakenKey, shortcutsOn, fieldForTyping } from "../lib/shortcuts.ts";
import { getState, useNow, useStore } from "../state/store.ts";
import { listShown, retryNow } from "../state/stream.ts";
import { useWide } from "../lib/window_width.ts";
import { translate } from "../lib/i18n.ts";

const loadCard = () => import("../chunks/card.ts");
/** What can wait is loaded after the list is shown. */
export const loadLater = () => listShown.then(() => import("../chunks/later.ts"));
const loadMore = () => import("../chunks/more.ts");
const loadPair = () => import("../chunks/pair.ts");
const loadPairing = () => import("../chunks/pairing.ts");

/** A change of language renders everything again. What was typed isn't kept in components. */
export function App(): JSX.Element {
  return <Page key={useStore((state) => state.language)} />;
}

function Page(): JSX.Element {
  const route = useRoute();
  const wide = useWide();
  const [help, showHelp] = useState(false);
  const isSignedOut = useStore((state) => state.signedOut);
  const ready = useStore((state) => state.ready);
  const devicesOff = useStore((state) => state.connection.devicesOff);
  const first = useStore((state) => (state.ready ? sortedAsks(state.asks).find((ask) => groupOf(ask) === "waiting")?.askId : undefined));

  const hasPairingRequests = useStore((state) => Boolean(state.pairing?.requests.length));

  useEffect(watchFocus, []);
  // A wide page that opens the list shows the first waiting ask beside it. A later ask only joins the list: it never opens
  // by itself, where the person could be typing or clicking.
  useEffect(() => {
    if (wide && route.name === "inbox" && first) navigate(`/a/${first}`, "replace");
  }, [wide, route.name, ready]);

  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const target = event.target as HTMLElement;
      if (isTakenKey(event) || fieldForTyping(event) || event.ctrlKey || event.metaKey || event.altKey || !shortcutsOn()) return;
      if (target.matches("textarea, select, input:not([type=radio], [type=checkbox], [type=file])")) return;
      if (event.key === "?") showHelp(true);
      else if (event.key === "/") [...document.querySelectorAll<HTMLElement>("input[type=search]")].pop()?.focus();
      else if (event.key === "[" || event.key === "]") openNeighbour(route, event.key === "]" ? 1 : -1);
      else return;
      event.preventDefault();
    };
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  });

  if (route.name === "pair") return <Lazy load={loadPair} show={({ PairPage }) => <PairPage />} />;
  if (isSignedOut) return <Lazy load={loadPair} show={({ SignedOut }) => <SignedOut />} />;
  const hasList = route.name === "inbox" || route.name === "ask";
  return (
    <>
      <a class="skip" href="#main">{translate("skip")}</a>
      <Head route={route} onHelp={() => showHelp(true)} />
      {devicesOff && <p class="notice warn" role="status">{translate("pair-shut-out")}</p>}
      <main id="main" class={hasList ? `inbox ${route.name}` : "page"} tabIndex={-1}>
        {hasList && (wide || route.name === "inbox") && (
          <>
            {route.name === "inbox" && <h1 class="vh" tabIndex={-1}>{translate("inbox")}</h1>}
            <AskList open={route.id} />
          </>
        )}
        {route.name === "ask" && <Lazy load={loadCard} show={({ AskPage }) => <AskPage id={route.id} />} />}
        {route.name === "history" && <Lazy load={loadMore} show={({ HistoryPage }) => <HistoryPage query={route.query} />} />}
        {route.name === "history-ask" && <Lazy load={loadMore} show={({ HistoryAskPage }) => <HistoryAskPage id={route.id} />} />}
        {route.name === "stats" && <Lazy load={loadMore} show={({ StatsPage }) => <StatsPage />} />}
        {route.name === "settings" && <Lazy load={loadMore} show={({ SettingsPage }) => <SettingsPage />} />}
      </main>
      {hasPairingRequests && <Lazy silent load={loadPairing} show={({ PairingRequests }) => <PairingRequests />} />}
      <Toasts />
      {help && <Lazy load={loadCard} show={({ Help }) => <Help onClose={() => showHelp(false)} />} />}
    </>
  );
}

function openNeighbour(route: Route, step: number): void {
  const all = sortedAsks(getState().asks).filter((ask) => groupOf(ask) !== "kept");
  const at = all.findIndex((ask) => ask.askId === route.id);
  const next = all[(at < 0 ? 0 : at + step + all.length) % (all.length || 1)];
  if (!next) return;
  navigate(`/a/${next.askId}`);
  focusWhenShown("main h1");
}

function Head({ route, onHelp }: { route: Route; onHelp: () => void }): JSX.Element {
  const waiting = useStore((state) => waitingCount(state.asks));
  const at = (...names: Route["name"][]) => (names.includes(route.name) ? "page" : undefined);
  return (
    <header class={route.name === "ask" ? "head on-ask" : "head"}>
      <a class="brand" href="/"><img src="/icon.svg" alt="" width="22" height="22" />ask</a>
      <nav aria-label={translate("parts")}>
        <a href="/" aria-current={at("inbox", "ask")}>{translate("inbox")}{waiting > 0 && <span class="count">{waiting}<span class="vh"> {translate("waiting")}</span></span>}</a>
        <a href="/history" aria-current={at("history", "history-ask")}>{translate("history")}</a>
        <a href="/stats" aria-current={at("stats")}>{translate("stats")}</a>
        <a href="/settings" aria-current={at("settings")}>{translate("settings")}</a>
      </nav>
      <Lazy silent load={loadLater} show={({ DevicesChip }) => <DevicesChip />} />
      <ConnectionState />
      <button class="quiet help" aria-label={translate("keys")} onClick={onHelp}>?</button>
    </header>
  );
}

function ConnectionState(): JSX.Element {
  const connection = useStore((state) => state.connection);
  const queued = useStore((state) => state.queued.size);
  const queuedText = queued > 0 && ` · ${translate("queued-count", { count: queued })}`;
  if (connection.kind === "pausing") return <Pausing until={connection.until} queuedText={queuedText} />;
  return <p class={`connection ${connection.kind}`}><span class="dot" aria-hidden="true" />{translate(`link-${connection.kind}`)}{queuedText}</p>;
}

function Pausing({ until, queuedText }: { until: number; queuedText: string | false }): JSX.Element {
  useNow(1);
  const count = Math.max(1, Math.ceil((until - Date.now()) / 1000));
  return (
    <p class="connection pausing">
      <span class="dot" aria-hidden="true" />{translate("link-pausing", { count })}{queuedText}
      <button class="quiet" onClick={retryNow}>{translate("try-now")}</button>
    </p>
  );
}
