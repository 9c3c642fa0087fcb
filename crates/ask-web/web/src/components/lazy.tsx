// A part of the page that is brought when it is first shown.
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { say } from "../lib/i18n.ts";

/** After so long, what did not come is tried again. */
const AGAIN_MS = 2000;
const brought = new Map<unknown, unknown>();

/** Brings the looks that belong to a part; it is shown with them, or without, if they don't come. */
export function looks(file: string): Promise<unknown> {
  const link = document.createElement("link");
  link.rel = "stylesheet";
  link.href = `/assets/${file}`;
  document.head.append(link);
  return new Promise((done) => (link.onload = link.onerror = done));
}

type Props<T> = { of: () => Promise<T>; show: (part: T) => JSX.Element; silent?: boolean };

/** `silent` shows nothing until the part is there. */
export function Part<T>({ of, show, silent }: Props<T>): JSX.Element {
  const [tries, again] = useState(0);
  const [lost, lose] = useState(false);
  const part = brought.get(of) as T | undefined;
  useEffect(() => {
    if (part) return;
    let timer: ReturnType<typeof setTimeout>;
    const more = () => again((n) => n + 1);
    of().then((found) => (brought.set(of, found), more()), () => (lose(true), (timer = setTimeout(more, AGAIN_MS))));
    return () => clearTimeout(timer);
  }, [of, tries]);
  if (part) return show(part);
  if (silent) return <></>;
  // Some browsers never ask again for a script that didn't come.
  return <p class="muted card" role="status">{say(lost ? "no-connection" : "looking")} {lost && <button onClick={() => location.reload()}>{say("load-again")}</button>}</p>;
}
