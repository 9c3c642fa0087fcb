// The page of a browser that isn't signed in: how to sign in at the computer, or to pair a device.
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { PairPage } from "../remote/pairing_dialog.tsx";
import { loadDrafts, loadSends } from "../state/browser_storage.ts";
import { isLoopback, useStore } from "../state/store.ts";
import { translate } from "../lib/i18n.ts";

export function SignedOut(): JSX.Element {
  const badLink = useStore((state) => state.badLink);
  const linkText = badLink === "not-allowed" ? "agents-link" : "used-link";
  const [hasUnsent, setUnsent] = useState(false);
  useEffect(() => void Promise.all([loadDrafts(), loadSends()]).then((stored) => setUnsent(stored.some((records) => records?.length))), []);
  if (!isLoopback) return <PairPage replacesPage />;
  return (
    <main class="signed-out" id="main" tabIndex={-1}>
      <img src="/icon.svg" alt="" width="56" height="56" />
      <h1 tabIndex={-1}>{translate("signed-out")}</h1>
      <p>{translate(badLink === undefined ? "signed-out-how" : linkText)}</p>
      <pre><code>ask-user web</code></pre>
      <p class="muted">{translate("signed-out-why")}</p>
      {hasUnsent && <p class="notice">{translate("signed-out-kept")}</p>}
    </main>
  );
}

