// What is looked for in every state of the page, at every width.
import { AxeBuilder } from "@axe-core/playwright";

const TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
const COLOURS = ["color-contrast", "link-in-text-block"];
// One on each side of the one width at which the page changes; the narrower is the least that it must fit.
export const SIZES = [[1280, 900], [320, 640]];

/** The colours that are looked at: contrasts are the same at every width, so the widest alone is looked at in both. */
export const schemes = (width) => (width >= 700 ? ["light", "dark"] : ["light"]);

/** What axe has to say, all of its tags named: some rules run only then. In the dark nothing but colours differs. */
export async function violations(page, scheme = "light") {
  const axe = new AxeBuilder({ page }).setLegacyMode();
  const { violations } = await (scheme === "dark" ? axe.withRules(COLOURS) : axe.withTags(TAGS)).analyze();
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html.slice(0, 160)).join(" | ")}`);
}

/** By how many pixels the page is wider than its window. */
export const tooWide = (page) => page.evaluate(() => Math.max(0, document.documentElement.scrollWidth - document.documentElement.clientWidth));
