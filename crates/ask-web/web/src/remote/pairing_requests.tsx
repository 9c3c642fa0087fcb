// The notice at the computer that a device asks to be paired. It is shown on every page, takes no focus and covers nothing
// that has it, so that no key meant for something else can answer it.
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Problem, call, errorText } from "../lib/api.ts";
import { getState, setState, toast, useStore } from "../state/store.ts";
import type { PairingRequest, Scope } from "../lib/types.ts";
import { translate } from "../lib/i18n.ts";

/** An earlier click was meant for what was shown there before. */
const SETTLED_MS = 700;

export function PairingRequests(): JSX.Element {
  const requests = useStore((state) => state.pairing?.requests ?? []);
  return <div class="pairing-requests">{requests.map((request) => <PairingRequestNotice key={request.id} request={request} />)}</div>;
}

function PairingRequestNotice({ request }: { request: PairingRequest }): JSX.Element {
  const [isSettled, setSettled] = useState(false);
  const isReadOnly = request.scope === "see";
  const text = translate(isReadOnly ? "pair-wants-see" : "pair-wants", { name: request.name, address: request.address });
  useEffect(() => {
    setState({ polite: `${text} ${translate("pair-shows", { number: request.number })}` });
    const timer = setTimeout(() => setSettled(true), SETTLED_MS);
    return () => clearTimeout(timer);
  }, []);
  const button = (scope: Scope | undefined) => ({ "aria-disabled": !isSettled || undefined, onClick: () => isSettled && void decide(request, scope) });
  const id = `pairing-request-${request.id}`;
  return (
    <section class="pairing-request" aria-labelledby={id}>
      <p id={id}><bdi>{text}</bdi></p>
      <p class="row"><span>{translate("pair-shows-this")}</span> <b class="pair-number">{request.number}</b></p>
      <div class="row end">
        <button {...button(undefined)}>{translate("pair-refuse")}</button>
        {!isReadOnly && <button {...button("see")}>{translate("pair-allow-see")}</button>}
        <button class="primary" {...button(request.scope)}>{translate("pair-allow")}</button>
      </div>
    </section>
  );
}

async function decide(request: PairingRequest, scope: Scope | undefined): Promise<void> {
  try {
    const body = scope ? { allow: true, scope } : { allow: false };
    await call("POST", `pairing/requests/${encodeURIComponent(request.id)}`, body);
    toast(translate(scope ? `pair-done-${scope}` : "pair-done-refused", { name: request.name }));
  } catch (error) {
    toast(translate("failed", { why: errorText(error) }));
    const { pairing } = getState();
    if (error instanceof Problem && error.status === 404 && pairing) {
      setState({ pairing: { ...pairing, requests: pairing.requests.filter((other) => other.id !== request.id) } });
    }
  }
}
