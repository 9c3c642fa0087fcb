// Everything with keys alone: from the link to signing out, on a wide page and on a phone's. What has the
// focus is looked at after every key: it is never nothing, never out of sight, and nothing keeps it.
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { LIMIT, begun, open, ownHub, still } from "./support.mjs";

const hub = await ownHub();

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

/** What has the focus, by its name; "nothing" where there is none, or where nobody can see it. */
const focused = (page) => page.evaluate(() => {
  const node = document.activeElement;
  if (!node || node === document.body) return "nothing";
  const labels = [...(node.labels ?? [])].map((label) => label.textContent).join(" ");
  const by = (node.getAttribute("aria-labelledby") ?? "").split(" ").map((id) => document.getElementById(id)?.textContent ?? "").join(" ").trim();
  const name = (node.getAttribute("aria-label") || by || labels || node.textContent || node.id || "").trim().replace(/\s+/g, " ");
  return `${node.type && node.tagName === "INPUT" ? node.type : node.tagName.toLowerCase()} ${name}`;
});

/** Presses a key; something has the focus afterwards. */
async function press(page, key) {
  await page.keyboard.press(key);
  const now = await focused(page);
  assert.notEqual(now, "nothing", `nothing has the focus after ${key}`);
  return now;
}

/** Goes on by Tab until this has the focus, and tells what had it on the way. */
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

/** Waits until this has the focus: what is shown next may still be on its way. */
async function has(page, wanted) {
  let now = "";
  for (const until = Date.now() + LIMIT; Date.now() < until; ) {
    now = await focused(page);
    if (wanted.test(now)) return;
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(done)));
  }
  throw new Error(`${wanted} should have the focus, but it is: ${now}`);
}

/** Anything at all. */
const SOMETHING = /^(?!nothing$)/;

test("a whole form, from the link to the answer, without a pointer", async () => {
  const agent = await hub.ask(form);
  const { page, done } = await open(await hub.link());
  await page.locator(".question").waitFor();
  await begun(page);
  // Once around: in the order that one reads, everything there is, and out again.
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
  // The skip link leads into the part itself.
  await tabTo(page, /^a the record/);
  // A preview in full, and back to where it was opened.
  await tabTo(page, /^button Full size/);
  await press(page, "Enter");
  await page.getByRole("dialog").waitFor();
  // What lies below can't be reached; behind the last stop comes the browser's own.
  for (let stop = 0; stop < 4; stop++) {
    await page.keyboard.press("Tab");
    assert.ok(await page.evaluate(() => document.activeElement === document.body || Boolean(document.activeElement.closest("dialog"))));
  }
  await press(page, "Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await has(page, /^button Full size/);
  // Radios by arrows; Other by its own, with words.
  await tabTo(page, /^radio First/, "Shift+Tab");
  await press(page, "Space");
  await press(page, "ArrowDown");
  assert.ok(await page.getByRole("radio", { name: "Second" }).isChecked());
  await press(page, "ArrowDown");
  assert.ok(await page.getByRole("radio", { name: "Other" }).isChecked());
  await press(page, "Tab");
  await has(page, /^textarea Your own answer/);
  await page.keyboard.type("a third");
  // Enter in a field sends nothing, and neither does Esc: it leaves the field.
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
  // A file from the dialog of the system, which opens by a key, too.
  // Wanted early: a dialog that opens before the browser knows that is shown to nobody.
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
  const given = await agent.given();
  assert.deepEqual(given.answers.map(({ values, customText, note }) => [values, customText?.trim(), note]), [[[], "a third", "a note"], [["Red", "Green"], undefined, undefined], [["orders"], undefined, undefined]]);
  assert.equal(given.note, "for all");
  await done();
});

test("asking back, declining, putting aside, history, settings and signing out, without a pointer", async () => {
  const [first, second, third] = [await hub.ask(confirm("Back?")), await hub.ask(confirm("Not?")), await hub.ask(confirm("Aside?"))];
  const { page, done } = await open(await hub.link());
  await page.goto(`${hub.base}/a/${first.id}`);
  await page.locator(".question").waitFor();
  // Esc shuts the dialog and nothing else, and what was begun there is there again.
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
  assert.equal((await first.given()).clarify, "Which one?");
  // On to the next one by its link.
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
  assert.equal((await second.given()).reason, "no");
  await page.goto(`${hub.base}/a/${third.id}`);
  await page.locator(".question").waitFor();
  await tabTo(page, /^button Snooze/);
  await press(page, "Enter");
  await tabTo(page, /^button 15 minutes/);
  await press(page, "Enter");
  await has(page, /^button Bring back/);
  await press(page, "Enter");
  await has(page, /^button Snooze/);
  // The list beside the card has the focus after Esc; the card stays as it is.
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
  // All that had the focus goes, and the part that comes is brought first.
  await page.keyboard.press("Enter");
  await has(page, /^h1 Open this page from your terminal/);
  third.end();
  await done();
});

test("on a phone with keys: the menu, its dialogs, and the way back to where one was", async () => {
  const [first, second] = [await hub.ask(confirm("Earlier?")), await hub.ask({ title: "Later", ...confirm("Later?") })];
  const { page, done } = await open(await hub.link(), { viewport: { width: 390, height: 700 } });
  await page.getByRole("link", { name: /Later/ }).waitFor();
  await begun(page);
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
  // What was tapped in the list can be undone by a key, and the focus stays somewhere.
  await tabTo(page, /^button Yes: Later/);
  await still(page);
  await press(page, "Enter");
  await page.getByRole("button", { name: /^Undo/ }).waitFor();
  await tabTo(page, /^button Undo/);
  await press(page, "Enter");
  await page.locator(".toast", { hasText: "Undone" }).waitFor();
  await page.clock.resume();
  await has(page, SOMETHING);
  await hub.run("decline", second.id);
  await page.getByRole("link", { name: /Later/ }).waitFor({ state: "detached" });
  await has(page, SOMETHING);
  first.end();
  await done();
});

test("when an ask is over elsewhere the focus is on what is said of it, unless one is busy beside it", async () => {
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
