// Every state of the page: its path, a selector that shows that it is ready, and an action that leads to it, which gets the
// messages of the page's language. For the asks of samples.mjs.
import { readFileSync } from "node:fs";
import { loaded, settled } from "./support.mjs";

/** The message of an id in a language, in the singular form. */
export const messagesOf = (language) => {
  const words = JSON.parse(readFileSync(new URL(`../../dist/words.${language}.json`, import.meta.url), "utf8"));
  return (id) => [words[id]].flat()[0];
};
const english = messagesOf("en");

const step = (at) => (page) => page.locator(".steps button").nth(at).click();
const menu = (id) => async (page, say = english) => {
  const more = page.locator(".menu summary");
  if (await more.isVisible()) await more.click();
  await page.locator(".card button:visible", { hasText: say(id) }).first().click();
  await page.getByRole("dialog").waitFor();
};
const other = async (page) => {
  await page.locator("[data-choice='0']").click();
  await page.locator("textarea").first().fill("something else");
};

/** Waits for the first waiting ask, which a wide page shows beside the list. */
const cardBesideList = async (page) => {
  if (await page.evaluate(() => matchMedia("(min-width: 56.25em)").matches)) await page.locator(".question").waitFor();
};

const states = {
  "the list": ["/", ".list h3", cardBesideList],
  "one of several": ["/a/ask_0001", ".question"],
  "several choices": ["/a/ask_0001", ".question", step(2)],
  "a text": ["/a/ask_0004", ".question"],
  "a confirmation": ["/a/ask_0002", ".question"],
  "own words": ["/a/ask_0003", ".question", other],
  "a mistake": ["/a/ask_0004", ".question", (page) => page.locator(".bar .primary").click()],
  "the review": ["/a/ask_0001", ".question", step(-1)],
  "asking back": ["/a/ask_0003", ".question", menu("ask-back")],
  "declining": ["/a/ask_0003", ".question", menu("decline")],
  "snoozing": ["/a/ask_0003", ".question", menu("snooze")],
  "snoozed": ["/a/ask_0006", ".question"],
  "late": ["/a/ask_0007", ".question"],
  "a preview, full size": ["/a/ask_0003", ".question", async (page, say = english) => {
    const below = page.locator(".preview-below summary").first();
    if (await below.isVisible()) await below.click();
    await page.getByRole("button", { name: say("full-size") }).first().click();
  }],
  "closed": ["/a/ask_0009", ".resolved"],
  "history": ["/history?agent=codex", ".history-list", async (page) => {
    const filters = page.locator(".facets details:not([open]) summary");
    if (await filters.isVisible()) await filters.click();
    // The number of results and the filters come by separate requests.
    await page.locator(".history p > [role=status]", { hasText: /\d/ }).waitFor();
    await page.locator(".facets option", { hasText: "claude-code" }).waitFor({ state: "attached" });
  }],
  "deleting results": ["/history", ".history-list", async (page) => {
    await page.locator(".history .danger").click();
    await page.locator("dialog .danger").waitFor();
  }],
  "previous answers": ["/a/ask_0004", ".question", async (page) => {
    await page.locator(".earlier").click();
    await page.locator("dialog li").first().waitFor();
  }],
  "history entry": ["/history/ask_0009", ".timeline"],
  "statistics": ["/stats", ".tiles", (page) => page.locator("summary").first().click()],
  "settings": ["/settings", ".settings", (page, say) => page.getByRole("heading", { name: say("language"), exact: true }).waitFor()],
  "keys": ["/", ".list h3", async (page) => {
    await cardBesideList(page);
    await page.keyboard.press("?");
    await page.getByRole("dialog").waitFor();
  }],
};

/** Each state, after everything has been loaded. */
export const STATES = Object.fromEntries(Object.entries(states).map(([name, [path, ready, act]]) => [name, [path, ready, async (page, say = english) => {
  await loaded(page);
  await act?.(page, say);
  await settled(page);
}]]));
