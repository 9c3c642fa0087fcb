// Interactive mode, on a real terminal: the card on pi's own terminal, and every way it can end.
import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { asks, database, features, Sandbox, service, until } from "./support.mjs";

const CANCELLED = { answered: false, answers: [], cancelled: true };

/** The reply that the model received last. */
function reply(sandbox) {
  return JSON.parse(sandbox.results().at(-1));
}

async function asking(t, turns, ...args) {
  const sandbox = await Sandbox.open(turns);
  t.after(() => sandbox.close());
  const screen = await sandbox.screen(...args, "set it up");
  return { sandbox, screen };
}

test("a question with options is asked on pi's terminal and answered by a key", async (t) => {
  const { sandbox, screen } = await asking(t, [asks(database), "Done."]);
  await screen.waitForCard("Which database should we use?", "1. PostgreSQL  (Recommended)", "Battle-tested relational DB", "Other (type your answer)");
  screen.press("2");
  await screen.waitForText("chosen");
  screen.press("Enter");
  await screen.waitForText("Done.", "✓ Which database should we use? SQLite");
  const reply = { answered: true, answers: [{ question: database.question, answer: "SQLite", selectedOption: "SQLite", wasCustom: false }] };
  assert.equal(sandbox.results()[0], JSON.stringify(reply));
  const { answeredAt, askId, ...kept } = sandbox.session().find((entry) => entry.message?.role === "toolResult").message.details;
  assert.ok(answeredAt > 1e12 && askId.startsWith("a_"));
  assert.deepEqual(kept, {
    questions: [database],
    answers: reply.answers,
    mode: "interactive",
    answered: true,
    metadata: { source: "project-setup" },
    summary: "User was asked about 'Which database should we use?' and chose SQLite.",
  });
  // Pi's editor works as before.
  await screen.send("thanks");
  await screen.waitForText("Received: thanks");
});

test("a question without options takes text", async (t) => {
  const { sandbox, screen } = await asking(t, [asks(service), "Done."]);
  await screen.waitForText("What should we name this service?");
  await screen.answer("order-processor");
  await screen.waitForText("Done.", "order-processor (own words)");
  assert.deepEqual(reply(sandbox).answers, [{ question: service.question, answer: "order-processor", wasCustom: true }]);
});

test("several questions are tabs with a review, and are sent together", async (t) => {
  const { sandbox, screen } = await asking(t, [asks(database, service, features), "Done."]);
  await screen.waitForCard("Which database should we use?");
  screen.press("1");
  await screen.waitForText("What should we name this service?");
  await screen.answer("order-processor");
  await screen.waitForCard("Which features should we include?");
  screen.press("1", "3");
  await screen.waitForText("2 chosen");
  screen.press("Enter");
  await screen.waitForCard("Review your answers", "PostgreSQL (Recommended)", "order-processor", "Authentication, Admin Dashboard");
  screen.press("Enter");
  await screen.waitForText("Done.", "✓ Which features should we include? Authentication, Admin Dashboard");
  assert.deepEqual(reply(sandbox).answers.map(({ answer }) => answer), ["PostgreSQL (Recommended)", "order-processor", ["Authentication", "Admin Dashboard"]]);
});

test("esc cancels a single question at once", async (t) => {
  const { sandbox, screen } = await asking(t, [asks(database), "Never mind."]);
  await screen.waitForCard("Which database should we use?");
  screen.press("Escape");
  await screen.waitForText("Never mind.", "Cancelled");
  assert.deepEqual(reply(sandbox), CANCELLED);
});

test("esc after some answers asks before it discards them", async (t) => {
  const { sandbox, screen } = await asking(t, [asks(database, features), "Never mind."]);
  await screen.waitForCard("Which database should we use?");
  screen.press("1");
  await screen.waitForCard("Which features should we include?");
  screen.press("Escape");
  await screen.waitForText("Discard 1 answer?");
  screen.press("n");
  await screen.waitUntilGone("Discard 1 answer?");
  await screen.waitForCard("Which features should we include?");
  screen.press("Escape");
  await screen.waitForText("Discard 1 answer?");
  screen.press("y");
  await screen.waitForText("Never mind.", "Cancelled");
  assert.deepEqual(reply(sandbox), CANCELLED);
});

