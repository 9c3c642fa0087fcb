// The form without scripts, in a browser that runs none: signing in, every kind of question, what is missing,
// what was answered elsewhere meanwhile, asking back, declining, and what another site sends.
import assert from "node:assert/strict";
import { test } from "node:test";
import { AxeBuilder } from "@axe-core/playwright";
import { open, ownHub } from "./support.mjs";

const hub = await ownHub();

const kinds = {
  title: "All kinds",
  context: "With **context**, and [a link](https://docs.example.com).",
  questions: [
    { header: "One", question: "Which one?", type: "select", options: [{ label: "First (Recommended)", description: "the *first*", preview: "```\ncode\n```" }, { label: "Second" }] },
    { header: "Many", question: "Which of these?", type: "multi-select", options: [{ label: "Red" }, { label: "Green" }, { label: "Blue" }] },
    { header: "Words", question: "How is it called?", type: "text", default: "as before" },
    { header: "Yes", question: "Sure?", type: "confirm" },
    { header: "Maybe", question: "Anything else?", type: "text", required: false },
  ],
};
const text = (question) => ({ questions: [{ question, type: "text" }] });

/** Comes once nobody asks for a link any more. */
const entered = (page) => page.locator("input[name=link]").waitFor({ state: "detached" });

/** A browser without scripts that is signed in. */
async function signedIn(options = {}) {
  const opened = await open(`${hub.base}/?form=1`, { javaScriptEnabled: false, ...options });
  await opened.page.locator("input[name=link]").fill(await hub.link());
  await opened.page.getByRole("button").click();
  await entered(opened.page);
  return opened;
}
const at = (page, id) => page.goto(`${hub.base}/a/${id}?form=1`);

test("the page itself says where the form is, and a link signs in once", async () => {
  const { page, context, done } = await open(hub.base, { javaScriptEnabled: false });
  await page.getByRole("link", { name: "a plain form" }).click();
  const link = await hub.link();
  await page.locator("input[name=link]").fill("http://127.0.0.1/#k=wrong");
  await page.getByRole("button").click();
  await page.getByRole("alert").waitFor();
  await page.locator("input[name=link]").fill(link);
  await page.getByRole("button").click();
  await entered(page);
  assert.ok((await context.cookies())[0].httpOnly);
  await context.clearCookies();
  await page.goto(`${hub.base}/?form=1`);
  await page.locator("input[name=link]").fill(link);
  await page.getByRole("button").click();
  await page.getByRole("alert").waitFor();
  assert.deepEqual(await context.cookies(), []);
  await done();
});

test("every kind of question is answered, with notes", async () => {
  const agent = await hub.ask(kinds);
  const { page, done } = await signedIn();
  await page.getByRole("link", { name: "All kinds" }).click();
  assert.equal(await page.locator("textarea[name=o2]").inputValue(), "as before");
  await page.getByRole("radio", { name: "First" }).check();
  await page.getByRole("checkbox", { name: "Red" }).check();
  await page.getByRole("checkbox", { name: "Blue" }).check();
  await page.locator("textarea[name=o1]").fill("violet\nand more");
  await page.locator("textarea[name=o2]").fill("  </textarea><b>x</b> & \"y\"");
  await page.getByRole("radio", { name: "Yes" }).check();
  await page.locator("textarea[name=n3]").fill("carefully");
  await page.locator("textarea[name=note]").fill("for all");
  await page.getByRole("button", { name: "Send", exact: true }).click();
  await page.getByRole("status").waitFor();
  const given = await agent.given();
  assert.deepEqual(given.answers.map(({ values, customText, note }) => [values, customText, note]), [
    [["First (Recommended)"], undefined, undefined], [["Red", "Blue"], "violet\nand more", undefined],
    [["  </textarea><b>x</b> & \"y\""], undefined, undefined], [["yes"], undefined, "carefully"], [[], undefined, undefined],
  ]);
  assert.equal(given.note, "for all");
  await done();
});

test("what is missing is said, keeps what was filled in, and can be left out on purpose", async () => {
  const agent = await hub.ask({ ...kinds, title: "With gaps" });
  const { page, done } = await signedIn();
  await at(page, agent.id);
  await page.getByRole("radio", { name: "Second" }).check();
  await page.getByRole("button", { name: "Send", exact: true }).click();
  await page.getByRole("alert").waitFor();
  assert.equal((await hub.show(agent.id)).state, "waiting");
  assert.ok(await page.getByRole("radio", { name: "Second" }).isChecked());
  const gaps = await page.locator("fieldset", { has: page.locator(".says") }).locator("legend").allTextContents();
  assert.deepEqual(gaps.map((name) => name.trim().slice(0, 2)), ["2.", "4."]);
  await page.locator("button[value=gaps]").click();
  await page.getByRole("status").waitFor();
  assert.deepEqual((await agent.given()).answers.map(({ status }) => status), ["answered", "unanswered", "answered", "unanswered", "skipped"]);
  await done();
});

test("own words in place of a choice, and both at once, are what one meant", async () => {
  const [first, second] = [await hub.ask({ ...kinds, title: "Own", questions: [kinds.questions[0]] }), await hub.ask({ ...kinds, title: "Both", questions: [kinds.questions[0]] })];
  const { page, done } = await signedIn();
  await at(page, first.id);
  await page.getByRole("radio").last().check();
  await page.locator("textarea[name=o0]").fill("a third");
  await page.getByRole("button", { name: "Send", exact: true }).click();
  await page.getByRole("status").waitFor();
  const answer = (await first.given()).answers[0];
  assert.deepEqual([answer.values, answer.customText], [[], "a third"]);
  // A choice and words beside it are both told.
  await at(page, second.id);
  await page.getByRole("radio", { name: "Second" }).check();
  await page.locator("textarea[name=o0]").fill("or this");
  await page.getByRole("button", { name: "Send", exact: true }).click();
  await page.getByRole("status").waitFor();
  const both = (await second.given()).answers[0];
  assert.deepEqual([both.values, both.customText], [["Second"], "or this"]);
  await done();
});

