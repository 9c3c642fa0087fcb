// Completing file names of the agent's folder after `@`: by keys and by a click, in every field, with misleading names, with
// an input method, on a narrow page. A phone is offered none.
import assert from "node:assert/strict";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { SIZES, schemes, tooWide, violations } from "./axe.mjs";
import { LAN, loaded, open, ownHub } from "./support.mjs";

let folders = 0;
const hub = await ownHub({ http: `names = "${LAN.name}"` });

/** Creates a folder for an agent to work in. */
function project(...files) {
  const root = join(hub.home, `project-${++folders}`);
  for (const file of files) {
    mkdirSync(join(root, file, ".."), { recursive: true });
    writeFileSync(join(root, file), "");
  }
  return root;
}
const text = { questions: [{ question: "Which file?", type: "text" }] };
const choice = { questions: [{ header: "One", question: "Which one?", type: "select", options: [{ label: "First" }, { label: "Second" }] }, { header: "Two", question: "And which?", type: "text" }] };

/** Opens the card of an ask from a folder. */
async function card(cwd, call = text, options = {}) {
  const agent = await hub.ask(call, "claude-code", { cwd });
  const { page, context, done } = await open(await hub.link(), { serviceWorkers: "block", ...options });
  await page.locator(".connection.live").waitFor();
  await page.goto(`${hub.base}/a/${agent.id}`);
  await page.locator(".question").waitFor();
  // Until the list is loaded, the agent's folder isn't known.
  await loaded(page);
  const asked = [];
  page.on("request", (request) => /\/paths/.test(request.url()) && asked.push(request.url()));
  return { agent, page, context, done, asked };
}
const list = (page) => page.getByRole("listbox", { name: "Files of the agent's folder" });
const marked = (page) => page.locator(".paths [aria-selected=true]");
const gone = (page) => page.locator(".paths").waitFor({ state: "detached" });
const own = (page) => page.getByLabel("Your answer");
/** The path that the field names as selected. */
const active = (page) => page.evaluate(() => document.getElementById(document.activeElement.getAttribute("aria-activedescendant"))?.textContent);
/** Waits until the status has this text. */
const hasStatus = (page, words) => page.locator(".paths [role=status]", { hasText: words }).waitFor();

test("by keys alone: a path is selected, inserted and undone, and no key of the list sends", async () => {
  const { agent, page, done } = await card(project("src/main.rs", "src/deep/domain.rs", "a b.txt", "target/main.o", ".gitignore", "notes.md"));
  await own(page).focus();
  await page.keyboard.type("see @main");
  await hasStatus(page, "3 files fit");
  assert.equal(await active(page), "src/main.rs");
  for (const [name, value] of [["aria-controls", "paths"], ["aria-autocomplete", "list"], ["aria-haspopup", "listbox"]]) assert.equal(await own(page).getAttribute(name), value);
  await page.keyboard.press("ArrowUp");
  assert.equal(await active(page), await list(page).getByRole("option").last().textContent(), "from the first to the last");
  await page.keyboard.press("ArrowDown");
  assert.equal(await active(page), "src/main.rs");
  // The key doesn't send, because the list handles it.
  await page.keyboard.press("Control+Enter");
  await gone(page);
  assert.equal(await own(page).inputValue(), "see src/main.rs");
  assert.equal(await own(page).getAttribute("aria-haspopup"), null);
  await page.keyboard.press("Control+z");
  assert.equal(await own(page).inputValue(), "see @main");
  await page.keyboard.press("Control+Shift+z");
  assert.equal(await own(page).inputValue(), "see src/main.rs");
  await page.keyboard.type(", @a b");
  await gone(page);
  await page.keyboard.press("Backspace");
  await page.keyboard.press("Backspace");
  await hasStatus(page, /files fit/);
  await page.keyboard.type("txt");
  await hasStatus(page, "1 file fits");
  await page.keyboard.press("Tab");
  await gone(page);
  assert.equal(await own(page).inputValue(), 'see src/main.rs, "a b.txt"');
  assert.ok(await own(page).evaluate((node) => document.activeElement === node));
  // Esc closes the list, and the next Esc leaves the field. The typed word stays.
  await page.keyboard.type(" @no");
  await hasStatus(page, /files? fits?/);
  await page.keyboard.press("Escape");
  await gone(page);
  await page.keyboard.type("te");
  assert.equal(await page.locator(".paths").count(), 0);
  assert.ok(await own(page).evaluate((node) => document.activeElement === node));
  // If nothing matches, Enter closes the list and adds no line break.
  await page.keyboard.type(" @zzz");
  await hasStatus(page, "No file fits.");
  await page.keyboard.press("Enter");
  await gone(page);
  assert.equal((await hub.show(agent.id)).state, "waiting");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Control+Enter");
  const { answers } = await agent.result();
  assert.equal(answers[0].values[0].trim(), 'see src/main.rs, "a b.txt" @note @zzz');
  await done();
});

