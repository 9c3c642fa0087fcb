// More time where somebody types while it runs out.
import { act } from "../lib/api.ts";
import { now } from "./store.ts";
import type { Ask } from "../lib/types.ts";

const STEP_MS = 5 * 60_000;
const SOON_MS = 60_000;
/** Deadlines that were put off, or are being. */
const prolonged = new Set<string>();

/** Once for each deadline that comes while somebody types. */
export function prolong({ askId, deadlineAt, state }: Ask): void {
  const left = Date.parse(deadlineAt ?? "") - now();
  const of = `${askId} ${deadlineAt}`;
  if (!deadlineAt || state !== "waiting" || left > SOON_MS || left < 0 || prolonged.has(of)) return;
  prolonged.add(of);
  const asked = act(askId, "extend", { until: new Date(Date.parse(deadlineAt) + STEP_MS).toISOString() });
  // The next key tries again.
  asked.catch(() => prolonged.delete(of));
}
