// Screenshots of the page for the README: node screenshots.mjs [FOLDER]. The asks are those of ../samples.mjs.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { fake } from "../fake_hub.mjs";
import { browser, closeBrowser } from "./support.mjs";

const folder = process.argv[2] ?? join(import.meta.dirname, "../../../../../docs/pictures");
mkdirSync(folder, { recursive: true });
const hub = fake();
const base = await hub.listen();
const pictures = {
  "page-light": [{ width: 1280, height: 860 }, "light", "/a/ask_0001"],
  "page-dark": [{ width: 1280, height: 860 }, "dark", "/a/ask_0003"],
  "page-phone": [{ width: 390, height: 780 }, "light", "/"],
  "page-stats": [{ width: 1000, height: 860 }, "light", "/stats"],
};
for (const [name, [viewport, colorScheme, path]] of Object.entries(pictures)) {
  const context = await (await browser()).newContext({ viewport, colorScheme, locale: "en-GB", serviceWorkers: "block" });
  const page = await context.newPage();
  await page.goto(base + path);
  await page.locator(path === "/" ? ".item" : path === "/stats" ? ".tiles" : ".question").first().waitFor();
  await page.locator(".connection.live").waitFor();
  if (path === "/a/ask_0003") await page.keyboard.press("1");
  await page.screenshot({ path: join(folder, `${name}.png`) });
  await context.close();
}
await closeBrowser();
await hub.stop();
