// What is tried with each client, as stories that wait for what they name.
import assert from "node:assert/strict";
import { join } from "node:path";
import { over, within } from "./bounds.mjs";
import { Terminal } from "./terminal.mjs";

/** A first start on a busy machine takes its time. */
export const PATIENCE_S = 150;

export const asking = (question, ...labels) => ({
  tool: "ask_human|ask_user",
  arguments: { questions: [{ id: "q", question, options: labels.map((label) => ({ label })) }] },
});

/** The record of a question that waits, with its agent. */
export function asked(inbox, question) {
  const is = ({ state, waiters, questions }) => state === "waiting" && waiters > 0 && questions[0].question === question;
  return inbox.until(`"${question}"`, PATIENCE_S, is);
}

const waiting = (inbox, run, question) => run.before(asked(inbox, question));

/** Waits for a client to end well, and for the inbox to know that its agent was told. */
async function told(inbox, run, ...records) {
  assert.equal(await within(`${run.trial.key} ends`, PATIENCE_S, run.ended), 0, "its exit code");
  for (const { askId } of records) await inbox.until(`${askId} delivered`, PATIENCE_S, (one) => one.askId === askId && one.delivered);
}

/** One client asks, and blocks; then asks two things at once. */
export async function asks(inbox, trial, terminal) {
  const { key, client } = trial;
  const [database, port, region] = ["database", "port", "region"].map((word) => `Which ${word}, ${key}?`);
  const turns = [
    asking(database, "PostgreSQL", "SQLite"),
    { calls: [asking(port, "80", "443"), asking(region, "north", "south")] },
  ];
  const run = trial.run(turns);
  const first = await waiting(inbox, run, database);
  const after = run.seconds();
  assert.match(first.asker.client, client.calls, "what it calls itself");
  assert.equal(first.asker.directory, trial.folder);
  assert.deepEqual([run.over, run.last()?.kind], [false, "turn"], "it blocks");
  if (terminal) {
    await inTerminal(inbox, trial, first);
  } else {
    await inbox.say("answer", first.askId, "--set", "PostgreSQL");
  }

  const second = await waiting(inbox, run, port);
  const third = client.serial ? undefined : await waiting(inbox, run, region);
  await inbox.say("answer", second.askId, "--other", "8080 and no other");
  const last = third ?? (await waiting(inbox, run, region));
  await inbox.say("decline", last.askId, "--reason", "not today").catch(({ code }) => assert.equal(code, 3));
  await told(inbox, run, first, second, last);

  const [one, two, three] = run.results().map(({ text }) => text);
  assert.match(one, /PostgreSQL/);
  assert.match(two, /8080 and no other/);
  assert.match(three, /not today/);
  assert.match(run.said, /PostgreSQL[^]*8080 and no other[^]*not today/, "what the model said of it is printed");
  const side = client.serial ? "then two things one after the other" : "then two things at once";
  return `asked after ${after} s, ${side}; ended after ${run.seconds()} s; its model heard ${JSON.stringify(one.slice(0, 250))}`;
}

/** The answer, by hand in the terminal inbox. */
async function inTerminal(inbox, { root, env }, { askId, questions: [{ question }] }) {
  const terminal = new Terminal(join(root, "tmux"), env, [inbox.program, "inbox", "--id", askId]);
  try {
    await terminal.until("the question", (screen) => screen.includes(question));
    await terminal.ready();
    terminal.send("1");
    await terminal.until("the choice", (screen) => /PostgreSQL +✓ chosen/.test(screen));
    terminal.send("Enter");
    await inbox.until("the answer", PATIENCE_S, (record) => record.askId === askId && record.state === "answered");
  } finally {
    terminal.close();
  }
}

/** All wait in one inbox, something happens, and each is given its own answer. */
async function together(inbox, trials, word, meanwhile) {
  const question = ({ key }) => `Which ${word}, ${key}?`;
  const mine = ({ key }) => `${word}-for-${key}`;
  const runs = trials.map((trial) => trial.run([asking(question(trial), "one", "two")]));
  const records = await Promise.all(runs.map((run) => waiting(inbox, run, question(run.trial))));
  const waits = JSON.parse(await inbox.say("list", "--json"));
  const seen = records.filter(({ askId }) => waits.some((one) => one.askId === askId));
  assert.equal(seen.length, trials.length, "all are in one inbox");
  const what = await meanwhile(runs, records);
  for (const [at, run] of runs.entries()) await inbox.say("answer", records[at].askId, "--other", mine(run.trial));
  for (const [at, run] of runs.entries()) {
    await told(inbox, run, records[at]);
    const texts = run.results().map(({ text }) => text).join("\n");
    assert.ok(texts.includes(mine(run.trial)), `${run.trial.key} was shown its own answer, not: ${texts}`);
    const foreign = trials.filter((trial) => trial !== run.trial && texts.includes(mine(trial)));
    assert.deepEqual(foreign, [], `${run.trial.key} was shown no other's answer`);
  }
  return `${trials.length} waited in one inbox${what}; each was given its own answer`;
}

export function killed(inbox, trials) {
  return together(inbox, trials, "server", async (runs, records) => {
    const { pid } = await inbox.hub();
    inbox.forget(...records);
    process.kill(pid, "SIGKILL");
    await Promise.all(runs.map((run, at) => waiting(inbox, run, records[at].questions[0].question)));
    assert.notEqual((await inbox.hub()).pid, pid, "it is another hub");
    return ", and in that of the next hub when the first was killed";
  });
}

export function held(inbox, trials, seconds) {
  return together(inbox, trials, "hour", async (runs) => {
    await Promise.race([over(seconds), ...runs.map((run) => run.ended)]);
    const gone = runs.filter((run) => run.over || run.last()?.kind !== "turn");
    assert.deepEqual(gone.map((run) => run.trial.key), [], `who didn't wait for ${seconds} s`);
    return ` for ${seconds} s`;
  });
}

/** All are interrupted while they wait; who asks the same again is given what was answered meanwhile. */
export async function late(inbox, trials) {
  const lines = await Promise.all(
    trials.map(async (trial) => {
      const { key } = trial;
      const question = `Which day, ${key}?`;
      const turns = [asking(question, "Monday", "Friday")];
      const first = trial.run(turns);
      const { askId } = await waiting(inbox, first, question);
      first.signal("SIGINT");
      const code = await within(`${key} ends when interrupted`, PATIENCE_S, first.ended);
      await inbox.until(`${key} has left`, PATIENCE_S, (record) => record.askId === askId && !record.waiters);
      await inbox.say("answer", askId, "--set", "Friday");
      const again = trial.runAgain(turns);
      await told(inbox, again, { askId });
      const { text } = again.results().at(-1);
      assert.match(text, /Friday/);
      if (!trial.client.unmarked) assert.match(text, /late/);
      return `${key} (${code})`;
    }),
  );
  return `interrupted with Ctrl+C, answered, and told when asking again: ${lines.join(", ")}`;
}
