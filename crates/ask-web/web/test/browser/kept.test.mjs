// What this browser keeps: words that were begun in a dialog, what was tapped in the list, and what was asked, so that
// it can be answered without a line. It is forgotten with its ask.
import assert from "node:assert/strict";
import { after, afterEach, beforeEach, test } from "node:test";
import { fake } from "../fake.mjs";
import { ask, confirm } from "../samples.mjs";
import { LIMIT, closeBrowser, keeps, open, still, until } from "./support.mjs";

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

/** Comes once these words are in a field. */
async function says(field, words) {
  const last = Date.now() + LIMIT;
  while ((await field.inputValue()) !== words) assert.ok(Date.now() < last, `the field never said ${words}`);
}

/** Lets the page's time pass frame by frame until this is there. */
async function frames(page, wanted) {
  const last = Date.now() + LIMIT;
  while (!(await page.locator(wanted).count())) {
    assert.ok(Date.now() < last, `${wanted} never came`);
    await page.clock.runFor(2);
  }
}

/** The card of an ask that is new. */
async function card(of, options) {
  hub.create(of);
  const opened = await open(undefined, { allowed: /503|ERR_/, serviceWorkers: "block", ...options });
  await opened.page.goto(`${base}/a/${of.askId}`);
  await live(opened.page);
  await opened.page.locator(".question").waitFor();
  return opened;
}

/** A yes or no on a phone that was begun to be answered with "after lunch", and its Yes in the list. */
async function afterLunch() {
  const of = confirm();
  hub.create(of);
  const { page, done } = await open(`${base}/a/${of.askId}`, { viewport: { width: 390, height: 844 }, serviceWorkers: "block" });
  const own = page.locator(".question textarea").first();
  await page.getByRole("radio", { name: "Other" }).check();
  await own.fill("after lunch");
  await page.getByText(/^draft saved/).waitFor({ state: "attached" });
  const yes = page.locator(".item", { has: page.locator(`a[href="/a/${of.askId}"]`) }).getByRole("button", { name: /^Yes/ });
  return { of, page, own, yes, done };
}

test("words to ask back or decline with, half-written, are there again after a reload until they were said", async () => {
  const of = text("Which way?");
  const { page, done } = await card(of);
  const dialog = page.getByRole("dialog");
  for (const [name, words] of [["Ask back", "what about"], ["Decline", "not before"]]) {
    await page.getByRole("button", { name, exact: true }).first().click();
    await dialog.getByRole("textbox").fill(words);
    await keeps(page, "drafts", of.askId, words);
    await page.reload();
    await live(page);
    await page.locator(".question").waitFor();
    await page.getByRole("button", { name, exact: true }).first().click();
    await says(dialog.getByRole("textbox"), words);
    await dialog.getByRole("button", { name: "Keep answering" }).click();
  }
  await page.getByRole("button", { name: "Decline", exact: true }).first().click();
  await says(dialog.getByRole("textbox"), "not before");
  await dialog.locator(".primary").click();
  await page.getByRole("heading", { name: "You declined" }).waitFor();
  // What was to be asked back was not.
  await page.reload();
  const left = page.getByRole("region", { name: "Your draft" });
  await left.getByText("what about").waitFor();
  assert.equal(await left.getByText("not before").count(), 0);
  await done();
});

test("an ask that was tapped in the list and then opened is sent there, and as it is by then", async () => {
  const of = confirm();
  hub.create(of);
  const { page, done } = await open(base, { viewport: { width: 390, height: 844 }, serviceWorkers: "block" });
  await live(page);
  await still(page);
  await page.locator(".item", { has: page.locator(`a[href="/a/${of.askId}"]`) }).getByRole("button", { name: /^Yes/ }).click();
  await page.getByRole("button", { name: /^Undo/ }).waitFor();
  await page.locator(`.item a[href="/a/${of.askId}"]`).click();
  // Frame by frame, long before the seconds are over.
  await frames(page, ".question");
  await page.clock.runFor(100);
  await page.clock.fastForward(6000);
  assert.deepEqual(answers(), []);
  assert.equal(await page.getByRole("button", { name: /^Undo/ }).count(), 0);
  assert.ok(await page.getByRole("radio", { name: "Yes" }).isChecked());
  await page.getByRole("radio", { name: "No" }).check();
  await send(page).click();
  await frames(page, "h1:has-text('Sent to')");
  assert.deepEqual(given(of.askId).values, ["no"]);
  await done();
});

