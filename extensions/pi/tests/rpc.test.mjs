// RPC mode: pi's own dialogs, the lines of ask_user_request, and a client that disconnects; and what
// a session stores, which is easiest to inspect in this mode.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { asks, database, features, Sandbox, service, until } from "./support.mjs";

async function asking(t, turns, ...args) {
  const sandbox = await Sandbox.open(turns);
  t.after(() => sandbox.close());
  const rpc = await sandbox.rpc(...args);
  rpc.send({ id: "p", type: "prompt", message: "set it up" });
  return { sandbox, rpc };
}

function settled(rpc) {
  return rpc.waitForLine("the end of the run", (line) => line.type === "agent_settled");
}

function reply(sandbox) {
  return JSON.parse(sandbox.results().at(-1));
}

test("pi's dialogs ask question by question, with room for own words", async (t) => {
  const { sandbox, rpc } = await asking(t, [asks(database, service, features), "Done."]);
  const which = await rpc.dialog("select");
  assert.equal(which.title, "(1/3) Database Selection\n\nWhich database should we use?");
  assert.deepEqual(which.options, [
    "1. PostgreSQL (Recommended) — Battle-tested relational DB",
    "2. SQLite — Lightweight, file-based",
    "3. MongoDB — Document store",
    "Other (type your answer)",
  ]);
  rpc.reply(which, { value: which.options[3] });
  rpc.reply(await rpc.dialog("input"), { value: "DynamoDB" });
  rpc.reply(await rpc.dialog("input"), { value: "order-processor" });
  for (const pick of [0, 2, 4]) {
    const many = await rpc.dialog("select");
    rpc.reply(many, { value: many.options[pick] });
  }
  await settled(rpc);
  assert.deepEqual(reply(sandbox), {
    answered: true,
    answers: [
      { question: database.question, answer: "DynamoDB", wasCustom: true },
      { question: service.question, answer: "order-processor", wasCustom: true },
      { question: features.question, answer: ["Authentication", "Admin Dashboard"], wasCustom: false },
    ],
  });
  const kept = sandbox.session().find((entry) => entry.message?.role === "toolResult").message.details;
  assert.equal(kept.mode, "rpc");
});

test("/questions answer shows what was asked, whatever the file says by now", async (t) => {
  const sandbox = await Sandbox.open([asks(database), "I have asked.", "Going on."]);
  t.after(() => sandbox.close());
  await sandbox.pi("-p", "set it up");
  const content = readFileSync(sandbox.file(), "utf8");
  writeFileSync(sandbox.file(), content.replace("Which database should we use?", "Nice weather?").replace("SQLite", "Yes"));
  const rpc = await sandbox.rpc();
  rpc.send({ id: "q", type: "prompt", message: "/questions answer" });
  const which = await rpc.dialog("select");
  assert.equal(which.title, "Database Selection\n\nWhich database should we use?");
  assert.match(which.options[1], /SQLite/);
  rpc.reply(which, { value: which.options[1] });
  await settled(rpc);
  const details = sandbox.session().flatMap((entry) => entry.details ?? []);
  assert.equal(details.at(-1).questions[0].question, database.question, "as the session stores it");
});

test("digits in own words pick no option", async (t) => {
  const { sandbox, rpc } = await asking(t, [asks(database, features), "Done."]);
  const which = await rpc.dialog("select");
  rpc.reply(which, { value: which.options.at(-1) });
  rpc.reply(await rpc.dialog("input"), { value: "2" });
  const many = await rpc.dialog("select");
  rpc.reply(many, { value: many.options.at(-2) });
  rpc.reply(await rpc.dialog("input"), { value: "1" });
  const filled = await rpc.dialog("select");
  rpc.reply(filled, { value: filled.options.at(-1) });
  await settled(rpc);
  const [one, other] = reply(sandbox).answers;
  assert.deepEqual([one.answer, one.selectedOption, one.wasCustom], ["2", undefined, true]);
  assert.deepEqual([other.answer, other.wasCustom], [["1"], true]);
});

test("what was answered in a dialog is kept as a draft when pi is killed", async (t) => {
  const { sandbox, rpc } = await asking(t, [asks(database, service)]);
  const which = await rpc.dialog("select");
  rpc.reply(which, { value: which.options.at(-1) });
  rpc.reply(await rpc.dialog("input"), { value: "DynamoDB" });
  await rpc.dialog("input");
  rpc.child.kill("SIGKILL");
  const { askId } = await sandbox.waiting();
  const draft = await until("the draft", async () => (await sandbox.record(askId)).draft);
  assert.equal(draft.answers[0].own, "DynamoDB");
  assert.equal(draft.savedBy, "rpc");
});

