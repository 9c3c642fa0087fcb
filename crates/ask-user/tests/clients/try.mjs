// Tries agent clients: node try.mjs [--takeover|--typed] [--hold SECONDS] PROGRAM [CLIENT…]. See run for the rest.
//
// In a home of its own, each client is pointed at a scripted model, and `ask-user register --all` does
// the rest. Then the stories are told:
//   asks    one client after the other: it asks, and blocks; the answer is its tool's result; then it
//           asks two things at once, of which one is answered and the other declined
//   killed  all clients at once, one inbox; the hub is killed while they wait; each gets its own answer
//   late    all clients are interrupted while they wait, and answered when they are gone; each asks the
//           same again and is given the answer at once
//   held    (with --hold, and then alone) all clients wait for so long
//   typed   (with --typed, and then alone) each in a terminal: it asks, waits for as long as --hold says,
//           and shows what its model heard; asked again, it is stopped with Esc
//   taken   (with --takeover, and then alone) each in a terminal, with its own question tool
// Prints a line for each that held or didn't; the exit code is 1 if one didn't.
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { clients } from "./clients.mjs";
import { Inbox } from "./inbox.mjs";
import { asks, held, killed, late } from "./stories.mjs";
import { endAll, Trial } from "./trial.mjs";
import { taken, typed } from "./typed.mjs";

const args = process.argv.slice(2);
const takeover = args[0] === "--takeover" && Boolean(args.shift());
const interactive = args[0] === "--typed" && Boolean(args.shift());
const seconds = args[0] === "--hold" ? Number(args.splice(0, 2)[1]) : 0;
const [program, ...named] = args;
const keys = named.length > 0 ? named : Object.keys(clients).filter((key) => clients[key].installed);
const unknown = keys.find((key) => !clients[key]);
if (!program || unknown) {
  console.error(unknown ? `There is no client ${unknown}: there are ${Object.keys(clients).join(", ")}.` : "run says how.");
  process.exit(2);
}

const root = mkdtempSync(join(tmpdir(), "clients-"));
const home = join(root, "home");
mkdirSync(home);
const nowhere = "http://127.0.0.1:9";
const env = {
  PATH: process.env.PATH,
  HOME: home,
  TERM: "xterm-256color",
  LANG: "C.UTF-8",
  ...Object.fromEntries(["HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"].map((name) => [name, nowhere])),
  NO_PROXY: "127.0.0.1,localhost",
  no_proxy: "127.0.0.1,localhost",
};
const inbox = new Inbox(program, env);
const trials = [];
let failed = 0;

async function tell(name, story) {
  const began = Date.now();
  const line = (mark, text) => console.log(`${mark} ${name}: ${text} (${Math.round((Date.now() - began) / 1_000)} s)`);
  try {
    line("ok    ", await story());
  } catch (error) {
    failed += 1;
    line("FAILED", `${error.message}${error.stderr ? `\n${error.stderr}` : ""}`);
  }
}

/** One command for all of them; said again, it finds nothing to do. */
async function registered() {
  const how = ["register", "--all", ...(takeover ? ["--takeover"] : [])];
  const first = await inbox.say(...how);
  const again = await inbox.say(...how);
  return `${first}\nand again:\n${again}`;
}

try {
  for (const key of keys) trials.push(await Trial.begin(key, clients[key], root, env));
  await tell("register --all", () => registered());
  await tell("doctor", () => inbox.say("doctor"));
  await inbox.open();
  if (takeover) {
    for (const trial of trials) await tell(`taken, ${trial.key}`, () => taken(inbox, trial));
  } else if (interactive) {
    for (const trial of trials) await tell(`typed, ${trial.key}`, () => typed(inbox, trial, seconds));
  } else if (seconds) {
    await tell("held", () => held(inbox, trials, seconds));
  } else {
    for (const [at, trial] of trials.entries()) await tell(`asks, ${trial.key}`, () => asks(inbox, trial, at === 0));
    await tell("killed", () => killed(inbox, trials));
    await tell("late", () => late(inbox, trials));
  }
} finally {
  // In this order: an agent that still waits would start the next hub.
  endAll();
  await inbox.close();
}
if (failed > 0) {
  console.log(`What each client said, and what its model was sent, is in ${root}.`);
  process.exit(1);
}
try {
  rmSync(root, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
} catch (error) {
  // What a client left running may still write; nobody looks at it any more.
  console.log(`${root} is left: ${error.message}`);
}
