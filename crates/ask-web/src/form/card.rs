//! One ask as a form: every kind of question, a note for each answer and for all, asking back and
//! declining.

use ask_config::clock;
use ask_core::ask::CONFIRM;
use ask_core::{Answer, Draft, Gaps, Input, Question, Record, SafeText, Unfinished};
use ask_hub::surface::labels::who;

use super::filled::Fields;
use super::html::Html;
use super::markdown;
use super::reader::Reader;

/// A form, and what was filled in.
pub struct Form<'record> {
    /// Who fills it in.
    pub reader: Reader,
    /// The ask.
    pub record: &'record Record,
    /// What says that it is our form.
    pub token: String,
    /// What was filled in.
    pub draft: Draft,
    /// Questions without the answer that they need, from 0.
    missing: Vec<usize>,
    /// Questions of which nothing was said to fit, and something to fit all the same.
    torn: Vec<usize>,
    /// What is said above all.
    pub says: Option<String>,
    /// What was begun to be asked back, and as the reason to decline.
    begun: [Option<String>; 2],
}

impl<'record> Form<'record> {
    /// As far as it was filled in anywhere.
    pub fn of(reader: Reader, record: &'record Record, token: String) -> Self {
        let saved = record.draft.as_ref().map(|saved| saved.draft.clone());
        Self {
            reader,
            record,
            token,
            draft: saved.unwrap_or_else(|| Draft::blank(&record.ask)),
            missing: Vec::new(),
            torn: Vec::new(),
            says: None,
            begun: [None, None],
        }
    }

    /// Takes over what was sent.
    pub fn fill(&mut self, fields: &Fields) {
        self.draft = fields.draft(self.record);
        self.begun = ["clarify", "reason"].map(|name| fields.words(name));
    }

    /// Whether it can be sent; else the questions are marked that don't let it.
    pub fn check(&mut self, gaps: Gaps) -> bool {
        let ask = &self.record.ask;
        let checked = self.draft.clone().finish(ask, gaps);
        let answers = self.draft.answers.iter().zip(&ask.questions).enumerate();
        let torn = answers.filter(|(_, (answer, question))| answer.is_torn(&question.input));
        self.torn = torn.map(|(at, _)| at).collect();
        self.missing = match checked {
            Ok(_) => return true,
            Err(unfinished) => missing(self.record, &unfinished),
        };
        false
    }

    /// What was typed, text by text.
    pub fn typed(&self) -> Vec<String> {
        let saved = self.record.draft.as_ref().map(|saved| &saved.draft);
        if saved == Some(&self.draft) {
            return self.begun.iter().flatten().cloned().collect();
        }
        let answers = self.draft.answers.iter();
        let texts = answers.flat_map(|answer| [&answer.own, &answer.note]);
        let texts = texts.chain([&self.draft.note]).chain(&self.begun);
        texts.flatten().cloned().collect()
    }

    /// Writes it.
    pub fn write(&self, html: &mut Html) {
        let (words, ask) = (self.reader.words, &self.record.ask);
        let headline = ask.name();
        html.element("<h1>", headline.as_str(), "</h1>");
        self.asker(html);
        if let Some(says) = &self.says {
            html.element("<p class=\"says\" role=\"alert\">", says, "</p>");
        }
        if let Some(context) = ask.context.as_deref() {
            html.raw("<details open><summary>");
            html.text(&words.say("inbox-context")).raw("</summary>");
            markdown::write(html, context);
            html.raw("</details>");
        }
        if !self.reader.may_answer {
            return self.only_seen(html);
        }
        html.raw("<form method=\"post\"");
        html.with("action", &format!("/a/{}", self.record.id))
            .raw(">");
        hidden(html, "token", &self.token);
        hidden(html, "attempt", &clock::attempt().to_string());
        for (at, question) in ask.questions.iter().enumerate() {
            self.question(html, at, question);
        }
        let note = self.draft.note.as_deref();
        area(html, "note", &words.say("form-note-all"), note, 2);
        self.buttons(html);
        html.raw("</form>");
    }

