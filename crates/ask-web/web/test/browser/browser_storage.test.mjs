// The browser's storage: unsent texts of dialogs, taps in the list, and asks, so that they can be answered offline. All of
// it is deleted with its ask.
import assert from "node:assert/strict";
import { after, afterEach, beforeEach, test } from "node:test";
import { fake } from "../fake_hub.mjs";
import { ask, confirm } from "../samples.mjs";
import { LIMIT, closeBrowser, noticed, stores, open, pauseClock, until } from "./support.mjs";

let hub;
let base;
beforeEach(async () => {
  hub = fake();
  base = await hub.listen();
});
afterEach(() => hub.stop());
after(closeBrowser);

const text = (question) => ask({ asker: { client: "codex" }, questions: [{ type: "text", question }] });
const field = (page) => page.getByLabel("Your answer");
const send = (page) => page.locator(".bar .primary");
const live = (page) => page.locator(".connection.live").waitFor();
const sent = (page) => page.getByRole("heading", { name: /^Sent to/ }).waitFor();
const given = (id) => hub.records.get(id).outcome?.answers[0];
const answers = () => hub.seen.filter(({ path }) => path.endsWith("/answer"));

/** Waits until a field has this text. */
async function hasText(field, words) {
  const last = Date.now() + LIMIT;
  while ((await field.inputValue()) !== words) assert.ok(Date.now() < last, `the field never had ${words}`);
}

/** Advances the page's clock frame by frame until this is shown. */
async function frames(page, wanted) {
  const last = Date.now() + LIMIT;
  while (!(await page.locator(wanted).count())) {
    assert.ok(Date.now() < last, `${wanted} never came`);
    await page.clock.runFor(2);
  }
}

/** Opens the card of a new ask. */
async function card(record, options) {
  hub.create(record);
  const opened = await open(undefined, { allowed: /503|ERR_/, serviceWorkers: "block", ...options });
  await opened.page.goto(`${base}/a/${record.askId}`);
  await live(opened.page);
  await opened.page.locator(".question").waitFor();
  return opened;
}

/** A confirmation on a phone with the own words "after lunch" typed, and its Yes in the list. */
async function afterLunch() {
  const record = confirm();
  hub.create(record);
  const { page, done } = await open(`${base}/a/${record.askId}`, { viewport: { width: 390, height: 844 }, serviceWorkers: "block" });
  const own = page.locator(".question textarea").first();
  await page.getByRole("radio", { name: "Other" }).check();
  await own.fill("after lunch");
  await page.getByText(/^draft saved/).waitFor({ state: "attached" });
  const yes = page.locator(".item", { has: page.locator(`a[href="/a/${record.askId}"]`) }).getByRole("button", { name: /^Yes/ });
  return { record, page, own, yes, done };
}

test("half-written texts to ask back or decline survive a reload until they are sent", async () => {
  const record = text("Which way?");
  const { page, done } = await card(record);
  const dialog = page.getByRole("dialog");
  for (const [name, words] of [["Ask back", "what about"], ["Decline", "not before"]]) {
    await page.getByRole("button", { name, exact: true }).first().click();
    await dialog.getByRole("textbox").fill(words);
    await stores(page, "drafts", record.askId, words);
    await page.reload();
    await live(page);
    await page.locator(".question").waitFor();
    await page.getByRole("button", { name, exact: true }).first().click();
    await hasText(dialog.getByRole("textbox"), words);
    await dialog.getByRole("button", { name: "Keep answering" }).click();
  }
  await page.getByRole("button", { name: "Decline", exact: true }).first().click();
  await hasText(dialog.getByRole("textbox"), "not before");
  await dialog.locator(".primary").click();
  await page.getByRole("heading", { name: "You declined" }).waitFor();
  // The question to the agent was not sent.
  await page.reload();
  const left = page.getByRole("region", { name: "Your draft" });
  await left.getByText("what about").waitFor();
  assert.equal(await left.getByText("not before").count(), 0);
  await done();
});

test("a Yes tapped in the list sends nothing that isn't visible there, and its Undo restores everything", async () => {
  hub.undoSeconds = 600;
  const { record, page, own, yes, done } = await afterLunch();
  const tap = async () => {
    await page.goto(base);
    await live(page);
    await yes.click();
  };
  await tap();
  const undo = page.getByRole("button", { name: /^Undo/ });
  await undo.waitFor();
  await noticed(page);
  await undo.click();
  await page.locator(".toast", { hasText: "Undone" }).waitFor();
  await page.goto(`${base}/a/${record.askId}`);
  await page.locator(".question").waitFor();
  await hasText(own, "after lunch");
  assert.ok(await page.getByRole("radio", { name: "Other" }).isChecked());
  // A note isn't visible in the list.
  await page.getByRole("button", { name: /Add a note/ }).click();
  const saved = page.waitForResponse((response) => response.url().endsWith("/draft") && response.request().postDataJSON().draft.answers[0].note === "but carefully");
  await page.getByLabel(/^Note/).fill("but carefully");
  await saved;
  await tap();
  await page.locator(".question").waitFor();
  assert.ok(await page.getByRole("radio", { name: "Yes" }).isChecked());
  assert.equal(answers().length, 1);
  await done();
});

