// Test support: a browser, pages that fail a test on any error or refused script, and the real hub with a home of its own.
import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { after } from "node:test";
import { promisify } from "node:util";
import { chromium } from "playwright-core";

/** The timeout of everything, long enough for the slowest machine. */
export const LIMIT = 60_000;
const run = promisify(execFile);

/** A network name for the hub in memory, which browsers don't take for this machine. */
export const PHONE = "phone.test";
/** The same for the real hub, which listens for phones at another address than the computer's own. */
export const LAN = { name: "lan.test", address: "127.0.0.2" };

/** Starts a browser with these additional arguments. */
export const launch = (...args) => chromium.launch({ timeout: 2 * LIMIT, executablePath: process.env.CHROMIUM, args: ["--no-sandbox", `--host-resolver-rules=MAP ${PHONE} 127.0.0.1,MAP ${LAN.name} ${LAN.address}`, ...args] });
let launched;
const extraArgs = [];
/** Makes the browser trust a certificate's key, given as SHA-256 in base64. It has to be called before the browser starts. */
export const trust = (spki) => void extraArgs.push(`--ignore-certificate-errors-spki-list=${spki}`);
/** The browser of this file's tests. */
export const browser = () => (launched ??= launch(...extraArgs));
export const closeBrowser = async () => (await launched)?.close();

/**
 * Records what the page must never do: errors, refused scripts and styles, dialogs, requests to other hosts. Messages about a
 * lost connection are allowed, because tests cut it: browsers log one for each request, and another for the worker's script.
 */
export async function watched(page, { allowed = /\b(401|409|422|503)\b|ERR_(CONNECTION|INTERNET|INCOMPLETE|EMPTY|NETWORK)|^An unknown error occurred when fetching the script/ } = {}) {
  const wrong = [];
  const policy = "refused by the policy: ";
  await page.addInitScript((policy) => addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) => console.error(`${policy}${violatedDirective} ${blockedURI}`)), policy);
  page.on("console", (message) => message.type() === "error" && (message.text().startsWith(policy) || !allowed.test(message.text())) && wrong.push(`${message.text()} ${message.location().url}`));
  page.on("pageerror", (error) => wrong.push(String(error)));
  page.on("dialog", (dialog) => (wrong.push(`a dialog: ${dialog.type()} ${dialog.message()}`), dialog.dismiss()));
  page.on("request", (request) => !/^(http:\/\/(127\.0\.0\.1|phone\.test):\d+\/|https?:\/\/lan\.test:\d+\/|data:image\/svg|blob:http:\/\/127)/.test(request.url()) && wrong.push(`a request to ${request.url()}`));
  return wrong;
}

/** Waits until an asynchronous condition is true in the page. */
export async function until(page, condition, ...arg) {
  const last = Date.now() + LIMIT;
  while (!(await page.evaluate(condition, ...arg))) assert.ok(Date.now() < last, `it never became true: ${condition}`);
}

/** Waits until a click is no longer taken for one that was meant for what was there before. */
export async function noticed(page) {
  await page.evaluate(() => (window.since = performance.now()));
  await page.waitForFunction(() => performance.now() > window.since + 700);
}

/** Waits until the browser's store has this text for an ask; without a text, until it has nothing for the ask. */
export const stores = (page, store, id, text) => until(page, ([store, id, text]) => new Promise((done) => {
  indexedDB.open(store === "asks" ? "ask-user-asks" : "ask-user", 1).onsuccess = ({ target: { result } }) => {
    const found = result.transaction(store).objectStore(store).get(id);
    found.onsuccess = () => (result.close(), done(text ? JSON.stringify(found.result ?? "").includes(text) : !found.result));
  };
}), [store, id, text]);

/** Waits until a page at the computer is loaded: the list, the state of pairing, and the scripts that load after the list. */
export const loaded = (page) => page.locator(".head a[href='/settings'] .badge").waitFor({ state: "attached" });

/** Waits until the effects of the last action are over: the next frames, and what follows them. */
export const settled = (page) => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => requestIdleCallback(done)))));