test("a Yes tapped in the list takes along nothing that can't be seen there, and its Undo takes nothing away", async () => {
  const { of, page, own, yes, done } = await afterLunch();
  const tap = async () => {
    await page.goto(base);
    await live(page);
    await yes.click();
  };
  await tap();
  await page.getByRole("button", { name: /^Undo/ }).click();
  await page.goto(`${base}/a/${of.askId}`);
  await page.locator(".question").waitFor();
  await says(own, "after lunch");
  // A note is not seen in the list.
  await page.getByRole("button", { name: /Add a note/ }).click();
  const saved = page.waitForResponse((response) => response.url().endsWith("/draft") && response.request().postDataJSON().draft.answers[0].note === "but carefully");
  await page.getByLabel(/^Note/).fill("but carefully");
  await saved;
  await tap();
  await page.locator(".question").waitFor();
  assert.ok(await page.getByRole("radio", { name: "Yes" }).isChecked());
  assert.deepEqual(answers(), []);
  await done();
});

test("what Undo brought back stays, although the hub has the Yes and its reply is on the way when the page goes", async () => {
  const { of, page, own, yes, done } = await afterLunch();
  await page.goto(base);
  await live(page);
  await still(page);
  // Nor does an event tell of it.
  let silent = true;
  await page.route("**/v1/events", (route) => (silent ? undefined : route.continue()));
  hub.cut();
  const taken = new Promise((come) => page.route("**/draft", (route) => route.fetch().then(come), { times: 1 }));
  await yes.click();
  await page.getByRole("button", { name: /^Undo/ }).waitFor();
  await page.clock.runFor(600);
  await taken;
  assert.deepEqual(hub.records.get(of.askId).draft.answers, [{ picks: [0] }]);
  await page.getByRole("button", { name: /^Undo/ }).click();
  await page.clock.runFor(600);
  await keeps(page, "drafts", of.askId, "after lunch");
  silent = false;
  await page.clock.resume();
  await page.goto(`${base}/a/${of.askId}`);
  await own.waitFor();
  await says(own, "after lunch");
  assert.ok(await page.getByRole("radio", { name: "Other" }).isChecked());
  assert.deepEqual(answers(), []);
  await done();
});

test("own words that a choice took the place of are there again after a reload", async () => {
  const of = confirm();
  const { page, done } = await card(of);
  const own = page.locator(".question textarea").first();
  await page.getByRole("radio", { name: "Other" }).check();
  await own.fill("a whole paragraph");
  await page.getByRole("radio", { name: "Yes" }).check();
  await keeps(page, "drafts", of.askId, "a whole paragraph");
  await page.reload();
  await live(page);
  await says(own, "a whole paragraph");
  await page.getByRole("radio", { name: "Other" }).check();
  await says(own, "a whole paragraph");
  await done();
});

test("without a line and loaded anew, what was opened before is there to be answered, and is forgotten once it is over", async () => {
  const of = text("Still readable?");
  const { page, context, done } = await card(of, { serviceWorkers: "allow" });
  await until(page, () => navigator.serviceWorker.ready.then(() => Boolean(navigator.serviceWorker.controller)));
  await keeps(page, "asks", of.askId, of.questions[0].question);
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
  assert.equal(given(of.askId).customText ?? given(of.askId).values[0], "read in the tunnel");
  await keeps(page, "asks", of.askId);
  await done();
});

test("without a line and loaded anew beside another tab, which knows an ask by its name, it is there to be answered, too", async () => {
  const of = text("Readable in both?");
  const { page, context, done } = await card(of, { serviceWorkers: "allow" });
  await until(page, () => navigator.serviceWorker.ready.then(() => Boolean(navigator.serviceWorker.controller)));
  const other = await open(`${base}/a/${of.askId}`, { context, allowed: /ERR_/ });
  await other.page.locator(".question").waitFor();
  await keeps(page, "asks", of.askId, of.questions[0].question);
  await context.setOffline(true);
  for (const one of [page, other.page]) {
    await one.reload();
    await field(one).fill("read all the same");
  }
  await other.done();
  await done();
});

test("what this browser keeps of an ask goes with it", async () => {
  const of = text("To be deleted?");
  const { page, done } = await card(of, { allowed: /404/ });
  await keeps(page, "asks", of.askId, of.questions[0].question);
  await page.evaluate((askId) => new Promise((done) => {
    indexedDB.open("ask-user", 1).onsuccess = ({ target: { result } }) => {
      const draft = { answers: [{ own: "never sent" }] };
      const whole = result.transaction("drafts", "readwrite");
      whole.objectStore("drafts").put({ askId, draft, agreed: { answers: [{}] }, revision: 0 });
      whole.oncomplete = () => (result.close(), done());
    };
  }), of.askId);
  hub.records.delete(of.askId);
  await page.goto(base);
  await live(page);
  for (const shelf of ["drafts", "asks"]) await keeps(page, shelf, of.askId);
  await done();
});
