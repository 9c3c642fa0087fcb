// The worker and what it keeps, and how a page in the background says that an agent waits.
import assert from "node:assert/strict";
import { test } from "node:test";
import { fake } from "../fake.mjs";
import { confirm, samples } from "../samples.mjs";
import { Hub, open, ownHub, until } from "./support.mjs";

const hub = await ownHub();

const kept = (page) => until(page, () => navigator.serviceWorker.ready.then(() => Boolean(navigator.serviceWorker.controller)));
const inCache = (page) => page.evaluate(async () => {
  const all = {};
  for (const name of await caches.keys()) all[name] = (await (await caches.open(name)).keys()).map(({ url }) => new URL(url).pathname).sort();
  return all;
});

test("the worker keeps the page's files and nothing of anybody's, whatever was opened", async () => {
  const agent = await hub.ask({ title: "A secret", context: "secret words", ...{ questions: [{ question: "Secret?", type: "text" }] } });
  const { page, done } = await open(await hub.link());
  await page.getByText("A secret").first().waitFor();
  await kept(page);
  for (const place of [`/a/${agent.id}`, "/history", "/stats", "/settings", "/metrics", "/openapi.json", "/healthz"]) await page.goto(hub.base + place).catch((error) => assert.match(String(error), /Download is starting/));
  await page.goto(`${hub.base}/a/${agent.id}`);
  const all = await inCache(page);
  assert.equal(Object.keys(all).length, 1);
  const [files] = Object.values(all);
  for (const file of ["/", "/assets/app.js", "/assets/card.js", "/assets/more.js", "/assets/later.js", "/assets/app.css", "/assets/words.en.json", "/manifest.webmanifest", "/icon.svg"]) assert.ok(files.includes(file), file);
  for (const file of files) assert.match(file, /^\/$|^\/assets\/[\w.-]+$|^\/(icon\.svg|manifest\.webmanifest)$/);
  const texts = await page.evaluate(async () => Promise.all((await Promise.all((await caches.keys()).map(async (name) => { const one = await caches.open(name); return Promise.all((await one.keys()).map((key) => one.match(key))); }))).flat().map((answer) => answer.text())));
  assert.ok(!texts.some((text) => /A secret|secret words/.test(text)));
  agent.end();
  await done();
});

test("without the hub every place of the page opens and says how it stands", async () => {
  const own = await Hub.start();
  try {
    const { page, done } = await open(await own.link());
    await page.locator(".list").waitFor();
    await kept(page);
    await own.end();
    for (const [place, says] of [["/", "The hub can't be reached"], ["/a/ask_1", "The hub can't be reached"], ["/history", "no connection"], ["/stats", "no connection"], ["/settings", "Sign out"]]) {
      await page.goto(own.base + place);
      await page.getByText(says).first().waitFor();
      await page.getByText(/reconnecting in|connecting|offline/).first().waitFor();
    }
    await own.run("list");
    await page.goto(own.base);
    await page.getByText("No question waits for you.").waitFor();
    await done();
  } finally {
    await own.stop();
  }
});

test("another build brings another worker, and what the old one kept is gone", async () => {
  const memory = fake();
  const base = await memory.listen();
  const { page, done } = await open(base);
  await kept(page);
  const [before] = Object.keys(await inCache(page));
  memory.renew("2");
  await page.reload();
  await until(page, async (before) => {
    const names = await caches.keys();
    return names.length === 1 && names[0] !== before;
  }, before);
  await done();
  await memory.stop();
});

/** Notifications as a browser has them, in the hands of the test. */
async function notified(page, { permission = "granted", answer = "granted" } = {}) {
  await page.addInitScript(([permission, answer]) => {
    window.notices = [];
    window.Notification = class {
      static permission = permission;
      static asked = 0;
      static async requestPermission() {
        this.asked++;
        return (this.permission = answer);
      }
      constructor(title, options) {
        Object.assign(this, { title, ...options, open: true });
        window.notices.push(this);
      }
      close() {
        this.open = false;
      }
    };
    window.badges = [];
    navigator.setAppBadge = async (count) => void window.badges.push(count);
    document.hasFocus = () => Boolean(window.looking);
  }, [permission, answer]);
}