/** Stops the page's clock, which then advances only when the test says so. */
export async function pauseClock(page) {
  const time = Date.now();
  await page.clock.install({ time });
  await page.clock.pauseAt(time + 10_000);
}

/** Opens a page in a context of its own, and records its errors. `allowed` matches errors that the test expects. */
export async function open(url, { allowed, context: given, ...options } = {}) {
  const context = given ?? (await (await browser()).newContext({ viewport: { width: 1280, height: 900 }, locale: "en-GB", ...options }));
  const page = await context.newPage();
  page.setDefaultTimeout(LIMIT);
  const wrong = await watched(page, { allowed });
  // A page that navigates before the link's key is exchanged for a cookie would be signed out.
  if (url) await page.goto(url);
  if (url?.includes("#k=")) await page.locator("#app > *").first().waitFor({ state: "attached" });
  const done = async () => {
    assert.deepEqual(wrong, [], "the page had errors");
    await (given ? page : context).close();
  };
  return { context, page, wrong, done };
}

async function freePort() {
  const server = createServer();
  await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
  const { port } = server.address();
  await new Promise((closed) => server.close(closed));
  return port;
}

/** The real program in a home of its own. `now` sets its clock, and `clock` changes it. `undoSeconds` is how long it holds an answer. */
export class Hub {
  static async start({ now, http = "", settings = "", undoSeconds = 0 } = {}) {
    const hub = new Hub();
    hub.home = mkdtempSync(join(tmpdir(), "page-"));
    hub.env = { PATH: process.env.PATH, HOME: hub.home, ASK_USER_HOME: hub.home, LANG: "C.UTF-8", TZ: "UTC" };
    // This process starts both the agents and the person's browser.
    hub.env.ASK_USER_TEST_PERSON = String(process.pid);
    if (now) hub.env.ASK_USER_NOW = `@${join(hub.home, "now")}`;
    if (now) hub.clock(now);
    hub.agents = [];
    hub.known = new Set();
    for (;;) {
      hub.port = await freePort();
      writeFileSync(join(hub.home, "config.toml"), `[http]\nport = ${hub.port}\n${http}\n[notify]\ndesktop = "never"\n[surfaces]\nundo_seconds = ${undoSeconds}\n${settings}`);
      await hub.run("list");
      if (hub.info().port === hub.port) return hub;
      // Another program took the port meanwhile. The hub has another one now, and would have yet another after a restart.
      await hub.run("hub", "--stop");
    }
  }

  /** What the hub writes about itself. */
  info() {
    return JSON.parse(readFileSync(join(this.home, "hub.json"), "utf8"));
  }

