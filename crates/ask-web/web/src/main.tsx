// Begins the page: lets its person in, then shows it.
import { render } from "preact";
import { call } from "./lib/api.ts";
import { App, later } from "./pages/app.tsx";
import { begin as beginSession } from "./lib/proof.ts";
import { route } from "./lib/router.ts";
import { settle } from "./lib/click_guard.ts";
import { get, line, set, watch, wishes } from "./state/store.ts";
import { glance, start } from "./state/stream.ts";
import { applyTheme } from "./lib/theme.ts";
import { loadWords } from "./lib/i18n.ts";

/** The key of the link works once: it is out of the address before anything else happens. */
async function enter(): Promise<void> {
  const key = /^#k=(.+)$/.exec(location.hash)?.[1];
  if (!key) return;
  history.replaceState(null, "", location.pathname + location.search);
  // If the link was used before or is too old, a session from earlier may still stand.
  await beginSession(() => call("POST", "session", { key })).catch(() => set({ usedLink: true }));
}

/** Which language the person has set is known from the last time; when it is another now, all is said anew. */
line.speaks = (language = "") => {
  if (language === (wishes.get("language") ?? "")) return;
  wishes.set("language", language);
  void loadWords(language).then(() => set({ language }));
};

/** What begins once the list is there; where it didn't come, it is tried again when the line stands. */
let begun = false;
function begin(): void {
  if (begun) return;
  begun = true;
  later().catch(() => (begun = false));
}

applyTheme();
settle();
// A link that is pasted into an open page loads nothing by itself.
addEventListener("hashchange", () => location.hash.startsWith("#k=") && location.reload());
// A device that isn't let in yet has nothing to listen to.
const listens = route().name !== "pair";
if (location.pathname === "/" && !location.hash) void glance().catch(() => undefined);
const entered = enter().then(() => listens && start());
void Promise.all([entered, loadWords(wishes.get("language"))]).then(() => {
  const root = document.getElementById("app");
  if (root) render(<App />, root);
  if (!listens) return;
  begin();
  watch(() => get().link.kind === "live" && begin());
});
