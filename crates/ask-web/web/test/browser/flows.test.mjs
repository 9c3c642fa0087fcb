// The usual flows on the page, with the real hub and real agents.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Terminal, loaded, open, ownHub, pauseClock } from "./support.mjs";

const hub = await ownHub();
/** A hub that holds an answer for longer than any test takes. */
const holding = await ownHub({ undoSeconds: 60 });

const database = {
  title: "Database and service name",
  context: "Orders are **written once**. See [the record](https://docs.example.com/12).",
  questions: [
    { header: "Database", question: "Which *database*?", type: "select", options: [{ label: "PostgreSQL (Recommended)", description: "Relational", preview: "```sql\nCREATE TABLE orders ();\n```" }, { label: "SQLite" }] },
    { header: "Name", question: "What is the service called?", type: "text" },
    { header: "Features", question: "Which features?", type: "multi-select", required: false, options: [{ label: "Refunds" }, { label: "Invoices" }] },
  ],
};
const confirm = (question) => ({ questions: [{ question, type: "confirm" }] });
const text = (question) => ({ questions: [{ question, type: "text" }] });
const primary = (page) => page.locator(".bar .primary");
const at = (page, id) => page.goto(`${hub.base}/a/${id}`);

test("without JavaScript the page says that ask-user answers in the terminal", async () => {
  const { page, done } = await open(hub.base, { javaScriptEnabled: false });
  const says = page.locator("noscript p");
  await says.waitFor();
  assert.equal(await says.textContent(), "Without JavaScript, answer in a terminal: run `ask-user` there.");
  await done();
});

test("the link signs a browser in once, and its key leaves the address", async () => {
  const link = await hub.link();
  const first = await open(link);
  await first.page.locator(".list").waitFor();
  assert.equal(new URL(first.page.url()).hash, "");
  const [cookie] = await first.context.cookies();
  assert.ok(cookie.httpOnly && cookie.sameSite === "Strict");
  const second = await open(link);
  await second.page.getByText("Open this page from your terminal").waitFor();
  await first.done();
  await second.done();
});

test("an agent's question is answered with keys alone, question by question", async () => {
  const agent = await hub.ask(database);
  const { page, done } = await open(await hub.link());
  await page.getByRole("link", { name: /Database and service name/ }).waitFor();
  await at(page, agent.id);
  await page.getByRole("heading", { name: "Question 1 of 3 · Database" }).waitFor();
  assert.ok(await page.locator(".context strong", { hasText: "written once" }).isVisible());
  const link = page.getByRole("link", { name: "the record" });
  assert.equal(await link.getAttribute("rel"), "noreferrer noopener");
  assert.ok(await page.getByText("(docs.example.com)").isVisible());
  assert.ok(await page.locator(".preview code", { hasText: "CREATE TABLE" }).isVisible());
  await page.keyboard.press("1");
  assert.ok(await page.getByRole("radio", { name: /PostgreSQL/ }).isChecked());
  await page.keyboard.press("Control+Enter");
  await page.getByRole("heading", { name: /Question 2 of 3/ }).waitFor();
  assert.equal(await page.evaluate(() => document.activeElement.tagName), "H2");
  await page.keyboard.press("Tab");
  await page.keyboard.type("orders-api");
  await page.keyboard.press("Control+Enter");
  await page.getByRole("heading", { name: /Question 3 of 3/ }).waitFor();
  await page.keyboard.press("2");
  await page.keyboard.press("0");
  await page.keyboard.type("webhooks");
  await page.keyboard.press("Control+Enter");
  await page.getByRole("heading", { name: "Review your answers" }).waitFor();
  await page.getByLabel("Note for all answers").fill("go on");
  await page.keyboard.press("Control+Enter");
  await page.getByRole("heading", { name: "Sent to claude-code" }).waitFor();
  const given = await agent.result();
  assert.ok(given.answered);
  assert.deepEqual(given.answers.map((answer) => [answer.values, answer.customText]), [
    [["PostgreSQL (Recommended)"], undefined], [["orders-api"], undefined], [["Invoices"], "webhooks"],
  ]);
  assert.equal(given.note, "go on");
  assert.equal((await hub.show(agent.id)).answeredBy, "web");
  await done();
});

