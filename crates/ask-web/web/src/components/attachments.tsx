// Files of an answer: pasted, dropped, or chosen with a button.
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { fetchFile, call, errorText } from "../lib/api.ts";
import type { AskForm } from "../state/ask_form.ts";
import { downloadHandlers } from "../lib/downloads.ts";
import { toast } from "../state/store.ts";
import { formatUnit } from "../lib/time.ts";
import type { Attachment } from "../lib/types.ts";
import { translate } from "../lib/i18n.ts";

const MAX_FILES = 10;
const MAX_BYTES = 10 * 1024 * 1024;

/** Adds files to a question's answer, one batch after another, so that each sees the files before it. */
export function attach(form: AskForm, at: number, files: Iterable<File>): Promise<unknown> {
  // A browser empties the list of dropped files after the event.
  const all = [...files];
  return (form.uploads = Promise.resolve(form.uploads).then(() => upload(form, at, all)));
}

/** Uploads files. Refused files are shown at the question and in the review, so that nobody sends without them unawares. */
async function upload(form: AskForm, at: number, files: Iterable<File>): Promise<void> {
  const refused: string[] = [];
  const missing = (form.missingFiles ??= new Set());
  if (missing.delete(at)) form.mistakes.delete(at);
  for (const file of files) {
    const name = file.name || "image.png";
    // The name for messages. The hub has its own rules for the name that it stores.
    const shownName = name.replace(/[\p{Cc}\p{Cf}]/gu, "");
    const has = form.values.entries[at]?.attachments ?? [];
    if (has.length >= MAX_FILES) {
      refused.push(translate("too-many-files", { count: MAX_FILES }));
      break;
    }
    if (!file.size || file.size > MAX_BYTES) {
      refused.push(translate(file.size ? "too-large" : "empty-file", { name: shownName }));
      continue;
    }
    try {
      const type = { "Content-Type": file.type || "application/octet-stream" };
      const stored = await call<Attachment>("POST", `files?name=${encodeURIComponent(name)}`, file, type);
      const before = (form.values.entries[at]?.attachments ?? []).filter((other) => other.sha256 !== stored.sha256);
      form.change(at, { attachments: [...before, stored] });
      toast(form.sent ? translate("changed-since") : translate("attached", { name: shownName }));
    } catch (error) {
      refused.push(translate("not-attached", { name: shownName, why: errorText(error) }));
    }
  }
  if (!refused.length) return;
  missing.add(at);
  form.mistakes = new Map(form.mistakes).set(at, refused.join(" "));
  form.notify();
  toast(refused.join(" "));
}

/** A file's size in kilobytes or megabytes. */
export function formatSize(bytes: number): string {
  return bytes < 1024 * 1024 ? formatUnit(Math.max(1, Math.round(bytes / 1024)), "kilobyte") : formatUnit(bytes / 1024 / 1024, "megabyte");
}

/** A file that the hub stores: an image is shown, another file can be downloaded. */
function StoredFile({ file: { name, sha256, mediaType } }: { file: Attachment }): JSX.Element {
  const path = `files/${sha256}`;
  const isImage = mediaType.startsWith("image/");
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    if (!isImage) return;
    let created = "";
    let isGone = false;
    fetchFile(path).then((blob) => isGone || setUrl((created = URL.createObjectURL(blob))), () => undefined);
    return () => {
      isGone = true;
      URL.revokeObjectURL(created);
    };
  }, [path]);
  if (!isImage) return <a href={`/v1/${path}`} {...downloadHandlers(path, name)}>{name}</a>;
  return <><img src={url} alt="" width="48" height="48" /><a href={url ?? `/v1/${path}`} target="_blank" rel="noreferrer noopener">{name}</a></>;
}

export function FileList({ files, onRemove }: { files: Attachment[]; onRemove?: (file: Attachment) => void }): JSX.Element | null {
  if (!files.length) return null;
  return (
    <ul class="files">
      {files.map((file) => (
        <li key={file.sha256}>
          {CHAT ? <bdi>{file.name}</bdi> : <StoredFile file={file} />}
          <span class="muted">{formatSize(file.bytes)}</span>
          {!CHAT && onRemove && <button class="quiet" onClick={() => onRemove(file)}>{translate("remove")}<span class="vh"> {file.name}</span></button>}
        </li>
      ))}
    </ul>
  );
}

type Props = { form: AskForm; at: number };

/** Chat clients transport no files, so a card there only names them. */
const FileNames = ({ form, at }: Props): JSX.Element => <FileList files={form.values.entries[at]?.attachments ?? []} />;

function FilePicker({ form, at }: Props): JSX.Element {
  const [isOver, setOver] = useState(false);
  const files = form.values.entries[at]?.attachments ?? [];
  const remove = (file: Attachment) => form.change(at, { attachments: files.filter((other) => other !== file) });
  return (
    <div
      class={isOver ? "attach over" : "attach"}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        event.stopPropagation();
        setOver(false);
        void attach(form, at, event.dataTransfer?.files ?? []);
      }}
    >
      <FileList files={files} onRemove={remove} />
      <label class="quiet button">
        {translate("attach-file")}
        <input
          type="file" multiple class="vh" id={`q${at}-file`}
          onChange={(event) => {
            const field = event.currentTarget;
            void attach(form, at, [...(field.files ?? [])]).then(() => void (field.value = ""));
          }}
        />
      </label>
      <span class="muted small hint">{translate("attach-hint")}</span>
    </div>
  );
}

export const Files = CHAT ? FileNames : FilePicker;
