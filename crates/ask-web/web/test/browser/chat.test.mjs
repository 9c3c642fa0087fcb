// The card of chat clients, in a sandboxed frame of a test host that passes its messages to the real program over MCP. No
// real chat client is tested here.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { readFileSync } from "node:fs";
import { after, test } from "node:test";
import axe from "axe-core";
import { schemes } from "./axe.mjs";
import { Terminal, open, ownHub } from "./support.mjs";

const APPS = { extensions: { "io.modelcontextprotocol/ui": { mimeTypes: ["text/html;profile=mcp-app"] } } };
/** The content security policy of a host for a card that requests no exceptions. */
const POLICY = "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; media-src 'self' data:; connect-src 'none'";
const TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

const hub = await ownHub({ settings: '[clients.beside]\nnames = ["beside"]\napps = "beside"\n[clients.after]\nnames = ["after"]\napps = "after"\n' });
const host = readFileSync(new URL("host.html", import.meta.url));
const server = createServer((_, response) => response.writeHead(200, { "Content-Type": "text/html", "Content-Security-Policy": POLICY }).end(host));
await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
const place = `http://127.0.0.1:${server.address().port}/`;
after(() => server.close());

const text = (question) => ({ questions: [{ question, type: "text" }] });
const confirm = (question) => ({ questions: [{ question, type: "confirm" }] });
const database = {
  title: "Database and service name",
  context: "Orders are **written once**. See [the record](https://docs.example.com/12).",
  questions: [
    { header: "Database", question: "Which *database*?", type: "select", options: [{ label: "PostgreSQL (Recommended)", description: "Relational", preview: "```sql\nCREATE TABLE orders ();\n```" }, { label: "SQLite" }] },
    { header: "Name", question: "What is the service called?", type: "text" },
    { header: "Features", question: "Which features?", type: "multi-select", required: false, options: [{ label: "Refunds" }, { label: "Invoices" }] },
  ],
};

/** A client that calls the tool and shows its card. */
async function chat(call, { client = "beside", context = {}, width = 700, input = true, prepare, ...options } = {}) {
  const agent = await hub.agent(client, { capabilities: APPS });
  const { tools } = (await agent.call("tools/list", {})).result;
  const uri = tools[0]._meta.ui.resourceUri;
  const [{ text: html }] = (await agent.call("resources/read", { uri })).result.contents;
  agent.reply = agent.call("tools/call", { name: "ask_user", arguments: call });
  const number = agent.next - 1;
  agent.id = await hub.waiting(agent);
  const opened = await open(undefined, { viewport: { width, height: 900 }, ...options });
  const { page } = opened;
  await page.exposeFunction("carry", async (method, params) => (await agent.call(method, params)).result);
  const foreign = [];
  page.on("request", (asked) => !asked.url().startsWith(place) && !/^(data|about):/.test(asked.url()) && foreign.push(asked.url()));
  await page.goto(place);
  await page.evaluate((context) => Object.assign(host, { context }), { toolInfo: { id: number, tool: tools[0] }, ...context });
  await prepare?.(page);
  await page.evaluate(([html, tools]) => host.show(html, tools), [html, tools]);
  const card = page.frameLocator("iframe");
  const notifyCard = (method, params) => page.evaluate(([method, params]) => host.notify(method, params), [method, params]);
  await page.waitForFunction(() => log.notices.some(({ method }) => method === "ui/notifications/initialized"));
  if (input) await notifyCard("ui/notifications/tool-input", { arguments: call });
  const done = async () => {
    assert.deepEqual(foreign, [], "nothing is loaded from anywhere");
    await opened.done();
    agent.end();
  };
  return { ...opened, agent, number, card, notifyCard, done, primary: card.locator(".bar .primary"), log: () => page.evaluate(() => log) };
}

