// A client on the official TypeScript SDK, version 2: asks once and says what it hears.
// ERA is `legacy` (initialize) or `auto` (server/discover first). See speak.mjs for the rest.
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { speak } from "./speak.mjs";

await speak(async ({ identity, capabilities, dialog, server, say, tool, patience }) => {
  const client = new Client(identity, { capabilities, versionNegotiation: { mode: process.env.ERA ?? "auto" } });
  if (dialog) client.setRequestHandler("elicitation/create", dialog);
  const transport = new StdioClientTransport(server);
  await client.connect(transport);
  say({ connected: { server: client.getServerVersion(), version: client.getNegotiatedProtocolVersion() } });
  say({ tools: (await client.listTools()).tools });
  try {
    say({ result: await client.callTool(tool, patience) });
  } finally {
    await client.close();
  }
});
