// How a page in the background shows that an agent waits: by its title, its icon, and notifications that the person turned
// on.
import { isAnswerable, groupOf, headline, waitingCount, askerName } from "./asks.ts";
import { focusWhenShown } from "../lib/focus.ts";
import { permission } from "../lib/permission.ts";
import { navigate, currentRoute, watchRoute } from "../lib/router.ts";
import { getState, callbacks, subscribe } from "./store.ts";
import type { Ask } from "../lib/types.ts";
import { translate } from "../lib/i18n.ts";

let shownCount = -1;

/** The part of the window's title that names what is shown. */
function titleOfPage(): string {
  const { name, id } = currentRoute();
  const ask = getState().asks.get(id);
  if ((name === "ask" || name === "history-ask") && ask) return `${headline(ask)} · `;
  const parts = { inbox: "", ask: "", "history-ask": translate("history"), history: translate("history"), stats: translate("stats"), settings: translate("settings"), pair: translate("pair-title") };
  return parts[name] && `${parts[name]} · `;
}

/** Shows the number of waiting asks in the title and on the icon. */
function updateBadge(): void {
  const { asks, signedOut } = getState();
  const count = signedOut ? 0 : waitingCount(asks);
  const title = `${count ? `(${count}) ` : ""}${signedOut ? "" : titleOfPage()}${translate("brand")}`;
  if (document.title !== title) document.title = title;
  if (count === shownCount) return;
  shownCount = count;
  const icon = document.querySelector<HTMLLinkElement>("link[rel=icon]");
  if (icon) icon.href = count ? `data:image/svg+xml,${encodeURIComponent(drawIcon(count))}` : "/icon.svg";
  const { setAppBadge } = navigator;
  if (setAppBadge) void setAppBadge.call(navigator, count).catch(() => undefined);
}

function drawIcon(count: number): string {
  const text = count > 9 ? "9+" : String(count);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#0b5fc4"/><text x="16" y="23" font-family="sans-serif" font-size="20" font-weight="700" text-anchor="middle" fill="#fff">${text}</text></svg>`;
}

/** The lock that every focused tab holds, so that tabs in the background know of it. */
const FOCUS_LOCK = "ask-user-looking";
let release: (() => void) | undefined;

function holdFocusLock(): void {
  if (!document.hasFocus()) {
    release?.();
    release = undefined;
  } else if (!release) {
    const held = new Promise<void>((done) => (release = done));
    void navigator.locks?.request(FOCUS_LOCK, { mode: "shared" }, () => held);
  }
}

const notifications = new Map<string, Notification>();

async function notify(ask: Ask): Promise<void> {
  if (permission() !== "granted" || document.hasFocus() || getState().day.muted) return;
  const locks = await navigator.locks?.query();
  if (locks?.held?.some(({ name }) => name === FOCUS_LOCK)) return;
  try {
    const notification = new Notification(translate("asks", { who: askerName(ask) }), { body: headline(ask), tag: ask.askId, icon: "/icon.svg" });
    notification.onclick = () => {
      focus();
      navigate(`/a/${ask.askId}`);
      focusWhenShown("main h1");
      notification.close();
    };
    notifications.set(ask.askId, notification);
  } catch {
    // Some browsers allow notifications only from service workers. The hub has other channels.
  }
}

/** Closes the notifications of asks that were answered or snoozed. */
function closeOutdated(): void {
  for (const [id, notification] of notifications) {
    const ask = getState().asks.get(id);
    if (ask && isAnswerable(ask) && groupOf(ask) !== "snoozed") continue;
    notification.close();
    notifications.delete(id);
  }
}

export function startNotifications(): void {
  callbacks.askCreated = (ask) => void notify(ask);
  for (const event of ["focus", "blur"]) addEventListener(event, holdFocusLock);
  holdFocusLock();
  subscribe(closeOutdated);
  subscribe(updateBadge);
  watchRoute(updateBadge);
  updateBadge();
}
