// The browsers of this computer that are signed in, and the way to end all sessions at once.
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { call } from "../lib/api.ts";
import { Devices } from "./devices.tsx";
import { Dialog } from "../components/basics.tsx";
import { useStore } from "../state/store.ts";
import { say } from "../lib/i18n.ts";

export function Sessions({ onEndAll }: { onEndAll: () => void }): JSX.Element | null {
  const browsers = useStore((state) => state.pairing?.browsers);
  const [own, put] = useState<string>();
  const [ending, end] = useState(false);
  useEffect(() => {
    call<{ id?: string }>("GET", "session").then(({ id }) => put(id), () => undefined);
  }, []);
  if (!browsers) return null;
  return (
    <>
      <Devices of={browsers} are="browsers" own={own} />
      <button onClick={() => end(true)}>{say("sign-out-all")}</button>
      {ending && (
        <Dialog title={say("sign-out-all")} onClose={() => end(false)}>
          <p>{say("sign-out-all-says")}</p>
          <div class="row end">
            <button onClick={() => end(false)}>{say("back")}</button>
            <button class="danger" onClick={onEndAll}>{say("sign-out-all")}</button>
          </div>
        </Dialog>
      )}
    </>
  );
}
