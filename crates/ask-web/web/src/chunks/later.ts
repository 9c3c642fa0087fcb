// What starts after the list is shown: stored drafts and queued answers, notifications, presence, and the service
// worker.
import { path, Problem, call } from "../lib/api.ts";
import { flushQueue, hasUnsaved, loadQueue, saveAll } from "../state/send_queue.ts";
import { type StoredDraft, clearStore, remove, loadAsks, loadDrafts } from "../state/browser_storage.ts";
import { startNotifications } from "../state/notifications.ts";
import { startPresence } from "../lib/presence.ts";
import { isLoopback, getState, isSecure, setState, subscribe } from "../state/store.ts";

export { DevicesChip } from "../components/devices_chip.tsx";
export { formOf } from "../state/ask_form.ts";
export { send } from "../state/send_queue.ts";

/** How long text is kept whose ask the hub doesn't have. */
const UNKNOWN_KEPT_MS = 30 * 86_400_000;

startNotifications();
startPresence();
void (getState().connection.kind === "live" ? flushQueue() : loadQueue());

/**
 * Shows the asks that this browser stores while the hub is away, and removes those that are closed once the hub has sent
 * its list. Each happens once.
 */
let phase = 0;
async function syncStoredAsks(): Promise<void> {
  const { ready, connection, signedOut } = getState();
  // Only who is signed in may see what was asked.
  if (signedOut) return void clearStore("asks");
  const nextPhase = ready ? 2 : Number(connection.kind === "offline" || connection.kind === "pausing");
  if (phase >= nextPhase) return;
  phase = nextPhase;
  const asks = (await loadAsks()) ?? [];
  if (nextPhase < 2) return getState().ready || getState().asks.size ? undefined : setState({ asks: new Map(asks.map((ask) => [ask.askId, ask])), viewer: getState().viewer ?? { local: isLoopback, scope: "answer", encrypted: isSecure } });
  const isGone = ({ askId }: { askId: string }) => !getState().asks.has(askId);
  for (const { askId } of asks.filter(isGone)) void remove("asks", askId);
  // Unsent text stays for as long as the hub has its ask, with which it can be shown. A hub without the ask may have a
  // store that was lost or that is not the usual one, so text stays for a month in any case.
  const isOld = ({ at = 0, kept = 0 }: StoredDraft) => Math.max(at, kept) < Date.now() - UNKNOWN_KEPT_MS;
  for (const { askId } of ((await loadDrafts()) ?? []).filter((draft) => isGone(draft) && isOld(draft))) {
    await call("GET", path.ask(askId)).catch((error: unknown) => error instanceof Problem && error.status === 404 && remove("drafts", askId));
  }
}
subscribe(syncStoredAsks);
void syncStoredAsks();

addEventListener("pagehide", () => void saveAll());
addEventListener("beforeunload", (event) => {
  void saveAll();
  if (hasUnsaved()) event.preventDefault();
});
if ("serviceWorker" in navigator && isSecure) {
  // The only script URL that this page's Trusted Types policy allows.
  const policy = window.trustedTypes?.createPolicy("ask-user-worker", { createScriptURL: () => "/sw.js" });
  navigator.serviceWorker.register((policy?.createScriptURL("") ?? "/sw.js") as string).catch(() => undefined);
}
