// What could get lost between a tap and the hub: on a line that hangs, with a hub that can't write, in a browser
// that keeps nothing, while a file is on its way, and when nobody looks any more.
import assert from "node:assert/strict";
import { after, afterEach, beforeEach, test } from "node:test";
import { fake } from "../fake.mjs";
import { ask, confirm, samples } from "../samples.mjs";
import { PHONE, browser, closeBrowser, open, until } from "./support.mjs";

let hub;
let base;
beforeEach(async () => {
  hub = fake();
  base = await hub.listen();
});
afterEach(() => hub.stop());
after(closeBrowser);

const text = (question, more = {}) => ask({ asker: { client: "codex" }, questions: [{ type: "text", question, ...more }] });
const field = (page) => page.getByLabel("Your answer");
const send = (page) => page.locator(".bar .primary");
const live = (page) => page.locator(".connection.live").waitFor();
const waits = (page) => page.getByText(/^Your answer waits for the connection/).waitFor();
const sent = (page) => page.getByRole("heading", { name: /^Sent to/ }).waitFor();
const draft = (page) => page.getByRole("region", { name: "Your draft" });
const given = (id) => hub.records.get(id).outcome?.answers[0];
const answers = () => hub.seen.filter(({ path }) => path.endsWith("/answer"));

/** The card of an ask that is new. */
async function card(of, { prepare, ...options } = {}) {
  hub.create(of);
  const opened = await open(undefined, { allowed: /503|ERR_/, serviceWorkers: "block", ...options });
  await prepare?.(opened.page);
  await opened.page.goto(`${base}/a/${of.askId}`);
  await live(opened.page);
  await opened.page.locator(".question").waitFor();
  return opened;
}

/** Whether the browser would ask before it leaves the page. */
const asksFirst = (page) => page.evaluate(() => !dispatchEvent(new Event("beforeunload", { cancelable: true })));
/** The page is in the background from now on, or seen again. */
const hide = (page, hidden = true) => page.evaluate((hidden) => {
  Object.defineProperty(document, "hidden", { configurable: true, value: hidden });
  Object.defineProperty(document, "visibilityState", { configurable: true, value: hidden ? "hidden" : "visible" });
  document.dispatchEvent(new Event("visibilitychange"));
}, hidden);
const attach = (page, name) => page.locator("input[type=file]").setInputFiles({ name, mimeType: "text/plain", buffer: Buffer.from(name) });
/** Something that a test lets happen. */
const gate = () => {
  let go;
  const opened = new Promise((done) => (go = done));
  return { opened, go };
};

test("Send waits for a file that is on its way, and the answer has it", async () => {
  const of = text("With which file?");
  const { page, done } = await card(of);
  const way = gate();
  await page.route("**/v1/files?*", (route) => way.opened.then(() => route.continue()));
  await field(page).fill("see the file");
  const begun = page.waitForRequest("**/v1/files?*");
  await attach(page, "log.txt");
  await begun;
  await send(page).click();
  await send(page).getByText("Sending …").waitFor();
  assert.deepEqual(answers(), []);
  way.go();
  await sent(page);
  assert.deepEqual(given(of.askId).attachments.map(({ name }) => name), ["log.txt"]);
  await done();
});

test("a file that doesn't arrive after Send was pressed keeps the answer back, and is named; then it is sent without it", async () => {
  const of = text("Without which file?");
  const { page, done } = await card(of);
  const way = gate();
  await page.route("**/v1/files?*", (route) => way.opened.then(() => route.abort("connectionreset")));
  await field(page).fill("no file");
  const begun = page.waitForRequest("**/v1/files?*");
  await attach(page, "lost.txt");
  await begun;
  await send(page).click();
  await send(page).getByText("Sending …").waitFor();
  way.go();
  await page.locator(".mistake", { hasText: "lost.txt was not attached" }).waitFor();
  await send(page).getByText("Send", { exact: true }).waitFor();
  assert.deepEqual(answers(), []);
  await send(page).click();
  await sent(page);
  assert.equal(given(of.askId).attachments, undefined);
  await done();
});

test("a file that comes after the answer was sent is not said to belong to it", async () => {
  const of = text("Too late?");
  const { page, done } = await card(of);
  const [file, answer] = [gate(), gate()];
  await page.route("**/v1/files?*", (route) => file.opened.then(() => route.continue()));
  await page.route("**/answer", (route) => answer.opened.then(() => route.continue()));
  await field(page).fill("as it is");
  const asked = page.waitForRequest("**/answer");
  await send(page).click();
  await asked;
  const begun = page.waitForRequest("**/v1/files?*");
  await attach(page, "late.txt");
  await begun;
  answer.go();
  await sent(page);
  file.go();
  await page.locator(".toast", { hasText: "What you changed after sending was not sent." }).waitFor();
  assert.equal(await page.getByText("late.txt is attached").count(), 0);
  await done();
});

