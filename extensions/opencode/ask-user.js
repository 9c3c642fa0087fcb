// Hands opencode's own questions to ask-user, so that any surface can answer them, and sends the
// answer back to opencode. The first answer counts, in opencode or elsewhere.
//
// Install: copy this file to ~/.config/opencode/plugin/ (or a project's .opencode/plugin/).
// The work is done by `ask-user hook opencode`: it reads opencode's events, one on each line, and
// prints the body of the one request that settles the question. Without ask-user or its hub it
// prints nothing, and opencode asks in its own dialog.
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
      // The request fails if opencode's own dialog was faster: nothing is left to settle then.
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
      // The asks stay open. The same question asked again receives the answer given meanwhile.
      for (const hook of hooks.values()) hook.stdin.end();
    },
  };
};
