// A chat client that shows apps, on the official TypeScript SDKs: it hands its model the tools that are for models,
// reads the card where the tool says it is, and carries what the card calls.
//   node app.mjs SDK ARGUMENTS COMMAND [ARGUMENT…]
// SDK is v1 or v2, and ARGUMENTS are the call (JSON) that COMMAND, an MCP server on stdio, is asked with. Prints one
// JSON object a line: tools as they were listed, model (what a model may call), card, refused (a call of the card's
// without its key), asked, kept, submitted, and the result of the call that waited. ERA is as for v2.mjs.
const [sdk, json, command, ...args] = process.argv.slice(2);
const kit = {
  v1: async () => ({ ...(await import("@modelcontextprotocol/sdk/client/index.js")), ...(await import("@modelcontextprotocol/sdk/client/stdio.js")) }),
  v2: async () => ({ ...(await import("@modelcontextprotocol/client")), ...(await import("@modelcontextprotocol/client/stdio")) }),
};
const { Client, StdioClientTransport } = await kit[sdk]();
const say = (line) => process.stdout.write(`${JSON.stringify(line)}\n`);

const KIND = "text/html;profile=mcp-app";
const capabilities = { extensions: { "io.modelcontextprotocol/ui": { mimeTypes: [KIND] } } };
const client = new Client({ name: "peer-typescript", version: "1.0.0" }, { capabilities, versionNegotiation: { mode: process.env.ERA ?? "auto" } });
await client.connect(new StdioClientTransport({ command, args, env: process.env, stderr: "inherit" }));
try {
  const { tools } = await client.listTools();
  say({ tools: tools.map(({ name }) => name) });
  const forModel = ({ _meta }) => _meta?.ui?.visibility?.includes("model") ?? true;
  say({ model: tools.filter(forModel).map(({ name }) => name) });
  const uri = tools.map(({ _meta }) => _meta?.ui?.resourceUri).find(Boolean);
  const { contents: [{ mimeType, text }] } = await client.readResource({ uri });
  const key = /name="ask-key" content="([^"]+)"/.exec(text)?.[1];
  say({ card: { uri, mimeType, whole: /<\/html>\s*$/.test(text) && !/(src|href)="?https?:/.test(text), keyed: Boolean(key) } });

  /** What the card calls; what was done, or the problem. */
  const carry = async (name, more) => JSON.parse((await client.callTool({ name, arguments: { key, ...more } })).content[0].text);
  const waits = client.callTool({ name: "ask_user", arguments: JSON.parse(json) }, ...(sdk === "v1" ? [undefined] : []), { timeout: 600_000 });
  let ask;
  while (!ask) ask = (await carry("ask_ui_state", {})).done?.ask;
  const { askId } = ask;
  say({ refused: await client.callTool({ name: "ask_ui_submit", arguments: { askId, draft: { answers: [{ picks: [0] }] } } }).then(({ isError, content }) => ({ isError, text: content[0].text }), (error) => ({ isError: true, text: error.message })) });
  say({ asked: { askId, questions: ask.questions.length, shown: ask.shown.questions[0].title } });
  const draft = { answers: [{ picks: [1], note: "from the card" }] };
  say({ kept: (await carry("ask_ui_draft", { askId, builtOn: 0, draft })).done });
  say({ submitted: (await carry("ask_ui_submit", { askId, attempt: "one", draft })).done.record.answeredBy });
  say({ result: await waits });
} finally {
  await client.close();
}
