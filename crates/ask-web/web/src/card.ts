// The card and what belongs to it, brought with the first ask that is opened.
import "./mention.ts";

export { AskPage } from "./ask.tsx";
export { Help } from "./dialogs.tsx";
