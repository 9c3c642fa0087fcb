// What the TypeScript clients share: what they take and how they print.
//   node v1.mjs TOOL ARGUMENTS COMMAND [ARGUMENT…]
// starts COMMAND as an MCP server on stdio, lists its tools, calls TOOL with ARGUMENTS (JSON) and
// prints one JSON object a line: connected, tools, progress…, then result, or error with exit code 1.
// DIALOG is what it replies to dialogs (JSON), each of which it prints; without it, it declares none.

const reply = process.env.DIALOG && JSON.parse(process.env.DIALOG);

export async function speak(talk) {
  const [name, json, command, ...args] = process.argv.slice(2);
  const say = (line) => process.stdout.write(JSON.stringify(line) + "\n");
  try {
    await talk({
      say,
      capabilities: reply ? { elicitation: { form: {} } } : {},
      dialog: reply && (async ({ params }) => (say({ dialog: params }), reply)),
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
