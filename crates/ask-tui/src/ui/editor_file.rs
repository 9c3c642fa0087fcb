//! The file for an editor: the person's text, then a mark, then comments about the question. The
//! mark and everything below it are dropped when the file is read.

use ask_config::i18n::Words;
use ask_core::{Ask, AskId, Input, Question, SafeText};
use ask_hub::surface::labels::label;

/// The mark. It is made longer if the person's text contains it.
const MARK: &str = "# ------------------------ >8 ------------------------";
/// The number of lines at either end in which editors look for settings (Vim's modelines, Emacs's
/// local variables).
const MODELINE_LINES: usize = 5;

/// A text for an editor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct EditorFile {
    /// The name of the file, without folders.
    pub name: String,
    draft: String,
    mark: String,
    below: Vec<String>,
}

impl EditorFile {
    /// A file with a draft, and with comment lines about it.
    pub(crate) fn new(name: String, draft: &str, about: &[String]) -> Self {
        let mut mark = MARK.to_owned();
        while draft.lines().any(|line| line.trim_end() == mark) {
            mark.push('-');
        }
        let mut below: Vec<String> = about
            .iter()
            .flat_map(|about| comment_lines(about))
            .collect();
        below.extend(std::iter::repeat_n("#".to_owned(), MODELINE_LINES));
        Self {
            name,
            draft: draft.to_owned(),
            mark,
            below,
        }
    }

    /// The draft in the file.
    pub(crate) fn draft(&self) -> &str {
        &self.draft
    }

    /// The file with another draft.
    pub(crate) fn with_draft(&self, draft: &str) -> Self {
        let mut other = self.clone();
        while draft.lines().any(|line| line.trim_end() == other.mark) {
            other.mark.push('-');
        }
        other.draft = draft.to_owned();
        other
    }

    /// The content of the file.
    pub(crate) fn text(&self) -> String {
        let below = self.below.join("\n");
        let draft = break_up_settings(&self.draft);
        format!("{draft}\n\n{}\n{below}\n", self.mark)
    }

    /// The person's text in an edited file.
    pub(crate) fn read(&self, edited: &str) -> String {
        let edited = edited.replace("\r\n", "\n");
        let lines: Vec<&str> = edited.lines().collect();
        let marked = lines.iter().position(|line| line.trim_end() == self.mark);
        let mut words = &lines[..marked.unwrap_or(lines.len())];
        if marked.is_none() {
            // The mark was deleted: our lines are recognized by their text.
            while let [rest @ .., last] = words
                && (last.trim().is_empty() || self.below.iter().any(|line| line == last.trim_end()))
            {
                words = rest;
            }
        }
        let text = words.join("\n").trim_end_matches('\n').to_owned();
        match break_up_settings(&self.draft) == self.draft {
            true => text,
            false => restore_settings(&text),
        }
    }
}

/// The name of the file for a part of an ask.
pub(crate) fn file_name(id: &AskId, part: &str) -> String {
    let id = id.as_str();
    let ask = if id.starts_with("ask-") { "" } else { "ask-" };
    format!("{ask}{id}-{part}.md")
}

/// The lines below the mark: a title, one question or all of them, and the context.
pub(crate) fn header_lines(
    words: Words,
    title: String,
    ask: &Ask,
    asked: Option<&Question>,
) -> Vec<String> {
    let mut lines = vec![title, words.say("text-editor-below"), String::new()];
    match asked {
        Some(question) => lines.extend(question_lines(words, question)),
        None => {
            for question in &ask.questions {
                lines.extend(question_lines(words, question));
                lines.push(String::new());
            }
        }
    }
    if let Some(context) = &ask.context {
        lines.extend([String::new(), context.clone()]);
    }
    lines
}

