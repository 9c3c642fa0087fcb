// Pairing a phone with the real hub, with the computer's page in one browser and the phone's in another.
import assert from "node:assert/strict";
import { test } from "node:test";
import { LAN, LIMIT, open, ownHub } from "./support.mjs";

const IPHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1";
const START = "2026-02-04T12:00:00Z";
let minutes = 0;
const hub = await ownHub({ now: START, http: `names = "${LAN.name}"` });

const text = (question) => ({ questions: [{ question, type: "text" }] });
const primary = (page) => page.locator(".bar .primary");
/** A URL of the hub as the phone uses it. */
const there = (url) => url.replace(LAN.address, LAN.name);

/** Turns pairing on, with a new invitation. */
const invite = async (...more) => JSON.parse(await hub.run("pair", "--json", "--address", LAN.address, "--for", "1h", ...more));

/** Opens the page at the computer. */
async function computer(path = "/settings") {
  const here = await open(await hub.link());
  await here.page.locator(".connection.live").waitFor();
  await here.page.goto(hub.base + path);
  await here.page.locator(".connection.live").waitFor();
  return here;
}

// Chromium reports parts of the policy that it ignores over an unencrypted connection.
const allowed = /\b(401|403|429)\b|ERR_|Cross-Origin-Opener-Policy/;
/** Opens a URL on a phone. */
const phone = (url) => open(there(url), { allowed, viewport: { width: 390, height: 844 }, userAgent: IPHONE });

const number = async (page) => /Confirm (\d\d) on/.exec(await page.getByRole("heading", { name: /^Confirm \d\d on the computer/ }).textContent())[1];
/** The notice with this number. The whole number is compared, because an address may contain the same two digits. */
const requestNotice = (page, shows) => page.locator(".pairing-request").filter({ has: page.locator(".pair-number", { hasText: new RegExp(`^${shows}$`) }) });
const ask = (page) => page.getByRole("button", { name: "Ask to be let in" }).click();
/** Decides on the device that shows this number. */
const decide = (page, shows, what) => requestNotice(page, shows).getByRole("button", { name: what, exact: true }).click();

/** A paired phone that shows its list. */
async function pairedPhone(page, ...more) {
  const { invitation } = await invite(...more);
  const found = await phone(invitation.url);
  await decide(page, await number(found.page), "Allow");
  await found.page.locator(".connection.live").waitFor();
  return found;
}

const devicesStatus = async () => JSON.parse(await hub.run("pair", "--devices", "--json"));

/** Ends the devices and requests of a test. Two minutes later no rate limit applies any more. */
async function endAll() {
  for (const { id } of (await devicesStatus()).devices) await hub.run("pair", "--revoke", id);
  await hub.run("pair", "--off");
  minutes += 2;
  hub.clock(new Date(Date.parse(START) + minutes * 60_000).toISOString());
}

test("a phone is paired by the QR code's link, answers, and is named wherever its answer is shown", async () => {
  const agent = await hub.ask(text("Which colour?"));
  const { url, invitation } = await invite();
  const here = await computer();
  await here.page.locator(".qr path").waitFor();
  assert.match(await here.page.locator(".pair-code").textContent(), /^\d{3} \d{3}$/);
  const { page, done } = await phone(invitation.url);
  const shown = await number(page);
  assert.equal(page.url(), there(`${url}/pair`));
  await requestNotice(here.page, shown).getByText("iPhone, Safari at 127.0.0.").waitFor();
  await decide(here.page, shown, "Allow");
  await page.getByRole("link", { name: /Which colour/ }).click();
  await page.getByText("not encrypted").waitFor();
  await page.getByLabel("Your answer").fill("blue");
  await here.page.getByText("here now").waitFor();
  await here.page.getByRole("link", { name: "Phone: 1" }).waitFor();
  await here.page.goto(`${hub.base}/a/${agent.id}`);
  await here.page.getByLabel("Your answer").waitFor();
  await primary(page).click();
  await page.getByRole("heading", { name: /^Sent/ }).waitFor();
  await here.page.getByRole("heading", { name: /^Answered in browser · iPhone, Safari/ }).waitFor();
  assert.deepEqual((await agent.result()).answers[0].values, ["blue"]);
  assert.equal((await hub.show(agent.id)).answeredDevice, "iPhone, Safari");
  await here.page.goto(`${hub.base}/history`);
  await here.page.locator(".history-list", { hasText: "browser · iPhone, Safari" }).waitFor();
  await here.page.goto(`${hub.base}/history/${agent.id}`);
  await here.page.locator(".timeline", { hasText: "browser · iPhone, Safari" }).waitFor();
  // The link pairs no second device.
  const second = await phone(invitation.url);
  await second.page.getByText("This link was used before").waitFor();
  await second.done();
  await done();
  await here.done();
  await endAll();
});

