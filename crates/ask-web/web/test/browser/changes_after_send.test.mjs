// Changes after Send was pressed, while it isn't known whether the answer arrived: they are sent, or the page says that they
// are unsent. Also the drafts of several tabs.
import assert from "node:assert/strict";
import { test } from "node:test";
import { stores, open, ownHub } from "./support.mjs";

const hub = await ownHub();

const field = (page) => page.getByLabel("Your answer");
const send = (page) => page.locator(".bar .primary").click();
const waits = (page) => page.getByText(/^Your answer waits for the connection/).waitFor();
const draft = (page) => page.getByRole("region", { name: "Your draft" });
const opened = async (id, more) => {
  // A service worker that is fetched while the connection is cut would cause another error.
  const found = await open(more ? undefined : await hub.link(), more ?? { serviceWorkers: "block" });
  if (!more) await found.page.locator(".list").waitFor();
  await found.page.goto(`${hub.base}/a/${id}`);
  await found.page.locator(".connection.live").waitFor();
  await field(found.page).waitFor();
  return found;
};
const asks = async (question) => (await hub.ask({ questions: [{ question, type: "text" }] })).id;
const answered = async (id) => (await hub.show(id)).outcome.answers[0].values;

test("an answer whose reply was lost is taken back and corrected: the page says that the correction was not sent", async () => {
  const id = await asks("Which branch?");
  const { page, context, done } = await opened(id);
  await field(page).fill("first");
  let lost;
  await page.route("**/answer", async (route) => {
    lost = route.request();
    await context.setOffline(true);
    await route.abort("connectionreset");
  }, { times: 1 });
  await send(page);
  await waits(page);
  // The answer arrives, but its reply doesn't.
  assert.ok((await context.request.fetch(lost)).ok());
  await page.getByRole("button", { name: "Take it back" }).click();
  await field(page).fill("second, corrected");
  await send(page);
  await waits(page);
  await context.setOffline(false);
  await page.getByRole("heading", { name: /^Answered in/ }).waitFor();
  await draft(page).getByText("second, corrected").waitFor();
  assert.equal(await page.getByRole("heading", { name: /^Sent to/ }).count(), 0);
  await page.getByText("Nothing you typed here was sent").first().waitFor();
  assert.deepEqual(await answered(id), ["first"]);
  await done();
});

test("two offline tabs: the second answer replaces nothing, and its text stays", async () => {
  const id = await asks("Which region?");
  const one = await opened(id);
  const two = await opened(id, { context: one.context });
  await one.context.setOffline(true);
  await field(one.page).fill("north");
  await send(one.page);
  await waits(one.page);
  await field(two.page).fill("south");
  await send(two.page);
  await two.page.getByRole("alert").getByText("An answer from another tab of this browser waits").waitFor();
  await waits(two.page);
  await one.context.setOffline(false);
  // The tab that reconnects first sends the queued answer, and may notify the other tab first.
  await one.page.getByRole("heading", { name: /^(Sent to|Answered in)/ }).waitFor();
  await draft(two.page).getByText("south").waitFor();
  assert.deepEqual(await answered(id), ["north"]);
  await two.done();
  await one.done();
  await one.context.close();
});

test("the texts of two offline tabs are both stored, and one is offered beside the other", async () => {
  const id = await asks("Which side?");
  const one = await opened(id);
  const two = await opened(id, { context: one.context });
  await one.context.setOffline(true);
  await field(one.page).fill("north");
  await stores(one.page, "drafts", id, "north");
  await field(two.page).fill("south");
  await stores(two.page, "drafts", id, "south");
  await two.page.getByRole("button", { name: "Bring mine back" }).waitFor();
  await field(one.page).fill("north by east");
  await stores(one.page, "drafts", id, "north by east");
  await one.page.getByRole("button", { name: "Bring mine back" }).waitFor();
  await two.done();
  await one.page.close();
  await one.context.setOffline(false);
  const { page, done } = await opened(id, { context: one.context });
  // Either of them may have written last when they were closed.
  const shown = async (from) => {
    await page.waitForFunction((from) => ![from, ""].includes(document.querySelector("textarea")?.value), from);
    return field(page).inputValue();
  };
  const first = await shown("");
  await page.locator(".alternative button").click();
  assert.deepEqual([first, await shown(first)].sort(), ["north by east", "south"]);
  await done();
  await one.done();
});

