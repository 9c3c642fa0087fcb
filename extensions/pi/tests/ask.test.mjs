// What the extension reads from the binary's output, without pi.
import assert from "node:assert/strict";
import { test } from "node:test";
import { buildDetails, parseOutcome } from "../src/ask.ts";
import { database } from "./support.mjs";

const REPLY = { answered: true, answers: [{ question: database.question, answer: "SQLite", selectedOption: "SQLite", wasCustom: false }] };

function parse(result) {
  return parseOutcome({ code: 0, out: `${JSON.stringify({ isError: false, ...result })}\n`, err: "" });
}

const text = (text) => ({ type: "text", text });

test("an answer from below an agent is marked for the model and in the session", () => {
  const doubt = "This came from a program that was started below an agent (answeredFrom: sh, process 7, without a terminal, below claude-code).";
  const origin = { pid: 7, program: "sh", belowAgent: "claude-code" };
  const outcome = parse({
    content: [text(JSON.stringify(REPLY)), text(doubt)],
    structuredContent: REPLY,
    _meta: { "ask-user/askId": "a_1", "ask-user/answeredFrom": origin },
  });
  assert.equal(outcome.text, `${JSON.stringify(REPLY)}\n\n${doubt}`);
  const details = buildDetails({ questions: [database] }, "interactive", outcome);
  assert.deepEqual(details.answeredFrom, origin);
  assert.equal(details.answered, true);
});

test("what the extension sent for the person is marked in the session only", () => {
  const doubt = "This came from a program that was started below an agent (answeredFrom: ask-user, process 7).";
  const ran = (belowAgent) => ({
    pid: 7,
    code: 0,
    out: JSON.stringify({ content: [text(JSON.stringify(REPLY)), text(doubt)], structuredContent: REPLY, isError: false, _meta: { "ask-user/answeredFrom": { pid: 7, belowAgent } } }),
    err: "",
  });
  const own = parseOutcome(ran("pi"), ran("pi"));
  assert.equal(own.text, JSON.stringify(REPLY));
  assert.equal(own.answeredFrom.belowAgent, "pi");
  for (const outcome of [parseOutcome(ran("pi")), parseOutcome(ran("pi"), { ...ran("pi"), pid: 8 }), parseOutcome(ran("claude-code"), ran("claude-code"))]) {
    assert.ok(outcome.text.endsWith(doubt), outcome.text);
  }
});

test("an answer with attached files is read from its text, and the model learns their paths", () => {
  const files = "With the answers the user sent:\n- a.png";
  const outcome = parse({ content: [text(JSON.stringify(REPLY)), text(files)] });
  assert.deepEqual(outcome.reply, REPLY);
  assert.equal(outcome.text, `${JSON.stringify(REPLY)}\n\n${files}`);
});

test("an answer of the person has nothing more", () => {
  const outcome = parse({ content: [text(JSON.stringify(REPLY))], structuredContent: REPLY });
  assert.equal(outcome.text, JSON.stringify(REPLY));
  assert.equal(buildDetails({ questions: [database] }, "print", outcome).answeredFrom, undefined);
});
