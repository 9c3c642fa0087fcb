// Completes file names of the agent's folder after `@` in a text field, as the terminal does. The field keeps the focus and
// its role. A status below the list tells screen readers what is shown.
import { type JSX, render } from "preact";
import { call, path, errorText } from "../lib/api.ts";
import type { GetAskId, GetMention } from "../state/file_mention.ts";
import { loadStylesheet } from "./lazy.tsx";
import { translate } from "../lib/i18n.ts";

type SearchReply = { paths: { shown: string; text: string }[]; total: number; ended: boolean; cut?: number; readable: boolean };
/** The completion of one `@` word, until the caret leaves it. */
type Completion = {
  field: HTMLTextAreaElement;
  ask: string;
  /** The position of the `@`. */
  start: number;
  letters: string;
  found: SearchReply;
  failed?: string;
  /** The index of the selected path. */
  row: number;
  /** Whether the person closed it. It stays closed for this `@`. */
  closed?: boolean;
  isSearching?: boolean;
  box: HTMLElement;
};

/** How many paths are shown at once. */
const VISIBLE_ROWS = 6;
const LIST_ID = "paths";
const EMPTY_REPLY: SearchReply = { paths: [], total: 0, ended: false, readable: true };
let current: Completion | undefined;
let getAskId: GetAskId;
let getMention: GetMention;
let composing = false;
let inserting = false;

function discard(): void {
  if (!current) return;
  close(current);
  current = undefined;
}

/** Closes the list. The typed text stays. */
function close(completion: Completion): void {
  completion.closed = true;
  render(null, completion.box);
  completion.box.remove();
  setAria(completion.field, {});
}

/** Sets the field's ARIA attributes about the list, and removes the others. */
function setAria(field: HTMLElement, values: Record<string, string>): void {
  for (const name of ["autocomplete", "haspopup", "controls", "activedescendant"]) {
    if (values[name]) field.setAttribute(`aria-${name}`, values[name]);
    else field.removeAttribute(`aria-${name}`);
  }
}

/** Updates the completion after typing, or after the caret moved, which opens none. */
function update(field: HTMLTextAreaElement, typed: boolean): void {
  if (inserting || composing) return;
  const ask = getAskId();
  const mention = getMention(field);
  const isSame = current && mention && current.field === field && current.ask === ask && current.start === mention.start && field.isConnected;
  if (!isSame) discard();
  if (!mention || !ask || !(isSame || typed)) return;
  current ??= createCompletion(field, ask, mention.start);
  if (current.closed || (isSame && current.letters === mention.letters)) return;
  current.letters = mention.letters;
  current.row = 0;
  // Earlier matches stay in sight until the new ones are known.
  current.found = { ...current.found, ended: false };
  delete current.failed;
  draw(current);
  void search(current);
}

function createCompletion(field: HTMLTextAreaElement, ask: string, start: number): Completion {
  const box = document.createElement("div");
  box.className = "paths";
  // A click on the list leaves the focus in the field.
  box.addEventListener("mousedown", (event) => event.preventDefault());
  field.closest(".field")?.append(box);
  return { field, ask, start, letters: "", found: EMPTY_REPLY, row: 0, box };
}

/** Requests matches until the search has ended, one request at a time. */
async function search(completion: Completion): Promise<void> {
  if (completion.isSearching) return;
  completion.isSearching = true;
  while (current === completion && !completion.closed && !completion.found.ended) {
    const { letters } = completion;
    let found = EMPTY_REPLY;
    let failed: string | undefined;
    try {
      found = await call<SearchReply>("GET", `${path.ask(completion.ask)}/paths?q=${encodeURIComponent(letters)}`);
    } catch (error) {
      found = { ...EMPTY_REPLY, ended: true };
      failed = errorText(error);
    }
    if (current !== completion || completion.closed || completion.letters !== letters) continue;
    const marked = completion.row ? completion.found.paths[completion.row]?.text : undefined;
    completion.row = Math.max(0, found.paths.findIndex(({ text }) => text === marked));
    completion.found = found;
    if (failed) completion.failed = failed;
    draw(completion);
  }
  completion.isSearching = false;
}

