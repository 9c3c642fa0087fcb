// Accessibility of every state of the page: axe with all tags, in light and dark, at two widths; reflow; focus. The states
// come from a hub in memory.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { fake } from "../fake_hub.mjs";
import { confirm, samples } from "../samples.mjs";
import { SIZES, schemes, tooWide, violations } from "./axe.mjs";
import { STATES } from "./states.mjs";
import { LIMIT, loaded, browser, closeBrowser, watched } from "./support.mjs";

let hub;
let base;
before(async () => {
  hub = fake();
  base = await hub.listen();
});
after(async () => {
  await closeBrowser();
  await hub.stop();
});

async function at(path, { width, height, ...more }) {
  const context = await (await browser()).newContext({ viewport: { width, height }, bypassCSP: false, locale: "en-GB", serviceWorkers: "block", ...more });
  const page = await context.newPage();
  page.setDefaultTimeout(LIMIT);
  const wrong = await watched(page, { allowed: /^$/ });
  await page.goto(base + path);
  return { page, context, wrong };
}

for (const [width, height] of SIZES) {
  test(`every state at ${width} px, ${schemes(width).join(" and ")}`, async (t) => {
    const { page, context, wrong } = await at("/", { width, height });
    for (const [name, [path, ready, act]] of Object.entries(STATES)) {
      await t.test(name, async () => {
        await page.goto(base + path);
        await page.locator(ready).first().waitFor();
        await act?.(page);
        for (const colorScheme of schemes(width)) {
          await page.emulateMedia({ colorScheme });
          assert.deepEqual(await violations(page, colorScheme), [], colorScheme);
        }
        assert.equal(await tooWide(page), 0);
        assert.deepEqual(wrong, []);
      });
    }
    await context.close();
  });
}

test("an empty list says so", async () => {
  const empty = fake([]);
  const url = await empty.listen();
  const page = await (await browser()).newPage();
  await page.goto(url);
  await page.getByText("No question waits for you.").waitFor();
  assert.deepEqual(await violations(page), []);
  empty.create(confirm());
  await page.getByText("Delete 15 stale preview environments?").first().waitFor();
  await page.close();
  await empty.stop();
});

test("the focused element is never behind a bar, and every stop is visible", async () => {
  for (const [width, height] of SIZES) {
    const { page, context } = await at("/a/ask_0005", { width, height });
    await page.locator(".question").waitFor();
    await loaded(page);
    await page.evaluate(() => document.activeElement.blur());
    for (let stop = 0; stop < 40; stop++) {
      await page.keyboard.press("Tab");
      const found = await page.evaluate(() => {
        const focused = document.activeElement;
        // In a narrow window the link back and the menu are in the head.
        if (!focused || focused === document.body || focused.closest(".bar, .head, .skip, .toast, .back, .menu")) return undefined;
        const box = (focused.closest(".choice, .button") ?? focused).getBoundingClientRect();
        const bar = document.querySelector(".bar").getBoundingClientRect();
        const head = document.querySelector(".head").getBoundingClientRect();
        return { what: focused.outerHTML.slice(0, 120), hidden: focused.closest(".card") ? box.bottom > bar.top + 1 || box.top < head.bottom - 1 : false };
      });
      assert.ok(!found?.hidden, `${width}: ${found?.what}`);
    }
    await context.close();
  }
});

test("single-key shortcuts can be turned off", async () => {
  const { page, context } = await at("/settings", { width: 1280, height: 900 });
  await page.getByLabel("Single-key shortcuts").uncheck();
  await page.goto(`${base}/a/ask_0002`);
  await page.locator(".question").waitFor();
  await page.keyboard.press("1");
  assert.equal(await page.locator("input:checked").count(), 0);
  await context.close();
});

test("the first hundred of a thousand asks are shown, and more on request", async () => {
  const [first] = samples();
  const many = fake([...Array(1000)].map((_, n) => ({ ...first, askId: `many_${n}` })));
  const url = await many.listen();
  const context = await (await browser()).newContext({ viewport: { width: 390, height: 844 }, serviceWorkers: "block" });
  const page = await context.newPage();
  await page.goto(url);
  // The first snapshot has fewer, and no button.
  await page.getByRole("button", { name: "Show more" }).waitFor();
  assert.equal(await page.locator(".item").count(), 100);
  await page.getByRole("button", { name: "Show more" }).click();
  assert.equal(await page.locator(".item").count(), 200);
  await context.close();
  await many.stop();
});
