// The largest asks that agents may send: texts without a space, many questions, long labels, in the narrowest window. The
// page shows everything, is never wider than its window, and handles keys and answers as usual.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { tooWide } from "./axe.mjs";
import { open, ownHub } from "./support.mjs";

const hub = await ownHub();

const KB = 1024;
const narrow = async () => {
  // The service worker isn't tested here, and would slow everything down if it had to restart meanwhile.
  const opened = await open(await hub.link(), { viewport: { width: 320, height: 640 }, serviceWorkers: "block" });
  // A slow machine needs a while for thousands of lines.
  opened.page.setDefaultTimeout(120_000);
  await opened.page.locator(".list").waitFor();
  return opened;
};
const at = async (page, id) => {
  await page.goto(`${hub.base}/a/${id}`);
  await page.locator(".question").waitFor();
  assert.equal(await tooWide(page), 0);
};
const primary = (page) => page.locator(".bar .primary");

test("the largest allowed call is shown whole and answered; a larger one is refused with advice", async () => {
  const line = "x".repeat(60 * KB);
  const words = "word ".repeat(12 * KB).trim();
  const agent = await hub.ask({
    title: "y".repeat(2 * KB),
    context: `# A head\n\n${line}\n\nthe end of the context`,
    questions: [
      { header: "Unbroken", question: `${line}\n\nWhat of it?`, type: "text" },
      { header: "Words", question: `${words}?\n\nAnd that?`, type: "select", options: [{ label: "First", description: line.slice(0, 20 * KB), preview: "```\n" + line.slice(0, 20 * KB) + "\n```" }, { label: "Second" }] },
    ],
  });
  const { page, done } = await narrow();
  await at(page, agent.id);
  await page.getByText("the end of the context").waitFor();
  assert.equal((await page.locator(".context p").evaluateAll((all) => all.map((one) => one.textContent))).filter((text) => text === line).length, 1);
  await page.getByText("What of it?").waitFor();
  const field = page.getByLabel("Your answer");
  await field.focus();
  await page.keyboard.type("typed beside it");
  assert.equal(await field.inputValue(), "typed beside it");
  // A person may paste as much, and still type one more letter.
  const saved = page.waitForResponse((response) => response.url().endsWith("/draft") && response.request().postData()?.includes("z!"));
  await page.keyboard.insertText("z".repeat(50 * KB));
  await page.keyboard.type("!");
  assert.equal((await field.inputValue()).length, 15 + 50 * KB + 1);
  assert.equal((await saved).status(), 200);
  await primary(page).press("Enter");
  await page.getByRole("heading", { name: /Question 2 of 2/ }).waitFor();
  assert.equal(await tooWide(page), 0);
  await page.locator("summary", { hasText: "preview" }).first().click();
  assert.equal(await tooWide(page), 0);
  await page.getByRole("radio", { name: "Second" }).press("Space");
  await primary(page).press("Enter");
  await page.getByRole("heading", { name: "Review your answers" }).waitFor();
  assert.equal(await tooWide(page), 0);
  await primary(page).press("Enter");
  await page.getByRole("heading", { name: /^Sent to/ }).waitFor();
  assert.equal(await tooWide(page), 0);
  const { answers } = await agent.result();
  assert.equal(answers[0].values[0], `typed beside it${"z".repeat(50 * KB)}!`);
  assert.deepEqual(answers[1].values, ["Second"]);
  for (const place of ["/", "/history", `/history/${agent.id}`]) {
    await page.goto(hub.base + place);
    await page.locator("main h1").first().waitFor();
    await page.getByText("Looking …").waitFor({ state: "detached" });
    assert.equal(await tooWide(page), 0, place);
  }
  // A context may fill the whole call. Its beginning is shown at once, the rest piece by piece on request.
  const items = Array.from({ length: 9000 }, (_, n) => `- item **${n}** of many`).join("\n");
  const long = await hub.ask({ context: `${items}\n\nthe very end`, questions: [{ question: "Is it cut?", type: "text" }] });
  await at(page, long.id);
  assert.equal(await page.getByText("the very end").count(), 0);
  await page.evaluate(() => {
    window.brought = 0;
    new MutationObserver(() => window.brought++).observe(document.querySelector(".context .prose"), { childList: true });
  });
  await page.getByRole("button", { name: "Show all" }).press("Enter");
  await page.getByText("the very end").waitFor();
  assert.equal(await page.locator(".context li").count(), 9000);
  assert.equal(await page.getByRole("button", { name: "Show all" }).count(), 0);
  assert.equal(await tooWide(page), 0);
  assert.ok((await page.evaluate(() => window.brought)) > 3, "bit by bit");
  await page.getByLabel("Your answer").fill("it isn't");
  assert.equal(await page.getByLabel("Your answer").inputValue(), "it isn't");
  // A question's text is limited, and the cut is marked.
  const cut = await hub.ask({ questions: [{ question: "long ".repeat(20 * KB), type: "confirm" }] });
  await at(page, cut.id);
  assert.match(await page.locator(".question .prose").first().textContent(), /… \[cut: 102400 bytes in all\]$/);
  cut.end();
  long.end();
  // A larger call is refused: the agent gets the reason and advice.
  const before = JSON.parse(await hub.run("list", "--json")).length;
  const larger = await hub.agent("codex");
  const { result } = await larger.call("tools/call", { name: "ask_user", arguments: { context: "x".repeat(10_000 * KB), questions: [{ question: "Too large?", type: "confirm" }] } });
  assert.ok(result.isError);
  assert.match(result.content[0].text, /larger than 262144 bytes: shorten the texts or ask in several calls/);
  const token = readFileSync(join(hub.home, "token"), "utf8").trim();
  const body = JSON.stringify({ context: "x".repeat(256 * KB), question: "Too large?", type: "confirm" });
  const refused = await fetch(`${hub.base}/v1/asks`, { method: "POST", headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" }, body });
  assert.equal(refused.status, 413);
  assert.equal(JSON.parse(await hub.run("list", "--json")).length, before);
  await done();
});

/** Opens an ask in a program's own dialect. */
async function askIn(dialect, call) {
  const child = spawn(process.env.ASK_USER_BIN, ["ask", "--stdin", "--dialect", dialect, "--no-wait"], { env: hub.env, cwd: hub.home, stdio: ["pipe", "pipe", "inherit"] });
  child.stdin.end(JSON.stringify(call));
  let output = "";
  for await (const part of child.stdout) output += part;
  const { askId } = JSON.parse(output);
  hub.known.add(askId);
  return askId;
}

test("fifty questions are answered one after another, reached by their steps, and sent", async () => {
  const questions = Array.from({ length: 50 }, (_, n) => ({ question: `What is part ${n + 1} called?`, options: [] }));
  const id = await askIn("pi", { questions });
  const { page, done } = await narrow();
  await at(page, id);
  await page.getByRole("heading", { name: /Question 1 of 50/ }).waitFor();
  await page.getByLabel("Your answer").fill("the first");
  // The current step is in sight, however many there are.
  await page.locator(".steps button").nth(49).press("Enter");
  await page.getByRole("heading", { name: /Question 50 of 50/ }).waitFor();
  const step = await page.locator(".steps [aria-current]").boundingBox();
  assert.ok(step.x >= 0 && step.x + step.width <= 320, JSON.stringify(step));
  await page.getByLabel("Your answer").fill("the last");
  await primary(page).press("Enter");
  await page.getByRole("heading", { name: "Review your answers" }).waitFor();
  assert.equal(await page.locator(".review .rows > li").count(), 50);
  assert.equal(await tooWide(page), 0);
  await page.getByText(/48/).first().waitFor();
  await primary(page).press("Enter");
  await page.getByRole("heading", { name: /^Sent/ }).waitFor();
  const { outcome } = await hub.show(id);
  assert.deepEqual(outcome.answers.flatMap(({ values }) => values), ["the first", "the last"]);
  await done();
});

test("fifty labels of five kilobytes: found by a word, chosen by a key, and never too wide", async () => {
  const options = Array.from({ length: 50 }, (_, n) => ({ label: `${n} ${n % 2 ? "w".repeat(5 * KB) : "many words ".repeat(460)}`.slice(0, 5 * KB) }));
  const agent = await hub.ask({ questions: [{ header: "Long", question: "Which of these?", type: "multi-select", options }] });
  const { page, done } = await narrow();
  await at(page, agent.id);
  const boxes = page.locator("fieldset [data-choice]");
  await boxes.last().waitFor();
  assert.equal(await boxes.count(), 51);
  await page.keyboard.press("2");
  assert.ok(await boxes.nth(1).isChecked());
  await page.locator("fieldset [type=search]").fill("48 many");
  await page.waitForFunction(() => document.querySelectorAll("fieldset [data-choice]").length === 3);
  await page.locator("[data-choice='49']").check();
  assert.equal(await tooWide(page), 0);
  await page.keyboard.press("Control+Enter");
  await page.getByRole("heading", { name: /^Sent to/ }).waitFor();
  assert.equal(await tooWide(page), 0);
  const { answers: [{ values }] } = await agent.result();
  assert.deepEqual(values.map((value) => value.slice(0, 6)), ["1 wwww", "48 man"]);
  await done();
});

test("a word of thousands of joining letters can be broken, and is copied and answered unchanged", async () => {
  const word = "س".repeat(9_000);
  const agent = await hub.ask({
    title: word, context: word,
    questions: [{ header: word, question: word, type: "select", options: [{ label: word, description: word }, { label: "Another" }] }],
  });
  const { page, done } = await narrow();
  await at(page, agent.id);
  const parts = await page.locator("#main").evaluate((main, word) => {
    const all = document.createTreeWalker(main, NodeFilter.SHOW_TEXT);
    let [longest, selected] = [0, 0];
    while (all.nextNode()) longest = Math.max(longest, all.currentNode.data.length);
    for (const one of main.querySelectorAll("*")) {
      if (one.textContent !== word || !one.querySelector(":scope > wbr")) continue;
      getSelection().selectAllChildren(one);
      selected += Number(getSelection().toString() === word);
    }
    return { longest, selected };
  }, word);
  assert.ok(parts.longest <= 200, `${parts.longest} letters without a break`);
  assert.ok(parts.selected >= 3, `${parts.selected} words are copied whole`);
  await page.keyboard.press("1");
  await primary(page).press("Enter");
  await page.locator(".resolved").waitFor();
  assert.ok(JSON.stringify(await agent.reply).includes(word));
  await done();
});
