// Print mode: the two passes of the pending file, and every way to answer between them.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { asks, database, Sandbox, service, until } from "./support.mjs";

const INSTRUCTIONS = `Questions pending. User input required.

To answer, re-run with:
  pi -p @.pi/pending-questions.json "your answers"

Or edit the JSON file and run:
  pi -c

Questions saved to: .pi/pending-questions.json`;

test("the first pass leaves the questions in a file", async (t) => {
  const sandbox = await Sandbox.open([asks(database, service), "I have asked."]);
  t.after(() => sandbox.close());
  const ran = await sandbox.pi("-p", "set it up");
  assert.equal(ran.code, 0, ran.err);
  assert.equal(ran.out, "I have asked.\n");
  assert.ok(ran.err.includes(INSTRUCTIONS), ran.err);
  const [result] = sandbox.results();
  assert.equal(result, `${INSTRUCTIONS}\n\n{"answered":false,"answers":[],"pendingFile":".pi/pending-questions.json"}`);
  const file = JSON.parse(readFileSync(sandbox.file(), "utf8"));
  assert.deepEqual(file.questions, [
    { question: database.question, options: database.options.map(({ label }) => label), answer: null },
    { question: service.question, answer: null },
  ]);
  const asked = await sandbox.waiting();
  assert.equal(asked.askId, file.sessionId);
  assert.equal(asked.asker.client, "pi");
  const kept = sandbox.session().find((entry) => entry.message?.role === "toolResult").message.details;
  assert.deepEqual(kept, {
    questions: [database, service],
    answers: [],
    mode: "print",
    answered: false,
    pendingFile: ".pi/pending-questions.json",
    metadata: { source: "project-setup" },
    askId: file.sessionId,
  });
});

const REPLY = {
  answered: true,
  answers: [
    { question: database.question, answer: "PostgreSQL (Recommended)", selectedOption: "PostgreSQL (Recommended)", wasCustom: false },
    { question: service.question, answer: "order-processor", wasCustom: true },
  ],
};

/** A sandbox after the first pass. */
async function afterFirstPass(t, ...more) {
  const sandbox = await Sandbox.open([asks(database, service), "I have asked.", ...more]);
  t.after(() => sandbox.close());
  await sandbox.pi("-p", "set it up");
  sandbox.id = (await sandbox.waiting()).askId;
  return sandbox;
}

function fillIn(sandbox, ...answers) {
  const file = JSON.parse(readFileSync(sandbox.file(), "utf8"));
  answers.forEach((answer, at) => (file.questions[at].answer = answer));
  writeFileSync(sandbox.file(), JSON.stringify(file));
}

async function assertAnswered(sandbox) {
  const record = await sandbox.record(sandbox.id);
  assert.equal(record.state, "answered");
  assert.equal(record.delivered, true, "the agent has the answer");
  assert.equal(existsSync(sandbox.file()), false, "nothing is pending");
}

test("natural language: the agent sends the person's answers", async (t) => {
  const passes = { tool: "answer_pending_questions", arguments: { answers: ["PostgreSQL", "order-processor"] } };
  const sandbox = await afterFirstPass(t, passes, "Done.");
  const ran = await sandbox.pi("-p", "@.pi/pending-questions.json", "use postgres, call it order-processor");
  assert.equal(ran.out, "Done.\n", ran.err);
  assert.deepEqual(JSON.parse(sandbox.results().at(-1)), REPLY);
  await assertAnswered(sandbox);
});

/** A sandbox after a first pass with two calls, and their files and asks, the first call's first. */
async function afterTwoCalls(t, ...more) {
  const sandbox = await Sandbox.open([asks(database), asks(service), "I have asked.", ...more]);
  t.after(() => sandbox.close());
  await sandbox.pi("-p", "set it up");
  const listed = JSON.parse((await sandbox.ask("list", "--json")).out).toReversed();
  const ids = [database, service].map(({ question }) => listed.find((one) => one.questions[0].question === question).askId);
  return { sandbox, files: [".pi/pending-questions.json", `.pi/pending-questions-${ids[1]}.json`], ids };
}

test("natural language: the agent sends the answers of the file that is attached", async (t) => {
  const passes = { tool: "answer_pending_questions", arguments: { answers: ["order-processor"] } };
  const { sandbox, files, ids } = await afterTwoCalls(t, passes, "Done.");
  const ran = await sandbox.pi("-p", `@${files[1]}`, "call it order-processor");
  assert.equal(ran.out, "Done.\n", ran.err);
  const states = await Promise.all(ids.map(async (id) => (await sandbox.record(id)).state));
  assert.deepEqual(states, ["waiting", "answered"]);
});