  get base() {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Sets the clock. The file is replaced atomically, because the hub uses the real time while it is empty. */
  clock(now) {
    const file = join(this.home, "now");
    writeFileSync(`${file}.next`, now);
    renameSync(`${file}.next`, file);
  }

  async run(...args) {
    const { stdout } = await run(process.env.ASK_USER_BIN, args, { env: this.env, cwd: this.home, timeout: LIMIT });
    return stdout.trim();
  }

  /** A link that signs a browser in once. */
  link = () => this.run("web", "--print");

  /** Opens an ask that no call waits for. */
  async askDetached(question) {
    const opened = this.run("ask", "--no-wait", "--confirm", question);
    // Exit code 8 means that it is still open.
    const id = await opened.catch(({ code, stdout }) => (code === 8 ? stdout.trim() : Promise.reject(stdout)));
    this.known.add(id);
    return id;
  }

  show = async (id) => JSON.parse(await this.run("show", id, "--json"));

  /** Starts an MCP client and initializes it. */
  async agent(client, about = {}) {
    const agent = new Agent(this, client, about);
    this.agents.push(agent);
    await agent.ready;
    return agent;
  }

  /** Opens an ask of a real agent, which waits for it over MCP. */
  async ask(call, client = "claude-code", about = {}) {
    const agent = await this.agent(client, about);
    agent.reply = agent.call("tools/call", { name: "ask_user", arguments: call });
    void agent.reply.then((reply) => (agent.replied = reply));
    agent.id = await this.waiting(agent);
    return agent;
  }

  /** Waits for the newest ask, and returns its id. */
  async waiting(agent) {
    const until = Date.now() + LIMIT;
    while (Date.now() < until) {
      const found = JSON.parse(await this.run("list", "--json")).find((ask) => !this.known.has(ask.askId));
      if (found) {
        this.known.add(found.askId);
        return found.askId;
      }
      if (agent.ended || agent.replied) break;
    }
    throw new Error(`the agent's ask didn't come: ${JSON.stringify(agent.replied)}`);
  }

  /** Kills the hub's process, as a crash would. */
  async kill() {
    process.kill(this.info().pid, "SIGKILL");
  }

  /** Ends the hub, and waits until nothing listens at its port. */
  async end() {
    await this.run("hub", "--stop");
    const until = Date.now() + LIMIT;
    for (;;) {
      const socket = connect(this.port, "127.0.0.1");
      const answers = await new Promise((done) => socket.on("connect", () => done(true)).on("error", () => done(false)));
      socket.destroy();
      if (!answers) return;
      assert.ok(Date.now() < until, "the hub never ended");
    }
  }

  async stop() {
    await Promise.all(this.agents.map((agent) => agent.end()));
    await this.end().catch(() => undefined);
    // Retries delete files that are written meanwhile.
    rmSync(this.home, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  }
}

/** The hub of a test file. After the last test the browser ends, and then the hub. */
export async function ownHub(settings) {
  const hub = await Hub.start(settings);
  after(async () => {
    await closeBrowser();
    await hub.stop();
  });
  return hub;
}

/** An agent: an MCP client over stdio. */
class Agent {
  constructor(hub, name, { cwd = hub.home, version = "2.1", capabilities = {} } = {}) {
    this.child = spawn(process.env.ASK_USER_BIN, ["mcp"], { env: hub.env, cwd, stdio: ["pipe", "pipe", "ignore"] });
    this.replies = new Map();
    this.next = 1;
    createInterface({ input: this.child.stdout }).on("line", (line) => {
      const message = JSON.parse(line);
      this.replies.get(message.id)?.(message);
    });
    // An agent that was ended reads no further input.
    this.child.stdin.on("error", () => undefined);
    this.exit = new Promise((done) => this.child.on("exit", () => done((this.ended = true))));
    const params = { protocolVersion: "2025-06-18", capabilities, clientInfo: { name, version } };
    this.ready = this.call("initialize", params).then(() => this.write({ jsonrpc: "2.0", method: "notifications/initialized" }));
  }

  write(message) {
    this.child.stdin.write(`${JSON.stringify(message)}\n`);
  }

  call(method, params) {
    const id = this.next++;
    this.write({ jsonrpc: "2.0", id, method, params });
    return new Promise((done) => this.replies.set(id, done));
  }

  /** Waits for the result that the agent got. */
  async result() {
    const { result } = await this.reply;
    return result.structuredContent ?? JSON.parse(result.content[0].text);
  }

  end() {
    this.child.kill("SIGKILL");
    return this.exit;
  }
}

/** The inbox in a real terminal, which tmux provides. */
export class Terminal {
  static async open(hub, ...args) {
    const terminal = new Terminal();
    terminal.hub = hub;
    terminal.socket = join(hub.home, `tmux-${args.at(-1)}`);
    await terminal.tmux("new-session", "-d", "-x", "100", "-y", "30", process.env.ASK_USER_BIN, "inbox", ...args);
    return terminal;
  }

  async tmux(...args) {
    const { stdout } = await run("tmux", ["-S", this.socket, "-f", "/dev/null", ...args], { env: { ...this.hub.env, TERM: "xterm-256color" }, timeout: LIMIT });
    return stdout;
  }

  /** Waits until the screen shows this. */
  async see(wanted) {
    const until = Date.now() + LIMIT;
    let seen = "";
    while (Date.now() < until) {
      seen = await this.tmux("capture-pane", "-p");
      if (seen.includes(wanted)) return;
    }
    throw new Error(`"${wanted}" was not seen in the terminal:\n${seen}`);
  }

  press = (...keys) => this.tmux("send-keys", ...keys);
  close = () => this.tmux("kill-server").catch(() => undefined);
}
