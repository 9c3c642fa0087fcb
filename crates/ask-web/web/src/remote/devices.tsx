// Who is signed in, each with when it was last here, and the way to end that: devices that were let in, with what
// they may do, and browsers of this computer.
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { call } from "../lib/api.ts";
import { Ago, Dialog } from "../components/basics.tsx";
import { focusOn, get, now, set, toast } from "../state/store.ts";
import { clock } from "../lib/time.ts";
import { tried } from "../lib/with_toast.ts";
import type { Device } from "../lib/types.ts";
import { say } from "../lib/i18n.ts";

/** What is said of devices, and of browsers of this computer. */
const WORDS = {
  devices: { head: "pair-devices", end: "pair-revoke", says: "pair-revoke-says", ended: "pair-revoked" },
  browsers: { head: "sessions", end: "sign-out", says: "session-end-says", ended: "session-ended" },
} as const;

/** `own` is the id of the browser that shows this: it leaves in a way of its own. */
export function Devices({ of, are, own }: { of: Device[]; are: keyof typeof WORDS; own?: string | undefined }): JSX.Element {
  const [leaving, setLeaving] = useState<Device>();
  const words = WORDS[are];
  const head = `${are}-head`;
  const revoke = async ({ id, name }: Device) => {
    setLeaving(undefined);
    if (!(await tried(call("DELETE", `devices/${encodeURIComponent(id)}`)))) return;
    const { pairing } = get();
    if (pairing) set({ pairing: { ...pairing, [are]: pairing[are].filter((other) => other.id !== id) } });
    toast(say(words.ended, { name }));
    focusOn(head);
  };
  return (
    <section class="devices" aria-labelledby={head}>
      <h3 id={head} tabIndex={-1}>{say(words.head)}</h3>
      {!of.length && <p class="muted">{say("pair-no-devices")}</p>}
      <ul class="stack">
        {of.map((device) => (
          <li key={device.id} class="row wrap spread">
            <div>
              <p><b><bdi>{device.name}</bdi></b> {device.id === own ? <span class="badge">{say("session-this")}</span> : device.here && <span class="badge ok">{say("pair-here")}</span>}</p>
              <p class="muted small">{are === "devices" && <>{say(`pair-may-${device.scope}`)} · </>}{!device.here && <>{last(device)} · </>}{device.until ? say("pair-until", { at: clock(device.until, now()) }) : say("pair-until-revoked")}</p>
            </div>
            {device.id !== own && <button onClick={() => setLeaving(device)}>{say(words.end)}<span class="vh"> {device.name}</span></button>}
          </li>
        ))}
      </ul>
      {leaving && (
        <Dialog title={say(words.end)} onClose={() => setLeaving(undefined)}>
          <p>{say(words.says, { name: leaving.name })}</p>
          <div class="row end">
            <button onClick={() => setLeaving(undefined)}>{say("pair-keep")}</button>
            <button class="danger" onClick={() => void revoke(leaving)}>{say(words.end)}</button>
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
