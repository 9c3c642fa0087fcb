// The whole page by keyboard alone, from the link to signing out, on a wide page and on a phone. The focus is checked after
// every key: something visible always has it, and it is never trapped.
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { LIMIT, loaded, open, ownHub, pauseClock } from "./support.mjs";

const hub = await ownHub();
/** A hub that holds an answer for longer than any test takes. */
const holding = await ownHub({ undoSeconds: 60 });

const confirm = (question) => ({ questions: [{ question, type: "confirm" }] });
const form = {
  title: "Three kinds",
  context: "See [the record](https://docs.example.com/12).",
  questions: [
    { header: "One", question: "Which one?", type: "select", options: [{ label: "First", preview: "```\ncode\n```" }, { label: "Second" }] },
    { header: "Many", question: "Which of these?", type: "multi-select", options: [{ label: "Red" }, { label: "Green" }] },
    { header: "Words", question: "How is it called?", type: "text" },
  ],
};

/** The name of the focused element; "nothing" if no element has the focus or it isn't visible. */
const focused = (page) => page.evaluate(() => {
  const node = document.activeElement;
  if (!node || node === document.body) return "nothing";
  const labels = [...(node.labels ?? [])].map((label) => label.textContent).join(" ");
  const by = (node.getAttribute("aria-labelledby") ?? "").split(" ").map((id) => document.getElementById(id)?.textContent ?? "").join(" ").trim();
  const name = (node.getAttribute("aria-label") || by || labels || node.textContent || node.id || "").trim().replace(/\s+/g, " ");
  return `${node.type && node.tagName === "INPUT" ? node.type : node.tagName.toLowerCase()} ${name}`;
});

/** Presses a key, and checks that something has the focus afterwards. */
async function press(page, key) {
  await page.keyboard.press(key);
  const now = await focused(page);
  assert.notEqual(now, "nothing", `nothing has the focus after ${key}`);
  return now;
}

/** Presses Tab until this has the focus, and returns what had it on the way. */
async function tabTo(page, wanted, key = "Tab") {
  const way = [];
  for (let stop = 0; stop < 80; stop++) {
    await page.keyboard.press(key);
    const now = await focused(page);
    way.push(now);
    if (wanted.test(now)) return way;
  }
  throw new Error(`${wanted} is not to be reached by ${key}:\n${way.join("\n")}`);
}

/** Waits until this has the focus, because the next page may not be shown yet. */
async function has(page, wanted) {
  let now = "";
  for (const until = Date.now() + LIMIT; Date.now() < until; ) {
    now = await focused(page);
    if (wanted.test(now)) return;
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(done)));
  }
  throw new Error(`${wanted} should have the focus, but it is: ${now}`);
}

/** Any focused element. */
const SOMETHING = /^(?!nothing$)/;

