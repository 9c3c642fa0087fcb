// Two drafts of one ask that knew nothing of each other: the newest stands, and the words of the other are offered
// until one of them is sent.
import assert from "node:assert/strict";
import { test } from "node:test";
import { keeps, open, ownHub } from "./support.mjs";

const hub = await ownHub();

const text = (question) => ({ questions: [{ question, type: "text" }] });
const field = (page) => page.getByLabel("Your answer");
/** Comes once the hub has such words. */
const saved = (page, words) => page.waitForResponse((response) => response.url().endsWith("/draft") && response.ok() && response.request().postDataJSON().draft.answers[0].own === words);
/** Types words, until the hub has them. */
const types = (page, words) => Promise.all([saved(page, words), field(page).fill(words)]);
const mine = (page) => page.getByRole("button", { name: "Bring mine back" });
const theirs = (page) => page.getByRole("button", { name: "Load it" });

/** A page at an ask. */
async function at(id, context) {
  const opened = await open(context ? `${hub.base}/` : await hub.link(), { context, serviceWorkers: "block" });
  await opened.page.locator(".list").waitFor();
  await opened.page.goto(`${hub.base}/a/${id}`);
  await opened.page.locator(".connection.live").waitFor();
  await field(opened.page).waitFor();
  return opened;
}

/** Cuts the line. What a window without a history keeps would go with the last tab that has it open. */
async function cut({ context }) {
  const holds = await context.newPage();
  await holds.goto(`${hub.base}/healthz`);
  await holds.evaluate(() => new Promise((done) => ((window.held = indexedDB.open("ask-user", 1)).onsuccess = done)));
  await context.setOffline(true);
}

test("what a closed tab kept takes no newer draft's place, and is offered however often the page is loaded", async () => {
  const agent = await hub.ask(text("Which of two?"));
  const here = await at(agent.id);
  // The hub never has it.
  await cut(here);
  await field(here.page).fill("old words");
  await keeps(here.page, "drafts", agent.id, "old words");
  await here.page.close();
  const there = await at(agent.id);
  await types(there.page, "old words and many newer ones");
  await there.page.close();
  await here.context.setOffline(false);

  const { page } = await at(agent.id, here.context);
  for (let time = 0; time < 3; time++) {
    await mine(page).waitFor();
    assert.equal(await field(page).inputValue(), "old words and many newer ones");
    await page.reload();
    await page.locator(".connection.live").waitFor();
  }
  await Promise.all([saved(page, "old words"), mine(page).click()]);
  assert.equal(await field(page).inputValue(), "old words");
  await page.reload();
  await theirs(page).waitFor();
  assert.equal(await field(page).inputValue(), "old words");
  await theirs(page).click();
  await page.locator(".bar .primary").click();
  assert.equal((await agent.given()).answers[0].values[0], "old words and many newer ones");
  agent.end();
  await here.context.close();
  await there.context.close();
});

test("what was typed without a line later than elsewhere stands, and the other is offered", async () => {
  const agent = await hub.ask(text("Which is later?"));
  const here = await at(agent.id);
  await cut(here);
  const there = await at(agent.id);
  await types(there.page, "typed first");
  await field(here.page).fill("typed last");
  await keeps(here.page, "drafts", agent.id, "typed last");
  await here.page.close();
  await there.page.close();
  await here.context.setOffline(false);
  const { page } = await at(agent.id, here.context);
  await page.waitForFunction(() => document.querySelector("textarea").value === "typed last");
  agent.end();
  await here.context.close();
  await there.context.close();
});

test("an answer that was begun is offered after its person has declined or asked back instead", async () => {
  for (const name of ["Ask back", "Decline"]) {
    const agent = await hub.ask(text(`${name}?`));
    const { page, context } = await at(agent.id);
    await types(page, "half an answer");
    await page.getByRole("button", { name, exact: true }).first().click();
    await page.getByRole("dialog").getByRole("textbox").fill("not like this");
    await page.getByRole("dialog").locator(".primary").click();
    await page.getByText("Nothing you typed here was sent.").waitFor();
    assert.match(await page.getByRole("region", { name: "Your draft" }).textContent(), /half an answer/);
    // The hub keeps no draft of what is over.
    await keeps(page, "drafts", agent.id, "half an answer");
    await page.reload();
    await page.getByRole("region", { name: "Your draft" }).getByText("half an answer").waitFor();
    agent.end();
    await context.close();
  }
});