test("what an agent gives to begin with is there, whichever way its question is opened", async () => {
  const of = text("How is it called?", { default: "as before" });
  hub.create(of);
  const { page, done } = await open(base, { serviceWorkers: "block" });
  await live(page);
  await page.locator(`.list a[href="/a/${of.askId}"]`).click();
  await field(page).waitFor();
  await page.waitForFunction(() => document.querySelector("textarea").value === "as before");
  // Nobody has typed it: it is nobody's draft.
  await field(page).press("End");
  await field(page).pressSequentially("!");
  await page.getByText(/^draft saved/).waitFor();
  assert.deepEqual(hub.records.get(of.askId).draft.answers, [{ own: "as before!" }]);
  assert.equal(hub.records.get(of.askId).draft.revision, 1);
  await done();
});

test("an answer that waits stays while the hub can't write, and is sent once it can", async () => {
  const of = text("Is there room?");
  const { page, context, done } = await card(of);
  await context.setOffline(true);
  await field(page).fill("plenty");
  await field(page).press("Control+Enter");
  await waits(page);
  const body = JSON.stringify({ type: "urn:ask-user:problem:storage-failed", status: 503, detail: "the disk is full" });
  let full = true;
  await page.route("**/answer", (route) => (full ? route.fulfill({ status: 503, contentType: "application/problem+json", body }) : route.continue()));
  await context.setOffline(false);
  await page.locator(".toast", { hasText: "Not sent: the hub can't write to its disk" }).waitFor();
  await waits(page);
  await page.reload();
  await page.locator(".toast", { hasText: "Not sent: the hub can't write to its disk" }).waitFor();
  await waits(page);
  full = false;
  hub.cut();
  await sent(page);
  assert.deepEqual(given(of.askId).values, ["plenty"]);
  assert.equal(await page.getByText("What you changed after sending").count(), 0);
  await done();
});

test("a proxy that doesn't reach the hub is a line that is cut: the answer waits, and goes out", async () => {
  const of = text("Through the proxy?");
  const { page, done } = await card(of, { allowed: /502|ERR_/ });
  let away = true;
  await page.route("**/v1/**", (route) => (away ? route.fulfill({ status: 502, contentType: "text/html", body: "<h1>Bad Gateway</h1>" }) : route.continue()));
  hub.cut();
  await page.locator(".connection.pausing").waitFor();
  await field(page).fill("yes");
  await send(page).click();
  await waits(page);
  away = false;
  await sent(page);
  assert.deepEqual(given(of.askId).values, ["yes"]);
  assert.equal(answers().length, 1);
  await done();
});

test("a draft that is saved after all is no longer said to be unsaved", async () => {
  const of = text("Saved?");
  const { page, done } = await card(of);
  let full = true;
  const body = JSON.stringify({ type: "urn:ask-user:problem:storage-failed", status: 503 });
  await page.route("**/draft", (route) => (full ? route.fulfill({ status: 503, contentType: "application/problem+json", body }) : route.continue()));
  await field(page).fill("not yet");
  await page.getByText(/^Your draft was not saved/).waitFor();
  full = false;
  hub.cut();
  await page.getByText(/^draft saved/).waitFor();
  await page.getByText(/^Your draft was not saved/).waitFor({ state: "detached" });
  await done();
});

test("a file that is refused among several is said to be, and stays so", async () => {
  const of = text("With which files?");
  const { page, done } = await card(of);
  const large = { name: "big.bin", mimeType: "application/octet-stream", buffer: Buffer.alloc(10 * 1024 * 1024 + 1) };
  await page.locator("input[type=file]").setInputFiles([large, { name: "small.txt", mimeType: "text/plain", buffer: Buffer.from("small") }]);
  await page.locator(".files a", { hasText: "small.txt" }).waitFor();
  await page.locator(".question .mistake", { hasText: "big.bin is larger than 10 MB." }).waitFor();
  await done();
});

