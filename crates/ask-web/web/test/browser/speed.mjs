// Measures the page with 1,000 asks: the median and the worst of 9 runs. The goals are 300 ms until the list is painted, and
// 50 ms from a key or a click to the next paint.
//   node speed.mjs [RUNS]
// It uses a hub in memory, and with ASK_USER_BIN the real program, too. CHROMIUM names the browser.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fake } from "../fake_hub.mjs";
import { samples } from "../samples.mjs";

process.env.CHROMIUM ??= "/usr/bin/chromium";
const { Hub, browser, closeBrowser } = await import("./support.mjs");

const RUNS = Number(process.argv[2] ?? 9);
const ASKS = 1000;
/** Browsers don't report shorter interactions; they count as this long. */
const SHORTEST = 16;

/** The time until the list was painted, and from each interaction to its next paint. */
const watch = () => {
  globalThis.interactions = [];
  new PerformanceObserver((list) => {
    for (const { interactionId, duration } of list.getEntries()) if (interactionId) globalThis.interactions.push(duration);
  }).observe({ type: "event", durationThreshold: 16 });
  globalThis.painted = new Promise((done) => {
    const measure = () => {
      if (!document.querySelector(".item")) return requestAnimationFrame(measure);
      // The start of the next frame ends the one that shows it.
      requestAnimationFrame(() => done(performance.now()));
    };
    addEventListener("DOMContentLoaded", measure);
  });
};

const idle = (page) => page.evaluate(() => new Promise((done) => requestIdleCallback(done, { timeout: 2000 })));

/** The longest interaction during an action. */
async function longest(page, what) {
  await idle(page);
  await page.evaluate(() => void (globalThis.interactions.length = 0));
  await what();
  // Browsers report an interaction some frames after its paint.
  await page.evaluate(async () => {
    for (let frame = 0; frame < 8; frame++) await new Promise(requestAnimationFrame);
  });
  return page.evaluate((shortest) => Math.max(shortest, ...globalThis.interactions), SHORTEST);
}

const figures = new Map();
const note = (name, ms) => figures.set(name, [...(figures.get(name) ?? []), ms]);

async function round(where, base, signIn, ids) {
  const context = await (await browser()).newContext({ viewport: { width: 1280, height: 900 }, locale: "en-GB", serviceWorkers: "block" });
  const page = await context.newPage();
  page.setDefaultTimeout(15_000);
  await signIn(page);
  await page.addInitScript(watch);
  await page.goto(base);
  note(`${where}: list of ${ASKS} painted`, await page.evaluate(() => globalThis.painted));
  const open = (id) => page.locator(`.item a[href="/a/${id}"]`).click();
  // The first one also loads the card's script.
  await open(ids.select);
  await page.locator(".question input[type=radio]").first().waitFor();
  note(`${where}: open an ask`, await longest(page, async () => {
    await open(ids.text);
    await page.locator(".question textarea").first().waitFor();
  }));
  await page.locator(".question textarea").first().focus();
  note(`${where}: type in a field`, await longest(page, () => page.keyboard.type("a short answer", { delay: 30 })));
  await open(ids.select);
  await page.locator(".question input[type=radio]").first().waitFor();
  note(`${where}: mark a choice`, await longest(page, () => page.locator(".question input[type=radio]").nth(1).click()));
  note(`${where}: filter the list`, await longest(page, () => page.locator("#filter").pressSequentially("database", { delay: 30 })));
  await context.close();
}

const [database, , layout, text] = samples();
const many = [...Array(ASKS)].map((_, n) => ({ ...[text, layout, database][Math.min(n, 2)], askId: `many_${n}`, askedAt: new Date(Date.now() - (ASKS - n) * 1000).toISOString() }));
const memory = fake(many);
const base = await memory.listen();
for (let run = 0; run < RUNS; run++) await round("in memory", base, async () => {}, { text: "many_0", select: "many_1" });
await memory.stop();

if (process.env.ASK_USER_BIN) {
  const hub = await Hub.start();
  await hub.run("hub", "--stop");
  const settings = join(hub.home, "config.toml");
  writeFileSync(settings, readFileSync(settings, "utf8").replace("[http]\n", "[limits]\nopen_asks_per_agent = 0\n[http]\nasks_per_minute = 100000\n"));
  await hub.run("list");
  const headers = { Authorization: `Bearer ${readFileSync(join(hub.home, "token"), "utf8").trim()}` };
  const calls = [
    { question: "What is it called?" },
    { question: "Which layout?", options: ["Hero first", "Docs first"] },
    { title: "Database and service name", context: database.context, questions: [{ question: "Which database?", type: "select", options: ["PostgreSQL", "SQLite"] }, { question: "What is the service called?" }] },
  ];
  const asked = [];
  for (let n = 0; n < ASKS; n++) {
    const answer = await fetch(`${hub.base}/v1/asks?project=shop-api`, { method: "POST", headers, body: JSON.stringify(calls[Math.min(n, 2)]) });
    asked.push((await answer.json()).askId);
  }
  const signIn = async (page) => void (await page.goto(await hub.link()));
  for (let run = 0; run < RUNS; run++) await round("by the hub", hub.base, signIn, { text: asked[0], select: asked[1] });
  await hub.stop();
}
await closeBrowser();
for (const [name, all] of figures) {
  const sorted = all.toSorted((a, b) => a - b);
  const format = (ms) => `${ms <= SHORTEST ? "≤ " : ""}${Math.round(ms)}`.padStart(6);
  console.log(`${name.padEnd(42)} median ${format(sorted[sorted.length >> 1])} ms, worst ${format(sorted.at(-1))} ms`);
}
