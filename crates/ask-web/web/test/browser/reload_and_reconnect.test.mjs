// Typed text and queued answers when the connection is cut: a newer build replaces the open page, the hub is away while the
// tab is reloaded, the ask is closed meanwhile, two tabs are open.
import assert from "node:assert/strict";
import { test } from "node:test";
import { fake } from "../fake_hub.mjs";
import { samples } from "../samples.mjs";
import { open, ownHub, until } from "./support.mjs";

const hub = await ownHub();

/** Waits until the page is connected and shows the list or the ask. */
const live = async (page) => {
  await page.locator(".connection.live").waitFor();
  await page.locator(page.url().includes("/a/") ? ".question, .resolved" : ".list .item").first().waitFor();
};
/** A signed-in browser with this ask open. */
const at = async (id, there = (page) => page.locator(".list").waitFor()) => {
  const opened = await open(await hub.link());
  await there(opened.page);
  await opened.page.goto(`${hub.base}/a/${id}`);
  return opened;
};
const field = (page) => page.getByLabel("Your answer");
/**
 * Waits until the service worker controls the page, so that it opens without the hub. A page that starts at the same time
 * as its worker may never be controlled, so a test waits for it before it opens an ask.
 */
const controlled = (page) => until(page, () => navigator.serviceWorker.ready.then(() => Boolean(navigator.serviceWorker.controller)));

test("another build of the page replaces it in every open tab, and typed text is restored", async () => {
  const memory = fake();
  const base = await memory.listen();
  const first = await open(`${base}/a/ask_0004`);
  await live(first.page);
  const second = await open(`${base}/a/ask_0001`, { context: first.context });
  await live(second.page);
  // The request with a draft doesn't arrive. Text that was typed after it must not get lost.
  const held = first.page.waitForRequest("**/draft");
  await first.page.route("**/draft", () => undefined, { times: 1 });
  await field(first.page).pressSequentially("half a");
  await held;
  await field(first.page).pressSequentially(" sentence");
  const again = [first, second].map(({ page }) => page.waitForEvent("load"));
  memory.setBuild("2");
  memory.cut();
  await Promise.all(again);
  await field(first.page).waitFor();
  await first.page.waitForFunction(() => document.querySelector("textarea")?.value === "half a sentence");
  await live(first.page);
  // The page reloads only once.
  assert.equal(await first.page.evaluate(() => document.querySelector("meta[name=build]").content), "2");
  await second.done();
  await first.done();
  await first.context.close();
  await memory.stop();
});

test("the hub tells the page to reload: a half-typed word survives it", async () => {
  const memory = fake();
  const base = await memory.listen();
  const { page, done } = await open(`${base}/a/ask_0004`);
  await live(page);
  await field(page).pressSequentially("not yet sav");
  const again = page.waitForEvent("load");
  memory.sendEvent("reload", {});
  await again;
  await page.waitForFunction(() => document.querySelector("textarea")?.value === "not yet sav");
  await done();
  await memory.stop();
});

test("the hub is away and the tab is reloaded: the queued answer is sent once the hub is back", async () => {
  const id = await hub.askDetached("Still sent?");
  const { page, done } = await at(id, controlled);
  await live(page);
  await controlled(page);
  await page.keyboard.press("1");
  await page.getByText(/^draft saved/).waitFor();
  await hub.kill();
  await page.locator(".connection.pausing, .connection.connecting").first().waitFor();
  await page.keyboard.press("2");
  await page.locator(".bar .primary").click();
  await page.getByText(/^Your answer waits for the connection/).waitFor();
  // It is reloaded twice, as people do.
  await page.reload();
  await page.getByText("1 answer waits").waitFor();
  await page.reload();
  await page.getByText("1 answer waits").waitFor();
  await page.getByText("The hub can't be reached").first().waitFor();
  const sent = [];
  page.on("request", (asked) => asked.method() === "POST" && /\/answer$/.test(asked.url()) && sent.push(asked.headers()["idempotency-key"]));
  await hub.run("list");
  await page.getByText("Your answer was sent").first().waitFor();
  const { outcome } = await hub.show(id);
  assert.deepEqual(outcome.answers[0].values, ["no"]);
  assert.equal(new Set(sent).size, 1, "one answer, by one key");
  await page.reload();
  await live(page);
  assert.equal(await page.getByText(/answer waits/).count(), 0);
  await done();
});