test("what was answered shortly before is offered, and nothing of it is marked until its button is pressed", async () => {
  const agent = await hub.ask(database);
  const { page, done } = await open(await hub.link());
  await at(page, agent.id);
  const offer = page.locator(".notice", { hasText: /You answered this .*: PostgreSQL · orders-api · Invoices · webhooks/ });
  await offer.waitFor();
  assert.equal(await page.getByRole("radio", { checked: true }).count(), 0);
  assert.ok(!(await hub.show(agent.id)).draft, "nothing was entered");
  // What is entered stays, and the offer too.
  await page.getByRole("radio", { name: "SQLite" }).check();
  await offer.waitFor();
  await page.getByRole("button", { name: "Fill in that answer" }).click();
  await page.getByRole("heading", { name: "Review your answers" }).waitFor();
  assert.equal(await page.evaluate(() => document.activeElement.tagName), "H2");
  assert.equal(await offer.count(), 0, "it is gone once it is used");
  assert.deepEqual(await page.locator(".review .quoted").allTextContents(), ["SQLite", "orders-api", "Invoices", "webhooks"]);
  assert.equal(await page.getByLabel("Note for all answers").inputValue(), "go on");
  assert.equal((await hub.show(agent.id)).state, "waiting", "nothing was sent");
  await primary(page).press("Enter");
  await page.getByRole("heading", { name: "Sent to claude-code" }).waitFor();
  const given = await agent.result();
  assert.deepEqual(given.answers.map((answer) => answer.values), [["SQLite"], ["orders-api"], ["Invoices"]]);
  await done();
});

test("text is typed into an empty field although the same was answered shortly before", async () => {
  const call = text("Which branch?");
  const first = await hub.ask(call);
  const { page, done } = await open(await hub.link());
  await at(page, first.id);
  await page.getByLabel("Your answer").fill("main");
  await primary(page).click();
  await page.getByRole("heading", { name: "Sent to claude-code" }).waitFor();
  await first.result();
  const agent = await hub.ask(call);
  await at(page, agent.id);
  const offer = page.locator(".notice", { hasText: /You answered this .*: main/ });
  await offer.waitFor();
  const field = page.getByLabel("Your answer");
  assert.equal(await field.inputValue(), "");
  await primary(page).click();
  await page.getByText("Choose or type an answer, ask back, or decline.").waitFor();
  assert.equal((await hub.show(agent.id)).state, "waiting");
  await field.fill("dev");
  await offer.waitFor({ state: "detached" });
  await primary(page).click();
  await page.getByRole("heading", { name: "Sent to claude-code" }).waitFor();
  assert.deepEqual((await agent.result()).answers[0].values, ["dev"]);
  await done();
});

test("unanswered required questions are listed, and an answer without them is sent only on purpose", async () => {
  const agent = await hub.ask({ ...database, title: "The same for invoices" });
  const { page, done } = await open(await hub.link());
  await at(page, agent.id);
  await page.getByRole("radio", { name: "SQLite" }).check();
  await page.getByRole("button", { name: "Review" }).click();
  await page.getByText("1 required question has no answer.").waitFor();
  await page.getByRole("button", { name: "Send 1 answer anyway" }).click();
  await page.getByRole("heading", { name: "Sent to claude-code" }).waitFor();
  const given = await agent.result();
  assert.equal(given.answers[1].status, "unanswered");
  await done();
});

test("a single question without an answer shows a mistake, and nothing is sent", async () => {
  const agent = await hub.ask(text("What is it called?"));
  const { page, done } = await open(await hub.link());
  await at(page, agent.id);
  await primary(page).click();
  await page.getByText("Choose or type an answer, ask back, or decline.").waitFor();
  const field = page.getByLabel("Your answer");
  assert.equal(await field.getAttribute("aria-invalid"), "true");
  assert.equal((await hub.show(agent.id)).state, "waiting");
  await field.fill("Orders");
  await primary(page).click();
  await page.getByRole("heading", { name: /^Sent/ }).waitFor();
  assert.deepEqual((await agent.result()).answers[0].values, ["Orders"]);
  await done();
});