    /// All of it to read, and nothing to fill in.
    fn only_seen(&self, html: &mut Html) {
        let says = self.reader.words.say("form-only-sees-asks");
        html.element("<p class=\"says\">", &says, "</p>");
        for (at, question) in self.record.ask.questions.iter().enumerate() {
            html.raw("<h2>");
            self.named(html, at, question);
            html.raw("</h2>");
            self.text(html, question);
            let choices = question.input.choices();
            if !choices.is_empty() {
                html.raw("<ul>");
            }
            for choice in choices {
                let (label, recommended) = choice.recommended();
                html.raw("<li>");
                self.label(html, label, recommended);
                self.more(html, label, choice);
                html.raw("</li>");
            }
            if !choices.is_empty() {
                html.raw("</ul>");
            }
        }
    }

    fn asker(&self, html: &mut Html) {
        let asker = &self.record.asker;
        let mut parts = vec![who(self.reader.words, asker)];
        let place = [&asker.project, &asker.branch, &asker.directory];
        let place = place.into_iter().flatten();
        parts.extend(place.map(|part| SafeText::line(part).to_string()));
        html.element("<p class=\"faint\">", &parts.join(" · "), "</p>");
        if let Some(deadline) = self.record.deadline_at.filter(|_| self.record.is_waiting()) {
            let left = self.reader.words.length(deadline.since_ms(clock::now()));
            let due = self
                .reader
                .words
                .with("card-due-in", &[("left", left.into())]);
            html.element("<p class=\"faint\">", &due, "</p>");
        }
        if self.record.waiters == 0 || !self.record.is_waiting() {
            let late = self.reader.words.say("shared-agent-left");
            html.element("<p class=\"says\">", &late, "</p>");
        }
    }

    fn question(&self, html: &mut Html, at: usize, question: &Question) {
        let words = self.reader.words;
        let blank = Answer::default();
        let answer = self.draft.answers.get(at).unwrap_or(&blank);
        html.raw("<fieldset><legend>");
        self.named(html, at, question);
        html.raw("</legend>");
        if self.torn.contains(&at) {
            html.element("<p class=\"says\">", &words.say("form-torn"), "</p>");
        } else if self.missing.contains(&at) {
            html.element("<p class=\"says\">", &words.say("form-gap"), "</p>");
        }
        self.text(html, question);
        self.choices(html, at, &question.input, answer);
        let own = words.say("text-editor-other");
        area(html, &format!("o{at}"), &own, answer.own.as_deref(), 3);
        for file in &answer.attachments {
            html.element("<p class=\"faint\">", &file.name, "</p>");
        }
        area(
            html,
            &format!("n{at}"),
            &words.say("form-note"),
            answer.note.as_deref(),
            1,
        );
        html.raw("</fieldset>");
    }

    fn named(&self, html: &mut Html, at: usize, question: &Question) {
        html.text(&format!("{}. {}", at + 1, question.name()));
        if !question.required {
            html.raw(" ").text(&self.reader.words.say("card-optional"));
        }
    }

    fn text(&self, html: &mut Html, question: &Question) {
        if !markdown::is_bare(&question.text) || question.label.is_some() {
            markdown::write(html, &question.text);
        }
    }

    fn label(&self, html: &mut Html, label: &str, recommended: bool) {
        html.element("<span>", SafeText::line(label).as_str(), "</span>");
        if recommended {
            html.raw(" ")
                .text(&self.reader.words.say("card-recommended"));
        }
    }

    fn choices(&self, html: &mut Html, at: usize, input: &Input, answer: &Answer) {
        let words = self.reader.words;
        let name = format!("p{at}");
        let yes_no = [words.say("card-yes"), words.say("card-no")];
        let kind = if input.is_many() { "checkbox" } else { "radio" };
        for pick in 0..input.len() {
            let choice = input.choices().get(pick);
            let (label, recommended) = match choice {
                Some(choice) => choice.recommended(),
                None => (yes_no.get(pick).map_or(CONFIRM[0], String::as_str), false),
            };
            html.raw("<div class=\"choice\"><label>");
            let is_on = answer.picks.contains(&pick);
            input_of(html, kind, &name, &pick.to_string(), is_on);
            self.label(html, label, recommended);
            html.raw("</label>");
            if let Some(choice) = choice {
                self.more(html, label, choice);
            }
            html.raw("</div>");
        }
        if input.is_many() {
            let none = words.say("shared-none-of-these");
            marked(html, "checkbox", &format!("x{at}"), "1", answer.none, &none);
        } else if !input.is_empty() {
            let other = words.say("shared-other");
            let is_on = answer.picks.is_empty() && answer.own.is_some();
            marked(html, "radio", &name, "", is_on, &other);
        }
    }

