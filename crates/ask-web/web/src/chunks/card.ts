// The card and its parts, loaded with the first ask that is opened.
import "../state/file_mention.ts";

export { AskPage } from "../pages/ask.tsx";
export { Help } from "../components/dialogs.tsx";
