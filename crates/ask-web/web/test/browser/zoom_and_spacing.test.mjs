// Little room: a phone with its keyboard open, a page zoomed to 400 %, text twice as large, and larger text spacing. Also
// reduced motion and forced colours. All of it in every state of the page.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { fake } from "../fake_hub.mjs";
import { tooWide } from "./axe.mjs";
import { overflowing, spaced } from "./overflow.mjs";
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

/** Runs a check in every state, in a window of this size. */
async function inEveryState(t, options, check, by = browser()) {
  const context = await (await by).newContext({ locale: "en-GB", serviceWorkers: "block", ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(LIMIT);
  const wrong = await watched(page, { allowed: /^$/ });
  for (const [name, [path, ready, act]] of Object.entries(STATES)) {
    await t.test(name, async () => {
      await page.goto(base + path);
      await page.locator(ready).first().waitFor();
      await act?.(page);
      await check(page, name);
      assert.deepEqual(wrong, []);
    });
  }
  await context.close();
}

/** The focused element, and how many of nine points of its box are visible. */
const inSight = (page) => page.evaluate(() => {
  const node = document.activeElement;
  if (!node || node === document.body) return undefined;
  const shown = node.closest(".choice, .attach .button") ?? node;
  const box = shown.getBoundingClientRect();
  // A point is hidden by a bar, or outside of the window. The element's own description may reach into its box.
  const isVisible = (x, y) => {
    let hit = document.elementFromPoint(x, y);
    if (!hit) return false;
    for (; hit && !hit.contains(shown); hit = hit.parentElement) if (/sticky|fixed/.test(getComputedStyle(hit).position)) return false;
    return true;
  };
  let seen = 0;
  for (const across of [0.2, 0.5, 0.8]) for (const down of [3, box.height / 2, box.height - 3]) seen += Number(isVisible(box.left + box.width * across, box.top + down));
  const name = (node.getAttribute("aria-label") || node.labels?.[0]?.textContent || node.textContent || node.id).trim().slice(0, 50);
  return { name: `${node.localName} ${name}`, seen, low: box.height < 70 };
});

for (const [name, options] of [
  ["the keyboard of a phone is open", { viewport: { width: 390, height: 420 }, hasTouch: true }],
  ["the page is magnified four times", { viewport: { width: 320, height: 256 }, deviceScaleFactor: 4 }],
]) {
  test(`${name}: the focused element is visible, and nothing is too wide`, async (t) => {
    await inEveryState(t, options, async (page) => {
      assert.equal(await tooWide(page), 0);
      for (const key of ["Tab", "Shift+Tab"]) {
        for (let stop = 0; stop < 60; stop++) {
          await page.keyboard.press(key);
          const now = await inSight(page);
          // After one round the focus leaves the page.
          if (!now) break;
          assert.ok(now.low ? now.seen === 9 : now.seen > 0, `${key}: ${now.name}, ${now.seen} of 9 points are in sight`);
        }
      }
    });
  });
}

test("magnified four times, every choice is in sight beside the warning of a form that a program filled in", async () => {
  const context = await (await browser()).newContext({ locale: "en-GB", serviceWorkers: "block", viewport: { width: 320, height: 256 }, deviceScaleFactor: 4 });
  const page = await context.newPage();
  page.setDefaultTimeout(LIMIT);
  const record = hub.records.get("ask_0003");
  hub.update({ ...record, draft: { answers: [{ picks: [0] }], revision: 9, savedAt: new Date().toISOString(), savedBy: "below a program" } });
  await page.goto(`${base}/a/ask_0003`);
  await page.locator(".bar .notice.warn").waitFor();
  const choices = await page.locator(".choice input").all();
  assert.ok(choices.length > 1);
  for (const choice of choices) {
    await choice.focus();
    const now = await inSight(page);
    assert.ok(now.low ? now.seen === 9 : now.seen > 3, `${now.name}, ${now.seen} of 9 points are in sight`);
  }
  hub.update({ ...record, draft: { answers: [{}], revision: 10, savedAt: new Date().toISOString(), savedBy: "web" } });
  await context.close();
});

test("text of twice the size, set in the browser, isn't cut off on a phone or a wide page", async (t) => {
  const large = await launch("--blink-settings=defaultFontSize=32,defaultFixedFontSize=26");
  for (const width of [390, 1280]) {
    const check = async (page) => {
      assert.equal(await page.evaluate(() => getComputedStyle(document.documentElement).fontSize), "32px");
      assert.equal(await tooWide(page), 0, `${width}`);
      assert.deepEqual(await overflowing(page), [], `${width}`);
    };
    await inEveryState(t, { viewport: { width, height: 844 } }, check, large);
  }
  await large.close();
});

test("text with larger spacing isn't cut off on a wide page", async (t) => {
  await inEveryState(t, { viewport: { width: 1280, height: 900 } }, async (page) => {
    await spaced(page);
    assert.equal(await tooWide(page), 0);
    assert.deepEqual(await overflowing(page), []);
  });
});

test("nothing moves with reduced motion, and with forced colours controls, choices and the focus have an outline", async (t) => {
  await inEveryState(t, { viewport: { width: 390, height: 844 }, reducedMotion: "reduce", forcedColors: "active" }, async (page) => {
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
