// What TypeScript's own description of browsers lacks.
interface Window {
  trustedTypes?: {
    createPolicy(name: string, rules: { createScriptURL(url: string): string }): { createScriptURL(url: string): unknown };
  };
}

/** Whether this is built for a chat client, which shows a card and nothing else: no list, no files, no clock. */
declare const CHAT: boolean;
