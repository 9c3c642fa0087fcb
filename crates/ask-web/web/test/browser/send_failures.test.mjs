// Answers that could get lost between a tap and the hub: a connection that hangs, a hub that can't write, a browser without
// storage, uploads under way, pages in the background.
import assert from "node:assert/strict";
import { after, afterEach, beforeEach, test } from "node:test";
import { fake } from "../fake_hub.mjs";
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

/** Opens the card of a new ask. */
async function card(record, { prepare, ...options } = {}) {
  hub.create(record);
  const opened = await open(undefined, { allowed: /503|ERR_/, serviceWorkers: "block", ...options });
  await prepare?.(opened.page);
  await opened.page.goto(`${base}/a/${record.askId}`);
  await live(opened.page);
  await opened.page.locator(".question").waitFor();
  return opened;
}

/** Whether the browser would ask before leaving the page. */
const asksFirst = (page) => page.evaluate(() => !dispatchEvent(new Event("beforeunload", { cancelable: true })));
/** Puts the page into the background, or back. */
const hide = (page, hidden = true) => page.evaluate((hidden) => {
  Object.defineProperty(document, "hidden", { configurable: true, value: hidden });
  Object.defineProperty(document, "visibilityState", { configurable: true, value: hidden ? "hidden" : "visible" });
  document.dispatchEvent(new Event("visibilitychange"));
}, hidden);
const attach = (page, name) => page.locator("input[type=file]").setInputFiles({ name, mimeType: "text/plain", buffer: Buffer.from(name) });
/** A promise that a test resolves. */
const gate = () => {
  let go;
  const opened = new Promise((done) => (go = done));
  return { opened, go };
};

test("Send waits for a file's upload, and the answer contains the file", async () => {
  const record = text("With which file?");
  const { page, done } = await card(record);
  const way = gate();
  await page.route("**/v1/files?*", (route) => way.opened.then(() => route.continue()));
  await field(page).fill("see the file");
  const uploading = page.waitForRequest("**/v1/files?*");
  await attach(page, "log.txt");
  await uploading;
  await send(page).click();
  await send(page).getByText("Sending …").waitFor();
  assert.deepEqual(answers(), []);
  way.go();
  await sent(page);
  assert.deepEqual(given(record.askId).attachments.map(({ name }) => name), ["log.txt"]);
  await done();
});

test("an upload that fails after Send holds the answer back and is named; the next Send goes without the file", async () => {
  const record = text("Without which file?");
  const { page, done } = await card(record);
  const way = gate();
  await page.route("**/v1/files?*", (route) => way.opened.then(() => route.abort("connectionreset")));
  await field(page).fill("no file");
  const uploading = page.waitForRequest("**/v1/files?*");
  await attach(page, "lost.txt");
  await uploading;
  await send(page).click();
  await send(page).getByText("Sending …").waitFor();
  way.go();
  await page.locator(".mistake", { hasText: "lost.txt was not attached" }).waitFor();
  await send(page).getByText("Send", { exact: true }).waitFor();
  assert.deepEqual(answers(), []);
  await send(page).click();
  await sent(page);
  assert.equal(given(record.askId).attachments, undefined);
  await done();
});

test("a file that is uploaded after the answer was sent isn't said to belong to it", async () => {
  const record = text("Too late?");
  const { page, done } = await card(record);
  const [file, answer] = [gate(), gate()];
  await page.route("**/v1/files?*", (route) => file.opened.then(() => route.continue()));
  await page.route("**/answer", (route) => answer.opened.then(() => route.continue()));
  await field(page).fill("as it is");
  const asked = page.waitForRequest("**/answer");
  await send(page).click();
  await asked;
  const uploading = page.waitForRequest("**/v1/files?*");
  await attach(page, "late.txt");
  await uploading;
  answer.go();
  await sent(page);
  file.go();
  await page.locator(".toast", { hasText: "What you changed after sending was not sent." }).waitFor();
  assert.equal(await page.getByText("late.txt is attached").count(), 0);
  await done();
});

test("an agent's initial text is in the field, whichever way its question is opened", async () => {
  const record = text("How is it called?", { default: "as before" });
  hub.create(record);
  const { page, done } = await open(base, { serviceWorkers: "block" });
  await live(page);
  await page.locator(`.list a[href="/a/${record.askId}"]`).click();
  await field(page).waitFor();
  await page.waitForFunction(() => document.querySelector("textarea").value === "as before");
  // Nobody typed it, so it isn't a draft.
  await field(page).press("End");
  await field(page).pressSequentially("!");
  await page.getByText(/^draft saved/).waitFor();
  assert.deepEqual(hub.records.get(record.askId).draft.answers, [{ own: "as before!" }]);
  assert.equal(hub.records.get(record.askId).draft.revision, 1);
  await done();
});

