// A phone behind a proxy (`http.public_url`): refused with a reason while pairing is off, and connected again by itself.
import assert from "node:assert/strict";
import { connect, createServer } from "node:net";
import { after, test } from "node:test";
import { LAN, open, ownHub } from "./support.mjs";

// It passes on every byte, so the Host header is unchanged.
const proxy = createServer((from) => {
  const to = connect(hub.port, "127.0.0.1");
  for (const line of [from, to]) line.on("error", () => (from.destroy(), to.destroy()));
  from.pipe(to).pipe(from);
});
await new Promise((ready) => proxy.listen(0, LAN.address, ready));
const url = `http://${LAN.name}:${proxy.address().port}`;
const hub = await ownHub({ http: `public_url = "${url}"` });
after(() => proxy.close());

test("while pairing is off, the page of a phone behind a proxy says why, keeps what was typed, and goes on afterwards", async () => {
  const agent = await hub.ask({ questions: [{ question: "Which colour?", type: "text" }] });
  const here = await open((await hub.link()).split("\n")[0]);
  await here.page.locator(".connection.live").waitFor();
  const { invitation } = JSON.parse(await hub.run("pair", "--json"));
  assert.ok(invitation.url.startsWith(`${url}/pair#`));
  const phone = await open(invitation.url, { allowed: /\b(401|403)\b|ERR_|Cross-Origin-Opener-Policy/, viewport: { width: 390, height: 844 } });
  await here.page.locator(".pairing-request").getByRole("button", { name: "Allow", exact: true }).click();
  await phone.page.locator(".connection.live").waitFor();
  await phone.page.getByRole("link", { name: /Which colour/ }).click();
  await phone.page.getByLabel("Your answer").fill("blue");

  await hub.run("pair", "--off");
  // The page may also say that the draft was not saved, and why.
  const why = phone.page.getByRole("status").filter({ hasText: "The computer lets no device in at the moment. Turn it on there" });
  await why.waitFor();
  await phone.page.locator(".bar .primary").click();
  assert.equal((await hub.show(agent.id)).state, "waiting");
  await phone.page.reload();
  await why.waitFor();

  await hub.run("pair", "--json");
  await why.waitFor({ state: "detached" });
  // The answer was refused, not queued: the text is still there, and is sent when the person presses Send again.
  await phone.page.waitForFunction(() => document.querySelector("textarea")?.value === "blue");
  await phone.page.locator(".bar .primary").click();
  assert.deepEqual((await agent.result()).answers[0].values, ["blue"]);
  await phone.done();
  await here.done();
});
