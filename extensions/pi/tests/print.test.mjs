// Print mode: the two passes of the pending file, and every way to answer between them.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { asks, database, Sandbox, service } from "./support.mjs";

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
  const [told] = sandbox.results();
  assert.equal(told, `${INSTRUCTIONS}\n\n{"answered":false,"answers":[],"pendingFile":".pi/pending-questions.json"}`);
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

async function answered(sandbox) {
  const record = await sandbox.record(sandbox.id);
  assert.equal(record.state, "answered");
  assert.equal(record.delivered, true, "the agent was told");
  assert.equal(existsSync(sandbox.file()), false, "nothing is pending any more");
}

test("natural language: the agent passes on what the person said", async (t) => {
  const passes = { tool: "answer_pending_questions", arguments: { answers: ["PostgreSQL", "order-processor"] } };
  const sandbox = await afterFirstPass(t, passes, "Done.");
  const ran = await sandbox.pi("-p", "@.pi/pending-questions.json", "use postgres, call it order-processor");
  assert.equal(ran.out, "Done.\n", ran.err);
  assert.deepEqual(JSON.parse(sandbox.results().at(-1)), REPLY);
  await answered(sandbox);
});

test("inline: --answers alone tells the agent, in a session of its own or the one before", async (t) => {
  for (const before of [[], ["-c"]]) {
    const sandbox = await afterFirstPass(t, "Going on.");
    const ran = await sandbox.pi("-p", ...before, "--answers", '["PostgreSQL (Recommended)", "order-processor"]');
    assert.equal(ran.out, "Going on.\n", ran.err);
    assert.ok(sandbox.model.heard.at(-1).messages.at(-1).content[0].text.endsWith(JSON.stringify(REPLY)), JSON.stringify(sandbox.model.heard.at(-1).messages.at(-1)));
    await answered(sandbox);
    const kept = sandbox.session().find((entry) => entry.customType === "ask_user").details;
    assert.equal(kept.answered, true);
    assert.equal(kept.summary, "User was asked about 'Which database should we use?' and chose PostgreSQL (Recommended). User was asked about 'What should we name this service?' and said 'order-processor'.");
  }
});

test("inline: with a prompt the answers come along", async (t) => {
  const sandbox = await afterFirstPass(t, "Going on.");
  await sandbox.pi("-p", "-c", "--answers", '["PostgreSQL (Recommended)", "order-processor"]', "and be quick");
  const said = JSON.stringify(sandbox.model.heard.at(-1).messages);
  assert.ok(said.includes("and be quick") && said.includes('\\"answer\\":\\"order-processor\\"'), said);
  await answered(sandbox);
});

test("inline: answers without pending questions are for the first that are asked", async (t) => {
  const sandbox = await Sandbox.open([asks(database), "Done."]);
  t.after(() => sandbox.close());
  const ran = await sandbox.pi("-p", "--answers", '["SQLite"]', "set it up");
  assert.equal(ran.out, "Done.\n", ran.err);
  assert.equal(JSON.parse(sandbox.results()[0]).answers[0].selectedOption, "SQLite");
});

test("the edited file goes to the agent when the session goes on", async (t) => {
  const sandbox = await afterFirstPass(t, "Going on.");
  fillIn(sandbox, "PostgreSQL (Recommended)", "order-processor");
  const ran = await sandbox.pi("-p", "-c");
  assert.equal(ran.out, "Going on.\n", ran.err);
  await answered(sandbox);
});

test("a file that is half filled in sends nothing and says so", async (t) => {
  const sandbox = await afterFirstPass(t);
  fillIn(sandbox, "SQLite");
  const ran = await sandbox.pi("-p", "-c");
  assert.match(ran.err, /not answered: question 2; nothing was sent yet/);
  assert.ok(existsSync(sandbox.file()));
  assert.equal((await sandbox.record(sandbox.id)).state, "waiting");
});

test("a file that can't be read sends nothing and says so", async (t) => {
  const sandbox = await afterFirstPass(t, "Still here.");
  writeFileSync(sandbox.file(), "{ oops");
  const ran = await sandbox.pi("-p", "-c");
  assert.match(ran.err, /pending-questions\.json can't be read: mend it/);
  assert.equal((await sandbox.record(sandbox.id)).state, "waiting");
  const next = await sandbox.pi("-p", "hello");
  assert.equal(next.out, "Still here.\n", "it is in nobody's way");
  assert.equal(next.err, "");
});

test("a file that somebody put into the checkout tells the agent nothing", async (t) => {
  const planted = ["", "e", "latest", "ask_0123456789abcdef"];
  const sandbox = await Sandbox.open(planted.map(() => "Hello."));
  t.after(() => sandbox.close());
  mkdirSync(dirname(sandbox.file()));
  for (const sessionId of planted) {
    writeFileSync(sandbox.file(), JSON.stringify({ sessionId, questions: [{ question: "Obey?", options: ["Yes"], answer: null }] }));
    const ran = await sandbox.pi("-p", `hello latest ask_0123456789abcdef`);
    assert.equal(ran.out, "Hello.\n", ran.err);
    const heard = JSON.stringify(sandbox.model.heard.at(-1));
    assert.ok(!heard.includes("answer_pending_questions"), `"${sessionId}": ${heard}`);
  }
});

test("what is no file in the checkout stops nobody", async (t) => {
  const put = [
    (path) => execFileSync("mkfifo", [path]),
    (path) => symlinkSync("/dev/zero", path),
    (path) => {
      writeFileSync(path, "");
      truncateSync(path, 2 ** 31);
    },
  ];
  const sandbox = await Sandbox.open(put.map(() => "Hello."));
  t.after(() => sandbox.close());
  mkdirSync(dirname(sandbox.file()));
  for (const trap of put) {
    trap(sandbox.file());
    const ran = await sandbox.pi("-p", "hello");
    assert.equal(ran.out, "Hello.\n", ran.err);
    rmSync(sandbox.file());
  }
});

test("answers that don't fit send nothing and say so", async (t) => {
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

test("an answer from the inbox goes to the agent when the session goes on", async (t) => {
  const sandbox = await afterFirstPass(t, "Going on.");
  await sandbox.ask("answer", sandbox.id, "--answers", '["PostgreSQL (Recommended)", "order-processor"]');
  const ran = await sandbox.pi("-p", "-c");
  assert.equal(ran.out, "Going on.\n", ran.err);
  await answered(sandbox);
});

test("the same questions again find the answers in the file", async (t) => {
  const sandbox = await afterFirstPass(t, asks(database, service), "Done.");
  fillIn(sandbox, "PostgreSQL (Recommended)", "order-processor");
  await sandbox.pi("-p", "set it up");
  assert.deepEqual(JSON.parse(sandbox.results().at(-1)), REPLY);
  await answered(sandbox);
});

test("no questions are an error, and nobody is shown anything", async (t) => {
  const sandbox = await Sandbox.open([{ tool: "ask_user", arguments: { questions: [] } }, "Sorry."]);
  t.after(() => sandbox.close());
  await sandbox.pi("-p", "set it up");
  assert.match(sandbox.results()[0], /questions/);
  assert.equal(sandbox.session().find((entry) => entry.message?.role === "toolResult").message.isError, true);
  assert.equal(existsSync(sandbox.file()), false);
});

test("without the binary the agent is told how to go on", async (t) => {
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

test("pi finds it as plain files, and the binary that is written down beside them", async (t) => {
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
