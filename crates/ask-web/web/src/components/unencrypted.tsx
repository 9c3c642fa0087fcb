// A connection that isn't encrypted: what it keeps a browser from doing, and the two ways to a better one.
import type { JSX } from "preact";
import { say } from "../lib/i18n.ts";

/** Words of ours with commands and names of settings between backticks. */
function Coded({ text }: { text: string }): JSX.Element {
  return <>{text.split("`").map((part, n) => (n % 2 ? <code>{part}</code> : part))}</>;
}

export function Offers(): JSX.Element {
  const port = location.port || "4127";
  return (
    <ul class="offers">
      <li><Coded text={say("pair-offer-https")} /></li>
      <li><Coded text={say("pair-offer-tunnel", { port })} /></li>
    </ul>
  );
}

/** In the settings of a device, in place of what can't work there. */
export function PlainPanel(): JSX.Element {
  return (
    <section class="panel">
      <h2>{say("pair-plain")}</h2>
      <p>{say("pair-plain-why")} {say("pair-plain-lost")}</p>
      <Offers />
    </section>
  );
}
