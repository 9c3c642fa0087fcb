// What stands where the hub's word is waited for.
import type { JSX } from "preact";
import { useStore } from "./store.ts";
import { say } from "./words.ts";

export function Looking(): JSX.Element {
  const away = useStore(({ link }) => link.kind === "pausing" || link.kind === "offline");
  return <p class="muted" role="status">{say(away ? "hub-away" : "looking")}</p>;
}
