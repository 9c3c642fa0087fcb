// A part of the page that is loaded when it is first shown.
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { translate } from "../lib/i18n.ts";

/** How long to wait before a failed load is tried again. */
const RETRY_MS = 2000;
const loaded = new Map<unknown, unknown>();

/** Loads the stylesheet of a part. The part is shown without it if it can't be loaded. */
export function loadStylesheet(file: string): Promise<unknown> {
  const link = document.createElement("link");
  link.rel = "stylesheet";
  link.href = `/assets/${file}`;
  document.head.append(link);
  return new Promise((done) => (link.onload = link.onerror = done));
}

type Props<T> = { load: () => Promise<T>; show: (part: T) => JSX.Element; silent?: boolean };

/** `silent` shows nothing until the part is loaded. */
export function Lazy<T>({ load, show, silent }: Props<T>): JSX.Element {
  const [tries, setTries] = useState(0);
  const [hasFailed, setFailed] = useState(false);
  const part = loaded.get(load) as T | undefined;
  useEffect(() => {
    if (part) return;
    let timer: ReturnType<typeof setTimeout>;
    const retry = () => setTries((n) => n + 1);
    load().then((module) => (loaded.set(load, module), retry()), () => (setFailed(true), (timer = setTimeout(retry, RETRY_MS))));
    return () => clearTimeout(timer);
  }, [load, tries]);
  if (part) return show(part);
  if (silent) return <></>;
  // Some browsers never request a failed module again, so a reload is offered.
  return <p class="muted card" role="status">{translate(hasFailed ? "no-connection" : "looking")} {hasFailed && <button onClick={() => location.reload()}>{translate("load-again")}</button>}</p>;
}
