// The pages of pairing, with a hub in memory: every state at the computer and on the phone, what a read-only phone isn't
// offered, and that the notice at the computer interrupts nothing.
import assert from "node:assert/strict";
import { after, beforeEach, test } from "node:test";
import { fake } from "../fake_hub.mjs";
import { SIZES, schemes, tooWide, violations } from "./axe.mjs";
import { PHONE, browser, closeBrowser, until } from "./support.mjs";

const IPHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1";
let hub;
let base;
let lan;
const contexts = [];
beforeEach(async () => {
  for (const context of contexts.splice(0)) await context.close();
  await hub?.stop();
  hub = fake();
  base = await hub.listen();
  lan = base.replace("127.0.0.1", PHONE);
  hub.pairing.at(lan);
});
after(async () => {
  await closeBrowser();
  await hub.stop();
});

async function page(url, options) {
  const context = await (await browser()).newContext({ viewport: { width: 1280, height: 900 }, locale: "en-GB", serviceWorkers: "block", ...options });
  contexts.push(context);
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  page.on("pageerror", (error) => assert.fail(String(error)));
  await page.goto(url);
  return page;
}
const phone = (path = "/pair", options) => page(lan + path, { viewport: { width: 390, height: 844 }, userAgent: IPHONE, ...options });
const turnOn = (body = { forMs: 3_600_000, scope: "answer" }) => hub.pairing.handleComputer("POST", "/v1/pairing", body)[1];
const ask = (page) => page.getByRole("button", { name: "Ask to be let in" }).click();

/** Opens a page on a paired phone. */
async function pairedPhone(path, scope = "answer", options) {
  if (!hub.pairing.state.on) turnOn();
  const { cookie } = hub.pairing.addDevice({ scope, here: true });
  const found = await phone("/pair", options);
  await found.context().addCookies([{ name: "device", value: cookie, url: lan }]);
  await found.goto(lan + path);
  return found;
}

const STATES = {
  "settings, off": async (size) => {
    const at = await page(`${base}/settings`, size);
    await at.getByRole("button", { name: "Let a phone in" }).waitFor();
    return at;
  },
  "settings, on": async (size) => {
    hub.pairing.addDevice({ name: "Pixel 9 of the whole family in the kitchen, Samsung Internet", here: true });
    hub.pairing.addDevice({ scope: "see", lastSeen: undefined, until: undefined });
    hub.pairing.addDevice({ name: "iPad", stranded: true });
    const at = await page(`${base}/settings`, size);
    await at.getByText("can't come: let in on another way").waitFor();
    await at.getByRole("button", { name: "Let a phone in" }).click();
    await at.locator(".qr").waitFor();
    await at.locator(".phones-how summary").click();
    return at;
  },
  "settings, revoking": async (size) => {
    hub.pairing.addDevice();
    const at = await page(`${base}/settings`, size);
    await at.getByRole("button", { name: "Revoke" }).click();
    await at.getByRole("dialog").waitFor();
    return at;
  },
  "the request at the computer": async (size) => {
    turnOn();
    const at = await page(`${base}/a/ask_0001`, size);
    await at.locator(".question").waitFor();
    await hub.pairing.requestPairing("A name that somebody made as long as names of devices can be");
    await at.locator(".pairing-request").waitFor();
    return at;
  },
  "the code": async (size) => {
    turnOn();
    const at = await phone("/pair", size);
    await at.getByLabel("Code").waitFor();
    return at;
  },
  "a wrong code": async (size) => {
    turnOn();
    const at = await phone("/pair", size);
    await at.getByLabel("Code").fill("000 0000");
    await ask(at);
    await at.getByText("The code has six digits.").waitFor();
    return at;
  },
  "the number": async (size) => {
    const at = await phone(`/pair${new URL(turnOn().invitation.url).hash}`, size).catch(() => undefined);
    await at.getByRole("heading", { name: /^Confirm \d\d on the computer/ }).waitFor();
    return at;
  },
  "refused": async (size) => {
    const at = await STATES["the number"](size);
    hub.pairing.handleComputer("POST", `/v1/pairing/requests/${hub.pairing.view().requests[0].id}`, { allow: false });
    await at.getByRole("heading", { name: "The computer said no" }).waitFor();
    return at;
  },
  "no longer paired": async (size) => {
    const at = await pairedPhone("/", "answer", size);
    await at.locator(".item").first().waitFor();
    hub.pairing.devices.clear();
    hub.cut();
    await at.getByRole("heading", { name: "This device isn't let in" }).waitFor();
    return at;
  },
  "a card on the phone": async (size) => {
    const at = await pairedPhone("/a/ask_0001", "answer", size);
    await at.locator(".question").waitFor();
    await at.getByText("not encrypted").click();
    return at;
  },
  "a read-only card": async (size) => {
    const at = await pairedPhone("/a/ask_0001", "see", size);
    await at.locator(".readonly .rows").waitFor();
    return at;
  },
  "settings on the phone": async (size) => {
    const at = await pairedPhone("/settings", "answer", size);
    await at.getByText("may answer your agents").waitFor();
    return at;
  },
};

