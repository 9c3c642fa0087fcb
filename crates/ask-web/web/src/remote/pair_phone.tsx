// Letting phones in, in the settings of the computer: for how long, what they may do, the code to scan or
// to type, and which devices there are.
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { call } from "../lib/api.ts";
import { Devices } from "./devices.tsx";
import { copy } from "../components/basics.tsx";
import { Offers } from "../components/unencrypted.tsx";
import { now, useNow, useStore } from "../state/store.ts";
import { clock, left } from "../lib/time.ts";
import { tried } from "../lib/with_toast.ts";
import type { Invitation, Pairing, Qr, Scope } from "../lib/types.ts";
import { say } from "../lib/i18n.ts";

const HOUR_MS = 3_600_000;
const LENGTHS = [HOUR_MS, 12 * HOUR_MS, null];
const SCOPES = ["answer", "see"] as const;

export function Phones(): JSX.Element | null {
  const pairing = useStore((state) => state.pairing);
  const [picked, setLength] = useState<number>();
  const [scope, setScope] = useState<Scope>("answer");
  const [address, setAddress] = useState<string>();
  const [busy, setBusy] = useState(false);
  const [drawn, draw] = useState<{ url: string; svg: Qr }>();

  // How things stand is told by events alone: a reply that was long on its way is older than they are.
  const take = ({ invitation }: Pairing) => invitation?.svg && draw({ url: invitation.url, svg: invitation.svg });
  // Events bring no drawing.
  const link = pairing?.invitation?.url;
  useEffect(() => {
    if (link && link !== drawn?.url) void call<Pairing>("GET", "pairing").then(take, () => undefined);
  }, [link]);

  if (!pairing) return null;
  const length = picked ?? lengthOf(pairing);
  const invite = async () => {
    setBusy(true);
    const body = { ...(address ? { address } : {}), forMs: LENGTHS[length], scope };
    await tried(call<Pairing>("POST", "pairing", body).then(take));
    setBusy(false);
  };
  const { on, invitation, addresses } = pairing;
  const fresh = invitation && drawn?.url === invitation.url ? drawn.svg : undefined;
  return (
    <section class="panel phones" aria-labelledby="phones-head">
      <h2 id="phones-head" tabIndex={-1}>{say("pair-head")}</h2>
      <p>{say("pair-says")}</p>
      {on && (
        <div class="row wrap spread">
          <p role="status"><b>{pairing.until ? say("pair-on-until", { at: clock(pairing.until, now()) }) : say("pair-on")}</b> {pairing.url && <bdi>{pairing.url}</bdi>}</p>
          <button onClick={() => void tried(call("DELETE", "pairing"))}>{say("pair-stop")}</button>
        </div>
      )}
      {pairing.remark && <p class="warn">{pairing.remark}</p>}
      {on && invitation && <Invited of={invitation} svg={fresh} />}
      {on && !invitation && <p class="muted">{say("pair-used")}</p>}
      <details class="phones-how" open={!on}>
        <summary>{say("pair-how")}</summary>
        <div class="stack">
          {addresses.length > 1 && (
            <label class="field"><b>{say("pair-address")}</b>
              <select onChange={(event) => setAddress(event.currentTarget.value)}>
                <option value="">{say("pair-address-any")}</option>
                {addresses.map((one) => <option value={one.address} selected={one.address === address}>{one.address} ({one.name})</option>)}
              </select>
            </label>
          )}
          <Choices legend={say("pair-length")} name="pair-length" of={[say("pair-hours", { count: 1 }), say("pair-hours", { count: 12 }), say("pair-until-off")]} at={length} onPick={setLength} />
          <Choices legend={say("pair-scope")} name="pair-scope" of={SCOPES.map((one) => say(`pair-scope-${one}`))} at={SCOPES.indexOf(scope)} onPick={(at) => setScope(SCOPES[at] ?? "see")} />
          {!pairing.encrypted && (
            <div class="notice warn">
              <p><b>{say("pair-will-be-plain")}</b> {say("pair-plain-why")}</p>
              <Offers />
            </div>
          )}
        </div>
      </details>
      <button class={on ? "" : "primary"} aria-disabled={busy || undefined} onClick={() => void (busy || invite())}>{say(on ? "pair-new" : "pair-start")}</button>
      <Devices of={pairing.devices} are="devices" />
    </section>
  );
}

/** The length that comes nearest to what was chosen before. */
function lengthOf({ on, until }: Pairing): number {
  if (!on) return 1;
  return until ? Number(Date.parse(until) - now() > HOUR_MS) : 2;
}

/** A code in two halves, as it is read aloud. */
const halves = (code: string): string => code.replace(/^(\d{3})(\d{3})$/, "$1 $2");

type ChoicesProps = { legend: string; name: string; of: string[]; at: number; onPick: (at: number) => void };

function Choices({ legend, name, of, at, onPick }: ChoicesProps): JSX.Element {
  return (
    <fieldset>
      <legend><b>{legend}</b></legend>
      <div class="row wrap">
        {of.map((label, n) => <label class="check"><input type="radio" name={name} checked={n === at} onChange={() => onPick(n)} /> {label}</label>)}
      </div>
    </fieldset>
  );
}

/** What a phone is let in with: a picture to scan, the link in it, and six digits to type. */
function Invited({ of, svg }: { of: Invitation; svg: Qr | undefined }): JSX.Element {
  const ms = Date.parse(of.until) - useNow(1);
  if (ms <= 0) return <p class="muted">{say("pair-too-late")}</p>;
  const { origin } = new URL(of.url);
  return (
    <div class="invited">
      {svg && (
        <svg class="qr" role="img" aria-label={say("pair-qr", { at: origin })} viewBox={`0 0 ${svg.size} ${svg.size}`} shape-rendering="crispEdges">
          <path d={svg.path} />
        </svg>
      )}
      <div class="stack">
        <p>{say("pair-scan")}</p>
        <p><button onClick={() => void copy(of.url)}>{say("pair-copy")}</button></p>
        {of.code
          ? <><p>{say("pair-or-code", { at: `${origin}/pair` })}</p><p class="pair-code">{halves(of.code)}</p></>
          : <p class="warn">{say("pair-no-code")}</p>}
        <p class="muted"><span role="timer">{say("pair-left", { left: left(ms) })}</span></p>
      </div>
    </div>
  );
}
