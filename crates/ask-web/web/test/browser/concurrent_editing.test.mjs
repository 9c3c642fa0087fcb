// Several surfaces on one ask: a terminal and pages type into the same field and answer at the same time. No text changes
// while somebody types it, each surface offers the other's text, and one answer wins.
import assert from "node:assert/strict";
import { test } from "node:test";
import { noticed, Terminal, open, ownHub } from "./support.mjs";

const START = "2026-02-04T12:00:00Z";
let passed = 0;
const hub = await ownHub({ now: START });

/** Advances the clock of the hub and the terminals, which is stopped otherwise: however slow the machine is, a key is recent. */
function pass(ms) {
  passed += ms;
  hub.clock(new Date(Date.parse(START) + passed).toISOString());
}
/** After this time a terminal saves what was typed and accepts keys that answer, but still counts as being typed in. */
const SAVED_MS = 600;

const text = (question) => ({ questions: [{ question, type: "text" }] });
const field = (page) => page.getByLabel("Your answer");
const draft = async (id) => (await hub.show(id)).draft?.answers[0].own;
const at = async (page, id) => {
  await page.locator(".list").waitFor();
  await page.goto(`${hub.base}/a/${id}`);
  await page.locator(".connection.live").waitFor();
  await field(page).focus();
};
/** Waits until the hub accepts a draft, this one if it is given. */
const saves = (page, own) =>
  page.waitForResponse((response) => response.url().endsWith("/draft") && response.ok() && (!own || response.request().postDataJSON().draft.answers[0].own === own));

/** Waits until a value fulfils a condition. */
async function waitFor(condition, what, read) {
  const last = Date.now() + 60_000;
  for (;;) {
    const now = await read();
    if (condition(now)) return;
    assert.ok(Date.now() < last, `${what}, and not:\n${now}`);
  }
}
/** Waits until the hub has saved this draft. */
const saved = (id, wanted) => waitFor((own) => own === wanted, `the hub keeps ${wanted}`, () => draft(id));
/** Waits until a terminal doesn't show this any more. */
const unseen = (terminal, text) => waitFor((screen) => !screen.includes(text), `the terminal doesn't show ${text}`, () => terminal.tmux("capture-pane", "-p"));

/** Types parts of two texts at once, again and again, so that each is saved while the other goes on. */
async function typeBoth(page, terminal, mine, theirs, parts = 5) {
  const until = (words, part) => Math.floor((part * words.length) / parts);
  const cut = (words, part) => words.slice(until(words, part), until(words, part + 1));
  for (let part = 0; part < parts; part++) {
    const saved = page.waitForResponse((response) => response.url().endsWith("/draft"));
    const there = async () => {
      await terminal.press("-l", cut(theirs, part));
      await terminal.see(theirs.slice(0, until(theirs, part + 1)).trimEnd());
    };
    // A terminal in which nothing was typed yet shows what the page saves.
    if (!part) await there();
    await Promise.all([page.keyboard.type(cut(mine, part)), part ? there() : undefined]);
    await saved;
    pass(SAVED_MS);
  }
}

test("a terminal and a page type into one field at once: no letter is lost, and each offers the other's text", async () => {
  const agent = await hub.ask(text("What is it called?"));
  const terminal = await Terminal.open(hub, "--id", agent.id);
  const { page, done } = await open(await hub.link());
  const [mine, theirs] = ["words that the page types", "letters from the terminal itself"];
  try {
    await terminal.see("What is it called?");
    await at(page, agent.id);
    // The caret is before the existing text, and stays there.
    await page.keyboard.type("[]");
    await page.keyboard.press("ArrowLeft");
    // The terminal's field shows it until something is typed there. Then it is offered.
    await terminal.see("[]");
    await terminal.press("BSpace", "BSpace");
    await unseen(terminal, "[]");
    const whole = saves(page, `[${mine}]`);
    await typeBoth(page, terminal, mine, theirs.slice(0, -1));
    assert.equal(await field(page).inputValue(), `[${mine}]`);
    assert.equal(await field(page).evaluate(({ selectionStart, selectionEnd, id }) => [selectionStart, selectionEnd, document.activeElement.id === id].join()), `${mine.length + 1},${mine.length + 1},true`);
    await whole;
    // The hub has the text that was typed last, and each surface offers the other's.
    await page.evaluate((id) => {
      // The leading tab passes on its events.
      window.passed = new BroadcastChannel("ask-user-events");
      window.passed.onmessage = ({ data: { data } }) => data?.askId === id && (window.heard = data.draft?.answers[0].own);
    }, agent.id);
    await terminal.press("-l", theirs.at(-1));
    await terminal.see(theirs);
    pass(SAVED_MS);
    await saved(agent.id, theirs);
    await page.waitForFunction((theirs) => window.heard === theirs, theirs);
    await page.getByText(/^Changed in terminal/).waitFor();
    await terminal.see("changed in browser");
    // Both are the same once one has loaded the other's text.
    await page.getByRole("button", { name: "Load it" }).press("Enter");
    assert.equal(await field(page).inputValue(), theirs);
    await page.getByRole("button", { name: "Bring mine back" }).press("Enter");
    assert.equal(await field(page).inputValue(), `[${mine}]`);
    await saved(agent.id, `[${mine}]`);
    await terminal.see("Esc, then l loads it");
    await terminal.press("Escape");
    // A letter that directly follows Esc is Alt with that letter in every terminal.
    await unseen(terminal, "Esc, then");
    await terminal.press("l");
    await terminal.see(`[${mine}]`);
    await saved(agent.id, `[${mine}]`);
    await page.waitForFunction((mine) => document.querySelector("textarea").value === mine, `[${mine}]`);
    // The answer sent from one surface is shown in the other. A text that replaced one's own isn't sent before it can be noticed.
    await noticed(page);
    await page.locator(".bar .primary").press("Enter");
    await page.getByRole("heading", { name: /^Sent to/ }).waitFor();
    await terminal.see("ANSWERED IN THE BROWSER");
    await terminal.see(`[${mine}]`);
    assert.deepEqual((await agent.result()).answers[0].values, [`[${mine}]`]);
  } finally {
    await terminal.close();
  }
  await done();
});

