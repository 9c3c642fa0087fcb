// Clicks, taps and keys that were under way when something else moved into their place.
import assert from "node:assert/strict";
import { test } from "node:test";
import { fake } from "../fake_hub.mjs";
import { confirm as asked } from "../samples.mjs";
import { open, ownHub } from "./support.mjs";

const hub = await ownHub();

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true };
const confirm = (question) => ({ questions: [{ question, type: "confirm" }] });
const primary = (page) => page.locator(".bar .primary");
/** Waits for the card or the list, and for everything that loads later and may move it. */
const complete = async (page) => {
  await page.locator(".connection.live").waitFor({ state: "attached" });
  await page.locator(".head .badge").first().waitFor({ state: "attached" });
  await painted(page);
};
/**
 * Stops the page's clock, which then advances only by `later`. However slow the machine is, a tap is quick and a toast
 * stays.
 */
const holdClock = (page) =>
  page.evaluate(() => {
    let now = performance.now();
    performance.now = () => now;
    window.later = (ms) => (now += ms);
    const soon = window.setTimeout;
    window.setTimeout = (what, ms, ...more) => (ms >= 5000 ? 0 : soon(what, ms, ...more));
  });
const painted = (page) => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
/** A point in both boxes. */
const shared = (one, other) => ({ x: (Math.max(one.x, other.x) + Math.min(one.x + one.width, other.x + other.width)) / 2, y: (Math.max(one.y, other.y) + Math.min(one.y + one.height, other.y + other.height)) / 2 });

test("a tap meant for Send does nothing to the notice that moved into its place", async () => {
  const [first, next] = [await hub.ask(confirm("Deploy at noon?")), await hub.ask(confirm("And tell everybody?"))];
  const { page, done } = await open(await hub.link(), PHONE);
  await page.locator(".list").waitFor();
  await page.goto(`${hub.base}/a/${first.id}`);
  await page.getByRole("radio", { name: "Yes" }).check();
  await complete(page);
  const send = await primary(page).boundingBox();
  await holdClock(page);
  await hub.run("decline", first.id);
  const link = page.getByRole("link", { name: /^Next: / });
  await link.waitFor();
  await painted(page);
  const { x, y } = shared(send, await link.boundingBox());
  await page.touchscreen.tap(x, y);
  await painted(page);
  assert.ok(page.url().endsWith(first.id), "the notice stays");
  assert.ok(await page.getByRole("heading", { name: /^Declined in command line/ }).isVisible());
  await page.evaluate(() => window.later(800));
  await page.touchscreen.tap(x, y);
  await page.waitForURL(`**/a/${next.id}`);
  await hub.run("decline", next.id);
  await done();
});

test("a tap meant for one Yes answers no other question that moved there", async () => {
  const [first, other] = [await hub.ask(confirm("Drop the old table?")), await hub.ask(confirm("Drop the new table?"))];
  const { page, done } = await open(await hub.link(), PHONE);
  const yes = (name) => page.getByRole("button", { name: `Yes: ${name}` });
  await yes("Drop the new table?").waitFor();
  await complete(page);
  const was = await yes("Drop the old table?").boundingBox();
  await holdClock(page);
  await hub.run("decline", first.id);
  await yes("Drop the old table?").waitFor({ state: "detached" });
  await painted(page);
  const { x, y } = shared(was, await yes("Drop the new table?").boundingBox());
  await page.touchscreen.tap(x, y);
  await painted(page);
  assert.equal((await hub.show(other.id)).state, "waiting");
  await page.evaluate(() => window.later(800));
  await page.touchscreen.tap(x, y);
  assert.deepEqual((await other.result()).answers[0].values, ["yes"]);
  await done();
});

