// Links to what the hub has, for the person to save: it is brought by the page, whose requests prove who sends them.
import { bring } from "./api.ts";
import { tried } from "./with_toast.ts";

/** A file that was saved may be read for so long. */
const READ_MS = 60_000;

async function keep(path: string, name: string): Promise<void> {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(await bring(path));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), READ_MS);
}

/** What a link does, also when another tab is meant. */
export function save(path: string, name: string): { onClick: (event: MouseEvent) => void; onAuxClick: (event: MouseEvent) => void } {
  const onClick = (event: MouseEvent) => {
    if (event.button > 1) return;
    event.preventDefault();
    void tried(keep(path, name));
  };
  return { onClick, onAuxClick: onClick };
}
