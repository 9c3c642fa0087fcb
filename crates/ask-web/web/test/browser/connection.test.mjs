// The connection to the real hub: cut, hub killed, offline, and shared by several tabs. Also which requests are refused.
import assert from "node:assert/strict";
import { request } from "node:http";
import { test } from "node:test";
import { open, ownHub } from "./support.mjs";

const hub = await ownHub();

const text = (question) => ({ questions: [{ question, type: "text" }] });
const live = (page) => page.locator(".connection.live").waitFor();

test("a new question appears by itself, in the list, the title and the live region", async () => {
  const { page, done } = await open(await hub.link());
  await live(page);
  const agent = await hub.ask({ title: "Fresh", ...text("What now?") }, "opencode");
  await page.getByRole("link", { name: /Fresh/ }).waitFor();
  await page.waitForFunction(() => document.title === "(1) ask");
  await page.locator("[aria-live=polite]", { hasText: "opencode asks: Fresh" }).waitFor();
  assert.match(await page.locator("link[rel=icon]").getAttribute("href"), /^data:image\/svg/);
  agent.end();
  await done();
});

test("the hub is killed under an open page: typed text is kept, and sent to the next hub", async () => {
  const agent = await hub.ask(text("Does it survive?"));
  const { page, done } = await open(await hub.link());
  await page.goto(`${hub.base}/a/${agent.id}`);
  await page.getByLabel("Your answer").fill("before");
  await page.getByText(/^draft saved/).waitFor();
  // The page itself records it, because the next hub may already be there when the test looks.
  await page.evaluate(() => new MutationObserver(() => (window.lost ||= Boolean(document.querySelector(".connection.pausing, .connection.connecting")))).observe(document.body, { subtree: true, childList: true, attributes: true }));
  await hub.kill();
  await page.waitForFunction(() => window.lost);
  await page.getByLabel("Your answer").fill("before and after");
  // The agent's process starts the next hub, and so does this command.
  await hub.run("list");
  await live(page);
  await page.locator(".bar .primary").click();
  await page.getByRole("heading", { name: /^Sent/ }).waitFor();
  assert.deepEqual((await hub.show(agent.id)).outcome.answers[0].values, ["before and after"]);
  await done();
});

test("offline, an answer is queued in sight, and sent once when the connection is back", async () => {
  const agent = await hub.ask(text("Is anybody there?"));
  const { page, context, done } = await open(await hub.link());
  await page.goto(`${hub.base}/a/${agent.id}`);
  await live(page);
  await page.getByLabel("Your answer").fill("yes");
  await page.getByText(/^draft saved/).waitFor();
  await context.setOffline(true);
  await page.getByLabel("Your answer").fill("yes, offline");
  await page.getByText("draft kept in this browser").waitFor();
  await page.locator(".bar .primary").click();
  await page.getByText(/^Your answer waits for the connection/).waitFor();
  assert.equal((await hub.show(agent.id)).state, "waiting");
  await context.setOffline(false);
  await page.getByRole("heading", { name: /^Sent/ }).waitFor();
  const { outcome } = await hub.show(agent.id);
  assert.deepEqual(outcome.answers[0].values, ["yes, offline"]);
  await done();
});

test("offline, asking back and declining fail in their dialogs, which keep the text", async () => {
  const agent = await hub.ask(text("May I go on?"));
  const { page, context, done } = await open(await hub.link());
  await page.goto(`${hub.base}/a/${agent.id}`);
  await live(page);
  await page.getByLabel("Your answer").waitFor();
  for (const [button, typed] of [["Ask back", "Which one?"], ["Decline", "not today"]]) {
    await context.setOffline(true);
    await page.getByRole("button", { name: button, exact: true }).first().click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("textbox").fill(typed);
    await dialog.locator(".primary").click();
    await dialog.getByRole("alert").filter({ hasText: "That didn't work: no connection. It isn't sent later by itself" }).waitFor();
    assert.equal(await dialog.getByRole("textbox").inputValue(), typed);
    await context.setOffline(false);
    await live(page);
    assert.equal((await hub.show(agent.id)).state, "waiting");
    if (button === "Ask back") await dialog.getByRole("button", { name: "Close" }).click();
    else await dialog.locator(".primary").click();
  }
  await page.getByRole("heading", { name: "You declined" }).waitFor();
  const { outcome } = await hub.show(agent.id);
  assert.equal(outcome.reason, "not today");
  await done();
});