    fn more(&self, html: &mut Html, label: &str, choice: &ask_core::Choice) {
        if let Some(description) = choice.description.as_deref() {
            markdown::write(html, description);
        }
        if let Some(preview) = choice.preview.as_deref() {
            let label = SafeText::line(label).to_string();
            let title = self
                .reader
                .words
                .with("card-preview", &[("choice", label.into())]);
            html.element("<details><summary>", &title, "</summary>");
            markdown::write(html, preview);
            html.raw("</details>");
        }
    }

    fn buttons(&self, html: &mut Html) {
        let words = self.reader.words;
        html.raw("<p class=\"buttons\">");
        button(html, "send", &words.say("form-send"));
        if !self.missing.is_empty() {
            button(html, "gaps", &words.say("form-send-gaps"));
        }
        html.raw("</p>");
        let ask_back = words.say("card-ask-back");
        html.element("<details><summary>", &ask_back, "</summary>");
        let [clarify, reason] = &self.begun;
        let what = words.say("card-ask-back-what");
        area(html, "clarify", &what, clarify.as_deref(), 2);
        button(html, "clarify", &ask_back);
        html.raw("</details>");
        let decline = words.say("card-decline");
        html.element("<details><summary>", &decline, "</summary>");
        let why = words.say("card-decline-why");
        area(html, "reason", &why, reason.as_deref(), 2);
        button(html, "decline", &decline);
        html.raw("</details>");
    }
}

/// The questions that what is unfinished is about.
fn missing(record: &Record, unfinished: &Unfinished) -> Vec<usize> {
    match unfinished {
        Unfinished::Missing(missing) => missing.clone(),
        Unfinished::Empty => {
            let questions = record.ask.questions.iter().enumerate();
            let required = questions.filter(|(_, question)| question.required);
            required.map(|(at, _)| at).collect()
        }
        Unfinished::NoSuchChoice { question, .. } => vec![*question],
        Unfinished::OneOnly(at) | Unfinished::TooManyFiles(at) => vec![*at],
        // Leaving it out mends nothing.
        Unfinished::Torn(_) | Unfinished::TooMany { .. } => Vec::new(),
    }
}

/// A field that nobody sees.
pub fn hidden(html: &mut Html, name: &str, value: &str) {
    html.raw("<input type=\"hidden\"").with("name", name);
    html.with("value", value).raw(">");
}

fn input_of(html: &mut Html, kind: &str, name: &str, value: &str, is_on: bool) {
    html.raw("<input").with("type", kind).with("name", name);
    html.with("value", value);
    html.raw(if is_on { " checked> " } else { "> " });
}

fn marked(html: &mut Html, kind: &str, name: &str, value: &str, is_on: bool, label: &str) {
    html.raw("<div class=\"choice\"><label>");
    input_of(html, kind, name, value, is_on);
    html.element("<span>", label, "</span></label></div>");
}

fn area(html: &mut Html, name: &str, label: &str, text: Option<&str>, rows: u8) {
    html.element("<label class=\"field\"><span>", label, "</span>");
    html.raw("<textarea")
        .with("name", name)
        .with("rows", &rows.to_string());
    // The first line break behind the tag is not part of the text.
    html.raw(">\n").text(text.unwrap_or_default());
    html.raw("</textarea></label>");
}

fn button(html: &mut Html, does: &str, label: &str) {
    html.raw("<button name=\"do\"").with("value", does);
    html.element(">", label, "</button> ");
}
