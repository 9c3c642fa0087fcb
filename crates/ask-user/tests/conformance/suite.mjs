// Runs the official conformance suite on both servers with the requirements of both revisions:
//   node suite.mjs FIXTURE PRODUCT OUT
// prints a line for each run and, where one failed, what the suite said of it; its records of every
// check stay in OUT. The exit code is 1 if anything failed that counts.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

import { fixture, product } from "./servers.mjs";

const REVISIONS = ["2025-11-25", "2026-07-28"];
const PATIENCE_MS = 600_000;
/** Lines of the suite that say nothing of a failure. */
const FINE = /^$|^ *[✓~]|^(=== )?Running|^Results saved/;
const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const SUITE = here("node_modules/@modelcontextprotocol/conformance/dist/index.js");

/** A scenario in which something failed, whether the suite counts it or not. */
const FAILED = /^✗ (\S+): /gm;

/** One run of the suite. The fixture must pass whatever is run, the product whatever applies to it. */
async function conforms({ url, baseline, without = /^$/ }, revision, out) {
  const options = ["--url", url, "--requirements", revision, "-o", out];
  const known = baseline ? here(baseline(revision)) : undefined;
  if (known) options.push("--expected-failures", known);
  const child = spawn(process.execPath, [SUITE, "server", ...options], {
    stdio: ["ignore", "pipe", "pipe"],
    timeout: PATIENCE_MS,
  });
  let said = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (text) => (said += text));
  const [code] = await once(child, "close");
  const total = said.match(/^Total: (.*)$/m)?.[1];
  // The suite itself minds only what it counts.
  const named = known ? readFileSync(known, "utf8") : "";
  const strange = [...said.matchAll(FAILED)].filter(([, name]) => !without.test(name) && !named.includes(`- ${name}:`));
  const passed = code === 0 && total !== undefined && strange.length === 0;
  const why = baseline && passed ? ", all for want of what only the fixture has" : "";
  return { passed, total: `${total ?? "it did not finish"}${why}`, said };
}

const [fixtureBinary, productBinary, out] = process.argv.slice(2);
const servers = { fixture: () => fixture(fixtureBinary), product: () => product(productBinary) };
for (const [name, start] of Object.entries(servers)) {
  const server = await start();
  for (const revision of REVISIONS) {
    const folder = `${out}/${name}-${revision}`;
    const { passed, total, said } = await conforms(server, revision, folder);
    console.log(`${passed ? "ok    " : "FAILED"} ${name} ${revision}: ${total}`);
    if (!passed) {
      console.log(said.split("\n").filter((line) => !FINE.test(line)).join("\n"));
      console.log(`What each check says is in ${folder}.`);
      process.exitCode = 1;
    }
  }
  await server.stop();
}