test("a question is answered in the card, and the waiting call gets the answer", async () => {
  const { card, agent, primary, done, log, page } = await chat(database);
  await card.getByRole("radio", { name: /SQLite/ }).check();
  await card.getByRole("button", { name: /Add a note/ }).click();
  await card.getByLabel("Note to this answer").fill("for now");
  await primary.click();
  await card.getByLabel("Your answer").fill("orders-api");
  await primary.click();
  await card.getByRole("checkbox", { name: /Refunds/ }).check();
  await primary.click();
  await card.getByRole("heading", { name: "Review your answers" }).waitFor();
  // A second click in the same place so soon would count as a double click.
  await primary.press("Enter");
  await card.getByRole("heading", { name: "Sent to beside" }).waitFor();
  const given = await agent.result();
  assert.deepEqual(given.answers.map((answer) => answer.values), [["SQLite"], ["orders-api"], ["Refunds"]]);
  assert.equal(given.answers[0].note, "for now");
  await card.getByText("The agent has it.").waitFor();
  assert.equal((await hub.show(agent.id)).answeredBy, "app");
  const { messages, calls, notices, refused } = await log();
  assert.deepEqual([messages, refused], [[], []], "a call that waits needs no message");
  assert.ok(calls.includes("ask_ui_draft") && calls.includes("ask_ui_submit"));
  const sizes = notices.filter(({ method }) => method === "ui/notifications/size-changed");
  assert.ok(sizes.length > 1 && sizes.every(({ params }) => params.height > 40 && params.width <= 700));
  const [reported, actual] = await page.evaluate(() => [log.notices.findLast(({ method }) => method === "ui/notifications/size-changed").params.height, document.querySelector("iframe").clientHeight]);
  assert.equal(actual, reported);
  await done();
});

test("what was answered shortly before is offered in the card, and a button fills it in", async () => {
  const call = text("Which branch?");
  const first = await chat(call);
  await first.card.getByLabel("Your answer").fill("main");
  await first.primary.click();
  await first.card.getByRole("heading", { name: "Sent to beside" }).waitFor();
  await first.agent.result();
  await first.done();
  const { card, agent, primary, done } = await chat(call);
  const offer = card.locator(".notice", { hasText: /You answered this .*: main/ });
  await offer.waitFor();
  assert.equal(await card.getByLabel("Your answer").inputValue(), "");
  await card.getByRole("button", { name: "Fill in that answer" }).click();
  await offer.waitFor({ state: "detached" });
  assert.equal(await card.getByLabel("Your answer").inputValue(), "main");
  await primary.press("Enter");
  await card.getByRole("heading", { name: "Sent to beside" }).waitFor();
  assert.deepEqual((await agent.result()).answers[0].values, ["main"]);
  await done();
});

test("a file dropped onto the card neither replaces the card nor is attached", async () => {
  const { card, agent, primary, done } = await chat(text("Which file?"));
  await card.getByLabel("Your answer").fill("none of them");
  const left = await card.locator("textarea").evaluate((place) => {
    const carried = new DataTransfer();
    carried.items.add(new File(["x"], "x.txt", { type: "text/plain" }));
    return ["dragover", "drop"].map((kind) => place.dispatchEvent(new DragEvent(kind, { dataTransfer: carried, bubbles: true, cancelable: true })));
  });
  assert.deepEqual(left, [false, false], "the browser would open what was dropped");
  await primary.click();
  await card.getByRole("heading", { name: "Sent to beside" }).waitFor();
  assert.equal(await card.getByText("x.txt").count(), 0);
  const [answer] = (await agent.result()).answers;
  assert.deepEqual([answer.values, answer.attachments ?? []], [["none of them"], []]);
  await done();
});

test("a client that never sends the call's arguments shows the newest ask", async () => {
  const { card, agent, primary, done } = await chat(confirm("Ship it?"), { input: false, context: { toolInfo: undefined } });
  await card.getByRole("radio", { name: "Yes" }).check();
  await primary.click();
  await card.getByRole("heading", { name: "Sent to beside" }).waitFor();
  assert.deepEqual((await agent.result()).answers[0].values, ["yes"]);
  await done();
});