test("keys reach more files than are shown at once, and a click inserts one", async () => {
  const { page, done } = await card(project(...Array.from({ length: 60 }, (_, n) => `part-${String(n).padStart(2, "0")}.txt`)));
  await own(page).focus();
  await page.keyboard.type("@part");
  await hasStatus(page, "60 files fit");
  const options = list(page).getByRole("option");
  assert.equal(await options.count(), 6);
  for (let n = 0; n < 8; n++) await page.keyboard.press("ArrowDown");
  assert.equal(await active(page), "part-08.txt");
  assert.deepEqual([await marked(page).getAttribute("aria-posinset"), await marked(page).getAttribute("aria-setsize")], ["9", "50"]);
  await options.first().click();
  await gone(page);
  assert.equal(await own(page).inputValue(), "part-03.txt");
  assert.ok(await own(page).evaluate((node) => document.activeElement === node));
  await done();
});

test("every field offers the completion, and in a dialog Esc closes only the list", async () => {
  const { agent, page, done } = await card(project("src/main.rs"), choice);
  const take = async (field) => {
    await field.waitFor();
    await field.focus();
    await page.keyboard.type("@mai");
    await hasStatus(page, "1 file fits");
    await page.keyboard.press("Enter");
    await gone(page);
    assert.equal(await field.inputValue(), "src/main.rs");
  };
  await page.keyboard.press("0");
  await take(page.locator("#q0-own"));
  await page.keyboard.press("Escape");
  await page.keyboard.press("n");
  await take(page.locator("#q0-note"));
  for (const name of ["Ask back", "Decline"]) {
    await page.getByRole("button", { name, exact: true }).click();
    const words = page.locator("#dialog-words");
    await take(words);
    await page.keyboard.type(" @x");
    await hasStatus(page, "No file fits.");
    await page.keyboard.press("Escape");
    await gone(page);
    assert.ok(await words.isVisible(), "the dialog stays");
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
  }
  await page.locator(".steps button", { hasText: "Review" }).click();
  await take(page.locator("#note-for-all"));
  await page.getByRole("button", { name: /^Send 1 answer anyway/ }).click();
  const given = await agent.result();
  assert.deepEqual([given.answers[0].customText, given.answers[0].note, given.note], ["src/main.rs", "src/main.rs", "src/main.rs"]);
  await done();
});

test("misleading names are shown as text and inserted without characters that change direction", async () => {
  const run = "<img src=x onerror=window.ran=1>";
  const long = `${"d".repeat(200)}/${"e".repeat(200)}/long.txt`;
  const { page, done } = await card(project(run, "\u202egpj.exe", "two\nlines.txt", "quote\"s\\.txt", "{count}.txt", "مرحبا.txt", long), text, { viewport: { width: 390, height: 844 } });
  for (const [letters, shown, put] of [
    ["onerror", run, `"${run}"`],
    ["gpj", "gpj.exe", '"\\u{202e}gpj.exe"'],
    ["lines", "two lines.txt", '"two\\nlines.txt"'],
    ["quote", "quote\"s\\.txt", '"quote\\"s\\\\.txt"'],
    ["{c", "{count}.txt", "{count}.txt"],
    ["مرح", "مرحبا.txt", "مرحبا.txt"],
    ["long", long, long],
  ]) {
    await own(page).fill("");
    await own(page).focus();
    await page.keyboard.type(`@${letters}`);
    await hasStatus(page, "1 file fits");
    assert.equal(await active(page), shown);
    assert.equal(await tooWide(page), 0);
    await page.keyboard.press("Enter");
    assert.equal(await own(page).inputValue(), put);
  }
  assert.equal(await page.evaluate(() => window.ran), undefined);
  assert.equal(await page.locator(".paths img").count(), 0);
  await done();
});