test("none of these and a choice besides are not sent, and nothing is lost", async () => {
  const agent = await hub.ask({ title: "Torn", questions: [kinds.questions[1]] });
  const { page, done } = await signedIn();
  await at(page, agent.id);
  const [red, none] = [page.getByRole("checkbox", { name: "Red" }), page.getByRole("checkbox", { name: "none of these" })];
  await red.check();
  await none.check();
  await page.locator("textarea[name=n0]").fill("a note");
  await page.getByRole("button", { name: "Send", exact: true }).click();
  await page.getByRole("alert").getByText("Not sent").waitFor();
  await page.locator("fieldset").getByText("take one of them back").waitFor();
  assert.equal((await hub.show(agent.id)).state, "waiting");
  assert.ok((await red.isChecked()) && (await none.isChecked()));
  assert.equal(await page.locator("textarea[name=n0]").inputValue(), "a note");
  assert.equal(await page.locator("button[value=gaps]").count(), 0);
  await red.uncheck();
  await page.getByRole("button", { name: "Send", exact: true }).click();
  await page.getByRole("status").waitFor();
  assert.deepEqual((await agent.given()).answers.map(({ values, note }) => [values, note]), [[[], "a note"]]);
  await done();
});

test("the list tells what is late or put aside from what waits", async () => {
  const [waits, aside, left] = [await hub.ask(text("Still there?")), await hub.ask(text("Later?")), await hub.ask(text("Gone?"))];
  await hub.run("snooze", aside.id);
  await left.end();
  const { page, done } = await signedIn();
  const under = (head) => page.locator(`h2:has-text("${head}") + ul`);
  // The hub learns of an agent's end when its connection closes.
  while ((await hub.show(left.id)).waiters) await page.reload();
  await page.reload();
  await under("is late").getByText("Gone?").waitFor();
  await under("is put aside").getByText("Later?").waitFor();
  await page.locator("h1 + ul").getByText("Still there?").waitFor();
  await at(page, left.id);
  await page.getByText("The agent stopped waiting").waitFor();
  await Promise.all([waits.end(), aside.end()]);
  await done();
});

test("asking back and declining", async () => {
  const [first, second] = [await hub.ask(text("Back?")), await hub.ask(text("Not?"))];
  const { page, done } = await signedIn();
  await at(page, first.id);
  await page.locator("summary", { hasText: "Ask back" }).click();
  await page.locator("button[value=clarify]").click();
  await page.getByRole("alert").waitFor();
  await page.locator("summary", { hasText: "Ask back" }).click();
  await page.locator("textarea[name=clarify]").fill("Which?");
  await page.locator("button[value=clarify]").click();
  await page.getByRole("status").waitFor();
  assert.equal((await first.given()).clarify, "Which?");
  await at(page, second.id);
  await page.locator("summary", { hasText: "Decline" }).click();
  await page.locator("textarea[name=reason]").fill("Not now");
  await page.locator("button[value=decline]").click();
  await page.getByRole("status").waitFor();
  assert.equal((await second.given()).reason, "Not now");
  await done();
});

test("answered elsewhere while the form is open: it says so, and sends nothing", async () => {
  const agent = await hub.ask(text("Who first?"));
  const { page, done } = await signedIn();
  await at(page, agent.id);
  await page.locator("textarea[name=o0]").fill("mine");
  await hub.run("answer", agent.id, "--set", "theirs");
  await page.getByRole("button", { name: "Send", exact: true }).click();
  await page.getByRole("alert").waitFor();
  assert.deepEqual((await agent.given()).answers[0].values, ["theirs"]);
  await at(page, agent.id);
  await page.getByText("Answered").first().waitFor();
  assert.equal(await page.locator("form").count(), 0);
  await done();
});

test("it is fit for readers, narrow windows and large text, light and dark", async () => {
  const agent = await hub.ask({ ...kinds, title: "Looks" });
  // Axe is a script; the form is the same for browsers that run them.
  const { page, context, done } = await open(await hub.link());
  await page.locator(".list").waitFor();
  for (const width of [1280, 390, 320]) {
    await page.setViewportSize({ width, height: 700 });
    for (const path of ["/?form=1", `/a/${agent.id}?form=1`]) {
      await page.goto(hub.base + path);
      await page.locator("h1").waitFor();
      for (const colorScheme of ["light", "dark"]) {
        await page.emulateMedia({ colorScheme });
        const { violations } = await new AxeBuilder({ page }).setLegacyMode().withTags(["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]).analyze();
        assert.deepEqual(violations.map(({ id, nodes }) => `${id}: ${nodes[0].html.slice(0, 200)}`), [], `${path} ${width} ${colorScheme}`);
      }
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth), `${path} at ${width}`);
    }
  }
  await context.clearCookies();
  await page.goto(`${hub.base}/?form=1`);
  const { violations } = await new AxeBuilder({ page }).setLegacyMode().withTags(["wcag2a", "wcag2aa", "wcag22aa", "best-practice"]).analyze();
  assert.deepEqual(violations.map(({ id, nodes }) => `${id}: ${nodes[0].html.slice(0, 200)}`), []);
  agent.end();
  await done();
});