test("a queued answer stays while the hub can't write, and is sent once it can", async () => {
  const record = text("Is there room?");
  const { page, context, done } = await card(record);
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
  assert.deepEqual(given(record.askId).values, ["plenty"]);
  assert.equal(await page.getByText("What you changed after sending").count(), 0);
  await done();
});

test("a proxy that doesn't reach the hub counts as offline: the answer is queued and sent", async () => {
  const record = text("Through the proxy?");
  const { page, done } = await card(record, { allowed: /502|ERR_/ });
  let away = true;
  await page.route("**/v1/**", (route) => (away ? route.fulfill({ status: 502, contentType: "text/html", body: "<h1>Bad Gateway</h1>" }) : route.continue()));
  hub.cut();
  await page.locator(".connection.pausing").waitFor();
  await field(page).fill("yes");
  await send(page).click();
  await waits(page);
  away = false;
  await sent(page);
  assert.deepEqual(given(record.askId).values, ["yes"]);
  assert.equal(answers().length, 1);
  await done();
});

test("the page stops saying that a draft is unsaved once it is saved", async () => {
  const record = text("Saved?");
  const { page, done } = await card(record);
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

test("a file that is refused among several is named, and stays named", async () => {
  const record = text("With which files?");
  const { page, done } = await card(record);
  const large = { name: "big.bin", mimeType: "application/octet-stream", buffer: Buffer.alloc(10 * 1024 * 1024 + 1) };
  await page.locator("input[type=file]").setInputFiles([large, { name: "small.txt", mimeType: "text/plain", buffer: Buffer.from("small") }]);
  await page.locator(".files a", { hasText: "small.txt" }).waitFor();
  await page.locator(".question .mistake", { hasText: "big.bin is larger than 10 MB." }).waitFor();
  await done();
});

test("a queued answer to an ask that the hub doesn't have is not sent, and is there again with its ask", async () => {
  const record = text("Still there?");
  const { page, context, done } = await card(record, { allowed: /404|ERR_/ });
  await context.setOffline(true);
  await field(page).fill("yes");
  await send(page).click();
  await waits(page);
  hub.records.delete(record.askId);
  await context.setOffline(false);
  await page.locator(".toast", { hasText: "This hub doesn't know the question. Nothing was sent." }).waitFor();
  await page.getByText(/^Your answer waits/).waitFor({ state: "detached" });
  // A store that is empty or older for a while is the usual cause.
  await page.goto(base);
  await live(page);
  hub.create(record);
  await page.goto(`${base}/a/${record.askId}`);
  await page.waitForFunction(() => document.querySelector("textarea")?.value === "yes");
  assert.deepEqual(answers(), []);
  await done();
});

test("the last text before an offline Send is there after a reload, although somebody else has answered", async () => {
  const record = text("Last words?");
  const { page, context, done } = await card(record, { serviceWorkers: "allow" });
  await until(page, () => navigator.serviceWorker.ready.then(() => Boolean(navigator.serviceWorker.controller)));
  await context.setOffline(true);
  await field(page).fill("typed and sent in one go");
  await field(page).press("Control+Enter");
  await waits(page);
  await page.reload();
  await page.getByText("1 answer waits").waitFor();
  hub.close(hub.records.get(record.askId), { answers: [{ questionId: "q1", question: "", status: "answered", values: ["theirs"] }] }, "answered");
  hub.records.get(record.askId).answeredBy = "terminal";
  await context.setOffline(false);
  await page.getByRole("heading", { name: /^Answered in/ }).waitFor();
  await draft(page).getByText("typed and sent in one go").waitFor();
  assert.deepEqual(answers(), []);
  await done();
});

test("a Send on a hanging connection is queued, and sent with the same key", async () => {
  const record = text("Anybody there?");
  const { page, done } = await card(record, {
    // The timeout is shorter for the test.
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
  assert.deepEqual(given(record.askId).values, ["yes"]);
  assert.equal(keys.length, 2);
  assert.equal(new Set(keys).size, 1);
  await done();
});

test("an answer that is being sent on a hanging connection is stored in the browser, even if its tab crashes", async () => {
  const record = text("Still there?");
  const { page, context, done } = await card(record);
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
  }), record.askId);
  const other = await open(`${base}/a/${record.askId}`, { context });
  await other.page.waitForFunction(() => document.querySelector("textarea")?.value === "typed and sent in one go");
  await send(other.page).click();
  await sent(other.page);
  await other.done();
  await done();
});

test("a draft from elsewhere during a write to the browser's storage is not undone", async () => {
  const record = ask({ asker: { client: "codex" }, questions: [{ type: "text", question: "Here?" }, { type: "text", question: "There?" }] });
  const { page, done } = await card(record, {
    // A slow disk: a write completes once the test lets it.
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
  hub.update({ ...hub.records.get(record.askId), draft: { answers: [{}, { own: "theirs" }], revision: 1, savedAt: new Date().toISOString(), savedBy: "terminal" } });
  await page.locator(".steps button", { hasText: "There?" }).getByText("answered").waitFor({ state: "attached" });
  const saved = page.waitForRequest("**/draft");
  await page.evaluate(() => (window.slow = false));
  assert.deepEqual((await saved).postDataJSON(), { draft: { answers: [{ own: "ours" }, { own: "theirs" }] }, builtOn: 1 });
  await done();
});

test("what a program below an agent fills in is not sent for two seconds, beside its warning", async () => {
  const record = ask({ asker: { client: "codex" }, questions: [{ type: "multi-select", question: "Which may go?", options: [{ label: "The old ones" }, { label: "All of them" }] }] });
  const { page, done } = await card(record);
  const boxes = page.locator(".question input[type=checkbox]");
  const draft = { answers: [{ picks: [0, 1] }], revision: 1, savedAt: new Date().toISOString(), savedBy: "below evil" };
  // The clock is stopped, so that no machine is too slow for what a person does in these two seconds.
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 60_000);
  hub.update({ ...hub.records.get(record.askId), draft });
  await page.locator(".bar .notice", { hasText: "Filled in by a program below evil" }).waitFor();
  await page.locator(".bar .primary[aria-disabled]").waitFor();
  await page.keyboard.press("1");
  await page.keyboard.press("Control+Enter");
  await send(page).click({ force: true });
  await page.clock.runFor(2_000);
  await page.locator(".bar .primary:not([aria-disabled])").waitFor();
  assert.deepEqual(await boxes.evaluateAll((all) => all.map((one) => one.checked)), [true, true, false, false]);
  assert.deepEqual(answers(), []);
  await page.keyboard.press("2");
  await send(page).click();
  await page.clock.resume();
  await sent(page);
  assert.deepEqual(given(record.askId).values, ["The old ones"]);
  await done();
});

test("what is loaded from a program below an agent is not sent for two seconds, beside its warning", async () => {
  const record = ask({ asker: { client: "codex" }, questions: [{ type: "text", question: "What now?" }] });
  const { page, done } = await card(record);
  // The clock is stopped, so that the hub has nothing of what is typed when the program writes.
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 60_000);
  await field(page).fill("mine");
  const draft = { answers: [{ own: "theirs" }], revision: 1, savedAt: new Date().toISOString(), savedBy: "below evil" };
  hub.update({ ...hub.records.get(record.askId), draft });
  await page.getByRole("button", { name: "Load it" }).click();
  assert.equal(await field(page).inputValue(), "theirs");
  await page.locator(".bar .notice", { hasText: "Filled in by a program below evil" }).waitFor();
  await page.locator(".bar .primary[aria-disabled]").waitFor();
  await page.keyboard.press("Control+Enter");
  assert.deepEqual(answers(), []);
  await page.clock.resume();
  await done();
});

test("a choice of a program that the person loads is loaded, and theirs is offered", async () => {
  const record = ask({ asker: { client: "codex" }, questions: [{ type: "multi-select", question: "Which may go?", options: [{ label: "The old ones" }, { label: "All of them" }] }] });
  const { page, done } = await card(record);
  const boxes = page.locator(".question input[type=checkbox]");
  const checked = (at) => boxes.nth(at).and(page.locator(":checked")).waitFor({ state: "attached" });
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 60_000);
  await boxes.nth(0).check();
  const draft = { answers: [{ picks: [1] }], revision: 1, savedAt: new Date().toISOString(), savedBy: "below evil" };
  hub.update({ ...hub.records.get(record.askId), draft });
  const offer = page.getByRole("button", { name: "Load it" });
  await offer.waitFor();
  // Clicks right after a change of the layout are ignored.
  await page.clock.runFor(1_000);
  await offer.click();
  await checked(1);
  assert.equal(await boxes.nth(0).isChecked(), false);
  await page.locator(".bar .notice", { hasText: "Filled in by a program below evil" }).waitFor();
  await page.clock.runFor(1_000);
  await page.getByRole("button", { name: "Bring mine back" }).click();
  await checked(0);
  assert.equal(await boxes.nth(1).isChecked(), false);
  await page.clock.resume();
  await done();
});