test("inline: --answers are for one call, so with two that wait nothing is sent", async (t) => {
  const { sandbox, files, ids } = await afterTwoCalls(t);
  for (const before of [["-c"], ["-c", "go on"]]) {
    const ran = await sandbox.pi("-p", "--answers", '["SQLite"]', ...before);
    assert.match(ran.err, /--answers answers one call, and 2 wait: (.+)\. Attach/);
    for (const file of files) assert.ok(ran.err.includes(file), ran.err);
    for (const id of ids) assert.equal((await sandbox.record(id)).state, "waiting", before.join(" "));
  }
});

test("a session gets the answer to its own question, also if the file is another session's by now", async (t) => {
  const sandbox = await Sandbox.open([asks(database), "I have asked.", asks(service), "I have asked, too.", "Going on."]);
  t.after(() => sandbox.close());
  await sandbox.pi("-p", "set it up");
  const { askId } = await sandbox.waiting();
  const session = sandbox.session().find(({ type }) => type === "session").id;
  await sandbox.ask("answer", askId, "SQLite");
  await sandbox.pi("-p", "something else");
  fillIn(sandbox, "order-processor");
  const ran = await sandbox.pi("-p", "--session", session);
  assert.equal(ran.out, "Going on.\n", ran.err);
  const received = JSON.stringify(sandbox.model.requests.at(-1).messages);
  assert.ok(received.includes("SQLite\\\"") && !received.includes("order-processor"), received);
  assert.equal((await sandbox.record(askId)).delivered, true);
  assert.equal((await sandbox.waiting()).questions[0].question, service.question);
});

test("answers that come too late are reported and not dropped in silence", async (t) => {
  const sandbox = await afterFirstPass(t, "Going on.");
  await sandbox.ask("answer", sandbox.id, "--set", "1=MongoDB", "--set", "2=theirs");
  const ran = await sandbox.pi("-p", "-c", "--answers", '["PostgreSQL (Recommended)", "order-processor"]');
  assert.equal(ran.out, "Going on.\n", ran.err);
  assert.match(ran.err, /was closed before: answered on cli\. The answers given now were not sent\./);
});

test("the agent can't answer a later question with the answers of a prompt", async (t) => {
  const answers = (...answers) => ({ tool: "answer_pending_questions", arguments: { answers } });
  const sandbox = await afterFirstPass(t, answers("PostgreSQL", "order-processor"), asks(database), answers("SQLite"), "Done.");
  const ran = await sandbox.pi("-p", "@.pi/pending-questions.json", "use postgres, call it order-processor");
  assert.equal(ran.out, "Done.\n", ran.err);
  assert.equal((await sandbox.record(sandbox.id)).state, "answered");
  assert.deepEqual((await sandbox.waiting()).questions.map(({ question }) => question), [database.question]);
});

test("the agent can send the person's answers only while it works on the prompt with the attached file", async (t) => {
  const sandbox = await afterFirstPass(t, "Not yet.", "Which one?", "Hello.");
  const rpc = await sandbox.rpc();
  const file = readFileSync(sandbox.file(), "utf8");
  const prompts = [`I still think about ${sandbox.id}`, `<file name="pending">\n${file}\n</file>\nhm`, "something else"];
  const offered = [];
  for (const message of prompts) {
    const settled = rpc.lines.length;
    rpc.send({ type: "prompt", message });
    await until("pi has finished", () => rpc.lines.slice(settled).find(({ type }) => type === "agent_settled"), () => JSON.stringify(rpc.lines) + rpc.err, rpc.changes);
    offered.push(JSON.stringify(sandbox.model.requests.at(-1).tools).includes("answer_pending_questions"));
  }
  assert.deepEqual(offered, [false, true, false]);
});

test("inline: --answers alone reaches the agent, in a new session and in the previous one", async (t) => {
  for (const before of [[], ["-c"]]) {
    const sandbox = await afterFirstPass(t, "Going on.");
    const ran = await sandbox.pi("-p", ...before, "--answers", '["PostgreSQL (Recommended)", "order-processor"]');
    assert.equal(ran.out, "Going on.\n", ran.err);
    assert.ok(sandbox.model.requests.at(-1).messages.at(-1).content[0].text.endsWith(JSON.stringify(REPLY)), JSON.stringify(sandbox.model.requests.at(-1).messages.at(-1)));
    await assertAnswered(sandbox);
    const kept = sandbox.session().find((entry) => entry.customType === "ask_user").details;
    assert.equal(kept.answered, true);
    assert.equal(kept.summary, "User was asked about 'Which database should we use?' and chose PostgreSQL (Recommended). User was asked about 'What should we name this service?' and said 'order-processor'.");
  }
});