test("a phone that opens its link again, in any tab, goes on waiting with the same number", async () => {
  const here = await computer();
  const { invitation } = await invite();
  const { page, done } = await phone(invitation.url);
  const shown = await number(page);
  await page.reload();
  assert.equal(await number(page), shown);
  await page.goto(there(invitation.url));
  await page.waitForURL((url) => url.hash === "");
  assert.equal(await number(page), shown);
  const other = await page.context().newPage();
  await other.goto(there(invitation.url));
  assert.equal(await number(other), shown);
  await page.close();
  await requestNotice(here.page, shown).waitFor();
  assert.equal(await here.page.locator(".pairing-request").count(), 1);
  await decide(here.page, shown, "Allow");
  await other.locator(".connection.live").waitFor();
  // A finished request isn't stored any more.
  await other.goto(there(invitation.url));
  await other.getByText("This link was used before").waitFor();
  await done();
  await here.done();
  await endAll();
});

test("wrong codes pair nothing, five of them replace the code, and a refusal is final", async () => {
  const { url, invitation } = await invite();
  const here = await computer();
  const { page, done } = await phone(`${url}/pair`);
  const wrong = invitation.code === "000000" ? "000001" : "000000";
  for (let count = 0; count < 5; count++) {
    await page.getByLabel("Code").fill(wrong);
    const reply = page.waitForResponse(/v1\/pair$/);
    await ask(page);
    await reply;
    const left = ["4 tries are left", "3 tries are left", "2 tries are left", "1 try is left", "That was the last try for this code. The computer shows another one now"];
    await page.getByText(left[count]).waitFor();
  }
  assert.equal(await here.page.locator(".pairing-request").count(), 0);
  const old = `${invitation.code.slice(0, 3)} ${invitation.code.slice(3)}`;
  await here.page.waitForFunction((old) => document.querySelector(".pair-code")?.textContent !== old, old);
  await page.getByLabel("Code").fill(await here.page.locator(".pair-code").textContent());
  await page.getByLabel("Name of this device").fill("<b>Kitchen</b>");
  await ask(page);
  const shown = await number(page);
  await requestNotice(here.page, shown).getByText("<b>Kitchen</b> at").waitFor();
  await decide(here.page, shown, "Refuse");
  await page.getByRole("heading", { name: "The computer said no" }).waitFor();
  await page.goto(there(url));
  await page.getByRole("heading", { name: "This device isn't let in" }).waitFor();
  await here.page.getByText("No device was let in.").waitFor();
  await done();
  await here.done();
  await endAll();
});

test("two phones ask at once, and each gets the decision on its number", async () => {
  const here = await computer("/");
  const first = await phone((await invite()).invitation.url);
  const numbers = [await number(first.page)];
  const second = await phone((await invite()).invitation.url);
  numbers.push(await number(second.page));
  assert.notEqual(numbers[0], numbers[1]);
  await decide(here.page, numbers[1], "Refuse");
  await second.page.getByRole("heading", { name: "The computer said no" }).waitFor();
  await decide(here.page, numbers[0], "Only see");
  await first.page.locator(".connection.live").waitFor();
  for (const one of [first, second, here]) await one.done();
  await endAll();
});

test("a phone that waits while the hub is killed says that the computer restarted", async () => {
  const { page, done } = await phone((await invite()).invitation.url);
  await number(page);
  await hub.kill();
  await hub.run("list");
  await page.getByRole("heading", { name: "The computer began anew" }).waitFor();
  await page.getByRole("button", { name: "Use a new code" }).click();
  await page.getByLabel("Code").fill((await invite()).invitation.code);
  await ask(page);
  await number(page);
  await done();
  await endAll();
});

test("a phone is revoked while somebody types on it, and has the text again after pairing", async () => {
  const agent = await hub.ask(text("Which day?"));
  const here = await computer();
  const { page, done } = await pairedPhone(here.page);
  await page.goto(there(`${(await invite()).url}/a/${agent.id}`));
  await page.getByLabel("Your answer").fill("Mon");
  await here.page.getByRole("button", { name: "Revoke iPhone, Safari" }).click();
  await page.getByLabel("Your answer").fill("Monday");
  await here.page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click();
  await page.getByRole("heading", { name: "This device is no longer let in" }).waitFor();
  await here.page.getByText("No device was let in.").waitFor();
  const { invitation } = await invite();
  await page.getByLabel("Code").fill(invitation.code);
  await ask(page);
  await decide(here.page, await number(page), "Allow");
  await page.getByLabel("Your answer").waitFor();
  await page.waitForFunction(() => document.querySelector("textarea")?.value === "Monday");
  await primary(page).click();
  await page.getByRole("heading", { name: /^Sent/ }).waitFor();
  assert.deepEqual((await agent.result()).answers[0].values, ["Monday"]);
  await done();
  await here.done();
  await endAll();
});

