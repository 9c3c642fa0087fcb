// How a page in the background says that an agent waits: its title, its icon, and notifications that
// the person asked for.
import { answerable, group, headline, waitingCount, who } from "./asks.ts";
import { arrive } from "../lib/focus.ts";
import { permission } from "../lib/permission.ts";
import { go, route, watchRoute } from "../lib/router.ts";
import { get, line, watch } from "./store.ts";
import type { Ask } from "../lib/types.ts";
import { say } from "../lib/i18n.ts";

let last = -1;

/** What is shown, as the title of the window names it. */
function shown(): string {
  const { name, id } = route();
  const ask = get().asks.get(id);
  if ((name === "ask" || name === "past") && ask) return `${headline(ask)} · `;
  const parts = { inbox: "", ask: "", past: say("history"), history: say("history"), stats: say("stats"), settings: say("settings"), pair: say("pair-title") };
  return parts[name] && `${parts[name]} · `;
}

/** The number of asks that wait, in the title and on the icon. */
function badge(): void {
  const { asks, signedOut } = get();
  const count = signedOut ? 0 : waitingCount(asks);
  const title = `${count ? `(${count}) ` : ""}${signedOut ? "" : shown()}${say("brand")}`;
  if (document.title !== title) document.title = title;
  if (count === last) return;
  last = count;
  const icon = document.querySelector<HTMLLinkElement>("link[rel=icon]");
  if (icon) icon.href = count ? `data:image/svg+xml,${encodeURIComponent(drawn(count))}` : "/icon.svg";
  const { setAppBadge } = navigator;
  if (setAppBadge) void setAppBadge.call(navigator, count).catch(() => undefined);
}

function drawn(count: number): string {
  const text = count > 9 ? "9+" : String(count);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#0b5fc4"/><text x="16" y="23" font-family="sans-serif" font-size="20" font-weight="700" text-anchor="middle" fill="#fff">${text}</text></svg>`;
}

/** Held by every tab that is looked at, for as long as it is. */
const LOOKING = "ask-user-looking";
let release: (() => void) | undefined;

function looking(): void {
  if (!document.hasFocus()) {
    release?.();
    release = undefined;
  } else if (!release) {
    const held = new Promise<void>((done) => (release = done));
    void navigator.locks?.request(LOOKING, { mode: "shared" }, () => held);
  }
}

const told = new Map<string, Notification>();

async function tell(ask: Ask): Promise<void> {
  if (permission() !== "granted" || document.hasFocus() || get().day.muted) return;
  const locks = await navigator.locks?.query();
  if (locks?.held?.some(({ name }) => name === LOOKING)) return;
  try {
    const notice = new Notification(say("asks", { who: who(ask) }), { body: headline(ask), tag: ask.askId, icon: "/icon.svg" });
    notice.onclick = () => {
      focus();
      go(`/a/${ask.askId}`);
      arrive("main h1");
      notice.close();
    };
    told.set(ask.askId, notice);
  } catch {
    // Some browsers allow notifications to service workers alone; the hub has other ways.
  }
}

/** What was answered, or put aside, calls nobody any more. */
function withdraw(): void {
  for (const [id, notice] of told) {
    const ask = get().asks.get(id);
    if (ask && answerable(ask) && group(ask) !== "snoozed") continue;
    notice.close();
    told.delete(id);
  }
}

export function startNotices(): void {
  line.asked = (ask) => void tell(ask);
  for (const event of ["focus", "blur"]) addEventListener(event, looking);
  looking();
  watch(withdraw);
  watch(badge);
  watchRoute(badge);
  badge();
}
