// The actions on an ask besides answering it, each in a dialog that says what will happen.
import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { Problem, postAction, errorText } from "../lib/api.ts";
import { askerName } from "../state/asks.ts";
import type { AskForm } from "../state/ask_form.ts";
import { storeRest } from "../state/draft_persistence.ts";
import { receive, save } from "../state/draft_sync.ts";
import { flushQueue, unqueueSend } from "../state/send_queue.ts";
import { isTouched } from "../state/form.ts";
import { Dialog, Field } from "./basics.tsx";
import { hubNow, toast } from "../state/store.ts";
import { formatTime, nextTimeOfDay, tomorrowMorning } from "../lib/time.ts";
import { translate } from "../lib/i18n.ts";

export type CardDialog = "ask-back" | "decline" | "snooze";
const STEP_MS = 5 * 60_000;

/**
 * Performs an action and shows a toast about it. `fail` shows a failure where a dialog would cover the toast. If the ask was
 * closed elsewhere meanwhile, its card shows that.
 */
export async function perform(form: AskForm, action: string, body: unknown, done: string, fail: (text: string) => unknown = toast): Promise<boolean> {
  try {
    const { record } = (await postAction(form.ask.askId, action, body)) ?? {};
    if (record) receive(form, record);
    toast(done);
    return true;
  } catch (error) {
    if (error instanceof Problem && error.record) receive(form, error.record);
    else fail(translate("failed", { why: errorText(error) }));
    return false;
  }
}

/** Extends the deadline by five minutes. */
export function extend(form: AskForm): Promise<boolean> {
  const until = new Date(Math.max(hubNow(), Date.parse(form.ask.deadlineAt ?? "")) + STEP_MS).toISOString();
  return perform(form, "extend", { until }, translate("more-time-done", { at: formatTime(until, hubNow()) }));
}

type Props = { form: AskForm; onClose: () => void };

export function AskDialog({ form, kind, onClose }: Props & { kind: CardDialog }): JSX.Element {
  if (!CHAT && kind === "snooze") return <SnoozeDialog form={form} onClose={onClose} />;
  return <TextDialog form={form} onClose={onClose} isAskBack={kind === "ask-back"} />;
}

/** The dialog to ask back or to decline. */
function TextDialog({ form, onClose, isAskBack }: Props & { isAskBack: boolean }): JSX.Element {
  const kind = isAskBack ? "ask-back" : "decline";
  const [text, setText] = useState(form.dialogTexts[kind]);
  const type = (typed: string) => {
    form.dialogTexts[kind] = typed;
    setText(typed);
    form.storesExtraText = true;
    form.changed();
  };
  const [busy, setBusy] = useState(false);
  const [mistake, setMistake] = useState("");
  const name = askerName(form.ask);
  // A queued answer isn't sent while this dialog is open.
  useEffect(() => {
    form.isDialogOpen = true;
    if (!CHAT) void form.restored.then(() => setText((typed) => typed || form.dialogTexts[kind]));
    return () => {
      form.isDialogOpen = false;
      CHAT || void flushQueue();
    };
  }, []);
  const send = async () => {
    if (isAskBack && !text.trim()) return setMistake(translate("ask-back-missing"));
    setMistake("");
    setBusy(true);
    // This replaces a queued answer.
    await unqueueSend(form.ask.askId);
    // The text is stored even if the connection breaks.
    if (!CHAT) void save(form);
    form.sent = true;
    const body = isAskBack ? { text } : text.trim() ? { reason: text } : {};
    const done = await perform(form, isAskBack ? "clarify" : "decline", body, translate(isAskBack ? "asked-back" : "declined", { who: name }), (text) => setMistake(`${text} ${translate("not-later")}`));
    form.sent = done;
    if (done) {
      form.dialogTexts[kind] = "";
      if (!CHAT) void storeRest(form);
    }
    form.notify();
    setBusy(false);
    if (done || form.ask.state !== "waiting") onClose();
  };
  return (
    <Dialog title={translate(isAskBack ? "ask-back" : "decline")} onClose={onClose}>
      <p>{translate(isAskBack ? "ask-back-says" : "decline-says", { who: name })}</p>
      <Field
        id="dialog-words" label={translate(isAskBack ? "ask-back-label" : "decline-label", { who: name })} value={text} rows={3} onInput={type}
        describedBy={mistake ? "dialog-mistake" : undefined} invalid={isAskBack && !text.trim() && !!mistake}
      />
      {mistake && <p class="mistake" id="dialog-mistake" role="alert">{mistake}</p>}
      {isTouched(form.draft) && <p class="muted">{translate(isAskBack ? "ask-back-draft" : "decline-draft")}</p>}
      <div class="row end">
        <button onClick={onClose}>{translate("keep-answering")}</button>
        <button class="primary" aria-disabled={busy || undefined} onClick={() => void (busy || send())}>{translate(isAskBack ? "ask-back-send" : "decline-send")}</button>
      </div>
    </Dialog>
  );
}

function SnoozeDialog({ form, onClose }: Props): JSX.Element {
  const own = useRef<HTMLInputElement>(null);
  const at = hubNow();
  const choices: [string, Date | "asked-again"][] = [
    ...[5, 15, 60].map((count): [string, Date] => {
      const until = new Date(at + count * 60_000);
      return [translate("snooze-minutes", { count, at: formatTime(until.toISOString(), at) }), until];
    }),
    [translate("snooze-tomorrow"), tomorrowMorning(at)],
    [translate("snooze-asked-again"), "asked-again"],
  ];
  const snooze = async (until: Date | "asked-again") => {
    onClose();
    const wakesAt = until === "asked-again" ? until : until.toISOString();
    await perform(form, "snooze", { until: wakesAt }, wakesAt === until ? translate("snoozed") : translate("snoozed-until", { at: formatTime(wakesAt, hubNow()) }));
  };
  return (
    <Dialog title={translate("snooze")} onClose={onClose}>
      <p>{translate("snooze-says")}</p>
      <div class="stack">
        {choices.map(([label, until]) => <button onClick={() => void snooze(until)}>{label}</button>)}
      </div>
      <form class="stack" onSubmit={(event) => (event.preventDefault(), void snooze(nextTimeOfDay(own.current?.value ?? "", at)))}>
        <label>{translate("facet-until")} <input ref={own} type="time" required /></label>
        <button>{translate("snooze")}</button>
      </form>
    </Dialog>
  );
}

/** The list of keyboard shortcuts. */
export function Help({ onClose }: { onClose: () => void }): JSX.Element {
  const rows = ["1–9", "0", "← →", "r", "n", "c", "/", "[ ]", "@", translate("name-ctrl-enter"), translate("name-esc"), "?"];
  const says = [
    "key-digits", "key-zero", "key-arrows", "key-r", "key-n", "key-c", "key-slash", "key-brackets", "key-at", "key-send", "key-esc", "key-help",
  ] as const;
  return (
    <Dialog title={translate("keys")} onClose={onClose}>
      <table class="keys">
        <tbody>{rows.map((key, at) => <tr><th scope="row"><kbd>{key}</kbd></th><td>{translate(says[at] ?? "key-esc")}</td></tr>)}</tbody>
      </table>
      <p class="muted">{translate("keys-says")}</p>
    </Dialog>
  );
}