test("an answer is sent from the terminal while the page types: the page says where, shows its text, and keeps its own", async () => {
  const agent = await hub.ask(text("And this one?"));
  const terminal = await Terminal.open(hub, "--id", agent.id);
  const { page, context, done } = await open(await hub.link());
  try {
    await context.grantPermissions(["clipboard-read", "clipboard-write"], { origin: hub.base });
    await terminal.see("And this one?");
    await at(page, agent.id);
    await typeBoth(page, terminal, "mine, not sent", "theirs, sent", 3);
    await terminal.see("theirs, sent");
    await terminal.press("Enter");
    await page.getByRole("heading", { name: /^Answered in terminal/ }).waitFor();
    assert.deepEqual((await agent.result()).answers[0].values, ["theirs, sent"]);
    await page.getByRole("region", { name: "What was answered" }).getByText("theirs, sent", { exact: true }).waitFor();
    await page.getByRole("region", { name: "Your draft" }).getByText("mine, not sent", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Copy my draft" }).press("Enter");
    await page.getByText("Copied.").first().waitFor();
    assert.match(await page.evaluate(() => navigator.clipboard.readText()), /mine, not sent/);
  } finally {
    await terminal.close();
  }
  await done();
});

test("two pages and a terminal answer at once: one wins, the others say which, and offer what was typed there", async () => {
  for (const first of ["pages", "terminal"]) {
    const agent = await hub.ask(text(`Who is first, of ${first}?`));
    const terminal = await Terminal.open(hub, "--id", agent.id);
    const pages = [await open(await hub.link(), { serviceWorkers: "block" }), await open(await hub.link(), { serviceWorkers: "block" })];
    const words = ["from the first page", "from the second page", "from the terminal"];
    try {
      await terminal.see("Who is first");
      for (const [n, { page }] of pages.entries()) {
        await at(page, agent.id);
        const saved = saves(page, words[n]);
        await field(page).fill(words[n]);
        await saved;
      }
      // The page's text is shown while nothing is typed here.
      await terminal.see(words[1]);
      pass(SAVED_MS);
      // All answers are under way before one arrives.
      let go;
      const gate = new Promise((open) => (go = open));
      const coming = pages.map(async ({ page }) => {
        await page.route("**/answer", async (route) => {
          await gate;
          await route.continue();
        });
        const asked = page.waitForRequest("**/answer");
        await page.keyboard.press("Control+Enter");
        await asked;
      });
      await Promise.all(coming);
      await terminal.press("-N", "40", "BSpace");
      await terminal.press("-l", words[2]);
      await terminal.see(words[2]);
      if (first === "pages") go();
      await terminal.press("Enter");
      go();
      const { values: [given] } = (await agent.result()).answers[0];
      const { answeredBy } = await hub.show(agent.id);
      assert.equal(answeredBy, given === words[2] ? "terminal" : "web");
      for (const [n, { page }] of pages.entries()) {
        // The event that it is closed may come before the reply to one's own answer.
        const how = given === words[n] ? /^Sent to/ : given === words[2] ? /^Answered in terminal/ : /^Answered in browser/;
        await page.locator(".resolved h1", { hasText: how }).waitFor();
        if (given === words[n]) continue;
        await page.getByRole("region", { name: "What was answered" }).getByText(given, { exact: true }).waitFor();
        await page.getByRole("region", { name: "Your draft" }).getByText(words[n], { exact: true }).waitFor();
        assert.ok(await page.getByRole("button", { name: "Copy my draft" }).isVisible());
      }
      if (given !== words[2]) {
        await terminal.see("ANSWERED IN THE BROWSER");
        await terminal.see(given);
        await terminal.see("Your draft here was different");
        await terminal.see("y copy");
      }
    } finally {
      await terminal.close();
    }
    for (const { done } of pages) await done();
  }
});
