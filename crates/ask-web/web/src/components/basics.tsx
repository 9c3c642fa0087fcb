// Small parts that others are made of: dialogs, fields, who asks, what is left of the time.
import type { ComponentChildren, JSX } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { where, who } from "../state/asks.ts";
import { set, toast, useNow } from "../state/store.ts";
import { ago, left, moment } from "../lib/time.ts";
import type { Ask } from "../lib/types.ts";
import { useWide } from "../lib/window_width.ts";
import { say } from "../lib/i18n.ts";

/** A dialog over the page. Esc closes it and does nothing else. */
export function Dialog(props: { title: string; onClose: () => void; wide?: boolean; children: ComponentChildren }): JSX.Element {
  const ref = useRef<HTMLDialogElement>(null);
  // Before the next key: none is lost on the way.
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
        <button class="quiet" onClick={props.onClose}>{say("close")}</button>
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

/** A field of text. What comes from elsewhere is never written into it while it has the focus. */
export function Field(props: FieldProps): JSX.Element {
  const ref = useRef<HTMLTextAreaElement>(null);
  useLayoutEffect(() => {
    const field = ref.current;
    // Nobody types in an empty one.
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

/** How long ago something was, in words that say what. */
export function Ago({ at, says }: { at: string; says: "asked-ago" | "pair-last-seen" }): JSX.Element {
  const now = useNow(20);
  return <time dateTime={at} title={moment(at)}>{say(says, { time: ago(now - Date.parse(at)) })}</time>;
}

/** Deadlines whose last minute was said. */
const told = new Set<string>();

/** What is left until the agent stops waiting. Below one minute it is said once, at once. */
export function Countdown({ ask }: { ask: Ask }): JSX.Element | null {
  const now = useNow(1);
  const ms = ask.deadlineAt ? Date.parse(ask.deadlineAt) - now : Infinity;
  const soon = ms > 0 && ms < 60_000;
  useEffect(() => {
    const of = `${ask.askId} ${ask.deadlineAt}`;
    if (!soon || told.has(of)) return;
    told.add(of);
    set({ urgent: say("due-soon") });
  }, [soon, ask.deadlineAt]);
  if (!ask.deadlineAt || ask.state !== "waiting") return null;
  return <span class={soon ? "badge bad" : "badge"} role="timer">{ms > 0 ? say("due-in", { left: left(ms) }) : say("due-now")}</span>;
}

/** Who asks, and where. */
export function WhoAsks({ ask, version }: { ask: Ask; version?: string | undefined }): JSX.Element {
  const place = where(ask);
  return (
    <span class="who">
      <b><bdi>{who(ask)}</bdi></b>{version && <> <bdi>{version}</bdi></>}
      {place && <> · <bdi>{place}</bdi></>}
    </span>
  );
}

/** The same with all that is known. */
export function WhoAsksFully({ ask }: { ask: Ask }): JSX.Element {
  const { client, clientVersion, agent, directory } = ask.shown.asker;
  const wide = CHAT || useWide();
  return (
    <p class="muted who">
      <WhoAsks ask={ask} version={wide && client ? clientVersion : undefined} />
      {agent && agent !== client && client && <> · <bdi>{say("calls-itself", { agent })}</bdi></>}
      {wide && directory && <> · <bdi>{directory}</bdi></>}
    </p>
  );
}

/** Copies text, and says so. */
export async function copy(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    toast(say("copied"));
  } catch {
    toast(say("not-copied"));
  }
}