test("one key takes the recommendation, another takes all, and existing answers stay", async () => {
  const option = (label) => ({ label });
  const agent = await hub.ask({
    questions: [
      { question: "Which database?", options: [option("SQLite"), option("PostgreSQL (Recommended)")] },
      { question: "Which parts?", multiSelect: true, options: [option("API (Recommended)"), option("Page"), option("Docs (Recommended)")] },
      { question: "Which host?", options: [option("Here (Recommended)"), option("There")] },
      { question: "Which colour?", options: [option("Red"), option("Blue")] },
    ],
  });
  const { page, done } = await open(await hub.link());
  await at(page, agent.id);
  const step = (number) => page.getByRole("heading", { name: new RegExp(`Question ${number} of 4`) }).waitFor();
  await step(1);
  await page.keyboard.press("r");
  assert.ok(await page.getByLabel("PostgreSQL").isChecked());
  for (const next of [2, 3]) {
    await page.locator(".steps button").nth(next - 1).press("Enter");
    await step(next);
  }
  await page.keyboard.press("2");
  await page.locator(".steps button").nth(3).press("Enter");
  await step(4);
  await page.keyboard.press("r");
  await page.getByText("The agent recommends nothing here.").first().waitFor();
  await page.keyboard.press("R");
  await page.getByRole("heading", { name: "Review your answers" }).waitFor();
  const given = await page.locator(".review").innerText();
  for (const [question, answer] of [["database", "PostgreSQL"], ["parts", "API\\s+Docs"], ["host", "There"]]) {
    assert.match(given, new RegExp(`Which ${question}\\?[^?]*${answer}`), given);
  }
  await hub.run("decline", agent.id);
  await done();
});

test("a question is snoozed until a chosen time", async () => {
  const agent = await hub.ask({ question: "Which day?" });
  const { page, done } = await open(await hub.link());
  await at(page, agent.id);
  await page.getByRole("button", { name: "Snooze" }).click();
  const own = page.getByRole("dialog");
  await own.getByLabel("Until").fill("08:30");
  await own.getByRole("button", { name: "Snooze" }).click();
  // A time that has just passed means tomorrow, and the page says so.
  await page.locator(".toast", { hasText: /Snoozed until .*08:30/ }).waitFor();
  await page.getByRole("heading", { name: /Snoozed/ }).waitFor();
  const { snoozedUntil } = await hub.show(agent.id);
  const seen = await page.evaluate((at) => new Date(at).toTimeString().slice(0, 5), snoozedUntil);
  assert.equal(seen, "08:30");
  assert.ok(Date.parse(snoozedUntil) > Date.now() && Date.parse(snoozedUntil) < Date.now() + 86_400_000);
  await hub.run("decline", agent.id);
  await done();
});

test("asking back, declining, snoozing and waking", async () => {
  const [first, second, third] = [await hub.ask(confirm("Delete it?")), await hub.ask(confirm("Rename it?")), await hub.ask(confirm("Move it?"))];
  const { page, done } = await open(await hub.link());
  await at(page, first.id);
  await page.getByRole("button", { name: "Ask back" }).click();
  await page.getByRole("button", { name: "Send my question" }).click();
  await page.getByText("Type your question first.").waitFor();
  await page.getByLabel("What do you want to know?").fill("Which one?");
  await page.getByRole("button", { name: "Send my question" }).click();
  await page.getByRole("heading", { name: "You asked claude-code back" }).waitFor();
  assert.equal((await first.result()).clarify, "Which one?");
  await at(page, second.id);
  await page.getByRole("button", { name: "Decline" }).click();
  await page.getByLabel(/^Why\?/).fill("Not now");
  await page.getByRole("dialog").getByRole("button", { name: "Decline" }).click();
  await page.getByRole("heading", { name: "You declined" }).waitFor();
  assert.equal((await second.result()).reason, "Not now");
  await at(page, third.id);
  await page.getByRole("button", { name: "Snooze" }).click();
  await page.getByRole("button", { name: /^15 minutes/ }).click();
  await page.getByRole("heading", { name: /Snoozed/ }).waitFor();
  await page.getByRole("button", { name: "Bring back" }).click();
  await page.getByRole("button", { name: "Snooze" }).waitFor();
  assert.equal((await hub.show(third.id)).snoozedUntil, undefined);
  third.end();
  await done();
});

test("a draft is shared live, and text typed here is never overwritten", async () => {
  const agent = await hub.ask({ ...database, title: "The same for refunds" });
  const link = [await hub.link(), await hub.link()];
  const here = await open(link[0]);
  const there = await open(link[1]);
  await at(here.page, agent.id);
  await at(there.page, agent.id);
  await here.page.getByRole("radio", { name: "SQLite" }).check();
  await there.page.locator("input[type=radio]:checked").waitFor();
  assert.ok(await there.page.getByRole("radio", { name: "SQLite" }).isChecked());
  for (const { page } of [here, there]) {
    await page.getByRole("button", { name: /Name/ }).click();
    await page.getByRole("heading", { name: /Question 2 of 3/ }).waitFor();
  }
  const [mine, theirs] = [here.page.getByLabel("Your answer"), there.page.getByLabel("Your answer")];
  await mine.focus();
  await theirs.fill("theirs");
  await here.page.getByText(/^Changed in browser/).waitFor();
  assert.equal(await mine.inputValue(), "");
  await here.page.getByRole("button", { name: "Load it" }).click();
  assert.equal(await mine.inputValue(), "theirs");
  await here.page.getByRole("button", { name: "Bring mine back" }).waitFor();
  agent.end();
  await here.done();
  await there.done();
});

