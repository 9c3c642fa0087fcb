// What is tried with each client in a terminal, and with its own question tool.
import assert from "node:assert/strict";
import { join } from "node:path";
import { over } from "./bounds.mjs";
import { asked, asking, PATIENCE_S } from "./stories.mjs";
import { Terminal } from "./terminal.mjs";

/** Each terminal has a tmux of its own: the last one may still be ending. */
let servers = 0;

/** A client in a terminal that has asked, by this turn of its model. */
async function opened(inbox, { key, client, env, root, folder }, question, follow) {
  follow();
  const terminal = new Terminal(join(root, `tmux-${key}-${(servers += 1)}`), env, [client.program, ...client.typed("Ask me.")], folder);
  let record;
  asked(inbox, question).then((found) => (record = found), () => {});
  const dialogs = new Set();
  let late = false;
  over(2 * PATIENCE_S).then(() => (late = true));
  while (!record && !late) {
    const screen = terminal.screen();
    const [title, , ...keys] = client.dialogs?.find(([, looks]) => looks.test(screen)) ?? [];
    for (const press of keys) terminal.send(press), await terminal.changed(0.3);
    if (title) dialogs.add(title);
    await terminal.changed(0.5);
  }
  if (!record) {
    const screen = terminal.screen();
    terminal.close();
    assert.fail(`it never asked, but shows:\n${screen}`);
  }
  return { terminal, record, first: [...dialogs].map((title) => `, after ${title}`).join("") };
}

const shows = (text) => (screen) => /Heard/.test(screen) && screen.replace(/\s/g, "").includes(text);

/** It asks, waits for so long, and shows what its model heard; asked again, it is stopped with Esc. */
export async function typed(inbox, trial, seconds) {
  const begin = (question) => opened(inbox, trial, question, () => trial.follow([asking(question, "Monday", "Friday")]));
  const one = await begin(`Which week, ${trial.key}?`);
  if (seconds) {
    await over(seconds);
    assert.equal(trial.heard().findLast(({ kind }) => /turn|final/.test(kind)).kind, "turn", "it still waits");
  }
  await inbox.say("answer", one.record.askId, "--other", "the-one-in-june");
  try {
    await one.terminal.until("what the model heard", shows("the-one-in-june"));
    await inbox.until("delivered", 30, ({ askId, delivered }) => askId === one.record.askId && delivered);
  } finally {
    one.terminal.close();
  }

  const two = await begin(`Which month, ${trial.key}?`);
  let left = "Esc is not told to the server: the question keeps its agent";
  try {
    for (const times of [1, 2]) {
      for (let key = 0; key < times; key += 1) two.terminal.send("Escape"), await over(0.3);
      const gone = inbox.until("left", 5, ({ askId, waiters }) => askId === two.record.askId && !waiters);
      if (await gone.then(() => true, () => false)) {
        left = `Esc${times > 1 ? " twice" : ""} ends the call: the question is kept without an agent`;
        break;
      }
    }
  } finally {
    two.terminal.close();
  }
  const after = seconds ? ` after ${seconds} s` : "";
  return `asked and answered${after} in its terminal${one.first}; ${left}`;
}

/** Its own question tool, taken over: the question is in the inbox, and the answer its own. */
export async function taken(inbox, trial) {
  const { key, client } = trial;
  const question = `Which month, ${key}?`;
  const own = client.own(question, ["June", "July"]);
  const { terminal, record, first } = await opened(inbox, trial, question, () => trial.follow([own]));
  try {
    await inbox.say("answer", record.askId, "--set", "July");
    await terminal.until("what the model heard", shows("July"));
  } finally {
    terminal.close();
  }
  await inbox.until("delivered", 30, ({ askId, delivered }) => askId === record.askId && delivered);
  const { results } = trial.heard().findLast(({ kind }) => kind === "final");
  return `${own.tool} asked through the inbox${first}; its model heard: ${results.at(-1).text}`;
}
