// Nobody is signed in: how one is, at the computer and on a device.
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { PairPage } from "../remote/pairing_dialog.tsx";
import { loadDrafts, loadSends } from "../state/browser_storage.ts";
import { atComputer, useStore } from "../state/store.ts";
import { say } from "../lib/i18n.ts";

export function SignedOut(): JSX.Element {
  const used = useStore((state) => state.usedLink);
  const [kept, put] = useState(false);
  useEffect(() => void Promise.all([loadDrafts(), loadSends()]).then((shelves) => put(shelves.some((shelf) => shelf?.length))), []);
  if (!atComputer) return <PairPage again />;
  return (
    <main class="signed-out" id="main" tabIndex={-1}>
      <img src="/icon.svg" alt="" width="56" height="56" />
      <h1 tabIndex={-1}>{say("signed-out")}</h1>
      <p>{say(used ? "used-link" : "signed-out-how")}</p>
      <pre><code>ask-user web</code></pre>
      <p class="muted">{say("signed-out-why")}</p>
      {kept && <p class="notice">{say("signed-out-kept")}</p>}
    </main>
  );
}

