// One ask while it is filled in here: its form, the draft shared with other surfaces, and its way out.
import { useEffect, useReducer } from "preact/hooks";
import { answerable } from "./asks.ts";
import { Problem, call, path, why } from "../lib/api.ts";
import { type Entry, type Form, type Other, begin, beside, draft, inRow, isGiven, isTouched, meet, over, part, same, sameDraft, wordings } from "./form.ts";
import { type Begun, type KeptDraft, type KeptSend, TAB, drop, jot, keep, keepOver, keptDraft, keptSends, unjot } from "./browser_storage.ts";
import { prolong } from "./extend_deadline.ts";
import { SETTLED_MS, byItself } from "../lib/click_guard.ts";
import { get, line, now, onlySees, secure, set, toast } from "./store.ts";
import type { Answer, Ask, Draft } from "../lib/types.ts";
import { say } from "../lib/i18n.ts";

const SAVE_AFTER_MS = 500;
const AGAIN_MS = 30_000;

export class Filling {
  ask: Ask;
  form: Form;
  step = 0;
  others = new Map<number, Other>();
  /** What came from elsewhere last, question by question. */
  taken = new Map<number, Answer>();
  savedAt: string | undefined;
  /** Whether what was typed is only in this browser so far, and whether that keeps it: known once it has tried. */
  onlyHere = false;
  kept: boolean | undefined;
  sending = false;
  /** Whether this page closed it, and whether the form was changed while that was under way. */
  sent = false;
  /** Its person is about to ask back or to decline. */
  held = false;
  changedSince = false;
  problem = "";
  /** What was said of a draft that wasn't saved. */
  private unsaved = "";
  /** What is wrong with which question. */
  mistakes = new Map<number, string>();
  /** What was begun in a dialog, to ask back or to decline. */
  words: Begun = { "ask-back": "", decline: "" };
  /** Whether this browser is to keep them. */
  worded = false;
  /** Takes over an answer that was tapped in the list, and isn't sent yet. */
  stop: (() => void) | undefined;
  /** The question whose field has the focus; behind the last one, the note for all. */
  busy: number | undefined;
  /** Until when nobody can have seen what took the place of their own; and when somebody typed here. */
  fresh = 0;
  typedAt = 0;
  /** Files on their way to the hub: nothing is sent before it is known what became of them. */
  loads: Promise<unknown> | undefined;
  /** Done once it is known what was typed here before. */
  restored: Promise<void>;
  agreed: Draft;
  /** What was last sent to be kept: where it comes back, nobody else typed it, whatever became of the reply. */
  underWay: Draft;
  revision: number;
  private key: string | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private saving: Promise<void> | undefined;
  private lookers = new Set<() => void>();
  /** Questions with files that didn't come. */
  declare fileless?: Set<number>;
  /** Whether it was written down and not yet kept. */
  declare jotted?: boolean;
  /** Which writing of what this browser keeps was read or written here last. */
  declare private stamp: number | undefined;

  constructor(ask: Ask) {
    this.ask = ask;
    this.form = begin(ask);
    this.agreed = this.underWay = this.draft;
    this.revision = ask.draft?.revision ?? 0;
    this.savedAt = ask.draft?.savedAt;
    this.restored = this.restore();
  }

  get draft(): Draft {
    return draft(this.form);
  }

  /** What was typed in dialogs and went nowhere. */
  get begun(): string[] {
    return Object.values(this.words).filter((text) => text.trim());
  }

  look(): void {
    for (const look of [...this.lookers]) look();
  }

  watch(look: () => void): () => void {
    this.lookers.add(look);
    return () => void this.lookers.delete(look);
  }

  /** Changes one question's part. */
  change(at: number, part: Partial<Entry>): void {
    const entries = [...this.form.entries];
    entries[at] = { ...(entries[at] as Entry), ...part };
    this.form = { ...this.form, entries };
    // That a file isn't there is said for as long as it isn't.
    if (CHAT || !this.fileless?.has(at)) this.mistakes.delete(at);
    if (!CHAT && behind(this.form).some(Boolean)) this.worded = true;
    this.touched();
  }

  changeNote(note: string): void {
    this.form = { ...this.form, note };
    this.touched();
  }

