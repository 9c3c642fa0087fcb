// Deadlines: the countdown, extending by a button and by typing, the announcement of the last minute, and the end.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { fake } from "../fake_hub.mjs";
import { ask, confirm, samples } from "../samples.mjs";
import { closeBrowser, open } from "./support.mjs";

after(closeBrowser);

const seconds = (count) => new Date(Date.now() + count * 1000).toISOString();
const soon = (count, more = {}) => ({ ...ask({ asker: { client: "codex" }, questions: [{ type: "text", question: "What now?" }] }), deadlineAt: seconds(count), ...more });
const extended = (hub) => hub.seen.filter(({ path }) => path.endsWith("/extend"));
/** Records every text that interrupts a screen reader. */
const alerts = (page) => page.addInitScript(() => {
  window.alerts = [];
  new MutationObserver((changes) => {
    for (const { addedNodes } of changes) for (const node of addedNodes) if (node.parentElement?.closest("[role=alert].vh") && node.textContent) window.alerts.push(node.textContent);
  }).observe(document, { childList: true, subtree: true });
});

async function openWith(asks) {
  const hub = fake([...asks, ...samples().slice(3, 5)]);
  const base = await hub.listen();
  const opened = await open(undefined, { serviceWorkers: "block" });
  await alerts(opened.page);
  return { hub, base, ...opened };
}

test("the list and the card count down, and a button extends the deadline", async () => {
  const record = soon(175);
  const { hub, base, page, done } = await openWith([record]);
  await page.goto(`${base}/a/${record.askId}`);
  await page.locator("[role=timer]", { hasText: /due in [12]:\d\d/ }).waitFor();
  await page.locator(".item", { hasText: /due in [12]:\d\d/ }).waitFor();
  const before = await page.locator("[role=timer]").textContent();
  await page.waitForFunction((before) => document.querySelector("[role=timer]").textContent !== before, before);
  const taken = page.locator(".toast", { hasText: "Five minutes more" }).waitFor();
  await page.getByRole("button", { name: "More time" }).click();
  await page.locator("[role=timer]", { hasText: /due in [67]:/ }).waitFor();
  await taken;
  assert.equal(extended(hub).length, 1);
  assert.deepEqual(await page.evaluate(() => window.alerts), [], "there is time left");
  await done();
  await hub.stop();
});

test("the last minute is announced once for each ask, however often its card is opened", async () => {
  const [one, two] = [soon(50), soon(55)];
  const { hub, base, page, done } = await openWith([one, two]);
  await page.goto(`${base}/a/${one.askId}`);
  await page.waitForFunction(() => window.alerts.length === 1);
  assert.match((await page.evaluate(() => window.alerts))[0], /^Less than a minute is left/);
  await page.locator(`.list a[href="/a/${two.askId}"]`).click();
  // The same text is announced again for another ask.
  await page.waitForFunction(() => window.alerts.length === 2);
  await page.locator(`.list a[href="/a/${one.askId}"]`).click();
  await page.waitForURL(new RegExp(one.askId));
  await page.locator("[role=timer].bad").waitFor();
  const before = await page.locator("[role=timer]").textContent();
  await page.waitForFunction((before) => document.querySelector("[role=timer]").textContent !== before, before);
  assert.equal(await page.evaluate(() => window.alerts.length), 2);
  await done();
  await hub.stop();
});

test("typing in the last minute extends the deadline once; if that fails, the next key tries again", async () => {
  const record = soon(50);
  const { hub, base, page, done } = await openWith([record]);
  await page.route("**/extend", (route) => route.abort("connectionrefused"), { times: 1 });
  await page.goto(`${base}/a/${record.askId}`);
  const failed = page.waitForEvent("requestfailed");
  await page.getByLabel("Your answer").pressSequentially("a");
  await failed;
  const taken = page.waitForResponse("**/extend");
  // Keys before the reply to the first one don't extend it again.
  let answer;
  const typed = new Promise((done) => (answer = done));
  await page.route("**/extend", async (route) => {
    await typed;
    await route.continue();
  });
  await page.getByLabel("Your answer").pressSequentially("bcd");
  answer();
  await taken;
  await page.locator("[role=timer]", { hasText: /due in 5:/ }).waitFor();
  await page.getByLabel("Your answer").pressSequentially("efg");
  await page.getByText(/^draft saved/).waitFor();
  assert.equal(extended(hub).length, 1);
  assert.equal(Date.parse(JSON.parse(extended(hub)[0].body).until), Date.parse(record.deadlineAt) + 5 * 60_000);
  await done();
  await hub.stop();
});

test("asking back or marking a choice in the last minute extends the deadline, reading doesn't", async () => {
  const [words, choice, read] = [soon(50), { ...confirm(), deadlineAt: seconds(50) }, soon(50)];
  const { hub, base, page, done } = await openWith([words, choice, read]);
  await page.goto(`${base}/a/${read.askId}`);
  await page.locator("[role=timer].bad").waitFor();
  await page.keyboard.press("PageDown");
  await page.goto(`${base}/a/${words.askId}`);
  await page.locator(".question").waitFor();
  await page.getByRole("button", { name: "Ask back" }).click();
  const taken = page.waitForResponse("**/extend");
  await page.getByLabel("What do you want to know?").pressSequentially("Which");
  await taken;
  await page.keyboard.press("Escape");
  await page.goto(`${base}/a/${choice.askId}`);
  await page.locator(".question").waitFor();
  const again = page.waitForResponse("**/extend");
  await page.keyboard.press("1");
  await again;
  assert.deepEqual(extended(hub).map(({ path }) => path.split("/")[3]), [words.askId, choice.askId]);
  await done();
  await hub.stop();
});

test("after the deadline the card says so and keeps what was typed", async () => {
  const record = soon(90);
  const { hub, base, page, done } = await openWith([record]);
  await page.goto(`${base}/a/${record.askId}`);
  await page.getByLabel("Your answer").fill("nearly done");
  await page.getByText(/^draft saved/).waitFor();
  hub.update({ ...hub.records.get(record.askId), state: "expired", deadlineAt: undefined, waiters: 0 }, "ask.expired");
  await page.getByText("its time passed; your answer will be kept until it asks again").waitFor();
  assert.equal(await page.getByLabel("Your answer").inputValue(), "nearly done");
  await page.getByRole("button", { name: "Keep as late answer" }).click();
  await page.getByRole("heading", { name: /^Sent to codex/ }).waitFor();
  await done();
  await hub.stop();
});
