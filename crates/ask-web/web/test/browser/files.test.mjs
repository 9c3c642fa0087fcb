// Attachments: dropped, pasted and chosen; too many, too large, empty, with odd names; and opened again.
import assert from "node:assert/strict";
import { test } from "node:test";
import { TURNING } from "./hostile.mjs";
import { open, ownHub } from "./support.mjs";

const hub = await ownHub();

const text = (question) => ({ questions: [{ question, type: "text" }] });

/** Drops files onto the field for them, or pastes them into a text field, with the events that browsers send. */
const give = (page, how, files) => page.evaluate(async ([how, files]) => {
  const carried = new DataTransfer();
  for (const { name, type, body, size } of files) carried.items.add(new File([size ? new Uint8Array(size) : body], name, { type }));
  const place = document.querySelector(how === "drop" ? ".attach" : "textarea");
  if (how === "paste") return !place.dispatchEvent(new ClipboardEvent("paste", { clipboardData: carried, bubbles: true, cancelable: true }));
  for (const kind of ["dragover", "drop"]) place.dispatchEvent(new DragEvent(kind, { dataTransfer: carried, bubbles: true, cancelable: true }));
  return true;
}, [how, files]);

async function card(question) {
  const agent = await hub.ask(text(question));
  const opened = await open(await hub.link());
  await opened.page.locator(".list").waitFor();
  await opened.page.goto(`${hub.base}/a/${agent.id}`);
  await opened.page.locator(".question").waitFor();
  return { agent, ...opened };
}

test("several files are dropped; pasted text stays text, a file pasted into a field is attached", async () => {
  const { agent, page, done } = await card("Which files?");
  await give(page, "drop", [{ name: "one.txt", type: "text/plain", body: "1" }, { name: "two.json", type: "application/json", body: "{}" }]);
  await page.getByRole("link", { name: "two.json" }).waitFor();
  assert.equal(await give(page, "paste", [{ name: "three.txt", type: "text/plain", body: "3" }]), true, "taken");
  await page.getByRole("link", { name: "three.txt" }).waitFor();
  assert.equal(await page.evaluate(() => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", "words");
    return document.querySelector("textarea").dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
  }), true, "left to the field");
  await page.locator(".bar .primary").click();
  await page.getByRole("heading", { name: /^Sent/ }).waitFor();
  const { outcome } = await hub.show(agent.id);
  assert.deepEqual(outcome.answers[0].attachments.map(({ name }) => name), ["one.txt", "two.json", "three.txt"]);
  await done();
});

test("a file dropped beside its field doesn't replace the page", async () => {
  const { agent, page, done } = await card("Where do they land?");
  const left = await page.evaluate(() => {
    const carried = new DataTransfer();
    carried.items.add(new File(["x"], "x.html", { type: "text/html" }));
    return ["dragover", "drop"].map((kind) => document.querySelector("h1").dispatchEvent(new DragEvent(kind, { dataTransfer: carried, bubbles: true, cancelable: true })));
  });
  assert.deepEqual(left, [false, false], "the browser would open what was dropped");
  await page.getByRole("link", { name: "x.html" }).waitFor();
  agent.end();
  await done();
});

test("files that are too large, empty or too many are refused with a reason, and the others are attached", async () => {
  const { agent, page, done } = await card("How many?");
  const asked = [];
  page.on("request", (request) => request.url().includes("/v1/files?") && asked.push(decodeURIComponent(request.url().split("name=")[1])));
  await give(page, "drop", [{ name: "huge.bin", size: 10 * 1024 * 1024 + 1 }]);
  await page.locator(".toast", { hasText: "huge.bin is larger than 10 MB." }).waitFor();
  assert.deepEqual(asked, []);
  await give(page, "drop", [{ name: "just.bin", size: 10 * 1024 * 1024 }]);
  await page.getByRole("link", { name: "just.bin" }).waitFor();
  await page.getByText(/10(\.0)? MB/).waitFor();
  await give(page, "drop", [{ name: "empty.txt", body: "" }]);
  await page.locator(".toast", { hasText: "empty.txt" }).filter({ hasText: "is empty" }).waitFor();
  // The reason is shown at the question, longer than a toast is.
  await page.locator(".mistake", { hasText: "empty.txt" }).waitFor();
  for (let at = 1; at <= 9; at++) await give(page, "drop", [{ name: `${at}.txt`, body: `${at}` }]);
  // The uploads may finish in any order.
  await page.waitForFunction(() => document.querySelectorAll(".files li").length === 10);
  await give(page, "drop", [{ name: "eleventh.txt", body: "11" }]);
  await page.locator(".toast", { hasText: "An answer can have 10 files." }).waitFor();
  assert.equal(await page.locator(".files li").count(), 10);
  agent.end();
  await done();
});

test("files added during an upload count with those before", async () => {
  const { agent, page, done } = await card("How many at once?");
  const six = (from) => Array.from({ length: 6 }, (_, at) => ({ name: `${from + at}.txt`, body: `${from + at}` }));
  for (const from of [1, 7]) await give(page, "drop", six(from));
  await page.locator(".mistake", { hasText: "An answer can have 10 files." }).waitFor();
  await page.getByLabel("Your answer").fill("ten of them");
  await page.locator(".bar .primary").click();
  await page.getByRole("heading", { name: /^Sent/ }).waitFor();
  assert.equal((await hub.show(agent.id)).outcome.answers[0].attachments.length, 10);
  await done();
});

