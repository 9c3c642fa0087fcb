// A client on the official TypeScript SDK, version 1: asks once and says what it hears.
// See speak.mjs for what it takes and prints.
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { CallToolResultSchema, ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { speak } from "./speak.mjs";

await speak(async ({ identity, capabilities, dialog, transport: made, say, tool, ask }) => {
  const client = new Client(identity, { capabilities });
  if (dialog) client.setRequestHandler(ElicitRequestSchema, dialog);
  const transport = made(StdioClientTransport, StreamableHTTPClientTransport);
  await client.connect(transport);
  say({ connected: { server: client.getServerVersion() } });
  say({ tools: (await client.listTools()).tools });
  try {
    say({ result: await ask((patience) => client.callTool(tool, CallToolResultSchema, patience)) });
  } finally {
    await client.close();
  }
});
