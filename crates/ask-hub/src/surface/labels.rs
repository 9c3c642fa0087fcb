//! Labels that the terminal surfaces share: the asker, how an ask ended, its answers. Every state
//! has a text of its own, so that none depends on colour.

use ask_config::i18n::Words;
use ask_core::lifecycle::{AGENT, CLOCK};
use ask_core::record::EarlierAnswer;
use ask_core::{
    Answer, Ask, Asker, Attachment, Input, Outcome, Question, Record, SafeText, Settlement, Time,
};
use jiff::tz::TimeZone;

/// How many characters of an earlier answer are shown where it is offered.
const OFFERED_CHARS: usize = 200;

/// The answer to the same ask from shortly before, in one line of safe text: those to several questions
/// one after another, cut where they are long.
pub fn earlier_answer(words: Words, ask: &Ask, earlier: &EarlierAnswer) -> String {
    let answers = ask.questions.iter().zip(&earlier.draft.answers);
    let whole: Vec<String> = answers
        .flat_map(|(question, given)| in_short(words, question, given))
        .collect();
    let whole = whole.join(" · ");
    let mut shown: String = whole.chars().take(OFFERED_CHARS).collect();
    if shown.len() < whole.len() {
        shown.push('…');
    }
    SafeText::line(&shown).to_string()
}

/// An answer in lines, without the marks that recommend choices.
fn in_short(words: Words, question: &Question, given: &Answer) -> Vec<String> {
    let picked = given.picks.iter().filter_map(|&pick| {
        let choice = question.input.choices().get(pick);
        let bare = choice.map(|choice| choice.recommended().0.to_owned());
        bare.or_else(|| label(words, &question.input, pick))
    });
    let rest = Answer {
        picks: Vec::new(),
        ..given.clone()
    };
    let mut lines: Vec<String> = picked.collect();
    lines.extend(answer(words, question, &rest));
    lines.iter().map(|line| line.trim().to_owned()).collect()
}

/// The notice above a form whose draft was filled in by a program below an agent.
pub fn filled_in_below_notice(words: Words, record: &Record) -> Option<String> {
    filled_in(words, record, "shared-filled-in-below")
}

/// The notice about the draft of a closed ask that was filled in by a program below an agent.
pub fn filled_in_below_label(words: Words, record: &Record) -> Option<String> {
    filled_in(words, record, "shared-filled-in-by")
}

/// This message with the agent below which a program filled in the draft.
fn filled_in(words: Words, record: &Record, message: &str) -> Option<String> {
    let agent = SafeText::line(record.filled_in_below()?).to_string();
    Some(words.format(message, &[("agent", agent.into())]))
}

/// The asker, as safe text: the name from the client's protocol, otherwise the name that the agent
/// claims.
pub fn asker_label(words: Words, asker: &Asker) -> String {
    let names = [&asker.client, &asker.agent].into_iter().flatten();
    let shown = names.map(|name| SafeText::line(name).to_string());
    let mut named = shown.filter(|name| !name.trim().is_empty());
    named.next().unwrap_or_else(|| words.say("shared-an-agent"))
}

/// The project and its branch, as safe text.
pub fn place(asker: &Asker) -> String {
    let shown =
        |name: &Option<String>| name.as_deref().map(|name| SafeText::line(name).to_string());
    match (shown(&asker.project), shown(&asker.branch)) {
        (Some(project), Some(branch)) => format!("{project}:{branch}"),
        (Some(name), None) | (None, Some(name)) => name,
        (None, None) => String::new(),
    }
}

/// The directory, with the person's home as `~`.
pub fn directory(asker: &Asker, home: Option<&str>) -> Option<String> {
    let directory = asker.directory.as_deref()?;
    let below = home
        .filter(|home| !home.is_empty())
        .and_then(|home| directory.strip_prefix(home))
        .filter(|rest| rest.is_empty() || rest.starts_with('/'));
    Some(below.map_or_else(|| directory.to_owned(), |rest| format!("~{rest}")))
}

/// The local time of day, as `12:07`.
pub fn clock(at: Time, zone: &TimeZone) -> String {
    let stamp = jiff::Timestamp::from_millisecond(at.0).unwrap_or(jiff::Timestamp::MAX);
    stamp.to_zoned(zone.clone()).strftime("%H:%M").to_string()
}