test("a failed upload stays in sight until it or another one succeeds", async () => {
  const { agent, page, context, done } = await card("Which picture?");
  await context.setOffline(true);
  await give(page, "drop", [{ name: "lost.png", body: "1" }]);
  const refusal = page.locator(".mistake", { hasText: "lost.png was not attached" });
  await refusal.waitFor();
  await page.getByLabel("Your answer").fill("this one");
  await page.getByText("draft kept in this browser").waitFor();
  await page.locator(".bar .primary").click();
  await page.getByText(/^Your answer waits for the connection/).waitFor();
  assert.ok(await refusal.isVisible());
  await page.getByRole("button", { name: "Take it back" }).click();
  await context.setOffline(false);
  await page.locator(".connection.live").waitFor();
  await give(page, "drop", [{ name: "lost.png", body: "1" }]);
  await page.locator(".files li").waitFor();
  await refusal.waitFor({ state: "detached" });
  agent.end();
  await done();
});

test("odd file names are safe in the card, in the reply to the agent and in the history", async () => {
  const { agent, page, done } = await card("What is it called?");
  const names = ["\u202egnp.exe", "../../etc/passwd", "..\\..\\boot.ini", `${"long".repeat(75)}.txt`, "<img src=x onerror=window.ran=1>.txt", "\u0000\u001b[31m.txt", "CON", ".hidden"];
  for (const [at, name] of names.entries()) {
    await give(page, "drop", [{ name, body: `${at}` }]);
    await page.waitForFunction((count) => document.querySelectorAll(".files li").length === count, at + 1);
    assert.doesNotMatch((await page.locator("body").innerText()).replace(/\u2068[^\u2068\u2069]*\u2069/g, ""), TURNING, JSON.stringify(name));
  }
  await page.locator(".bar .primary").click();
  await page.getByRole("heading", { name: /^Sent/ }).waitFor();
  const { outcome } = await hub.show(agent.id);
  for (const { name, path } of outcome.answers[0].attachments) {
    assert.doesNotMatch(name, TURNING);
    assert.doesNotMatch(name, /[/\\]/);
    assert.ok(name.length <= 110, name);
    // The stored file has a generated name, in ask-user's folder.
    assert.ok(!path || (path.startsWith(hub.home) && !path.includes("..")), path);
  }
  await page.goto(`${hub.base}/history/${agent.id}`);
  await page.locator(".files li").first().waitFor();
  assert.equal(await page.locator(".files li").count(), names.length);
  assert.doesNotMatch(await page.locator("body").innerText(), TURNING);
  assert.equal(await page.evaluate(() => window.ran), undefined);
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth));
  await done();
});

test("an opened attachment never runs, whatever its type", async () => {
  const { agent, page, context, done } = await card("Show it?");
  const html = "<!doctype html><script>window.ran=1;fetch('/v1/asks')</script><h1>ask-user</h1>";
  const files = [["page.html", "text/html", html], ["drawing.svg", "image/svg+xml", `<svg xmlns="http://www.w3.org/2000/svg" onload="window.ran=1"><script>window.ran=1</script></svg>`], ["page.xhtml", "application/xhtml+xml", `${html} `], ["notes.txt", "text/plain", `${html}  `], ["script.js", "text/javascript", "window.ran=1"], ["picture.png", "image/png", `\u0089PNG\r\n\u001a\n${html}`], ["doc.pdf", "application/pdf", `%PDF-1.7\n${html}`]];
  for (const [at, [name, type, body]] of files.entries()) {
    await give(page, "drop", [{ name, type, body }]);
    await page.waitForFunction((count) => document.querySelectorAll(".files li").length === count, at + 1);
  }
  const alone = [];
  context.on("request", (request) => request.resourceType() === "document" && alone.push(request.url()));
  for (const [name] of files) {
    const link = page.locator(".files a", { hasText: name });
    // A browser that follows the link without the page sends no proof.
    const plainly = (path) => fetch(path).then(({ status }) => status);
    assert.equal(await page.evaluate(plainly, await link.getAttribute("href")), 401);
    const [saved] = await Promise.all([page.waitForEvent("download"), link.click()]);
    assert.equal(saved.suggestedFilename(), name);
  }
  // An image is shown, as a thumbnail and in a window.
  const dot = Buffer.from("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==", "base64");
  await page.locator("input[type=file]").setInputFiles([{ name: "dot.png", mimeType: "image/png", buffer: dot }]);
  const picture = page.locator(".files li", { hasText: "dot.png" });
  await page.waitForFunction(() => [...document.querySelectorAll(".files img")].some((one) => one.naturalWidth === 1));
  const [tab] = await Promise.all([context.waitForEvent("page"), picture.locator("a").click()]);
  await tab.waitForLoadState();
  assert.match(tab.url(), /^blob:/);
  assert.equal(await tab.evaluate(() => document.contentType), "image/png");
  await tab.close();
  assert.deepEqual(alone.filter((url) => !url.startsWith("blob:")), [], "nothing else is");
  assert.equal(await page.evaluate(() => window.ran), undefined);
  agent.end();
  await done();
});
