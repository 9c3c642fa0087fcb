// Runs an action of the person, and shows a toast if it fails.
import { errorText } from "./api.ts";
import { toast } from "../state/store.ts";
import { translate } from "./i18n.ts";

export async function withToast(action: Promise<unknown>): Promise<boolean> {
  try {
    await action;
    return true;
  } catch (error) {
    toast(translate("failed", { why: errorText(error) }));
    return false;
  }
}
