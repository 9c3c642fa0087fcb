// Tells the hub whether the person is here, so that nobody is called who is looking already.
import { call } from "./api.ts";
import { permission } from "./permission.ts";
import { atComputer, get, onlySees } from "../state/store.ts";

const EVERY_MS = 10_000;
let input = false;

async function tell(): Promise<void> {
  // A device that only sees rings nobody and answers nothing.
  if (onlySees() || !(get().viewer || atComputer)) return;
  const focused = document.visibilityState === "visible" && document.hasFocus();
  if (!focused && !input && told === focused) return;
  told = focused;
  const body = { focused, input, rings: permission() === "granted" };
  input = false;
  await call("POST", "presence", body).catch(() => undefined);
}
let told: boolean | undefined;

export function present(): void {
  for (const event of ["keydown", "pointerdown"]) addEventListener(event, () => (input = true), { passive: true });
  for (const event of ["focus", "blur"]) addEventListener(event, () => void tell());
  setInterval(() => void tell(), EVERY_MS);
  void tell();
}
