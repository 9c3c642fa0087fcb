// A client on the official TypeScript SDK, version 2: asks once and says what it hears.
// ERA is `legacy` (initialize) or `auto` (server/discover first). See speak.mjs for the rest.
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { speak } from "./speak.mjs";

await speak(async ({ identity, capabilities, dialog, transport: made, say, tool, ask }) => {
  const client = new Client(identity, { capabilities, versionNegotiation: { mode: process.env.ERA ?? "auto" } });
  if (dialog) client.setRequestHandler("elicitation/create", dialog);
  const transport = made(StdioClientTransport, StreamableHTTPClientTransport);
  await client.connect(transport);
  say({ connected: { server: client.getServerVersion(), version: client.getNegotiatedProtocolVersion() } });
  say({ tools: (await client.listTools()).tools });
  try {
    say({ result: await ask((patience) => client.callTool(tool, patience)) });
  } finally {
    await client.close();
  }
});
