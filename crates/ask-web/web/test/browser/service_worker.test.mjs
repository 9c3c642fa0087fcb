// The service worker and its cache. Also how a page in the background shows that an agent waits.
import assert from "node:assert/strict";
import { test } from "node:test";
import { fake } from "../fake_hub.mjs";
import { confirm, samples } from "../samples.mjs";
import { Hub, open, ownHub, until } from "./support.mjs";

const hub = await ownHub();

const controlled = (page) => until(page, () => navigator.serviceWorker.ready.then(() => Boolean(navigator.serviceWorker.controller)));
const inCache = (page) => page.evaluate(async () => {
  const all = {};
  for (const name of await caches.keys()) all[name] = (await (await caches.open(name)).keys()).map(({ url }) => new URL(url).pathname).sort();
  return all;
});

test("the service worker caches only the page's files, whatever was opened", async () => {
  const agent = await hub.ask({ title: "A secret", context: "secret words", ...{ questions: [{ question: "Secret?", type: "text" }] } });
  const { page, done } = await open(await hub.link());
  await page.getByText("A secret").first().waitFor();
  await controlled(page);
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

test("without the hub every path of the page opens and says that the hub is away", async () => {
  const own = await Hub.start();
  try {
    const { page, done } = await open(await own.link());
    await page.locator(".list").waitFor();
    await controlled(page);
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

test("another build installs another worker, and the old cache is deleted", async () => {
  const memory = fake();
  const base = await memory.listen();
  const { page, done } = await open(base);
  await controlled(page);
  const [before] = Object.keys(await inCache(page));
  memory.setBuild("2");
  await page.reload();
  await until(page, async (before) => {
    const names = await caches.keys();
    return names.length === 1 && names[0] !== before;
  }, before);
  await done();
  await memory.stop();
});

/** Replaces the browser's notifications with ones that the test controls. */
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

/** The number of notifications, after the page's own check for a focused tab, which comes before each notification. */
const noticed = (page) => page.evaluate(() => navigator.locks.query().then(() => window.notices.length));

test("only a button requests permission for notifications; after a refusal the page says how to allow them", async () => {
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

test("an ask notifies once in the background; a click opens it; an answer elsewhere closes the notification", async () => {
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
  // While muted, or while another tab has the focus, there are no notifications.
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
  memory.sendEvent("day", { muted: true });
  await until(page, async () => !(await navigator.locks.query()).held.some(({ name }) => name === "ask-user-looking"));
  memory.create(confirm());
  await page.waitForFunction(() => /^\(5\) /.test(document.title));
  assert.equal(await noticed(page), 3);
  await done();
  await context.close();
  await memory.stop();
});

test("signed out, the title and the icon don't show the number of waiting asks", async () => {
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
