// Pages of other origins that attack the hub: from another port of this machine, or under another name for it. They get no
// data and change nothing, whatever a browser lets them try. Also what the hub's own page refuses.
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, request } from "node:http";
import { after, test } from "node:test";
import { Hub, PHONE, open, ownHub } from "./support.mjs";

let asked = [];
const hub = await ownHub();
// A foreign page on another port of this machine. It reports what it learns by requests to its server.
const stranger = createServer((request, response) => {
  asked.push(request.url);
  response.setHeader("Content-Type", "text/html");
  response.end("<!doctype html><title>somebody else</title><body>");
});
await new Promise((ready) => stranger.listen(0, "127.0.0.1", ready));
after(() => {
  stranger.close();
  stranger.closeAllConnections();
});

const confirm = (question) => ({ questions: [{ question, type: "confirm" }] });

/** Everything that a page can try against another origin, and the results. */
const tries = async ([base, id, port]) => {
  const got = {};
  const body = JSON.stringify({ draft: { answers: [{ picks: [0] }] } });
  const read = async (name, promise) => (got[name] = await promise.then(async (answer) => `${answer.type} ${answer.status} ${(await answer.text().catch(() => "")).slice(0, 40)}`, (error) => `refused ${error.name}`));
  const answer = `${base}/v1/asks/${id}/answer`;
  for (const credentials of ["include", "omit"]) {
    await read(`list ${credentials}`, fetch(`${base}/v1/asks`, { credentials }));
    await read(`answer ${credentials}`, fetch(answer, { method: "POST", credentials, body, headers: { "Content-Type": "application/json", "X-Ask-User": "page" } }));
    await read(`plain answer ${credentials}`, fetch(answer, { method: "POST", credentials, body, headers: { "Content-Type": "text/plain" } }));
    await read(`blind answer ${credentials}`, fetch(answer, { method: "POST", mode: "no-cors", credentials, body }));
    await read(`blind list ${credentials}`, fetch(`${base}/v1/asks`, { mode: "no-cors", credentials }));
    await read(`agent ${credentials}`, fetch(`${base}/mcp`, { method: "POST", mode: "no-cors", credentials, body: '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}' }));
    await read(`session ${credentials}`, fetch(`${base}/v1/session`, { method: "DELETE", credentials }));
    await read(`blind ask ${credentials}`, fetch(`${base}/v1/asks`, { method: "POST", mode: "no-cors", credentials, body: '{"question":"Run it?","type":"confirm"}' }));
    await read(`metrics ${credentials}`, fetch(`${base}/metrics`, { credentials }));
  }
  got.events = await new Promise((done) => {
    const source = new EventSource(`${base}/v1/events`, { withCredentials: true });
    source.onerror = () => (source.close(), done("refused"));
    for (const name of ["message", "hello", "snapshot"]) source.addEventListener(name, ({ data }) => (source.close(), done(`heard ${data}`)));
  });
  got.socket = await new Promise((done) => {
    const socket = new WebSocket(`${base.replace("http", "ws")}/bridge`);
    socket.onopen = () => done("open");
    socket.onerror = () => done("refused");
  });
  const element = (name, attributes) => new Promise((done) => {
    const node = Object.assign(document.createElement(name), attributes);
    node.onload = () => done("loaded");
    node.onerror = () => done("refused");
    document.body.append(node);
  });
  got.script = await element("script", { src: `${base}/v1/asks` });
  got.module = await element("script", { src: `${base}/assets/app.js`, type: "module" });
  got.image = await element("img", { src: `${base}/icon.svg` });
  got.style = await element("link", { href: `${base}/assets/app.css`, rel: "stylesheet" });
  // A frame always loads something. Whether that is the page is checked below.
  const frame = document.createElement("iframe");
  frame.src = `${base}/a/${id}`;
  document.body.append(frame);
  await new Promise((done) => (frame.onload = done));
  try {
    got.frame = frame.contentDocument ? `read ${frame.contentDocument.title}` : "closed";
  } catch {
    got.frame = "closed";
  }
  frame.contentWindow.postMessage({ type: "answer", id, draft: { answers: [{ picks: [0] }] } }, "*");
  for (const path of [`/a/${id}`, `/v1/asks/${id}/answer`, "/", "/v1/session"]) {
    const form = Object.assign(document.createElement("form"), { method: "post", action: base + path, target: "hidden" });
    form.innerHTML = "<input name=do value=send><input name=p0 value=0><input name=token value=x>";
    document.body.append(Object.assign(document.createElement("iframe"), { name: "hidden" }), form);
    const there = new Promise((done) => (document.querySelector("iframe[name=hidden]").onload = done));
    form.submit();
    await there;
    document.querySelector("iframe[name=hidden]").remove();
    form.remove();
  }
  const { BroadcastChannel: Channel } = window;
  const heard = [];
  const channel = new Channel("ask-user-events");
  channel.onmessage = ({ data }) => heard.push(data);
  channel.postMessage({ event: "ask.gone", data: { askId: id } });
  channel.postMessage({ hello: true });
  await fetch(`http://${location.hostname}:${port}/turn`).then((turn) => turn.text());
  got.channel = heard.length;
  got.kept = (await indexedDB.databases()).length + (await caches.keys()).length;
  return got;
};