/// A question and its choices, one line each.
fn question_lines(words: Words, question: &Question) -> Vec<String> {
    let mut lines = vec![question.text.clone()];
    match &question.input {
        Input::Text => {}
        Input::Confirm => {
            let both =
                (0..question.input.len()).filter_map(|pick| label(words, &question.input, pick));
            lines.extend(
                both.enumerate()
                    .map(|(at, label)| format!("{}. {label}", at + 1)),
            );
        }
        Input::One(choices) | Input::Many(choices) => {
            for (at, choice) in choices.iter().enumerate() {
                let label = question.input.label(at).unwrap_or_default();
                lines.push(format!("{}. {label}", at + 1));
                lines.extend(choice.description.iter().map(|about| format!("   {about}")));
            }
        }
    }
    if !question.input.is_empty() {
        lines.push(format!("0. {}", words.say("text-editor-other")));
    }
    lines
}

/// What begins settings in a file's text, and what it is replaced by.
const SETTINGS: [(&str, &str); 5] = [
    ("vim:", "vim :"),
    ("vi:", "vi :"),
    ("ex:", "ex :"),
    ("-*-", "- * -"),
    ("Local Variables:", "Local Variables :"),
];

/// A text whose settings are broken up: editors may apply those that an agent wrote into it.
fn break_up_settings(text: &str) -> String {
    replace_all(text, SETTINGS.into_iter())
}

/// The text before its settings were broken up.
fn restore_settings(text: &str) -> String {
    replace_all(
        text,
        SETTINGS.into_iter().map(|(found, broken)| (broken, found)),
    )
}

fn replace_all(text: &str, pairs: impl Iterator<Item = (&'static str, &'static str)>) -> String {
    pairs.fold(text.to_owned(), |text, (from, to)| text.replace(from, to))
}

/// A text as comment lines.
fn comment_lines(text: &str) -> Vec<String> {
    let safe = break_up_settings(&SafeText::block(text).to_string());
    let comment = |line: &str| format!("# {line}").trim_end().to_owned();
    safe.split('\n').map(comment).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn editor_file(draft: &str) -> EditorFile {
        let about = ["What name?".to_owned(), String::new(), "1. one".to_owned()];
        EditorFile::new("ask-1-1.md".into(), draft, &about)
    }

    #[test]
    fn a_draft_survives_writing_and_reading() {
        for draft in [
            "",
            "words",
            "# a heading\n\n## two\n#",
            "a\n\nb",
            "  set in",
        ] {
            let editor_file = editor_file(draft);
            assert_eq!(editor_file.read(&editor_file.text()), draft);
        }
    }

    #[test]
    fn a_draft_with_the_mark_in_it_survives() {
        let other = editor_file("first");
        let twice = editor_file(&other.text());
        assert_eq!(
            twice.read(&twice.text()),
            other.text().trim_end_matches('\n')
        );
    }

    #[test]
    fn without_the_mark_our_lines_are_still_removed() {
        let editor_file = editor_file("# mine");
        let lines = editor_file.text();
        let edited: Vec<&str> = lines.lines().filter(|line| !line.contains(">8")).collect();
        assert_eq!(editor_file.read(&edited.join("\n")), "# mine");
    }

    #[test]
    fn an_agents_text_holds_no_editor_settings() {
        let about =
            ["# vim: set shell=x:\n-*- eval: (x) -*-\nLocal Variables:\u{1b}[2J".to_owned()];
        let text = EditorFile::new(String::new(), "", &about).text();
        for instruction in ["vim:", "-*-", "Local Variables:", "\u{1b}"] {
            assert!(!text.contains(instruction), "{text}");
        }
        assert!(text.ends_with(&"#\n".repeat(MODELINE_LINES)));
    }

    #[test]
    fn settings_in_a_default_are_broken_up_in_the_file_alone() {
        let default = "// vim: set shell=x:\n-*- mode -*-";
        let file = editor_file(default);
        assert!(!file.text().contains("vim:"), "{}", file.text());
        assert_eq!(file.read(&file.text()), default);
        let plain = editor_file("port").read("vi : is an editor");
        assert_eq!(plain, "vi : is an editor");
    }
}
