// Whether the window has room for two things side by side. Widths are as many letters, so that larger text counts.
import { useEffect, useState } from "preact/hooks";
import { turned } from "./click_guard.ts";

/** Whether the window is that wide, now and whenever it changes. */
export function useWide(query = "(min-width: 56.25em)"): boolean {
  const [wide, put] = useState(() => matchMedia(query).matches);
  useEffect(() => {
    const media = matchMedia(query);
    const look = () => {
      turned();
      put(media.matches);
    };
    media.addEventListener("change", look);
    return () => media.removeEventListener("change", look);
  }, [query]);
  return wide;
}