test("the event of its own save, before the reply, doesn't count as somebody else's draft", async () => {
  const agent = await hub.ask(text("How many?"));
  const { page, done } = await open(await hub.link(), { serviceWorkers: "block" });
  await at(page, agent.id);
  const field = page.getByLabel("Your answer");
  let go;
  let reply;
  const gone = new Promise((done) => (go = done));
  const held = new Promise((done) => (reply = done));
  await page.route("**/draft", async (route) => {
    await gone;
    const response = await route.fetch();
    await held;
    await route.fulfill({ response });
  });
  const first = page.waitForRequest("**/draft");
  await field.pressSequentially("one");
  await first;
  await field.pressSequentially(" two");
  go();
  await page.getByText(/^draft saved/).waitFor();
  assert.equal(await page.getByText(/^Changed in/).count(), 0);
  reply();
  await primary(page).click();
  await page.getByRole("heading", { name: /^Sent/ }).waitFor();
  assert.deepEqual((await agent.result()).answers[0].values, ["one two"]);
  await done();
});

test("an ask is answered elsewhere during typing: nothing is sent, and the draft can be copied", async () => {
  const agent = await hub.ask(text("Which host?"));
  const { page, context, done } = await open(await hub.link());
  await context.grantPermissions(["clipboard-read", "clipboard-write"], { origin: hub.base });
  await at(page, agent.id);
  await page.getByLabel("Your answer").fill("mine");
  await page.getByText(/^draft saved/).waitFor();
  await hub.run("answer", agent.id, "--set", "elsewhere");
  await page.getByRole("heading", { name: /^Answered in command line/ }).waitFor();
  await page.getByText("Nothing you typed here was sent.").waitFor();
  await page.getByRole("button", { name: "Copy my draft" }).click();
  await page.getByText("Copied.").first().waitFor();
  assert.match(await page.evaluate(() => navigator.clipboard.readText()), /mine/);
  assert.deepEqual((await agent.result()).answers[0].values, ["elsewhere"]);
  await done();
});

test("a terminal and the page fill in one form, and the terminal says where it was answered", async () => {
  const agent = await hub.ask({ title: "Together", questions: database.questions });
  const terminal = await Terminal.open(hub, "--id", agent.id);
  const { page, done } = await open(await hub.link(), { viewport: { width: 390, height: 780 } });
  try {
    await terminal.see("Which");
    await at(page, agent.id);
    await page.getByRole("radio", { name: /SQLite/ }).check();
    await terminal.see("[■ Database]");
    await terminal.see("SQLite  ✓ chosen");
    // Text typed there appears in a field here without focus.
    await terminal.press("Tab");
    await terminal.see("What is the service called?");
    await terminal.press("-l", "orders-api");
    await primary(page).click();
    await page.getByRole("heading", { name: /Question 2 of 3/ }).waitFor();
    await page.waitForFunction(() => document.querySelector("textarea")?.value === "orders-api");
    await primary(page).click();
    await page.getByRole("heading", { name: /Question 3 of 3/ }).waitFor();
    await primary(page).click();
    await page.getByRole("heading", { name: "Review your answers" }).waitFor();
    // A second click in the same place so soon would count as a double click.
    await primary(page).press("Enter");
    await page.getByRole("heading", { name: "Sent to claude-code" }).waitFor();
    await terminal.see("ANSWERED IN THE BROWSER");
    const given = await agent.result();
    assert.deepEqual(given.answers.map((answer) => answer.values), [["SQLite"], ["orders-api"], []]);
  } finally {
    await terminal.close();
  }
  await done();
});

