// The text that is shown while the page waits for the hub.
import type { JSX } from "preact";
import { useStore } from "../state/store.ts";
import { translate } from "../lib/i18n.ts";

export function Loading(): JSX.Element {
  const isAway = useStore(({ connection }) => connection.kind === "pausing" || connection.kind === "offline");
  return <p class="muted" role="status">{translate(isAway ? "hub-away" : "looking")}</p>;
}