for (const [name, host] of [["another port", "127.0.0.1"], ["another name and port", "localhost"]]) {
  test(`a page of ${name} gets nothing and changes nothing`, async () => {
    const agent = await hub.ask({ title: "A secret of ours", ...confirm(`Is ${name} kept out?`) });
    const ours = await open(await hub.link());
    await ours.page.getByText("A secret of ours").first().waitFor();
    const page = await ours.context.newPage();
    const { port } = stranger.address();
    await page.goto(`http://${host}:${port}/`);
    const got = await page.evaluate(tries, [hub.base, agent.id, port]);
    for (const [what, answer] of Object.entries(got)) {
      const fine = what.startsWith("blind") || what.startsWith("agent") ? /^(opaque 0 $|refused)/ : what === "channel" || what === "kept" ? /^0$/ : what === "frame" ? /^closed$/ : /^refused/;
      assert.match(String(answer), fine, `${what}: ${answer}`);
      assert.doesNotMatch(String(answer), /secret|askId/, what);
    }
    // Frames were refused: none of them shows the page.
    for (const frame of page.frames().slice(1)) assert.doesNotMatch(await frame.content().catch(() => ""), /A secret of ours|id="app"/);
    assert.equal((await hub.show(agent.id)).state, "waiting");
    assert.equal(JSON.parse(await hub.run("list", "--json")).filter(({ title, questions }) => /Run it/.test(title + JSON.stringify(questions))).length, 0);
    // The session is still valid, and the foreign page learned nothing.
    await ours.page.reload();
    await ours.page.getByText("A secret of ours").first().waitFor();
    agent.end();
    await page.close();
    await ours.done();
    await ours.context.close();
  });

  test(`a window that ${name} opens reveals nothing to its opener, and accepts no messages from it`, async () => {
    const agent = await hub.ask({ title: "Behind a window", ...confirm(`May ${name} look in?`) });
    const ours = await open(await hub.link());
    const page = await ours.context.newPage();
    const { port } = stranger.address();
    await page.goto(`http://${host}:${port}/`);
    const coming = ours.context.waitForEvent("page");
    await page.evaluate((url) => (window.theirs = window.open(url)), `${hub.base}/a/${agent.id}`);
    const opened = await coming;
    await opened.waitForLoadState();
    // The empty page that comes first belongs to nobody.
    await page.waitForFunction(() => {
      try {
        return window.theirs.closed || !window.theirs.document;
      } catch {
        return true;
      }
    });
    const seen = await page.evaluate(() => {
      try {
        window.theirs?.postMessage({ event: "ask.gone" }, "*");
        return [window.theirs?.closed, window.theirs?.document?.title, window.theirs?.length];
      } catch (error) {
        return [error.name];
      }
    });
    assert.ok(seen[0] === true || seen[0] === "SecurityError", JSON.stringify(seen));
    assert.equal(await opened.evaluate(() => window.opener), null);
    assert.equal((await hub.show(agent.id)).state, "waiting");
    assert.deepEqual(asked.filter((url) => /secret|ask_|a_/.test(url)), []);
    agent.end();
    await ours.context.close();
  });
}

test("a foreign name that resolves to this machine is refused", async () => {
  const { page, context, done } = await open(undefined, { allowed: /\b421\b|origin was untrustworthy|Refused to apply style/ });
  const link = await hub.link();
  const key = link.split("k=")[1];
  // The attacker's name server sends the browser here, and the attacker's page knows a link.
  for (const path of ["/", `/#k=${key}`, "/v1/asks", "/assets/app.js", "/nothing", "/healthz"]) {
    const answer = await page.goto(`http://${PHONE}:${hub.port}${path}`);
    if (answer) assert.equal(answer.status(), 421, path);
    assert.equal(await page.locator("#app, script").count(), 0, path);
  }
  const signs = request({ host: "127.0.0.1", port: hub.port, method: "POST", path: "/v1/session", headers: { Host: `${PHONE}:${hub.port}`, "Content-Type": "application/json" } });
  signs.end(JSON.stringify({ key }));
  const [answer] = await once(signs, "response");
  answer.resume();
  assert.equal(answer.statusCode, 421);
  assert.deepEqual(await context.cookies(), []);
  // The link's key is still unused.
  const ours = await open(link);
  await ours.page.locator(".list").waitFor();
  await ours.done();
  await done();
});

