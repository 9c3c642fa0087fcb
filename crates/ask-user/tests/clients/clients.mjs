// The agent clients that are tried: how each is pointed at the scripted model in a fresh home, and how
// it is run once without a terminal. What ask-user needs in their settings is left to `register`.
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

function write(file, text) {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, typeof text === "string" ? text : JSON.stringify(text, null, 2) + "\n");
}

/**
 * Each has
 *   `installed`         the package it comes from, where it is installed beside this file
 *   `program`           its command
 *   `calls`             what it calls itself when it asks
 *   `point(home, url)`  writes its settings, and returns its environment
 *   `once(prompt)`      arguments for one run without a terminal
 *   `again(prompt)`     the same for a run that goes on with the last session, if `once` begins one with another name
 *   `asksAgain`         a session that goes on asks again by itself what was interrupted
 *   `lines`             where a program runs it so: the line that it is given, and how it says that it is done
 *   `typed(prompt)`     arguments for a run in a terminal
 *   `dialogs`           what it may ask there first: a name for it, how it looks, and the keys that say yes
 *   `own(question, labels)`  a call of its own question tool, where that can be taken over
 *   `serial`            calls of one turn come one after the other
 *   `unmarked`          a late answer doesn't say that it is one
 */
export const clients = {
  opencode: {
    installed: "opencode-ai",
    program: "opencode",
    calls: /^opencode$/,
    point(home, url) {
      const models = { scripted: { name: "Scripted" } };
      const options = { baseURL: `${url}/v1`, apiKey: "none" };
      const provider = { scripted: { npm: "@ai-sdk/openai-compatible", name: "Scripted", options, models } };
      write(join(home, ".config/opencode/opencode.json"), { model: "scripted/scripted", provider });
      return {};
    },
    once: (prompt) => ["run", prompt],
    typed: (prompt) => ["--prompt", prompt],
    own: (question, labels) => ({
      tool: "question",
      arguments: { questions: [{ question, header: "Month", options: labels.map((label) => ({ label, description: label })) }] },
    }),
  },
  codex: {
    installed: "@openai/codex",
    program: "codex",
    calls: /^codex/,
    point(home, url) {
      const provider = `[model_providers.scripted]\nname = "Scripted"\nbase_url = "${url}/v1"\nwire_api = "responses"\n`;
      write(join(home, ".codex/config.toml"), `# By hand.\nmodel = "scripted"\nmodel_provider = "scripted"\n\n${provider}`);
      return {};
    },
    once: (prompt) => ["exec", "--skip-git-repo-check", prompt],
    again: (prompt) => ["exec", "resume", "--last", "--skip-git-repo-check", prompt],
    typed: (prompt) => [prompt],
  },
  "gemini-cli": {
    installed: "@google/gemini-cli",
    program: "gemini",
    calls: /^gemini-cli/,
    point(home, url) {
      write(join(home, ".gemini/settings.json"), { security: { auth: { selectedType: "gemini-api-key" } } });
      return { GEMINI_API_KEY: "none", GOOGLE_GEMINI_BASE_URL: url, GEMINI_CLI_TRUST_WORKSPACE: "true" };
    },
    once: (prompt) => ["-p", prompt],
    typed: (prompt) => ["-i", prompt],
  },
  pi: {
    installed: "@earendil-works/pi-coding-agent",
    program: "pi",
    calls: /^pi$/,
    point(home, url) {
      const scripted = { baseUrl: `${url}/v1`, api: "openai-completions", apiKey: "none", models: [{ id: "scripted" }] };
      write(join(home, ".pi/agent/models.json"), { providers: { scripted } });
      return { PI_OFFLINE: "1" };
    },
    // In print mode it doesn't wait, but leaves a file: tests of extensions/pi try that.
    once: () => ["--provider", "scripted", "--model", "scripted", "--mode", "rpc"],
    again: () => ["--provider", "scripted", "--model", "scripted", "--mode", "rpc", "--continue"],
    lines: {
      begin: (prompt) => JSON.stringify({ type: "prompt", message: prompt }) + "\n",
      over: /"type":"agent_settled"/,
    },
    typed: (prompt) => ["--provider", "scripted", "--model", "scripted", prompt],
    // A terminal shows one question at a time; and pi's own wording has no word for a late answer.
    serial: true,
    unmarked: true,
    asksAgain: true,
  },
  "claude-code": {
    program: "claude",
    calls: /^claude-code/,
    point(home, url) {
      write(join(home, ".claude.json"), { hasCompletedOnboarding: true });
      return { ANTHROPIC_API_KEY: "none", ANTHROPIC_BASE_URL: url, CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1" };
    },
    once: (prompt) => ["-p", prompt],
    typed: (prompt) => [prompt],
    own: (question, labels) => ({
      tool: "AskUserQuestion",
      arguments: {
        questions: [{ question, header: "Month", multiSelect: false, options: labels.map((label) => ({ label, description: label })) }],
      },
    }),
    dialogs: [
      ["a theme", /Choose the text style/, "Enter"],
      ["the API key", /Do you want to use this API key/, "Up", "Enter"],
      ["trust in the folder", /❯ No, exit\n +Yes, I trust/, "Down", "Enter"],
      ["trust in the folder", /❯ 1\. Yes, I trust/, "Enter"],
      ["leave to use the tool", /Do you want to proceed\?/, "Enter"],
    ],
  },
  "copilot-cli": {
    program: "copilot",
    calls: /^copilot/,
    point: (_, url) => ({
      COPILOT_PROVIDER_BASE_URL: `${url}/v1`,
      COPILOT_PROVIDER_TYPE: "openai",
      COPILOT_PROVIDER_API_KEY: "none",
      COPILOT_MODEL: "scripted",
      COPILOT_OFFLINE: "true",
    }),
    once: (prompt) => ["-p", prompt, "--allow-all-tools"],
    typed: (prompt) => ["-i", prompt],
    dialogs: [
      ["trust in the folder", /Do you trust the files in this folder/, "Enter"],
      ["leave to use the tool", /❯ 1\. Yes[^]*tool/, "Enter"],
    ],
  },
  "qwen-code": {
    program: "qwen",
    calls: /^qwen/,
    point(home, url) {
      write(join(home, ".qwen/settings.json"), { security: { auth: { selectedType: "openai" } } });
      return { OPENAI_API_KEY: "none", OPENAI_BASE_URL: `${url}/v1`, OPENAI_MODEL: "scripted" };
    },
    once: (prompt) => ["-p", prompt],
    typed: (prompt) => ["-i", prompt],
  },
  "cline-cli": {
    program: "cline",
    calls: /cline/,
    point(home, url) {
      const settings = { provider: "openai-compatible", apiKey: "none", model: "scripted", baseUrl: `${url}/v1` };
      const provider = { settings, updatedAt: new Date().toISOString(), tokenSource: "manual" };
      const providers = { "openai-compatible": provider };
      const known = { version: 1, lastUsedProvider: "openai-compatible", modes: {}, providers };
      write(join(home, ".cline/data/settings/providers.json"), known);
      return {};
    },
    once: (prompt) => [prompt],
    typed: (prompt) => ["--tui", prompt],
    serial: true,
  },
};