test("own words of a draft leave no choice that isn't shown", async () => {
  const record = ask({ asker: { client: "codex" }, questions: [{ type: "confirm", question: "Delete production?" }] });
  const draft = { answers: [{ picks: [0], own: "no!" }], revision: 1, savedAt: new Date().toISOString(), savedBy: "below evil" };
  const { page, done } = await card({ ...record, draft });
  await page.locator(".bar .primary[aria-disabled]").waitFor();
  await page.locator(".bar .primary:not([aria-disabled])").waitFor();
  await send(page).click();
  await sent(page);
  assert.deepEqual(given(record.askId).values ?? [], []);
  assert.equal(given(record.askId).customText, "no!");
  await done();
});

test("with the browser's storage full, the page says that nothing is stored, and asks before it is left", async () => {
  const record = text("Is there room here?");
  const { page, context, done } = await card(record, {
    // As in browsers, the write itself succeeds and the transaction fails in the end.
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

test("in a browser without storage, the page with a queued answer asks before it is left", async () => {
  const record = text("Kept where?");
  const { page, context, done } = await card(record, {
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

test("over an unencrypted connection, tabs in the background leave the browser's few connections to the visible one", async () => {
  const lan = base.replace("127.0.0.1", PHONE);
  hub.pairing.at(lan);
  hub.pairing.handleComputer("POST", "/v1/pairing", { forMs: 3_600_000, scope: "answer" });
  const { cookie } = hub.pairing.addDevice({ scope: "answer", here: true });
  const context = await (await browser()).newContext({ viewport: { width: 1280, height: 900 }, locale: "en-GB" });
  await context.addCookies([{ name: "device", value: cookie, url: lan }]);
  const tabs = [];
  for (let at = 0; at < 5; at++) {
    const page = await context.newPage();
    await page.goto(`${lan}/`);
    await live(page);
    await page.locator(".item").first().waitFor();
    tabs.push(page);
    // Another tab is brought to the front.
    await hide(page);
  }
  assert.ok(hub.streams() < 4, `${hub.streams()} tabs listen`);
  // The first tab is visible again, and gets what has come meanwhile.
  hub.create({ ...structuredClone(samples()[3]), askId: "ask_new", title: "Came meanwhile", shown: { ...samples()[3].shown, title: "Came meanwhile" } });
  await hide(tabs[0], false);
  await tabs[0].getByRole("link", { name: /Came meanwhile/ }).waitFor();
  await context.close();
});

test("a tab that is opened later uses the hub's clock, too", async () => {
  const record = text("How late is it?");
  record.deadlineAt = new Date(Date.now() + 10 * 60_000).toISOString();
  const { context, done } = await card(record, {
    // The browser's clock is an hour ahead.
    prepare: (page) => page.context().addInitScript(() => {
      const { now } = Date;
      Date.now = () => now() + 3_600_000;
    }),
  });
  const later = await open(`${base}/a/${record.askId}`, { context });
  await later.page.locator(".card [role=timer]", { hasText: /due in \d:\d\d/ }).waitFor();
  await later.done();
  await done();
});

test("an answer whose tab closes before the hub has replied is sent by the next tab", async () => {
  const record = text("Which shelf?");
  const { page, context, done } = await card(record);
  const reached = gate();
  await page.route("**/answer", () => reached.go());
  await field(page).fill("the top one");
  await send(page).click();
  await reached.opened;
  assert.equal(given(record.askId), undefined);
  await page.close();
  const next = await open(undefined, { context });
  const sentAgain = next.page.waitForResponse("**/answer");
  await next.page.goto(base);
  await sentAgain;
  assert.deepEqual(given(record.askId).values, ["the top one"]);
  await next.done();
  await done();
});

test("a waiting answer that the settings refuse becomes a draft, and isn't sent later", async () => {
  const record = text("Which door?");
  const { page, context, done } = await card(record, { allowed: /403|ERR_/ });
  await context.setOffline(true);
  await field(page).fill("the left one");
  await send(page).click();
  await waits(page);
  await page.route("**/answer", (route) => route.fulfill({ status: 403, contentType: "application/problem+json", body: JSON.stringify({ type: "urn:ask-user:problem:not-allowed", title: "Forbidden", status: 403, detail: "no answer is taken from here" }) }), { times: 1 });
  await context.setOffline(false);
  await page.getByText(/^Not sent: /).first().waitFor();
  await page.getByText(/^Your answer waits for the connection/).waitFor({ state: "detached" });
  await context.setOffline(true);
  await page.locator(".connection.live").waitFor({ state: "detached" });
  await context.setOffline(false);
  await live(page);
  assert.equal(await field(page).inputValue(), "the left one");
  assert.equal(given(record.askId), undefined);
  await done();
});
