// The parts that need no browser: groups and order, forms and their merge, events, times, messages.
import assert from "node:assert/strict";
import { test } from "node:test";
import { answeredVia, matchesFilter, groupOf, isLate, statusMark, sortAsks } from "../../src/state/asks.ts";
import links from "../../../../ask-core/src/markdown/links.json";
import { parseCode, deviceName } from "../../src/state/device.ts";
import * as form from "../../src/state/form.ts";
import { breakable, hasManyDirectionChanges } from "../../src/lib/jsx.ts";
import { shownHost, hostOf, splitIntoPieces } from "../../src/components/markdown.tsx";
import { parseMention } from "../../src/state/file_mention.ts";
import { type Message, retryDelay, sseParser } from "../../src/lib/sse.ts";
import { formatAgo, formatTime, formatCountdown, formatAge, formatDuration } from "../../src/lib/time.ts";
import type { Ask, Block, Draft, Question, SavedDraft } from "../../src/lib/types.ts";
import english from "../../dist/words.en.json";
import { chooseLanguage, translate, setMessages } from "../../src/lib/i18n.ts";

setMessages(english, "en");
const NOW = Date.parse("2026-02-04T12:00:00Z");
const one: Question = { questionId: "a", question: "Which?", type: "select", options: [{ label: "A" }, { label: "B" }], required: true };
const many: Question = { ...one, questionId: "m", type: "multi-select", required: false };
const text: Question = { questionId: "t", question: "Say", type: "text", required: true, default: "as\u202e before" };
const ask = (part: Partial<Ask> = {}): Ask => ({
  askId: "x", state: "waiting", questions: [one], asker: {}, dialect: "native", askedAt: "2026-02-04T11:56:00Z", waiters: 1,
  shown: { title: "Which database?", asker: { client: "codex", project: "infra", branch: "main" } }, ...part,
});
const saved = (draft: Draft, revision = 1): SavedDraft => ({ ...draft, revision, savedAt: "2026-02-04T12:00:00Z", savedBy: "terminal" });

test("an ask's group says what the person can do", () => {
  assert.equal(groupOf(ask()), "waiting");
  assert.equal(groupOf(ask({ waiters: 0 })), "late");
  assert.equal(groupOf(ask({ snoozedUntil: "asked-again", waiters: 0 })), "snoozed");
  assert.equal(groupOf(ask({ state: "expired" })), "late");
  assert.equal(groupOf(ask({ state: "answered", waiters: 0 })), "kept");
  assert.equal(groupOf(ask({ state: "answered" })), undefined, "its agent waits for it");
  assert.equal(groupOf(ask({ state: "answered", delivered: true })), undefined);
  assert.equal(groupOf(ask({ state: "withdrawn" })), undefined);
  assert.ok(isLate(ask({ waiters: 0 })) && !isLate(ask()));
});

test("asks are sorted by group, then deadline, then age", () => {
  const ids = sortAsks([
    ask({ askId: "late", waiters: 0 }),
    ask({ askId: "young", askedAt: "2026-02-04T11:59:00Z" }),
    ask({ askId: "old" }),
    ask({ askId: "due", deadlineAt: "2026-02-04T12:10:00Z", askedAt: "2026-02-04T11:59:30Z" }),
  ]).map((found) => found.askId);
  assert.deepEqual(ids, ["due", "old", "young", "late"]);
});

test("the filter matches every word in any field", () => {
  assert.ok(matchesFilter(ask(), "DATA codex") && matchesFilter(ask(), "") && !matchesFilter(ask(), "codex claude"));
});

test("the mark is the most urgent one", () => {
  assert.deepEqual(statusMark(ask({ deadlineAt: "2026-02-04T12:00:50Z" }), NOW), { text: "due in 0:50", urgent: true });
  assert.equal(statusMark(ask({ draft: saved({ answers: [{ picks: [0] }] }) }), NOW)?.text, "draft");
  assert.equal(statusMark(ask(), NOW), undefined);
  assert.equal(statusMark(ask({ state: "answered" }), NOW)?.text, "answered");
  const below = ask({ state: "declined", answeredFrom: { pid: 1, belowAgent: "claude-code" } });
  assert.equal(statusMark(below, NOW)?.text, "declined · started below claude-code");
});

