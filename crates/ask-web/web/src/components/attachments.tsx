// Files that belong to an answer: pasted, dropped, or chosen with a button.
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { bring, call, why } from "../lib/api.ts";
import type { AskForm } from "../state/ask_form.ts";
import { save } from "../lib/downloads.ts";
import { toast } from "../state/store.ts";
import { much } from "../lib/time.ts";
import type { Attachment } from "../lib/types.ts";
import { say } from "../lib/i18n.ts";

const MOST_FILES = 10;
const MOST_BYTES = 10 * 1024 * 1024;

/** Puts files to a question's answer, one after another: each finds what came before it. */
export function attach(form: AskForm, at: number, files: Iterable<File>): Promise<unknown> {
  // A list of a drop is empty once the drop is over.
  const all = [...files];
  return (form.uploads = Promise.resolve(form.uploads).then(() => load(form, at, all)));
}

/** What was refused stands at the question, and in the review: nobody sends without it unawares. */
async function load(form: AskForm, at: number, files: Iterable<File>): Promise<void> {
  const refused: string[] = [];
  const fileless = (form.missingFiles ??= new Set());
  if (fileless.delete(at)) form.mistakes.delete(at);
  for (const file of files) {
    const name = file.name || "image.png";
    // As it is said; the hub has its own rules for what it keeps.
    const said = name.replace(/[\p{Cc}\p{Cf}]/gu, "");
    const has = form.values.entries[at]?.attachments ?? [];
    if (has.length >= MOST_FILES) {
      refused.push(say("too-many-files", { count: MOST_FILES }));
      break;
    }
    if (!file.size || file.size > MOST_BYTES) {
      refused.push(say(file.size ? "too-large" : "empty-file", { name: said }));
      continue;
    }
    try {
      const type = { "Content-Type": file.type || "application/octet-stream" };
      const stored = await call<Attachment>("POST", `files?name=${encodeURIComponent(name)}`, file, type);
      const before = (form.values.entries[at]?.attachments ?? []).filter((other) => other.sha256 !== stored.sha256);
      form.change(at, { attachments: [...before, stored] });
      toast(form.sent ? say("changed-since") : say("attached", { name: said }));
    } catch (error) {
      refused.push(say("not-attached", { name: said, why: why(error) }));
    }
  }
  if (!refused.length) return;
  fileless.add(at);
  form.mistakes = new Map(form.mistakes).set(at, refused.join(" "));
  form.notify();
  toast(refused.join(" "));
}

/** A file's size as people say it. */
export function size(bytes: number): string {
  return bytes < 1024 * 1024 ? much(Math.max(1, Math.round(bytes / 1024)), "kilobyte") : much(bytes / 1024 / 1024, "megabyte");
}

/** A file that the hub keeps: a picture to look at, or another to save. */
function Kept({ form: { name, sha256, mediaType } }: { form: Attachment }): JSX.Element {
  const path = `files/${sha256}`;
  const shows = mediaType.startsWith("image/");
  const [url, put] = useState<string>();
  useEffect(() => {
    if (!shows) return;
    let made = "";
    let gone = false;
    bring(path).then((blob) => gone || put((made = URL.createObjectURL(blob))), () => undefined);
    return () => {
      gone = true;
      URL.revokeObjectURL(made);
    };
  }, [path]);
  if (!shows) return <a href={`/v1/${path}`} {...save(path, name)}>{name}</a>;
  return <><img src={url} alt="" width="48" height="48" /><a href={url ?? `/v1/${path}`} target="_blank" rel="noreferrer noopener">{name}</a></>;
}

export function FileList({ files, onRemove }: { files: Attachment[]; onRemove?: (file: Attachment) => void }): JSX.Element | null {
  if (!files.length) return null;
  return (
    <ul class="files">
      {files.map((file) => (
        <li key={file.sha256}>
          {CHAT ? <bdi>{file.name}</bdi> : <Kept form={file} />}
          <span class="muted">{size(file.bytes)}</span>
          {!CHAT && onRemove && <button class="quiet" onClick={() => onRemove(file)}>{say("remove")}<span class="vh"> {file.name}</span></button>}
        </li>
      ))}
    </ul>
  );
}

type Props = { form: AskForm; at: number };

/** A chat client carries no files: there they are only named. */
const Named = ({ form, at }: Props): JSX.Element => <FileList files={form.values.entries[at]?.attachments ?? []} />;

function Field({ form, at }: Props): JSX.Element {
  const [over, put] = useState(false);
  const files = form.values.entries[at]?.attachments ?? [];
  const remove = (file: Attachment) => form.change(at, { attachments: files.filter((other) => other !== file) });
  return (
    <div
      class={over ? "attach over" : "attach"}
      onDragOver={(event) => {
        event.preventDefault();
        put(true);
      }}
      onDragLeave={() => put(false)}
      onDrop={(event) => {
        event.preventDefault();
        event.stopPropagation();
        put(false);
        void attach(form, at, event.dataTransfer?.files ?? []);
      }}
    >
      <FileList files={files} onRemove={remove} />
      <label class="quiet button">
        {say("attach-file")}
        <input
          type="file" multiple class="vh" id={`q${at}-file`}
          onChange={(event) => {
            const field = event.currentTarget;
            void attach(form, at, [...(field.files ?? [])]).then(() => void (field.value = ""));
          }}
        />
      </label>
      <span class="muted small hint">{say("attach-hint")}</span>
    </div>
  );
}

export const Files = CHAT ? Named : Field;
