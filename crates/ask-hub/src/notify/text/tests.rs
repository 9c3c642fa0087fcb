//! Notifications as a person reads them.

use ask_config::i18n::Language;
use ask_core::{Ask, AskId, Asker, Choice, Input, Question, Time, lifecycle};

use super::*;

fn record(client: &str, project: Option<&str>, title: Option<&str>, questions: usize) -> Record {
    let question = |at: usize| Question {
        id: at.to_string(),
        text: format!("Question {at}?"),
        label: None,
        input: Input::One(vec![Choice::new("Yes, delete"), Choice::new("No")]),
        required: true,
        placeholder: None,
        default: None,
    };
    let ask = Ask {
        title: title.map(str::to_owned),
        questions: (1..=questions).map(question).collect(),
        ..Ask::default()
    };
    let asker = Asker {
        client: Some(client.to_owned()),
        project: project.map(str::to_owned),
        ..Asker::default()
    };
    let id = AskId::parse("a_text").expect("a valid id");
    lifecycle::open(id, "native", ask, asker, Time(0))
}

fn shown(records: &[Record], privacy: Privacy) -> String {
    let Text { title, body } =
        notification_text(Words::for_language(Language::English), records, privacy);
    format!("{title} | {body}")
}

#[test]
fn the_text_of_one_ask_names_agent_project_headline_and_count() {
    let ask = record("codex", Some("infra"), Some("Stale environments"), 3);
    let ask = [ask];
    assert_eq!(
        shown(&ask, Privacy::Normal),
        "codex asks in infra | Stale environments · 3 questions"
    );
    assert_eq!(
        shown(&ask, Privacy::Private),
        "A question waits for you | 3 questions"
    );
    assert!(
        shown(&ask, Privacy::Full).contains("Stale environments · 3 questions\nQuestion 1?\n- Yes")
    );
    let bare = [record("codex", None, None, 1)];
    assert_eq!(shown(&bare, Privacy::Normal), "codex asks | Question 1?");
}

#[test]
fn the_text_of_several_asks_names_the_agents() {
    let both = [
        record("codex", Some("infra"), Some("One"), 1),
        record("claude-code", None, Some("Two"), 1),
        record("codex", Some("infra"), Some("Three"), 1),
    ];
    assert_eq!(
        shown(&both, Privacy::Normal),
        "3 questions wait for you | codex (infra), claude-code"
    );
    assert_eq!(
        shown(&both, Privacy::Private),
        "3 questions wait for you | "
    );
}

#[test]
fn texts_of_agents_are_made_safe_and_shortened() {
    let hostile = "\u{1b}]0;owned\u{7}\u{202e}evil\nline ".repeat(50);
    let ask = [record(&hostile, Some(&hostile), Some(&hostile), 2)];
    for privacy in [Privacy::Normal, Privacy::Private, Privacy::Full] {
        let Text { title, body } =
            notification_text(Words::for_language(Language::English), &ask, privacy);
        assert!(title.graphemes(true).count() <= MAX_TITLE, "{title}");
        assert!(body.graphemes(true).count() <= MAX_BODY, "{body}");
        assert!(!format!("{title}{body}").contains(['\u{1b}', '\u{7}', '\u{202e}']));
    }
}