test("an answer that waits, of an ask that is no more, is said to be unsent", async () => {
  const of = text("Still there?");
  const { page, context, done } = await card(of, { allowed: /404|ERR_/ });
  await context.setOffline(true);
  await field(page).fill("yes");
  await send(page).click();
  await waits(page);
  hub.records.delete(of.askId);
  await context.setOffline(false);
  await page.locator(".toast", { hasText: "Nothing was sent." }).waitFor();
  await page.getByText(/^Your answer waits/).waitFor({ state: "detached" });
  await done();
});

test("the last words before a Send without a line are there after a reload, although somebody else has answered", async () => {
  const of = text("Last words?");
  const { page, context, done } = await card(of, { serviceWorkers: "allow" });
  await until(page, () => navigator.serviceWorker.ready.then(() => Boolean(navigator.serviceWorker.controller)));
  await context.setOffline(true);
  await field(page).fill("typed and sent in one go");
  await field(page).press("Control+Enter");
  await waits(page);
  await page.reload();
  await page.getByText("1 answer waits").waitFor();
  hub.close(hub.records.get(of.askId), { answers: [{ questionId: "q1", question: "", status: "answered", values: ["theirs"] }] }, "answered");
  hub.records.get(of.askId).answeredBy = "terminal";
  await context.setOffline(false);
  await page.getByRole("heading", { name: /^Answered in/ }).waitFor();
  await draft(page).getByText("typed and sent in one go").waitFor();
  assert.deepEqual(answers(), []);
  await done();
});

test("a Send on a line that hangs waits for the connection instead, and goes out by the same name", async () => {
  const of = text("Anybody there?");
  const { page, done } = await card(of, {
    // So long nobody waits here.
    prepare: (page) => page.addInitScript(() => {
      const stops = [];
      AbortSignal.timeout = () => {
        const stop = new AbortController();
        stops.push(stop);
        return stop.signal;
      };
      window.timeIsOver = () => stops.forEach((stop) => stop.abort());
    }),
  });
  const keys = [];
  page.on("request", (asked) => asked.url().endsWith("/answer") && keys.push(asked.headers()["idempotency-key"]));
  await page.route("**/answer", () => undefined, { times: 1 });
  await field(page).fill("yes");
  const hangs = page.waitForRequest("**/answer");
  await send(page).click();
  await hangs;
  await page.evaluate(() => window.timeIsOver());
  await page.locator(".toast", { hasText: "Your answer was sent" }).waitFor();
  await sent(page);
  assert.deepEqual(given(of.askId).values, ["yes"]);
  assert.equal(keys.length, 2);
  assert.equal(new Set(keys).size, 1);
  await done();
});

test("what is being sent on a line that hangs is kept in the browser, whatever becomes of its tab", async () => {
  const of = text("Still there?");
  const { page, context, done } = await card(of);
  await page.route("**/answer", () => undefined);
  const hangs = page.waitForRequest("**/answer");
  await field(page).fill("typed and sent in one go");
  await field(page).press("Control+Enter");
  await hangs;
  await until(page, (id) => new Promise((found) => {
    const request = indexedDB.open("ask-user", 1);
    request.onsuccess = () => {
      const read = request.result.transaction("drafts").objectStore("drafts").get(id);
      read.onsuccess = () => found(Boolean(read.result));
    };
  }), of.askId);
  const other = await open(`${base}/a/${of.askId}`, { context });
  await other.page.waitForFunction(() => document.querySelector("textarea")?.value === "typed and sent in one go");
  await send(other.page).click();
  await sent(other.page);
  await other.done();
  await done();
});

test("what comes from elsewhere while this browser writes its own part down is not taken back", async () => {
  const of = ask({ asker: { client: "codex" }, questions: [{ type: "text", question: "Here?" }, { type: "text", question: "There?" }] });
  const { page, done } = await card(of, {
    // A disk that is slow: what is written is there once the page is let go on.
    prepare: (page) => page.addInitScript(() => {
      const { put } = IDBObjectStore.prototype;
      window.writes = 0;
      IDBObjectStore.prototype.put = function (...value) {
        const request = put.apply(this, value);
        const spin = () => (window.slow ? (this.get("").onsuccess = spin) : undefined);
        window.writes++;
        spin();
        return request;
      };
      window.slow = true;
    }),
  });
  await field(page).fill("ours");
  await page.waitForFunction(() => window.writes > 0);
  hub.update({ ...hub.records.get(of.askId), draft: { answers: [{}, { own: "theirs" }], revision: 1, savedAt: new Date().toISOString(), savedBy: "terminal" } });
  await page.locator(".steps button", { hasText: "There?" }).getByText("answered").waitFor({ state: "attached" });
  const saved = page.waitForRequest("**/draft");
  await page.evaluate(() => (window.slow = false));
  assert.deepEqual((await saved).postDataJSON(), { draft: { answers: [{ own: "ours" }, { own: "theirs" }] }, builtOn: 1 });
  await done();
});