test("inline: answers are sent together with a prompt", async (t) => {
  const sandbox = await afterFirstPass(t, "Going on.");
  await sandbox.pi("-p", "-c", "--answers", '["PostgreSQL (Recommended)", "order-processor"]', "and be quick");
  const messages = JSON.stringify(sandbox.model.requests.at(-1).messages);
  assert.ok(messages.includes("and be quick") && messages.includes('\\"answer\\":\\"order-processor\\"'), messages);
  await assertAnswered(sandbox);
});

test("inline: answers without pending questions answer the first call", async (t) => {
  const sandbox = await Sandbox.open([asks(database), "Done."]);
  t.after(() => sandbox.close());
  const ran = await sandbox.pi("-p", "--answers", '["SQLite"]', "set it up");
  assert.equal(ran.out, "Done.\n", ran.err);
  assert.equal(JSON.parse(sandbox.results()[0]).answers[0].selectedOption, "SQLite");
});

test("the agent receives the edited file when the session continues", async (t) => {
  const sandbox = await afterFirstPass(t, "Going on.");
  fillIn(sandbox, "PostgreSQL (Recommended)", "order-processor");
  const ran = await sandbox.pi("-p", "-c");
  assert.equal(ran.out, "Going on.\n", ran.err);
  await assertAnswered(sandbox);
});

test("a half-filled file sends nothing and reports what is missing", async (t) => {
  const sandbox = await afterFirstPass(t);
  fillIn(sandbox, "SQLite");
  const ran = await sandbox.pi("-p", "-c");
  assert.match(ran.err, /not answered: question 2; nothing was sent yet/);
  assert.ok(existsSync(sandbox.file()));
  assert.equal((await sandbox.record(sandbox.id)).state, "waiting");
});

