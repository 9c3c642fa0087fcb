// Little room: a phone with its keyboard open, a page magnified four times, text twice as large and text with
// the spacing that somebody needs; and looks that a person's system asks for. In every state of the page.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { fake } from "../fake.mjs";
import { tooWide } from "./axe.mjs";
import { crowded, spaced } from "./crowded.mjs";
import { STATES } from "./states.mjs";
import { LIMIT, browser, closeBrowser, launch, watched } from "./support.mjs";

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

/** Every state in a window of this size, one after another. */
async function everywhere(t, options, look, by = browser()) {
  const context = await (await by).newContext({ locale: "en-GB", serviceWorkers: "block", ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(LIMIT);
  const wrong = await watched(page, { allowed: /^$/ });
  for (const [name, [path, ready, act]] of Object.entries(STATES)) {
    await t.test(name, async () => {
      await page.goto(base + path);
      await page.locator(ready).first().waitFor();
      await act?.(page);
      await look(page, name);
      assert.deepEqual(wrong, []);
    });
  }
  await context.close();
}

/** What has the focus, and how much of it can be seen: of its box nine points, each of them its own or not. */
const inSight = (page) => page.evaluate(() => {
  const node = document.activeElement;
  if (!node || node === document.body) return undefined;
  const shown = node.closest(".choice, .attach .button") ?? node;
  const box = shown.getBoundingClientRect();
  // What stands over it is a bar, or it is out of the window; its own description may reach into its box.
  const its = (x, y) => {
    let hit = document.elementFromPoint(x, y);
    if (!hit) return false;
    for (; hit && !hit.contains(shown); hit = hit.parentElement) if (/sticky|fixed/.test(getComputedStyle(hit).position)) return false;
    return true;
  };
  let seen = 0;
  for (const across of [0.2, 0.5, 0.8]) for (const down of [3, box.height / 2, box.height - 3]) seen += Number(its(box.left + box.width * across, box.top + down));
  const name = (node.getAttribute("aria-label") || node.labels?.[0]?.textContent || node.textContent || node.id).trim().slice(0, 50);
  return { name: `${node.localName} ${name}`, seen, low: box.height < 70 };
});

for (const [name, options] of [
  ["the keyboard of a phone is open", { viewport: { width: 390, height: 420 }, hasTouch: true }],
  ["the page is magnified four times", { viewport: { width: 320, height: 256 }, deviceScaleFactor: 4 }],
]) {
  test(`${name}: whatever has the focus can be seen, and nothing is too wide`, async (t) => {
    await everywhere(t, options, async (page) => {
      assert.equal(await tooWide(page), 0);
      for (const key of ["Tab", "Shift+Tab"]) {
        for (let stop = 0; stop < 60; stop++) {
          await page.keyboard.press(key);
          const now = await inSight(page);
          // Around once: the browser's own comes next.
          if (!now) break;
          assert.ok(now.low ? now.seen === 9 : now.seen > 0, `${key}: ${now.name}, ${now.seen} of 9 points are in sight`);
        }
      }
    });
  });
}

test("text twice as large, as the browser was told, is whole on a phone and on a wide page", async (t) => {
  const large = await launch("--blink-settings=defaultFontSize=32,defaultFixedFontSize=26");
  for (const width of [390, 1280]) {
    const look = async (page) => {
      assert.equal(await page.evaluate(() => getComputedStyle(document.documentElement).fontSize), "32px");
      assert.equal(await tooWide(page), 0, `${width}`);
      assert.deepEqual(await crowded(page), [], `${width}`);
    };
    await everywhere(t, { viewport: { width, height: 844 } }, look, large);
  }
  await large.close();
});

test("spaced text is whole on a wide page", async (t) => {
  await everywhere(t, { viewport: { width: 1280, height: 900 } }, async (page) => {
    await spaced(page);
    assert.equal(await tooWide(page), 0);
    assert.deepEqual(await crowded(page), []);
  });
});

test("without motion nothing moves, and in forced colours what can be used, chosen and focused has a line around it", async (t) => {
  await everywhere(t, { viewport: { width: 390, height: 844 }, reducedMotion: "reduce", forcedColors: "active" }, async (page) => {
    await page.keyboard.press("Tab");
    const found = await page.evaluate(() => {
      const lines = (node, part) => getComputedStyle(node)[`${part}Style`] !== "none" && parseFloat(getComputedStyle(node)[`${part}Width`]) > 0;
      const odd = [];
      for (const node of document.querySelectorAll("button:not(.quiet), a.button, textarea, select, input:not([type=radio], [type=checkbox], [type=file])")) {
        if (node.checkVisibility() && !lines(node, "borderTop")) odd.push(node.outerHTML.slice(0, 80));
      }
      for (const node of document.querySelectorAll(".choice-box:has(> .choice > input:checked), .item.current")) if (!lines(node, "outline")) odd.push(node.outerHTML.slice(0, 80));
      const focused = document.activeElement;
      if (focused !== document.body && !lines(focused, "outline")) odd.push(`no focus on ${focused.outerHTML.slice(0, 80)}`);
      return { odd, moving: document.getAnimations().length };
    });
    assert.deepEqual(found, { odd: [], moving: 0 });
  });
});