test("text typed in the terminal appears in the card, and a choice in the card appears in the terminal", async () => {
  const { card, agent, page, primary, done } = await chat({ title: "Together", questions: database.questions });
  const terminal = await Terminal.open(hub, "--id", agent.id);
  try {
    await terminal.see("Which");
    await card.getByRole("radio", { name: /SQLite/ }).check();
    await terminal.see("SQLite  ✓ chosen");
    await terminal.press("Tab");
    await terminal.see("What is the service called?");
    await terminal.press("-l", "orders-api");
    await primary.click();
    await card.getByRole("heading", { name: /Question 2 of 3/ }).waitFor();
    const [, frame] = page.frames();
    await frame.waitForFunction(() => document.querySelector("textarea").value === "orders-api");
    await card.getByRole("button", { name: "Review" }).first().click();
    await primary.click();
    await terminal.see("ANSWERED IN THE CHAT");
    assert.deepEqual((await agent.result()).answers.map((answer) => answer.values), [["SQLite"], ["orders-api"], []]);
  } finally {
    await terminal.close();
  }
  await done();
});

test("an ask that was answered elsewhere: the card says so, and shows what was typed in it", async () => {
  const { card, agent, done } = await chat(text("Who is faster?"));
  await card.getByLabel("Your answer").fill("me");
  await hub.run("answer", agent.id, "--set", "somebody else");
  await card.getByRole("heading", { name: /^Answered in command line/ }).waitFor();
  await card.getByRole("heading", { name: "Your draft" }).waitFor();
  await card.getByText("Nothing you typed here was sent.").waitFor();
  assert.deepEqual((await agent.result()).answers[0].values, ["somebody else"]);
  await done();
});

test("a person declines, and asks back", async () => {
  for (const [way, label, words, send, says] of [
    ["Decline", /^Why\?/, "not today", "Decline", "You declined"],
    ["Ask back", "What do you want to know?", "Which one?", "Send my question", "You asked beside back"],
  ]) {
    const { card, agent, done } = await chat(confirm("Delete it?"));
    await card.locator(".menu summary").click();
    await card.locator(".menu").getByRole("button", { name: way }).click();
    await card.getByLabel(label).fill(words);
    await card.getByRole("dialog").getByRole("button", { name: send, exact: true }).click();
    await card.getByRole("heading", { name: says }).waitFor();
    assert.ok(JSON.stringify(await agent.result()).includes(words), way);
    await done();
  }
});

test("a card that is removed saves what was typed last", async () => {
  const { card, agent, page, done } = await chat(text("What now?"));
  await card.getByLabel("Your answer").fill("half a th");
  await page.evaluate(() => host.request("ui/resource-teardown", { reason: "the chat was closed" }));
  const { draft } = await hub.show(agent.id);
  assert.deepEqual([draft.answers[0].own, draft.savedBy], ["half a th", "app"]);
  await done();
});

test("a cancelled call leaves its question, and the answer is kept", async () => {
  const { card, agent, number, primary, notifyCard, done } = await chat(text("Still there?"));
  await card.getByLabel("Your answer").fill("yes");
  agent.write({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: number } });
  await notifyCard("ui/notifications/tool-cancelled", { reason: "user action" });
  await card.getByText("The agent's call was stopped.").waitFor();
  await card.getByRole("button", { name: "Keep as late answer" }).click();
  await card.getByText("It is kept until the agent fetches it.").waitFor();
  assert.deepEqual((await hub.show(agent.id)).outcome.answers[0].values, ["yes"]);
  await done();
});

test("the hub is killed between draft and answer, and nothing is lost", async () => {
  const { card, agent, primary, done } = await chat(text("Does it last?"));
  await card.getByLabel("Your answer").fill("it does");
  await card.locator(".saved", { hasText: "draft saved" }).waitFor({ state: "attached" });
  await hub.kill();
  await primary.click();
  await card.getByRole("heading", { name: "Sent to beside" }).waitFor();
  assert.deepEqual((await agent.result()).answers[0].values, ["it does"]);
  await done();
});