  touched(): void {
    this.typedAt = Date.now();
    this.problem = "";
    prolong(this.ask);
    if (!CHAT) {
      jot(record(this));
      this.jotted = true;
    }
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.save(), SAVE_AFTER_MS);
    this.look();
  }

  /** Puts the other wording of a question into the form, and offers the present one instead. */
  swap(at: number): void {
    const other = this.others.get(at);
    if (!other) return;
    const question = this.ask.questions[at];
    const mine = question ? (this.draft.answers[at] ?? {}) : { note: this.form.note };
    const back = { ...other, answer: mine, own: !other.own };
    // What there is besides has its turn. What was typed here stays, whatever the others do.
    if (CHAT) this.others.set(at, back);
    else this.others.set(at, inRow([...(other.more ?? []).filter((one) => !same(one.answer, mine)), { ...back, tab: same(mine, this.taken.get(at)) ? 0 : Math.random(), more: [] }]) as Other);
    if (!other.own && !other.tab) this.taken.set(at, other.answer);
    if (question) this.change(at, over(question, this.form.entries[at] as Entry, other.answer));
    else this.changeNote(other.answer.note ?? "");
  }

  /** Keeps the draft with the hub; in this browser, while that can't be reached. */
  async save(): Promise<void> {
    clearTimeout(this.timer);
    // What is on its way to the hub, or got lost there, may be what it keeps in the end.
    const saved = sameDraft(this.draft, this.agreed) && (CHAT || sameDraft(this.underWay, this.agreed));
    if (this.sent || !answerable(this.ask) || (saved && !this.worded && (CHAT || !this.jotted))) return;
    // What is on its way may be older than what was typed since.
    await this.shelve();
    if (saved || this.saving || this.sending) return;
    // What came from elsewhere meanwhile is part of it.
    await (this.saving = this.put((this.underWay = this.draft)));
    this.saving = undefined;
    this.look();
  }

  /** Keeps what was typed last, too: before there is no other chance. A browser keeps it without the hub. */
  async saveAtOnce(): Promise<void> {
    if (CHAT) await this.saving;
    await this.save();
  }

  private async put(mine: Draft): Promise<void> {
    let again = true;
    try {
      const { revision } = await call<{ revision: number }>("PUT", `${path.ask(this.ask.askId)}/draft`, { draft: mine, builtOn: this.revision });
      if (revision > this.revision) [this.revision, this.agreed] = [revision, mine];
      this.savedAt = new Date().toISOString();
      this.onlyHere = false;
      // It is saved now.
      if (this.problem === this.unsaved) this.problem = "";
      await this.shelve();
    } catch (error) {
      again = error instanceof Problem && error.status === 409 && Boolean(error.record);
      if (error instanceof Problem && error.record) this.hear(error.record);
      else if (error instanceof Problem) this.problem = this.unsaved = say("not-saved", { why: why(error) });
      else {
        this.onlyHere = true;
        line.recheck();
      }
    }
    if (again && !sameDraft(this.draft, this.agreed)) this.timer = setTimeout(() => void this.save(), SAVE_AFTER_MS);
  }

  /** Keeps in this browser what the hub hasn't got. */
  async shelve(): Promise<void> {
    if (CHAT) return;
    const stamp = Math.random();
    let at: number | undefined;
    this.kept = await keepOver(this.ask.askId, (kept) => {
      // Another tab of this browser was here meanwhile.
      if (kept && kept.stamp !== this.stamp) join(this, kept);
      const typed = record(this);
      const { draft, agreed, behind: own } = typed;
      // Of what is open the hub may keep in the end what is still on its way; of what is closed it keeps nothing.
      const saved = sameDraft(draft, answerable(this.ask) ? agreed : this.agreed);
      at = typed.at;
      // What was offered and not taken is nowhere else, nor are own words that a choice took the place of.
      if (saved && !this.begun.length && !this.others.size && !own?.some(Boolean)) return undefined;
      return { ...typed, offered: this.others, stamp };
    });
    if (!this.kept) return;
    this.stamp = stamp;
    if (at !== this.typedAt) return;
    unjot(this.ask.askId);
    this.jotted = false;
  }

  /** The ask as the hub has it now. */
  hear(ask: Ask): void {
    // A reply that was overtaken by an event: what a person or an agent has closed stays closed.
    if (!answerable(this.ask) && answerable(ask)) return;
    byItself();
    // Events bring the names alone.
    const shown = { ...this.ask.shown, ...ask.shown };
    // The reply to a send may come after the event that its agent was told.
    const { answeredAt, delivered, deliveredAt } = this.ask;
    const told = delivered && answeredAt === ask.answeredAt ? { delivered, ...(deliveredAt ? { deliveredAt } : {}) } : {};
    // Nor the texts that agents give to begin with: where a draft is known, the newest one counts, not one that a reply
    // brings which was overtaken by an event.
    const begins = !this.ask.shown.questions && !this.revision && !ask.draft && sameDraft(this.draft, this.agreed);
    const closes = !this.sent && answerable(this.ask) && !answerable(ask);
    this.ask = { ...ask, shown, ...told };
    if (!CHAT && begins) {
      this.form = before(begin(this.ask), behind(this.form));
      this.agreed = this.underWay = this.draft;
    }
    const saved = ask.draft;
    if (saved && saved.revision > this.revision) {
      const mine = this.draft;
      if (!sameDraft(saved, mine) && !sameDraft(saved, this.underWay)) this.take(meet(this.agreed, mine, saved, this.busy, this));
      this.revision = saved.revision;
      this.agreed = this.underWay = { answers: saved.answers, ...(saved.note ? { note: saved.note } : {}) };
      this.savedAt = saved.savedAt;
      if (this.others.size || this.worded) void this.shelve();
    }
    if (!CHAT && closes) void rest(this);
    if (!CHAT && secure && this.ask.shown.questions) void (answerable(ask) ? keep("asks", this.ask) : drop("asks", ask.askId));
    this.look();
  }

  private take({ answers, others }: ReturnType<typeof meet>): void {
    const { questions } = this.ask;
    const entries = this.form.entries.map((old, at) => {
      const [question, answer] = [questions[at], answers.get(at)];
      return question && answer ? over(question, old, answer) : old;
    });
    const mine = this.draft;
    others.forEach((other, at) => {
      if (!CHAT) other = joined(other, this.others.get(at), answers.get(at) ?? part(mine, at));
      if (other) this.others.set(at, other);
      else this.others.delete(at);
    });
    answers.forEach((answer, at) => this.taken.set(at, answer));
    if ([...others.values()].some((other) => other?.own)) {
      this.fresh = performance.now() + SETTLED_MS;
      if (!CHAT) this.stop?.();
    }
    this.form = { entries, note: answers.get(questions.length)?.note ?? this.form.note };
  }

  /** What was typed here while the hub was away. */
  private async restore(): Promise<void> {
    if (CHAT || onlySees()) return;
    const kept = await keptDraft(this.ask.askId);
    this.stamp = kept?.stamp;
    if (kept?.words && !this.begun.length) {
      this.words = kept.words;
      this.worded = true;
      this.look();
    }
    if (!kept || kept.draft.answers.length !== this.ask.questions.length) return;
    if (!sameDraft(this.draft, this.agreed)) {
      // Who was quicker than the browser's memory is offered what it had.
      join(this, kept);
      return this.touched();
    }
    const saved = this.ask.draft;
    this.form = before(begin(this.ask, kept.draft), kept.behind);
    if (kept.offered) this.others = kept.offered;
    kept.taken?.forEach((at) => this.taken.set(at, part(kept.draft, at)));
    if (saved && saved.revision > kept.revision) {
      const met = meet(kept.agreed, kept.draft, saved);
      this.take(met);
      // The newest stands, and the other is offered.
      if (!(kept.at && kept.at > Date.parse(saved.savedAt))) met.others.forEach((other, at) => other && !other.own && this.swap(at));
    }
    this.touched();
    this.typedAt = kept.at ?? 0;
  }

  /** Sends the answers; once sent, the same attempt is only ever repeated. */
  async send(leaveGaps: boolean): Promise<void> {
    if (this.sending) return;
    clearTimeout(this.timer);
    this.key ??= newKey();
    this.sending = true;
    this.problem = "";
    this.look();
    if (!CHAT) {
      // Whatever becomes of the line, or of this page.
      void this.shelve();
      const { mistakes, fresh } = this;
      await this.loads;
      if (mistakes !== this.mistakes || fresh !== this.fresh) {
        this.sending = false;
        return this.look();
      }
    }
    const send = { askId: this.ask.askId, draft: this.draft, leaveGaps, key: this.key };
    try {
      await this.post(send);
    } catch (error) {
      if (!CHAT && error instanceof Problem && shutOut(error)) await this.keepAside(error);
      else if (error instanceof Problem) await this.refused(error);
      else if (CHAT) this.problem = say("not-sent", { why: say("no-connection") });
      else await this.queue(send);
    }
    this.sending = false;
    this.look();
  }

  /** Keeps it until the line is back. One answer of a browser waits: a second one takes the place of none. */
  private async queue(send: KeptSend): Promise<void> {
    if (CHAT) return;
    const { askId } = send;
    const first = (await keptSends())?.find((other) => other.askId === askId && other.key !== send.key);
    if (first) this.problem = say("queued-elsewhere");
    else if (!(await keep("sends", send))) onlyHere.add(askId);
    waiting.set(askId, first ?? send);
    set({ queued: new Set(waiting.keys()), ...(first ? {} : { polite: say("queued") }) });
    line.recheck();
  }

  async post({ askId, draft, leaveGaps, key }: KeptSend): Promise<void> {
    const { record } = await call<{ record?: Ask }>("POST", `${path.ask(askId)}/answer`, { draft, leaveGaps }, { "Idempotency-Key": key });
    this.sent = true;
    this.onlyHere = false;
    if (!CHAT) this.changedSince = !sameDraft(this.draft, draft);
    if (record) this.hear(record);
    if (!CHAT) await Promise.all([this.changedSince ? rest(this) : keepOver(askId, (kept) => (kept?.stamp === this.stamp ? undefined : kept)), unqueue(askId)]);
    set({ polite: say("sent") });
  }

  /** This device was let in and is no longer: the form is kept here until it is again. */
  private async keepAside(problem: Problem): Promise<void> {
    if (CHAT) return;
    this.problem = say("not-sent", { why: why(problem) });
    await this.shelve();
  }

  async refused(problem: Problem): Promise<void> {
    this.key = undefined;
    if (!CHAT) await unqueue(this.ask.askId);
    if (problem.record) this.hear(problem.record);
    if (!answerable(this.ask)) return;
    this.problem = say("not-sent", { why: why(problem) });
    const { answers } = this.draft;
    this.mistakes = new Map(problem.problems.map(({ question }) => [question - 1, say(isGiven(answers[question - 1] ?? {}) ? "does-not-fit" : "needs-answer")]));
  }
}