test("own words count only when they are chosen, and stay when they are not", () => {
  const own = form.withOwnText(one, form.entryOf(one, { picks: [1] }), "neither", true);
  assert.deepEqual(form.entryAnswer(own), { own: "neither" });
  const back = form.toggleChoice(one, own, 0);
  assert.deepEqual(form.entryAnswer(back), { picks: [0] });
  assert.equal(back.own, "neither");
  // An answer from elsewhere replaces the pick, and keeps unchosen own words.
  assert.deepEqual(form.applyAnswer(one, back, { picks: [1] }), { ...back, picks: [1] });
  assert.equal(form.applyAnswer(one, back, { own: "theirs" }).own, "theirs");
  assert.equal(form.applyAnswer(one, own, { picks: [1] }).own, "");
  const both = form.withOwnText(many, form.entryOf(many, { picks: [1, 0] }), "and", true);
  assert.deepEqual(form.entryAnswer(both), { picks: [0, 1], own: "and" });
});

test("none of these ends with the first choice", () => {
  assert.deepEqual(form.entryAnswer({ ...form.entryOf(many, {}), none: true }), { none: true });
  assert.deepEqual(form.entryAnswer(form.toggleChoice(many, { ...form.entryOf(many, {}), none: true }, 1)), { picks: [1] });
});

test("a form starts with the draft, else with the agent's text", () => {
  const given = ask({ questions: [one, text] });
  // The text comes from the display data, not from the question, which may contain hidden characters.
  given.shown.questions = [{ title: "", text: { blocks: [], links: [] }, choices: [] }, { title: "", text: { blocks: [], links: [] }, choices: [], default: "as before" }];
  assert.deepEqual(form.draftOf(form.initialValues(given)), { answers: [{}, { own: "as before" }] });
  assert.deepEqual(form.draftOf(form.initialValues({ ...given, draft: saved({ answers: [{ picks: [1] }, {}], note: "n" }) })), { answers: [{ picks: [1] }, {}], note: "n" });
  assert.deepEqual(form.unanswered(given, { answers: [{}, { note: "only a note" }] }), [0, 1]);
});

test("an earlier form fills in what is empty and nothing else", () => {
  const again = ask({ questions: [one, text, many], draft: saved({ answers: [{}, {}, {}] }) });
  const earlier = { answers: [{ picks: [1], note: "then" }, { own: "orders" }, { picks: [0] }] };
  const values = form.initialValues(again);
  assert.deepEqual(form.fillable(again, values, { answers: [] }), []);
  const all = form.fillable(again, values, earlier);
  assert.deepEqual(all.map(([at, entry]) => [at, form.entryAnswer(entry)]), [[0, earlier.answers[0]], [1, earlier.answers[1]], [2, earlier.answers[2]]]);
  const [first, second, last] = values.entries as [form.Entry, form.Entry, form.Entry];
  const begun = { ...values, entries: [{ ...first, note: "now" }, { ...second, own: "mine" }, { ...last, own: "unchosen" }] };
  const rest = form.fillable(again, begun, earlier);
  assert.deepEqual(rest.map(([at, entry]) => [at, entry.picks, entry.note]), [[0, [1], "now"]]);
});

test("the newest answer wins if nothing was typed, and the replaced one is offered", () => {
  const agreed: Draft = { answers: [{ picks: [0] }, { own: "a" }] };
  const mine: Draft = { answers: [{ picks: [0] }, { own: "ab" }] };
  const result = form.mergeDraft(agreed, mine, saved({ answers: [{ picks: [1] }, { own: "z" }], note: "hi" }));
  assert.deepEqual(result.answers.get(0), { picks: [1] });
  assert.ok(!result.answers.has(1));
  assert.deepEqual(result.alternatives.get(0)?.answer, { picks: [0] });
  assert.ok(result.alternatives.get(0)?.own);
  assert.deepEqual(result.alternatives.get(1)?.answer, { own: "z" });
  assert.deepEqual(result.answers.get(2), { note: "hi" });
});