for (const [width, height] of SIZES) {
  test(`every state at ${width} px, ${schemes(width).join(" and ")}`, async (t) => {
    for (const [name, reach] of Object.entries(STATES)) {
      await t.test(name, async () => {
        const at = await reach({ viewport: { width, height } });
        for (const colorScheme of schemes(width)) {
          await at.emulateMedia({ colorScheme });
          assert.deepEqual(await violations(at, colorScheme), [], colorScheme);
        }
        assert.equal(await tooWide(at), 0);
      });
    }
  });
}

test("the notice at the computer takes no focus, no key and no click that was under way", async () => {
  turnOn();
  const at = await page(`${base}/a/ask_0004`);
  const field = at.getByLabel("Your answer");
  await field.fill("half a sen");
  // A click at the same moment was meant for something else.
  await at.evaluate(() => {
    new MutationObserver((_, observer) => {
      const allow = document.querySelector(".pairing-request .primary");
      if (!allow) return;
      observer.disconnect();
      allow.click();
    }).observe(document.body, { childList: true, subtree: true });
  });
  await hub.pairing.requestPairing();
  await at.locator(".pairing-request").waitFor();
  await at.keyboard.type("tence");
  await at.keyboard.press("Enter");
  assert.equal(await field.inputValue(), "half a sentence\n");
  assert.ok(await field.evaluate((node) => node === document.activeElement));
  await at.getByRole("status").filter({ hasText: /wants to answer your questions. Does it show \d\d\?/ }).waitFor({ state: "attached" });
  assert.equal(hub.pairing.view().requests.length, 1);
  assert.equal(hub.seen.filter(({ path }) => path.includes("/requests/")).length, 0);
});

test("the focused element is visible beside the notice at the computer", async () => {
  for (const [width, height] of SIZES) {
    turnOn();
    const at = await page(`${base}/a/ask_0005`, { viewport: { width, height } });
    await at.locator(".question").waitFor();
    await hub.pairing.requestPairing();
    await at.locator(".pairing-request").waitFor();
    await at.evaluate(() => document.activeElement.blur());
    for (let stop = 0; stop < 45; stop++) {
      await at.keyboard.press("Tab");
      const hidden = await at.evaluate(() => {
        const focused = document.activeElement;
        if (!focused || focused === document.body || focused.closest(".pairing-request, .bar, .head")) return undefined;
        const box = (focused.closest(".choice, .button") ?? focused).getBoundingClientRect();
        const over = document.querySelector(".pairing-request").getBoundingClientRect();
        const covered = box.top >= over.top && box.bottom <= over.bottom && box.left >= over.left && box.right <= over.right;
        return covered ? focused.outerHTML.slice(0, 120) : undefined;
      });
      assert.equal(hidden, undefined, `${width}`);
    }
    hub.pairing.expire();
  }
});

