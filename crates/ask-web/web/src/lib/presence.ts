// Reports to the hub whether the person is at this page, so that it doesn't notify somebody who is looking already.
import { call } from "./api.ts";
import { permission } from "./permission.ts";
import { isLoopback, getState, isReadOnly } from "../state/store.ts";

const EVERY_MS = 10_000;
let hadInput = false;

async function reportPresence(): Promise<void> {
  // A read-only device shows no notifications and can't answer, so its presence doesn't matter.
  if (isReadOnly() || !(getState().viewer || isLoopback)) return;
  const focused = document.visibilityState === "visible" && document.hasFocus();
  if (!focused && !hadInput && reportedFocus === focused) return;
  reportedFocus = focused;
  const body = { focused, input: hadInput, rings: permission() === "granted" };
  hadInput = false;
  await call("POST", "presence", body).catch(() => undefined);
}
let reportedFocus: boolean | undefined;

export function startPresence(): void {
  for (const event of ["keydown", "pointerdown"]) addEventListener(event, () => (hadInput = true), { passive: true });
  for (const event of ["focus", "blur"]) addEventListener(event, () => void reportPresence());
  setInterval(() => void reportPresence(), EVERY_MS);
  void reportPresence();
}