test("nothing changes in a field in which somebody types", () => {
  const agreed: Draft = { answers: [{ own: "a" }] };
  const result = form.mergeDraft(agreed, agreed, saved({ answers: [{ own: "b" }] }), 0);
  assert.equal(result.answers.size, 0);
  assert.deepEqual(result.alternatives.get(0)?.answer, { own: "b" });
  // The note for all comes after the last question.
  const note = (note: string) => ({ answers: [{ own: "a" }], note });
  assert.equal(form.mergeDraft(note("old"), note("old"), saved(note("theirs"))).answers.get(1)?.note, "theirs");
  const busy = form.mergeDraft(note("old"), note("old"), saved(note("theirs")), 1);
  assert.deepEqual([busy.answers.get(1), busy.alternatives.get(1)?.answer], [undefined, { note: "theirs" }]);
  const both = form.mergeDraft(note("old"), note("mine"), saved(note("theirs")));
  assert.deepEqual([both.answers.get(1), both.alternatives.get(1)?.answer], [undefined, { note: "theirs" }]);
});

test("one's own words stay on offer, however often their replacement changes", () => {
  const draft = (own: string): Draft => ({ answers: [{ own }] });
  const [own, first, second] = [draft("mine"), draft("t"), draft("th")];
  const result = form.mergeDraft(own, own, saved(first));
  assert.deepEqual(result.alternatives.get(0)?.answer, { own: "mine" });
  const came = { alternatives: new Map([[0, result.alternatives.get(0) as form.Alternative]]), received: result.answers };
  const later = form.mergeDraft(first, first, saved(second), undefined, came);
  assert.deepEqual([later.answers.get(0), later.alternatives.get(0)?.answer, later.alternatives.get(0)?.own], [{ own: "th" }, { own: "mine" }, true]);
  // An answer that only came from elsewhere isn't one's own.
  const none = form.mergeDraft(first, first, saved(second), undefined, { alternatives: new Map(), received: result.answers });
  assert.equal(none.alternatives.get(0), undefined);
  // A note for all that is replaced is offered, too.
  const noted = (note: string): Draft => ({ answers: [{}], note });
  assert.deepEqual(form.mergeDraft(noted("mine"), noted("mine"), saved(noted("theirs"))).alternatives.get(1)?.answer, { note: "mine" });
});

test("text from right to left, or that changes the direction of what follows, is isolated", () => {
  setMessages(english, "en");
  assert.equal(translate("declined", { who: "codex" }), "Declined. codex gets the message.");
  for (const who of ["\u05d0\u05d1", "\u202egnp", "\u2067x", "\u0627"]) assert.equal(translate("declined", { who }), `Declined. \u2068${who}\u2069 gets the message.`);
});

test("events are parsed wherever the chunks are cut", () => {
  const whole = ": ping\n\nid: 7\nevent: day\ndata: {\"a\":\ndata: 1}\n\ndata: x\n\n";
  for (let cut = 0; cut <= whole.length; cut++) {
    const found: Message[] = [];
    const read = sseParser((message) => found.push(message));
    read(whole.slice(0, cut));
    read(whole.slice(cut));
    assert.deepEqual(found, [{ id: "7", event: "day", data: "{\"a\":\n1}" }, { event: "message", data: "x" }]);
  }
});

test("the delay doubles up to half a minute, with a random part", () => {
  assert.deepEqual([0, 1, 2, 3, 4, 5, 6].map((tries) => retryDelay(tries, 0)), [1000, 2000, 4000, 8000, 16000, 30000, 30000]);
  assert.equal(retryDelay(99, 1), 37_500);
});