test("two pages answer one ask at once, and one wins", async () => {
  const agent = await hub.ask(confirm("Who is first?"));
  // Requests through a service worker can't always be intercepted.
  const alone = { serviceWorkers: "block" };
  const pages = [await open(await hub.link(), alone), await open(await hub.link(), alone)];
  // Both are sent before either is passed on.
  let held = 0;
  let go;
  const both = new Promise((done) => (go = done));
  for (const { page } of pages) {
    await at(page, agent.id);
    await page.route("**/answer", async (route) => {
      if (++held === pages.length) go();
      await both;
      await route.continue();
    });
    await page.getByRole("radio", { name: "Yes" }).check();
  }
  const statuses = await Promise.all(pages.map(async ({ page }) => {
    const answer = page.waitForResponse("**/answer");
    await page.getByRole("button", { name: "Send", exact: true }).click();
    return (await answer).status();
  }));
  assert.deepEqual(statuses.toSorted(), [200, 409]);
  // Before its reply, the winner may only know that the ask was answered.
  for (const [n, { page, done }] of pages.entries()) {
    await page.getByRole("heading", { name: statuses[n] === 200 ? /^Sent/ : /^Answered in browser/ }).waitFor();
    await done();
  }
});

test("a late answer is kept, and its agent gets it when it asks again", async () => {
  const id = await hub.askDetached("Still there?");
  const { page, done } = await open(await hub.link());
  await at(page, id);
  await page.getByText("the agent stopped waiting; your answer will be kept").waitFor();
  await page.keyboard.press("2");
  await page.getByRole("button", { name: "Keep as late answer" }).click();
  await page.getByText("It is kept until the agent fetches it.").waitFor();
  assert.deepEqual((await hub.show(id)).outcome.answers[0].values, ["no"]);
  await done();
});

test("an image is pasted, shown, sent, and removed again", async () => {
  const agent = await hub.ask(text("How should it look?"));
  const { page, done } = await open(await hub.link());
  await at(page, agent.id);
  await page.locator("article.card").waitFor();
  const paste = (name) => page.evaluate(async (name) => {
    const canvas = Object.assign(document.createElement("canvas"), { width: 40, height: 30 });
    canvas.getContext("2d").fillRect(0, 0, name.length, 9);
    const blob = await new Promise((done) => canvas.toBlob(done));
    const clipboardData = new DataTransfer();
    clipboardData.items.add(new File([blob], name, { type: "image/png" }));
    document.querySelector("article.card").dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
  }, name);
  await paste("one.png");
  await page.getByRole("link", { name: "one.png" }).waitFor();
  await paste("other.png");
  await page.getByRole("link", { name: "other.png" }).waitFor();
  // By keys: a click may be ignored just after something moved by itself, as when an image has loaded.
  await page.getByRole("button", { name: "Remove one.png" }).press("Enter");
  await page.locator(".files img").evaluate((image) => image.decode());
  await primary(page).press("Enter");
  await page.getByRole("heading", { name: /^Sent/ }).waitFor();
  const { outcome } = await hub.show(agent.id);
  assert.deepEqual(outcome.answers[0].attachments.map((file) => [file.name, file.width, file.height]), [["other.png", 40, 30]]);
  await done();
});

test("a confirmation is answered from the list of a phone, and can be undone", async () => {
  const agent = await holding.ask(confirm("Deploy on Friday?"));
  const { page, done } = await open(await holding.link(), { viewport: { width: 390, height: 844 } });
  await loaded(page);
  await page.getByRole("button", { name: "Yes: Deploy on Friday?" }).click();
  await page.getByRole("button", { name: "Undo" }).click();
  await page.locator(".toast", { hasText: "Undone. Nothing was sent." }).waitFor();
  assert.equal((await holding.show(agent.id)).state, "waiting");
  await holding.run("answer", agent.id, "--set", "no");
  assert.deepEqual((await agent.result()).answers[0].values, ["no"]);
  await done();
});

test("of two quick answers the first can still be undone", async () => {
  const [first, second] = [await holding.ask(confirm("Drop the old table?")), await holding.ask(confirm("Keep the backup?"))];
  const { page, done } = await open(await holding.link(), { viewport: { width: 390, height: 844 } });
  await loaded(page);
  await pauseClock(page);
  await page.getByRole("button", { name: "Yes: Drop the old table?" }).click();
  await page.getByRole("button", { name: /^Undo: .*Drop the old table/ }).waitFor();
  await page.clock.runFor(1000);
  await page.getByRole("button", { name: "Yes: Keep the backup?" }).click();
  await page.getByRole("button", { name: /^Undo: .*Keep the backup/ }).waitFor();
  assert.equal(await page.getByRole("button", { name: /^Undo/ }).count(), 2);
  const [upper, lower] = await page.locator(".toast").evaluateAll((all) => all.map((one) => one.getBoundingClientRect().toJSON()));
  assert.ok(upper.bottom <= lower.top && upper.left >= 0 && lower.right <= 390, JSON.stringify([upper, lower]));
  await page.getByRole("button", { name: /^Undo: .*Drop the old table/ }).press("Enter");
  await page.locator(".toast", { hasText: "Undone. Nothing was sent." }).waitFor();
  assert.equal((await holding.show(first.id)).state, "waiting");
  const kept = await holding.show(second.id);
  assert.deepEqual([kept.state, kept.outcome.answers[0].values], ["answered", ["yes"]]);
  first.end();
  second.end();
  await done();
});