function insert(completion: Completion, row: number): void {
  const text = completion.found.paths[row]?.text;
  const { field, start } = completion;
  if (!text) return;
  const end = field.selectionStart;
  discard();
  inserting = true;
  field.focus();
  field.setSelectionRange(start, end);
  // `execCommand` lets the person undo it. A browser without it gets the text inserted directly.
  if (!document.execCommand("insertText", false, text)) {
    field.setRangeText(text, start, end, "end");
    field.dispatchEvent(new InputEvent("input", { bubbles: true }));
  }
  inserting = false;
}

/** Handles the list's keys while it is open. None of them sends, leaves the field or closes a dialog. */
function onKeyDown(event: KeyboardEvent): void {
  if (!current || current.closed || event.target !== current.field || event.isComposing || composing || event.keyCode === 229) return;
  const { key } = event;
  const { found, row } = current;
  const last = found.paths.length - 1;
  const isEmpty = last < 0 && found.ended;
  const plain = !event.shiftKey && !event.altKey;
  const bare = plain && !event.ctrlKey && !event.metaKey;
  if (bare && !isEmpty && (key === "ArrowUp" || key === "ArrowDown")) {
    current.row = key === "ArrowUp" ? (row > 0 ? row - 1 : Math.max(0, last)) : row >= last ? 0 : row + 1;
    draw(current);
  } else if ((bare && key === "Escape") || (plain && key === "Enter" && isEmpty)) close(current);
  // While nothing is found yet, the key came too early and does nothing.
  else if ((plain && key === "Enter") || (bare && key === "Tab" && !isEmpty)) insert(current, row);
  else return;
  event.preventDefault();
  event.stopPropagation();
}

function draw(completion: Completion): void {
  const { box, field, found, row } = completion;
  render(<List completion={completion} />, box);
  const listed = found.paths.length ? { controls: LIST_ID, activedescendant: `${LIST_ID}-${row}` } : {};
  setAria(field, { autocomplete: "list", haspopup: "listbox", ...listed });
  box.scrollIntoView({ block: "nearest" });
}

function List({ completion }: { completion: Completion }): JSX.Element {
  const { paths, total } = completion.found;
  const top = Math.max(0, completion.row + 1 - VISIBLE_ROWS);
  return (
    <>
      {total > 0 && (
        <ul role="listbox" id={LIST_ID} aria-label={translate("paths-label")}>
          {paths.slice(top, top + VISIBLE_ROWS).map(({ shown }, n) => {
            const at = top + n;
            return (
              <li key={at} role="option" id={`${LIST_ID}-${at}`} aria-selected={at === completion.row} aria-posinset={at + 1} aria-setsize={paths.length} onClick={() => insert(completion, at)}>
                <bdi dir="ltr">{shown}</bdi>
              </li>
            );
          })}
        </ul>
      )}
      <p role="status" class="muted small">{statusText(completion)}</p>
    </>
  );
}

function statusText({ found: { paths, total, ended, cut = 0, readable }, failed }: Completion): string {
  if (failed) return translate("failed", { why: failed });
  if (!readable) return translate("paths-unreadable");
  if (paths.length) return translate(cut ? "paths-total-of-first" : "paths-total", { count: total, files: cut });
  if (!ended) return translate("looking");
  return translate(cut ? "paths-none-of-first" : "paths-none", { files: cut });
}

/** Starts the completion, with the field of the first `@`. */
export function startCompletion(first: HTMLTextAreaElement, askId: GetAskId, mention: GetMention): void {
  [getAskId, getMention] = [askId, mention];
  const on = <K extends keyof DocumentEventMap>(name: K, act: (event: DocumentEventMap[K]) => void) => document.addEventListener(name, act, true);
  on("input", ({ target }) => target instanceof HTMLTextAreaElement && update(target, true));
  on("compositionstart", () => (composing = true));
  on("compositionend", ({ target }) => {
    composing = false;
    if (target instanceof HTMLTextAreaElement) update(target, true);
  });
  on("selectionchange", () => current && update(current.field, false));
  on("focusout", ({ target }) => target === current?.field && !inserting && discard());
  on("keydown", onKeyDown);
  if (document.activeElement === first) update(first, true);
}

await loadStylesheet("paths.css");
