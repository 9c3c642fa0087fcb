// The settings that `ask-user register --all` writes, for a binary that has no such command.
import { execFileSync } from "node:child_process";
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
export function byhand(home, program) {
  const edit = (file, change) => {
    const path = join(home, file);
    mkdirSync(dirname(path), { recursive: true });
    const value = existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : {};
    change(value);
    writeFileSync(path, JSON.stringify(value, null, 2));
  };
  const E = { ASK_USER_LIMIT_MS: "86400000" };
  edit(".config/opencode/opencode.json", (v) => (v.mcp = { ask: { type: "local", command: [program, "mcp"], enabled: true, timeout: 86400000, environment: E } }));
  const args = ["mcp", "--tool-name", "ask_human"];
  edit(".gemini/settings.json", (v) => (v.mcpServers = { ask: { command: program, args, timeout: 86400000, trust: true, env: E } }));
  edit(".qwen/settings.json", (v) => (v.mcpServers = { ask: { command: program, args, timeout: 86400000, trust: true, env: E } }));
  edit(".claude.json", (v) => (v.mcpServers = { ask: { type: "stdio", command: program, args: ["mcp"], timeout: 86400000, alwaysLoad: true, env: E } }));
  edit(".copilot/mcp-config.json", (v) => (v.mcpServers = { ask: { type: "local", command: program, args, timeout: 86400000, tools: ["*"], env: E } }));
  edit(".cline/data/settings/cline_mcp_settings.json", (v) => (v.mcpServers = { ask: { type: "stdio", command: program, args, timeout: 86400, env: E } }));
  mkdirSync(join(home, ".codex"), { recursive: true });
  appendFileSync(join(home, ".codex/config.toml"), `\n[mcp_servers.ask]\ncommand = "${program}"\nargs = ["mcp"]\ntool_timeout_sec = 86400\nenv = { ASK_USER_LIMIT_MS = "86400000" }\n`);
}
