// The page head's note about devices: the number of paired ones at the computer; a warning about an unencrypted
// connection on a device.
import type { JSX } from "preact";
import { isSecure, useStore } from "../state/store.ts";
import { translate } from "../lib/i18n.ts";

export function DevicesChip(): JSX.Element | null {
  const pairing = useStore((state) => state.pairing);
  const isUnencrypted = useStore(({ viewer }) => !isSecure || (viewer && !viewer.local && !viewer.encrypted));
  if (isUnencrypted) {
    return <details class="menu unencrypted"><summary><span class="badge bad">{translate("pair-plain")}</span></summary><p class="stack small">{translate("pair-plain-why")}</p></details>;
  }
  if (!pairing) return null;
  const count = pairing.devices.length;
  return <a class="button quiet" href="/settings"><span class="badge">{translate(!pairing.on ? "pair-chip-off" : count ? "pair-chip-count" : "pair-chip-on", { count })}</span></a>;
}
