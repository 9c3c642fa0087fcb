// Edge cases of everyday use: typing without focus, opening a link twice, coming back late, odd addresses.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Hub, open, ownHub } from "./support.mjs";

const hub = await ownHub({ now: "2026-03-01T10:00:00Z" });

const choice = { header: "Database", question: "Which database?", type: "select", options: [{ label: "PostgreSQL" }, { label: "SQLite" }] };
const named = { header: "Name", question: "What is it called?", type: "text" };
const at = (page, id) => page.goto(`${hub.base}/a/${id}`);

test("letters go into the field of a question that wants text, whatever has the focus", async () => {
  const agent = await hub.ask({ questions: [choice, named] });
  const { page, done } = await open(await hub.link());
  await page.locator(".list").waitFor();
  await at(page, agent.id);
  await page.getByRole("heading", { name: /Question 1 of 2/ }).waitFor();
  await page.keyboard.press("1");
  await page.keyboard.press("Control+Enter");
  await page.getByRole("heading", { name: /Question 2 of 2/ }).waitFor();
  await page.keyboard.type("/no? cool [name] 1");
  assert.equal(await page.getByRole("textbox", { name: "Your answer" }).inputValue(), "/no? cool [name] 1");
  assert.equal(await page.locator("dialog[open]").count(), 0);
  // The list of shortcuts says so.
  await page.getByRole("button", { name: "Keys" }).click();
  await page.getByText("where a question wants text, letters and signs are text").waitFor();
  await page.keyboard.press("Escape");
  await page.keyboard.press("Control+Enter");
  await page.getByRole("heading", { name: "Review your answers" }).waitFor();
  await page.keyboard.press("Control+Enter");
  const { answers } = await agent.result();
  assert.deepEqual(answers.map(({ values }) => values), [["PostgreSQL"], ["/no? cool [name] 1"]]);
  await done();
});

test("a dialog with a text field focuses it", async () => {
  const agent = await hub.ask({ questions: [choice] });
  const { page, done } = await open(await hub.link());
  await page.locator(".list").waitFor();
  await at(page, agent.id);
  await page.getByRole("radio", { name: "SQLite" }).waitFor();
  await page.keyboard.press("c");
  await page.keyboard.type("why? how 1 n c");
  assert.equal(await page.locator("dialog[open] textarea").inputValue(), "why? how 1 n c");
  await done();
});

test("an answer that is delivered before the reply to its send is shown as delivered", async () => {
  const agent = await hub.ask({ questions: [{ ...choice, question: "Which database, then?" }] });
  const { page, done } = await open(await hub.link(), { serviceWorkers: "block" });
  await page.locator(".list").waitFor();
  await at(page, agent.id);
  // The leading tab passes on its events.
  await page.evaluate((id) => {
    window.passed = new BroadcastChannel("ask-user-events");
    window.passed.onmessage = ({ data: { data } }) => data?.askId === id && data.delivered && (window.isDelivered = true);
  }, agent.id);
  await page.route("**/answer", async (route) => {
    const response = await route.fetch();
    // The event came first, and says that the ask is closed and delivered.
    await page.locator(".resolved").waitFor();
    await agent.result();
    await page.waitForFunction(() => window.isDelivered);
    await route.fulfill({ response });
  });
  await page.getByRole("radio", { name: "SQLite" }).check();
  const answered = page.waitForResponse((response) => response.url().endsWith("/answer"));
  await page.keyboard.press("Control+Enter");
  await (await answered).finished();
  await page.getByRole("heading", { name: "Sent to claude-code" }).waitFor();
  await page.locator(".resolved", { hasText: "has it" }).waitFor();
  await done();
});

test("a used link says so to a second browser", async () => {
  const link = await hub.link();
  const first = await open(link);
  await first.page.locator(".list").waitFor();
  const second = await open(link);
  await second.page.getByText("This link was used before").waitFor();
  await first.done();
  await second.done();
});