test("a whole form, from the link to the answer, without a pointer", async () => {
  const agent = await hub.ask(form);
  const { page, done } = await open(await hub.link());
  await page.locator(".question").waitFor();
  await loaded(page);
  // One round by Tab: everything gets the focus in reading order, and then it leaves the page.
  const way = await tabTo(page, /^button Next$/);
  const order = ["a Skip to the question", "a ask", "a Inbox", "a History", "a Statistics", "a Settings", "a Phone: off", "button Keys", "a Three kinds", "button Snooze", "summary Context", "a the record", "button 1One", "button 2Many", "button 3Words", "button Review", "radio First", "button + Add a note", "file Attach a file", "button Full size", "button Ask back", "button Decline", "button Next"];
  let from = 0;
  for (const name of order) {
    const found = way.findIndex((stop, at) => at >= from && stop.startsWith(name));
    assert.ok(found >= 0, `${name} comes after what came before it:\n${way.join("\n")}`);
    from = found + 1;
  }
  const back = await tabTo(page, /^a Skip/, "Shift+Tab");
  assert.deepEqual(back.length, way.length - 1, "the way back is the way there");
  await press(page, "Enter");
  // The skip link leads to the main content.
  await tabTo(page, /^a the record/);
  // A preview opens in full size, and closing it returns the focus.
  await tabTo(page, /^button Full size/);
  await press(page, "Enter");
  await page.getByRole("dialog").waitFor();
  // Nothing below the dialog can be reached. After the last stop comes the browser's own interface.
  for (let stop = 0; stop < 4; stop++) {
    await page.keyboard.press("Tab");
    assert.ok(await page.evaluate(() => document.activeElement === document.body || Boolean(document.activeElement.closest("dialog"))));
  }
  await press(page, "Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await has(page, /^button Full size/);
  // Arrows select radios; 0 selects Other, with own words.
  await tabTo(page, /^radio First/, "Shift+Tab");
  await press(page, "Space");
  await press(page, "ArrowDown");
  assert.ok(await page.getByRole("radio", { name: "Second" }).isChecked());
  await press(page, "ArrowDown");
  assert.ok(await page.getByRole("radio", { name: "Other" }).isChecked());
  await press(page, "Tab");
  await has(page, /^textarea Your own answer/);
  await page.keyboard.type("a third");
  // Enter in a field sends nothing. Esc leaves the field.
  await press(page, "Enter");
  await press(page, "Escape");
  await has(page, /^h2 Question 1 of 3/);
  assert.equal((await hub.show(agent.id)).state, "waiting");
  await press(page, "n");
  await has(page, /^textarea Note/);
  await page.keyboard.type("a note");
  await press(page, "Escape");
  await press(page, "ArrowRight");
  await has(page, /^h2 Question 2 of 3/);
  await press(page, "2");
  await tabTo(page, /^checkbox None of these/);
  await press(page, "Shift+Tab");
  await press(page, "Shift+Tab");
  await press(page, "Space");
  assert.ok(await page.getByRole("checkbox", { name: "Red" }).isChecked());
  await press(page, "Control+Enter");
  await has(page, /^h2 Question 3 of 3/);
  await press(page, "Tab");
  await has(page, /^textarea Your answer/);
  await page.keyboard.type("orders");
  // A key also opens the system's dialog for a file. The test must expect that dialog before it opens.
  page.on("filechooser", () => undefined);
  writeFileSync(join(hub.home, "plan.txt"), "a plan");
  await tabTo(page, /^file Attach a file/);
  const chooser = page.waitForEvent("filechooser");
  await page.keyboard.press("Enter");
  await (await chooser).setFiles(join(hub.home, "plan.txt"));
  await page.getByRole("link", { name: "plan.txt" }).waitFor();
  await tabTo(page, /^button Remove plan.txt/, "Shift+Tab");
  await press(page, "Enter");
  await page.getByRole("link", { name: "plan.txt" }).waitFor({ state: "detached" });
  await has(page, /^file Attach a file/);
  await press(page, "ArrowRight");
  await has(page, /^h2 Review/);
  await tabTo(page, /^button Change 1/);
  await press(page, "Enter");
  await has(page, /^h2 Question 1 of 3/);
  await tabTo(page, /^button Review/);
  await press(page, "Enter");
  await has(page, /^h2 Review/);
  await tabTo(page, /^textarea Note for all/);
  await page.keyboard.type("for all");
  await tabTo(page, /^button Send 3 answers/);
  await press(page, "Enter");
  await has(page, /^h1 Sent to claude-code/);
  const given = await agent.result();
  assert.deepEqual(given.answers.map(({ values, customText, note }) => [values, customText?.trim(), note]), [[[], "a third", "a note"], [["Red", "Green"], undefined, undefined], [["orders"], undefined, undefined]]);
  assert.equal(given.note, "for all");
  await done();
});

test("asking back, declining, snoozing, history, settings and signing out, without a pointer", async () => {
  const [first, second, third] = [await hub.ask(confirm("Back?")), await hub.ask(confirm("Not?")), await hub.ask(confirm("Aside?"))];
  const { page, done } = await open(await hub.link());
  await page.goto(`${hub.base}/a/${first.id}`);
  await page.locator(".question").waitFor();
  // Esc only closes the dialog, and its text is there when it opens again.
  await page.keyboard.press("c");
  await has(page, SOMETHING);
  await tabTo(page, /^textarea What do you want/);
  await page.keyboard.type("Which");
  await press(page, "Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  assert.equal((await hub.show(first.id)).state, "waiting");
  await page.keyboard.press("c");
  await tabTo(page, /^textarea What do you want/);
  assert.equal(await page.getByLabel("What do you want to know?").inputValue(), "Which");
  await press(page, "End");
  await page.keyboard.type(" one?");
  await tabTo(page, /^button Send my question/);
  await press(page, "Enter");
  await has(page, /^h1 You asked claude-code back/);
  assert.equal((await first.result()).clarify, "Which one?");
  // A link leads to the next ask.
  await tabTo(page, /^a Next: /);
  await press(page, "Enter");
  await has(page, /^h1 /);
  await page.goto(`${hub.base}/a/${second.id}`);
  await page.locator(".question").waitFor();
  await tabTo(page, /^button Decline/);
  await press(page, "Enter");
  await tabTo(page, /^textarea Why/);
  await page.keyboard.type("no");
  await tabTo(page, /^button Decline/);
  await press(page, "Enter");
  await has(page, /^h1 You declined/);
  assert.equal((await second.result()).reason, "no");
  await page.goto(`${hub.base}/a/${third.id}`);
  await page.locator(".question").waitFor();
  await tabTo(page, /^button Snooze/);
  await press(page, "Enter");
  await tabTo(page, /^button 15 minutes/);
  await press(page, "Enter");
  await has(page, /^button Bring back/);
  await press(page, "Enter");
  await has(page, /^button Snooze/);
  // Esc moves the focus to the list beside the card, which stays open.
  await press(page, "Escape");
  await has(page, /^a Aside\?/);
  assert.match(page.url(), new RegExp(third.id));
  await press(page, "?");
  await page.getByRole("dialog").waitFor();
  await press(page, "Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await tabTo(page, /^a History/, "Shift+Tab");
  await press(page, "Enter");
  await has(page, /^h1 History/);
  await press(page, "/");
  await has(page, /^search Search/);
  await page.keyboard.type("Back");
  await press(page, "Enter");
  await page.waitForURL(/q=Back/);
  await page.locator(".history-list[aria-busy=false]").waitFor();
  await tabTo(page, /^a Back\?/);
  await press(page, "Enter");
  await has(page, /^h1 Back\?/);
  await tabTo(page, /^button Delete/);
  await press(page, "Enter");
  await tabTo(page, /^button Delete it/);
  await press(page, "Enter");
  await page.waitForURL(/\/history$/);
  await has(page, /^h1 History/);
  await tabTo(page, /^a Statistics/, "Shift+Tab");
  await press(page, "Enter");
  await has(page, /^h1 Statistics/);
  await tabTo(page, /^a Settings/, "Shift+Tab");
  await press(page, "Enter");
  await has(page, /^h1 Settings/);
  await tabTo(page, /^checkbox Single-key/);
  await press(page, "Space");
  await tabTo(page, /^button Sign out/);
  // The focused part vanishes, and the next one has to be loaded first.
  await page.keyboard.press("Enter");
  await has(page, /^h1 Open this page from your terminal/);
  third.end();
  await done();
});

test("on a phone with a keyboard: the menu, its dialogs, and the focus afterwards", async () => {
  const [first, second] = [await holding.ask(confirm("Earlier?")), await holding.ask({ title: "Later", ...confirm("Later?") })];
  const { page, done } = await open(await holding.link(), { viewport: { width: 390, height: 700 } });
  await page.getByRole("link", { name: /Later/ }).waitFor();
  await loaded(page);
  await tabTo(page, /^a Later/);
  await press(page, "Enter");
  await has(page, /^h1 Later/);
  await tabTo(page, /^summary More/, "Shift+Tab");
  await press(page, "Enter");
  await tabTo(page, /^button Decline/);
  await press(page, "Enter");
  await page.getByRole("dialog").waitFor();
  await press(page, "Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await has(page, /^summary More/);
  await press(page, "Escape");
  await has(page, /^a Later/);
  assert.equal(new URL(page.url()).pathname, "/");
  // A key undoes a tap in the list, and the focus isn't lost.
  await tabTo(page, /^button Yes: Later/);
  await pauseClock(page);
  await press(page, "Enter");
  await page.getByRole("button", { name: /^Undo/ }).waitFor();
  await tabTo(page, /^button Undo/);
  await press(page, "Enter");
  await page.locator(".toast", { hasText: "Undone" }).waitFor();
  await page.clock.resume();
  await has(page, SOMETHING);
  await holding.run("decline", second.id);
  await page.getByRole("link", { name: /Later/ }).waitFor({ state: "detached" });
  await has(page, SOMETHING);
  first.end();
  await done();
});

test("when an ask is closed elsewhere its notice gets the focus, unless the person is busy beside it", async () => {
  const [first, second] = [await hub.ask({ title: "Over soon", ...confirm("Is it?") }), await hub.ask({ title: "Over later", ...confirm("Is it?") })];
  const { page, done } = await open(await hub.link());
  await page.goto(`${hub.base}/a/${first.id}`);
  await page.locator(".question").waitFor();
  await page.keyboard.press("c");
  await tabTo(page, /^textarea What do you want/);
  await page.keyboard.type("half a sentence");
  await hub.run("answer", first.id, "--set", "yes");
  await has(page, /^h1 Answered in command line/);
  await page.locator(".draft", { hasText: "half a sentence" }).waitFor();
  await page.goto(`${hub.base}/a/${second.id}`);
  await page.locator(".question").waitFor();
  await tabTo(page, /^a Settings/);
  await hub.run("answer", second.id, "--set", "yes");
  await page.getByRole("heading", { name: /^Answered in command line/ }).waitFor();
  await has(page, /^a Settings/);
  await done();
});
