// Whether this page may show notifications, and the one place where it asks for that.
import { isSecure } from "../state/store.ts";

export type Permission = NotificationPermission | "none";

export function permission(): Permission {
  return "Notification" in window && isSecure ? Notification.permission : "none";
}

/** Only a button calls this: browsers want a click for it. */
export async function requestPermission(): Promise<Permission> {
  return permission() === "none" ? "none" : Notification.requestPermission();
}
