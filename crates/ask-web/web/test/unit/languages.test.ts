// Every language has all messages with the same placeholders, and the page's sources contain no text themselves.
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";
import ts from "typescript";
import { Problem, errorText } from "../../src/lib/api.ts";
import { formatAgo, formatTime, formatHour, formatUnit, formatPercent, formatAge, formatDuration } from "../../src/lib/time.ts";
import english from "../../dist/words.en.json";
import { chooseLanguage, translate, setMessages } from "../../src/lib/i18n.ts";

type Words = Record<string, string | string[]>;
const FOLDER = "../../ask-config/locales";
const LANGUAGES = ["de", "en", "es", "fr", "ja", "ko", "zh-Hans"];
const words = (language: string): Words => JSON.parse(readFileSync(`dist/words.${language}.json`, "utf8"));
const forms = (message: string | string[] | undefined): string[] => [message ?? []].flat();
const placeholders = (message: string): string[] => [...message.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string).sort();

test("every language of the catalog can be chosen", () => {
  assert.deepEqual(readdirSync(FOLDER, { withFileTypes: true }).filter((entry) => entry.isDirectory()).map(({ name }) => name).sort(), LANGUAGES);
  for (const language of LANGUAGES) assert.equal(chooseLanguage([language]), language);
});

for (const language of LANGUAGES) {
  test(`${language} has the same placeholders as English`, () => {
    const theirs = words(language);
    assert.deepEqual(Object.keys(theirs).sort(), Object.keys(english).sort());
    // A language without a singular form has only one form of each message.
    const several = new Intl.PluralRules(language).select(1) === "one";
    for (const [id, ours] of Object.entries(english as Words)) {
      // English fills in for what is missing.
      if (JSON.stringify(theirs[id]) === JSON.stringify(ours)) continue;
      const given = forms(theirs[id]);
      assert.ok(given.length && given.every((form) => form.trim() === form && form), id);
      assert.equal(Array.isArray(theirs[id]), Array.isArray(ours) && several, `${id}: forms`);
      if (Array.isArray(theirs[id])) assert.equal(given.length, 2, id);
      // The singular form may leave the number out.
      const wanted = placeholders(forms(ours).at(-1) as string);
      assert.deepEqual(placeholders(given.at(-1) as string), wanted, id);
      for (const form of given) assert.ok(placeholders(form).every((name) => wanted.includes(name)), id);
    }
  });
}

test("no language needs a third form for a number below a million", () => {
  for (const language of LANGUAGES) {
    const rules = new Intl.PluralRules(language);
    for (const count of [0, 1, 2, 3, 5, 11, 21, 100, 101, 999_999]) assert.ok(["one", "other"].includes(rules.select(count)), `${language} ${count}`);
  }
});

test("numbers, ages and times are formatted for the language", () => {
  const at = "2026-02-04T08:05:00";
  const seen: Record<string, string[]> = {};
  for (const language of LANGUAGES) {
    setMessages(words(language), language);
    seen[language] = [translate("questions", { count: 1234 }), formatAgo(240_000), formatAge(7_200_000), formatDuration(3_900_000), formatPercent(0.5), formatUnit(1.5, "megabyte"), formatTime(at, Date.parse(at)), formatHour(20)];
  }
  const flat = (of: string[] = []) => of.map((text) => text.replace(/[\u00a0\u202f]/g, " "));
  assert.deepEqual(flat(seen.de), ["1.234 Fragen", "vor 4 Minuten", "2 Std.", "1 Std. 5 Min.", "50 %", "1,5 MB", "08:05", "20 Uhr"]);
  assert.deepEqual(flat(seen.fr), ["1 234 questions", "il y a 4 minutes", "2 h", "1 h 5 min", "50 %", "1,5 Mo", "08:05", "20 h"]);
  assert.deepEqual(flat(seen.ja), ["質問1,234件", "4 分前", "2 時間", "1 時間 5 分", "50%", "1.5 MB", "8:05", "20時"]);
  setMessages(words("fr"), "fr");
  assert.equal(translate("questions", { count: 0 }), "0 question");
  setMessages(words("en"), "en", "en-GB");
  assert.equal(formatTime("2026-02-03T20:05:00", Date.parse(at)), "3 Feb 20:05");
});

test("a failure has a translated text, whatever the hub calls it", () => {
  setMessages(words("de"), "de");
  const text = (type: string) => errorText(new Problem(409, { type: `urn:ask-user:problem:${type}`, detail: "What programs are told." }));
  assert.equal(text("too-large"), "es ist zu groß; kürze es oder hänge es als Datei an");
  assert.equal(text("of-tomorrow"), "der Hub hat es abgelehnt (of-tomorrow)");
  assert.equal(errorText(new TypeError("Failed to fetch")), "keine Verbindung");
});

test("every refusal of the hub has a message", () => {
  const kinds = [...readFileSync("../../ask-hub/src/http/problem.rs", "utf8").matchAll(/Self::\w+ => \(\s*"([\w-]+)",\s*\d+/g)].map(([, kind]) => kind as string);
  // Refusals that only programs can cause have none.
  const programs = ["wrong-key", "foreign-origin", "no-csrf-header", "foreign-host", "ambiguous", "no-route", "method-not-allowed", "foreign-account", "malformed", "key-reused"];
  assert.ok(kinds.length > programs.length);
  for (const kind of kinds) assert.equal(`problem-${kind}` in english, !programs.includes(kind), kind);
});

/** Literal texts in a source file that a person would read. */
function literalTexts(file: string): string[] {
  const source = ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX);
  const found: string[] = [];
  const READ = new Set(["aria-label", "aria-description", "alt", "label", "placeholder", "title"]);
  // Names that are the same in every language.
  const NAMES = new Set(["ask", "ask-user web", "Markdown", "CSV", "JSON"]);
  const note = (text: string) => {
    if (/\p{L}{2}/u.test(text) && !NAMES.has(text.trim())) found.push(text.trim());
  };
  const walk = (node: ts.Node): void => {
    if (ts.isJsxText(node)) note(node.text);
    if (ts.isJsxAttribute(node) && READ.has(node.name.getText()) && node.initializer && ts.isStringLiteral(node.initializer)) note(node.initializer.text);
    if (ts.isJsxExpression(node) && node.expression && ts.isJsxElement(node.parent) && ts.isStringLiteralLike(node.expression)) note(node.expression.text);
    ts.forEachChild(node, walk);
  };
  walk(source);
  return found;
}

test("the page's sources contain no literal text", () => {
  const files = readdirSync("src", { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".tsx"));
  assert.ok(files.length > 30);
  for (const file of files) assert.deepEqual(literalTexts(`src/${file}`), [], file);
});
