//! The card of an ask: the asker, the tabs, the question, its rows and the key hints.

use ask_config::i18n::{Value, Words};
use ask_config::keys::{self, Action, Context, Move};
use ask_config::text::{clip, width};
use ask_core::SafeText;
use ask_hub::surface::labels;

use super::footer::{Facts, hints};
use super::layout::{CardNeeds, Plan};
use super::list::List;
use super::markdown::{self, BaseStyle};
use super::preview::{Place, Preview};
use super::{Page, footer_note, header, review};
use crate::tui::model::{Card, Model};
use crate::tui::row::{ClickTarget, ELLIPSIS, ScreenRow};
use crate::tui::style::Role;

/// The fewest rows of a list with a preview beside it, frame included.
const LEAST_BESIDE: usize = 6;

/// The fewest columns for an earlier answer beside the words that offer it.
const LEAST_ANSWER: usize = 12;

/// The parts of a card before the rows are distributed.
struct Parts<'a> {
    preview: Option<Preview<'a>>,
    heading: Option<String>,
    prose: Vec<ScreenRow>,
    message: Option<ScreenRow>,
    plan: Plan,
}

/// The whole screen of a card.
pub(super) fn page(model: &Model, card: &Card, columns: usize, rows: usize) -> Vec<ScreenRow> {
    let Some(list) = list(model, card, columns, rows) else {
        return review::page(model, card, columns, rows);
    };
    let parts = parts(model, card, &list, columns, rows);
    let plan = parts.plan;
    let pane = parts.preview_page();
    let mut screen_rows = top(
        model,
        card,
        plan.shows_asker,
        plan.top_rule,
        plan.tabs,
        columns,
    );
    if let Some(heading) = parts.heading.filter(|_| plan.heading) {
        let saved = if plan.tabs {
            ScreenRow::new()
        } else {
            header::saved_note(model, card, columns)
        };
        let room = columns.saturating_sub(saved.width() + 2);
        let heading = ScreenRow::indented(1).clipped(heading, Role::Dim, room);
        screen_rows.push(heading.right(saved, columns.saturating_sub(1)));
    }
    let overflows = plan.prose < parts.prose.len() || (pane.shown > 0 && pane.shown < pane.total);
    let words = model.display.words;
    // The preview scrolls before the question, and in a field these keys move the caret.
    let keys_are_taken = is_field(card.context()) || (pane.shown > 0 && pane.shown < pane.total);
    let scroll_key = |action| {
        if keys_are_taken {
            "none".to_owned()
        } else {
            key_name(model, card, action)
        }
    };
    let keys = [
        ("down", scroll_key(Action::Move(Move::PageDown)).into()),
        ("up", scroll_key(Action::Move(Move::PageUp)).into()),
        ("read", key_name(model, card, Action::Read).into()),
    ];
    let room = (plan.prose, columns);
    let prose = visible_prose(words, parts.prose, room, card.prose_top, keys);
    screen_rows.extend(
        prose
            .into_iter()
            .map(|screen_row| screen_row.clickable(ClickTarget::Prose)),
    );
    if plan.gap {
        screen_rows.push(ScreenRow::new());
    }
    let filter = footer_note::filter(model, card, columns);
    let filtered = usize::from(filter.is_some());
    let mut body: Vec<ScreenRow> = filter.into_iter().collect();
    body.extend(body_rows(
        model,
        &list,
        parts.preview.as_ref(),
        plan,
        filtered,
    ));
    body.truncate(plan.list + plan.preview);
    if card.is_guarded(model.now) || card.sending {
        body = body
            .into_iter()
            .map(|screen_row| screen_row.with_role(Role::Dim))
            .collect();
    }
    screen_rows.extend(body);
    screen_rows.extend(footer_note::screen_rows(model, card, columns, plan.note));
    let foot = hints(model, columns, plan.hints, Facts { overflows });
    bottom(
        &mut screen_rows,
        parts.message,
        plan.bottom_rule,
        foot,
        columns,
        rows,
    );
    screen_rows
}

