// Text composed with an input method, in each field of the page, while a draft comes from elsewhere. The input method's
// keys send nothing, close nothing and choose nothing, and the composed text is inserted once.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { open, ownHub } from "./support.mjs";

const hub = await ownHub();

const FIELDS = {
  "a text question": ["Text", "#q0-own", () => undefined],
  "own words": ["Choice", "#q1-own", (page) => page.keyboard.press("0")],
  "a note": ["Choice", "#q1-note", (page) => page.keyboard.press("n")],
  "the filter of choices": ["Many", "fieldset [type=search]", () => undefined],
  "a note for all": ["Review", "#note-for-all", () => undefined],
  "asking back": ["Choice", "#dialog-words", (page) => page.keyboard.press("c")],
  "declining": ["Choice", "#dialog-words", (page) => page.getByRole("button", { name: "Decline", exact: true }).click()],
  "the filter of the list": ["Choice", "#filter", (page) => page.keyboard.press("/")],
  "the search of the history": ["/history", "#history-search", () => undefined],
};
const questions = [
  { header: "Text", question: "What is it called?", type: "text" },
  { header: "Choice", question: "Which one?", type: "select", options: [{ label: "First" }, { label: "Second" }] },
  { header: "Many", question: "Which of these?", type: "multi-select", options: Array.from({ length: 14 }, (_, n) => ({ label: `Part ${n + 1}` })) },
];

/** Saves a draft as another surface would, on top of the saved one. */
async function saveElsewhere(id, note) {
  const token = readFileSync(join(hub.home, "answer-token"), "utf8").trim();
  const url = `${hub.base}/v1/asks/${id}`;
  const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json" };
  for (;;) {
    const { draft: { revision = 0 } = {} } = await (await fetch(url, { headers })).json();
    const draft = { answers: [{ own: note }, { own: note }, { picks: [3] }], note };
    const { status } = await fetch(`${url}/draft`, { method: "PUT", headers, body: JSON.stringify({ draft, builtOn: revision }) });
    if (status === 200) return;
    assert.equal(status, 409);
  }
}

test("every field leaves an input method its keys, and a draft from elsewhere doesn't disturb it", async (t) => {
  const agent = await hub.ask({ title: "Composed", questions });
  // The list has a filter only if it has several asks.
  for (const n of [1, 2, 3]) await hub.askDetached(`Beside it, ${n}?`);
  const { page, context, done } = await open(await hub.link());
  await page.locator(".connection.live").waitFor();
  const method = await context.newCDPSession(page);
  const asked = [];
  page.on("request", (request) => request.method() === "POST" && !/\/(shown|presence)$/.test(request.url()) && asked.push(request.url()));
  /** A key that goes to the input method first, with the events that browsers send for it. */
  const press = async (key, more = {}) => {
    await method.send("Input.dispatchKeyEvent", { type: "rawKeyDown", key, code: key, windowsVirtualKeyCode: 229, ...more });
    await method.send("Input.dispatchKeyEvent", { type: "keyUp", key, code: key, windowsVirtualKeyCode: 229, ...more });
  };
  const compose = (text) => method.send("Input.imeSetComposition", { text, selectionStart: text.length, selectionEnd: text.length });
  for (const [name, [place, selector, begin]] of Object.entries(FIELDS)) {
    await t.test(name, async () => {
      await page.goto(hub.base + (place.startsWith("/") ? place : `/a/${agent.id}`));
      await page.locator(".connection.live").waitFor();
      if (!place.startsWith("/")) await page.locator(".steps button", { hasText: place }).click();
      await begin(page);
      const field = page.locator(selector);
      await field.waitFor();
      await field.fill("");
      await field.focus();
      await page.keyboard.type("[]");
      await page.keyboard.press("ArrowLeft");
      await field.evaluate((node) => {
        window.composed = [];
        for (const type of ["compositionstart", "compositionend"]) node.addEventListener(type, () => window.composed.push(type));
      });
      const stands = () => page.evaluate(() => [location.pathname, document.querySelectorAll("dialog[open]").length, document.querySelector(".question h2, .review h2, main h1")?.textContent].join(" "));
      const before = await stands();
      await compose("に");
      // Another surface saves a draft, and a card that shows that question offers it.
      await saveElsewhere(agent.id, `from elsewhere, ${name}`);
      if (place === "Review") await page.locator(".review", { hasText: "from elsewhere, a note for all" }).waitFor();
      if (selector.endsWith("-own")) await page.getByText(/^Changed in/).first().waitFor();
      await compose("にほん");
      for (const key of ["Enter", "1", "n", "c", "/", "?", "ArrowRight"]) await press(key);
      // Browsers clear a search field themselves on Esc, even during composition.
      if (!/search|filter/.test(name)) await press("Escape");
      await press("Enter", { modifiers: 2 });
      assert.equal(await field.inputValue(), "[にほん]");
      await method.send("Input.insertText", { text: "日本" });
      // Some browsers send the key that ended the composition only afterwards.
      await press("Enter");
      assert.equal(await field.inputValue(), "[日本]");
      assert.deepEqual(await page.evaluate(() => window.composed), ["compositionstart", "compositionend"]);
      assert.ok(await field.evaluate((node) => document.activeElement === node && node.selectionStart === 3));
      assert.equal(await stands(), before);
      assert.deepEqual(asked, []);
      assert.equal((await hub.show(agent.id)).state, "waiting");
    });
  }
  agent.end();
  await done();
});
