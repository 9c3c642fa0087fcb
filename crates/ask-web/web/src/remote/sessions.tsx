// The signed-in browsers of this computer, and a button to end all sessions at once.
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { call } from "../lib/api.ts";
import { DeviceList } from "./devices.tsx";
import { Dialog } from "../components/basics.tsx";
import { useStore } from "../state/store.ts";
import { translate } from "../lib/i18n.ts";

export function Sessions({ onEndAll }: { onEndAll: () => void }): JSX.Element | null {
  const browsers = useStore((state) => state.pairing?.browsers);
  const [own, setOwn] = useState<string>();
  const [isEnding, setEnding] = useState(false);
  useEffect(() => {
    call<{ id?: string }>("GET", "session").then(({ id }) => setOwn(id), () => undefined);
  }, []);
  if (!browsers) return null;
  return (
    <>
      <DeviceList devices={browsers} kind="browsers" own={own} />
      <button onClick={() => setEnding(true)}>{translate("sign-out-all")}</button>
      {isEnding && (
        <Dialog title={translate("sign-out-all")} onClose={() => setEnding(false)}>
          <p>{translate("sign-out-all-says")}</p>
          <div class="row end">
            <button onClick={() => setEnding(false)}>{translate("back")}</button>
            <button class="danger" onClick={onEndAll}>{translate("sign-out-all")}</button>
          </div>
        </Dialog>
      )}
    </>
  );
}
