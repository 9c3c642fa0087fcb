// Snapshots of each state of the page as screen readers get it, with the order of the focus. They are in `aria_snapshots`
// beside this file; SNAPSHOTS=write updates them. Read changes as a screen reader would.
import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { after, mock, test } from "node:test";

// The clock is stopped, so that the snapshots' times don't change.
const NOW = Date.parse("2026-03-02T12:00:00Z");
mock.timers.enable({ apis: ["Date"], now: NOW });
const { fake } = await import("../fake_hub.mjs");
const { STATES } = await import("./states.mjs");
const { LIMIT, browser, closeBrowser, watched } = await import("./support.mjs");

after(closeBrowser);

const folder = new URL("aria_snapshots/", import.meta.url);
/** The part that a state is about. A wide page shows the list beside the card. */
const parts = (name) => ["dialog[open]", name === "the list" ? ".list" : ".card", "main"];
/** The states that differ on a phone. */
const PHONE = ["the list", "one of several", "the review", "closed", "history entry"];

/** The elements of a part that get the focus by Tab, by role and name. */
async function focusOrder(page, part) {
  const stops = [];
  await part.evaluate((node) => {
    node.tabIndex = -1;
    node.focus();
  });
  await page.evaluate(() => (globalThis.focused = []));
  for (let stop = 0; stop < 80; stop++) {
    await page.keyboard.press("Tab");
    // Behind a dialog's last element, the focus goes to the browser or to the first one again. A time field has several stops.
    const isNext = await part.evaluate((node) => {
      const element = document.activeElement;
      const isNew = !focused.includes(element) || focused.at(-1) === element;
      focused.push(element);
      return isNew && node !== element && node.contains(element);
    });
    if (!isNext) break;
    // Nothing matches ":focus" on the button within a time field.
    const snapshot = await page.locator(":focus, input:focus-within").first().ariaSnapshot();
    stops.push(snapshot.split("\n")[0].replace(/^- /, "").replace(/:$/, ""));
  }
  return stops;
}

for (const width of [1280, 390]) {
  test(`every state at ${width} px has the same snapshot and order of focus`, async (t) => {
    mkdirSync(folder, { recursive: true });
    const context = await (await browser()).newContext({ viewport: { width, height: 900 }, locale: "en-GB", timezoneId: "UTC", serviceWorkers: "block" });
    const page = await context.newPage();
    page.setDefaultTimeout(LIMIT);
    await page.clock.setFixedTime(NOW);
    const wrong = await watched(page, { allowed: /^$/ });
    const hubs = [];
    // Drafts aren't saved, because the time of a save is not part of a state.
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
        const stops = await focusOrder(page, part);
        const file = new URL(`${name.replaceAll(" ", "-").replaceAll(",", "")}.${width}.txt`, folder);
        const snapshot = `${read.replaceAll(new URL(base).port, "PORT")}\n\nThe focus:\n${stops.map((stop) => `- ${stop}`).join("\n")}\n`;
        if (process.env.SNAPSHOTS === "write") writeFileSync(file, snapshot);
        assert.equal(snapshot, readFileSync(file, "utf8"));
        assert.deepEqual(wrong, []);
      });
    }
    await context.close();
    await Promise.all(hubs.map((hub) => hub.stop()));
  });
}
