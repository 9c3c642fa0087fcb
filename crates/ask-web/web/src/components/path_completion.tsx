// Files of the agent's folder, offered under a field where a word begins with `@`, as the terminal has them.
// The field keeps the focus and its role, a text of many lines; what is open is said by the status below the list.
import { type JSX, render } from "preact";
import { call, path, why } from "../lib/api.ts";
import type { Asking, Mentioned } from "../state/file_mention.ts";
import { looks } from "./lazy.tsx";
import { say } from "../lib/i18n.ts";

type Found = { paths: { shown: string; text: string }[]; total: number; ended: boolean; cut?: number; readable: boolean };
/** The list, from the `@` on until the caret is elsewhere. */
type Open = {
  field: HTMLTextAreaElement;
  ask: string;
  /** Where the `@` stands. */
  start: number;
  letters: string;
  found: Found;
  failed?: string;
  /** The one that is marked. */
  row: number;
  /** Closed by the person: it stays closed for this `@`. */
  closed?: boolean;
  looking?: boolean;
  box: HTMLElement;
};

/** So many are seen at once. */
const SEEN = 6;
const LIST = "paths";
const NOTHING: Found = { paths: [], total: 0, ended: false, readable: true };
let open: Open | undefined;
let asking: Asking;
let mentioned: Mentioned;
let composing = false;
let inserting = false;

function shut(): void {
  if (!open) return;
  close(open);
  open = undefined;
}

/** What is typed stays as it is typed. */
function close(of: Open): void {
  of.closed = true;
  render(null, of.box);
  of.box.remove();
  tell(of.field, {});
}

/** What the field says of the list to who can't see it. */
function tell(field: HTMLElement, said: Record<string, string>): void {
  for (const name of ["autocomplete", "haspopup", "controls", "activedescendant"]) {
    if (said[name]) field.setAttribute(`aria-${name}`, said[name]);
    else field.removeAttribute(`aria-${name}`);
  }
}

/** After what was typed, or after the caret went elsewhere, which opens nothing. */
function follow(field: HTMLTextAreaElement, typed: boolean): void {
  if (inserting || composing) return;
  const ask = asking();
  const at = mentioned(field);
  const same = open && at && open.field === field && open.ask === ask && open.start === at.start && field.isConnected;
  if (!same) shut();
  if (!at || !ask || !(same || typed)) return;
  open ??= begun(field, ask, at.start);
  if (open.closed || (same && open.letters === at.letters)) return;
  open.letters = at.letters;
  open.row = 0;
  // What fitted before stays in sight until it is known what fits now.
  open.found = { ...open.found, ended: false };
  delete open.failed;
  draw(open);
  void look(open);
}

function begun(field: HTMLTextAreaElement, ask: string, start: number): Open {
  const box = document.createElement("div");
  box.className = "paths";
  // A press on the list leaves the focus where it is.
  box.addEventListener("mousedown", (event) => event.preventDefault());
  field.closest(".field")?.append(box);
  return { field, ask, start, letters: "", found: NOTHING, row: 0, box };
}

/** Asks for what fits until it is known, one request at a time. */
async function look(of: Open): Promise<void> {
  if (of.looking) return;
  of.looking = true;
  while (open === of && !of.closed && !of.found.ended) {
    const { letters } = of;
    let found = NOTHING;
    let failed: string | undefined;
    try {
      found = await call<Found>("GET", `${path.ask(of.ask)}/paths?q=${encodeURIComponent(letters)}`);
    } catch (error) {
      found = { ...NOTHING, ended: true };
      failed = why(error);
    }
    if (open !== of || of.closed || of.letters !== letters) continue;
    const marked = of.row ? of.found.paths[of.row]?.text : undefined;
    of.row = Math.max(0, found.paths.findIndex(({ text }) => text === marked));
    of.found = found;
    if (failed) of.failed = failed;
    draw(of);
  }
  of.looking = false;
}