/// The rows of the question, with the preview beside or below them. The row of the filter is
/// counted already.
fn body_rows(
    model: &Model,
    list: &List<'_>,
    preview: Option<&Preview<'_>>,
    plan: Plan,
    filtered: usize,
) -> Vec<ScreenRow> {
    let rows = plan.list.saturating_sub(filtered).max(1);
    let Some(preview) = preview else {
        return list.screen_rows(rows);
    };
    if preview.place == Place::Beside {
        let row = list.shown.iter().position(|&at| at == list.focus.row);
        let row = row.unwrap_or(list.shown.len()) + 1;
        let all = list.shown.len() + 1;
        let arguments = [("row", row.into()), ("rows", all.into())];
        let place = model.display.words.format("card-row-of", &arguments);
        let inner = list.screen_rows(rows.saturating_sub(2));
        return preview.rows_beside(inner, &place, rows);
    }
    let mut screen_rows = list.screen_rows(rows);
    if plan.preview > 0 {
        screen_rows.resize_with(rows, ScreenRow::new);
        let key = model
            .display
            .keys
            .rows(model.context())
            .find(|row| row.binding.action == Action::Preview);
        let key = key.map(|row| keys::brief(model.display.words, row, None, false));
        screen_rows.extend(preview.rows_below(plan.preview, &key.unwrap_or_default()));
    }
    screen_rows
}

/// The size of the focused choice's preview.
pub(super) fn preview(model: &Model, card: &Card, columns: usize, rows: usize) -> Page {
    let Some(list) = list(model, card, columns, rows) else {
        return Page::default();
    };
    parts(model, card, &list, columns, rows).preview_page()
}

impl Parts<'_> {
    /// The size of the preview.
    fn preview_page(&self) -> Page {
        let Some(preview) = &self.preview else {
            return Page::default();
        };
        preview.page(match preview.place {
            Place::Beside => self.plan.list,
            Place::Below | Place::Line => self.plan.preview,
        })
    }
}

/// The size of the question and its context.
pub(super) fn prose(model: &Model, card: &Card, columns: usize, rows: usize) -> Page {
    let Some(list) = list(model, card, columns, rows) else {
        return Page::default();
    };
    let parts = parts(model, card, &list, columns, rows);
    let (total, room) = (parts.prose.len(), parts.plan.prose);
    let shown = if total > room && room > 1 {
        room - 1
    } else {
        room
    };
    Page { total, shown }
}

/// The rows above the question.
pub(super) fn top(
    model: &Model,
    card: &Card,
    shows_asker: bool,
    rule: bool,
    tabs: bool,
    columns: usize,
) -> Vec<ScreenRow> {
    let mut screen_rows = Vec::new();
    if shows_asker {
        screen_rows.push(header::asker_row(model, &card.record, columns));
    }
    if rule {
        screen_rows.push(ScreenRow::rule(columns));
    }
    if tabs {
        screen_rows.push(header::tabs(model, card, columns));
    }
    screen_rows
}

/// Fills the screen and appends the bottom: a message, a line, the key hints.
pub(super) fn bottom(
    screen_rows: &mut Vec<ScreenRow>,
    message: Option<ScreenRow>,
    rule: bool,
    hints: Vec<ScreenRow>,
    columns: usize,
    rows: usize,
) {
    let used = screen_rows.len() + usize::from(message.is_some()) + usize::from(rule) + hints.len();
    screen_rows.extend((used..rows).map(|_| ScreenRow::new()));
    screen_rows.extend(message);
    if rule {
        screen_rows.push(ScreenRow::rule(columns));
    }
    screen_rows.extend(hints);
}

/// The message that another surface has filled in the current question, with the key that loads its
/// answer.
fn filled_in_elsewhere(model: &Model, card: &Card) -> Option<String> {
    let other = card.conflict.others.get(card.tab)?.as_ref()?;
    let words = model.display.words;
    let key = key_name(model, card, Action::LoadOther);
    let surface = labels::surface(words, &other.surface);
    let arguments = [
        ("surface", surface.into()),
        ("at", labels::clock(other.at, &model.display.zone).into()),
        ("key", key.into()),
    ];
    let id = if other.is_own {
        "inbox-changed-here"
    } else {
        "inbox-changed-elsewhere"
    };
    Some(words.format(id, &arguments))
}

