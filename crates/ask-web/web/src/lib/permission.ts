// Whether this page may notify, and the one place where it asks for that.
import { secure } from "../state/store.ts";

export type Permission = NotificationPermission | "none";

export function permission(): Permission {
  return "Notification" in window && secure ? Notification.permission : "none";
}

/** Asked for by a button alone. */
export async function wantNotices(): Promise<Permission> {
  return permission() === "none" ? "none" : Notification.requestPermission();
}
