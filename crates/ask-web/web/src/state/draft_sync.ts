// Keeps the draft of a form and the hub's copy of it in step. It is saved soon after each key, and merged with what other
// surfaces change.
import { Problem, call, path, errorText } from "../lib/api.ts";
import { beforeAutomaticChange } from "../lib/click_guard.ts";
import { translate } from "../lib/i18n.ts";
import type { Ask, Draft } from "../lib/types.ts";
import type { AskForm } from "./ask_form.ts";
import { isAnswerable } from "./asks.ts";
import { store, remove } from "./browser_storage.ts";
import { storeLocally, storeRest, unchosenOwn, withUnchosenOwn } from "./draft_persistence.ts";
import { initialValues, mergeDraft, sameDraft } from "./form.ts";
import { callbacks, isSecure } from "./store.ts";

const SAVE_AFTER_MS = 500;

export function saveSoon(form: AskForm): void {
  clearTimeout(form.saveTimer);
  form.saveTimer = setTimeout(() => void save(form), SAVE_AFTER_MS);
}

/** Saves the draft to the hub, and in this browser while the hub can't be reached. */
export async function save(form: AskForm): Promise<void> {
  clearTimeout(form.saveTimer);
  // A draft that is on its way, or whose reply was lost, may be what the hub ends up with.
  const saved = sameDraft(form.draft, form.base) && (CHAT || sameDraft(form.inFlight, form.base));
  if (form.sent || !isAnswerable(form.ask) || (saved && !form.storesExtraText && (CHAT || !form.isBackedUp))) return;
  // A request under way may carry older text than what was typed since.
  await storeLocally(form);
  if (saved || form.saving || form.sending) return;
  // This draft contains what was merged meanwhile.
  await (form.saving = putDraft(form, (form.inFlight = form.draft)));
  form.saving = undefined;
  form.notify();
}

/** Saves what was typed last before the page goes. A browser stores it without the hub; a chat client has no storage. */
export async function saveAtOnce(form: AskForm): Promise<void> {
  if (CHAT) await form.saving;
  await save(form);
}

async function putDraft(form: AskForm, mine: Draft): Promise<void> {
  let isRetry = true;
  try {
    const { revision } = await call<{ revision: number }>("PUT", `${path.ask(form.ask.askId)}/draft`, { draft: mine, builtOn: form.revision });
    form.ownRevision = revision;
    if (revision > form.revision) [form.revision, form.base] = [revision, mine];
    form.savedAt = new Date().toISOString();
    form.onlyHere = false;
    if (form.problem === form.saveProblem) form.problem = "";
    await storeLocally(form);
  } catch (error) {
    isRetry = error instanceof Problem && error.status === 409 && Boolean(error.record);
    if (error instanceof Problem && error.record) receive(form, error.record);
    else if (error instanceof Problem) form.problem = form.saveProblem = translate("not-saved", { why: errorText(error) });
    else {
      form.onlyHere = true;
      callbacks.checkConnection();
    }
  }
  if (isRetry && !sameDraft(form.draft, form.base)) saveSoon(form);
}

/** Updates the form with the ask as the hub has it now. */
export function receive(form: AskForm, ask: Ask): void {
  // The reply to a request may come after a newer event. A closed ask stays closed, unless its answer was taken back.
  if (!isAnswerable(form.ask) && isAnswerable(ask)) {
    if (CHAT || (ask.takenBack ?? []).length <= (form.ask.takenBack ?? []).length) return;
    form.sent = false;
    form.sendKey = undefined;
  }
  beforeAutomaticChange();
  // Events bring only what changed of the display data.
  const shown = { ...form.ask.shown, ...ask.shown };
  // The reply to a send may come after the event that says it was delivered.
  const { answeredAt, delivered, deliveredAt } = form.ask;
  const delivery = delivered && answeredAt === ask.answeredAt ? { delivered, ...(deliveredAt ? { deliveredAt } : {}) } : {};
  // Agents' initial texts are only used while no draft is known: once one is, the newest draft counts, and a reply that an
  // event has overtaken doesn't bring it.
  const isFirstLoad = !form.ask.shown.questions && !form.revision && !ask.draft && sameDraft(form.draft, form.base);
  const isClosing = !form.sent && isAnswerable(form.ask) && !isAnswerable(ask);
  if (!CHAT && isClosing) form.closedFilledInBelow = form.filledInBelow;
  form.ask = { ...ask, shown, ...delivery };
  if (!CHAT && isFirstLoad) {
    form.values = withUnchosenOwn(initialValues(form.ask), unchosenOwn(form.values));
    form.base = form.inFlight = form.draft;
  }
  const saved = ask.draft;
  if (saved && saved.revision > form.revision) {
    const isOwn = sameDraft(saved, form.inFlight);
    if (!isOwn && !sameDraft(saved, form.draft)) {
      form.applyMerge(mergeDraft(form.base, form.draft, saved, form.focusedAt, form));
      if (form.filledInBelow) form.holdBack();
    }
    form.revision = saved.revision;
    form.base = form.inFlight = { answers: saved.answers, ...(saved.note ? { note: saved.note } : {}) };
    // What was typed here may differ from another browser's draft, and is not saved then.
    form.savedAt = isOwn || sameDraft(form.draft, saved) ? saved.savedAt : undefined;
    if (form.alternatives.size || form.storesExtraText) void storeLocally(form);
  }
  if (!CHAT && isClosing) void storeRest(form);
  if (!CHAT && isSecure && form.ask.shown.questions) void (isAnswerable(ask) ? store("asks", form.ask) : remove("asks", ask.askId));
  form.notify();
}
