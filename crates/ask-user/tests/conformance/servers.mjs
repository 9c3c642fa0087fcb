// The two servers as the suite meets them. The product is the real binary: a hub in a home of its
// own, a person who answers everything, and a door that adds the token, because the suite has none.

import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

/** Nothing that is started here outlives us. */
const children = new Set();
process.on("exit", () => children.forEach((child) => child.kill()));
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => process.exit(1));

function begin(binary, args, env) {
  const child = spawn(binary, args, { env, stdio: ["ignore", "pipe", "inherit"] });
  children.add(child);
  const lines = createInterface(child.stdout);
  const ended = once(child, "exit").finally(() => children.delete(child));
  const first = Promise.race([
    once(lines, "line").then(([line]) => line),
    ended.then(([code]) => Promise.reject(new Error(`${binary} ${args.join(" ")} ended with ${code}`))),
  ]);
  const stop = async () => {
    child.kill();
    await ended;
  };
  return { lines, first, stop };
}

/** The fixture, serving at `url` until `stop`. */
export async function fixture(binary) {
  const server = begin(binary, [], process.env);
  return { url: await server.first, stop: server.stop };
}

/** What the suite runs but doesn't count, and only a fixture can pass. */
const WITHOUT = /^(tasks-.*|json-schema-2020-12|http-custom-header-server-validation)$/;

/** The real binary, serving at `url` until `stop`; `baseline` and `without` name what it doesn't have. */
export async function product(binary) {
  // A short path, because a socket in it must have one.
  const home = mkdtempSync(join(tmpdir(), "ask-user-"));
  process.on("exit", () => rmSync(home, { recursive: true, force: true }));
  const foreign = ([name]) => !/^(ASK_USER|CN_MCP)_/.test(name);
  const env = Object.fromEntries(Object.entries(process.env).filter(foreign));
  // This process is the agent and starts its person.
  Object.assign(env, { ASK_USER_HOME: home, CN_MCP_PORT: "0", ASK_USER_TEST_PERSON: String(process.pid) });

  const hub = begin(binary, ["hub", "--foreground"], env);
  await hub.first;
  const { port, token } = JSON.parse(readFileSync(join(home, "hub.json"), "utf8"));
  const person = answerEverything(binary, env);
  const door = await open(port, token);
  const url = `http://127.0.0.1:${door.address().port}/mcp`;
  await prove(url);
  const stop = async () => {
    door.closeAllConnections();
    door.close();
    await person.stop();
    await hub.stop();
  };
  return { url, stop, baseline: (revision) => `baseline-${revision}.yml`, without: WITHOUT };
}

/** A surface that gives every ask the first answer it offers. */
function answerEverything(binary, env) {
  const watch = begin(binary, ["watch", "--json"], env);
  watch.first.catch(() => {});
  watch.lines.on("line", (line) => {
    const { askId, state, questions } = JSON.parse(line);
    if (state !== "waiting") return;
    const first = ({ type, options }) => options?.[0]?.label ?? (type === "confirm" ? "yes" : "fine");
    // Whoever asked may have left meanwhile; then there is nothing to answer.
    execFile(binary, ["answer", askId, "--answers", JSON.stringify(questions.map(first))], { env }, () => {});
  });
  return watch;
}

/** A server on a free port that hands everything on, with the token. */
async function open(port, token) {
  const door = createServer((incoming, outgoing) => {
    const headers = { ...incoming.headers, authorization: `Bearer ${token}` };
    const { url: path, method } = incoming;
    const onward = request({ host: "127.0.0.1", port, path, method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode, answer.headers);
      outgoing.flushHeaders();
      answer.pipe(outgoing);
    });
    onward.on("error", () => outgoing.destroy());
    outgoing.on("close", () => onward.destroy());
    incoming.pipe(onward);
  });
  door.listen(0, "127.0.0.1");
  await once(door, "listening");
  return door;
}

/** Asks once, because the suite asks nothing that reaches a person. */
async function prove(url) {
  const version = "2026-07-28";
  const options = [{ label: "Left" }, { label: "Right" }];
  const call = {
    name: "ask_user",
    arguments: { questions: [{ question: "Which way?", type: "select", options }] },
    _meta: {
      "io.modelcontextprotocol/protocolVersion": version,
      "io.modelcontextprotocol/clientCapabilities": {},
      "io.modelcontextprotocol/clientInfo": { name: "conformance", version: "1" },
    },
  };
  const response = await fetch(url, {
    method: "POST",
    headers: {
      accept: "application/json, text/event-stream",
      "content-type": "application/json",
      "mcp-protocol-version": version,
      "mcp-method": "tools/call",
      "mcp-name": call.name,
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: call }),
    signal: AbortSignal.timeout(120_000),
  });
  const said = await response.text();
  if (!response.ok || !said.includes("answered")) {
    throw new Error(`the person's answer did not come back: ${response.status} ${said}`);
  }
}
