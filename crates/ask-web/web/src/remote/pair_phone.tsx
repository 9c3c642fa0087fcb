// Pairing phones, in the settings of the computer: for how long, with which permission, the code to scan or to type, and
// the list of paired devices.
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { call } from "../lib/api.ts";
import { DeviceList } from "./devices.tsx";
import { copyText } from "../components/basics.tsx";
import { EncryptionOptions } from "../components/unencrypted.tsx";
import { hubNow, useNow, useStore } from "../state/store.ts";
import { formatTime, formatCountdown } from "../lib/time.ts";
import { withToast } from "../lib/with_toast.ts";
import type { Invitation, Pairing, Qr, Scope } from "../lib/types.ts";
import { translate } from "../lib/i18n.ts";

const HOUR_MS = 3_600_000;
const DURATIONS = [HOUR_MS, 12 * HOUR_MS, null];
const SCOPES = ["answer", "see"] as const;

export function PairPhone(): JSX.Element | null {
  const pairing = useStore((state) => state.pairing);
  const [picked, setDuration] = useState<number>();
  const [scope, setScope] = useState<Scope>("answer");
  const [address, setAddress] = useState<string>();
  const [busy, setBusy] = useState(false);
  const [drawing, setDrawing] = useState<{ url: string; svg: Qr }>();

  // Only events change the state of pairing, because a delayed reply may be older than they are.
  const keepDrawing = ({ invitation }: Pairing) => invitation?.svg && setDrawing({ url: invitation.url, svg: invitation.svg });
  // Events don't contain the QR code.
  const link = pairing?.invitation?.url;
  useEffect(() => {
    if (link && link !== drawing?.url) void call<Pairing>("GET", "pairing").then(keepDrawing, () => undefined);
  }, [link]);

  if (!pairing) return null;
  const duration = picked ?? durationOf(pairing);
  const invite = async () => {
    setBusy(true);
    const body = { ...(address ? { address } : {}), forMs: DURATIONS[duration], scope };
    await withToast(call<Pairing>("POST", "pairing", body).then(keepDrawing));
    setBusy(false);
  };
  const { on, invitation, addresses } = pairing;
  const svg = invitation && drawing?.url === invitation.url ? drawing.svg : undefined;
  return (
    <section class="panel phones" aria-labelledby="phones-head">
      <h2 id="phones-head" tabIndex={-1}>{translate("pair-head")}</h2>
      <p>{translate("pair-says")}</p>
      {on && (
        <div class="row wrap spread">
          <p role="status"><b>{pairing.until ? translate("pair-on-until", { at: formatTime(pairing.until, hubNow()) }) : translate("pair-on")}</b> {pairing.url && <bdi>{pairing.url}</bdi>}</p>
          <button onClick={() => void withToast(call("DELETE", "pairing"))}>{translate("pair-stop")}</button>
        </div>
      )}
      {pairing.remark && <p class="warn">{pairing.remark}</p>}
      {on && invitation && <InvitationView invitation={invitation} svg={svg} />}
      {on && !invitation && <p class="muted">{translate("pair-used")}</p>}
      <details class="phones-how" open={!on}>
        <summary>{translate("pair-how")}</summary>
        <div class="stack">
          {addresses.length > 1 && (
            <label class="field"><b>{translate("pair-address")}</b>
              <select onChange={(event) => setAddress(event.currentTarget.value)}>
                <option value="">{translate("pair-address-any")}</option>
                {addresses.map((one) => <option value={one.address} selected={one.address === address}>{one.address} ({one.name})</option>)}
              </select>
            </label>
          )}
          <Choices legend={translate("pair-length")} name="pair-length" labels={[translate("pair-hours", { count: 1 }), translate("pair-hours", { count: 12 }), translate("pair-until-off")]} at={duration} onPick={setDuration} />
          <Choices legend={translate("pair-scope")} name="pair-scope" labels={SCOPES.map((one) => translate(`pair-scope-${one}`))} at={SCOPES.indexOf(scope)} onPick={(at) => setScope(SCOPES[at] ?? "see")} />
          {!pairing.encrypted && (
            <div class="notice warn">
              <p><b>{translate("pair-will-be-plain")}</b> {translate("pair-plain-why")}</p>
              <EncryptionOptions />
            </div>
          )}
        </div>
      </details>
      <button class={on ? "" : "primary"} aria-disabled={busy || undefined} onClick={() => void (busy || invite())}>{translate(on ? "pair-new" : "pair-start")}</button>
      <DeviceList devices={pairing.devices} kind="devices" />
    </section>
  );
}

/** The index of the duration nearest to the one that was chosen before. */
function durationOf({ on, until }: Pairing): number {
  if (!on) return 1;
  return until ? Number(Date.parse(until) - hubNow() > HOUR_MS) : 2;
}

/** A code in two halves, which are easier to read. */
const spaced = (code: string): string => code.replace(/^(\d{3})(\d{3})$/, "$1 $2");

type ChoicesProps = { legend: string; name: string; labels: string[]; at: number; onPick: (at: number) => void };

function Choices({ legend, name, labels, at, onPick }: ChoicesProps): JSX.Element {
  return (
    <fieldset>
      <legend><b>{legend}</b></legend>
      <div class="row wrap">
        {labels.map((label, n) => <label class="check"><input type="radio" name={name} checked={n === at} onChange={() => onPick(n)} /> {label}</label>)}
      </div>
    </fieldset>
  );
}

/** An invitation for a phone: a QR code to scan, its link, and six digits to type. */
function InvitationView({ invitation, svg }: { invitation: Invitation; svg: Qr | undefined }): JSX.Element {
  const ms = Date.parse(invitation.until) - useNow(1);
  if (ms <= 0) return <p class="muted">{translate("pair-too-late")}</p>;
  const { origin } = new URL(invitation.url);
  return (
    <div class="invitation">
      {svg && (
        <svg class="qr" role="img" aria-label={translate("pair-qr", { at: origin })} viewBox={`0 0 ${svg.size} ${svg.size}`} shape-rendering="crispEdges">
          <path d={svg.path} />
        </svg>
      )}
      <div class="stack">
        <p>{translate("pair-scan")}</p>
        <p><button onClick={() => void copyText(invitation.url)}>{translate("pair-copy")}</button></p>
        {invitation.code
          ? <><p>{translate("pair-or-code", { at: `${origin}/pair` })}</p><p class="pair-code">{spaced(invitation.code)}</p></>
          : <p class="warn">{translate("pair-no-code")}</p>}
        <p class="muted"><span role="timer">{translate("pair-left", { left: formatCountdown(ms) })}</span></p>
      </div>
    </div>
  );
}
