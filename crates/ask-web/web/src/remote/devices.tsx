// The paired devices with their permissions, or the signed-in browsers of this computer. Each has the time of its last
// visit and a button to end its session.
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { call } from "../lib/api.ts";
import { Ago, Dialog } from "../components/basics.tsx";
import { focusOn, getState, hubNow, setState, toast } from "../state/store.ts";
import { formatTime } from "../lib/time.ts";
import { withToast } from "../lib/with_toast.ts";
import type { Device } from "../lib/types.ts";
import { translate } from "../lib/i18n.ts";

/** The messages about devices, and about browsers of this computer. */
const MESSAGES = {
  devices: { head: "pair-devices", end: "pair-revoke", says: "pair-revoke-says", ended: "pair-revoked" },
  browsers: { head: "sessions", end: "sign-out", says: "session-end-says", ended: "session-ended" },
} as const;

/** `own` is the id of the browser that shows this. It has no button here: it signs out by its own. */
export function DeviceList({ devices, kind, own }: { devices: Device[]; kind: keyof typeof MESSAGES; own?: string | undefined }): JSX.Element {
  const [revoking, setRevoking] = useState<Device>();
  const messages = MESSAGES[kind];
  const head = `${kind}-head`;
  const revoke = async ({ id, name }: Device) => {
    setRevoking(undefined);
    if (!(await withToast(call("DELETE", `devices/${encodeURIComponent(id)}`)))) return;
    const { pairing } = getState();
    if (pairing) setState({ pairing: { ...pairing, [kind]: pairing[kind].filter((other) => other.id !== id) } });
    toast(translate(messages.ended, { name }));
    focusOn(head);
  };
  return (
    <section class="devices" aria-labelledby={head}>
      <h3 id={head} tabIndex={-1}>{translate(messages.head)}</h3>
      {!devices.length && <p class="muted">{translate("pair-no-devices")}</p>}
      <ul class="stack">
        {devices.map((device) => (
          <li key={device.id} class="row wrap spread">
            <div>
              <p><b><bdi>{device.name}</bdi></b> {device.id === own ? <span class="badge">{translate("session-this")}</span> : device.here && <span class="badge ok">{translate("pair-here")}</span>}</p>
              <p class="muted small">{kind === "devices" && <>{translate(`pair-may-${device.scope}`)} · </>}{!device.here && <>{lastSeenText(device)} · </>}{device.until ? translate("pair-until", { at: formatTime(device.until, hubNow()) }) : translate("pair-until-revoked")}</p>
            </div>
            {device.id !== own && <button onClick={() => setRevoking(device)}>{translate(messages.end)}<span class="vh"> {device.name}</span></button>}
          </li>
        ))}
      </ul>
      {revoking && (
        <Dialog title={translate(messages.end)} onClose={() => setRevoking(undefined)}>
          <p>{translate(messages.says, { name: revoking.name })}</p>
          <div class="row end">
            <button onClick={() => setRevoking(undefined)}>{translate("pair-keep")}</button>
            <button class="danger" onClick={() => void revoke(revoking)}>{translate(messages.end)}</button>
          </div>
        </Dialog>
      )}
    </section>
  );
}

function lastSeenText({ lastSeen, stranded }: Device): JSX.Element {
  if (stranded) return <b>{translate("pair-stranded")}</b>;
  return lastSeen ? <Ago at={lastSeen} says="pair-last-seen" /> : <>{translate("pair-never-seen")}</>;
}