/** Own words that are not part of the answer, question by question. */
const behind = ({ entries }: Form): string[] => entries.map(({ own, ownChosen }) => (ownChosen ? "" : own.trim() && own));

/** The same form before such words, where it has none of its own. */
const before = (form: Form, words: string[] = []): Form => ({ ...form, entries: form.entries.map((one, at) => (one.own ? one : { ...one, own: words[at] ?? "" })) });

/** Another wording that comes to a row of them: what the person has typed, here or in another tab, gives way to nothing. */
function joined(other: Other | undefined, row: Other | undefined, shown: Answer): Other | undefined {
  const typed = wordings(row).filter(({ own, tab, answer }) => (own || tab) && !same(answer, shown) && !same(answer, other?.answer));
  return inRow([...wordings(other), ...typed]);
}

/** What is typed here and may be nowhere else. */
function record({ draft, agreed, underWay, revision, words, form, taken: all, typedAt: at, ask: { askId } }: Filling): KeptDraft {
  const taken = [...all].filter(([n, answer]) => same(answer, part(draft, n))).map(([n]) => n);
  // Taken back while it was on its way: what the hub keeps in the end is older.
  return { askId, draft, agreed: sameDraft(draft, agreed) ? underWay : agreed, revision, words, behind: behind(form), taken, at, tab: TAB };
}

