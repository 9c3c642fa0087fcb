// The theme that the person has chosen.
import { preferences } from "../state/store.ts";

export function applyTheme(): void {
  document.documentElement.dataset.theme = preferences.get("theme") ?? "auto";
}
