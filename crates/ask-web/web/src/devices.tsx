// The devices that were let in, each with what it may do, when it was last here, and the way to end that.
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { call } from "./api.ts";
import { Ago, Dialog } from "./parts.tsx";
import { focusOn, get, now, set, toast } from "./store.ts";
import { clock } from "./time.ts";
import { tried } from "./tried.ts";
import type { Device } from "./types.ts";
import { say } from "./words.ts";

export function Devices({ of }: { of: Device[] }): JSX.Element {
  const [leaving, setLeaving] = useState<Device>();
  const revoke = async ({ id, name }: Device) => {
    setLeaving(undefined);
    if (!(await tried(call("DELETE", `devices/${encodeURIComponent(id)}`)))) return;
    const { pairing } = get();
    if (pairing) set({ pairing: { ...pairing, devices: pairing.devices.filter((other) => other.id !== id) } });
    toast(say("pair-revoked", { name }));
    focusOn("devices-head");
  };
  return (
    <section class="devices" aria-labelledby="devices-head">
      <h3 id="devices-head" tabIndex={-1}>{say("pair-devices")}</h3>
      {!of.length && <p class="muted">{say("pair-no-devices")}</p>}
      <ul class="stack">
        {of.map((device) => (
          <li key={device.id} class="row wrap spread">
            <div>
              <p><b><bdi>{device.name}</bdi></b> {device.here && <span class="badge ok">{say("pair-here")}</span>}</p>
              <p class="muted small">{say(`pair-may-${device.scope}`)} · {!device.here && <>{last(device)} · </>}{device.until ? say("pair-until", { at: clock(device.until, now()) }) : say("pair-until-revoked")}</p>
            </div>
            <button onClick={() => setLeaving(device)}>{say("pair-revoke")}<span class="vh"> {device.name}</span></button>
          </li>
        ))}
      </ul>
      {leaving && (
        <Dialog title={say("pair-revoke")} onClose={() => setLeaving(undefined)}>
          <p>{say("pair-revoke-says", { name: leaving.name })}</p>
          <div class="row end">
            <button onClick={() => setLeaving(undefined)}>{say("pair-keep")}</button>
            <button class="danger" onClick={() => void revoke(leaving)}>{say("pair-revoke")}</button>
          </div>
        </Dialog>
      )}
    </section>
  );
}

function last({ lastSeen, stranded }: Device): JSX.Element {
  if (stranded) return <b>{say("pair-stranded")}</b>;
  return lastSeen ? <Ago at={lastSeen} says="pair-last-seen" /> : <>{say("pair-never-seen")}</>;
}