test("an answer from elsewhere ends the card", async (t) => {
  const { sandbox, screen } = await asking(t, [asks(database), "Done."]);
  await screen.waitForCard("Which database should we use?");
  const { askId } = await sandbox.waiting();
  await sandbox.ask("answer", askId, "--other", "1=DynamoDB");
  await screen.waitForText("Done.");
  assert.deepEqual(reply(sandbox).answers[0], { question: database.question, answer: "DynamoDB", wasCustom: true });
});

test("a killed hub is replaced unnoticed", async (t) => {
  const { sandbox, screen } = await asking(t, [asks(database), "Done."]);
  await screen.waitForCard("Which database should we use?");
  const { pid } = JSON.parse(readFileSync(join(sandbox.env.ASK_USER_HOME, "hub.json"), "utf8"));
  process.kill(pid, "SIGKILL");
  screen.press("2");
  await screen.waitForText("chosen");
  screen.press("Enter");
  await screen.waitForText("Done.");
  assert.equal(reply(sandbox).answers[0].answer, "SQLite");
});

test("pi's fullscreen mode lends the terminal and gets it back", async (t) => {
  const sandbox = await Sandbox.open([asks(database), "Done."], { tuiMode: "fullscreen" });
  t.after(() => sandbox.close());
  const screen = await sandbox.screen("set it up");
  await screen.waitForCard("Which database should we use?");
  screen.press("2");
  await screen.waitForText("chosen");
  screen.press("Enter");
  await screen.waitForText("Done.", "✓ Which database should we use? SQLite");
  await screen.send("thanks");
  await screen.waitForText("Received: thanks");
});

test("without a terminal to lend, pi's own dialogs ask", async (t) => {
  const sandbox = await Sandbox.open([asks(database, service), "Done."], { wrap: ["setsid", "-w"] });
  t.after(() => sandbox.close());
  const screen = await sandbox.screen("set it up");
  await screen.waitForText("(1/2) Database Selection", "→ 1. PostgreSQL (Recommended) — Battle-tested relational DB");
  screen.press("Down", "Enter");
  await screen.waitForText("(2/2) Service Setup");
  screen.type("order-processor");
  await screen.waitForText("order-processor");
  screen.press("Enter");
  await screen.waitForText("Done.");
  assert.deepEqual(reply(sandbox).answers.map(({ answer }) => answer), ["SQLite", "order-processor"]);
});

/** Leaves the card of a question that has an answer already. */
async function leave(screen) {
  await screen.waitForCard("Which database should we use?");
  screen.press("2");
  await screen.waitForText("chosen");
  screen.press("Escape");
  await screen.waitForText("Discard 1 answer?");
  screen.press("l");
  await screen.waitForText("The question is still open", "enter answer here");
}

test("a question that is left open waits in pi, and opens again with its draft", async (t) => {
  const { sandbox, screen } = await asking(t, [asks(database), "Done."]);
  await leave(screen);
  screen.press("Enter");
  await screen.waitForCard("2. SQLite  ✓ chosen");
  screen.press("Enter");
  await screen.waitForText("Done.");
  assert.equal(reply(sandbox).answers[0].answer, "SQLite");
});

test("a question that is left open can be answered elsewhere", async (t) => {
  const { sandbox, screen } = await asking(t, [asks(database), "Done."]);
  await leave(screen);
  await sandbox.ask("answer", "latest", "--set", "3");
  await screen.waitForText("Done.");
  assert.equal(reply(sandbox).answers[0].answer, "MongoDB");
});

test("a question that is left open can be cancelled", async (t) => {
  const { sandbox, screen } = await asking(t, [asks(database), "Never mind."]);
  await leave(screen);
  screen.press("Escape");
  await screen.waitForText("Never mind.");
  assert.equal(reply(sandbox).cancelled, true);
});

test("what esc can't cancel is said, and is cancelled on the card", async (t) => {
  const sandbox = await Sandbox.open([asks(database), "Never mind."]);
  t.after(() => sandbox.close());
  mkdirSync(sandbox.env.ASK_USER_HOME, { mode: 0o700 });
  writeFileSync(join(sandbox.env.ASK_USER_HOME, "config.toml"), '[answers]\nbelow_agents = "refuse"\n');
  const screen = await sandbox.screen("set it up");
  await leave(screen);
  screen.press("Escape");
  await screen.waitForText("Nothing was cancelled. Press Enter to open the question");
  screen.press("Enter");
  await screen.waitForCard("Which database should we use?");
  screen.press("Escape");
  await screen.waitForText("Discard and cancel");
  screen.press("y");
  await screen.waitForText("Never mind.");
  assert.equal(reply(sandbox).cancelled, true);
});