test("a link that an agent fetched is not called used", async () => {
  const { page, done } = await open(undefined, { allowed: /403|401/ });
  const refusal = JSON.stringify({ type: "urn:ask-user:problem:not-allowed", status: 403 });
  await page.route("**/v1/session", (route) => route.fulfill({ status: 403, contentType: "application/problem+json", body: refusal }));
  await page.goto(await hub.link());
  await page.getByText("An agent fetched this link").waitFor();
  await done();
});

test("a signed-out tab goes on once another tab signs in, and a link pasted into an open page is used", async () => {
  const first = await open(hub.base, { allowed: /401/ });
  await first.page.getByRole("heading", { name: "Open this page from your terminal" }).waitFor();
  const second = await open(hub.base, { allowed: /401/, context: first.context });
  await second.page.getByRole("heading", { name: "Open this page from your terminal" }).waitFor();
  const key = new URL(await hub.link()).hash;
  await second.page.evaluate((key) => void (location.hash = key), key);
  await second.page.locator(".list").waitFor();
  assert.equal(await second.page.evaluate(() => location.hash), "");
  await first.page.locator(".list").waitFor();
  await second.done();
  await first.done();
  await first.context.close();
});

test("a signed-out page says that typed text is kept, and shows it after signing in", async () => {
  const agent = await hub.ask({ questions: [{ question: "Kept meanwhile?", type: "text" }] });
  const { page, context, done } = await open(await hub.link(), { allowed: /401|ERR_/, serviceWorkers: "block" });
  await page.locator(".list").waitFor();
  await page.goto(`${hub.base}/a/${agent.id}`);
  await page.locator(".connection.live").waitFor();
  await page.getByLabel("Your answer").waitFor();
  await context.setOffline(true);
  await page.getByLabel("Your answer").fill("half of it");
  await page.getByText("draft kept in this browser").waitFor();
  await context.clearCookies();
  await context.setOffline(false);
  await page.getByRole("heading", { name: "Open this page from your terminal" }).waitFor();
  await page.getByText("What you typed here is kept in this browser").waitFor();
  await page.goto(await hub.link());
  await page.locator(".list").waitFor();
  await page.goto(`${hub.base}/a/${agent.id}`);
  await page.waitForFunction(() => document.querySelector("textarea")?.value === "half of it");
  agent.end();
  await done();
});

test("the page says that an invalid address leads nowhere, and ignores impossible dates", async () => {
  const agent = await hub.ask({ questions: [{ question: "Over?", type: "confirm" }] });
  await hub.run("answer", agent.id, "--set", "yes");
  const { page, done } = await open(await hub.link(), { allowed: /40[014]/ });
  await page.locator(".list").waitFor();
  await page.goto(`${hub.base}/a/%25zz`);
  await page.evaluate(() => history.replaceState(null, "", "/a/%"));
  await page.reload();
  await page.getByRole("heading", { name: "This question is gone." }).waitFor();
  // An invalid key signs nobody in, and a signed-in browser stays signed in.
  await page.goto(`${hub.base}/settings#k=%zz`);
  await page.getByRole("heading", { name: "Settings" }).waitFor();
  for (const query of ["days=1e12", "from=999999999-1-1", "days=-1e12&until=999999999-1-1"]) {
    await page.goto(`${hub.base}/history?${query}`);
    await page.locator(".history-list").getByText("Over?").waitFor();
  }
  await done();
});

test("the chart of a few hours names them at their bars", async () => {
  const agent = await hub.ask({ questions: [{ question: "Counted?", type: "confirm" }] });
  await hub.run("answer", agent.id, "--set", "yes");
  const { page, done } = await open(await hub.link(), { serviceWorkers: "block" });
  await page.locator(".list").waitFor();
  await page.route("**/v1/history/stats", async (route) => {
    const response = await route.fetch();
    const hours = [9, 10].map((hour) => ({ hour, count: 1, medianMs: 1000, p90Ms: 1000 }));
    await route.fulfill({ response, json: { ...(await response.json()), hours } });
  });
  await page.goto(`${hub.base}/stats`);
  const hours = page.locator("section.panel", { hasText: "by hour of the day" }).locator(".columns");
  await hours.waitFor();
  assert.match(await hours.locator("p").last().innerText(), /^0?9\S* – 10\S*$/);
  await done();
});