test("times are formatted briefly", () => {
  assert.deepEqual([formatAge(5_000), formatAge(240_000), formatAge(3_600_000), formatAge(90_000_000)], ["now", "4 min", "1 hr", "1 day"]);
  assert.deepEqual([formatAgo(5_000), formatAgo(240_000), formatAgo(90_000_000)], ["now", "4 minutes ago", "1 day ago"]);
  assert.deepEqual([formatCountdown(161_000), formatCountdown(3_723_000), formatCountdown(-5)], ["2:41", "1:02:03", "0:00"]);
  const shown = (year: number) => formatTime(new Date(year, 11, 30, 22).toISOString(), new Date(2026, 10, 22).getTime());
  assert.ok(!shown(2026).includes("2026") && shown(2038).includes("2038"), shown(2038));
  assert.deepEqual([formatDuration(12_000), formatDuration(3_900_000), formatDuration(undefined)], ["12 sec", "1 hr 5 min", "–"]);
});

test("only web links have a host", () => {
  assert.equal(hostOf("https://docs.example.com/a"), "docs.example.com");
  for (const link of ["javascript:alert(1)", "data:text/html,x", "//x", "file:///etc", "vbscript:x", ""]) assert.equal(hostOf(link), undefined);
});

test("the host is shown beside a link's text that doesn't name it", () => {
  for (const { words, link, host } of links as { words: string; link: string; host?: string }[]) assert.equal(shownHost(link, words), host, `${words} → ${link}`);
});

test("messages have plural forms, and languages are chosen", () => {
  assert.equal(translate("send-answers", { count: 1 }), "Send 1 answer");
  assert.equal(translate("send-answers", { count: 3 }), "Send 3 answers");
  assert.equal(translate("closed-answered", { by: "terminal", at: "12:03" }), "Answered in terminal, 12:03");
  assert.equal(chooseLanguage(["de-AT", "en"], ["en", "de"]), "de");
  assert.equal(chooseLanguage(["zh-CN"], ["en", "zh-Hans"]), "zh-Hans");
  assert.equal(chooseLanguage(["pt"], ["en", "de"]), "en");
  // Traditional characters count as another language.
  assert.equal(chooseLanguage(["zh-TW", "fr"]), "fr");
  assert.equal(chooseLanguage(["zh-Hant-HK", "zh-Hans-SG"]), "zh-Hans");
});

test("a device has the name that its owner would use", () => {
  const name = (system: string, browser: string, touches = 0) => deviceName(`Mozilla/5.0 (${system}) AppleWebKit/605.1.15 (KHTML, like Gecko) ${browser}`, touches);
  assert.equal(name("iPhone; CPU iPhone OS 17_5 like Mac OS X", "Version/17.5 Mobile/15E148 Safari/604.1", 5), "iPhone, Safari");
  assert.equal(name("iPhone; CPU iPhone OS 17_5 like Mac OS X", "CriOS/126.0 Mobile/15E148 Safari/604.1", 5), "iPhone, Chrome");
  assert.equal(name("Macintosh; Intel Mac OS X 10_15_7", "Version/17.5 Safari/605.1.15", 5), "iPad, Safari");
  assert.equal(name("Macintosh; Intel Mac OS X 10_15_7", "Version/17.5 Safari/605.1.15"), "Mac, Safari");
  assert.equal(name("Linux; Android 14; Pixel 8", "Chrome/126.0 Mobile Safari/537.36", 5), "Android, Chrome");
  assert.equal(name("Linux; Android 14", "SamsungBrowser/25.0 Chrome/121.0 Mobile Safari/537.36", 5), "Android, Samsung Internet");
  assert.equal(name("Windows NT 10.0; Win64; x64", "Chrome/126.0 Safari/537.36 Edg/126.0"), "Windows, Edge");
  assert.equal(name("X11; Linux x86_64; rv:127.0", "Firefox/127.0"), "Linux, Firefox");
  assert.equal(deviceName("curl", 0), "");
});

test("a code is six digits, however it is written", () => {
  for (const text of ["482913", " 482 913 ", "482-913", "４８２９１３"]) assert.equal(parseCode(text), "482913", text);
  for (const text of ["", "48291", "4829133", "48291a", "http://x/482913"]) assert.equal(parseCode(text), undefined, text);
});