test("the card says if the client handles no requests while its agent waits, and keeps the draft", async () => {
  const { card, agent, page, primary, done } = await chat(text("Anybody?"));
  await card.getByLabel("Your answer").fill("me");
  await page.evaluate(() => Object.assign(host, { isSilent: true }));
  await card.getByText(/This client passes nothing on/).waitFor();
  assert.equal(await card.getByLabel("Your answer").inputValue(), "me");
  assert.equal(await primary.isVisible(), true);
  await hub.run("decline", agent.id);
  await done();
});

test("an answer after the call has returned is sent as the person's message", async () => {
  const { card, agent, primary, done, log } = await chat(confirm("Deploy?"), { client: "after" });
  const { result } = await agent.reply;
  assert.match(result.content.map(({ text }) => text).join(), /next message/);
  await card.getByRole("radio", { name: "Yes" }).check();
  await primary.click();
  await card.getByText("The agent has it as your message.").waitFor();
  const [{ role, content }] = (await log()).messages;
  assert.equal(role, "user");
  assert.match(content[0].text, /Deploy\?.*"values":\["yes"\]/s);
  assert.equal((await log()).messages.length, 1);
  await card.getByText("The agent has it.", { exact: true }).waitFor();
  assert.equal((await hub.show(agent.id)).delivered, true);
  await done();
});

test("the card says if the client refuses a message, and can try again", async () => {
  const prepare = (page) => page.evaluate(() => Object.assign(host, { refuses: true }));
  const { card, agent, primary, page, done } = await chat(confirm("Deploy now?"), { client: "after", prepare });
  await card.getByRole("radio", { name: "No" }).check();
  await primary.click();
  await card.getByText(/this client didn't pass it on/).waitFor();
  assert.notEqual((await hub.show(agent.id)).delivered, true);
  await page.evaluate(() => Object.assign(host, { refuses: false }));
  await card.getByRole("button", { name: "now", exact: true }).click();
  await card.getByText("The agent has it as your message.").waitFor();
  await done();
});

test("the client opens links and the page outside of the card", async () => {
  const { card, agent, page, done, log } = await chat({ ...database, title: "Links" });
  await card.getByRole("link", { name: "the record" }).click();
  await card.getByRole("button", { name: "Open in the browser" }).click();
  await page.waitForFunction(() => log.links.length === 2);
  assert.deepEqual((await log()).links, ["https://docs.example.com/12", `${hub.base}/a/${agent.id}`]);
  await done();
});

const HOSTILE = [
  "<script>window.ran = 1</script>", "<img src=x onerror='window.ran = 1'>", "\"><svg onload=window.ran=1>", "[x](javascript:window.ran=1)",
  "![i](http://evil.example/p.png)", "`</code></script><script>window.ran=1</script>`", "<iframe srcdoc='<script>parent.ran=1</script>'>", "\u202egnp.exe", "<style>*{display:none}</style>",
];

test("nothing in an agent's text runs, loads or calls a tool", async () => {
  const all = HOSTILE.join("\n\n");
  const { card, page, primary, done, log } = await chat({
    title: HOSTILE[0], context: all,
    questions: [{ header: HOSTILE[1], question: all, type: "select", options: HOSTILE.map((label) => ({ label: `${label} `, description: label, preview: all })) }, { question: HOSTILE[2], type: "text", placeholder: HOSTILE[1], default: HOSTILE[0] }],
  });
  await card.locator(".question").waitFor();
  await card.getByRole("radio").first().check();
  await primary.click();
  await primary.click();
  await card.locator(".review").waitFor();
  await primary.press("Enter");
  await card.locator(".resolved").waitFor();
  for (const frame of page.frames()) assert.equal(await frame.evaluate(() => window.ran), undefined);
  assert.deepEqual((await log()).refused, []);
  await done();
});

/** The violations that axe finds in the frame. */
async function violations(page) {
  const [, frame] = page.frames();
  await frame.evaluate(axe.source);
  const { violations } = await frame.evaluate((tags) => axe.run(document, { runOnly: { type: "tag", values: tags } }), TAGS);
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html.slice(0, 160)).join(" | ")}`);
}

const STATES = {
  "a question": async () => {},
  "own words": async (card) => {
    await card.locator("[data-choice='0']").click();
    await card.locator("textarea").first().fill("something else");
  },
  "a mistake and the review": async (card) => {
    await card.locator(".steps button", { hasText: "Review" }).click();
    await card.getByRole("heading", { name: "Review your answers" }).waitFor();
  },
  "declining": async (card) => {
    await card.locator(".menu summary").click();
    await card.locator(".menu").getByRole("button", { name: "Decline" }).click();
    await card.getByRole("dialog").waitFor();
  },
};

for (const width of [700, 320]) {
  test(`every state at ${width} px, ${schemes(width).join(" and ")}, passes axe and doesn't scroll sideways`, async (t) => {
    const { card, page, agent, notifyCard, done } = await chat({ ...database, title: `At ${width} px` }, { width });
    await card.locator(".question").waitFor();
    for (const [name, go] of Object.entries(STATES)) {
      await t.test(name, async () => {
        await go(card);
        for (const theme of schemes(width)) {
          await notifyCard("ui/notifications/host-context-changed", { theme });
          await card.locator(`html[data-theme=${theme}]`).waitFor();
          assert.deepEqual(await violations(page, theme), [], theme);
        }
        const [, frame] = page.frames();
        assert.ok(await frame.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "no scrolling sideways");
      });
    }
    await card.getByRole("button", { name: "Keep answering" }).click();
    await hub.run("decline", agent.id);
    await card.locator(".resolved").waitFor();
    assert.deepEqual(await violations(page), []);
    await done();
  });
}