test("a phone is revoked with a queued answer: after pairing it has a draft and sends nothing by itself", async () => {
  const agent = await hub.ask(text("Which hour?"));
  const here = await computer();
  const { page, context, done } = await pairedPhone(here.page);
  await page.goto(there(`${(await invite()).url}/a/${agent.id}`));
  await page.getByLabel("Your answer").waitFor();
  await page.locator(".connection.live").waitFor({ state: "attached" });
  await context.setOffline(true);
  await page.getByLabel("Your answer").fill("noon");
  await primary(page).click();
  await page.getByText(/^Your answer waits for the connection/).waitFor();
  for (const { id } of (await devicesStatus()).devices) await hub.run("pair", "--revoke", id);
  await context.setOffline(false);
  await page.getByRole("heading", { name: "This device is no longer let in" }).waitFor();
  const { invitation } = await invite();
  await page.getByLabel("Code").fill(invitation.code);
  await ask(page);
  await decide(here.page, await number(page), "Allow");
  await page.getByLabel("Your answer").waitFor();
  await page.waitForFunction(() => document.querySelector("textarea")?.value === "noon");
  await page.locator(".connection.live").waitFor({ state: "attached" });
  await page.getByText(/^draft saved/).waitFor({ state: "attached" });
  assert.equal((await hub.show(agent.id)).state, "waiting");
  await primary(page).click();
  await page.getByRole("heading", { name: /^Sent/ }).waitFor();
  assert.deepEqual((await agent.result()).answers[0].values, ["noon"]);
  await done();
  await here.done();
  await endAll();
});

test("while pairing is off, a phone's page waits, keeps what is typed, and goes on afterwards", async () => {
  const agent = await hub.ask(text("Which month?"));
  const here = await computer();
  const { page, done } = await pairedPhone(here.page);
  await page.getByRole("link", { name: /Which month/ }).click();
  await page.getByLabel("Your answer").waitFor();
  await hub.run("pair", "--off");
  await here.page.getByRole("link", { name: "Phone: off" }).waitFor();
  await page.getByText(/^reconnecting in/).waitFor();
  await page.getByLabel("Your answer").fill("May");
  await page.getByText("draft kept in this browser").waitFor({ state: "attached" });
  await invite();
  await page.locator(".connection.live").waitFor({ state: "attached" });
  await primary(page).click();
  await page.getByRole("heading", { name: /^Sent/ }).waitFor();
  assert.deepEqual((await agent.result()).answers[0].values, ["May"]);
  await done();
  await here.done();
  await endAll();
});

test("a read-only phone shows everything and offers nothing that would fail", async () => {
  const agent = await hub.ask({ title: "Where to", questions: [{ question: "Which *way*?", type: "select", options: [{ label: "Left", description: "The short one" }, { label: "Right" }] }, { question: "Why?", type: "text" }] });
  const here = await computer();
  const { page, done } = await pairedPhone(here.page, "--see");
  const refused = [];
  page.on("response", (response) => response.status() === 403 && refused.push(response.url()));
  await page.getByRole("link", { name: /Where to/ }).click();
  await page.getByText("This device may only see questions.").waitFor();
  await page.getByText("The short one").waitFor();
  assert.equal(await page.locator("main button, main input, main textarea").count(), 0);
  await hub.run("answer", agent.id, "--set", "1=Left", "--set", "2=because");
  await page.getByText(/^Answered in /).waitFor();
  await page.getByText("because").waitFor();
  for (const path of ["history", "stats", "settings"]) {
    await page.goto(there(`${(await invite()).url}/${path}`));
    await page.locator("main h1").waitFor();
    await page.locator(".connection.live").waitFor();
  }
  await page.getByText("may see what your agents ask").waitFor();
  assert.deepEqual(refused, []);
  await page.getByRole("button", { name: "Sign out", exact: true }).click();
  await page.getByLabel("Code").waitFor();
  await here.page.getByText("No device was let in.").waitFor();
  await done();
  await here.done();
  await endAll();
});

test("the settings of pairing: duration, permission, a new code, and turning it off", async () => {
  await invite();
  const here = await computer();
  const { page } = here;
  await page.getByText("For how long, and what it may do").click();
  await page.getByText("This connection isn't encrypted.").waitFor();
  await page.getByLabel("Until I stop it").check();
  await page.getByLabel("only see them").check();
  const code = await page.locator(".pair-code").textContent();
  await page.getByRole("button", { name: "New code" }).click();
  await page.getByText("Phones are let in until you stop it").waitFor();
  await page.waitForFunction((code) => document.querySelector(".pair-code")?.textContent !== code, code);
  const { url, until } = await devicesStatus();
  assert.deepEqual([new URL(url).hostname, until], [LAN.address, undefined]);
  await page.getByRole("button", { name: "Stop letting phones in" }).click();
  await page.getByRole("button", { name: "Let a phone in" }).waitFor();
  await here.done();
  await endAll();
});

test("a device's session expires", async () => {
  const agent = await hub.ask(text("Which year?"));
  const here = await computer();
  const { page, done } = await pairedPhone(here.page);
  await page.getByRole("link", { name: /Which year/ }).click();
  await page.getByLabel("Your answer").fill("20");
  await page.getByText(/^draft saved/).waitFor({ state: "attached" });
  // Pairing is still on; only this device's session has expired.
  await hub.run("pair", "--json", "--address", LAN.address, "--for", "always");
  hub.clock("2027-02-04T12:00:00Z");
  await page.getByLabel("Your answer").fill("2027");
  await page.getByRole("heading", { name: "This device is no longer let in" }).waitFor();
  agent.end();
  await done();
  await here.page.context().close();
});