test("the hub is away, the tab is reloaded and somebody else answers: nothing is sent", async () => {
  const id = await hub.askDetached("Who is sooner?");
  const { page, context, done } = await at(id, controlled);
  await live(page);
  await controlled(page);
  await context.setOffline(true);
  await page.keyboard.press("2");
  await page.locator(".bar .primary").click();
  await page.getByText(/^Your answer waits for the connection/).waitFor();
  await page.reload();
  await page.getByText("1 answer waits").waitFor();
  await hub.run("answer", id, "--set", "yes");
  const sent = [];
  page.on("request", (asked) => asked.method() === "POST" && /\/answer$/.test(asked.url()) && sent.push(asked.url()));
  await context.setOffline(false);
  await page.getByText("Nothing was sent.").first().waitFor();
  await page.getByRole("heading", { name: /^Answered in command line/ }).waitFor();
  assert.deepEqual(sent, []);
  assert.deepEqual((await hub.show(id)).outcome.answers[0].values, ["yes"]);
  await done();
});

test("an answer whose reply is lost is repeated with the same key, and counts once", async () => {
  const id = await hub.askDetached("Was it heard?");
  const { page, done } = await at(id);
  await live(page);
  await page.getByRole("radio", { name: "No", exact: true }).check();
  await page.getByText(/^draft saved/).waitFor();
  const keys = [];
  page.on("request", (asked) => asked.method() === "POST" && asked.url().endsWith("/answer") && keys.push(asked.headers()["idempotency-key"]));
  // The hub has the answer, and the connection breaks before its reply.
  await page.route("**/answer", async (route) => {
    await route.fetch();
    await route.abort("connectionreset");
  }, { times: 1 });
  await page.locator(".bar .primary").click();
  await page.getByRole("heading", { name: /^Sent to/ }).waitFor();
  await page.getByText("Your answer was sent").first().waitFor();
  assert.equal(await page.getByText("Nothing was sent").count(), 0);
  assert.deepEqual((await hub.show(id)).outcome.answers[0].values, ["no"]);
  assert.ok(keys.length > 1);
  assert.equal(new Set(keys).size, 1);
  await done();
});

test("a draft based on an old revision replaces nothing", async () => {
  const id = (await hub.ask({ questions: [{ question: "What do both say?", type: "text" }] })).id;
  const { page, done } = await at(id);
  await live(page);
  // This page gets no further events, and somebody else types.
  let first = true;
  await page.route("**/draft", async (route) => {
    if (first) {
      first = false;
      const there = await at(id);
      await field(there.page).fill("theirs");
      await there.page.getByText(/^draft saved/).waitFor();
      await there.done();
    }
    await route.continue();
  });
  const refused = page.waitForResponse((response) => response.url().endsWith("/draft") && response.status() === 409);
  const saved = page.waitForResponse((response) => response.url().endsWith("/draft") && response.ok());
  await field(page).fill("ours");
  await refused;
  await page.getByText(/^Changed in browser/).waitFor();
  // The text is saved on top of theirs, and no other request is under way.
  await saved;
  await page.getByText(/^draft saved/).waitFor();
  assert.equal(await field(page).inputValue(), "ours");
  await page.getByRole("button", { name: "Load it" }).click();
  assert.equal(await field(page).inputValue(), "theirs");
  await done();
});

test("a queued answer can be taken back in another tab, and the first tab doesn't send it", async () => {
  const id = await hub.askDetached("Taken back?");
  const first = await at(id, controlled);
  await live(first.page);
  await controlled(first.page);
  const second = await open(`${hub.base}/a/${id}`, { context: first.context });
  await live(second.page);
  await first.context.setOffline(true);
  await first.page.keyboard.press("2");
  await first.page.locator(".bar .primary").click();
  await first.page.getByText(/^Your answer waits for the connection/).waitFor();
  // The other tab took it back: only what the browser stores counts.
  await second.page.evaluate((id) => new Promise((done) => {
    const request = indexedDB.open("ask-user", 1);
    request.onsuccess = () => {
      const write = request.result.transaction("sends", "readwrite");
      write.objectStore("sends").delete(id);
      write.oncomplete = () => done();
    };
  }), id);
  await first.context.setOffline(false);
  await live(first.page);
  await first.page.getByText(/^Your answer waits/).waitFor({ state: "detached" });
  assert.equal((await hub.show(id)).state, "waiting");
  await second.done();
  await first.done();
  await first.context.close();
});

test("a stream that was cut resumes at its last event, and missed asks are announced", async () => {
  const memory = fake(samples().slice(0, 2));
  const base = await memory.listen();
  const { page, done } = await open(base);
  await live(page);
  await page.getByRole("link", { name: /Database/ }).waitFor();
  memory.records.set("ask_new", { ...structuredClone(samples()[3]), askId: "ask_new", title: "Came meanwhile", shown: { ...samples()[3].shown, title: "Came meanwhile" } });
  memory.cut();
  await page.getByRole("link", { name: /Came meanwhile/ }).waitFor();
  await page.locator("[aria-live=polite]", { hasText: "Came meanwhile" }).waitFor();
  assert.equal(await page.getByRole("link", { name: /Came meanwhile/ }).count(), 1);
  await done();
  await memory.stop();
});
