// How each state of the page reads to somebody who doesn't see it, and in which order the focus goes through it.
// What was read last is kept beside this file, in `reading`; SNAPSHOTS=write writes it anew. Read it as they would.
import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { after, mock, test } from "node:test";

// All times that are read are those of one moment.
const NOW = Date.parse("2026-03-02T12:00:00Z");
mock.timers.enable({ apis: ["Date"], now: NOW });
const { fake } = await import("../fake.mjs");
const { STATES } = await import("./states.mjs");
const { LIMIT, browser, closeBrowser, watched } = await import("./support.mjs");

after(closeBrowser);

const folder = new URL("reading/", import.meta.url);
/** The part that a state is about; the list stands beside the card where there is room. */
const parts = (name) => ["dialog[open]", name === "the list" ? ".list" : ".card", "main"];
/** What is another page on a phone. */
const PHONE = ["the list", "one of several", "the review", "over", "one of the past"];

/** What the focus comes to within a part, by role and name as they are read. */
async function order(page, part) {
  const stops = [];
  await part.evaluate((node) => {
    node.tabIndex = -1;
    node.focus();
  });
  for (let stop = 0; stop < 80; stop++) {
    await page.keyboard.press("Tab");
    const inside = await part.evaluate((node) => node !== document.activeElement && node.contains(document.activeElement));
    if (!inside) break;
    // On the button within a field of time nothing is ":focus".
    const said = await page.locator(":focus, input:focus-within").first().ariaSnapshot();
    stops.push(said.split("\n")[0].replace(/^- /, "").replace(/:$/, ""));
  }
  return stops;
}

for (const width of [1280, 390]) {
  test(`every state at ${width} px reads as it did, and the focus goes through it in that order`, async (t) => {
    mkdirSync(folder, { recursive: true });
    const context = await (await browser()).newContext({ viewport: { width, height: 900 }, locale: "en-GB", timezoneId: "UTC", serviceWorkers: "block" });
    const page = await context.newPage();
    page.setDefaultTimeout(LIMIT);
    await page.clock.setFixedTime(NOW);
    const wrong = await watched(page, { allowed: /^$/ });
    const hubs = [];
    // Nothing is kept meanwhile: when that is said is no matter of the state.
    await page.route("**/draft", () => undefined);
    for (const [name, [path, ready, act]] of Object.entries(STATES).filter(([name]) => width > 900 || PHONE.includes(name))) {
      await t.test(name, async () => {
        const hub = fake();
        hubs.push(hub);
        const base = await hub.listen();
        await page.goto(base + path);
        await page.locator(ready).first().waitFor();
        await act?.(page);
        let part;
        for (const selector of parts(name)) if (!part && (await page.locator(selector).count())) part = page.locator(selector).first();
        const read = await part.ariaSnapshot();
        const stops = await order(page, part);
        const file = new URL(`${name.replaceAll(" ", "-").replaceAll(",", "")}.${width}.txt`, folder);
        const said = `${read.replaceAll(new URL(base).port, "PORT")}\n\nThe focus:\n${stops.map((stop) => `- ${stop}`).join("\n")}\n`;
        if (process.env.SNAPSHOTS === "write") writeFileSync(file, said);
        assert.equal(said, readFileSync(file, "utf8"));
        assert.deepEqual(wrong, []);
      });
    }
    await context.close();
    await Promise.all(hubs.map((hub) => hub.stop()));
  });
}
