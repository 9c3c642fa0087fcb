// What the TypeScript clients share: what they take and how they print.
//   node v1.mjs TOOL ARGUMENTS COMMAND [ARGUMENT…]
// starts COMMAND as an MCP server on stdio, lists its tools, calls TOOL with ARGUMENTS (JSON) and
// prints one JSON object a line: connected, tools, progress…, then result, or error with exit code 1.

export async function speak(talk) {
  const [name, json, command, ...args] = process.argv.slice(2);
  const say = (line) => process.stdout.write(JSON.stringify(line) + "\n");
  try {
    await talk({
      say,
      identity: { name: "peer-typescript", version: "1.0.0" },
      server: { command, args, env: process.env, stderr: "inherit" },
      tool: { name, arguments: JSON.parse(json) },
      patience: { timeout: 600_000, resetTimeoutOnProgress: true, onprogress: (progress) => say({ progress }) },
    });
  } catch (error) {
    say({ error: { code: error.code, message: error.message } });
    process.exitCode = 1;
  }
}
