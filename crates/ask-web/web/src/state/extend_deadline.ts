// Extends a deadline while somebody types.
import { postAction } from "../lib/api.ts";
import { hubNow } from "./store.ts";
import type { Ask } from "../lib/types.ts";

const STEP_MS = 5 * 60_000;
const SOON_MS = 60_000;
/** Deadlines that were extended, or whose extension is under way. */
const extended = new Set<string>();

/** Extends a deadline of less than a minute, once for each deadline. */
export function extendIfSoon({ askId, deadlineAt, state }: Ask): void {
  const left = Date.parse(deadlineAt ?? "") - hubNow();
  const key = `${askId} ${deadlineAt}`;
  if (!deadlineAt || state !== "waiting" || left > SOON_MS || left < 0 || extended.has(key)) return;
  extended.add(key);
  const request = postAction(askId, "extend", { until: new Date(Date.parse(deadlineAt) + STEP_MS).toISOString() });
  // The next key tries again.
  request.catch(() => extended.delete(key));
}
