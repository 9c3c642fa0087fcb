//! What an open inbox writes to draw the person's attention.

use ask_config::config::{Config, Heard, Privacy};
use ask_config::i18n::Language;
use ask_core::{Ask, Asker, Question, Time, lifecycle};
use ask_hub::notify::text::Text;

use super::*;
use crate::Mode;
use crate::tui::model::Display;

/// An inbox on a terminal with this dialect.
struct Inbox {
    attention: Attention,
    model: Model,
}

impl Inbox {
    fn new(dialect: EscapeDialect, in_tmux: bool) -> Self {
        let config = Config::default();
        let words = Words::for_language(Language::English);
        let mut attention = Attention::from_environment(&config.notify, words);
        (attention.dialect, attention.in_tmux) = (dialect, in_tmux);
        let display = Display::from_environment(&config);
        let mut model = Model::new(Mode::Inbox, display, (100, 30), Time(0));
        model.listed = true;
        Self { attention, model }
    }

    fn add_ask(&mut self, id: &str, project: &str, at_ms: i64) -> String {
        let question = Question {
            id: "1".to_owned(),
            text: "Shall; I?\u{7}\u{1b}]0;evil\u{7}".to_owned(),
            label: None,
            input: ask_core::Input::Text,
            required: true,
            placeholder: None,
            default: None,
        };
        let ask = Ask {
            questions: vec![question],
            ..Ask::default()
        };
        let asker = Asker {
            client: Some("claude-code".to_owned()),
            project: Some(project.to_owned()),
            ..Asker::default()
        };
        let id = AskId::parse(id).expect("an id");
        let record = lifecycle::open(id, "any", ask, asker, Time(at_ms));
        self.model.records.push(record);
        self.model.now = Time(at_ms);
        self.attention.update(&self.model, false)
    }
}

const OSC9: EscapeDialect = EscapeDialect::Osc9 { marks: false };

#[test]
fn asks_that_wait_at_the_start_only_change_the_title() {
    let mut inbox = Inbox::new(OSC9, false);
    let sequences = inbox.add_ask("a_one", "infra", 0);
    assert_eq!(
        sequences,
        "\u{1b}[22;2t\u{1b}]2;(1) ask: infra                  \u{1b}\\"
    );
    let again = inbox.attention.update(&inbox.model, false);
    assert_eq!(again, "");
    assert_eq!(inbox.attention.restore_sequences(), "\u{1b}[23;2t");
}

#[test]
fn the_title_has_a_constant_width() {
    let mut inbox = Inbox::new(EscapeDialect::Off, false);
    for (at, project) in [
        "infra",
        "a-very-long-name-of-a-project",
        "日本語のプロジェクト",
    ]
    .iter()
    .enumerate()
    {
        inbox.add_ask(&format!("a_{at}xx"), project, 0);
        let title = inbox.attention.title.clone().expect("a title");
        assert_eq!(
            SafeText::line(&format!("{title}|")).width(),
            TITLE_COLUMNS + 1
        );
    }
    assert!(
        inbox
            .attention
            .title
            .expect("a title")
            .starts_with("(3) ask: infra, a-very")
    );
}

#[test]
fn a_new_ask_notifies_without_the_focus_and_not_too_often() {
    let mut inbox = Inbox::new(OSC9, false);
    inbox.attention.update(&inbox.model, false);
    let ring = "\u{1b}]9;ask: claude-code asks in infra: Shall; I?\u{1b}\\";
    assert!(inbox.add_ask("a_one", "infra", 0).ends_with(ring));
    assert!(!inbox.add_ask("a_two", "infra", 2_000).contains("]9;"));
    assert!(inbox.add_ask("a_three", "infra", 6_000).ends_with(ring));
    inbox.attention.focused = Some(true);
    assert!(!inbox.add_ask("a_four", "infra", 20_000).contains("]9;"));
    inbox.attention.focused = None;
    inbox.attention.record_typing(Time(20_000));
    assert!(!inbox.add_ask("a_five", "infra", 40_000).contains("]9;"));
    assert!(inbox.add_ask("a_six", "infra", 140_000).ends_with(ring));
}