test("the page under another name of this machine is signed out, and neither name accepts the other's cookie", async () => {
  const { page, context, done } = await open(await hub.link());
  await page.locator(".list").waitFor();
  const other = await context.newPage();
  await other.goto(`http://localhost:${hub.port}/`);
  await other.getByText("Open this page from your terminal").waitFor();
  await other.close();
  await done();
});

test("a link is refused after two minutes, and a forged cookie at once", async () => {
  const timed = await Hub.start({ now: "2026-03-01T10:00:00Z" });
  try {
    const [soon, late] = [await timed.link(), await timed.link()];
    timed.clock("2026-03-01T10:01:59Z");
    const first = await open(soon);
    await first.page.locator(".list").waitFor();
    timed.clock("2026-03-01T10:02:00Z");
    const second = await open(late);
    await second.page.getByText("Open this page from your terminal").waitFor();
    const [cookie] = await first.context.cookies();
    await second.context.addCookies([{ ...cookie, value: `${cookie.value.slice(0, -1)}${cookie.value.endsWith("0") ? "1" : "0"}` }]);
    await second.page.reload();
    await second.page.getByText("Open this page from your terminal").waitFor();
    // A month later the session has expired, and the page says so.
    timed.clock("2026-03-31T10:02:00Z");
    await first.page.goto(`${timed.base}/history`);
    await first.page.getByText("Open this page from your terminal").waitFor();
    await first.done();
    await second.done();
  } finally {
    await timed.stop();
  }
});

test("the key of a session can't be read out of its browser", async () => {
  const { page, done } = await open(await hub.link());
  await page.locator(".list").waitFor();
  const found = await page.evaluate(async () => {
    const wait = (request) => new Promise((go, failed) => Object.assign(request, { onsuccess: () => go(request.result), onerror: failed }));
    const database = await wait(indexedDB.open("ask-user-key", 1));
    const { privateKey } = await wait(database.transaction("key").objectStore("key").get(0));
    const formats = ["jwk", "pkcs8", "raw"].map((format) => crypto.subtle.exportKey(format, privateKey).then(() => "exported", () => "refused"));
    return [privateKey.extractable, ...(await Promise.all(formats))];
  });
  assert.deepEqual(found, [false, "refused", "refused", "refused"]);
  await done();
});

test("a program that takes the port of an ended hub gets cookies and proofs that the next hub refuses", async () => {
  const id = await hub.askDetached("Drop the database?");
  const { page, done } = await open(await hub.link());
  await page.locator(".list").waitFor();
  await hub.end();
  const got = [];
  let came;
  const proven = new Promise((go) => (came = go));
  const squatter = createServer((asked, response) => {
    got.push({ cookie: asked.headers.cookie, dpop: asked.headers.dpop, method: asked.method, path: asked.url });
    if (asked.headers.dpop) came();
    response.writeHead(503).end();
  });
  await new Promise((go) => squatter.listen(hub.port, "127.0.0.1", go));
  await proven;
  assert.ok(got.some(({ cookie }) => cookie), "the browser knows no port of a cookie");
  // The next hub finds its port taken, and uses another one.
  await hub.run("list");
  const { port } = hub.info();
  assert.notEqual(port, hub.port);
  for (const { cookie, dpop, method, path } of got.filter(({ dpop }) => dpop)) {
    for (const host of [`127.0.0.1:${port}`, `127.0.0.1:${hub.port}`]) {
      for (const [how, where] of [[method, path], ["GET", "/v1/asks"], ["POST", `/v1/asks/${id}/answer`]]) {
        const headers = { Host: host, Cookie: cookie, DPoP: dpop, "X-Ask-User": "page", "Content-Type": "application/json" };
        const answered = await new Promise((go, failed) => request({ host: "127.0.0.1", port, method: how, path: where, headers }, (answer) => (answer.resume(), go(answer.statusCode))).on("error", failed).end(how === "POST" ? '{"answers":["yes"]}' : undefined));
        assert.equal(answered, 401, `${how} ${where} by ${host}`);
      }
    }
  }
  assert.equal((await hub.show(id)).state, "waiting");
  squatter.closeAllConnections();
  await new Promise((go) => squatter.close(go));
  await done();
  // The following tests need the hub at its own port.
  await hub.run("hub", "--stop");
  await hub.run("list");
});
