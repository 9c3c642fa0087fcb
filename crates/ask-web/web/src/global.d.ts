// Declarations that TypeScript's DOM library lacks.
interface Window {
  trustedTypes?: {
    createPolicy(name: string, rules: { createScriptURL(url: string): string }): { createScriptURL(url: string): unknown };
  };
}

/** Whether this build is the card for chat clients, which has no list, no files and no clock. */
declare const CHAT: boolean;