/// The key that performs an action on a card. Where letters are typed, the key that leaves the
/// field precedes it.
fn key_name(model: &Model, card: &Card, action: Action) -> String {
    let key = super::inbox::key(model, Context::Pick, action);
    if !is_field(card.context()) {
        return key;
    }
    let first = super::inbox::key(model, card.context(), Action::Escape);
    let words = model.display.words;
    words.format(
        "keys-after",
        &[("first", first.into()), ("key", key.into())],
    )
}

/// Whether letters are typed in a context.
fn is_field(context: Context) -> bool {
    matches!(
        context,
        Context::Answering | Context::Other | Context::Note | Context::Filter
    )
}

/// The card's message, if there is one.
pub(super) fn message(model: &Model, card: &Card, columns: usize) -> Option<ScreenRow> {
    let line = |words: &str, role| Some(ScreenRow::indented(1).clipped(words, role, columns));
    if card.sending {
        return line(&model.display.words.say("card-sending"), Role::Warning);
    }
    if let Some(message) = &card.message {
        return line(message, Role::Warning);
    }
    if let Some(said) = labels::filled_in_below_notice(model.display.words, &card.record) {
        return line(&said, Role::Warning);
    }
    if let Some(said) = filled_in_elsewhere(model, card) {
        return line(&said, Role::Warning);
    }
    if !model.connected {
        return line(&model.display.words.say("card-reconnecting"), Role::Warning);
    }
    if card.record.waiters == 0 {
        return line(&model.display.words.say("shared-agent-left"), Role::Warning);
    }
    let earlier = earlier_answer(model, card, columns)?;
    line(&earlier, Role::Warning)
}

/// The offer of the answer to the same ask shortly before, with its key. The answer is cut so that
/// the key is seen.
fn earlier_answer(model: &Model, card: &Card, columns: usize) -> Option<String> {
    let earlier = card.earlier_answer()?;
    let words = model.display.words;
    let answer = labels::earlier_answer(words, &card.record.ask, earlier);
    let ago = words.brief(model.now.since_ms(earlier.at));
    let key = super::inbox::key(model, card.context(), Action::EarlierAnswer);
    let says = |id: &str, answer: &str| {
        let facts = [
            ("ago", ago.as_str().into()),
            ("answer", answer.into()),
            ("key", key.as_str().into()),
        ];
        words.format(id, &facts)
    };
    // The person may have taken the key away.
    if key.is_empty() {
        return Some(says("shared-earlier-answer", &answer));
    }
    let wide = columns.saturating_sub(1 + width(&says("card-earlier-answer", "")));
    if wide < width(&answer).min(LEAST_ANSWER) {
        return Some(says("card-earlier-answer-narrow", &answer));
    }
    let answer = clip(&SafeText::line(&answer), wide, ELLIPSIS);
    Some(says("card-earlier-answer", answer.as_str()))
}

fn list<'a>(model: &Model, card: &'a Card, columns: usize, rows: usize) -> Option<List<'a>> {
    let question = card.question()?;
    let preview = Preview::for_question(model, card, question, (columns, rows));
    let beside = preview.filter(|preview| preview.place == Place::Beside);
    Some(List {
        words: model.display.words,
        question,
        entry: card.form.entries.get(card.tab)?,
        shown: card.shown(),
        focus: card.focus(),
        columns: beside.map_or(columns, |preview| preview.list_columns() - 2),
        rows,
    })
}