test("dismissing a dialog cancels, after a confirmation if something is answered", async (t) => {
  const { sandbox, rpc } = await asking(t, [asks(database, service), "Never mind."]);
  const which = await rpc.dialog("select");
  rpc.reply(which, { value: which.options[0] });
  rpc.reply(await rpc.dialog("input"), { cancelled: true });
  const sure = await rpc.dialog("confirm");
  assert.equal(sure.title, "Discard 1 answer?");
  rpc.reply(sure, { confirmed: false });
  rpc.reply(await rpc.dialog("input"), { cancelled: true });
  rpc.reply(await rpc.dialog("confirm"), { confirmed: true });
  await settled(rpc);
  assert.deepEqual(reply(sandbox), { answered: false, answers: [], cancelled: true });
});

test("a long answer needs one confirmation", async (t) => {
  const { sandbox, rpc } = await asking(t, [asks(service), "Done."]);
  const long = "x".repeat(2847);
  rpc.reply(await rpc.dialog("input"), { value: long });
  const sure = await rpc.dialog("confirm");
  assert.equal(`${sure.title} ${sure.message}`, "Answer is long (2,847 chars). Continue anyway?");
  rpc.reply(sure, { confirmed: true });
  await settled(rpc);
  assert.equal(reply(sandbox).answers[0].answer, long);
});

test("an answer from elsewhere ends the dialog", async (t) => {
  const { sandbox, rpc } = await asking(t, [asks(database), "Done."]);
  await rpc.dialog("select");
  await sandbox.ask("answer", "latest", "--set", "2");
  await settled(rpc);
  assert.equal(reply(sandbox).answers[0].answer, "SQLite");
});

test("an abort ends the call, and the question stays open", async (t) => {
  const { sandbox, rpc } = await asking(t, [asks(database)]);
  await rpc.dialog("select");
  rpc.send({ id: "a", type: "abort" });
  const result = await rpc.waitForLine("a result", (line) => line.type === "tool_execution_end");
  assert.equal(result.isError, true);
  assert.match(result.result.content[0].text, /^Interrupted\. The question stays open/);
  assert.equal((await sandbox.waiting()).state, "waiting");
});

test("a client that supports ask_user_request receives the whole call and answers it at once", async (t) => {
  const { sandbox, rpc } = await asking(t, [asks(database, service), "Done."], "--ask-user-rpc");
  const request = await rpc.waitForLine("a request", (line) => line.type === "ask_user_request");
  assert.deepEqual(request.questions.map(({ question }) => question), [database.question, service.question]);
  assert.deepEqual(request.metadata, { source: "project-setup" });
  rpc.send({ type: "ask_user_response", requestId: request.requestId, answers: ["SQLite"] });
  const again = await rpc.waitForLine("the request again", (line) => line.type === "ask_user_request");
  rpc.send({ type: "ask_user_response", requestId: again.requestId, answers: ["SQLite", "order-processor"] });
  await settled(rpc);
  assert.deepEqual(reply(sandbox).answers.map(({ answer }) => answer), ["SQLite", "order-processor"]);
});

test("a client that supports ask_user_request cancels, and is notified of an answer from elsewhere", async (t) => {
  const { sandbox, rpc } = await asking(t, [asks(database), asks(service), "Done."], "--ask-user-rpc");
  const first = await rpc.waitForLine("a request", (line) => line.type === "ask_user_request");
  rpc.send({ type: "ask_user_response", requestId: first.requestId, cancelled: true });
  const second = await rpc.waitForLine("the next request", (line) => line.type === "ask_user_request");
  await sandbox.ask("answer", second.requestId, "--other", "1=order-processor");
  await rpc.waitForLine("its end", (line) => line.type === "ask_user_closed" && line.requestId === second.requestId);
  await settled(rpc);
  assert.deepEqual(sandbox.results().map((text) => JSON.parse(text).answered), [false, true]);
});

