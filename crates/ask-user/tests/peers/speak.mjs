// What the TypeScript clients share: what they take and how they print.
//   node v1.mjs TOOL ARGUMENTS COMMAND [ARGUMENT…]
// starts COMMAND as an MCP server on stdio, lists its tools, calls TOOL with ARGUMENTS (JSON) and
// prints one JSON object a line: connected, tools, progress…, then result, or error with exit code 1.
//   node v1.mjs TOOL ARGUMENTS http://…
// does so over Streamable HTTP, with the token in TOKEN. SILENT=1 asks for no progress, and
// PATIENCE_S is how many seconds the call may take. AGAIN=1: a call that took longer says gaveUp, and
// after a line of input the tool is called again, with all the time it needs. DIALOG is what it replies
// to dialogs (JSON), each of which it prints; without it, it declares none.
import { once } from "node:events";

export async function speak(talk) {
  const [name, json, command, ...args] = process.argv.slice(2);
  const { AGAIN, DIALOG, TOKEN, SILENT, PATIENCE_S = "600" } = process.env;
  const say = (line) => process.stdout.write(JSON.stringify(line) + "\n");
  const heard = { resetTimeoutOnProgress: true, onprogress: (progress) => say({ progress }) };
  const patience = (seconds) => ({ timeout: 1_000 * seconds, ...(SILENT ? {} : heard) });
  const ask = async (call) => {
    try {
      return await call(patience(Number(PATIENCE_S)));
    } catch (error) {
      if (!AGAIN) throw error;
      say({ gaveUp: error.message });
    }
    await once(process.stdin, "data");
    process.stdin.destroy();
    return await call(patience(600));
  };
  // Each SDK has its own classes of the same names.
  const transport = (Stdio, Http) =>
    command.startsWith("http")
      ? new Http(new URL(command), { requestInit: { headers: { Authorization: `Bearer ${TOKEN}` } } })
      : new Stdio({ command, args, env: process.env, stderr: "inherit" });
  try {
    await talk({
      say,
      identity: { name: "peer-typescript", version: "1.0.0" },
      capabilities: DIALOG ? { elicitation: { form: {} } } : {},
      dialog: DIALOG && (async ({ params }) => (say({ dialog: params }), JSON.parse(DIALOG))),
      transport,
      tool: { name, arguments: JSON.parse(json) },
      ask,
    });
  } catch (error) {
    say({ error: { code: error.code, message: error.message, cause: error.cause?.code } });
    process.exitCode = 1;
  }
}