fn parts<'a>(
    model: &Model,
    card: &Card,
    list: &List<'a>,
    columns: usize,
    rows: usize,
) -> Parts<'a> {
    let prose = prose_rows(model, card, list, columns);
    let heading = heading(card, list);
    let message = message(model, card, columns);
    let preview = Preview::for_question(model, card, list.question, (columns, rows));
    let preferred = preview
        .as_ref()
        .map_or(0, |preview| preview.preferred_rows(rows));
    let filtered = usize::from(footer_note::filter(model, card, columns).is_some());
    let [
        mut list_least,
        mut list_short,
        mut list_focused,
        mut list_full,
    ] = list
        .preferred_rows_by_detail()
        .map(|preferred| preferred + filtered);
    let beside = matches!(&preview, Some(preview) if preview.place == Place::Beside);
    let mut list_fill = match list.fill() {
        0 => 0,
        rows => rows + filtered,
    };
    if beside {
        // The frame takes two rows; the preview gets the rows that the list leaves.
        list_least += 2;
        list_short = (list_short + 2).max(LEAST_BESIDE);
        list_focused = (list_focused + 2).max(LEAST_BESIDE);
        list_full = (list_full + 2).max(LEAST_BESIDE);
        list_fill = preferred.max(list_fill + 2);
    }
    let overflowing = Facts { overflows: true };
    let needs = CardNeeds {
        tabs: card.has_tabs(),
        heading: heading.is_some(),
        prose: prose.len(),
        list_least,
        list_short,
        list_focused,
        list_full,
        list_fill,
        preview: if beside { 0 } else { preferred },
        note: footer_note::preferred_rows(model, card, columns),
        has_note: !card.note().is_blank() || !card.attachments().is_empty(),
        typing_note: card.typing_note,
        message: message.is_some(),
        hints: hints(model, columns, 2, Facts::default()).len(),
        rows,
    };
    let mut plan = Plan::new(needs);
    if plan.prose < needs.prose || plan.preview < needs.preview {
        // The key that scrolls is one more hint.
        let hints = hints(model, columns, 2, overflowing).len();
        plan = Plan::new(CardNeeds { hints, ..needs });
    }
    Parts {
        preview,
        heading,
        prose,
        message: message.filter(|_| plan.message),
        plan,
    }
}

fn heading(card: &Card, list: &List<'_>) -> Option<String> {
    let title = card.record.ask.title.as_deref();
    let label = list.question.label.as_deref();
    let words: Vec<&str> = [title, label]
        .into_iter()
        .flatten()
        .filter(|words| !words.trim().is_empty())
        .collect();
    (!words.is_empty()).then(|| words.join(" · "))
}

fn prose_rows(model: &Model, card: &Card, list: &List<'_>, columns: usize) -> Vec<ScreenRow> {
    let words = model.display.words;
    let question = list.question;
    let mut screen_rows = markdown::page(&question.text, columns, 1, BaseStyle::Strong, words);
    let mut labels = Vec::new();
    if question.input.is_many() && !question.input.is_empty() {
        let chosen = list.entry.selected_count();
        labels.push(words.format("card-choose-any", &[("chosen", chosen.into())]));
    }
    if !question.required {
        labels.push(words.say("card-optional"));
    }
    for label in labels {
        let label = ScreenRow::new().text(label, Role::Dim);
        match screen_rows.last_mut() {
            Some(last) if last.width() + 2 + label.width() < columns => {
                *last = std::mem::take(last).gap(2).append(label);
            }
            Some(_) | None => screen_rows.push(ScreenRow::indented(1).append(label)),
        }
    }
    if screen_rows.is_empty() {
        screen_rows.push(ScreenRow::new());
    }
    if let Some(context) = card.record.ask.context.as_deref() {
        screen_rows.extend(markdown::page(context, columns, 1, BaseStyle::Dim, words));
    }
    screen_rows
}

/// The given number of rows from the first shown one on. The last row says how many are hidden.
fn visible_prose(
    words: Words,
    prose: Vec<ScreenRow>,
    (rows, columns): (usize, usize),
    top: usize,
    [down, up, read]: [(&'static str, Value<'_>); 3],
) -> Vec<ScreenRow> {
    let total = prose.len();
    if total <= rows || rows < 2 {
        let last = total.saturating_sub(rows.max(1));
        return prose.into_iter().skip(top.min(last)).take(rows).collect();
    }
    let shown = rows - 1;
    let top = top.min(total - shown);
    let mut screen_rows: Vec<ScreenRow> = prose.into_iter().skip(top).take(shown).collect();
    let below = total - top - shown;
    let [above, below_it] = [("above", top.into()), ("below", below.into())];
    let arguments = [above, below_it, down, up, read];
    let words = match (top, below) {
        (0, _) => words.format("card-prose-below", &arguments),
        (_, 0) => words.format("card-prose-above", &arguments),
        (_, _) => words.format("card-prose-both", &arguments),
    };
    screen_rows.push(ScreenRow::indented(1).clipped(words, Role::Dim, columns));
    screen_rows
}
