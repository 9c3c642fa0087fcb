// The current question is in sight: with questions wider and contexts longer than a phone. Also typing on in a text, and a
// queued answer while the person declines.
import assert from "node:assert/strict";
import { test } from "node:test";
import { tooWide } from "./axe.mjs";
import { open, ownHub, settled } from "./support.mjs";

const hub = await ownHub();

const fence = (line) => `\`\`\`\n${line}\n\`\`\``;
const long = fence("git push --force-with-lease origin feat/orders:refs/heads/feat/orders && gh pr merge 1234 --squash --delete-branch");
const table = `| ${"column | ".repeat(30)}\n|${"---|".repeat(30)}\n| ${"value | ".repeat(30)}`;

async function card(call, options) {
  const agent = await hub.ask(call, "claude-code");
  const opened = await open(await hub.link(), options);
  await opened.page.locator(".connection.live").waitFor();
  await opened.page.goto(`${hub.base}/a/${agent.id}`);
  await opened.page.locator(".question").waitFor();
  return { agent, ...opened };
}

for (const [kind, question] of [
  ["a yes or no", { question: `May I run this?\n\n${long}`, type: "confirm" }],
  ["choices", { question: `Which way?\n\n${table}`, type: "select", options: [{ label: "One", description: long }, { label: "Two", description: table }] }],
  ["a text", { question: `What now?\n\n${long}`, type: "text" }],
]) test(`code and tables in ${kind} scroll in their own boxes, and nothing else is pushed out of sight`, async () => {
  const { agent, page, done } = await card({ questions: [question] }, { viewport: { width: 390, height: 844 } });
  for (const width of [320, 390, 1280]) {
    await page.setViewportSize({ width, height: 844 });
    assert.equal(await tooWide(page), 0, `${kind} at ${width}`);
    for (const one of await page.locator(".question .choice").all()) {
      const { x, width: wide } = await one.boundingBox();
      assert.ok(x >= 0 && x + wide <= width, `a choice of ${kind} at ${width}`);
    }
  }
  agent.end();
  await done();
});

test("below a long context the next question and the review are in sight", async () => {
  const context = Array.from({ length: 40 }, (_, n) => `Paragraph ${n} of what is to be known.`).join("\n\n");
  const questions = ["First?", "Second?"].map((question) => ({ question, type: "text" }));
  const { agent, page, done } = await card({ context, questions }, { viewport: { width: 390, height: 844 } });
  const seen = async (what) => {
    const box = await page.locator(what).boundingBox();
    const bar = await page.locator(".bar").boundingBox();
    return box.y >= 0 && box.y + box.height <= bar.y;
  };
  for (const [head, field] of [["Question 2 of 2", true], ["Review", false]]) {
    await page.locator(".bar .primary").click();
    await page.getByRole("heading", { name: head }).waitFor();
    await page.waitForFunction(() => document.activeElement?.matches("h2"));
    await page.evaluate(() => new Promise((go) => requestAnimationFrame(() => requestAnimationFrame(go))));
    assert.ok(await seen(field ? ".question h2" : ".review h2"), head);
    if (field) assert.ok(await seen(".question textarea"), "its field");
  }
  agent.end();
  await done();
});

test("on a phone an ask opened by its address starts at its top, and fixed bars cover nothing", async () => {
  const questions = ["First?", "Second?"].map((question) => ({ question, type: "text" }));
  const { agent, page, done } = await card({ context: "word ".repeat(400), questions }, { viewport: { width: 390, height: 780 }, hasTouch: true, isMobile: true });
  await page.reload();
  await page.locator(".question").waitFor();
  await settled(page);
  assert.equal(await page.evaluate(() => scrollY), 0);
  const box = (one) => page.locator(one).first().boundingBox();
  const [head, title] = [await box(".head"), await box("h1")];
  assert.ok(title.y >= head.y + head.height);
  // The link back and all buttons stay within reach.
  await page.evaluate(() => scrollTo(0, 600));
  await page.locator(".back").tap();
  await page.locator(".list").waitFor();
  agent.end();
  await done();
});

test("a letter typed without focus is appended to the text", async () => {
  const { agent, page, done } = await card({ questions: [{ question: "Say?", type: "text" }] });
  await page.getByLabel("Your answer").fill("hello");
  await page.getByText(/^draft saved/).waitFor();
  await page.reload();
  await page.waitForFunction(() => document.querySelector("textarea")?.value === "hello");
  await page.keyboard.type("-world");
  assert.equal(await page.getByLabel("Your answer").inputValue(), "hello-world");
  agent.end();
  await done();
});

test("a queued answer isn't sent while the person declines", async () => {
  const { agent, page, context, done } = await card({ questions: [{ question: "Delete all of it?", type: "confirm" }] });
  await page.getByRole("radio", { name: "Yes" }).check();
  await page.getByText(/^draft saved/).waitFor();
  await context.setOffline(true);
  await page.locator(".bar .primary").click();
  await page.getByText(/^Your answer waits for the connection/).waitFor();
  await page.getByRole("button", { name: "Decline" }).click();
  await page.getByRole("dialog").getByRole("textbox").fill("never!");
  await context.setOffline(false);
  await page.locator(".connection.live").waitFor();
  await page.getByRole("dialog").getByRole("button", { name: "Decline" }).click();
  const given = await agent.result();
  assert.deepEqual([given.answered, given.declined?.reason ?? given.reason], [false, "never!"]);
  await done();
});