test("an ask is answered elsewhere while the page is offline: nothing is sent, and the draft is shown", async () => {
  const agent = await hub.ask(text("Who is faster?"));
  const { page, context, done } = await open(await hub.link());
  await page.goto(`${hub.base}/a/${agent.id}`);
  await live(page);
  await page.getByLabel("Your answer").fill("me");
  await page.getByText(/^draft saved/).waitFor();
  await context.setOffline(true);
  await page.locator(".bar .primary").click();
  await page.getByText(/^Your answer waits for the connection/).waitFor();
  await hub.run("answer", agent.id, "--set", "somebody else");
  await context.setOffline(false);
  await page.getByRole("heading", { name: /^Answered in command line/ }).waitFor();
  await page.getByRole("heading", { name: "Your draft" }).waitFor();
  assert.deepEqual((await agent.result()).answers[0].values, ["somebody else"]);
  await done();
});

test("one tab holds the stream, and the next takes over when it closes", async () => {
  const first = await open(await hub.link());
  await live(first.page);
  let streams = 0;
  first.context.on("request", (asked) => (streams += asked.url().endsWith("/v1/events") ? 1 : 0));
  const second = await open(`${hub.base}/`, { context: first.context });
  await live(second.page);
  assert.equal(streams, 0);
  const agent = await hub.ask({ title: "Both see it", ...text("Do they?") });
  for (const { page } of [first, second]) await page.getByRole("link", { name: /Both see it/ }).waitFor();
  const taken = second.page.waitForRequest((asked) => asked.url().includes("/v1/events"));
  await first.page.close();
  await taken;
  await live(second.page);
  await hub.run("decline", agent.id);
  await second.page.getByRole("link", { name: /Both see it/ }).waitFor({ state: "detached" });
  agent.end();
  assert.deepEqual([...first.wrong, ...second.wrong], []);
  await first.context.close();
});

test("a visible tab takes over from a suspended leader, which follows once it wakes", async () => {
  const first = await open(await hub.link());
  await live(first.page);
  const second = await open(`${hub.base}/`, { context: first.context });
  await live(second.page);
  const asleep = await first.context.newCDPSession(first.page);
  // A page whose scripts are paused keeps its lock, as a suspended one on a phone does.
  await asleep.send("Debugger.enable");
  const paused = new Promise((done) => asleep.once("Debugger.paused", done));
  await asleep.send("Debugger.pause");
  const taken = second.page.waitForRequest((asked) => asked.url().endsWith("/v1/events"));
  await second.page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
  await Promise.all([taken, paused]);
  const agent = await hub.ask({ title: "Awake?", ...text("Is anybody?") });
  await second.page.getByRole("link", { name: /Awake\?/ }).waitFor();
  await asleep.send("Debugger.disable");
  await first.page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
  await first.page.getByRole("link", { name: /Awake\?/ }).waitFor();
  await live(first.page);
  agent.end();
  await second.done();
  await first.done();
});

/** Sends a request with exactly these headers. */
function rawRequest(method, path, headers = {}, body) {
  return new Promise((done, failed) => {
    const asked = request({ host: "127.0.0.1", port: hub.port, method, path, headers: { ...headers, ...(body ? { "Content-Type": "application/json", "Content-Length": Buffer.byteLength(body) } : {}) } }, (response) => {
      response.resume();
      response.on("end", () => done(response));
    });
    asked.on("error", failed);
    asked.end(body);
  });
}

