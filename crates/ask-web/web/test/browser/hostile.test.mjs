// Agents' texts stay text wherever they are shown: in the list, on the card, in the notice afterwards, in history and
// statistics, in exports and notifications. Each hostile text is put into each field that an agent can set.
import assert from "node:assert/strict";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { HOSTILE, TURNING } from "./hostile.mjs";
import { loaded, open, ownHub } from "./support.mjs";

const hub = await ownHub();

/** Whether something ran, and elements that the page never makes of a text. */
const inspect = (page) => page.evaluate(() => {
  const odd = [];
  if (window.ran !== undefined || Object.prototype.ran !== undefined || {}.polluted) odd.push("something ran");
  for (const node of document.querySelectorAll("body *")) {
    if (/^(script|style|iframe|object|embed|base|meta|link|video|audio|source|math|marquee|template|image|foreignobject|animate|use|object)$/i.test(node.localName)) odd.push(node.outerHTML.slice(0, 120));
    for (const { name, value } of node.attributes) {
      if (/^on/i.test(name) || name === "style" || name === "srcdoc" || name === "srcset") odd.push(`${name}=${value}`.slice(0, 120));
    }
    if (node.localName === "a" && !/^https?:$/.test(node.protocol)) odd.push(node.outerHTML.slice(0, 160));
    if (node.localName === "a" && node.origin !== location.origin) {
      if (!/noreferrer/.test(node.rel) || !/noopener/.test(node.rel)) odd.push(`no rel: ${node.outerHTML.slice(0, 160)}`);
      const shown = `${node.textContent}${node.nextElementSibling?.textContent ?? ""}`;
      if (!shown.includes(node.host)) odd.push(`doesn't say where it leads: ${node.outerHTML.slice(0, 160)}`);
    }
    if (node.localName === "a" && node.origin === location.origin && node.closest(".prose")) odd.push(`leads into the page: ${node.outerHTML.slice(0, 120)}`);
    if (node.localName === "img" && new URL(node.src, location.href).origin !== location.origin) odd.push(node.outerHTML.slice(0, 120));
    if (node.localName === "form" && new URL(node.action, location.href).origin !== location.origin) odd.push(node.outerHTML.slice(0, 120));
  }
  if (document.querySelectorAll("main").length !== 1 || document.querySelectorAll("#main, #app > main").length > 1) odd.push("more than one main part");
  return { odd, text: document.body.innerText + document.title, over: document.documentElement.scrollWidth - document.documentElement.clientWidth };
});

async function fine(page, where) {
  const { odd, text, over } = await inspect(page);
  assert.deepEqual(odd, [], where);
  // The isolating characters that the page adds don't count.
  const turns = TURNING.exec(text.replace(/\u2068([^\u2068\u2069]*)\u2069/g, "$1"));
  assert.equal(turns, null, `${where}: ${turns && JSON.stringify(text.slice(Math.max(0, turns.index - 40), turns.index + 40))}`);
  assert.ok(over <= 0, `${where} is ${over} px too wide`);
}

/** An ask with hostile texts in each field: all of them in a long text, one of them in a single line. */
function hostileAsk(texts) {
  const [all, line] = [texts.join("\n\n"), texts.join(" ")];
  return {
    title: line, context: all, agent: line, metadata: { [line]: line, session: line, __proto__x: all },
    questions: [
      { header: line, question: all, type: "select", options: texts.map((text, at) => ({ label: `${text} ${at}`, description: text, preview: text })) },
      { header: texts[0], question: texts[1], type: "multi-select", options: texts.map((text, at) => ({ label: `${at} ${text}`, description: text })) },
      { header: texts[1], question: all, type: "text", placeholder: line, default: all },
      { header: texts[2], question: all, type: "confirm" },
    ],
  };
}

const EACH = 12;
const parts = Array.from({ length: Math.ceil(HOSTILE.length / EACH) }, (_, at) => HOSTILE.slice(at * EACH, (at + 1) * EACH));

/** A folder for project and directory, whose name is the text as far as the file system allows. */
function folder(text) {
  const name = [...text.replaceAll("/", "∕").replaceAll("\0", "")].slice(0, 60).join("");
  const path = join(hub.home, "work", name === "." ? "x" : name || "x");
  mkdirSync(path, { recursive: true });
  return path;
}