/// A time as a person would write it: the time of day if it is near, otherwise with the date.
pub fn moment(words: Words, at: Time, now: Time, zone: &TimeZone) -> String {
    const NEAR_MS: u64 = 20 * 60 * 60 * 1_000;
    if at.since_ms(now).max(now.since_ms(at)) < NEAR_MS {
        return clock(at, zone);
    }
    let stamp = jiff::Timestamp::from_millisecond(at.0).unwrap_or(jiff::Timestamp::MAX);
    let date = stamp.to_zoned(zone.clone()).date();
    let (day, month) = (date.day().unsigned_abs(), date.month().unsigned_abs());
    words.format(
        "shared-day",
        &[
            ("day", u64::from(day).into()),
            ("month", u64::from(month).into()),
        ],
    )
}

/// The label of a surface. A surface that we don't know keeps its name.
pub fn surface(words: Words, name: &str) -> String {
    let name = SafeText::line(name).to_string();
    words.format("shared-surface", &[("surface", name.into())])
}

/// How an ask was closed, in one line: `ANSWERED IN THE BROWSER  12:07`.
pub fn closed(words: Words, settlement: &Settlement, zone: &TimeZone) -> String {
    let (surface, name) = match (settlement.surface.as_str(), &settlement.device) {
        (CLOCK | AGENT, _) => ("none", String::new()),
        // The device's name says more than the surface it showed.
        (_, Some(device)) => ("device", SafeText::line(device).to_string()),
        (surface, None) => (surface, SafeText::line(surface).as_str().to_uppercase()),
    };
    let facts = [
        ("surface", surface.into()),
        ("name", name.into()),
        ("at", clock(settlement.at, zone).into()),
    ];
    let closed = match &settlement.outcome {
        Outcome::Answered(_) => words.format("shared-closed-answered", &facts),
        Outcome::Declined { .. } => words.format("shared-closed-declined", &facts),
        Outcome::Clarify { .. } => words.format("shared-closed-asked-back", &facts),
        Outcome::Expired => words.format("shared-closed-expired", &facts),
        Outcome::Withdrawn => words.format("shared-closed-withdrawn", &facts),
    };
    match below_agent(words, settlement) {
        Some(below) => format!("{closed}  {below}"),
        None => closed,
    }
}

/// A note, if the closing program was started below an agent: `started below claude-code`.
pub fn below_agent(words: Words, settlement: &Settlement) -> Option<String> {
    let agent = SafeText::line(settlement.below_agent()?).to_string();
    Some(words.format("shared-below-agent", &[("agent", agent.into())]))
}

/// The text below a closed ask's headline: the reason or the question back.
pub fn closed_detail(words: Words, settlement: &Settlement) -> Option<String> {
    match &settlement.outcome {
        Outcome::Answered(_) => None,
        Outcome::Declined { reason: None } => Some(words.say("shared-no-reason")),
        Outcome::Declined {
            reason: Some(reason),
        } => Some(words.format("shared-reason", &[("reason", reason.as_str().into())])),
        Outcome::Clarify { words: asked } => {
            Some(words.format("shared-asked-back", &[("words", asked.as_str().into())]))
        }
        Outcome::Expired => Some(words.say("shared-time-passed")),
        Outcome::Withdrawn => Some(words.say("shared-taken-back")),
    }
}

/// A choice's label: the agent's text, or our own Yes and No.
pub fn label(words: Words, input: &Input, pick: usize) -> Option<String> {
    match (input, pick) {
        (Input::Confirm, 0) => Some(words.say("shared-yes")),
        (Input::Confirm, 1) => Some(words.say("shared-no")),
        (Input::Confirm | Input::Text | Input::One(_) | Input::Many(_), _) => {
            input.label(pick).map(str::to_owned)
        }
    }
}

/// An answer in lines: the picked choices, then the person's own text, then files.
pub fn answer(words: Words, question: &Question, answer: &Answer) -> Vec<String> {
    let mut lines = Vec::new();
    let picks: Vec<String> = answer
        .picks
        .iter()
        .filter_map(|&pick| label(words, &question.input, pick))
        .collect();
    if !picks.is_empty() {
        lines.push(picks.join(", "));
    }
    // An answer of nothing but files has a generated text, which the files' lines repeat.
    let filler = answer.only_files();
    let own = answer
        .own
        .as_deref()
        .filter(|own| filler.as_deref() != Some(*own));
    if let Some(own) = own.filter(|own| !own.trim().is_empty()) {
        if lines.is_empty() {
            lines.push(own.to_owned());
        } else {
            lines.push(words.format("shared-own-answer", &[("words", own.into())]));
        }
    }
    if lines.is_empty() && answer.none {
        lines.push(words.say("shared-none-of-these"));
    }
    lines.extend(answer.attachments.iter().map(|file| attached(words, file)));
    lines
}

