// Hands opencode's own questions to ask-user, so that they can be answered from anywhere, and
// answers them in opencode with what the person said. Whoever answers first, here or there, wins.
//
// Install: copy this file to ~/.config/opencode/plugin/ (or a project's .opencode/plugin/).
// The words are ask-user's (`ask-user hook opencode`): events go in as opencode tells them, one a
// line; out comes the body of the one request that settles the question. Without ask-user, or
// without its hub, nothing comes out and opencode asks as ever.
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

const PROGRAM = "ask-user";

export const AskUser = async ({ client, directory }) => {
  /** The hooks that wait, by the id of their question. */
  const hooks = new Map();

  const ask = (event, question) => {
    const hook = spawn(process.env.ASK_USER_BIN || PROGRAM, ["hook", "opencode"], {
      cwd: directory,
      stdio: ["pipe", "pipe", "ignore"],
    });
    const over = () => hooks.delete(question.id);
    hook.on("error", over).on("exit", over);
    hook.stdin.on("error", () => {});
    hook.stdin.write(JSON.stringify({ ...event, directory }) + "\n");
    createInterface({ input: hook.stdout }).on("line", (line) => {
      over();
      // Another dialog may have been faster; then there is nothing left to settle.
      settle(event.type, question, JSON.parse(line)).catch(() => {});
    });
    hooks.set(question.id, hook);
  };

  const settle = (type, question, { reject, answers }) => {
    const isNewer = type.includes(".v2.");
    return client._client.post({
      url:
        (isNewer ? "/api/session/{sessionID}" : "") +
        "/question/{requestID}/" + (reject ? "reject" : "reply"),
      path: { requestID: question.id, sessionID: question.sessionID },
      query: isNewer ? {} : { directory },
      headers: { "content-type": "application/json" },
      ...(reject ? {} : { body: { answers } }),
    });
  };

  return {
    event: async ({ event }) => {
      const [, what] = /^question\.(?:v2\.)?(asked|replied|rejected)$/.exec(event.type) ?? [];
      if (what === "asked") ask(event, event.properties);
      else if (what) hooks.get(event.properties.requestID)?.stdin.end(JSON.stringify(event) + "\n");
    },
    dispose: async () => {
      // The questions stay; whoever asks the same again is told what was answered meanwhile.
      for (const hook of hooks.values()) hook.stdin.end();
    },
  };
};