test("a question without a title is named by its text without the Markdown", async () => {
  const agent = await hub.ask({ questions: [{ question: "Keep `old_name`, or *rename* it?", type: "text" }, named] });
  const { page, done } = await open(await hub.link());
  await page.locator(".list").getByText("Keep old_name, or rename it?").first().waitFor();
  await at(page, agent.id);
  await page.locator(".steps").getByText("Keep old_name, or rename it?").waitFor();
  await done();
});

test("the steps of a card are as wide as a phone", async () => {
  const agent = await hub.ask({ questions: [choice, named, { ...choice, header: "A second one with a long name" }, { ...named, header: "Another" }] });
  const { page, done } = await open(await hub.link(), { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  await page.locator(".list").waitFor();
  await at(page, agent.id);
  await page.getByRole("radio", { name: "SQLite" }).check();
  for (const n of [2, 3]) {
    await page.getByRole("button", { name: "Next" }).tap();
    await page.getByRole("heading", { name: `Question ${n} of 4` }).waitFor();
    if (n === 2) await page.getByRole("textbox", { name: "Your answer" }).fill("orders");
    else await page.getByRole("radio", { name: "SQLite" }).check();
  }
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 390);
  await done();
});

test("an ask whose time has passed stays in the list, and its answer is kept for its agent", async () => {
  const agent = await hub.ask({ questions: [{ question: "Ship on Sunday?", type: "confirm" }], timeout: 60_000 });
  const { page, done } = await open(await hub.link());
  await page.locator(".list").waitFor();
  await page.goto(`${hub.base}/history`);
  await page.getByRole("heading", { name: "History" }).waitFor();
  hub.clock("2026-03-01T10:02:00Z");
  // A command wakes the hub, which then checks its clock.
  await hub.run("list");
  assert.equal((await agent.result()).timedOut, true);
  await page.goto(hub.base);
  await page.getByRole("link", { name: /Ship on Sunday/ }).waitFor();
  assert.ok(await page.locator(".list", { hasText: "Late" }).isVisible());
  await done();
});

test("an ask that comes while the list is shown only joins it", async () => {
  const home = await Hub.start();
  const { page, done } = await open(await home.link());
  // The list is loaded and empty.
  await page.getByText("No question waits for you.").waitFor();
  const agent = await home.ask({ questions: [{ ...choice, question: "Which one came late?" }] });
  await page.getByRole("link", { name: /Which one came late/ }).waitFor();
  await page.keyboard.press("1");
  await page.keyboard.press("Control+Enter");
  assert.equal(new URL(page.url()).pathname, "/");
  assert.equal((await home.show(agent.id)).state, "waiting");
  await page.reload();
  await page.getByRole("radio", { name: "SQLite" }).waitFor();
  await done();
  await home.stop();
});

test("one of many choices is found by a word, and picked choices stay in sight", async () => {
  const options = Array.from({ length: 200 }, (_, n) => ({ label: `Server ${n + 1} in ${n % 2 ? "Oslo" : "Turin"}` }));
  const agent = await hub.ask({ questions: [{ question: "Which servers?", type: "multi-select", options }] });
  const { page, done } = await open(await hub.link());
  await page.locator(".list").waitFor();
  await at(page, agent.id);
  const boxes = page.getByRole("checkbox", { name: /Server/ });
  await boxes.first().waitFor();
  assert.equal(await boxes.count(), 200);
  await page.keyboard.press("/");
  await page.keyboard.type("oslo 142");
  await page.getByRole("checkbox", { name: "Server 142 in Oslo" }).check();
  assert.equal(await boxes.count(), 1);
  await page.getByRole("searchbox", { name: "Filter" }).last().fill("turin 7");
  await page.getByRole("checkbox", { name: "Server 7 in Turin" }).check();
  assert.ok(await page.getByRole("checkbox", { name: "Server 142 in Oslo" }).isChecked());
  await page.keyboard.press("Control+Enter");
  const { answers } = await agent.result();
  assert.deepEqual(answers[0].values, ["Server 7 in Turin", "Server 142 in Oslo"]);
  await done();
});