test("Enter doesn't open what got the focus because something else vanished", async () => {
  const [first, other] = [await hub.ask(confirm("Rename it?")), await hub.ask(confirm("Move it?"))];
  const { page, done } = await open(await hub.link(), { viewport: PHONE.viewport });
  const title = (name) => page.locator(".list a", { hasText: name });
  await title("Move it?").waitFor();
  await complete(page);
  await title("Rename it?").focus();
  await holdClock(page);
  await hub.run("decline", first.id);
  await title("Rename it?").waitFor({ state: "detached" });
  await page.locator(".list a:focus", { hasText: "Move it?" }).waitFor();
  await page.keyboard.press("Enter");
  await painted(page);
  assert.equal(new URL(page.url()).pathname, "/");
  await page.evaluate(() => window.later(800));
  await page.keyboard.press("Enter");
  await page.waitForURL(`**/a/${other.id}`);
  await hub.run("decline", other.id);
  await done();
});

test("a double click on Review sends nothing, and neither does a held key", async () => {
  const agent = await hub.ask({ title: "Two things", questions: [{ question: "One?", type: "confirm" }, { question: "Two?", type: "confirm" }] });
  const { page, done } = await open(await hub.link());
  await page.locator(".list").waitFor();
  await page.goto(`${hub.base}/a/${agent.id}`);
  await page.getByRole("radio", { name: "Yes" }).check();
  await page.keyboard.down("Control");
  await page.keyboard.down("Enter");
  await page.keyboard.down("Enter");
  await page.keyboard.down("Enter");
  await page.keyboard.up("Enter");
  await page.keyboard.up("Control");
  await painted(page);
  assert.ok(await page.getByRole("heading", { name: /^Question 2 of 2/ }).isVisible());
  await holdClock(page);
  await primary(page).dblclick();
  await page.getByRole("heading", { name: "Review your answers" }).waitFor();
  await painted(page);
  assert.equal(await primary(page).textContent(), "Send 1 answer anyway");
  assert.equal((await hub.show(agent.id)).state, "waiting");
  await page.evaluate(() => window.later(800));
  await primary(page).click();
  await page.getByRole("heading", { name: "Sent to claude-code" }).waitFor();
  await done();
});

/** Stops the page's frames, which then start only by `frames`. A click comes while the page still compares the layout. */
const holdFrames = (page) =>
  page.evaluate(() => {
    const held = [];
    window.requestAnimationFrame = (frame) => held.push(frame);
    window.frames = () => held.splice(0).forEach((frame) => frame(performance.now()));
    window.isHeld = () => held.length > 0;
  });

test("a Send that replaced the clicked Review can be clicked, whatever changed just then", async () => {
  const agent = await hub.ask({ title: "One thing", questions: [{ question: "One?", type: "confirm" }, { question: "Two?", type: "confirm" }] });
  const { page, done } = await open(await hub.link());
  await page.locator(".list").waitFor();
  await page.goto(`${hub.base}/a/${agent.id}`);
  await page.getByRole("radio", { name: "Yes" }).check();
  await primary(page).click();
  await page.getByRole("heading", { name: /^Question 2 of 2/ }).waitFor();
  await page.getByRole("radio", { name: "Yes" }).check();
  await painted(page);
  await holdClock(page);
  await holdFrames(page);
  const other = await hub.ask(confirm("Something else?"));
  await page.getByRole("link", { name: /Something else/ }).waitFor();
  await page.waitForFunction(() => window.isHeld(), undefined, { polling: 50 });
  await primary(page).dispatchEvent("click", { detail: 1, ...(await middle(primary(page))) });
  await page.getByRole("heading", { name: "Review your answers" }).waitFor();
  await page.evaluate(() => [window.frames(), window.later(450)]);
  await primary(page).dispatchEvent("click", { detail: 1, ...(await middle(primary(page))) });
  await page.getByRole("heading", { name: "Sent to claude-code" }).waitFor();
  await hub.run("decline", other.id);
  await done();
});
const middle = async (one) => {
  const { x, y, width, height } = await one.boundingBox();
  return { clientX: x + width / 2, clientY: y + height / 2 };
};

