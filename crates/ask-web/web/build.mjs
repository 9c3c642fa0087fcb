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

// Methods that Preact calls on class components. The page has none.
const CLASSES = "getDerivedStateFrom(Props|Error)|getSnapshotBeforeUpdate|getChildContext|shouldComponentUpdate|component(Will|Did)(Mount|Unmount|Update|ReceiveProps|Catch)|debounceRendering";
// Long property names of the page's own, which are never sent or stored.
const OURS = "alternatives|answersByTap|askChanged|askCreated|cancelQuickAnswer|changeNote|changedAfterSend|checkConnection|connected|connection|contextChanged|describedBy|dialogTexts|focusedAt|fullValue|hideLabel|inFlight|isAskBack|isBackedUp|isDialogOpen|isSearching|isSplit|isStored|languageSet|listeners|missingFiles|mistakes|onlyHere|openDialog|ownChosen|pageLeaving|politeCount|queuedText|received|replacesPage|restored|saveProblem|saveTimer|saving|sendKey|sending|signedOut|storesExtraText|swapAlternative|teardown|unseenUntil|unsentTexts|uploads|urgentCount|usedLink";
const jsx = { tsconfigRaw: "{}", jsx: "transform", jsxFactory: "h", jsxFragment: "Fragment", inject: ["src/lib/jsx.ts"], mangleProps: new RegExp(`^(${CLASSES}|${OURS})$`) };

// A page has loaded `main.tsx` before it loads a chunk. The build adds an import of it to each chunk, so that esbuild puts
// everything that the page starts with into one file, instead of one for each set of chunks that share it.
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

// Shared files get stable names, by their size.
const all = Object.entries(metafile.outputs).map(([path, { bytes, entryPoint, inputs }]) => ({ name: basename(path), bytes, entryPoint, inputs }));
// The entry point itself only imports the file with all its code, which replaces it.
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
// Shortens the names of custom properties.
const ownNames = [];
for (const name of ["app.css", "more.css", "pair.css", "paths.css"]) {
  const style = join(out, name);
  const css = await readFile(style, "utf8");
  ownNames.push(...new Set(css.match(/--[a-z][\w-]*/g).filter((name) => !ownNames.includes(name))));
  await writeFile(style, css.replace(/--[a-z][\w-]*/g, (name) => `--${ownNames.indexOf(name).toString(36)}`));
}
for (const file of ["index.html", "manifest.webmanifest", "icon.svg"]) await copyFile(`src/${file}`, join(out, file));
// English replaces messages that a language lacks; `missing` beside the catalog lists them.
const english = await wordsOf("en");
for (const language of await languages()) {
  await writeFile(join(out, `words.${language}.json`), `${JSON.stringify({ ...english, ...(await wordsOf(language)) })}\n`);
}

// The service worker caches all files of the page, under a hash of their contents.
const cached = (await readdir(out)).filter((name) => /\.(js|css|json|svg|webmanifest)$|^index\.html$/.test(name)).sort();
const hash = createHash("sha256");
for (const name of cached) hash.update(await readFile(join(out, name)));
const address = (name) => (name === "index.html" ? "/" : /\.(js|css|json)$/.test(name) ? `/assets/${name}` : `/${name}`);
const define = { FILES: JSON.stringify(cached.map(address)), BUILD: JSON.stringify(hash.digest("hex").slice(0, 16)) };
await build({ ...options, define, entryPoints: { sw: "src/sw.ts" } });

// The card of chat clients: one file that needs nothing else, with only the messages that it uses.
const bundle = async (entryPoints, more) => {
  const { outputFiles } = await build({ ...options, ...more, entryPoints, write: false });
  return outputFiles[0].text.trim();
};
const bundled = await bundle(["src/pages/chat.tsx"], { ...jsx, define: { CHAT: "true" } });
// A second pass removes functions that only the page calls: in the first one, their callers were still there.
const script = (await transform(bundled, { minify: true, treeShaking: true, format: "esm", target, charset: "utf8", legalComments: "none" })).code.trim();
/** The rules of a stylesheet that can match something in the card. */
const used = (css) => css.replace(/([^{};]+)\{([^{}]*)\}/g, (rule, selectors, body) => {
  if (/^[@:]/.test(selectors)) return rule;
  const isUsed = (name) => !["list", "back", "wide"].includes(name) && new RegExp(`["\x60 ]${name}["\x60 ]`).test(script);
  const matching = selectors.split(/,(?![^(]*\))/).filter((selector) => !/\b(kbd|img|select)\b/.test(selector) && [...selector.matchAll(/\.([a-z][\w-]*)/g)].every(([, name]) => isUsed(name)));
  return matching.length ? `${matching.join(",")}{${body}}` : "";
});
// The client sets its own custom properties, so their names stay.
const cardNames = [];
const style = used(await bundle(["src/chat.css"])).replace(/--(?!color-|font-)[a-z][\w-]*/g, (name) => {
  if (!cardNames.includes(name)) cardNames.push(name);
  return `--${cardNames.indexOf(name).toString(36)}`;
}).replace(/([:,]) (?=[^}]*;)/g, "$1");
const prefixes = [...script.matchAll(/`([a-z]+-)\$\{/g)].map((found) => found[1]);
// Messages that only the page uses.
const pageOnly = /^(problem-(devices-off|no-credential|wrong-scope|undelivered|too-large|too-many|unanswered)|looking|search|always|undo)$/;
const messages = Object.entries(english).filter(([id]) => !pageOnly.test(id) && (script.includes(`"${id}"`) || prefixes.some((prefix) => id.startsWith(prefix))));
const sha = (text) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
const policy = [
  "default-src 'none'", `script-src ${sha(script)}`, `style-src ${sha(style)}`, "base-uri 'none'", "form-action 'none'",
  "require-trusted-types-for 'script'", "trusted-types 'none'",
].join("; ");
if (/<\/(script|style)|<!--/i.test(script + style)) throw new Error("the card's script or style would end early");
const filled = { POLICY: policy, STYLE: style, WORDS: JSON.stringify(Object.fromEntries(messages)), SCRIPT: script, NOTICE };
const frame = await readFile("src/chat.html", "utf8");
await writeFile(join(out, "mcp-app.html"), frame.replace(/\b(POLICY|STYLE|WORDS|SCRIPT|NOTICE)\b/g, (name) => filled[name]));

const size = async (file) => (await readFile(join(out, file))).length;
/** The size of a script with all that it imports. */
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
for (const [what, bytes, limit] of [
  ["script before the list shows", await load("app.js"), 40 * KB],
  ["script of all parts", scripts, 122 * KB],
  ["the card of chat clients", await size("mcp-app.html"), 65 * KB],
  ["style before more is opened", await size("app.css"), 12.25 * KB],
]) {
  console.log(`${what}: ${bytes} bytes, at most ${limit}`);
  if (bytes > limit) process.exitCode = 1;
}
