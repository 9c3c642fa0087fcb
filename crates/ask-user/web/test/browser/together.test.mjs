// Several hands on one ask: a terminal and pages type into the same field at the same time, and answer it at the
// same time. Nothing is put under anybody's hands, what one doesn't show it tells of, and one of them wins.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Hub, Terminal, closeBrowser, open } from "./support.mjs";

let hub;
before(async () => {
  hub = await Hub.start();
});
after(async () => {
  await closeBrowser();
  await hub.stop();
});

const text = (question) => ({ questions: [{ question, type: "text" }] });
const field = (page) => page.getByLabel("Your answer");
const draft = async (id) => (await hub.show(id)).draft?.answers[0].own;
const at = async (page, id) => {
  await page.goto(`${hub.base}/a/${id}`);
  await page.locator(".link.live").waitFor();
  await field(page).focus();
};

/** Waits until the hub keeps one of these drafts. */
async function kept(id, ...wanted) {
  let last;
  for (let tries = 0; tries < 100; tries++) {
    last = await draft(id);
    if (wanted.includes(last)) return last;
  }
  throw new Error(`the hub keeps ${last}, not ${wanted.join(" or ")}`);
}

/** Types a part of both at once, again and again, so that each is kept while the other goes on. */
async function both(page, terminal, mine, theirs, parts = 5) {
  for (let part = 0; part < parts; part++) {
    const cut = (words) => words.slice(Math.floor((part * words.length) / parts), Math.floor(((part + 1) * words.length) / parts));
    const saved = page.waitForResponse((response) => response.url().endsWith("/draft"));
    await Promise.all([page.keyboard.type(cut(mine)), terminal.press("-l", cut(theirs))]);
    await saved;
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
    await both(page, terminal, mine, theirs);
    assert.equal(await field(page).inputValue(), `[${mine}]`);
    assert.equal(await field(page).evaluate(({ selectionStart, selectionEnd, id }) => [selectionStart, selectionEnd, document.activeElement.id === id].join()), `${mine.length + 1},${mine.length + 1},true`);
    await terminal.see(theirs);
    // The one whose words the hub keeps is told of by the other.
    await kept(agent.id, `[${mine}]`, theirs);
    await page.getByText(/^Changed in terminal/).waitFor();
    await terminal.see("changed in browser");
    // Both are the same once one has loaded the other's, whole.
    await page.getByRole("button", { name: "Load it" }).press("Enter");
    assert.equal(await field(page).inputValue(), theirs);
    await page.getByRole("button", { name: "Bring mine back" }).press("Enter");
    assert.equal(await field(page).inputValue(), `[${mine}]`);
    await kept(agent.id, `[${mine}]`);
    await terminal.press("Escape");
    await terminal.see("l loads it");
    await terminal.press("l");
    await terminal.see(`[${mine}]`);
    await kept(agent.id, `[${mine}]`);
    await page.waitForFunction((mine) => document.querySelector("textarea").value === mine, `[${mine}]`);
    // Sent from one, the very words are in the other.
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
    const pages = [await open(await hub.link()), await open(await hub.link())];
    const words = ["from the first page", "from the second page", "from the terminal"];
    try {
      await terminal.see("Who is first");
      for (const [n, { page }] of pages.entries()) {
        await at(page, agent.id);
        await field(page).fill(words[n]);
      }
      // What a page typed is there while nothing is typed here.
      await terminal.see("from the");
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
        await page.locator(".resolved h1").waitFor();
        const head = await page.locator(".resolved h1").textContent();
        if (given === words[n]) {
          assert.match(head, /^Sent to/);
          continue;
        }
        assert.match(head, given === words[2] ? /^Answered in terminal/ : /^Answered in browser/);
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