test("the texts that three tabs type at once are in each of them after a reload", async () => {
  const id = await asks("Which of three?");
  const tabs = [await opened(id)];
  const { context } = tabs[0];
  for (const _ of [1, 2]) tabs.push(await opened(id, { context }));
  const words = ["north", "south", "east"];
  await Promise.all(tabs.map(({ page }, n) => field(page).fill(words[n])));
  for (const { page } of tabs) await page.locator(".alternative button").waitFor();
  for (const { page } of tabs) {
    // A page in the background takes a second for each click.
    await page.bringToFront();
    await page.reload();
    await page.waitForFunction(() => document.querySelector("textarea")?.value);
    // The other tabs go on changing meanwhile, so one text may come twice.
    const seen = new Set();
    for (let turn = 0; turn < 60 && seen.size < words.length; turn++) {
      seen.add(await field(page).inputValue());
      await page.locator(".alternative button").click();
    }
    assert.deepEqual([...seen].sort(), [...words].sort());
  }
  for (const tab of tabs.reverse()) await tab.done();
});

test("a tab that is closed, or crashes, right after the last letter loses none", async () => {
  for (const ends of [(page) => page.close(), (page) => page.close({ runBeforeUnload: true }), (page) => page.goto("chrome://crash").catch(() => undefined)]) {
    const id = await asks("What was typed?");
    const one = await opened(id);
    await field(one.page).pressSequentially("to the last letter");
    await ends(one.page);
    const two = await opened(id, { context: one.context });
    await two.page.waitForFunction(() => document.querySelector("textarea")?.value === "to the last letter");
    await two.done();
    await one.context.close();
  }
});

test("own words that a newer draft replaced are still shown after the ask was answered elsewhere", async () => {
  const id = await asks("Which way round?");
  const { page, context, done } = await opened(id);
  await context.setOffline(true);
  await field(page).fill("clockwise");
  await stores(page, "drafts", id, "clockwise");
  const other = await opened(id);
  await field(other.page).fill("the other way");
  await other.page.getByText(/^draft saved/).waitFor({ state: "attached" });
  await context.setOffline(false);
  await page.getByRole("button", { name: "Load it" }).click();
  await page.getByRole("button", { name: "Bring mine back" }).waitFor();
  await send(other.page);
  await page.getByRole("heading", { name: /^Answered in/ }).waitFor();
  await draft(page).getByText("clockwise").waitFor();
  await other.done();
  await done();
});

test("changes to a queued answer are not sent with it, and stay", async () => {
  const id = await asks("Which name?");
  const { page, context, done } = await opened(id);
  await context.setOffline(true);
  await field(page).fill("atlas");
  await send(page);
  await waits(page);
  await field(page).fill("atlas, or rather hermes");
  await context.setOffline(false);
  await page.getByRole("heading", { name: /^Sent to/ }).waitFor();
  await page.getByText("What you changed after sending was not sent.").waitFor();
  await draft(page).getByText("atlas, or rather hermes").waitFor();
  assert.deepEqual(await answered(id), ["atlas"]);
  await done();
});

test("a card whose script failed to load offline loads after the reconnect", async () => {
  const id = await asks("Which card?");
  const { page, done } = await open(await hub.link(), { serviceWorkers: "block", allowed: /\b401\b|ERR_CONNECTION_RESET/ });
  await page.locator(".list a").first().waitFor();
  let is = "broken";
  await page.route("**/assets/card.js", (route) => (is === "broken" ? route.abort("connectionreset") : route.continue()));
  await page.goto(`${hub.base}/a/${id}`);
  await page.getByRole("status").getByText("no connection").waitFor();
  // From here on the script can be loaded, but a browser may not request it again before a reload.
  page.on("request", (asked) => asked.isNavigationRequest() && (is = "whole"));
  await page.getByRole("button", { name: "Load the page again" }).click();
  await field(page).waitFor();
  await done();
});
