// The page in each language: whole screens, with nothing left in English and nothing too wide.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { fake } from "../fake_hub.mjs";
import { tooWide } from "./axe.mjs";
import { overflowing, spaced } from "./overflow.mjs";
import { STATES, messagesOf } from "./states.mjs";
import { Hub, browser, closeBrowser, open } from "./support.mjs";

const words = Object.fromEntries(["de", "en", "es", "fr", "ja", "ko", "zh-Hans"].map((language) => [
  language, JSON.parse(readFileSync(new URL(`../../dist/words.${language}.json`, import.meta.url), "utf8")),
]));
const forms = (message) => [message].flat();

/** English messages that differ in a language: none of them may be seen in it. */
function untranslated(language) {
  const theirs = new Set(Object.values(words[language]).flatMap(forms));
  const english = Object.values(words.en).flatMap(forms).filter((text) => text.length > 2 && !theirs.has(text) && text !== "ask");
  return english.map((text) => `^${text.replace(/[.*+?^$()|[\]\\]/g, "\\$&").replace(/\{\w+\}/g, "(.+)")}$`);
}

/** The visible texts of the page that are English. */
const read = (page, foreign) => page.evaluate((foreign) => {
  const found = [document.title];
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
  while (walk.nextNode()) {
    const node = walk.currentNode;
    if (node instanceof Text) found.push(node.data);
    else found.push(...["aria-label", "placeholder", "title", "alt"].map((name) => node.getAttribute(name) ?? ""));
  }
  const patterns = foreign.map((pattern) => new RegExp(pattern));
  // Agents' texts are not translated.
  return found.map((text) => text.trim()).filter((text) => text && patterns.some((pattern) => pattern.test(text)));
}, foreign);

/** Every state of the page, some with more text in sight. */
const SCREENS = {
  ...STATES,
  "own words": ["/a/ask_0003", ".question", async (page) => {
    await page.locator("[data-choice='0']").click();
    await page.locator(".add-note").click();
  }],
  "history": ["/history?agent=codex&days=7", ".history-list", (page) => page.locator(".facets summary").click()],
  "statistics": ["/stats", ".tiles", (page) => page.locator("summary").last().click()],
};

after(closeBrowser);

for (const language of Object.keys(words)) {
  test(`every screen in ${language} at 320 px`, async (t) => {
    // Each language has a hub of its own, so that the deadlines are as far away as at the start.
    const hub = fake();
    const base = await hub.listen();
    t.after(() => hub.stop());
    const wanted = { "zh-Hans": "zh-CN", ja: "ja-JP", ko: "ko-KR", de: "de-DE" }[language] ?? language;
    const { page, done } = await open(base, { locale: wanted, viewport: { width: 320, height: 640 }, serviceWorkers: "block" });
    const say = messagesOf(language);
    for (const [name, [path, ready, act]] of Object.entries(SCREENS)) {
      await t.test(name, async () => {
        // Navigates as a link of the page does, without loading anything again.
        await page.evaluate((path) => {
          document.querySelector("dialog")?.close();
          history.pushState(null, "", path);
          dispatchEvent(new PopStateEvent("popstate"));
        }, path);
        await page.locator(ready).first().waitFor();
        await act?.(page, say);
        assert.equal(await page.evaluate(() => document.documentElement.lang), language);
        assert.deepEqual(await read(page, untranslated(language)), []);
        const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
        assert.ok(wide <= 0, `${wide} px too wide`);
        // Text isn't cut off with larger spacing either.
        await spaced(page);
        assert.deepEqual([await overflowing(page), await tooWide(page)], [[], 0]);
        await spaced(page, false);
        if (process.env.PICTURES) await page.screenshot({ path: join(process.env.PICTURES, `${language} ${name}.png`) });
      });
    }
    await done();
  });
}

test("a browser that prefers German gets the page in German from a real hub", async () => {
  const real = await Hub.start();
  try {
    const agent = await real.ask({ title: "Name", questions: [{ question: "Ship it?", type: "confirm" }, { question: "Why?", type: "text" }] });
    const { page, done } = await open(await real.link(), { locale: "de-DE" });
    await page.locator(".list").waitFor();
    await page.goto(`${real.base}/a/${agent.id}`);
    await page.getByRole("heading", { name: "Frage 1 von 2" }).waitFor();
    await page.getByRole("radio", { name: "Ja" }).check();
    await page.getByRole("button", { name: "Weiter" }).click();
    await page.getByLabel("Deine Antwort").fill("weil");
    await page.locator(".steps button").last().click();
    await page.getByRole("button", { name: "2 Antworten senden" }).click();
    await page.getByRole("heading", { name: "An claude-code gesendet" }).waitFor();
    assert.deepEqual((await agent.result()).answers.map((answer) => answer.values), [["yes"], ["weil"]]);
    await page.goto(`${real.base}/history/${agent.id}`);
    await page.getByText("beantwortet (Browser)").waitFor();
    // The window's title is set after the list is shown, and counts an ask until the answer is delivered.
    await page.waitForFunction(() => document.title === "Verlauf · ask");
    assert.deepEqual(await read(page, untranslated("de")), []);
    await page.goto(`${real.base}/settings`);
    await page.getByText("Eine Frage wird 90 Tage nach ihrem Ende entfernt.").waitFor();
    assert.deepEqual(await read(page, untranslated("de")), []);
    await done();
  } finally {
    await real.stop();
  }
});

test("the language setting takes precedence over the browser's, and after the first visit from the first paint on", async () => {
  const real = await Hub.start();
  try {
    await real.run("hub", "--stop");
    const file = join(real.home, "config.toml");
    writeFileSync(file, `[language]\nuse = "ja"\n${readFileSync(file, "utf8")}`);
    const { page, done } = await open(await real.link(), { locale: "de-DE" });
    await page.getByText("待っている質問はありません。").waitFor();
    assert.equal(await page.evaluate(() => document.documentElement.lang), "ja");
    const asked = [];
    page.on("request", (request) => request.url().includes("words.") && asked.push(new URL(request.url()).pathname));
    await page.reload();
    await page.getByText("待っている質問はありません。").waitFor();
    assert.deepEqual(asked, ["/assets/words.ja.json"]);
    await page.goto(`${real.base}/settings`);
    await page.getByText("設定 language.use で選ばれています").waitFor();
    await done();
  } finally {
    await real.stop();
  }
});