test("the card applies the client's theme, size and safe area", async () => {
  const variables = { "--color-background-primary": "rgb(20, 30, 40)", "--color-text-primary": "rgb(240, 240, 240)", "--font-sans": "Georgia, serif" };
  const context = { theme: "dark", styles: { variables }, containerDimensions: { maxHeight: 400 }, safeAreaInsets: { top: 8, right: 4, bottom: 12, left: 4 } };
  const { card, page, notifyCard, done } = await chat({ ...database, title: "Looks" }, { context });
  await card.locator(".question").waitFor();
  const [, frame] = page.frames();
  const looks = () => frame.evaluate(() => {
    const { backgroundColor, color, fontFamily, maxHeight, padding, overflowY } = getComputedStyle(document.documentElement);
    return { backgroundColor, color, fontFamily, maxHeight, padding, overflowY };
  });
  assert.deepEqual(await looks(), { backgroundColor: "rgb(20, 30, 40)", color: "rgb(240, 240, 240)", fontFamily: "Georgia, serif", maxHeight: "400px", padding: "8px 4px 12px", overflowY: "auto" });
  assert.deepEqual(await violations(page), []);
  await notifyCard("ui/notifications/host-context-changed", { containerDimensions: {} });
  await frame.waitForFunction(() => getComputedStyle(document.documentElement).maxHeight === "none");
  await done();
});

test("keys fill in and send as in any form, and there are no shortcuts", async () => {
  const { card, page, agent, done } = await chat({ questions: [{ question: "A or B?", type: "select", options: ["A", "B"] }] });
  await card.locator("#card-title").focus();
  for (const key of ["1", "c", "n", "Escape", "Enter"]) await page.keyboard.press(key);
  assert.equal(await card.getByRole("dialog").count(), 0);
  await card.getByRole("radio", { name: "A", exact: true }).focus();
  await page.keyboard.press("ArrowDown");
  await card.getByRole("radio", { name: "B", exact: true }).and(card.locator(":checked")).waitFor();
  await page.keyboard.press("Enter");
  assert.equal((await hub.show(agent.id)).state, "waiting");
  await page.keyboard.press("Control+Enter");
  await card.getByRole("heading", { name: "Sent to beside" }).waitFor();
  assert.deepEqual((await agent.result()).answers[0].values, ["B"]);
  await done();
});