test("hostile texts in every field of list, card, review, notice, history, statistics and exports", async () => {
  const { page, context, done } = await open(await hub.link());
  await page.locator(".list").waitFor();
  for (const [at, texts] of parts.entries()) {
    const what = JSON.stringify(texts);
    const agent = await hub.ask(hostileAsk(texts), texts.join(" ").slice(0, 400), { cwd: folder(texts[at % texts.length]), version: texts[0].slice(0, 40) });
    await page.goto(`${hub.base}/a/${agent.id}`);
    await page.locator(".question").waitFor();
    // Each preview is opened once.
    for (const choice of await page.locator("input[type=radio]").all()) {
      await choice.focus();
      await fine(page, `card with ${what}`);
    }
    await page.keyboard.press("1");
    if (at % 2 === 0) {
      for (const name of [2, 3, 4]) {
        await page.locator(".bar .primary").click();
        await page.getByRole("heading", { name: `Question ${name} of 4` }).waitFor();
        await fine(page, `question ${name} with ${what}`);
        await page.keyboard.press("2");
      }
      await page.locator(".bar .primary").click();
      await page.locator(".review").waitFor();
      await page.getByLabel("Note for all").fill(texts.join(" "));
      await fine(page, `review with ${what}`);
      // A second click in the same place so soon would count as a double click.
      await page.locator(".bar .primary").press("Enter");
      await page.locator(".resolved").waitFor();
      await fine(page, `notice with ${what}`);
    } else {
      await page.getByRole("button", { name: "Decline", exact: true }).click();
      await page.getByLabel(/^Why\?/).fill(texts.join("\n"));
      await fine(page, `dialog with ${what}`);
      await page.getByRole("dialog").getByRole("button", { name: "Decline", exact: true }).click();
      await page.locator(".resolved").waitFor();
      await fine(page, `declined with ${what}`);
    }
    await page.goto(`${hub.base}/history/${agent.id}`);
    await page.locator(".detail").waitFor();
    await page.locator("details").evaluateAll((all) => all.forEach((one) => (one.open = true)));
    await fine(page, `detail with ${what}`);
    agent.end();
    const left = await hub.ask(hostileAsk(texts.toReversed()), texts.at(-1).slice(0, 100));
    left.end();
  }
  await page.goto(hub.base);
  await page.locator(".list .item").first().waitFor();
  await fine(page, "the list");
  for (const place of ["/history", "/history?q=script", `/history?q=${encodeURIComponent(HOSTILE[0])}&agent=${encodeURIComponent(HOSTILE[4])}`, "/stats", "/settings"]) {
    await page.goto(hub.base + place);
    await page.locator("main h1").waitFor();
    await page.getByText("Looking …").waitFor({ state: "detached" });
    await page.locator("details").evaluateAll((all) => all.forEach((one) => (one.open = true)));
    await fine(page, place);
  }
  // The same is true on a phone.
  await page.setViewportSize({ width: 320, height: 640 });
  await page.goto(hub.base);
  await page.locator(".list .item").first().waitFor();
  await fine(page, "the list of a phone");
  // Exports are downloads with a type, and start no formula in a spreadsheet.
  for (const format of ["json", "csv", "md"]) {
    const answer = await fetch(`${hub.base}/v1/history/export?format=${format}`, { headers: { Authorization: `Bearer ${readFileSync(join(hub.home, "answer-token"), "utf8").trim()}` } });
    const headers = Object.fromEntries(answer.headers);
    const text = await answer.text();
    assert.match(headers["content-disposition"], /^attachment/, format);
    assert.equal(headers["x-content-type-options"], "nosniff");
    assert.doesNotMatch(headers["content-type"], /html/);
    if (format === "json") assert.ok(JSON.parse(text));
    // A quoted cell ends at a quote that isn't doubled.
    if (format === "csv") for (const [cell] of text.matchAll(/"(?:[^"]|"")*"|[^,\r\n"]+/g)) assert.doesNotMatch(cell.replace(/^"/, ""), /^[=+@\t\r-]/);
    if (format === "md") assert.doesNotMatch(text, /[\u202a-\u202e\u2066-\u2069\u001b]/);
  }
  // The browser's storage and the window's title contain none of it.
  assert.match(await page.title(), /^(\(\d+\) )?ask$/);
  await done();
  assert.equal(context.pages().length, 0);
});

test("hostile texts in announcements, notifications and toasts", async () => {
  const { page, context, done } = await open(undefined);
  await context.grantPermissions(["notifications"], { origin: hub.base });
  await page.addInitScript(() => {
    window.notices = [];
    window.Notification = class {
      static permission = "granted";
      constructor(title, options) {
        window.notices.push(title, options.body, options.icon);
      }
      close() {}
    };
    document.hasFocus = () => false;
  });
  await page.goto(await hub.link());
  // Notifications are loaded: without that, the first ask would cause none.
  await loaded(page);
  for (const text of HOSTILE.filter((text) => TURNING.test(text) || text.startsWith("<img") || /[\u0590-\u06ff]/.test(text))) {
    const agent = await hub.ask({ title: text, questions: [{ question: `Is it ${text}?`, type: "confirm" }] }, text.slice(0, 200));
    await page.waitForFunction((id) => document.querySelector(`.list a[href="/a/${id}"]`), agent.id);
    await fine(page, `read out: ${text}`);
    await page.waitForFunction(() => window.notices.length > 0);
    for (const text of await page.evaluate(() => window.notices.splice(0))) assert.doesNotMatch(text.replace(/\u2068([^\u2068\u2069]*)\u2069/g, "$1"), TURNING);
    agent.end();
  }
  await done();
});