test("the code is pasted as it is shown, and a wrong code shows a mistake", async () => {
  turnOn();
  const at = await phone();
  const field = at.getByLabel("Code");
  assert.equal(await field.getAttribute("autocomplete"), "one-time-code");
  assert.equal(await field.getAttribute("inputmode"), "numeric");
  assert.equal(await at.getByLabel("Name of this device").inputValue(), "iPhone, Safari");
  const right = hub.pairing.state.invitation.code;
  const wrong = right === "123456" ? "123457" : "123456";
  for (const left of [5, 4, 3, 2, 1]) {
    await field.fill(wrong);
    const reply = at.waitForResponse(/v1\/pair$/);
    await ask(at);
    await reply;
    await at.getByText(left > 1 ? /now\. \d tr(y|ies) (is|are) left/ : "That was the last try for this code.").waitFor();
    await until(at, () => document.activeElement?.matches("input[aria-invalid=true]"));
  }
  assert.notEqual(hub.pairing.state.invitation.code, right);
  const fresh = hub.pairing.state.invitation.code;
  await field.fill(` ${fresh.slice(0, 3)} ${fresh.slice(3)} `);
  await at.getByLabel("Name of this device").fill("Kitchen");
  await ask(at);
  await at.getByRole("heading", { name: /^Confirm/ }).waitFor();
  assert.equal(hub.pairing.view().requests[0].name, "Kitchen");
});

test("a waiting page goes on waiting after a reload, and its secret isn't in the address", async () => {
  const at = await phone(`/pair${new URL(turnOn().invitation.url).hash}`);
  await at.getByRole("heading", { name: /^Confirm/ }).waitFor();
  assert.equal(at.url(), `${lan}/pair`);
  await at.reload();
  await at.getByRole("heading", { name: /^Confirm/ }).waitFor();
  assert.equal(hub.pairing.view().requests.length, 1);
  hub.pairing.expire();
  await at.getByRole("heading", { name: "That took too long" }).waitFor();
  await at.getByRole("button", { name: "Use a new code" }).click();
  await at.getByLabel("Code").waitFor();
});

test("text typed on a phone stays when the phone is revoked, and is there again after pairing", async () => {
  const at = await pairedPhone("/a/ask_0004");
  await at.getByLabel("Your answer").fill("kept");
  await at.getByText("draft saved").waitFor({ state: "attached" });
  hub.pairing.devices.clear();
  await at.getByLabel("Your answer").fill("kept by the phone");
  await at.getByRole("heading", { name: /let in$/ }).waitFor();
  turnOn();
  await at.getByLabel("Code").fill(hub.pairing.state.invitation.code);
  await ask(at);
  await at.getByRole("heading", { name: /^Confirm/ }).waitFor();
  hub.pairing.handleComputer("POST", `/v1/pairing/requests/${hub.pairing.view().requests[0].id}`, { allow: true, scope: "answer" });
  await at.getByLabel("Your answer").waitFor();
  await at.waitForFunction(() => document.querySelector("textarea")?.value === "kept by the phone");
  await at.locator(".bar .primary").click();
  await at.getByRole("heading", { name: /^Sent/ }).waitFor();
  assert.equal(hub.records.get("ask_0004").answeredDevice, "iPhone, Safari");
});

test("an answer that was sent just as the phone was revoked is not lost", async () => {
  const at = await pairedPhone("/a/ask_0004");
  await at.getByLabel("Your answer").waitFor();
  const device = [...hub.pairing.devices.values()][0];
  hub.pairing.devices.clear();
  await at.evaluate(() => {
    const field = document.querySelector("textarea");
    field.value = "at the last moment";
    field.dispatchEvent(new InputEvent("input", { bubbles: true }));
    document.querySelector(".bar .primary").click();
  });
  await at.getByRole("heading", { name: /let in$/ }).waitFor();
  // The page is loaded again only after the browser has stored it.
  await until(at, () => new Promise((done) => {
    indexedDB.open("ask-user", 1).onsuccess = ({ target: { result } }) => {
      result.transaction("drafts").objectStore("drafts").get("ask_0004").onsuccess = ({ target }) => {
        result.close();
        done(target.result?.draft.answers[0].own === "at the last moment");
      };
    };
  }));
  hub.pairing.devices.set(device.id, device);
  await at.reload();
  await at.waitForFunction(() => document.querySelector("textarea")?.value === "at the last moment");
});

