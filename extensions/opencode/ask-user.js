// Hands opencode's own questions to ask-user, so that any surface can answer them, and returns the
// answer to opencode. The first answer counts, in opencode or elsewhere.
//
// Install: copy this file to ~/.config/opencode/plugin/ (or a project's .opencode/plugin/).
// `ask-user hook opencode` does the work: it reads opencode's events, one on each line, and prints
// the body of the request that answers the question. Without ask-user or its hub, it prints nothing,
// and opencode asks in its own dialog.
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

const PROGRAM = "ask-user";

export const AskUser = async ({ client, directory }) => {
  /** The running hooks, by the id of their question. */
  const hooks = new Map();

  const ask = (event, question) => {
    const hook = spawn(process.env.ASK_USER_BIN || PROGRAM, ["hook", "opencode"], {
      cwd: directory,
      stdio: ["pipe", "pipe", "ignore"],
    });
    const remove = () => hooks.delete(question.id);
    hook.on("error", remove).on("exit", remove);
    // The hook may end before it has read everything; then it prints nothing.
    hook.stdin.on("error", () => {});
    hook.stdin.write(JSON.stringify({ ...event, directory }) + "\n");
    createInterface({ input: hook.stdout }).on("line", (line) => {
      remove();
      // The request fails if opencode's own dialog was faster. Then no question is left to answer.
      reply(event.type, question, JSON.parse(line)).catch(() => {});
    });
    hooks.set(question.id, hook);
  };

  const reply = (type, question, { reject, answers }) => {
    const isVersion2 = type.includes(".v2.");
    return client._client.post({
      url:
        (isVersion2 ? "/api/session/{sessionID}" : "") +
        "/question/{requestID}/" + (reject ? "reject" : "reply"),
      path: { requestID: question.id, sessionID: question.sessionID },
      query: isVersion2 ? {} : { directory },
      headers: { "content-type": "application/json" },
      ...(reject ? {} : { body: { answers } }),
    });
  };

  return {
    event: async ({ event }) => {
      const [, kind] = /^question\.(?:v2\.)?(asked|replied|rejected)$/.exec(event.type) ?? [];
      if (kind === "asked") ask(event, event.properties);
      else if (kind) hooks.get(event.properties.requestID)?.stdin.end(JSON.stringify(event) + "\n");
    },
    dispose: async () => {
      // The asks stay open. The same question asked again receives the answer given meanwhile.
      for (const hook of hooks.values()) hook.stdin.end();
    },
  };
};
