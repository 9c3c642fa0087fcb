// Interactive mode, on a real terminal: the card on pi's own terminal, and every way it can end.
import assert from "node:assert/strict";
import { test } from "node:test";
import { asks, database, features, Sandbox, service, until } from "./support.mjs";

async function asking(t, turns, ...args) {
  const sandbox = await Sandbox.open(turns);
  t.after(() => sandbox.close());
  const screen = await sandbox.screen(...args);
  await screen.send("set it up");
  return { sandbox, screen };
}

test("a question with options is asked on pi's terminal and answered by a key", async (t) => {
  const { sandbox, screen } = await asking(t, [asks(database), "Done."]);
  await screen.ready("Which database should we use?", "1. PostgreSQL  (Recommended)", "Battle-tested relational DB", "Other (type your answer)");
  screen.press("2");
  await screen.see("chosen");
  screen.press("Enter");
  await screen.see("Done.", "✓ Which database should we use? SQLite");
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
  await screen.see("Heard: thanks");
});