test("a browser without room says that nothing is kept, and asks before it leaves", async () => {
  const of = text("Is there room here?");
  const { page, context, done } = await card(of, {
    // As browsers do it: the write itself succeeds, and all of it fails in the end.
    prepare: (page) => page.addInitScript(() => {
      const { put } = IDBObjectStore.prototype;
      IDBObjectStore.prototype.put = function (...value) {
        const request = put.apply(this, value);
        request.addEventListener("success", () => queueMicrotask(() => this.transaction.abort()));
        return request;
      };
    }),
  });
  await context.setOffline(true);
  await field(page).fill("a word");
  await page.getByText("draft not saved yet").waitFor();
  assert.equal(await asksFirst(page), true);
  await context.setOffline(false);
  await page.getByText(/^draft saved/).waitFor();
  assert.equal(await asksFirst(page), false);
  await done();
});

test("a browser that keeps nothing asks before it leaves with an answer that waits", async () => {
  const of = text("Kept where?");
  const { page, context, done } = await card(of, {
    prepare: (page) => page.addInitScript(() => {
      indexedDB.open = () => {
        throw new DOMException("no", "SecurityError");
      };
    }),
  });
  await context.setOffline(true);
  await field(page).fill("nowhere");
  await field(page).press("Control+Enter");
  await waits(page);
  assert.equal(await asksFirst(page), true);
  await context.setOffline(false);
  await sent(page);
  assert.equal(await asksFirst(page), false);
  await done();
});

test("what was tapped in the list of a phone is sent as soon as the phone is put away", async () => {
  const of = confirm();
  hub.create(of);
  const { page, done } = await open(base, { viewport: { width: 390, height: 844 }, serviceWorkers: "block" });
  await live(page);
  // No second passes by itself.
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 1000);
  await page.locator(".item", { has: page.locator(`a[href="/a/${of.askId}"]`) }).getByRole("button", { name: /^Yes/ }).click();
  await page.getByRole("button", { name: /^Undo/ }).waitFor();
  const arrived = page.waitForResponse("**/answer");
  await hide(page);
  await arrived;
  assert.deepEqual(given(of.askId).values, ["yes"]);
  await page.getByRole("button", { name: /^Undo/ }).waitFor({ state: "detached" });
  await hide(page, false);
  assert.equal(answers().length, 1);
  await done();
});

test("on a line that isn't encrypted, tabs in the background leave the browser's few lines to the one that is seen", async () => {
  const lan = base.replace("127.0.0.1", PHONE);
  hub.pairing.at(lan);
  hub.pairing.inside("POST", "/v1/pairing", { forMs: 3_600_000, scope: "answer" });
  const { cookie } = hub.pairing.letIn({ scope: "answer", here: true });
  const context = await (await browser()).newContext({ viewport: { width: 1280, height: 900 }, locale: "en-GB" });
  await context.addCookies([{ name: "device", value: cookie, url: lan }]);
  const tabs = [];
  for (let at = 0; at < 5; at++) {
    const page = await context.newPage();
    await page.goto(`${lan}/`);
    await live(page);
    await page.locator(".item").first().waitFor();
    tabs.push(page);
    // Another tab comes before it.
    await hide(page);
  }
  assert.ok(hub.streams() < 4, `${hub.streams()} tabs listen`);
  // The first is looked at again, and hears what has come meanwhile.
  hub.create({ ...structuredClone(samples()[3]), askId: "ask_new", title: "Came meanwhile", shown: { ...samples()[3].shown, title: "Came meanwhile" } });
  await hide(tabs[0], false);
  await tabs[0].getByRole("link", { name: /Came meanwhile/ }).waitFor();
  await context.close();
});

test("a tab that comes later tells the time as the hub does, too", async () => {
  const of = text("How late is it?");
  of.deadlineAt = new Date(Date.now() + 10 * 60_000).toISOString();
  const { context, done } = await card(of, {
    // The browser's clock goes an hour ahead.
    prepare: (page) => page.context().addInitScript(() => {
      const { now } = Date;
      Date.now = () => now() + 3_600_000;
    }),
  });
  const later = await open(`${base}/a/${of.askId}`, { context });
  await later.page.locator(".card [role=timer]", { hasText: /due in \d:\d\d/ }).waitFor();
  await later.done();
  await done();
});