test("an e-mail address, a moving caret and an input method open no list", async () => {
  const { page, context, done, asked } = await card(project("src/main.rs", "日本.txt"));
  await own(page).focus();
  await page.keyboard.type("ann@example.org and me@");
  assert.equal(await page.locator(".paths").count(), 0);
  assert.deepEqual(asked, []);
  await own(page).fill("look at @main now");
  await page.keyboard.press("Home");
  for (let n = 0; n < 11; n++) await page.keyboard.press("ArrowRight");
  assert.equal(await page.locator(".paths").count(), 0);
  // Leaving the word closes the list, and so does leaving the field.
  await own(page).fill("");
  await page.keyboard.type("x @mai");
  await hasStatus(page, "1 file fits");
  assert.deepEqual(asked.filter((url) => !/(\/assets\/paths\.\w+|\?q=(m|ma|mai)?)$/.test(url)), [], "nothing before it was looked for");
  await page.keyboard.press("Home");
  await gone(page);
  await page.keyboard.press("End");
  await page.keyboard.type("n");
  await hasStatus(page, "1 file fits");
  await own(page).evaluate((node) => node.blur());
  await gone(page);
  const method = await context.newCDPSession(page);
  const compose = (words) => method.send("Input.imeSetComposition", { text: words, selectionStart: words.length, selectionEnd: words.length });
  await own(page).fill("");
  await own(page).focus();
  const known = page.waitForResponse(async (answer) => answer.url().endsWith("/paths?q=") && (await answer.json()).ended);
  await page.keyboard.type("@");
  await known;
  await hasStatus(page, "2 files fit");
  const before = asked.length;
  await compose("にほ");
  for (const key of ["Enter", "ArrowDown", "Tab", "Escape"]) await method.send("Input.dispatchKeyEvent", { type: "rawKeyDown", key, code: key, windowsVirtualKeyCode: 229 });
  assert.equal(await own(page).inputValue(), "@にほ");
  assert.equal(asked.length, before, "nothing is looked for while it composes");
  await method.send("Input.insertText", { text: "日本" });
  await hasStatus(page, "1 file fits");
  assert.equal(await active(page), "日本.txt");
  await done();
});

test("the completion works before the list is loaded", async () => {
  const agent = await hub.ask(text, "claude-code", { cwd: project("src/main.rs") });
  const { page, done } = await open(await hub.link(), { serviceWorkers: "block" });
  await page.locator(".connection.live").waitFor();
  // The stream is cut after the event that names the viewer.
  const hello = { page: await page.locator("meta[name=build]").getAttribute("content"), local: true, scope: "answer", encrypted: false };
  await page.route("**/v1/events", (route) => route.fulfill({ contentType: "text/event-stream", body: `event: hello\ndata: ${JSON.stringify(hello)}\n\n` }));
  await page.goto(`${hub.base}/a/${agent.id}`);
  // The viewer is known, and the connection is lost again.
  await page.locator(".connection.pausing").waitFor();
  await own(page).fill("");
  await page.keyboard.type("@main");
  await hasStatus(page, "1 file fits");
  agent.end();
  await done();
});

test("the status names a deleted folder, an unreachable hub and a large folder", async () => {
  const root = project("src/main.rs");
  const { page, context, done } = await card(root);
  rmSync(root, { recursive: true });
  await own(page).focus();
  await page.keyboard.type("@m");
  await hasStatus(page, "The agent's folder can't be read on this computer.");
  await page.keyboard.press("Tab");
  await gone(page);
  assert.ok(await own(page).evaluate((node) => document.activeElement !== node), "there is nothing to put in");
  await own(page).fill("");
  // The route stays the same: if it were removed during a request, that request might never end.
  let found = { paths: [{ shown: "a", text: "a" }], total: 3000 };
  await page.route("**/paths?*", (route) => found ? route.fulfill({ json: { ...found, ended: true, cut: 20000, readable: true } }) : route.continue());
  await own(page).focus();
  await page.keyboard.type("@a");
  await hasStatus(page, "3,000 of the first 20,000 files");
  found = { paths: [], total: 0 };
  await page.keyboard.type("b");
  await hasStatus(page, "No file fits among the first 20,000.");
  found = undefined;
  await context.setOffline(true);
  await page.keyboard.type("c");
  await hasStatus(page, "That didn't work: no connection.");
  await context.setOffline(false);
  await done();
});

