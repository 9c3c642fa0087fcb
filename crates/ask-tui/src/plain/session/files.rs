//! Files in the plain mode: attaching one by its path, and finding files of the project by a few
//! letters, so that an answer can name them without typing whole paths.

use ask_core::Attachment;
use ask_hub::surface::file_finder::quote_path;
use ask_hub::surface::labels;

use super::{PlainEffect, PlainSession, Prompt, Step, render};
use crate::attach::{AttachError, AttachmentSource};

/// How many files are read out.
pub(crate) const FILES: usize = 9;

impl PlainSession {
    /// Attaches the file at a path, or removes the last one.
    pub(super) fn attach(&mut self, path: &str, step: &mut Step) {
        match path {
            "" if self.has_entry() => {
                self.prompt = Prompt::Path(Box::new(self.prompt.clone()));
                self.write_prompt(step);
            }
            "-" => self.detach(step),
            path => self.request_attachment(AttachmentSource::Path(path.to_owned()), step),
        }
    }

    /// Takes the path that was prompted for.
    pub(super) fn handle_path_line(&mut self, path: &str, before: Prompt, step: &mut Step) {
        self.prompt = before;
        match path {
            "" => self.resume(step),
            path => self.request_attachment(AttachmentSource::Path(path.to_owned()), step),
        }
    }

    /// Requests an attachment, unless no single answer is open that it could belong to.
    pub(super) fn request_attachment(&mut self, source: AttachmentSource, step: &mut Step) {
        if !self.has_entry() {
            step.line(self.words.say("line-attach-where"));
            return self.resume(step);
        }
        let Some(open) = &self.open else { return };
        let from = open.record.asker.directory.clone();
        self.request_reply(PlainEffect::Attach { source, from }, step);
    }

    /// Handles the result of an attachment.
    pub(super) fn on_attached(&mut self, file: Result<Attachment, AttachError>, step: &mut Step) {
        let words = self.words;
        let entry = self.open.as_mut();
        let entry = entry.and_then(|open| open.form.entries.get_mut(open.at));
        match (file, entry) {
            (Ok(file), Some(entry)) => {
                let facts = [("file", labels::attached(words, &file).into())];
                step.line(if entry.attach(file) {
                    words.format("line-attached", &facts)
                } else {
                    words.say("text-attach-too-many")
                });
                self.save_draft(step);
            }
            (Ok(_), None) => {}
            (Err(error), _) => step.line(error.message(words)),
        }
        self.resume(step);
    }

    fn detach(&mut self, step: &mut Step) {
        let words = self.words;
        let open = self.open.as_mut();
        let removed = open.and_then(|open| open.form.entries.get_mut(open.at)?.detach());
        step.line(match &removed {
            Some(file) => {
                let facts = [("file", labels::attached(words, file).into())];
                words.format("line-detached", &facts)
            }
            None => words.say("line-attached-none"),
        });
        self.save_draft(step);
        self.resume(step);
    }

    /// Requests the project's files whose paths contain these letters.
    pub(super) fn find_files(&mut self, letters: &str, step: &mut Step) {
        let asker = self.open.as_ref().map(|open| &open.record.asker);
        let Some(directory) = asker.and_then(|asker| asker.directory.clone()) else {
            step.line(self.words.say("line-files-nowhere"));
            return self.resume(step);
        };
        let letters = letters.to_owned();
        self.request_reply(PlainEffect::FindFiles { directory, letters }, step);
    }

    /// Reads out the matching files under their numbers.
    pub(super) fn on_files_found(&mut self, files: Vec<String>, total: usize, step: &mut Step) {
        let words = self.words;
        for (at, file) in files.iter().enumerate() {
            let facts = [
                ("number", (at + 1).into()),
                ("file", render::safe_line(file).into()),
            ];
            step.line(words.format("line-file", &facts));
        }
        let more = total.saturating_sub(files.len());
        if more > 0 {
            step.line(words.format("line-files-more", &[("count", more.into())]));
        }
        step.line(if files.is_empty() {
            words.say("line-files-none")
        } else {
            words.say("line-files-how")
        });
        if let Some(open) = &mut self.open {
            open.files = files;
        }
        self.resume(step);
    }

    /// Replaces the file numbers in a line by paths and reads the result back.
    pub(super) fn expand_file_numbers(&self, line: &str, step: &mut Step) -> String {
        let files = self.open.as_ref().map_or(&[][..], |open| &open.files);
        // At a question, a line that begins with `@` searches for files.
        let searches = self.prompt == Prompt::Question && line.trim_start().starts_with('@');
        let Some(expanded) = expand_numbers(line, files).filter(|_| !searches) else {
            return line.to_owned();
        };
        let facts = [("text", render::safe_line(&expanded).into())];
        step.line(self.words.format("line-files-named", &facts));
        expanded
    }

    fn has_entry(&self) -> bool {
        let open = self.open.as_ref();
        open.is_some_and(|open| open.at < open.form.entries.len())
    }

    /// Returns to the prompt before the request.
    fn resume(&mut self, step: &mut Step) {
        self.restore_prompt();
        self.write_prompt(step);
    }
}

/// A line with `@2` replaced by the second file; `None` if it holds no such reference.
fn expand_numbers(line: &str, files: &[String]) -> Option<String> {
    let mut text = String::with_capacity(line.len());
    let mut rest = line;
    let mut changed = false;
    while let Some(at) = rest.find('@') {
        let (before, mark) = rest.split_at(at);
        text.push_str(before);
        let digits = mark[1..].bytes().take_while(u8::is_ascii_digit).count();
        let (number, after) = mark[1..].split_at(digits);
        let begins = !text.ends_with(char::is_alphanumeric);
        let ends = !after.starts_with(|next: char| next.is_alphanumeric() || next == '/');
        let number = number.parse::<usize>().ok();
        let file = number.and_then(|number| files.get(number.checked_sub(1)?));
        match file.filter(|_| begins && ends) {
            Some(file) => {
                text.push_str(&quote_path(file));
                rest = after;
                changed = true;
            }
            None => {
                text.push('@');
                rest = &mark[1..];
            }
        }
    }
    text.push_str(rest);
    changed.then_some(text)
}

#[cfg(test)]
mod tests {
    use super::expand_numbers;

    #[test]
    fn only_numbers_that_were_read_out_are_replaced() {
        let files = ["src/main.rs".to_owned(), "a b.txt".to_owned()];
        for (line, whole) in [
            ("see @1", Some("see src/main.rs")),
            ("@2 and (@1).", Some("\"a b.txt\" and (src/main.rs).")),
            ("@3", None),
            ("@0", None),
            ("ann@1", None),
            ("@1st", None),
            ("@12", None),
            ("日本@1", None),
            ("見て @1。", Some("見て src/main.rs。")),
            ("@", None),
        ] {
            assert_eq!(expand_numbers(line, &files).as_deref(), whole, "{line}");
        }
    }
}
