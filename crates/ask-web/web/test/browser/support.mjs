// A browser, pages that fail a test on any error or refused script, and a hub of one's own: the real one.
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

/** What comes at all has come by then, on the slowest machine. */
export const LIMIT = 60_000;
const run = promisify(execFile);

/** A name for the hub that lives in memory, as the network has it: no browser takes it for this machine. */
export const PHONE = "phone.test";
/** The same for the real hub, which listens there for phones: at an address that isn't the computer's own. */
export const LAN = { name: "lan.test", address: "127.0.0.2" };

/** A browser of its own, started with these besides. */
export const launch = (...args) => chromium.launch({ timeout: 2 * LIMIT, executablePath: process.env.CHROMIUM, args: ["--no-sandbox", `--host-resolver-rules=MAP ${PHONE} 127.0.0.1,MAP ${LAN.name} ${LAN.address}`, ...args] });
let launched;
const more = [];
/** Has the browser trust the key of a certificate, before it is started; SHA-256 in base64. */
export const trust = (spki) => void more.push(`--ignore-certificate-errors-spki-list=${spki}`);
/** The browser of this file's tests. */
export const browser = () => (launched ??= launch(...more));
export const closeBrowser = async () => (await launched)?.close();

/**
 * Notes what no page of ours may do: errors, refused scripts and looks, dialogs, requests to anybody else. That there is
 * no line, of which a test may see to it, the browser says of each request, and of the worker's script in words of its own.
 */
export async function watched(page, { allowed = /\b(401|409|422|503)\b|ERR_(CONNECTION|INTERNET|INCOMPLETE|EMPTY|NETWORK)|^An unknown error occurred when fetching the script/ } = {}) {
  const wrong = [];
  const policy = "refused by the policy: ";
  await page.addInitScript((policy) => addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) => console.error(`${policy}${violatedDirective} ${blockedURI}`)), policy);
  page.on("console", (message) => message.type() === "error" && (message.text().startsWith(policy) || !allowed.test(message.text())) && wrong.push(`${message.text()} ${message.location().url}`));
  page.on("pageerror", (error) => wrong.push(String(error)));
  page.on("dialog", (dialog) => (wrong.push(`a dialog: ${dialog.type()} ${dialog.message()}`), dialog.dismiss()));
  page.on("request", (asked) => !/^(http:\/\/(127\.0\.0\.1|phone\.test):\d+\/|https?:\/\/lan\.test:\d+\/|data:image\/svg|blob:http:\/\/127)/.test(asked.url()) && wrong.push(`a request to ${asked.url()}`));
  return wrong;
}

/** Waits until this, which takes its time to find out, says yes in the page. */
export async function until(page, asked, ...arg) {
  const last = Date.now() + LIMIT;
  while (!(await page.evaluate(asked, ...arg))) assert.ok(Date.now() < last, `it never came: ${asked}`);
}

/** Comes once this browser keeps such words of an ask on a shelf; without any, once it keeps nothing of it. */
export const keeps = (page, shelf, id, words) => until(page, ([shelf, id, words]) => new Promise((done) => {
  indexedDB.open(shelf === "asks" ? "ask-user-asks" : "ask-user", 1).onsuccess = ({ target: { result } }) => {
    const found = result.transaction(shelf).objectStore(shelf).get(id);
    found.onsuccess = () => (result.close(), done(words ? JSON.stringify(found.result ?? "").includes(words) : !found.result));
  };
}), [shelf, id, words]);

/** Comes once a page on the computer has all that it begins with: what waits, what it knows of devices, and what it brings once there is a list. */
export const begun = (page) => page.locator(".head a[href='/settings'] .badge").waitFor({ state: "attached" });

/** Comes once what was just done has come to its end in the page: what the next frames bring, and what follows them. */
export const settled = (page) => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => requestIdleCallback(done)))));

/** From now on the page's time stands still, and goes on when the test says so. */
export async function still(page) {
  const time = Date.now();
  await page.clock.install({ time });
  await page.clock.pauseAt(time + 10_000);
}

