// Pairing of the fake hub: the part of the HTTP API that pairing uses, without its time limits.
import { randomBytes } from "node:crypto";

const HOUR = 3_600_000;
const soon = (ms) => new Date(Date.now() + ms).toISOString();
const digits = (count) => String(Math.floor(Math.random() * 10 ** count)).padStart(count, "0");
// An image with the shape of a QR code; nobody scans it.
const drawing = { size: 33, path: [...Array(25)].map((_, row) => [...Array(25)].map((_, column) => ((row * 7 + column * 5 + row * column) % 3 ? "" : `M${column + 4} ${row + 4}h1v1h-1z`)).join("")).join("") };

export function fakePairing({ sendEvent, addresses = [{ address: "192.168.1.7", name: "wlan0" }] }) {
  const state = { on: false, until: undefined, scope: "answer", invitation: undefined, tries: 0 };
  const requests = new Map();
  const devices = new Map();
  const browsers = [{ id: "b1", name: "Linux, Chrome", scope: "answer", since: soon(-HOUR), lastSeen: soon(0), until: soon(24 * HOUR), here: true }];
  let encrypted = false;
  let url = "http://192.168.1.7:4127";

  const invite = () => {
    const secret = randomBytes(16).toString("base64url");
    state.tries = 5;
    state.invitation = { secret, url: `${url}/pair#${secret}`, code: digits(6), until: soon(180_000) };
  };
  const view = (drawn = true) => {
    const { secret: _, ...invitation } = state.invitation ?? {};
    return {
      on: state.on, ...(state.until ? { until: state.until } : {}), ...(state.on ? { url } : {}), encrypted: state.on && encrypted, addresses,
      ...(state.invitation ? { invitation: { ...invitation, ...(drawn ? { svg: drawing } : {}) } } : {}),
      requests: [...requests.values()].filter(({ state }) => state === "waiting").map(({ id, name, address, number, scope, since, until }) => ({ id, name, address, number, scope, since, until })),
      devices: [...devices.values()].map(({ cookie: _, ...device }) => device),
      browsers: browsers.map((one) => ({ ...one })),
    };
  };
  const changed = () => sendEvent("pairing", view(false));
  const problem = (kind, detail) => ({ type: `urn:ask-user:problem:${kind}`, title: kind, detail });

  /** The device with this cookie. */
  const device = (cookie = "") => [...devices.values()].find((one) => cookie.includes(one.cookie));

  /** Handles the requests of a device without a session: asking to be paired, and waiting. */
  async function handleDevice(method, path, body) {
    if (!state.on) return [503, problem("off", "Phones are not let in.")];
    if (method === "POST" && path === "/v1/pair") {
      const { invitation } = state;
      if (!invitation || (body.secret !== invitation.secret && body.code !== invitation.code)) {
        if (body.code && invitation && --state.tries <= 0) {
          invitation.code = digits(6);
          state.tries = 5;
          changed();
        }
        const left = body.code && invitation ? { triesLeft: state.tries % 5, anotherCode: true } : {};
        return [401, { ...problem("wrong-key", "This invitation lets nobody in."), ...left }];
      }
      state.invitation = undefined;
      const id = randomBytes(8).toString("hex");
      let decide;
      const decided = new Promise((done) => (decide = done));
      const created = { id, name: body.name, address: "192.168.1.23", number: String(10 + requests.size * 17), scope: state.scope, since: soon(0), until: soon(120_000), state: "waiting", decided, decide };
      requests.set(id, created);
      changed();
      return [202, { request: id, number: created.number, until: created.until }];
    }
    const request = requests.get(/^\/v1\/pair\/(\w+)$/.exec(path)?.[1]);
    if (!request) return [404, problem("not-found", "There is no such request.")];
    await request.decided;
    const found = request.device;
    return [200, { state: request.state, ...(found ? { scope: found.scope } : {}) }, found ? { "Set-Cookie": `device=${found.cookie}; HttpOnly; SameSite=Strict; Path=/` } : {}];
  }

  function settle(request, end, scope = state.scope) {
    request.state = end;
    if (end === "allowed") {
      request.device = { id: request.id, name: request.name, scope, since: soon(0), lastSeen: soon(0), until: soon(12 * HOUR), here: true, cookie: randomBytes(16).toString("hex") };
      devices.set(request.id, request.device);
    }
    request.decide();
    changed();
  }

  /** Handles the requests of the computer. Returns undefined for other paths. */
  function handleComputer(method, path, body) {
    if (path === "/v1/pairing") {
      if (method === "POST") {
        Object.assign(state, { on: true, until: body.forMs ? soon(body.forMs) : undefined, scope: body.scope });
        invite();
        changed();
      } else if (method === "DELETE") {
        Object.assign(state, { on: false, invitation: undefined });
        changed();
        return [204];
      }
      return [200, view()];
    }
    const [, kind, id] = /^\/v1\/(pairing\/requests|devices)\/(\w+)$/.exec(path) ?? [];
    if (kind === "devices") return devices.delete(id), changed(), [204];
    if (!kind) return undefined;
    const request = requests.get(id);
    if (request?.state !== "waiting") return [404, problem("not-found", "That request is over.")];
    settle(request, body.allow ? "allowed" : "refused", body.scope);
    return [200, view()];
  }

  return {
    handleDevice, handleComputer, device, view, changed, state, devices,
    /** A pairing request without a browser. */
    requestPairing: async (name = "iPhone, Safari") => (await handleDevice("POST", "/v1/pair", { code: state.invitation.code, name }))[1],
    /** A paired device without a browser. */
    addDevice: (part = {}) => {
      const id = randomBytes(8).toString("hex");
      devices.set(id, { id, name: "iPhone, Safari", scope: "answer", since: soon(-HOUR), lastSeen: soon(-120_000), until: soon(11 * HOUR), here: false, cookie: randomBytes(16).toString("hex"), ...part });
      changed();
      return devices.get(id);
    },
    /** Lets all waiting requests expire. */
    expire: () => [...requests.values()].filter(({ state }) => state === "waiting").forEach((request) => settle(request, "over")),
    at: (at, safe = false) => ([url, encrypted] = [at, safe]),
  };
}