test("a read-only phone is offered nothing that would fail", async () => {
  const at = await pairedPhone("/", "see");
  await at.locator(".item").first().waitFor();
  await at.locator(".connection.live").waitFor();
  assert.equal(await at.locator(".quick").count(), 0);
  for (const path of ["/a/ask_0001", "/a/ask_0003", "/a/ask_0004"]) {
    await at.goto(lan + path);
    await at.getByText("This device may only see questions.").waitFor();
    assert.equal(await at.locator("main button, main input, main textarea").count(), 0);
    await at.keyboard.press("1");
  }
  await at.goto(`${lan}/history/ask_0009`);
  await at.locator(".timeline").waitFor();
  assert.equal(await at.locator("main button").count(), 0);
  await at.goto(`${lan}/settings`);
  await at.getByText("may see what your agents ask").waitFor();
  assert.equal(await at.getByText("Let a phone answer").count(), 0);
  const writes = hub.seen.filter(({ method, headers }) => method !== "GET" && headers.host.startsWith(PHONE));
  assert.deepEqual(writes, []);
});

test("the head shows the number of paired phones at the computer, and a warning about the connection on the phone", async () => {
  const at = await page(base);
  await at.getByRole("link", { name: "Phone: off" }).click();
  await at.getByRole("button", { name: "Let a phone in" }).click();
  await at.getByRole("link", { name: "Phone: on" }).waitFor();
  const there = await pairedPhone("/history");
  await at.getByRole("link", { name: "Phone: 1" }).waitFor();
  await there.getByText("not encrypted").first().waitFor();
  assert.equal(await there.getByText(/^Phone:/).count(), 0);
  await at.getByRole("button", { name: "Stop letting phones in" }).click();
  await at.getByRole("link", { name: "Phone: off" }).waitFor();
  await there.getByText(/reconnecting in/).waitFor();
});

test("a read-only invitation requests no more, and one without a code still has its QR code", async () => {
  turnOn({ forMs: null, scope: "see" });
  const at = await page(`${base}/settings`);
  await at.getByText("Phones are let in until you stop it").waitFor();
  delete hub.pairing.state.invitation.code;
  hub.pairing.changed();
  await at.getByText("Too many wrong codes were typed.").waitFor();
  await at.locator(".qr").waitFor();
  hub.pairing.state.invitation.code = "123456";
  await hub.pairing.requestPairing();
  await at.getByText("wants to see your questions").first().waitFor();
  assert.equal(await at.getByRole("button", { name: "Only see" }).count(), 0);
});

test("a delayed reply undoes no later event", async () => {
  turnOn({ forMs: null, scope: "answer" });
  const at = await page("about:blank");
  const once = () => {
    const made = {};
    made.promise = new Promise((done) => (made.resolve = done));
    return made;
  };
  const [read, late] = [once(), once()];
  await at.route("**/v1/pairing", async (route) => {
    const response = await route.fetch();
    read.resolve();
    await late.promise;
    await route.fulfill({ response });
  });
  await at.goto(`${base}/settings`);
  await read.promise;
  delete hub.pairing.state.invitation.code;
  hub.pairing.changed();
  await at.getByText("Too many wrong codes were typed.").waitFor();
  late.resolve();
  await at.locator(".qr").waitFor();
  assert.ok(await at.getByText("Too many wrong codes were typed.").isVisible());
});

test("a tab that is opened later knows the phones, too", async () => {
  turnOn();
  const at = await page(base);
  await at.getByRole("link", { name: "Phone: on" }).waitFor();
  const other = await at.context().newPage();
  await other.goto(`${base}/settings`);
  await other.getByRole("link", { name: "Phone: on" }).waitFor();
  await other.locator(".qr").waitFor();
});
