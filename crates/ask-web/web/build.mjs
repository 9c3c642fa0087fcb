// Builds the page into dist, byte for byte the same wherever it is built; `--out FOLDER` builds elsewhere.
import { createHash } from "node:crypto";
import { copyFile, mkdir, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { build, transform } from "esbuild";
import { languages, wordsOf } from "./words.mjs";

const at = process.argv.indexOf("--out");
const out = at < 0 ? "dist" : process.argv[at + 1];
const KB = 1024;
const NOTICE = "/* contains Preact, Copyright (c) 2015-present Jason Miller, MIT licence */";
const target = ["chrome123", "firefox120", "safari17.5"];
const options = { outdir: out, bundle: true, minify: true, format: "esm", target, charset: "utf8", legalComments: "none" };

// What Preact calls on components that are classes: there are none of them here.
const CLASSES = "getDerivedStateFrom(Props|Error)|getSnapshotBeforeUpdate|getChildContext|shouldComponentUpdate|component(Will|Did)(Mount|Unmount|Update|ReceiveProps|Catch)|debounceRendering";
// Long names that are ours alone, and go over no wire and into no store.
const OURS = "alternatives|answersByTap|askChanged|askCreated|cancelQuickAnswer|changeNote|changedAfterSend|checkConnection|connected|connection|contextChanged|describedBy|dialogTexts|focusedAt|fullValue|hideLabel|inFlight|isAskBack|isBackedUp|isDialogOpen|isSearching|isStored|languageSet|listeners|missingFiles|mistakes|onlyHere|openDialog|ownChosen|pageLeaving|politeCount|queuedText|received|replacesPage|restored|saveProblem|saveTimer|saving|sendKey|sending|signedOut|storesExtraText|swapAlternative|teardown|unseenUntil|unsentTexts|uploads|urgentCount|usedLink";
const jsx = { tsconfigRaw: "{}", jsx: "transform", jsxFactory: "h", jsxFragment: "Fragment", inject: ["src/lib/jsx.ts"], mangleProps: new RegExp(`^(${CLASSES}|${OURS})$`) };

// Chunks are loaded by a page that has loaded `main.tsx` already. Each imports it here, so that esbuild puts all
// that the page starts with into one file, instead of into one for each set of chunks that share it.
const CHUNKS = (await readdir("src/chunks")).map((file) => basename(file, ".ts"));
const importsMain = {
  name: "imports-main",
  setup: ({ onLoad }) => onLoad({ filter: /\/src\/chunks\// }, async ({ path }) => (
    { contents: `${await readFile(path, "utf8")}\nimport "../main.tsx";`, loader: "tsx" }
  )),
};

await rm(out, { recursive: true, force: true });
await mkdir(out, { recursive: true });
const { metafile } = await build({
  ...options,
  entryPoints: { app: "src/main.tsx", ...Object.fromEntries(CHUNKS.map((name) => [name, `src/chunks/${name}.ts`])) },
  plugins: [importsMain],
  splitting: true,
  chunkNames: "[hash]",
  metafile: true,
  ...jsx,
  define: { CHAT: "false" },
});
await build({ ...options, entryPoints: { app: "src/app.css", more: "src/more.css", pair: "src/pair.css", paths: "src/paths.css" } });

// What several parts share gets names that stay: by what is in it, the largest first.
const all = Object.entries(metafile.outputs).map(([path, { bytes, entryPoint, inputs }]) => ({ name: basename(path), bytes, entryPoint, inputs }));
// What is left of the first part does nothing but bring the file with all of it, which takes its place.
await rm(join(out, "app.js"));
const parts = all.filter((part) => part.name !== "app.js");
const shared = parts.filter((part) => !part.entryPoint).sort((a, b) => b.bytes - a.bytes || (a.name < b.name ? -1 : 1));
const first = shared.find(({ inputs }) => "src/main.tsx" in inputs);
const names = new Map(shared.filter((part) => part !== first).map((part, n) => [part.name, n ? `shared-${n + 1}.js` : "shared.js"]));
names.set(first.name, "app.js");
for (const { name, inputs } of parts) {
  let text = await readFile(join(out, name), "utf8");
  for (const [old, now] of names) text = text.replaceAll(`./${old}`, `./${now}`);
  await rm(join(out, name));
  const preact = Object.keys(inputs).some((input) => input.includes("node_modules/preact"));
  await writeFile(join(out, names.get(name) ?? name), preact ? `${NOTICE}\n${text}` : text);
}
// Names of our own in the style are for its readers.
const own = [];
for (const name of ["app.css", "more.css", "pair.css", "paths.css"]) {
  const style = join(out, name);
  const css = await readFile(style, "utf8");
  own.push(...new Set(css.match(/--[a-z][\w-]*/g).filter((name) => !own.includes(name))));
  await writeFile(style, css.replace(/--[a-z][\w-]*/g, (name) => `--${own.indexOf(name).toString(36)}`));
}
for (const file of ["index.html", "manifest.webmanifest", "icon.svg"]) await copyFile(`src/${file}`, join(out, file));
// English stands in for what a language lacks; `missing` beside the catalog lists it.
const english = await wordsOf("en");
for (const language of await languages()) {
  await writeFile(join(out, `words.${language}.json`), `${JSON.stringify({ ...english, ...(await wordsOf(language)) })}\n`);
}

// The worker keeps all that the page is made of, by what is in it.
const kept = (await readdir(out)).filter((name) => /\.(js|css|json|svg|webmanifest)$|^index\.html$/.test(name)).sort();
const hash = createHash("sha256");
for (const name of kept) hash.update(await readFile(join(out, name)));
const address = (name) => (name === "index.html" ? "/" : /\.(js|css|json)$/.test(name) ? `/assets/${name}` : `/${name}`);
const define = { FILES: JSON.stringify(kept.map(address)), BUILD: JSON.stringify(hash.digest("hex").slice(0, 16)) };
await build({ ...options, define, entryPoints: { sw: "src/sw.ts" } });

// The card of chat clients: one file that needs nothing else, with the words that it says.
const one = async (entryPoints, more) => {
  const { outputFiles } = await build({ ...options, ...more, entryPoints, write: false });
  return outputFiles[0].text.trim();
};
const whole = await one(["src/pages/chat.tsx"], { ...jsx, define: { CHAT: "true" } });
// What only the page calls goes with the second look: at the first, its callers still stood.
const script = (await transform(whole, { minify: true, treeShaking: true, format: "esm", target, charset: "utf8", legalComments: "none" })).code.trim();
/** The rules of a style that can meet something: those of the list and the page's head can't. */
const used = (css) => css.replace(/([^{};]+)\{([^{}]*)\}/g, (rule, selectors, body) => {
  if (/^[@:]/.test(selectors)) return rule;
  const named = (name) => !["list", "back", "wide"].includes(name) && new RegExp(`["\x60 ]${name}["\x60 ]`).test(script);
  const met = selectors.split(/,(?![^(]*\))/).filter((one) => !/\b(kbd|img|select)\b/.test(one) && [...one.matchAll(/\.([a-z][\w-]*)/g)].every(([, name]) => named(name)));
  return met.length ? `${met.join(",")}{${body}}` : "";
});
// The client's own names stay: it sets them.
const ours = [];
const style = used(await one(["src/chat.css"])).replace(/--(?!color-|font-)[a-z][\w-]*/g, (name) => {
  if (!ours.includes(name)) ours.push(name);
  return `--${ours.indexOf(name).toString(36)}`;
}).replace(/([:,]) (?=[^}]*;)/g, "$1");
const begun = [...script.matchAll(/`([a-z]+-)\$\{/g)].map((found) => found[1]);
// What only the page can be refused.
const never = /^(problem-(devices-off|no-credential|wrong-scope|undelivered|too-large|too-many|unanswered)|looking|search|always|undo)$/;
const said = Object.entries(english).filter(([id]) => !never.test(id) && (script.includes(`"${id}"`) || begun.some((beginning) => id.startsWith(beginning))));
const sha = (text) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
const policy = [
  "default-src 'none'", `script-src ${sha(script)}`, `style-src ${sha(style)}`, "base-uri 'none'", "form-action 'none'",
  "require-trusted-types-for 'script'", "trusted-types 'none'",
].join("; ");
if (/<\/(script|style)|<!--/i.test(script + style)) throw new Error("the card's script or style would end early");
const filled = { POLICY: policy, STYLE: style, WORDS: JSON.stringify(Object.fromEntries(said)), SCRIPT: script, NOTICE };
const frame = await readFile("src/chat.html", "utf8");
await writeFile(join(out, "mcp-app.html"), frame.replace(/\b(POLICY|STYLE|WORDS|SCRIPT|NOTICE)\b/g, (name) => filled[name]));

const size = async (file) => (await readFile(join(out, file))).length;
/** A part with everything that comes with it. */
const load = async (entry) => {
  const seen = new Set();
  const follow = async (file) => {
    if (seen.has(file)) return 0;
    seen.add(file);
    const text = await readFile(join(out, file), "utf8");
    const wants = [...text.matchAll(/(?:from|import)"\.\/([\w-]+\.js)"/g)].map((found) => found[1]);
    let sum = await size(file);
    for (const want of wants) sum += await follow(want);
    return sum;
  };
  return follow(entry);
};
let scripts = 0;
for (const file of (await readdir(out)).sort()) {
  const bytes = await size(file);
  if (file.endsWith(".js") && file !== "sw.js") scripts += bytes;
  console.log(`${String(bytes).padStart(7)}  ${file}`);
}
for (const [what, bytes, most] of [
  ["script before the list shows", await load("app.js"), 40 * KB],
  ["script of all parts", scripts, 118 * KB],
  ["the card of chat clients", await size("mcp-app.html"), 64 * KB],
  ["style before more is opened", await size("app.css"), 12.25 * KB],
]) {
  console.log(`${what}: ${bytes} bytes, at most ${most}`);
  if (bytes > most) process.exitCode = 1;
}