test("a click after scrolling works, although something changed while the page moved", async (t) => {
  const asks = Array.from({ length: 30 }, (_, n) => ({ ...asked(), askId: `ask_scroll_${n}`, shown: { ...asked().shown, title: `Question of row ${n}` } }));
  const memory = fake(asks);
  memory.undoSeconds = 10;
  const base = await memory.listen();
  t.after(() => memory.stop());
  const { page, done } = await open(base, PHONE);
  const yes = page.getByRole("button", { name: /^Yes: / });
  await yes.nth(1).waitFor();
  await complete(page);
  await holdClock(page);
  await holdFrames(page);
  const { x, y } = await yes.nth(0).boundingBox();
  const below = await yes.nth(1).boundingBox();
  memory.update({ ...asks[0], shown: { ...asks[0].shown, title: "Question of row zero" } });
  await page.locator(".title", { hasText: "Question of row zero" }).waitFor({ state: "attached" });
  await page.waitForFunction(() => window.isHeld(), undefined, { polling: 50 });
  // The next ask's Yes is now where the first one's was.
  await page.evaluate((by) => scrollBy({ top: by, behavior: "instant" }), below.y - y);
  await page.evaluate(() => window.frames());
  const name = await yes.nth(1).getAttribute("aria-label");
  await yes.nth(1).dispatchEvent("click", { detail: 1, clientX: x + 4, clientY: y + 4 });
  await page.locator(".toast", { hasText: `: ${name.replace(/^Yes: /, "")}` }).waitFor();
  await done();
});

test("a card that appears when a tablet is turned gets no tap that was under way", async () => {
  const agent = await hub.ask(confirm("Turned?"));
  const { page, done } = await open(await hub.link(), { viewport: { width: 820, height: 1180 }, hasTouch: true });
  await page.locator(".list").waitFor();
  await page.goto(`${hub.base}/a/${agent.id}`);
  await page.getByRole("radio", { name: "Yes" }).check();
  await page.getByText(/^draft saved/).waitFor({ state: "attached" });
  await page.getByRole("link", { name: "Inbox" }).first().click();
  await complete(page);
  await holdClock(page);
  await page.setViewportSize({ width: 1180, height: 820 });
  await primary(page).waitFor();
  await painted(page);
  const { x, y, width, height } = await primary(page).boundingBox();
  const tap = () => page.touchscreen.tap(x + width / 2, y + height / 2);
  await tap();
  await painted(page);
  assert.equal((await hub.show(agent.id)).state, "waiting");
  await page.evaluate(() => window.later(1000));
  await tap();
  await page.getByRole("heading", { name: /^Sent to/ }).waitFor();
  assert.equal((await agent.result()).answers[0].values[0], "yes");
  agent.end();
  await done();
});

test("a choice that another device has just changed isn't sent before the person can have noticed", async () => {
  const agent = await hub.ask(confirm("Marked?"));
  const here = await open(await hub.link(), { viewport: { width: 390, height: 844 }, hasTouch: true });
  await here.page.locator(".list").waitFor();
  const there = await open(await hub.link());
  await there.page.locator(".list").waitFor();
  for (const { page } of [here, there]) {
    await page.goto(`${hub.base}/a/${agent.id}`);
    await page.locator(".question").waitFor();
    await complete(page);
  }
  await here.page.getByRole("radio", { name: "No" }).check();
  await there.page.locator("input[type=radio]:checked").waitFor();
  await holdClock(here.page);
  await there.page.getByRole("radio", { name: "Yes" }).check();
  await here.page.getByRole("button", { name: "Bring mine back" }).waitFor();
  await primary(here.page).tap();
  await painted(here.page);
  assert.equal((await hub.show(agent.id)).state, "waiting");
  // The offered alternative pushed the choices down.
  await here.page.evaluate(() => window.later(1000));
  await here.page.getByRole("button", { name: "Bring mine back" }).tap();
  await here.page.evaluate(() => window.later(1000));
  await primary(here.page).tap();
  await here.page.getByRole("heading", { name: /^Sent to/ }).waitFor();
  assert.equal((await agent.result()).answers[0].values[0], "no");
  agent.end();
  await here.done();
  await there.done();
});
