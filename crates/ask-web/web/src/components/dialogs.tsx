// What a person does with an ask besides answering it, each in a dialog that says what will happen.
import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { Problem, act, why } from "../lib/api.ts";
import { who } from "../state/asks.ts";
import type { AskForm } from "../state/ask_form.ts";
import { storeRest } from "../state/draft_persistence.ts";
import { receive, save } from "../state/draft_sync.ts";
import { flushQueue, unqueueSend } from "../state/send_queue.ts";
import { isTouched } from "../state/form.ts";
import { Dialog, Field } from "./basics.tsx";
import { now, toast } from "../state/store.ts";
import { clock, next, tomorrow } from "../lib/time.ts";
import { say } from "../lib/i18n.ts";

export type Asked = "ask-back" | "decline" | "snooze";
const STEP_MS = 5 * 60_000;

/**
 * Does it, and says what became of it: what failed by `fail`, where something covers the page. What closes the ask
 * elsewhere first is shown by its card.
 */
export async function perform(form: AskForm, what: string, body: unknown, done: string, fail: (text: string) => unknown = toast): Promise<boolean> {
  try {
    const { record } = (await act(form.ask.askId, what, body)) ?? {};
    if (record) receive(form, record);
    toast(done);
    return true;
  } catch (error) {
    if (error instanceof Problem && error.record) receive(form, error.record);
    else fail(say("failed", { why: why(error) }));
    return false;
  }
}

/** Five minutes more. */
export function extend(form: AskForm): Promise<boolean> {
  const until = new Date(Math.max(now(), Date.parse(form.ask.deadlineAt ?? "")) + STEP_MS).toISOString();
  return perform(form, "extend", { until }, say("more-time-done", { at: clock(until, now()) }));
}

type Props = { form: AskForm; onClose: () => void };

export function AskDialog({ form, asked, onClose }: Props & { asked: Asked }): JSX.Element {
  if (!CHAT && asked === "snooze") return <SnoozeDialog form={form} onClose={onClose} />;
  return <WordsDialog form={form} onClose={onClose} back={asked === "ask-back"} />;
}

/** Asking back, or declining. */
function WordsDialog({ form, onClose, back }: Props & { back: boolean }): JSX.Element {
  const asked = back ? "ask-back" : "decline";
  const [text, put] = useState(form.dialogTexts[asked]);
  const type = (words: string) => {
    form.dialogTexts[asked] = words;
    put(words);
    form.storesExtraText = true;
    form.changed();
  };
  const [busy, setBusy] = useState(false);
  const [mistake, mistook] = useState("");
  const name = who(form.ask);
  // An answer that waits for the connection waits for this, too.
  useEffect(() => {
    form.isDialogOpen = true;
    if (!CHAT) void form.restored.then(() => put((typed) => typed || form.dialogTexts[asked]));
    return () => {
      form.isDialogOpen = false;
      CHAT || void flushQueue();
    };
  }, []);
  const send = async () => {
    if (back && !text.trim()) return mistook(say("ask-back-missing"));
    mistook("");
    setBusy(true);
    // This takes the place of an answer that waited.
    await unqueueSend(form.ask.askId);
    // What stands there is kept, whatever becomes of the line.
    if (!CHAT) void save(form);
    form.sent = true;
    const body = back ? { text } : text.trim() ? { reason: text } : {};
    const done = await perform(form, back ? "clarify" : "decline", body, say(back ? "asked-back" : "declined", { who: name }), (text) => mistook(`${text} ${say("not-later")}`));
    form.sent = done;
    if (done) {
      form.dialogTexts[asked] = "";
      if (!CHAT) void storeRest(form);
    }
    form.notify();
    setBusy(false);
    if (done || form.ask.state !== "waiting") onClose();
  };
  return (
    <Dialog title={say(back ? "ask-back" : "decline")} onClose={onClose}>
      <p>{say(back ? "ask-back-says" : "decline-says", { who: name })}</p>
      <Field
        id="dialog-words" label={say(back ? "ask-back-label" : "decline-label", { who: name })} value={text} rows={3} onInput={type}
        describedBy={mistake ? "dialog-mistake" : undefined} invalid={back && !text.trim() && !!mistake}
      />
      {mistake && <p class="mistake" id="dialog-mistake" role="alert">{mistake}</p>}
      {isTouched(form.draft) && <p class="muted">{say(back ? "ask-back-draft" : "decline-draft")}</p>}
      <div class="row end">
        <button onClick={onClose}>{say("keep-answering")}</button>
        <button class="primary" aria-disabled={busy || undefined} onClick={() => void (busy || send())}>{say(back ? "ask-back-send" : "decline-send")}</button>
      </div>
    </Dialog>
  );
}

function SnoozeDialog({ form, onClose }: Props): JSX.Element {
  const own = useRef<HTMLInputElement>(null);
  const at = now();
  const lengths: [string, Date | "asked-again"][] = [
    ...[5, 15, 60].map((count): [string, Date] => {
      const until = new Date(at + count * 60_000);
      return [say("snooze-minutes", { count, at: clock(until.toISOString(), at) }), until];
    }),
    [say("snooze-tomorrow"), tomorrow(at)],
    [say("snooze-asked-again"), "asked-again"],
  ];
  const snooze = async (until: Date | "asked-again") => {
    onClose();
    const back = until === "asked-again" ? until : until.toISOString();
    await perform(form, "snooze", { until: back }, back === until ? say("snoozed") : say("snoozed-until", { at: clock(back, now()) }));
  };
  return (
    <Dialog title={say("snooze")} onClose={onClose}>
      <p>{say("snooze-says")}</p>
      <div class="stack">
        {lengths.map(([label, until]) => <button onClick={() => void snooze(until)}>{label}</button>)}
      </div>
      <form class="stack" onSubmit={(event) => (event.preventDefault(), void snooze(next(own.current?.value ?? "", at)))}>
        <label>{say("facet-until")} <input ref={own} type="time" required /></label>
        <button>{say("snooze")}</button>
      </form>
    </Dialog>
  );
}

/** What keys do here. */
export function Help({ onClose }: { onClose: () => void }): JSX.Element {
  const rows = ["1–9", "0", "← →", "r", "n", "c", "/", "[ ]", "@", say("name-ctrl-enter"), say("name-esc"), "?"];
  const says = [
    "key-digits", "key-zero", "key-arrows", "key-r", "key-n", "key-c", "key-slash", "key-brackets", "key-at", "key-send", "key-esc", "key-help",
  ] as const;
  return (
    <Dialog title={say("keys")} onClose={onClose}>
      <table class="keys">
        <tbody>{rows.map((key, at) => <tr><th scope="row"><kbd>{key}</kbd></th><td>{say(says[at] ?? "key-esc")}</td></tr>)}</tbody>
      </table>
      <p class="muted">{say("keys-says")}</p>
    </Dialog>
  );
}
