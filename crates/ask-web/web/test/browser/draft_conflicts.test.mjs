// Two independent drafts of one ask: the newest is shown, and the other is offered until one of them is sent.
import assert from "node:assert/strict";
import { test } from "node:test";
import { stores, open, ownHub } from "./support.mjs";

const hub = await ownHub();

const text = (question) => ({ questions: [{ question, type: "text" }] });
const field = (page) => page.getByLabel("Your answer");
/** Waits until the hub has saved this text. */
const saved = (page, words) => page.waitForResponse((response) => response.url().endsWith("/draft") && response.ok() && response.request().postDataJSON().draft.answers[0].own === words);
/** Types a text and waits until the hub has saved it. */
const types = (page, words) => Promise.all([saved(page, words), field(page).fill(words)]);
const mine = (page) => page.getByRole("button", { name: "Bring mine back" });
const theirs = (page) => page.getByRole("button", { name: "Load it" });

/** Opens a page with an ask. */
async function at(id, context) {
  const opened = await open(context ? `${hub.base}/` : await hub.link(), { context, serviceWorkers: "block" });
  await opened.page.locator(".list").waitFor();
  await opened.page.goto(`${hub.base}/a/${id}`);
  await opened.page.locator(".connection.live").waitFor();
  await field(opened.page).waitFor();
  return opened;
}

/** Takes the page offline. A private window would lose its storage with its last tab, so another tab stays open. */
async function cut({ context }) {
  const holds = await context.newPage();
  await holds.goto(`${hub.base}/healthz`);
  await holds.evaluate(() => new Promise((done) => ((window.held = indexedDB.open("ask-user", 1)).onsuccess = done)));
  await context.setOffline(true);
}

test("a draft that a closed tab stored doesn't replace a newer one, and is offered after each reload", async () => {
  const agent = await hub.ask(text("Which of two?"));
  const here = await at(agent.id);
  // The hub never gets it.
  await cut(here);
  await field(here.page).fill("old words");
  await stores(here.page, "drafts", agent.id, "old words");
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
  assert.equal((await agent.result()).answers[0].values[0], "old words and many newer ones");
  agent.end();
  await here.context.close();
  await there.context.close();
});

test("text typed offline later than elsewhere is shown, and the other is offered", async () => {
  const agent = await hub.ask(text("Which is later?"));
  const here = await at(agent.id);
  await cut(here);
  const there = await at(agent.id);
  await types(there.page, "typed first");
  await field(here.page).fill("typed last");
  await stores(here.page, "drafts", agent.id, "typed last");
  await here.page.close();
  await there.page.close();
  await here.context.setOffline(false);
  const { page } = await at(agent.id, here.context);
  await page.waitForFunction(() => document.querySelector("textarea").value === "typed last");
  agent.end();
  await here.context.close();
  await there.context.close();
});

test("a queued answer that was changed elsewhere meanwhile is not sent, and the change is offered", async () => {
  const agent = await hub.ask(text("Which of both?"));
  const here = await at(agent.id);
  await here.context.setOffline(true);
  await field(here.page).fill("yes");
  await here.page.locator(".bar .primary").click();
  await here.page.getByText(/^Your answer waits for the connection/).waitFor();
  const there = await at(agent.id);
  await types(there.page, "changed my mind: no");
  await here.context.setOffline(false);
  await here.page.locator(".toast", { hasText: "You changed this answer elsewhere. Nothing was sent." }).waitFor();
  await theirs(here.page).click();
  await here.page.waitForFunction(() => document.querySelector("textarea").value === "changed my mind: no");
  await mine(here.page).waitFor();
  await here.page.locator(".bar .primary").click();
  assert.equal((await agent.result()).answers[0].values[0], "changed my mind: no");
  agent.end();
  await here.context.close();
  await there.context.close();
});

test("an unfinished answer is offered after the person has declined or asked back instead", async () => {
  for (const name of ["Ask back", "Decline"]) {
    const agent = await hub.ask(text(`${name}?`));
    const { page, context } = await at(agent.id);
    await types(page, "half an answer");
    await page.getByRole("button", { name, exact: true }).first().click();
    await page.getByRole("dialog").getByRole("textbox").fill("not like this");
    await page.getByRole("dialog").locator(".primary").click();
    await page.getByText("Nothing you typed here was sent.").waitFor();
    assert.match(await page.getByRole("region", { name: "Your draft" }).textContent(), /half an answer/);
    // The hub keeps what was typed and not sent.
    await page.reload();
    await page.getByRole("region", { name: "Your draft" }).getByText("half an answer").waitFor();
    agent.end();
    await context.close();
  }
});