test("after pi was killed, the open question is asked again with its draft, and the answer is the result of its call", async (t) => {
  const { sandbox, screen } = await asking(t, [asks(database), "Done."]);
  await screen.waitForCard("Which database should we use?");
  screen.press("2");
  await screen.waitForText("chosen");
  await until("a draft", async () => (await sandbox.ask("list")).out.includes("draft 1/1"));
  process.kill(screen.child(), "SIGKILL");
  assert.equal(await screen.ended(), 137);
  await until("the card's end", async () => (await sandbox.ask("list")).out.includes("the agent stopped waiting"));
  const again = await sandbox.screen("-c");
  await again.waitForCard("Which database should we use?", "2. SQLite  ✓ chosen");
  again.press("Enter");
  await again.waitForText("Done.", "✓ Which database should we use? SQLite");
  const { messages } = sandbox.model.requests.at(-1);
  assert.deepEqual(messages.slice(-2).map(({ role }) => role), ["assistant", "tool"]);
  assert.equal(messages.at(-1).tool_call_id, messages.at(-2).tool_calls[0].id);
  assert.equal(reply(sandbox).answers[0].answer, "SQLite");
  const asked = JSON.parse((await sandbox.ask("history", "--json")).out);
  assert.equal(asked.length, 1, "one question, however often it was shown");
  // The call has its outcome: continuing the session again asks nothing.
  again.press("C-d");
  assert.equal(await again.ended(), 0);
  const third = await sandbox.screen("-c", "thanks");
  await third.waitForText("Received: thanks");
});

test("the agent receives the edited file with pi -c", async (t) => {
  const sandbox = await Sandbox.open([asks(database), "I have asked.", "Going on."]);
  t.after(() => sandbox.close());
  await sandbox.pi("-p", "set it up");
  const file = JSON.parse(readFileSync(sandbox.file(), "utf8"));
  file.questions[0].answer = "SQLite";
  writeFileSync(sandbox.file(), JSON.stringify(file));
  const screen = await sandbox.screen("-c");
  await screen.waitForText("Going on.", "✓ Which database should we use? SQLite");
});

test("/questions shows, answers and clears", async (t) => {
  const sandbox = await Sandbox.open([asks(database), "I have asked.", "Going on."]);
  t.after(() => sandbox.close());
  await sandbox.pi("-p", "set it up");
  const screen = await sandbox.screen("-c", "/questions");
  await screen.waitForText(".pi/pending-questions.json", "Which database should we use?", "2) SQLite");
  await screen.send("/questions answer");
  await screen.waitForCard("Which database should we use?", "Database Selection", "waits for you");
  screen.press("2");
  await screen.waitForText("chosen");
  screen.press("Enter");
  await screen.waitForText("Going on.", "✓ Which database should we use? SQLite");
  const [answered] = JSON.parse((await sandbox.ask("history", "--json")).out);
  assert.equal(answered.answeredFrom.belowAgent, undefined, "the person answered");
  await screen.send("/questions clear");
  await screen.waitForText("No questions are pending in this folder.");
  await screen.send("/questions");
  await screen.waitForText("In this session:", "User was asked about 'Which database should we use?' and chose SQLite.");
});

test("what a background command of pi's shell answers fills in the form of the card", async (t) => {
  const program = process.env.ASK_USER_BIN;
  const answer = `until ${program} list --json | grep -q askId; do sleep 0.1; done; ${program} answer latest SQLite`;
  const bash = { tool: "bash", arguments: { command: `(${answer}) >/dev/null 2>&1 &` } };
  const sandbox = await Sandbox.open([bash, asks(database), "Done."]);
  t.after(() => sandbox.close());
  await sandbox.screen("set it up");
  const { askId } = await sandbox.waiting();
  const draft = await until("its draft", async () => (await sandbox.record(askId)).draft);
  assert.equal(draft.savedBy, "below pi");
});
