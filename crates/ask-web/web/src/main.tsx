// Starts the page: signs the person in, then renders.
import { render } from "preact";
import { type Problem, call } from "./lib/api.ts";
import { App, loadLater } from "./pages/app.tsx";
import { beginSession } from "./lib/proof.ts";
import { currentRoute } from "./lib/router.ts";
import { guardClicks } from "./lib/click_guard.ts";
import { getState, callbacks, setState, subscribe, preferences } from "./state/store.ts";
import { loadMostUrgent, startStream } from "./state/stream.ts";
import { applyTheme } from "./lib/theme.ts";
import { loadMessages } from "./lib/i18n.ts";

/** Exchanges the link's key for a session. The key works once and is removed from the address first. */
async function exchangeLinkKey(): Promise<void> {
  const key = /^#k=(.+)$/.exec(location.hash)?.[1];
  if (!key) return;
  history.replaceState(null, "", location.pathname + location.search);
  // A used or expired link is no error: this browser may still have a session.
  await beginSession(() => call("POST", "session", { key })).catch((refused: Partial<Problem>) => setState({ badLink: refused.kind }));
}

/** The language setting is stored from the last visit. If it changed meanwhile, the page loads the other messages. */
callbacks.languageSet = (language = "") => {
  if (language === (preferences.get("language") ?? "")) return;
  preferences.set("language", language);
  void loadMessages(language).then(() => setState({ language }));
};

/** Loads what can wait until the list is shown. If that fails, it is tried again once the page is connected. */
let hasStarted = false;
function startLater(): void {
  if (hasStarted) return;
  hasStarted = true;
  loadLater().catch(() => (hasStarted = false));
}

applyTheme();
guardClicks();
// A browser doesn't load the page again for a link that differs only in its hash.
addEventListener("hashchange", () => location.hash.startsWith("#k=") && location.reload());
// A device that isn't paired yet gets no events.
const needsStream = currentRoute().name !== "pair";
if (location.pathname === "/" && !location.hash) void loadMostUrgent().catch(() => undefined);
const signedIn = exchangeLinkKey().then(() => needsStream && startStream());
void Promise.all([signedIn, loadMessages(preferences.get("language"))]).then(() => {
  const root = document.getElementById("app");
  if (root) render(<App />, root);
  if (!needsStream) return;
  startLater();
  subscribe(() => getState().connection.kind === "live" && startLater());
});
