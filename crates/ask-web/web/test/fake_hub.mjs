// A hub in memory with the part of the HTTP API that the page uses, for the page's tests and for looking at it:
// `node test/fake_hub.mjs [PORT]` serves dist with the asks of samples.mjs.
import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { fakePairing } from "./fake_pairing.mjs";
import { samples } from "./samples.mjs";

const dist = join(dirname(fileURLToPath(import.meta.url)), "../dist");
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data: blob:; manifest-src 'self'; " +
  "worker-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types ask-user-worker";
const kinds = { html: "text/html; charset=utf-8", js: "text/javascript", css: "text/css", json: "application/json", svg: "image/svg+xml", webmanifest: "application/manifest+json" };

export function fake(asks = samples(), language = undefined) {
  const records = new Map(asks.map((ask) => [ask.askId, ask]));
  const streams = new Map();
  const files = new Map();
  let cursor = 1;
  let build = "1";
  let signedIn = true;
  let muted = false;
  let undoSeconds = 0;
  const seen = [];

  const brief = (ask) => ({ ...ask, shown: { title: ask.shown.title, asker: ask.shown.asker } });
  const open = () => [...records.values()].filter((ask) => !ask.closed);
  const snapshot = (most = Infinity) => {
    const asks = open().map(brief);
    return { asks: asks.slice(0, most), cursor, now: new Date().toISOString(), day: { answered: 12, muted, more: Math.max(0, asks.length - most) } };
  };
  const sendEvent = (event, data) => {
    cursor += 1;
    // Devices get no events about pairing.
    for (const [stream, device] of streams) if (!device || event !== "pairing") stream.write(`id: ${cursor}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
  };
  const pairing = fakePairing({ sendEvent });
  const update = (ask, event = "ask.updated") => {
    records.set(ask.askId, ask);
    sendEvent(event, brief(ask));
    return ask;
  };
  const close = (ask, outcome, state, by, more) =>
    update({ ...ask, state, outcome, answeredBy: "web", ...(by ? { answeredDevice: by } : {}), answeredAt: new Date().toISOString(), delivered: true, closed: true, waiters: 0, ...more }, "ask.resolved");

  function outcome(ask, draft) {
    const answers = ask.questions.map((question, at) => {
      const answer = draft.answers[at] ?? {};
      const labels = question.type === "confirm" ? ["yes", "no"] : (question.options ?? []).map((choice) => choice.label);
      const values = question.type === "text" ? (answer.own ? [answer.own] : []) : (answer.picks ?? []).map((pick) => labels[pick]);
      const given = values.length || answer.own || answer.none;
      return { questionId: question.questionId, question: question.question, status: given ? "answered" : "unanswered", values, customText: question.type === "text" ? undefined : answer.own, note: answer.note, attachments: answer.attachments };
    });
    return { answered: true, answers, note: draft.note };
  }

  /** The idempotency key that answered each ask. */
  const attempts = new Map();
  const routes = {
    async draft(ask, { draft, builtOn }) {
      const revision = ask.draft?.revision ?? 0;
      if (builtOn !== revision) return [409, { title: "draft-changed", detail: "Somebody saved since.", record: ask }];
      update({ ...ask, draft: { ...draft, revision: revision + 1, savedAt: new Date().toISOString(), savedBy: "web" } });
      return [200, { revision: revision + 1 }];
    },
    async answer(ask, { draft, hold }, by, attempt) {
      // A browser repeats an answer whose reply was lost.
      const isRepeated = attempt && attempts.get(ask.askId) === attempt;
      if (isRepeated) return [200, { won: true, record: ask }];
      if (ask.state !== "waiting" && ask.state !== "expired") return [409, { title: "closed", detail: "It was closed by somebody else.", record: ask }];
      attempts.set(ask.askId, attempt);
      const until = new Date(Date.now() + 1000 * undoSeconds).toISOString();
      const held = hold && undoSeconds ? { delivered: false, closed: false, attempt: 1, heldUntil: until } : {};
      return [200, { won: true, record: close(ask, outcome(ask, draft), "answered", by, held) }];
    },
    "take-back": async (ask) => [200, update({ ...ask, state: "waiting", outcome: undefined, heldUntil: undefined, waiters: 1, takenBack: [{}] })],
    decline: async (ask, { reason }) => [200, { record: close(ask, { answers: [], reason }, "declined") }],
    clarify: async (ask, { text }) => [200, { record: close(ask, { answers: [], clarify: text }, "clarify") }],
    snooze: async (ask, { until }) => [200, { record: update({ ...ask, snoozedUntil: until ?? undefined }) }],
    extend: async (ask, { until }) => [200, { record: update({ ...ask, deadlineAt: until }) }],
    shown: async () => [204],
  };

  const server = createServer(async (request, response) => {
    const url = new URL(request.url, "http://x");
    const chunks = [];
    try {
      for await (const chunk of request) chunks.push(chunk);
    } catch {
      // A page that is closed aborts its requests.
      return response.destroy();
    }
    const bytes = Buffer.concat(chunks);
    const send = (status, value) => {
      response.writeHead(status, { "Content-Type": value?.title && status >= 400 ? "application/problem+json" : "application/json" });
      const reply = value?.title && status >= 400 ? { type: `urn:ask-user:problem:${value.title}`, ...value } : value;
      response.end(reply === undefined ? undefined : JSON.stringify(reply));
    };
    const path = url.pathname;
    if (!path.startsWith("/v1/")) return page(path, response);
    seen.push({ method: request.method, path, body: bytes.toString("utf8"), headers: request.headers });
    const body = () => (bytes.length ? JSON.parse(bytes) : {});
    // A request to another name comes from the network.
    const local = /^127\./.test(request.headers.host);
    const device = local ? undefined : pairing.device(request.headers.cookie);
    if (!local && !pairing.state.on) return request.destroy();
    if (!local && /^\/v1\/pair(\/|$)/.test(path)) {
      const [status, value, headers = {}] = await pairing.handleDevice(request.method, path, body());
      Object.entries(headers).forEach(([name, value]) => response.setHeader(name, value));
      return send(status, value);
    }
    if (!local && !device) return send(401, { title: "no-credential", detail: "This device is not let in." });
    const scope = device?.scope ?? "answer";
    if (path === "/v1/session" && request.method === "GET") return send(200, { ...(device ? { device: { name: device.name, scope } } : {}), encrypted: false, local });
    if (scope === "see" && request.method !== "GET") return send(403, { title: "wrong-scope", detail: "This device may only see." });
    const done = local && !path.startsWith("/v1/files") ? pairing.handleComputer(request.method, path, body()) : undefined;
    if (done) {
      for (const [stream, device] of streams) if (device && (!pairing.devices.has(device.id) || !pairing.state.on)) stream.destroy();
      return send(...done);
    }
    if (path === "/v1/session" && request.method === "POST") return (signedIn = true), send(204);
    if (!signedIn) return send(401, { title: "no-credential", detail: "Sign in." });
    if (path === "/v1/session") return device ? pairing.devices.delete(device.id) : (signedIn = false), send(204);
    if (path === "/v1/events") {
      response.writeHead(200, { "Content-Type": "text/event-stream", "Cache-Control": "no-store" });
      response.write(`retry: 2000\n\nevent: hello\ndata: ${JSON.stringify({ version: "0", page: build, language, now: new Date().toISOString(), local, scope, encrypted: false })}\n\n`);
      if (open().length > 40) response.write(`event: snapshot\ndata: ${JSON.stringify(snapshot(40))}\n\n`);
      response.write(`id: ${cursor}\nevent: snapshot\ndata: ${JSON.stringify(snapshot())}\n\n`);
      if (local) response.write(`event: pairing\ndata: ${JSON.stringify(pairing.view(false))}\n\n`);
      streams.set(response, device);
      response.on("close", () => streams.delete(response));
      return;
    }
    if (path === "/v1/asks" && (request.method === "DELETE" || url.searchParams.get("state") === "closed")) {
      const q = (url.searchParams.get("q") ?? "").toLowerCase();
      const end = url.searchParams.get("outcome");
      const closed = [...records.values()].filter((ask) => ask.closed && ask.shown.title.toLowerCase().includes(q) && (!end || ask.end === end || ask.state === end));
      if (request.method === "DELETE") {
        const gone = closed.filter((ask) => ask.delivered);
        if (url.searchParams.get("count") !== "true") gone.forEach((ask) => records.delete(ask.askId));
        return send(200, { count: gone.length, undelivered: closed.length - gone.length });
      }
      return send(200, { asks: closed.map(brief) });
    }
    if (path === "/v1/status") return send(200, { version: "0", settings: { file: "~/.config/ask-user/config.toml", keepDays: 90, language } });
    if (path === "/v1/asks") return send(200, snapshot(Number(url.searchParams.get("first") ?? Infinity)));
    if (path === "/v1/history/stats") return send(200, (await import("./samples.mjs")).stats);
    if (path === "/v1/presence") return send(204);
    if (path === "/v1/mute") return (muted = body().on), sendEvent("day", { answered: 12, muted }), send(204);
    if (path === "/v1/files") {
      const sha256 = randomUUID().replaceAll("-", "").padEnd(64, "0");
      files.set(sha256, { bytes, type: request.headers["content-type"] });
      return send(201, { name: url.searchParams.get("name"), mediaType: request.headers["content-type"], bytes: bytes.length, sha256 });
    }
    const file = /^\/v1\/files\/(\w+)$/.exec(path);
    if (file) {
      const found = files.get(file[1]);
      response.writeHead(found ? 200 : 404, { "Content-Type": found?.type ?? "text/plain", "X-Content-Type-Options": "nosniff" });
      return response.end(found?.bytes);
    }
    const [, id, what] = /^\/v1\/asks\/([^/]+)(?:\/([\w-]+))?$/.exec(path) ?? [];
    const ask = records.get(decodeURIComponent(id ?? ""));
    if (!ask) return send(404, { title: "not-found", detail: "There is no such ask." });
    if (!what && request.method === "GET") return send(200, ask);
    if (!what && request.method === "DELETE") return records.delete(ask.askId), sendEvent("ask.gone", { askId: ask.askId }), send(204);
    if (!routes[what]) return send(404, { title: "no-route" });
    return send(...(await routes[what](ask, body(), device?.name, request.headers["idempotency-key"])));
  });

  async function page(path, response) {
    const name = path.startsWith("/assets/") ? path.slice(8) : ["/sw.js", "/icon.svg", "/manifest.webmanifest"].includes(path) ? path.slice(1) : "index.html";
    try {
      const file = await readFile(join(dist, name));
      // Another build has another service worker, too.
      const bytes = name === "index.html" ? file.toString().replace("{build}", build) : name === "sw.js" ? file.toString().replace("ask-user-page-", `ask-user-page-${build}-`) : file;
      response.writeHead(200, { "Content-Type": kinds[name.split(".").pop()], "Content-Security-Policy": policy, "Cache-Control": "no-cache" });
      response.end(bytes);
    } catch {
      response.writeHead(404).end();
    }
  }

  return {
    /** For how long an answer that one tap gives is held. */
    set undoSeconds(seconds) {
      undoSeconds = seconds;
    },
    server,
    seen,
    records,
    update,
    close,
    outcome,
    create: (ask) => update(ask, "ask.created"),
    pairing,
    sendEvent,
    /** Switches to another build of the page. */
    setBuild: (name) => (build = name),
    cut: () => streams.forEach((_, stream) => stream.destroy()),
    /** The number of open event streams. */
    streams: () => streams.size,
    signOut: () => (signedIn = false),
    listen: (port = 0) => new Promise((done) => server.listen(port, "127.0.0.1", () => done(`http://127.0.0.1:${server.address().port}`))),
    stop: () => new Promise((done) => {
      streams.forEach((_, stream) => stream.destroy());
      server.close(done);
      server.closeAllConnections();
    }),
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  console.log(await fake().listen(Number(process.argv[2] ?? 4199)));
}