test("the place of an answer includes the name of a paired device", () => {
  assert.equal(answeredVia(ask({ answeredBy: "web", answeredDevice: "iPhone, Safari" })), "browser · iPhone, Safari");
  assert.equal(answeredVia(ask({ answeredBy: "terminal" })), "terminal");
  assert.match(answeredVia(ask({ answeredBy: "cli", answeredFrom: { pid: 1, belowAgent: "claude-code" } })), /below claude-code/);
});

test("a long context is split into pieces without loss, and a usual one isn't split", () => {
  const paragraph = (n: number): Block => ({ kind: "paragraph", lines: [[{ text: `${n} `.repeat(500) }]] });
  assert.deepEqual(splitIntoPieces([]), [[]]);
  const few = [paragraph(1), paragraph(2)];
  assert.deepEqual(splitIntoPieces(few), [few]);
  const items = Array.from({ length: 5000 }, (_, n) => ({ mark: "-", blocks: [paragraph(n % 9)] }));
  const long: Block[] = [...Array.from({ length: 200 }, (_, n) => paragraph(n)), { kind: "list", items }];
  const pieces = splitIntoPieces(long);
  assert.ok(pieces.length > 10 && pieces.every((piece) => piece.length > 0 && JSON.stringify(piece).length < 220_000));
  const all = pieces.flat();
  assert.deepEqual(all.slice(0, 200), long.slice(0, 200));
  assert.deepEqual(all.slice(200).flatMap((block) => (block.kind === "list" ? block.items : [])), items);
});

test("a mention begins a word and ends at the caret", () => {
  const at = (text: string, caret = text.length) => parseMention(text, caret);
  assert.deepEqual(at("see @src/m"), { start: 4, letters: "src/m" });
  assert.deepEqual(at("@"), { start: 0, letters: "" });
  assert.deepEqual(at("語\u3000@a"), { start: 2, letters: "a" });
  assert.deepEqual(at("a\n@b c", 4), { start: 2, letters: "b" });
  for (const none of ["ann@example", "@src ", "(@a", "", "a\ufeff@b"]) assert.equal(at(none), undefined, none);
  assert.equal(at(`x@${"y".repeat(10)}`), undefined);
  assert.equal(at(`${"z".repeat(30)} @${"a".repeat(400)}`), undefined, "no word is that long");
  // The limit of the search isn't the start of a word.
  assert.equal(at(`x@${"a".repeat(399)}`), undefined);
});

test("a very long word can be broken between letters, and nowhere else", () => {
  const cut = (text: string) => {
    const parts = breakable(text);
    const words = parts.filter((part) => typeof part === "string");
    assert.equal(words.join(""), text, "nothing is lost or added");
    return words.map((word) => word.length);
  };
  assert.deepEqual(cut("word ".repeat(400)), [2000]);
  assert.deepEqual(cut("س".repeat(450)), [200, 200, 50]);
  assert.deepEqual(cut("x".repeat(200)), [200]);
  // Combining marks, joined emoji and punctuation stay with theirs.
  assert.deepEqual(cut(`${"x".repeat(200)}\u0301${"y".repeat(210)}`), [202, 200, 9]);
  assert.deepEqual(cut("👩\u200d👧".repeat(200)), [1000]);
  assert.deepEqual(cut(`${"あ".repeat(200)}。」${"あ".repeat(10)}`), [203, 9]);
});

test("a text with too many changes of direction is recognised", () => {
  assert.equal(hasManyDirectionChanges("a\u05d0".repeat(600)), true);
  assert.equal(hasManyDirectionChanges("a \u0634! ".repeat(600)), true);
  assert.equal(hasManyDirectionChanges("\u05d0\u05d1 ".repeat(5000)), false, "one direction");
  assert.equal(hasManyDirectionChanges("word ".repeat(5000)), false);
  assert.equal(hasManyDirectionChanges(`word \u05e9\u05dc\u05d5\u05dd ${"more words ".repeat(200)}`.repeat(100)), false, "a long text in two languages");
});
