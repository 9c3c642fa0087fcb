// Links by which the person downloads files of the hub. The page fetches them, because only its requests carry a proof.
import { fetchFile } from "./api.ts";
import { withToast } from "./with_toast.ts";

/** How long a browser may read a file that it saves. */
const REVOKE_AFTER_MS = 60_000;

async function download(path: string, name: string): Promise<void> {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(await fetchFile(path));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), REVOKE_AFTER_MS);
}

/** The handlers of a download link, also for the middle button, which means another tab. */
export function downloadHandlers(path: string, name: string): { onClick: (event: MouseEvent) => void; onAuxClick: (event: MouseEvent) => void } {
  const onClick = (event: MouseEvent) => {
    if (event.button > 1) return;
    event.preventDefault();
    void withToast(download(path, name));
  };
  return { onClick, onAuxClick: onClick };
}