/// An attached file in one line: `image: design.png, 1280x800, 214 KB`.
pub fn attached(words: Words, file: &Attachment) -> String {
    let facts = [
        ("name", file.name.as_str().into()),
        ("measures", file.measures().into()),
    ];
    let id = if file.media.is_image() {
        "text-attached-image"
    } else {
        "text-attached-file"
    };
    words.format(id, &facts)
}

/// The confirmation of the person's action.
pub fn confirmation(words: Words, record: &Record) -> String {
    let is_undelivered = record.waiters == 0 && !record.is_delivered();
    let who = [("who", asker_label(words, &record.asker).into())];
    match record.settlement().map(|settlement| &settlement.outcome) {
        None => words.say("shared-done-waiting"),
        Some(Outcome::Answered(_)) if is_undelivered => words.format("shared-kept-answer", &who),
        Some(Outcome::Declined { .. }) if is_undelivered => words.format("shared-kept-no", &who),
        Some(Outcome::Clarify { .. }) if is_undelivered => {
            words.format("shared-kept-question", &who)
        }
        Some(Outcome::Answered(_)) => words.format("shared-done-answered", &who),
        Some(Outcome::Declined { .. }) => words.format("shared-done-declined", &who),
        Some(Outcome::Clarify { .. }) => words.format("shared-done-asked-back", &who),
        Some(Outcome::Expired) => words.say("shared-done-expired"),
        Some(Outcome::Withdrawn) => words.say("shared-done-withdrawn"),
    }
}

/// A number with separated thousands, as in `2,847`.
pub fn thousands(words: Words, number: usize) -> String {
    let mark = words.say("shared-thousands-mark");
    let digits = number.to_string();
    let mut grouped = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            grouped.push_str(&mark);
        }
        grouped.push(digit);
    }
    grouped
}

#[cfg(test)]
mod tests {
    use super::*;
    use ask_config::i18n::Language;
    use ask_core::{Origin, Time};

    #[test]
    fn the_label_of_a_closed_ask_names_the_agent_above() {
        let origin = Origin {
            below_agent: Some("claude-code".to_owned()),
            ..Origin::default()
        };
        let settlement = Settlement {
            outcome: Outcome::Declined { reason: None },
            surface: "cli".to_owned(),
            device: None,
            origin: Some(Box::new(origin)),
            at: Time(0),
            attempt: 1,
            awaited: false,
        };
        let text = closed(
            Words::for_language(Language::English),
            &settlement,
            &TimeZone::UTC,
        );
        assert_eq!(
            text,
            "DECLINED BY COMMAND  00:00  started below claude-code"
        );
    }

    #[test]
    fn thousands_are_separated() {
        let thousands = |number| thousands(Words::for_language(Language::English), number);
        assert_eq!(thousands(7), "7");
        assert_eq!(thousands(2_847), "2,847");
        assert_eq!(thousands(1_234_567), "1,234,567");
    }

    #[test]
    fn dates_are_written_as_in_their_language() {
        let at = |text: &str| Time(text.parse::<jiff::Timestamp>().unwrap().as_millisecond());
        let now = at("2026-12-20T10:00:00Z");
        let zone = TimeZone::UTC;
        let text = |language, then| moment(Words::for_language(language), at(then), now, &zone);
        for (language, far, early) in [
            (Language::English, "Dec 22", "Mar 5"),
            (Language::German, "22.12.", "5.3."),
            (Language::Spanish, "22/12", "5/3"),
            (Language::French, "22/12", "5/3"),
            (Language::Japanese, "12月22日", "3月5日"),
            (Language::Korean, "12월 22일", "3월 5일"),
            (Language::SimplifiedChinese, "12月22日", "3月5日"),
        ] {
            assert_eq!(text(language, "2026-12-22T10:00:00Z"), far);
            assert_eq!(text(language, "2027-03-05T10:00:00Z"), early);
            assert_eq!(text(language, "2026-12-20T18:30:00Z"), "18:30");
        }
    }

    #[test]
    fn only_the_whole_home_folder_becomes_a_tilde() {
        let asker = |directory: &str| Asker {
            directory: Some(directory.to_owned()),
            ..Asker::default()
        };
        let seen = |path| directory(&asker(path), Some("/home/ann")).unwrap();
        assert_eq!(seen("/home/ann/src"), "~/src");
        assert_eq!(seen("/home/anna/src"), "/home/anna/src");
        assert_eq!(seen("/home/ann"), "~");
    }
}
