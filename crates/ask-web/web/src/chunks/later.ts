// What begins once the list is there: drafts and answers that wait for the hub, notices, presence, and the
// worker that keeps the page's files.
import { path, Problem, call } from "../lib/api.ts";
import { flushQueue, hasUnsaved, loadQueue, saveAll } from "../state/send_queue.ts";
import { clearStore, remove, loadAsks, loadDrafts } from "../state/browser_storage.ts";
import { startNotices } from "../state/notifications.ts";
import { present } from "../lib/presence.ts";
import { atComputer, get, secure, set, watch } from "../state/store.ts";

export { Chip } from "../components/devices_chip.tsx";
export { formOf } from "../state/ask_form.ts";
export { send } from "../state/send_queue.ts";

startNotices();
present();
void (get().link.kind === "live" ? flushQueue() : loadQueue());

/** While the hub says nothing, what was opened here stands for all; once it has, what is over is kept no longer. */
let told = 0;
async function recall(): Promise<void> {
  const { ready, link, signedOut } = get();
  // What was asked is for who may see it.
  if (signedOut) return void clearStore("asks");
  const turn = ready ? 2 : Number(link.kind === "offline" || link.kind === "pausing");
  if (told >= turn) return;
  told = turn;
  const asks = (await loadAsks()) ?? [];
  if (turn < 2) return get().ready || get().asks.size ? undefined : set({ asks: new Map(asks.map((ask) => [ask.askId, ask])), viewer: get().viewer ?? { local: atComputer, scope: "answer", encrypted: secure } });
  const over = ({ askId }: { askId: string }) => !get().asks.has(askId);
  for (const { askId } of asks.filter(over)) void remove("asks", askId);
  // Words that nobody has stay for as long as there is a question to show them with.
  for (const { askId } of ((await loadDrafts()) ?? []).filter(over)) {
    await call("GET", path.ask(askId)).catch((error: unknown) => error instanceof Problem && error.status === 404 && remove("drafts", askId));
  }
}
watch(recall);
void recall();

addEventListener("pagehide", () => void saveAll());
addEventListener("beforeunload", (event) => {
  void saveAll();
  if (hasUnsaved()) event.preventDefault();
});
if ("serviceWorker" in navigator && secure) {
  // The one address that this page lets run beside it.
  const policy = window.trustedTypes?.createPolicy("ask-user-worker", { createScriptURL: () => "/sw.js" });
  navigator.serviceWorker.register((policy?.createScriptURL("") ?? "/sw.js") as string).catch(() => undefined);
}
