// A phone over HTTPS with the person's own certificate, at the real hub: what a browser allows there and not over plain HTTP.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { X509Certificate, createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { LAN, open, ownHub, trust, until } from "./support.mjs";

const folder = mkdtempSync(join(tmpdir(), "certificate-"));
const [cert, key] = ["cert.pem", "key.pem"].map((name) => join(folder, name));
execFileSync("openssl", ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "30", "-subj", "/CN=desk", "-addext", `subjectAltName=DNS:${LAN.name}`, "-keyout", key, "-out", cert], { stdio: "ignore" });
const { publicKey } = new X509Certificate(readFileSync(cert));
trust(createHash("sha256").update(publicKey.export({ type: "spki", format: "der" })).digest("base64"));
const hub = await ownHub({ http: `tls_cert = "${cert}"\ntls_key = "${key}"` });
after(() => rmSync(folder, { recursive: true, force: true }));

test("a phone is paired over HTTPS, where the page can be installed and may notify", async () => {
  const agent = await hub.ask({ questions: [{ question: "Which colour?", type: "text" }] });
  const here = await open(await hub.link());
  await here.page.goto(`${hub.base}/settings`);
  await here.page.getByRole("button", { name: "Let a phone in" }).waitFor();
  assert.equal(await here.page.getByText("This connection isn't encrypted.").count(), 0);

  const { url, encrypted, invitation } = JSON.parse(await hub.run("pair", "--json", "--address", LAN.address, "--for", "1h"));
  assert.match(url, new RegExp(`^https://${LAN.name}:\\d+$`));
  assert.equal(encrypted, true);
  await here.page.getByText(url, { exact: true }).waitFor();
  const phone = await open(invitation.url, { allowed: /\b401\b/, viewport: { width: 390, height: 844 } });
  const shown = await phone.page.getByRole("heading", { name: /^Confirm \d\d on the computer/ }).textContent();
  const [, number] = /Confirm (\d\d) on/.exec(shown);
  await here.page.locator(".pairing-request", { hasText: number }).getByRole("button", { name: "Allow", exact: true }).click();
  await phone.page.locator(".connection.live").waitFor();

  assert.equal(await phone.page.evaluate(() => isSecureContext), true);
  await until(phone.page, () => navigator.serviceWorker.ready.then(() => Boolean(navigator.serviceWorker.controller)));
  const [cookie] = await phone.context.cookies();
  assert.ok(cookie.secure && cookie.httpOnly && cookie.sameSite === "Strict");
  await phone.page.getByRole("link", { name: /Which colour/ }).click();
  await phone.page.getByLabel("Your answer").fill("blue");
  assert.equal(await phone.page.getByText("not encrypted").count(), 0);
  await phone.page.locator(".bar .primary").click();
  await phone.page.getByRole("heading", { name: /^Sent/ }).waitFor();
  assert.deepEqual((await agent.result()).answers[0].values, ["blue"]);
  await phone.done();

  const typed = await open(`${url.replace("https", "http")}/pair`, { allowed: /\b401\b/ });
  assert.equal(typed.page.url(), `${url}/pair`, "who types the address without https is led on");
  await typed.page.getByRole("button", { name: "Ask to be let in" }).waitFor();
  await typed.done();
  await here.done();
});
