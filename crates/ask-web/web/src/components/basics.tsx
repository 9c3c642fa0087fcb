// Small components that others use: dialogs, fields, who asks, the time left.
import type { ComponentChildren, JSX } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { projectAndBranch, askerName } from "../state/asks.ts";
import { setState, toast, useNow } from "../state/store.ts";
import { formatAgo, formatCountdown, formatDateTime } from "../lib/time.ts";
import type { Ask } from "../lib/types.ts";
import { useWide } from "../lib/window_width.ts";
import { translate } from "../lib/i18n.ts";

/** A dialog over the page. Esc closes it and does nothing else. */
export function Dialog(props: { title: string; onClose: () => void; wide?: boolean; children: ComponentChildren }): JSX.Element {
  const ref = useRef<HTMLDialogElement>(null);
  // A layout effect runs before the next key, so that no key is lost.
  useLayoutEffect(() => {
    const dialog = ref.current;
    dialog?.showModal();
    dialog?.querySelector<HTMLElement>("textarea")?.focus();
    return () => dialog?.close();
  }, []);
  return (
    <dialog ref={ref} class={props.wide ? "wide" : ""} aria-labelledby="dialog-title" onCancel={props.onClose} onClose={props.onClose}>
      <header class="row spread">
        <h2 id="dialog-title">{props.title}</h2>
        <button class="quiet" onClick={props.onClose}>{translate("close")}</button>
      </header>
      {props.children}
    </dialog>
  );
}

type FieldProps = {
  id: string;
  label: string;
  value: string;
  onInput: (value: string) => void;
  onFocus?: (() => void) | undefined;
  onBlur?: (() => void) | undefined;
  hideLabel?: boolean;
  placeholder?: string | undefined;
  describedBy?: string | undefined;
  invalid?: boolean | undefined;
  rows?: number;
};

/** A text field. Text from elsewhere is never written into it while it has the focus. */
export function Field(props: FieldProps): JSX.Element {
  const ref = useRef<HTMLTextAreaElement>(null);
  useLayoutEffect(() => {
    const field = ref.current;
    // An empty field can be filled even if it has the focus.
    if (field && field.value !== props.value && (document.activeElement !== field || (!CHAT && !field.value))) field.value = props.value;
  }, [props.value]);
  return (
    <div class="field">
      <label for={props.id} class={props.hideLabel ? "vh" : ""}>{props.label}</label>
      <textarea
        ref={ref}
        id={props.id}
        rows={props.rows ?? 1}
        defaultValue={props.value}
        placeholder={props.placeholder}
        aria-describedby={props.describedBy}
        aria-invalid={props.invalid || undefined}
        autocomplete="off"
        onInput={(event) => props.onInput(event.currentTarget.value)}
        onFocus={props.onFocus}
        onBlur={props.onBlur}
      />
    </div>
  );
}

/** How long ago something was, in a sentence that names it. */
export function Ago({ at, says }: { at: string; says: "asked-ago" | "earlier-answer" | "pair-last-seen" }): JSX.Element {
  const now = useNow(20);
  return <time dateTime={at} title={formatDateTime(at)}>{translate(says, { time: formatAgo(now - Date.parse(at)) })}</time>;
}

/** Deadlines whose last minute was announced. */
const announced = new Set<string>();

/** The time left until the agent stops waiting. The last minute is announced once to screen readers. */
export function Countdown({ ask }: { ask: Ask }): JSX.Element | null {
  const now = useNow(1);
  const ms = ask.deadlineAt ? Date.parse(ask.deadlineAt) - now : Infinity;
  const soon = ms > 0 && ms < 60_000;
  useEffect(() => {
    const key = `${ask.askId} ${ask.deadlineAt}`;
    if (!soon || announced.has(key)) return;
    announced.add(key);
    setState({ urgent: translate("due-soon") });
  }, [soon, ask.deadlineAt]);
  if (!ask.deadlineAt || ask.state !== "waiting") return null;
  return <span class={soon ? "badge bad" : "badge"} role="timer">{ms > 0 ? translate("due-in", { left: formatCountdown(ms) }) : translate("due-now")}</span>;
}

/** Who asks, and where. */
export function WhoAsks({ ask, version }: { ask: Ask; version?: string | undefined }): JSX.Element {
  const place = projectAndBranch(ask);
  return (
    <span class="who">
      <b><bdi>{askerName(ask)}</bdi></b>{version && <> <bdi>{version}</bdi></>}
      {place && <> · <bdi>{place}</bdi></>}
    </span>
  );
}

/** Who asks, with version, directory and the agent's own name. */
export function WhoAsksFully({ ask }: { ask: Ask }): JSX.Element {
  const { client, clientVersion, agent, directory } = ask.shown.asker;
  const wide = CHAT || useWide();
  return (
    <p class="muted who">
      <WhoAsks ask={ask} version={wide && client ? clientVersion : undefined} />
      {agent && agent !== client && client && <> · <bdi>{translate("calls-itself", { agent })}</bdi></>}
      {wide && directory && <> · <bdi>{directory}</bdi></>}
    </p>
  );
}

/** Copies text, and shows a toast about it. */
export async function copyText(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    toast(translate("copied"));
  } catch {
    toast(translate("not-copied"));
  }
}
