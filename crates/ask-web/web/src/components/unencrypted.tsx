// What an unencrypted connection prevents, and the two ways to encrypt it.
import type { JSX } from "preact";
import { translate } from "../lib/i18n.ts";

/** A message with commands and names of settings between backticks. */
function WithCode({ text }: { text: string }): JSX.Element {
  return <>{text.split("`").map((part, n) => (n % 2 ? <code>{part}</code> : part))}</>;
}

export function EncryptionOptions(): JSX.Element {
  const port = location.port || "4127";
  return (
    <ul class="offers">
      <li><WithCode text={translate("pair-offer-https")} /></li>
      <li><WithCode text={translate("pair-offer-tunnel", { port })} /></li>
    </ul>
  );
}

/** The panel in a device's settings that replaces what can't work over an unencrypted connection. */
export function UnencryptedPanel(): JSX.Element {
  return (
    <section class="panel">
      <h2>{translate("pair-plain")}</h2>
      <p>{translate("pair-plain-why")} {translate("pair-plain-lost")}</p>
      <EncryptionOptions />
    </section>
  );
}
