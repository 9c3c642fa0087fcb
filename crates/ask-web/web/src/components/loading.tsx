// What stands where the hub's word is waited for.
import type { JSX } from "preact";
import { useStore } from "../state/store.ts";
import { say } from "../lib/i18n.ts";

export function Looking(): JSX.Element {
  const away = useStore(({ link }) => link.kind === "pausing" || link.kind === "offline");
  return <p class="muted" role="status">{say(away ? "hub-away" : "looking")}</p>;
}