function insert(of: Open, row: number): void {
  const text = of.found.paths[row]?.text;
  const { field, start } = of;
  if (!text) return;
  const end = field.selectionStart;
  shut();
  inserting = true;
  field.focus();
  field.setSelectionRange(start, end);
  // So that it can be undone; where a browser doesn't, it is put in all the same.
  if (!document.execCommand("insertText", false, text)) {
    field.setRangeText(text, start, end, "end");
    field.dispatchEvent(new InputEvent("input", { bubbles: true }));
  }
  inserting = false;
}

/** While the list is open its keys are its own: none of them sends, leaves the field or closes a dialog. */
function press(event: KeyboardEvent): void {
  if (!open || open.closed || event.target !== open.field || event.isComposing || composing || event.keyCode === 229) return;
  const { key } = event;
  const { found, row } = open;
  const last = found.paths.length - 1;
  const vain = last < 0 && found.ended;
  const plain = !event.shiftKey && !event.altKey;
  const bare = plain && !event.ctrlKey && !event.metaKey;
  if (bare && !vain && (key === "ArrowUp" || key === "ArrowDown")) {
    open.row = key === "ArrowUp" ? (row > 0 ? row - 1 : Math.max(0, last)) : row >= last ? 0 : row + 1;
    draw(open);
  } else if ((bare && key === "Escape") || (plain && key === "Enter" && vain)) close(open);
  // While nothing is found yet the key was early, and does nothing.
  else if ((plain && key === "Enter") || (bare && key === "Tab" && !vain)) insert(open, row);
  else return;
  event.preventDefault();
  event.stopPropagation();
}

function draw(of: Open): void {
  const { box, field, found, row } = of;
  render(<List of={of} />, box);
  const listed = found.paths.length ? { controls: LIST, activedescendant: `${LIST}-${row}` } : {};
  tell(field, { autocomplete: "list", haspopup: "listbox", ...listed });
  box.scrollIntoView({ block: "nearest" });
}

function List({ of }: { of: Open }): JSX.Element {
  const { paths, total } = of.found;
  const top = Math.max(0, of.row + 1 - SEEN);
  return (
    <>
      {total > 0 && (
        <ul role="listbox" id={LIST} aria-label={say("paths-label")}>
          {paths.slice(top, top + SEEN).map(({ shown }, n) => {
            const at = top + n;
            return (
              <li key={at} role="option" id={`${LIST}-${at}`} aria-selected={at === of.row} aria-posinset={at + 1} aria-setsize={paths.length} onClick={() => insert(of, at)}>
                <bdi dir="ltr">{shown}</bdi>
              </li>
            );
          })}
        </ul>
      )}
      <p role="status" class="muted small">{told(of)}</p>
    </>
  );
}

function told({ found: { paths, total, ended, cut = 0, readable }, failed }: Open): string {
  if (failed) return say("failed", { why: failed });
  if (!readable) return say("paths-unreadable");
  if (paths.length) return say(cut ? "paths-total-of-first" : "paths-total", { count: total, files: cut });
  if (!ended) return say("looking");
  return say(cut ? "paths-none-of-first" : "paths-none", { files: cut });
}

/** Begins with the field that the first `@` was typed into. */
export function begin(first: HTMLTextAreaElement, ask: Asking, read: Mentioned): void {
  [asking, mentioned] = [ask, read];
  const on = <K extends keyof DocumentEventMap>(name: K, act: (event: DocumentEventMap[K]) => void) => document.addEventListener(name, act, true);
  on("input", ({ target }) => target instanceof HTMLTextAreaElement && follow(target, true));
  on("compositionstart", () => (composing = true));
  on("compositionend", ({ target }) => {
    composing = false;
    if (target instanceof HTMLTextAreaElement) follow(target, true);
  });
  on("selectionchange", () => open && follow(open.field, false));
  on("focusout", ({ target }) => target === open?.field && !inserting && shut());
  on("keydown", press);
  if (document.activeElement === first) follow(first, true);
}

// The looks come with it.
await looks("paths.css");
