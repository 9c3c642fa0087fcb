// Something that a person wants done at once: what keeps it from being done is said.
import { why } from "./api.ts";
import { toast } from "../state/store.ts";
import { say } from "./i18n.ts";

export async function tried(what: Promise<unknown>): Promise<boolean> {
  try {
    await what;
    return true;
  } catch (error) {
    toast(say("failed", { why: why(error) }));
    return false;
  }
}
