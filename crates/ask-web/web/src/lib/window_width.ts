// Whether the window has room for two columns. Widths are in em, so that larger text counts.
import { useEffect, useState } from "preact/hooks";
import { noteResize } from "./click_guard.ts";

/** Whether the window is that wide. The component renders again when that changes. */
export function useWide(query = "(min-width: 56.25em)"): boolean {
  const [wide, setWide] = useState(() => matchMedia(query).matches);
  useEffect(() => {
    const media = matchMedia(query);
    const update = () => {
      noteResize();
      setWide(media.matches);
    };
    media.addEventListener("change", update);
    return () => media.removeEventListener("change", update);
  }, [query]);
  return wide;
}