/** Takes up what other tabs of this browser keep, and the hub has not: of each the newest. */
function join(of: Filling, { draft: theirs, agreed, words, behind: own, offered, taken, at, tab = 1 }: KeptDraft): void {
  const besides = [...beside(theirs, of.draft, at ?? now())].map(([n, other]): [number, Other] => [n, taken?.includes(n) ? { ...other, own: false } : { ...other, tab }]);
  const more = [...(offered ?? [])].flatMap(([n, other]) => wordings(other).map((one): [number, Other] => [n, one]));
  for (const [n, other] of [...besides, ...more]) {
    if (other.tab === TAB) continue;
    const is = (one: Answer | undefined): boolean => same(one, other.answer);
    const typed = other.own || other.tab;
    const row = wordings(of.others.get(n));
    // The hub doesn't tell who typed what came by it: it was a person here, so it gives way to nothing.
    if (typed && is(of.taken.get(n))) of.taken.delete(n);
    if (row.some(({ answer }) => is(answer))) {
      if (typed) of.others.set(n, inRow(row.map((one) => (is(one.answer) ? { ...one, tab: one.tab || other.tab || tab } : one))) as Other);
      continue;
    }
    if ([agreed, of.agreed, of.draft].some((draft) => is(part(draft, n)))) continue;
    of.others.set(n, inRow([...row.filter((one) => !other.tab || one.tab !== other.tab), other]) as Other);
  }
  if (words && !of.begun.length) of.words = words;
  of.form = before(of.form, own);
  of.look();
}

