// What the head says of devices: at the computer how many are let in, on one of them that others may read along.
import type { JSX } from "preact";
import { secure, useStore } from "../state/store.ts";
import { say } from "../lib/i18n.ts";

export function Chip(): JSX.Element | null {
  const pairing = useStore((state) => state.pairing);
  const plain = useStore(({ viewer }) => !secure || (viewer && !viewer.local && !viewer.encrypted));
  if (plain) {
    return <details class="menu plain"><summary><span class="badge bad">{say("pair-plain")}</span></summary><p class="stack small">{say("pair-plain-why")}</p></details>;
  }
  if (!pairing) return null;
  const count = pairing.devices.length;
  return <a class="button quiet" href="/settings"><span class="badge">{say(!pairing.on ? "pair-chip-off" : count ? "pair-chip-count" : "pair-chip-on", { count })}</span></a>;
}
