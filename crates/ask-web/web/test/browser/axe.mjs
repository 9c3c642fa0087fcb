// What is looked for in every state of the page, at every width.
import { AxeBuilder } from "@axe-core/playwright";

const TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
export const SIZES = [[1280, 900], [390, 844], [320, 640]];

/** The colours that are looked at: contrasts are the same at every width, so the widest alone is looked at in both. */
export const schemes = (width) => (width >= 700 ? ["light", "dark"] : ["light"]);

/** What axe has to say, all of its tags named: some rules run only then. */
export async function violations(page) {
  const { violations } = await new AxeBuilder({ page }).setLegacyMode().withTags(TAGS).analyze();
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html.slice(0, 160)).join(" | ")}`);
}

/** By how many pixels the page is wider than its window. */
export const tooWide = (page) => page.evaluate(() => Math.max(0, document.documentElement.scrollWidth - document.documentElement.clientWidth));