/** A page of its own, and what went wrong in it. `allowed` is for errors that the test wants. */
export async function open(url, { allowed, context: given, ...options } = {}) {
  const context = given ?? (await (await browser()).newContext({ viewport: { width: 1280, height: 900 }, locale: "en-GB", ...options }));
  const page = await context.newPage();
  page.setDefaultTimeout(LIMIT);
  const wrong = await watched(page, { allowed });
  // Whoever went on before the link's key is exchanged for a cookie would be signed out.
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

/** The real program in a home of its own; `now` is where its clock stands, which `clock` moves. */
export class Hub {
  static async start({ now, http = "", settings = "" } = {}) {
    const hub = new Hub();
    hub.home = mkdtempSync(join(tmpdir(), "page-"));
    hub.env = { PATH: process.env.PATH, HOME: hub.home, ASK_USER_HOME: hub.home, LANG: "C.UTF-8", TZ: "UTC" };
    // This process starts agents and the person's browser alike.
    hub.env.ASK_USER_TEST_PERSON = String(process.pid);
    if (now) hub.env.ASK_USER_NOW = `@${join(hub.home, "now")}`;
    if (now) hub.clock(now);
    hub.agents = [];
    hub.known = new Set();
    for (;;) {
      hub.port = await freePort();
      writeFileSync(join(hub.home, "config.toml"), `[http]\nport = ${hub.port}\n${http}\n[notify]\ndesktop = "never"\n${settings}`);
      await hub.run("list");
      if (hub.told().port === hub.port) return hub;
      // Somebody else took the port meanwhile, and the hub has another, which it wouldn't have the next time.
      await hub.run("hub", "--stop");
    }
  }

  /** What the hub says of itself. */
  told() {
    return JSON.parse(readFileSync(join(this.home, "hub.json"), "utf8"));
  }

  get base() {
    return `http://127.0.0.1:${this.port}`;
  }

  /** All at once: where the file says nothing for a moment, the clock is that of the wall. */
  clock(now) {
    const file = join(this.home, "now");
    writeFileSync(`${file}.next`, now);
    renameSync(`${file}.next`, file);
  }

  async run(...args) {
    const { stdout } = await run(process.env.ASK_USER_BIN, args, { env: this.env, cwd: this.home, timeout: LIMIT });
    return stdout.trim();
  }

  /** A link that signs a browser in, once. */
  link = () => this.run("web", "--print");

  /** An ask that nobody waits for. */
  async leave(question) {
    const left = this.run("ask", "--no-wait", "--confirm", question);
    // Code 8 says that it is still open.
    const id = await left.catch(({ code, stdout }) => (code === 8 ? stdout.trim() : Promise.reject(stdout)));
    this.known.add(id);
    return id;
  }

  show = async (id) => JSON.parse(await this.run("show", id, "--json"));

  /** A client of MCP that has said hello. */
  async agent(client, about = {}) {
    const agent = new Agent(this, client, about);
    this.agents.push(agent);
    await agent.ready;
    return agent;
  }

  /** An ask that a real agent asks over MCP and waits for. */
  async ask(call, client = "claude-code", about = {}) {
    const agent = await this.agent(client, about);
    agent.reply = agent.call("tools/call", { name: "ask_user", arguments: call });
    void agent.reply.then((reply) => (agent.said = reply));
    agent.id = await this.waiting(agent);
    return agent;
  }

  /** The id of the ask that came last, once it is there. */
  async waiting(agent) {
    const until = Date.now() + LIMIT;
    while (Date.now() < until) {
      const found = JSON.parse(await this.run("list", "--json")).find((ask) => !this.known.has(ask.askId));
      if (found) {
        this.known.add(found.askId);
        return found.askId;
      }
      if (agent.ended || agent.said) break;
    }
    throw new Error(`the agent's ask didn't come: ${JSON.stringify(agent.said)}`);
  }

  /** Ends the hub's process at once, as a crash would. */
  async kill() {
    process.kill(this.told().pid, "SIGKILL");
  }

  /** Ends the hub, and comes once nobody listens at its port any more. */
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
    // What is still written while it is deleted is deleted, too.
    rmSync(this.home, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  }
}

/** The hub of a file's tests: it ends after the last of them, and their browser before it. */
export async function ownHub(settings) {
  const hub = await Hub.start(settings);
  after(async () => {
    await closeBrowser();
    await hub.stop();
  });
  return hub;
}

/** An agent: a client of MCP on stdio. */
class Agent {
  constructor(hub, name, { cwd = hub.home, version = "2.1", capabilities = {} } = {}) {
    this.child = spawn(process.env.ASK_USER_BIN, ["mcp"], { env: hub.env, cwd, stdio: ["pipe", "pipe", "ignore"] });
    this.replies = new Map();
    this.next = 1;
    createInterface({ input: this.child.stdout }).on("line", (line) => {
      const message = JSON.parse(line);
      this.replies.get(message.id)?.(message);
    });
    // Nobody reads on in an agent that was ended.
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

  /** What the agent was given, once it was. */
  async given() {
    const { result } = await this.reply;
    return result.structuredContent ?? JSON.parse(result.content[0].text);
  }

  end() {
    this.child.kill("SIGKILL");
    return this.exit;
  }
}

/** The inbox in a real terminal: tmux is its screen. */
export class Terminal {
  static async open(hub, ...args) {
    const terminal = new Terminal();
    terminal.hub = hub;
    terminal.socket = join(hub.home, `tmux-${args.at(-1)}`);
    await terminal.tmux("new-session", "-d", "-x", "100", "-y", "30", process.env.ASK_USER_BIN, "inbox", ...args);
    return terminal;
  }

  async tmux(...words) {
    const { stdout } = await run("tmux", ["-S", this.socket, "-f", "/dev/null", ...words], { env: { ...this.hub.env, TERM: "xterm-256color" }, timeout: LIMIT });
    return stdout;
  }

  /** Looks at the screen until it shows this. */
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
