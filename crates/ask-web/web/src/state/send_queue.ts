// Sends answers, each under an idempotency key, so that an attempt can be repeated. What can't be sent because the hub is
// away waits in this browser until it is back.
import { Problem, call, path, errorText } from "../lib/api.ts";
import { translate } from "../lib/i18n.ts";
import type { Ask } from "../lib/types.ts";
import { type AskForm, allForms, formOf, knownForm } from "./ask_form.ts";
import { askerName, headline, isAnswerable } from "./asks.ts";
import { type QueuedSend, loadSends, sendToDraft, store, remove, updateDraft } from "./browser_storage.ts";
import { storeLocally, storeRest } from "./draft_persistence.ts";
import { receive, saveAtOnce } from "./draft_sync.ts";
import { isTouched, sameDraft } from "./form.ts";
import { getState, callbacks, hubNow, setState, toast } from "./store.ts";

const RETRY_MS = 30_000;

const queued = new Map<string, QueuedSend>();
/** Asks whose answers wait, and that this browser couldn't store. */
const unstorable = new Set<string>();
/** Until the answer that is being sent is stored. */
let keeping: Promise<unknown> | undefined;

/** Random, 128 bits. Browsers have `randomUUID` over encrypted connections alone. */
const newIdempotencyKey = (): string => [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");

/** Whether a refusal may pass: the person is signed out, or the hub is busy or can't store anything. */
const isTemporary = ({ status }: Problem): boolean => status === 401 || status === 429 || status >= 500;

/** Sends the answers. After the first try the same attempt is repeated, never a second one made. */
export async function send(form: AskForm, leaveGaps: boolean): Promise<void> {
  if (form.sending) return;
  clearTimeout(form.saveTimer);
  form.sendKey ??= newIdempotencyKey();
  form.sending = true;
  form.problem = "";
  form.notify();
  if (!CHAT) {
    // Stored first, in case the connection or this page dies.
    void storeLocally(form);
    const { mistakes, unseenUntil } = form;
    await form.uploads;
    if (mistakes !== form.mistakes || unseenUntil !== form.unseenUntil) {
      form.sending = false;
      return form.notify();
    }
  }
  const attempt = { askId: form.ask.askId, draft: form.draft, leaveGaps, key: form.sendKey, at: hubNow(), known: [form.base, form.inFlight] };
  if (!CHAT) keeping = keep(attempt);
  try {
    await post(form, attempt);
  } catch (error) {
    if (!CHAT && error instanceof Problem && isTemporary(error)) {
      form.problem = translate("not-sent", { why: errorText(error) });
      await Promise.all([storeLocally(form), unqueueSend(attempt.askId)]);
    } else if (error instanceof Problem) await handleRefusal(form, error);
    else if (CHAT) form.problem = translate("not-sent", { why: translate("no-connection") });
    else await queueSend(form, attempt);
  }
  form.sending = false;
  form.notify();
}

/** Stores an answer while it is sent: if this page ends first, the next one sends it. A browser has one waiting answer for each ask: the first one stays, and is returned. */
async function keep(attempt: QueuedSend): Promise<QueuedSend | undefined> {
  const first = (await loadSends())?.find((other) => other.askId === attempt.askId && other.key !== attempt.key);
  if (!first && !(await store("sends", attempt))) unstorable.add(attempt.askId);
  return first;
}

/** Lets an answer wait for the connection. */
async function queueSend(form: AskForm, attempt: QueuedSend): Promise<void> {
  if (CHAT) return;
  const first = await keep(attempt);
  if (first) form.problem = translate("queued-elsewhere");
  queued.set(attempt.askId, first ?? attempt);
  showQueue(first ? undefined : translate("queued"));
  callbacks.checkConnection();
}

async function post(form: AskForm, { askId, draft, leaveGaps, key }: QueuedSend): Promise<void> {
  const { record } = await call<{ record?: Ask }>("POST", `${path.ask(askId)}/answer`, { draft, leaveGaps, hold: !CHAT && form.ask.questions.length === 1 }, { "Idempotency-Key": key });
  form.sent = true;
  form.onlyHere = false;
  if (!CHAT) form.changedAfterSend = !sameDraft(form.draft, draft);
  if (record) receive(form, record);
  if (!CHAT) await Promise.all([form.changedAfterSend ? storeRest(form) : updateDraft(askId, (stored) => (stored?.stamp === form.stamp ? undefined : stored)), unqueueSend(askId)]);
  setState({ polite: translate("sent") });
  if (!CHAT && record?.heldUntil) {
    toast(`${translate("sent-answered", { who: askerName(record) })}: ${headline(record)}`, { label: translate("undo"), run: () => void takeBack(form) }, Date.parse(record.heldUntil) - hubNow());
  }
}

/** Takes back an answer that no agent has. */
export async function takeBack(form: AskForm): Promise<void> {
  if (CHAT) return;
  try {
    receive(form, await call<Ask>("POST", `${path.ask(form.ask.askId)}/take-back`, { attempt: form.ask.attempt }));
    if (form.beforeTap) form.change(0, form.beforeTap);
    toast(translate("undone"));
  } catch (error) {
    toast(errorText(error));
  }
}

async function handleRefusal(form: AskForm, problem: Problem): Promise<void> {
  form.sendKey = undefined;
  if (!CHAT) await unqueueSend(form.ask.askId);
  if (problem.record) receive(form, problem.record);
  if (!isAnswerable(form.ask)) return;
  form.problem = translate("not-sent", { why: errorText(problem) });
  form.markMistakes(problem);
}

/** Takes back an answer that waits for the connection. */
export async function unqueueSend(id: string): Promise<void> {
  if (CHAT) return;
  await keeping;
  queued.delete(id);
  unstorable.delete(id);
  showQueue("");
  await remove("sends", id);
}

/** Shows which answers wait for the connection, and says it to screen readers. */
function showQueue(polite?: string): void {
  setState({ queued: new Set(queued.keys()), ...(polite === undefined ? {} : { polite }) });
}

/** Reads the answers that wait for the connection, from this tab and the others of this browser. */
export async function loadQueue(): Promise<void> {
  const stored = await loadSends();
  // Another tab may have taken one back, or sent it.
  if (stored) for (const id of queued.keys()) if (!unstorable.has(id)) queued.delete(id);
  for (const attempt of stored ?? []) queued.set(attempt.askId, attempt);
  showQueue();
}

/**
 * Whether the person changed the answer on another surface after it was sent. What this page saved itself doesn't count, nor
 * what a program below an agent filled in: it would hold back the person's answer.
 */
function isChangedElsewhere({ draft, at, known = [] }: QueuedSend, { draft: saved }: Ask, { ownRevision, filledInBelow }: AskForm): boolean {
  if (!saved || at === undefined || saved.revision === ownRevision || filledInBelow) return false;
  return Date.parse(saved.savedAt) > at && ![draft, ...known].some((one) => sameDraft(one, saved));
}

/**
 * Sends the answers that wait for the connection. An ask that was closed meanwhile is left as it is. An answer to an ask
 * that the hub doesn't have, or that was changed elsewhere, becomes a draft.
 */
export async function flushQueue(): Promise<void> {
  await loadQueue();
  for (const attempt of [...queued.values()]) {
    try {
      const ask = await call<Ask>("GET", path.ask(attempt.askId));
      const form = formOf(ask);
      // This attempt may have answered it and lost its reply. A repetition of the attempt shows whether it has.
      const perhapsOurs = ask.state === "answered" && ask.answeredBy === "web";
      // While the person asks back or declines, it is not known which of the two is meant.
      if (form.isDialogOpen || form.sending) continue;
      if (!perhapsOurs) receive(form, ask);
      if (!isAnswerable(ask) && !perhapsOurs) {
        await unqueueSend(attempt.askId);
        toast(translate("queued-closed"));
        continue;
      }
      if (!perhapsOurs && isChangedElsewhere(attempt, ask, form)) {
        await sendToDraft(attempt);
        await unqueueSend(attempt.askId);
        toast(translate("queued-changed"));
        continue;
      }
      await post(form, attempt).catch((error: unknown) => (error instanceof Problem && !isTemporary(error) ? handleRefusal(form, error) : Promise.reject(error)));
      form.notify();
      toast(form.sent ? translate("queued-sent") : form.problem || translate("queued-closed"));
    } catch (error) {
      // The connection that seemed to work is checked; once it does, `callbacks.connected` calls this again.
      if (!(error instanceof Problem)) return callbacks.checkConnection();
      if (isTemporary(error)) {
        toast(translate("not-sent", { why: errorText(error) }));
        // No event says when the hub can take it again.
        return void (error.status < 429 || setTimeout(flushQueue, RETRY_MS));
      }
      // Without storage it stays in this page, and waits for the right hub.
      if (!(await sendToDraft(attempt))) continue;
      await unqueueSend(attempt.askId);
      toast(translate(error.status === 404 ? "queued-unknown" : "not-sent", { why: errorText(error) }));
    }
  }
  if (getState().connection.kind === "live") await saveAll();
}

/** Saves everything that was typed: before the page goes, and when the hub is back. */
export const saveAll = (): Promise<unknown> => Promise.all(allForms().map(saveAtOnce));

/** Whether leaving the page would lose something that was typed. */
export const hasUnsaved = (): boolean => unstorable.size > 0 || allForms().some((form) => !form.isStored && !form.sent && ((form.onlyHere && isTouched(form.draft)) || (form.isStored === false && form.unsentTexts.length)));

/** Passes an ask as the hub has it now to its form. */
function receiveAsk(ask: Ask): void {
  const form = knownForm(ask.askId);
  if (form) receive(form, ask);
  if (!CHAT && !isAnswerable(ask)) void remove("asks", ask.askId);
}

// Queued answers are sent once the hub is back, whichever page is shown.
if (!CHAT) Object.assign(callbacks, { askChanged: receiveAsk, connected: flushQueue, pageLeaving: saveAll });
