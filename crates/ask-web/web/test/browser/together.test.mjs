// Several hands on one ask: a terminal and pages type into the same field at the same time, and answer it at the
// same time. Nothing is put under anybody's hands, what one doesn't show it tells of, and one of them wins.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Terminal, open, ownHub } from "./support.mjs";

const START = "2026-02-04T12:00:00Z";
let passed = 0;
const hub = await ownHub({ now: START });

/** No other time passes for the hub and for terminals: however slow the machine is, whoever types has just typed. */
function pass(ms) {
  passed += ms;
  hub.clock(new Date(Date.parse(START) + passed).toISOString());
}
/** After so long a terminal has what was typed be kept, and takes keys that answer; its hands are still at work. */
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
/** A draft that the hub takes, this one if one is named. */
const saves = (page, own) =>
  page.waitForResponse((response) => response.url().endsWith("/draft") && response.ok() && (!own || response.request().postDataJSON().draft.answers[0].own === own));

/** Waits until something comes to this. */
async function comes(to, what, found) {
  const last = Date.now() + 60_000;
  for (;;) {
    const now = await found();
    if (to(now)) return;
    assert.ok(Date.now() < last, `${what}, and not:\n${now}`);
  }
}
/** Waits until the hub keeps this draft. */
const kept = (id, wanted) => comes((own) => own === wanted, `the hub keeps ${wanted}`, () => draft(id));
/** Waits until a terminal shows this no more. */
const unseen = (terminal, text) => comes((screen) => !screen.includes(text), `the terminal doesn't show ${text}`, () => terminal.tmux("capture-pane", "-p"));

/** Types a part of both at once, again and again, so that each is kept while the other goes on. */
async function both(page, terminal, mine, theirs, parts = 5) {
  const until = (words, part) => Math.floor((part * words.length) / parts);
  const cut = (words, part) => words.slice(until(words, part), until(words, part + 1));
  for (let part = 0; part < parts; part++) {
    const saved = page.waitForResponse((response) => response.url().endsWith("/draft"));
    const there = async () => {
      await terminal.press("-l", cut(theirs, part));
      await terminal.see(theirs.slice(0, until(theirs, part + 1)).trimEnd());
    };
    // What a page saves comes into a terminal where nothing was typed yet.
    if (!part) await there();
    await Promise.all([page.keyboard.type(cut(mine, part)), part ? there() : undefined]);
    await saved;
    pass(SAVED_MS);
  }
}

test("a terminal and a page type into one field at once: no letter is lost, and each is told of the other", async () => {
  const agent = await hub.ask(text("What is it called?"));
  const terminal = await Terminal.open(hub, "--id", agent.id);
  const { page, done } = await open(await hub.link());
  const [mine, theirs] = ["words that the page types", "letters from the terminal itself"];
  try {
    await terminal.see("What is it called?");
    await at(page, agent.id);
    // The caret stands before what is there already, and stays there.
    await page.keyboard.type("[]");
    await page.keyboard.press("ArrowLeft");
    // The field of the terminal shows it while nothing is typed there; then it is put away.
    await terminal.see("[]");
    await terminal.press("BSpace", "BSpace");
    await unseen(terminal, "[]");
    const whole = saves(page, `[${mine}]`);
    await both(page, terminal, mine, theirs.slice(0, -1));
    assert.equal(await field(page).inputValue(), `[${mine}]`);
    assert.equal(await field(page).evaluate(({ selectionStart, selectionEnd, id }) => [selectionStart, selectionEnd, document.activeElement.id === id].join()), `${mine.length + 1},${mine.length + 1},true`);
    await whole;
    // The hub keeps the words of the one that typed last, and each is told of the other's.
    await page.evaluate((id) => {
      // What the tab that holds the stream has heard, it passes on.
      window.passed = new BroadcastChannel("ask-user-events");
      window.passed.onmessage = ({ data: { data } }) => data?.askId === id && (window.heard = data.draft?.answers[0].own);
    }, agent.id);
    await terminal.press("-l", theirs.at(-1));
    await terminal.see(theirs);
    pass(SAVED_MS);
    await kept(agent.id, theirs);
    await page.waitForFunction((theirs) => window.heard === theirs, theirs);
    await page.getByText(/^Changed in terminal/).waitFor();
    await terminal.see("changed in browser");
    // Both are the same once one has loaded the other's, whole.
    await page.getByRole("button", { name: "Load it" }).press("Enter");
    assert.equal(await field(page).inputValue(), theirs);
    await page.getByRole("button", { name: "Bring mine back" }).press("Enter");
    assert.equal(await field(page).inputValue(), `[${mine}]`);
    await kept(agent.id, `[${mine}]`);
    await terminal.see("Esc, then l loads it");
    await terminal.press("Escape");
    // What comes in one breath with Esc is Alt and a letter to every terminal.
    await unseen(terminal, "Esc, then");
    await terminal.press("l");
    await terminal.see(`[${mine}]`);
    await kept(agent.id, `[${mine}]`);
    await page.waitForFunction((mine) => document.querySelector("textarea").value === mine, `[${mine}]`);
    // Sent from one, the very words are in the other. What took the place of one's own is not sent before it can be seen.
    await page.evaluate(() => (window.since = performance.now()));
    await page.waitForFunction(() => performance.now() > window.since + 700);
    await page.locator(".bar .primary").press("Enter");
    await page.getByRole("heading", { name: /^Sent to/ }).waitFor();
    await terminal.see("ANSWERED IN THE BROWSER");
    await terminal.see(`[${mine}]`);
    assert.deepEqual((await agent.given()).answers[0].values, [`[${mine}]`]);
  } finally {
    await terminal.close();
  }
  await done();
});

test("sent from the terminal while the page types: the page says where, shows the very words, and keeps its own", async () => {
  const agent = await hub.ask(text("And this one?"));
  const terminal = await Terminal.open(hub, "--id", agent.id);
  const { page, context, done } = await open(await hub.link());
  try {
    await context.grantPermissions(["clipboard-read", "clipboard-write"], { origin: hub.base });
    await terminal.see("And this one?");
    await at(page, agent.id);
    await both(page, terminal, "mine, not sent", "theirs, sent", 3);
    await terminal.see("theirs, sent");
    await terminal.press("Enter");
    await page.getByRole("heading", { name: /^Answered in terminal/ }).waitFor();
    assert.deepEqual((await agent.given()).answers[0].values, ["theirs, sent"]);
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

test("two pages and a terminal answer at once: one wins, the others say who, and offer what was typed there", async () => {
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
      // What a page typed is there while nothing is typed here.
      await terminal.see(words[1]);
      pass(SAVED_MS);
      // All are on their way before one of them arrives.
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
      const { values: [given] } = (await agent.given()).answers[0];
      const { answeredBy } = await hub.show(agent.id);
      assert.equal(answeredBy, given === words[2] ? "terminal" : "web");
      for (const [n, { page }] of pages.entries()) {
        // That it is closed may be heard before the reply to one's own answer.
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
