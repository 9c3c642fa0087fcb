// Checks that run in every state of the page, at every width.
import { AxeBuilder } from "@axe-core/playwright";

const TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
const COLOURS = ["color-contrast", "link-in-text-block"];
// One size on each side of the only breakpoint. The narrower one is the smallest that the page must fit.
export const SIZES = [[1280, 900], [320, 640]];

/** The colour schemes to check. Contrasts are the same at every width, so only the wide page is checked in both. */
export const schemes = (width) => (width >= 700 ? ["light", "dark"] : ["light"]);

/** The violations that axe finds. All tags are named because some rules run only then. The dark scheme differs only in colours. */
export async function violations(page, scheme = "light") {
  const axe = new AxeBuilder({ page }).setLegacyMode();
  const { violations } = await (scheme === "dark" ? axe.withRules(COLOURS) : axe.withTags(TAGS)).analyze();
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html.slice(0, 160)).join(" | ")}`);
}

/** How many pixels the page is wider than its window. */
export const tooWide = (page) => page.evaluate(() => Math.max(0, document.documentElement.scrollWidth - document.documentElement.clientWidth));