test("an answer that is held is taken back on its card", async () => {
  hub.undoSeconds = 600;
  const record = confirm();
  const { page, done } = await card(record);
  await page.getByRole("radio", { name: "Yes" }).check();
  await send(page).click();
  await page.getByRole("heading", { name: /^Sent to/ }).waitFor();
  await noticed(page);
  await page.locator(".bar").getByRole("button", { name: "Undo" }).click();
  await page.locator(".question").waitFor();
  assert.equal(hub.records.get(record.askId).state, "waiting");
  await page.getByRole("radio", { name: "No" }).check();
  await send(page).click();
  await page.getByRole("heading", { name: /^Sent to/ }).waitFor();
  assert.deepEqual(given(record.askId).values, ["no"]);
  await done();
});

test("own words that a choice replaced survive a reload", async () => {
  const record = confirm();
  const { page, done } = await card(record);
  const own = page.locator(".question textarea").first();
  await page.getByRole("radio", { name: "Other" }).check();
  await own.fill("a whole paragraph");
  await page.getByRole("radio", { name: "Yes" }).check();
  await stores(page, "drafts", record.askId, "a whole paragraph");
  await page.reload();
  await live(page);
  await hasText(own, "a whole paragraph");
  await page.getByRole("radio", { name: "Other" }).check();
  await hasText(own, "a whole paragraph");
  await done();
});

test("an ask that was opened before can be answered after an offline reload, and is deleted once it is closed", async () => {
  const record = text("Still readable?");
  const { page, context, done } = await card(record, { serviceWorkers: "allow" });
  await until(page, () => navigator.serviceWorker.ready.then(() => Boolean(navigator.serviceWorker.controller)));
  await stores(page, "asks", record.askId, record.questions[0].question);
  await context.setOffline(true);
  await page.reload();
  await field(page).fill("read in the tunnel");
  await page.getByText("draft kept in this browser").waitFor();
  await page.reload();
  await page.waitForFunction(() => document.querySelector("textarea")?.value === "read in the tunnel");
  await send(page).click();
  await page.getByText(/^Your answer waits for the connection/).waitFor();
  await context.setOffline(false);
  await sent(page);
  assert.equal(given(record.askId).customText ?? given(record.askId).values[0], "read in the tunnel");
  await stores(page, "asks", record.askId);
  await done();
});

test("an ask can be answered after an offline reload beside another tab that only knows its title", async () => {
  const record = text("Readable in both?");
  const { page, context, done } = await card(record, { serviceWorkers: "allow" });
  await until(page, () => navigator.serviceWorker.ready.then(() => Boolean(navigator.serviceWorker.controller)));
  const other = await open(`${base}/a/${record.askId}`, { context, allowed: /ERR_/ });
  await other.page.locator(".question").waitFor();
  await stores(page, "asks", record.askId, record.questions[0].question);
  await context.setOffline(true);
  for (const one of [page, other.page]) {
    await one.reload();
    await field(one).fill("read all the same");
  }
  await other.done();
  await done();
});

test("stored data of an ask is deleted with the ask, but for what was typed within a month", async () => {
  const record = text("To be deleted?");
  const { page, done } = await card(record, { allowed: /404/ });
  await stores(page, "asks", record.askId, record.questions[0].question);
  await page.evaluate((askId) => new Promise((done) => {
    indexedDB.open("ask-user", 1).onsuccess = ({ target: { result } }) => {
      const draft = { answers: [{ own: "never sent" }] };
      const whole = result.transaction("drafts", "readwrite");
      for (const [id, days] of [[askId, 31], ["ask_recent", 29]]) {
        const at = Date.now() - days * 86_400_000;
        whole.objectStore("drafts").put({ askId: id, draft, agreed: { answers: [{}] }, revision: 0, at });
      }
      whole.oncomplete = () => (result.close(), done());
    };
  }), record.askId);
  hub.records.delete(record.askId);
  await page.goto(base);
  await live(page);
  for (const shelf of ["drafts", "asks"]) await stores(page, shelf, record.askId);
  await stores(page, "drafts", "ask_recent", "never sent");
  await done();
});
