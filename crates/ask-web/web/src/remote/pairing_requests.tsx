// A device wants to be let in: the question at the computer, on every part of the page. It takes no focus
// and covers nothing that has it, so no key that was meant for something else can answer it.
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Problem, call, why } from "../lib/api.ts";
import { get, set, toast, useStore } from "../state/store.ts";
import type { Knock, Scope } from "../lib/types.ts";
import { say } from "../lib/i18n.ts";

/** A click that comes sooner was on its way to what stood there before. */
const SETTLED_MS = 700;

export function Knocks(): JSX.Element {
  const requests = useStore((state) => state.pairing?.requests ?? []);
  return <div class="knocks">{requests.map((of) => <KnockNotice key={of.id} of={of} />)}</div>;
}

function KnockNotice({ of }: { of: Knock }): JSX.Element {
  const [settled, settle] = useState(false);
  const sees = of.scope === "see";
  const text = say(sees ? "pair-wants-see" : "pair-wants", { name: of.name, address: of.address });
  useEffect(() => {
    set({ polite: `${text} ${say("pair-shows", { number: of.number })}` });
    const timer = setTimeout(() => settle(true), SETTLED_MS);
    return () => clearTimeout(timer);
  }, []);
  const on = (scope: Scope | undefined) => ({ "aria-disabled": !settled || undefined, onClick: () => settled && void decide(of, scope) });
  const id = `knock-${of.id}`;
  return (
    <section class="knock" aria-labelledby={id}>
      <p id={id}><bdi>{text}</bdi></p>
      <p class="row"><span>{say("pair-shows-this")}</span> <b class="pair-number">{of.number}</b></p>
      <div class="row end">
        <button {...on(undefined)}>{say("pair-refuse")}</button>
        {!sees && <button {...on("see")}>{say("pair-allow-see")}</button>}
        <button class="primary" {...on(of.scope)}>{say("pair-allow")}</button>
      </div>
    </section>
  );
}

async function decide(of: Knock, scope: Scope | undefined): Promise<void> {
  try {
    const body = scope ? { allow: true, scope } : { allow: false };
    await call("POST", `pairing/requests/${encodeURIComponent(of.id)}`, body);
    toast(say(scope ? `pair-done-${scope}` : "pair-done-refused", { name: of.name }));
  } catch (error) {
    toast(say("failed", { why: why(error) }));
    const { pairing } = get();
    if (error instanceof Problem && error.status === 404 && pairing) {
      set({ pairing: { ...pairing, requests: pairing.requests.filter((other) => other.id !== of.id) } });
    }
  }
}