/** How many there were, once the page knows who looks: it asks for that before it calls anybody. */
const noticed = (page) => page.evaluate(() => navigator.locks.query().then(() => window.notices.length));

test("notifications are asked for by a button alone; refused ones say how to allow them", async () => {
  for (const [answer, says] of [["granted", "You get a notification when a question comes"], ["denied", "Notifications are blocked for this page"]]) {
    const memory = fake();
    const base = await memory.listen();
    const { page, done } = await open();
    await notified(page, { permission: "default", answer });
    await page.goto(base);
    await page.locator(".list h3").first().waitFor();
    await page.goto(`${base}/settings`);
    const button = page.getByRole("button", { name: "Notify me" });
    await button.waitFor();
    assert.equal(await page.evaluate(() => Notification.asked), 0);
    await button.focus();
    await page.keyboard.press("Enter");
    await page.getByText(says).waitFor();
    assert.notEqual(await page.evaluate(() => document.activeElement), null);
    assert.notEqual(await page.evaluate(() => document.activeElement.tagName), "BODY");
    await done();
    await memory.stop();
  }
});

test("a question in the background notifies once; a click opens it; answered elsewhere, it is withdrawn", async () => {
  const memory = fake(samples().slice(2, 4));
  const base = await memory.listen();
  const { page, context, done } = await open();
  await notified(page);
  await page.goto(`${base}/settings`);
  await page.waitForFunction(() => /^\(2\) /.test(document.title));
  const ask = memory.create(confirm());
  await page.waitForFunction(() => window.notices.length === 1);
  assert.deepEqual(await page.evaluate(() => [window.notices[0].title, window.notices[0].body, window.notices[0].tag]), ["codex asks", "Delete 15 stale preview environments?", ask.askId]);
  await page.waitForFunction(() => /^\(3\) /.test(document.title) && window.badges.at(-1) === 3 && decodeURIComponent(document.querySelector("link[rel=icon]").href).includes(">3<"));
  await page.evaluate(() => window.notices[0].onclick());
  await page.waitForURL(`${base}/a/${ask.askId}`);
  await page.locator(".question").waitFor();
  const other = memory.create(confirm());
  await page.waitForFunction(() => window.notices.length === 2);
  memory.close(other, { answered: true, answers: [] }, "answered");
  await page.waitForFunction(() => !window.notices[1].open);
  await page.waitForFunction(() => /^\(3\) /.test(document.title));
  const aside = memory.create(confirm());
  await page.waitForFunction(() => window.notices.length === 3);
  memory.update({ ...aside, snoozedUntil: "asked-again" });
  await page.waitForFunction(() => !window.notices[2].open);
  // Muted, or looked at in another tab: nobody is called.
  const second = await open(undefined, { context });
  await notified(second.page);
  await second.page.addInitScript(() => (window.looking = true));
  await second.page.goto(base);
  await second.page.locator(".list h3").first().waitFor();
  await until(second.page, async () => (await navigator.locks.query()).held.some(({ name }) => name === "ask-user-looking"));
  memory.create(confirm());
  await page.waitForFunction(() => /^\(4\) /.test(document.title));
  assert.equal(await noticed(page), 3);
  await second.done();
  memory.tell("day", { muted: true });
  await until(page, async () => !(await navigator.locks.query()).held.some(({ name }) => name === "ask-user-looking"));
  memory.create(confirm());
  await page.waitForFunction(() => /^\(5\) /.test(document.title));
  assert.equal(await noticed(page), 3);
  await done();
  await context.close();
  await memory.stop();
});

test("signed out, the title and the icon say nothing of what waits", async () => {
  const memory = fake();
  const base = await memory.listen();
  const { page, done } = await open(`${base}/settings`);
  await page.waitForFunction(() => /^\(\d\) /.test(document.title));
  await page.getByRole("button", { name: "Sign out", exact: true }).click();
  await page.waitForFunction(() => document.title === "ask");
  assert.match(await page.locator("link[rel=icon]").getAttribute("href"), /^\/icon\.svg$/);
  await done();
  await memory.stop();
});
