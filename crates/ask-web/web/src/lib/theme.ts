// The looks that the person has chosen.
import { wishes } from "../state/store.ts";

/** Puts them onto the page. */
export function applyTheme(): void {
  document.documentElement.dataset.theme = wishes.get("theme") ?? "auto";
}