test("a running search shows what it has found, a late reply changes nothing, and an early key does nothing", async () => {
  const { page, done } = await card(project("src/main.rs"));
  const held = [];
  let came = () => undefined;
  await page.route("**/paths?*", (route) => (held.push(route), came()));
  /** Waits for the next request, which has these letters, and returns the function that replies to it. */
  const asked = async (letters) => {
    while (!held.length) await new Promise((done) => (came = done));
    const route = held.shift();
    assert.ok(route.request().url().endsWith(`?q=${letters}`), route.request().url());
    return (paths, ended) => route.fulfill({ json: { paths: paths.map((shown) => ({ shown, text: shown })), total: paths.length, ended, readable: true } });
  };
  await own(page).focus();
  await page.keyboard.type("@");
  let reply = await asked("");
  await hasStatus(page, "Looking");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
  assert.equal(await own(page).inputValue(), "@");
  // Only one request runs at a time. Letters typed meanwhile are requested next.
  await page.keyboard.type("ma");
  await reply(["mist"], true);
  reply = await asked("ma");
  assert.equal(await list(page).count(), 0, "that was for other letters");
  await reply(["one-ma", "two-ma"], false);
  await hasStatus(page, "2 files fit");
  await page.keyboard.press("ArrowDown");
  reply = await asked("ma");
  await reply(["best-ma", "one-ma", "two-ma"], true);
  await hasStatus(page, "3 files fit");
  assert.equal(await active(page), "two-ma", "what was marked stays marked");
  await page.keyboard.press("Enter");
  assert.equal(await own(page).inputValue(), "two-ma");
  await done();
});

for (const [width, height] of SIZES) test(`the open list passes axe in ${schemes(width).join(" and ")}, fits, and is in sight at ${width} px`, async () => {
  const { page, done } = await card(project(...Array.from({ length: 9 }, (_, n) => `${"deep/".repeat(n)}a file of some length ${n}.txt`)), text, { viewport: { width, height } });
  for (const dialog of [false, true]) {
    if (dialog) {
      const menu = page.locator(".menu summary");
      if (await menu.isVisible()) await menu.click();
      await page.locator(".card button:visible", { hasText: "Ask back" }).first().click();
    }
    const field = dialog ? page.locator("#dialog-words") : own(page);
    await field.focus();
    await page.keyboard.type("@some");
    await hasStatus(page, "9 files fit");
    for (const colorScheme of schemes(width)) {
      await page.emulateMedia({ colorScheme });
      assert.deepEqual(await violations(page), [], colorScheme);
    }
    assert.equal(await tooWide(page), 0);
    for (const option of await list(page).getByRole("option").all()) {
      assert.ok(await option.evaluate((node) => {
        const { x, y, width, height } = node.getBoundingClientRect();
        return node.contains(document.elementFromPoint(x + width / 2, y + height / 2));
      }), "all of it is in sight");
    }
    await page.keyboard.press("Escape");
    await gone(page);
    await field.fill("");
  }
  await done();
});

test("a paired phone is offered no files, and requests none", async () => {
  const { agent, page, done } = await card(project("src/main.rs"));
  const { invitation } = JSON.parse(await hub.run("pair", "--json", "--address", LAN.address, "--for", "1h"));
  const phone = await open(invitation.url.replace(LAN.address, LAN.name), { allowed: /\b(401|403)\b|ERR_|Cross-Origin-Opener-Policy/, viewport: { width: 390, height: 844 } });
  await page.locator(".pairing-request").getByRole("button", { name: "Allow", exact: true }).click();
  await phone.page.locator(".connection.live").waitFor();
  const asked = [];
  phone.page.on("request", (request) => /paths/.test(request.url()) && asked.push(request.url()));
  await phone.page.goto(`${new URL(phone.page.url()).origin}/a/${agent.id}`);
  await own(phone.page).focus();
  await phone.page.keyboard.type("@main ");
  await phone.page.keyboard.press("Control+Enter");
  assert.deepEqual((await agent.result()).answers[0].values.map((value) => value.trim()), ["@main"]);
  assert.deepEqual(asked, []);
  assert.equal(await phone.page.locator(".paths").count(), 0);
  await phone.done();
  await done();
});