#[test]
fn muted_and_quiet_are_silent() {
    let mut inbox = Inbox::new(EscapeDialect::Bell { marks: false }, false);
    inbox.attention.update(&inbox.model, false);
    inbox.attention.bell_throttle.quiet_hours =
        ask_config::config::quiet_hours::Hours::parse("00:00-23:59");
    inbox.attention.bell_throttle.zone = jiff::tz::TimeZone::UTC;
    assert!(!inbox.add_ask("a_one", "infra", 0).contains('\u{7}'));
    inbox.attention.bell_throttle.quiet_hours = None;
    assert!(inbox.add_ask("a_two", "infra", 0).contains('\u{7}'));
    inbox.model.records.clear();
    inbox.attention.update(&inbox.model, true);
    inbox.attention.settings.privacy = Privacy::Private;
    let sequences = inbox.add_ask("a_three", "infra", 90_000);
    assert!(
        sequences.contains("(1) ask  ") && sequences.contains('\u{7}'),
        "{sequences:?}"
    );
}

#[test]
fn every_dialect_has_its_own_sequence() {
    let text = Text {
        title: "codex; asks".to_owned(),
        body: "a;b\u{1b}\\".to_owned(),
    };
    let ring = |dialect: EscapeDialect| dialect.notification(&text, false).replace('\u{1b}', "^");
    assert_eq!(ring(OSC9), "^]9;ask: codex; asks: a;b^\\");
    assert_eq!(
        ring(EscapeDialect::Osc777 { marks: true }),
        "^]777;notify;codex, asks;a,b^\\"
    );
    assert_eq!(
        ring(EscapeDialect::Osc99),
        "^]99;i=ask-user:d=0;codex; asks^\\^]99;i=ask-user:d=1:p=body;a;b^\\"
    );
    assert_eq!(ring(EscapeDialect::Bell { marks: false }), "\u{7}");
    assert_eq!(ring(EscapeDialect::Off), "");
    let through = OSC9.notification(&text, true).replace('\u{1b}', "^");
    assert_eq!(through, "\u{7}^Ptmux;^^]9;ask: codex; asks: a;b^^\\^\\");
}

#[test]
fn the_dialect_is_detected_from_the_environment() {
    let detect = |variables: &[(&str, &str)], wanted: Heard| {
        EscapeDialect::detect(wanted, |name| {
            let row = variables.iter().find(|(known, _)| *known == name);
            row.map(|(_, value)| (*value).to_owned())
                .unwrap_or_default()
        })
    };
    assert_eq!(
        detect(&[("TERM", "xterm-kitty")], Heard::Auto),
        EscapeDialect::Osc99
    );
    assert_eq!(detect(&[("TERM_PROGRAM", "iTerm.app")], Heard::Auto), OSC9);
    let ghostty = [("TERM_PROGRAM", "ghostty")];
    assert_eq!(
        detect(&ghostty, Heard::Auto),
        EscapeDialect::Osc777 { marks: true }
    );
    assert_eq!(
        detect(&[("TERM", "foot")], Heard::Auto),
        EscapeDialect::Osc777 { marks: false }
    );
    assert_eq!(
        detect(&[("TERM", "xterm")], Heard::Auto),
        EscapeDialect::Bell { marks: false }
    );
    assert_eq!(detect(&ghostty, Heard::Off), EscapeDialect::Off);
    assert_eq!(
        detect(&ghostty, Heard::Bell),
        EscapeDialect::Bell { marks: true }
    );
}

#[test]
fn the_taskbar_mark_stays_while_an_ask_waits() {
    let mut inbox = Inbox::new(EscapeDialect::Bell { marks: true }, false);
    assert!(
        inbox
            .add_ask("a_one", "infra", 0)
            .ends_with("\u{1b}]9;4;4;100\u{1b}\\")
    );
    assert!(
        inbox
            .attention
            .restore_sequences()
            .ends_with("\u{1b}]9;4;0;0\u{1b}\\")
    );
    inbox.model.records.clear();
    assert!(
        inbox
            .attention
            .update(&inbox.model, false)
            .ends_with("\u{1b}]9;4;0;0\u{1b}\\")
    );
}
