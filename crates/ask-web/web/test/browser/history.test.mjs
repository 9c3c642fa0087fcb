// The history: searched by every filter, with the search in the address; asks shown whole, answers used again, asks deleted.
import assert from "node:assert/strict";
import { test } from "node:test";
import { open, ownHub } from "./support.mjs";

const hub = await ownHub();

const select = (question) => ({ questions: [{ question, type: "select", options: [{ label: "Blue (Recommended)" }, { label: "Green" }] }] });
const text = (question) => ({ questions: [{ question, type: "text" }] });
const facet = (page, name) => page.getByRole("combobox", { name });
/** Waits until the hub knows that the agent has its answer. If the agent ended sooner, the hub might never know. */
async function delivered(id) {
  const last = Date.now() + 60_000;
  while (!(await hub.show(id)).delivered) assert.ok(Date.now() < last, `${id} was never delivered`);
}
const titles = (page) => page.locator(".history-list .title").allTextContents();

/** Opens an ask of an agent, and answers it by a command. */
async function answeredAsk(call, client, ...set) {
  const agent = await hub.ask(call, client);
  await hub.run("answer", agent.id, ...set.flatMap((value) => ["--set", value]));
  await agent.reply;
  await delivered(agent.id);
  agent.end();
  return agent.id;
}

test("filters narrow the history down, are in the address, and Back restores the last search", async () => {
  await answeredAsk(select("Which colour?"), "codex", "Blue (Recommended)");
  await answeredAsk(select("Which shade?"), "codex", "Green");
  await answeredAsk(text("Which name?"), "claude-code", "Zeppelin");
  const { page, done } = await open(await hub.link(), { viewport: { width: 390, height: 844 } });
  await page.locator(".list").waitFor();
  await page.goto(`${hub.base}/history`);
  await page.getByText("3 found").waitFor();
  assert.ok(!(await facet(page, "Agent").isVisible()), "a phone has no room for all of them at once");
  await page.locator("summary", { hasText: "Filters" }).click();
  await facet(page, "Agent").selectOption("codex");
  await page.getByText("2 found").waitFor();
  await facet(page, "What is recommended").selectOption("taken");
  await page.getByText("1 found").waitFor();
  assert.deepEqual(await titles(page), ["Which colour?"]);
  const address = new URL(page.url());
  assert.equal(address.search, "?agent=codex&recommended=true");
  await page.getByRole("button", { name: "Remove the filter Agent: codex" }).waitFor();
  await page.goBack();
  await page.getByText("2 found").waitFor();
  assert.equal(await facet(page, "What is recommended").inputValue(), "");
  await page.goto(address.href);
  await page.getByText("1 found").waitFor();
  await page.locator("summary", { hasText: "Filters" }).click();
  assert.equal(await facet(page, "Agent").inputValue(), "codex");
  await page.getByRole("button", { name: "Remove the filter Agent: codex" }).click();
  await page.getByRole("button", { name: "Remove the filter Agent: codex" }).waitFor({ state: "detached" });
  await page.getByRole("link", { name: "Show all again" }).click();
  await page.getByText("3 found").waitFor();
  await facet(page, "Surface").selectOption("command line");
  await page.getByText("3 found").waitFor();
  await facet(page, "When").selectOption("Between two days");
  await page.getByLabel("From", { exact: true }).fill("2020-01-01");
  await page.getByLabel("Until").fill("2020-12-31");
  await page.getByText("Nothing found.").waitFor();
  assert.match(page.url(), /from=2020-01-01&until=2020-12-31/);
  await done();
});

test("an ask of the history shows the agent's reply, and its own words are offered when typing", async () => {
  const id = await answeredAsk(text("Who reviews it?"), "claude-code", "the platform team");
  const agent = await hub.ask(text("Who deploys it?"));
  const other = await hub.ask(select("Which tone?"));
  const { page, done } = await open(await hub.link());
  await page.locator(".list").waitFor();
  await page.goto(`${hub.base}/history/${id}`);
  await page.locator("summary", { hasText: "What the agent was given" }).click();
  await page.locator("pre", { hasText: "the platform team" }).waitFor();
  await page.getByRole("button", { name: "Use these words again" }).click();
  // Navigation stays within the page: preferred answers last as long as it is open.
  await page.getByRole("link", { name: "Inbox" }).click();
  await page.getByRole("link", { name: /Who deploys it/ }).click();
  const field = page.getByLabel("Your answer");
  await field.fill("nobody");
  await page.getByRole("button", { name: "Earlier answers" }).click();
  const offered = page.getByRole("dialog").locator("li button");
  await offered.first().waitFor();
  assert.deepEqual(await offered.allTextContents(), ["the platform team", "Zeppelin"]);
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.activeElement?.id === "q0-own");
  assert.equal(await field.inputValue(), "the platform team");
  await page.getByRole("button", { name: "Undo" }).click();
  await page.waitForFunction(() => document.querySelector("#q0-own").value === "nobody");
  await page.goto(`${hub.base}/a/${other.id}`);
  await page.locator(".question").waitFor();
  await page.keyboard.press("0");
  await page.getByRole("button", { name: "Earlier answers" }).click();
  await offered.filter({ hasText: "Zeppelin" }).click();
  assert.equal(await page.getByLabel("Your own answer").inputValue(), "Zeppelin");
  await page.locator(".bar .primary").click();
  assert.equal((await other.result()).answers[0].customText, "Zeppelin");
  await delivered(other.id);
  agent.end();
  await done();
});

test("results are deleted after their number was shown, and undelivered answers stay", async () => {
  const undelivered = await hub.askDetached("Is anybody there?");
  await hub.run("answer", undelivered, "--set", "yes");
  const { page, done } = await open(await hub.link());
  await page.locator(".list").waitFor();
  await page.goto(`${hub.base}/history?q=which`);
  await page.getByText("4 found").waitFor();
  await page.getByRole("button", { name: "Delete what is found" }).click();
  await page.getByText("4 questions and their answers are forgotten").waitFor();
  await page.getByRole("button", { name: "Keep it" }).click();
  await page.goto(`${hub.base}/history`);
  await page.getByRole("button", { name: "Delete what is found" }).click();
  await page.getByText("5 questions and their answers are forgotten").waitFor();
  await page.getByText("1 more stays").waitFor();
  await page.getByRole("button", { name: "Delete it" }).click();
  await page.getByText("5 deleted.").first().waitFor();
  await page.getByText("1 found").waitFor();
  assert.deepEqual(await titles(page), ["Is anybody there?"]);
  await done();
});