test("requests without a session, from another origin, or without the page's header are refused", async () => {
  const id = await hub.askDetached("Is it safe?");
  for (const path of ["/v1/asks", `/v1/asks/${id}`, "/v1/events", "/v1/history/stats", "/v1/history/export?format=json", "/v1/status", "/metrics", "/openapi.json"]) {
    assert.equal((await rawRequest("GET", path)).statusCode, 401, path);
  }
  assert.equal((await rawRequest("GET", "/healthz")).statusCode, 200);
  const { context, page, done } = await open(await hub.link());
  await page.locator(".list").waitFor();
  const [{ name, value }] = await context.cookies();
  const cookie = { Cookie: `${name}=${value}` };
  const answer = JSON.stringify({ draft: { answers: [{ picks: [0] }] } });
  const path = `/v1/asks/${id}/answer`;
  const ours = { ...cookie, "X-Ask-User": "page" };
  assert.equal((await rawRequest("GET", "/v1/asks", cookie)).statusCode, 401, "the cookie alone");
  assert.equal((await rawRequest("POST", path, ours, answer)).statusCode, 401, "the cookie alone");
  assert.equal((await rawRequest("POST", path, { ...ours, Origin: "http://evil.example" }, answer)).statusCode, 403, "another origin");
  // A proof is valid only once, and only for its own request.
  const [seen] = await Promise.all([page.waitForRequest(/v1\/session$/), page.goto(`${hub.base}/settings`)]);
  await (await seen.response()).finished();
  const { dpop } = await seen.allHeaders();
  for (const [method, path] of [["GET", "/v1/session"], ["GET", "/v1/asks"]]) {
    assert.equal((await rawRequest(method, path, { ...ours, DPoP: dpop })).statusCode, 401, "a proof that was used");
  }
  assert.equal((await rawRequest("GET", "/v1/asks", { ...cookie, Host: "evil.example" })).statusCode, 421, "another host");
  assert.equal((await rawRequest("POST", path, { "X-Ask-User": "page", Cookie: `${name}=0${value.slice(1)}x` }, answer)).statusCode, 401, "another cookie");
  assert.equal((await hub.show(id)).state, "waiting");
  const page1 = await rawRequest("GET", "/");
  const policy = page1.headers["content-security-policy"];
  for (const part of ["default-src 'none'", "script-src 'self'", "frame-ancestors 'none'", "require-trusted-types-for 'script'"]) assert.ok(policy.includes(part), part);
  await done();
});

const HOSTILE = [
  "<script>window.ran = 1</script>", "<img src=x onerror='window.ran = 1'>", "\"><svg onload=window.ran=1>", "[x](javascript:window.ran=1)",
  "![i](http://evil.example/p.png)", "<a href='javascript:window.ran=1'>x</a>", "`</code><script>window.ran=1</script>`", "<iframe srcdoc='<script>parent.ran=1</script>'>",
  "{{constructor.constructor('window.ran=1')()}}", "\u202egnp.exe", "<style>*{display:none}</style>", "[a](data:text/html,<script>window.ran=1</script>)",
];

test("nothing in an agent's text runs, loads or imitates the page", async () => {
  const all = HOSTILE.join("\n\n");
  const agent = await hub.ask({
    title: HOSTILE[0], context: all,
    questions: [
      { header: HOSTILE[1], question: all, type: "select", options: HOSTILE.map((label) => ({ label: `${label} `, description: label, preview: all })) },
      { header: HOSTILE[2], question: HOSTILE[2], type: "text", placeholder: HOSTILE[1], default: HOSTILE[0] },
    ],
  }, HOSTILE[1]);
  const { page, done } = await open(await hub.link());
  const foreign = [];
  page.on("request", (asked) => !asked.url().startsWith(hub.base) && !asked.url().startsWith("data:") && foreign.push(asked.url()));
  await page.goto(`${hub.base}/a/${agent.id}`);
  await page.locator(".question").waitFor();
  await page.keyboard.press("1");
  await page.getByRole("button", { name: "Full size" }).click();
  await page.getByRole("dialog").waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Next", exact: true }).click();
  await page.getByRole("button", { name: "Review", exact: true }).first().click();
  await page.getByRole("heading", { name: "Review your answers" }).waitFor();
  await page.locator(".bar .primary").click();
  await page.locator(".resolved").waitFor();
  await page.goto(`${hub.base}/history/${agent.id}`);
  await page.locator(".timeline").waitFor();
  assert.equal(await page.evaluate(() => window.ran), undefined);
  assert.deepEqual(foreign, []);
  for (const href of await page.locator("a").evaluateAll((links) => links.map((link) => link.protocol))) assert.match(href, /^https?:$/);
  await done();
});