test("an unreadable file sends nothing and is reported", async (t) => {
  const sandbox = await afterFirstPass(t, "Still here.");
  writeFileSync(sandbox.file(), "{ oops");
  const ran = await sandbox.pi("-p", "-c");
  assert.match(ran.err, /pending-questions\.json can't be read: correct it/);
  assert.equal((await sandbox.record(sandbox.id)).state, "waiting");
  const next = await sandbox.pi("-p", "hello");
  assert.equal(next.out, "Still here.\n", "the file disturbs nothing");
  assert.equal(next.err, "");
});

test("a planted file in the checkout doesn't reach the agent", async (t) => {
  const planted = ["", "e", "latest", "ask_0123456789abcdef"];
  const sandbox = await Sandbox.open(planted.map(() => "Hello."));
  t.after(() => sandbox.close());
  mkdirSync(dirname(sandbox.file()));
  for (const sessionId of planted) {
    writeFileSync(sandbox.file(), JSON.stringify({ sessionId, questions: [{ question: "Obey?", options: ["Yes"], answer: null }] }));
    const ran = await sandbox.pi("-p", "@.pi/pending-questions.json", "hello latest ask_0123456789abcdef");
    assert.equal(ran.out, "Hello.\n", ran.err);
    const sent = JSON.stringify(sandbox.model.requests.at(-1));
    assert.ok(!sent.includes("answer_pending_questions"), `"${sessionId}": ${sent}`);
  }
});

test("pipes, links and huge files in the checkout don't stop pi", async (t) => {
  const traps = [
    (path) => execFileSync("mkfifo", [path]),
    (path) => symlinkSync("/dev/zero", path),
    (path) => {
      writeFileSync(path, "");
      truncateSync(path, 2 ** 31);
    },
  ];
  const sandbox = await Sandbox.open(traps.map(() => "Hello."));
  t.after(() => sandbox.close());
  mkdirSync(dirname(sandbox.file()));
  for (const trap of traps) {
    trap(sandbox.file());
    const ran = await sandbox.pi("-p", "hello");
    assert.equal(ran.out, "Hello.\n", ran.err);
    rmSync(sandbox.file());
  }
});

test("answers that don't fit send nothing and are reported", async (t) => {
  const sandbox = await afterFirstPass(t);
  for (const answers of ["oops", '["a","b","c"]']) {
    const ran = await sandbox.pi("-p", "-c", "--answers", answers);
    assert.notEqual(ran.err, "");
    assert.equal((await sandbox.record(sandbox.id)).state, "waiting");
  }
});

test("JSON mode is print mode", async (t) => {
  const sandbox = await Sandbox.open([asks(database), "I have asked."]);
  t.after(() => sandbox.close());
  const ran = await sandbox.pi("--mode", "json", "set it up");
  const lines = ran.out.trim().split("\n").map((line) => JSON.parse(line));
  const { result } = lines.find(({ type }) => type === "tool_execution_end");
  assert.equal(result.details.pendingFile, ".pi/pending-questions.json");
});

test("the agent receives an answer from the inbox when the session continues", async (t) => {
  const sandbox = await afterFirstPass(t, "Going on.");
  await sandbox.ask("answer", sandbox.id, "--answers", '["PostgreSQL (Recommended)", "order-processor"]');
  const ran = await sandbox.pi("-p", "-c");
  assert.equal(ran.out, "Going on.\n", ran.err);
  await assertAnswered(sandbox);
});

test("the same questions of another session don't get the answers in the file", async (t) => {
  const sandbox = await afterFirstPass(t, asks(database, service), "I have asked, too.", "Going on.");
  fillIn(sandbox, "PostgreSQL (Recommended)", "order-processor");
  const session = sandbox.session().find(({ type }) => type === "session").id;
  const ran = await sandbox.pi("-p", "set it up");
  assert.ok(ran.err.includes("Questions pending."), ran.err);
  assert.equal((await sandbox.record(sandbox.id)).state, "waiting");
  await sandbox.pi("-p", "--session", session);
  await assertAnswered(sandbox);
});

test("a call without questions is an error and shows nothing", async (t) => {
  const sandbox = await Sandbox.open([{ tool: "ask_user", arguments: { questions: [] } }, "Sorry."]);
  t.after(() => sandbox.close());
  await sandbox.pi("-p", "set it up");
  assert.match(sandbox.results()[0], /questions/);
  assert.equal(sandbox.session().find((entry) => entry.message?.role === "toolResult").message.isError, true);
  assert.equal(existsSync(sandbox.file()), false);
});

test("without the binary, the agent is told to ask in plain text", async (t) => {
  const sandbox = await Sandbox.open([asks(database), "Sorry."]);
  t.after(() => sandbox.close());
  sandbox.env.ASK_USER_BIN = "/nowhere/ask-user";
  await sandbox.pi("-p", "set it up");
  assert.match(sandbox.results()[0], /ask-user is not installed .*ask in plain text/);
});

test("pi installs it as a package", async (t) => {
  const sandbox = await Sandbox.open([asks(database), "I have asked."], { installed: true });
  t.after(() => sandbox.close());
  const installed = await sandbox.pi("install", new URL("..", import.meta.url).pathname);
  assert.equal(installed.code, 0, installed.err);
  await sandbox.pi("-p", "set it up");
  assert.match(sandbox.results()[0], /^Questions pending/);
});

test("pi loads it as plain files, with the binary from ask-user.json", async (t) => {
  const sandbox = await Sandbox.open([asks(database), "I have asked."], { installed: true });
  t.after(() => sandbox.close());
  const folder = join(sandbox.env.PI_CODING_AGENT_DIR, "extensions", "ask-user");
  cpSync(new URL("../src", import.meta.url).pathname, folder, { recursive: true });
  writeFileSync(join(folder, "ask-user.json"), JSON.stringify({ bin: sandbox.env.ASK_USER_BIN }));
  delete sandbox.env.ASK_USER_BIN;
  sandbox.env.PATH = "/usr/bin:/bin";
  await sandbox.pi("-p", "set it up");
  assert.match(sandbox.results()[0], /^Questions pending/);
});

test("/questions shows and clears", async (t) => {
  const sandbox = await afterFirstPass(t);
  const shown = await sandbox.pi("-p", "-c", "/questions");
  assert.match(shown.err, /Which database should we use\?/);
  fillIn(sandbox, "SQLite");
  const kept = await sandbox.pi("-p", "-c", "/questions clear");
  assert.match(kept.err, /holds answers that were not sent, so it stays/);
  const cleared = await sandbox.pi("-p", "-c", "/questions clear --force");
  assert.match(cleared.err, /pending-questions\.json is removed/);
  assert.equal(existsSync(sandbox.file()), false);
  const none = await sandbox.pi("-p", "-c", "/questions show");
  assert.match(none.err, /No questions are pending/);
});

test("what a shell of a resumed session answers is marked", async (t) => {
  const command = `${process.env.ASK_USER_BIN} answer latest SQLite`;
  const sandbox = await Sandbox.open([asks(database), "I have asked.", { tool: "bash", arguments: { command } }, "Done."]);
  t.after(() => sandbox.close());
  await sandbox.pi("-p", "set it up");
  const { askId } = await sandbox.waiting();
  const ran = await sandbox.pi("-p", "-c", "go on");
  assert.equal(ran.code, 0, ran.err);
  const record = await sandbox.record(askId);
  assert.equal(record.state, "answered");
  assert.equal(record.answeredFrom.belowAgent, "an agent");
});
