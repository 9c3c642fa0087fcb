// What begins once the list is there: drafts and answers that wait for the hub, notices, presence, and the
// worker that keeps the page's files.
import { flush, lookAtSends, saveAll, unsaved } from "./filling.ts";
import { startNotices } from "./notices.ts";
import { present } from "./presence.ts";
import { get, secure } from "./store.ts";

export { Chip } from "./chip.tsx";
export { filling } from "./filling.ts";

startNotices();
present();
void (get().link.kind === "live" ? flush() : lookAtSends());

addEventListener("pagehide", () => void saveAll());
addEventListener("beforeunload", (event) => {
  void saveAll();
  if (unsaved()) event.preventDefault();
});
if ("serviceWorker" in navigator && secure) {
  // The one address that this page lets run beside it.
  const policy = window.trustedTypes?.createPolicy("ask-user-worker", { createScriptURL: () => "/sw.js" });
  navigator.serviceWorker.register((policy?.createScriptURL("") ?? "/sw.js") as string).catch(() => undefined);
}