/** The hub keeps no draft of what is closed: what was typed and isn't part of it is nowhere else. */
export function rest(of: Filling): Promise<void> {
  of.agreed = draft(begin(of.ask));
  return of.shelve();
}

/** Names one attempt. Browsers have `randomUUID` over encrypted connections alone. */
const newKey = (): string => [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");

/** Whether whoever looks may not answer now, or the hub can't keep it, but later: what was typed stays, and what waits. */
const shutOut = ({ status }: Problem): boolean => status === 401 || status === 403 || status >= 500;

const fillings = new Map<string, Filling>();

/** The one filling of an ask. */
export function filling(ask: Ask): Filling {
  const known = fillings.get(ask.askId) ?? new Filling(ask);
  fillings.set(ask.askId, known);
  return known;
}

export function useFilling(ask: Ask): Filling {
  const of = filling(ask);
  const [, again] = useReducer((n: number) => n + 1, 0);
  useEffect(() => {
    // It may have come back before anybody looked.
    if (!CHAT) void of.restored.then(() => again(undefined as never));
    return of.watch(() => again(undefined as never));
  }, [of]);
  return of;
}

/** The ask that is filled in under this id: known before the list is. */
export const filled = (id = ""): Ask | undefined => fillings.get(id)?.ask;

/** Passes on how an ask stands to whoever fills it in. */
export function heard(ask: Ask): void {
  fillings.get(ask.askId)?.hear(ask);
  if (!CHAT && !answerable(ask)) void drop("asks", ask.askId);
}

/** Whether anything was typed that nobody has yet. */
export const unsaved = (): boolean => onlyHere.size > 0 || [...fillings.values()].some((of) => !of.kept && !of.sent && ((of.onlyHere && isTouched(of.draft)) || (of.kept === false && of.begun.length)));

/** Keeps everything that was typed: before the page goes, and when the hub is back. */
export const saveAll = (): Promise<unknown> => Promise.all([...fillings.values()].map((of) => of.saveAtOnce()));

const waiting = new Map<string, KeptSend>();
/** Those that this browser couldn't keep. */
const onlyHere = new Set<string>();

/** Takes an answer back that waits for the connection. */
export async function unqueue(id: string): Promise<void> {
  if (CHAT) return;
  waiting.delete(id);
  onlyHere.delete(id);
  set({ queued: new Set(waiting.keys()) });
  await drop("sends", id);
}

/** What waits for the connection, here and in the other tabs of this browser. */
export async function lookAtSends(): Promise<void> {
  const kept = await keptSends();
  // What another tab took back or has sent waits no more.
  if (kept) for (const id of waiting.keys()) if (!onlyHere.has(id)) waiting.delete(id);
  for (const send of kept ?? []) waiting.set(send.askId, send);
  set({ queued: new Set(waiting.keys()) });
}

/** Sends what waits for the connection; whatever was closed meanwhile is looked at first. */
export async function flush(): Promise<void> {
  await lookAtSends();
  for (const send of [...waiting.values()]) {
    try {
      const ask = await call<Ask>("GET", path.ask(send.askId));
      const of = filling(ask);
      // Answered from a browser: perhaps by this very attempt, whose receipt was lost. To say it again tells.
      const perhapsOurs = ask.state === "answered" && ask.answeredBy === "web";
      // While its person asks back or declines it is not known what is meant.
      if (of.held) continue;
      if (!perhapsOurs) of.hear(ask);
      if (!answerable(ask) && !perhapsOurs) {
        await unqueue(send.askId);
        toast(say("queued-closed"));
        continue;
      }
      await of.post(send).catch((error: unknown) => (error instanceof Problem && !shutOut(error) ? of.refused(error) : Promise.reject(error)));
      of.look();
      toast(of.sent ? say("queued-sent") : of.problem || say("queued-closed"));
    } catch (error) {
      // The line that seemed to stand is looked at; once it does, this is tried again.
      if (!(error instanceof Problem)) return line.recheck();
      if (shutOut(error)) {
        toast(say("not-sent", { why: why(error) }));
        // No event tells when the hub can write again.
        return void (error.status < 500 || setTimeout(flush, AGAIN_MS));
      }
      await unqueue(send.askId);
      toast(say("queued-closed"));
    }
  }
  if (get().link.kind === "live") await saveAll();
}

// Wherever one can type, what waits is sent once the hub is back: whatever else of the page came or didn't.
if (!CHAT) Object.assign(line, { heard, live: flush, leaving: saveAll });