test("the session records that the client disconnected, and the question stays open", async (t) => {
  for (const args of [[], ["--ask-user-rpc"]]) {
    const { sandbox, rpc } = await asking(t, [asks(database)], ...args);
    await rpc.waitForLine("a question", (line) => line.type === "ask_user_request" || line.method === "select");
    rpc.child.stdin.end();
    await rpc.ended;
    const result = sandbox.session().find((entry) => entry.message?.role === "toolResult").message;
    assert.equal(result.content[0].text, '{"answered":false,"answers":[],"connectionLost":true}');
    assert.equal(result.details.connectionLost, true);
    assert.equal((await sandbox.waiting()).state, "waiting");
  }
});

test("the interrupted question is asked again with the next client", async (t) => {
  const { sandbox, rpc } = await asking(t, [asks(database), "Done."]);
  await rpc.dialog("select");
  rpc.child.kill("SIGKILL");
  await rpc.ended;
  const next = await sandbox.rpc("-c");
  const which = await next.dialog("select");
  next.reply(which, { value: which.options[1] });
  await settled(next);
  assert.equal(reply(sandbox).answers[0].answer, "SQLite");
});

test("an outcome after an interruption belongs to its own call, also if a later call has the same id", async (t) => {
  const turns = [{ ...asks(database), id: "call_0" }, { ...asks(service), id: "call_0" }, "Done."];
  const { sandbox, rpc } = await asking(t, turns);
  await rpc.dialog("select");
  rpc.child.kill("SIGKILL");
  await rpc.ended;
  const next = await sandbox.rpc("-c");
  const which = await next.dialog("select");
  next.reply(which, { value: which.options[1] });
  const name = await next.dialog("input");
  next.reply(name, { value: "order-processor" });
  await settled(next);
  const results = sandbox.model.requests.at(-1).messages.filter(({ role }) => role === "tool");
  assert.deepEqual(results.map(({ content }) => JSON.stringify(content).match(/SQLite|order-processor/g)), [["SQLite", "SQLite"], ["order-processor"]]);
});

async function request(rpc, command) {
  const id = `c${Math.random()}`;
  rpc.send({ id, ...command });
  const line = await rpc.waitForLine(`a response to ${command.type}`, (one) => one.type === "response" && one.id === id);
  assert.equal(line.success, true, JSON.stringify(line));
  return line.data;
}

async function answer(rpc, index) {
  const which = await rpc.dialog("select");
  rpc.reply(which, { value: which.options[index] });
  await settled(rpc);
}

test("a branch from before the question doesn't have its answer, and the other branch still does", async (t) => {
  const { sandbox, rpc } = await asking(t, ["Ready.", asks(database), "Done.", asks(database), "Done again."]);
  await settled(rpc);
  rpc.send({ id: "q", type: "prompt", message: "ask me" });
  await answer(rpc, 1);
  const { sessionFile } = await request(rpc, { type: "get_state" });
  const showQuestions = async () => {
    rpc.send({ id: "q", type: "prompt", message: "/questions" });
    return (await rpc.dialog("notify")).message;
  };
  assert.match(await showQuestions(), /chose SQLite/);
  const { messages } = await request(rpc, { type: "get_fork_messages" });
  await request(rpc, { type: "fork", entryId: messages.find(({ text }) => text === "ask me").entryId });
  assert.doesNotMatch(await showQuestions(), /chose/);
  rpc.send({ id: "q", type: "prompt", message: "ask me" });
  await answer(rpc, 2);
  assert.match(await showQuestions(), /chose MongoDB/);
  await request(rpc, { type: "switch_session", sessionPath: sessionFile });
  assert.match(await showQuestions(), /chose SQLite/);
  assert.doesNotMatch(await showQuestions(), /MongoDB/);
});

test("a compaction keeps questions and answers", async (t) => {
  const { sandbox, rpc } = await asking(t, [asks(database), "Done.", "More.", "Still more."]);
  await answer(rpc, 1);
  for (const message of ["go on ".repeat(50), "and on ".repeat(50)]) {
    rpc.send({ id: "m", type: "prompt", message });
    await settled(rpc);
  }
  const { summary } = await request(rpc, { type: "compact" });
  assert.match(summary, /^A summary\./);
  assert.ok(summary.includes("\n\n## Questions and answers\n\n- User was asked about 'Which database should we use?' and chose SQLite."), summary);
  rpc.send({ id: "m", type: "prompt", message: "what was it?" });
  await settled(rpc);
  assert.ok(JSON.stringify(sandbox.model.requests.at(-1).messages).includes("chose SQLite"));
});
