// Every state of the page: where it is, when it is there, and what leads to it, which is told the words of the
// page's language. For the asks of samples.mjs.
import { readFileSync } from "node:fs";
import { begun, settled } from "./support.mjs";

/** What an id says in a language: what is said of one where the number decides. */
export const saying = (language) => {
  const words = JSON.parse(readFileSync(new URL(`../../dist/words.${language}.json`, import.meta.url), "utf8"));
  return (id) => [words[id]].flat()[0];
};
const english = saying("en");

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

/** With room for both, the first ask that waits is shown beside the list. */
const beside = async (page) => {
  if (await page.evaluate(() => matchMedia("(min-width: 56.25em)").matches)) await page.locator(".question").waitFor();
};

const states = {
  "the list": ["/", ".list h3", beside],
  "one of several": ["/a/ask_0001", ".question"],
  "several choices": ["/a/ask_0001", ".question", step(2)],
  "a text": ["/a/ask_0004", ".question"],
  "a confirmation": ["/a/ask_0002", ".question"],
  "own words": ["/a/ask_0003", ".question", other],
  "a mistake": ["/a/ask_0004", ".question", (page) => page.locator(".bar .primary").click()],
  "the review": ["/a/ask_0001", ".question", step(-1)],
  "asking back": ["/a/ask_0003", ".question", menu("ask-back")],
  "declining": ["/a/ask_0003", ".question", menu("decline")],
  "putting aside": ["/a/ask_0003", ".question", menu("snooze")],
  "snoozed": ["/a/ask_0006", ".question"],
  "late": ["/a/ask_0007", ".question"],
  "a preview, full size": ["/a/ask_0003", ".question", async (page, say = english) => {
    const below = page.locator(".preview-below summary").first();
    if (await below.isVisible()) await below.click();
    await page.getByRole("button", { name: say("full-size") }).first().click();
  }],
  "over": ["/a/ask_0009", ".resolved"],
  "history": ["/history?agent=codex", ".history-list", async (page) => {
    const filters = page.locator(".facets details:not([open]) summary");
    if (await filters.isVisible()) await filters.click();
    // How many they are, and by what they can be narrowed down, is told by replies of their own.
    await page.locator(".history p > [role=status]", { hasText: /\d/ }).waitFor();
    await page.locator(".facets option", { hasText: "claude-code" }).waitFor({ state: "attached" });
  }],
  "deleting what is found": ["/history", ".history-list", async (page) => {
    await page.locator(".history .danger").click();
    await page.locator("dialog .danger").waitFor();
  }],
  "earlier answers": ["/a/ask_0004", ".question", async (page) => {
    await page.locator(".earlier").click();
    await page.locator("dialog li").first().waitFor();
  }],
  "one of the past": ["/history/ask_0009", ".timeline"],
  "statistics": ["/stats", ".tiles", (page) => page.locator("summary").first().click()],
  "settings": ["/settings", ".settings", (page, say) => page.getByRole("heading", { name: say("language"), exact: true }).waitFor()],
  "keys": ["/", ".list h3", async (page) => {
    await beside(page);
    await page.keyboard.press("?");
    await page.getByRole("dialog").waitFor();
  }],
};

/** Each as it stays: nothing that it is made of is still on its way. */
export const STATES = Object.fromEntries(Object.entries(states).map(([name, [path, ready, act]]) => [name, [path, ready, async (page, say = english) => {
  await begun(page);
  await act?.(page, say);
  await settled(page);
}]]));