test("the history is searched, shows answers, and deletes asks", async () => {
  const agent = await hub.ask(text("Where is the *zeppelin* moored?"));
  await hub.run("answer", agent.id, "--set", "Lakehurst");
  const { page, done } = await open(await hub.link());
  await page.goto(`${hub.base}/history`);
  await page.getByLabel("Search", { exact: true }).first().fill("zeppelin");
  await page.keyboard.press("Enter");
  await page.getByRole("link", { name: /zeppelin/ }).click();
  await page.getByText("Lakehurst", { exact: true }).waitFor();
  assert.ok(await page.locator(".question-text em", { hasText: "zeppelin" }).isVisible());
  await page.getByRole("button", { name: "Delete", exact: true }).click();
  await page.getByRole("button", { name: "Delete it" }).click();
  await page.waitForURL(/\/history$/);
  await assert.rejects(hub.show(agent.id));
  await page.goto(`${hub.base}/history?q=Database`);
  const download = page.waitForEvent("download");
  await page.getByRole("link", { name: "CSV" }).click();
  assert.match((await download).suggestedFilename(), /\.csv$/);
  await page.goto(`${hub.base}/stats`);
  await page.getByRole("heading", { name: "How they ended" }).waitFor();
  await done();
});

test("signing out ends the session", async () => {
  const { page, done } = await open(await hub.link());
  await page.locator(".list").waitFor();
  await page.goto(`${hub.base}/settings`);
  await page.getByRole("button", { name: "Sign out", exact: true }).click();
  await page.getByText("ask-user web").waitFor();
  await page.reload();
  await page.getByText("Open this page from your terminal").waitFor();
  await done();
});

test("signing out ends the session even before the viewer is known", async () => {
  const { page, done } = await open(await hub.link());
  await page.locator(".list").waitFor();
  await page.route("**/v1/events*", () => undefined);
  await page.goto(`${hub.base}/settings`);
  await page.getByRole("button", { name: "Sign out", exact: true }).click();
  await page.getByText("ask-user web").waitFor();
  await done();
});

test("signed-in browsers are listed, and can be signed out one by one or all at once", async () => {
  await hub.run("web", "--end", "all");
  const first = await open(await hub.link());
  const second = await open(await hub.link());
  await first.page.goto(`${hub.base}/settings`);
  const listed = first.page.locator("section", { has: first.page.locator("#browsers-head") }).last().locator("li");
  await first.page.getByText("this browser", { exact: true }).waitFor();
  assert.equal(await listed.count(), 2);
  await first.page.getByRole("button", { name: "Sign out Linux, Chrome 2" }).click();
  await first.page.getByRole("dialog").getByRole("button", { name: "Sign out" }).click();
  await second.page.getByText("Open this page from your terminal").waitFor();
  await first.page.waitForFunction(() => document.querySelectorAll("#browsers-head ~ ul li").length === 1);
  await first.page.getByRole("button", { name: "Sign out everywhere" }).click();
  await first.page.getByRole("dialog").getByRole("button", { name: "Sign out everywhere" }).click();
  await first.page.getByText("Open this page from your terminal").waitFor();
  assert.match(await hub.run("web", "--sessions"), /No browser of this machine is signed in/);
  await first.done();
  await second.done();
});

test("the terminal lists signed-in browsers, and signs one out after a second key", async () => {
  await hub.run("web", "--end", "all");
  const { page, done } = await open(await hub.link());
  await page.locator(".list").waitFor();
  const terminal = await Terminal.open(hub);
  await terminal.see("answered today");
  await terminal.press("W");
  await terminal.see("Linux, Chrome · here now");
  await terminal.press("Enter");
  await terminal.see("Sign out Linux, Chrome?");
  await terminal.press("y");
  await page.getByText("Open this page from your terminal").waitFor();
  await terminal.see("No browser is signed in");
  await terminal.close();
  await done();
});
