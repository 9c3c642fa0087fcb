//! Keys on a card: rows, tabs, the field of an answer, the review, and leaving.

use ask_config::keys::{Action, Context, Edit, Move};
use ask_core::{Record, Time};
use ask_protocol::ipc::Verdict;

use super::{
    Effect, INTERRUPT_MS, attach, clipboard, leave_waiting, notes, open, quit, save_draft, submit,
    typing,
};
use crate::tui::model::filter::Filter;
use crate::tui::model::{AfterConfirm, Card, Model, Overlay, Purpose, SAVE_MS};
use crate::tui::view;

/// An Esc this soon after the one that left a field is an accident.
const REFLEX_MS: u64 = 250;

/// How long after Esc has left a field or a dialog Enter is ignored, in milliseconds.
const SPLIT_KEY_MS: u64 = 500;

/// Notes that Esc has left a field or a dialog.
pub(super) fn ignore_split_enter(card: &mut Card, now: Time) {
    card.ignores_enter_until = Some(now.plus_ms(SPLIT_KEY_MS));
}

/// Handles a key on a card.
pub(super) fn handle_action(
    model: &mut Model,
    context: Context,
    action: Action,
    effects: &mut Vec<Effect>,
) {
    let (now, cancels) = (model.now, model.esc_cancels());
    let Some(card) = model.card_mut() else { return };
    let is_guarded = is_answer(context, action) || is_closing(action, cancels);
    if card.sending || (is_guarded && card.ignores_key(now)) {
        return;
    }
    card.message = None;
    let confirming_none = card.confirming_none.take();
    // Any key in between makes the next Esc a deliberate one.
    let left_field_at = card.left_field_at.take();
    let is_reflex = left_field_at.is_some_and(|at| now.since_ms(at) < REFLEX_MS);
    let until = card.ignores_enter_until.take();
    let is_split = until.is_some_and(|until| now < until);
    let in_field = matches!(context, Context::Answering | Context::Other | Context::Note);
    let is_blank = !card.typing_note && card.field().is_some_and(|field| field.text().is_empty());
    match action {
        Action::Move(to) if in_field => move_in_field(model, context, to, effects),
        Action::Move(to) if context == Context::Filter && !matches!(to, Move::Up | Move::Down) => {
            typing::move_caret(model, to);
        }
        Action::Move(to) => move_cursor(model, to),
        Action::Edit(Edit::Erase) if in_field && is_blank => {
            attach::detach(model, effects);
        }
        Action::Edit(edit) => typing::edit(model, edit),
        Action::AttachCopied | Action::Attach | Action::Detach => {
            attach::handle_action(model, action, effects)
        }
        Action::TabNext => switch_tab(model, 1, effects),
        Action::TabBack => switch_tab(model, -1, effects),
        Action::Number(number) => choose_number(model, usize::from(number), effects),
        Action::Other => start_typing(card),
        Action::Jump(typed) => {
            start_typing(card);
            typing::edit(model, Edit::Insert(typed));
        }
        Action::Mark => mark_row(model),
        Action::Yes => mark(card, 0, now),
        Action::No => mark(card, 1, now),
        Action::Enter if is_split => {}
        Action::Enter => {
            card.confirming_none = confirming_none;
            submit::enter(model, context, effects);
        }
        Action::Escape => {
            if !is_reflex {
                escape(model, context, effects);
            }
        }
        Action::Interrupt => interrupt(model, context, effects),
        Action::Note => notes::start_note(model),
        Action::Filter => notes::start_filter(model),
        Action::Recommended => notes::mark_recommended(model),
        Action::AllRecommended => notes::mark_all_recommended(model, effects),
        Action::EarlierAnswer => notes::earlier_answer(model, effects),
        Action::Copy => clipboard::question(model, effects),
        Action::Export => clipboard::answers(model, effects),
        // Handled by the dialog that Ctrl+C opens.
        Action::HandBack => {}
        Action::Read => {
            let id = card.record.id.clone();
            model.overlay = Some(Overlay::Reader { id, top: 0 });
        }
        Action::Preview => {
            if card.has_preview() {
                let top = 0;
                model.overlay = Some(Overlay::Preview { top });
            }
        }
        Action::Decline => {
            let id = card.record.id.clone();
            model.open_text_dialog(id, Purpose::Reason);
        }
        Action::AskBack => {
            let id = card.record.id.clone();
            model.open_text_dialog(id, Purpose::AskBack);
        }
        Action::NextAsk => open_neighbour(model, 1, effects),
        Action::PastAsk => open_neighbour(model, -1, effects),
        Action::Quit | Action::Leave => leave_waiting(model, effects),
        Action::Snooze
        | Action::MoreTime
        | Action::LoadOther
        | Action::TakeBack
        | Action::Mute
        | Action::PageLink
        | Action::Sessions
        | Action::Redraw
        | Action::Help
        | Action::ShowDraft
        | Action::Close
        | Action::History(_)
        | Action::Suspend
        | Action::ReplaceText(_) => {}
    }
}

/// Leaves the field for own text. The text becomes the answer if it isn't blank.
pub(super) fn leave_field(model: &mut Model, effects: &mut Vec<Effect>) {
    let Some(card) = model.card_mut() else { return };
    let (tab, entry) = (card.tab, card.entry());
    if let Some(entry) = entry {
        if !entry.field.is_blank() {
            entry.use_own_text();
        }
        if entry.is_long() {
            let then = AfterConfirm::LeaveField;
            model.overlay = Some(Overlay::Long {
                question: tab,
                then,
            });
            return;
        }
    }
    stop_typing(card);
    save_draft(model, effects);
}

/// Shows a tab and saves what was typed on the one before.
pub(super) fn show_tab(model: &mut Model, tab: usize, effects: &mut Vec<Effect>) {
    save_draft(model, effects);
    let Some(card) = model.card_mut() else { return };
    stop_typing(card);
    card.tab = tab;
    card.prose_top = 0;
    match (
        card.record.ask.questions.get(tab),
        card.focuses.get_mut(tab),
    ) {
        (Some(question), Some(focus)) => focus.typing = question.input.is_empty(),
        (Some(_) | None, _) => {
            // The first button is the safe one, or the only one.
            card.review_row = card.record.ask.questions.len();
        }
    }
}

/// Whether a key answers. Such keys are ignored until the guard ends.
fn is_answer(context: Context, action: Action) -> bool {
    matches!(
        action,
        Action::Number(_)
            | Action::Jump(_)
            | Action::Mark
            | Action::Enter
            | Action::Yes
            | Action::No
            | Action::Recommended
            | Action::AllRecommended
            | Action::EarlierAnswer
    ) || (action == Action::Other && context != Context::Rest)
}

/// Whether a key closes the ask or opens a dialog that closes it with one Enter. Such keys are
/// ignored until the guard ends.
fn is_closing(action: Action, cancels: bool) -> bool {
    matches!(action, Action::Decline | Action::AskBack) || (action == Action::Escape && cancels)
}

fn move_in_field(model: &mut Model, context: Context, to: Move, effects: &mut Vec<Effect>) {
    let moved = typing::move_caret(model, to);
    if !moved && context == Context::Answering {
        return typing::walk_earlier_answers(model, to, effects);
    }
    if !moved
        && to == Move::Up
        && context == Context::Other
        && let Some(card) = model.card_mut()
    {
        stop_typing(card);
    }
}

fn move_cursor(model: &mut Model, to: Move) {
    let page = view::prose_page(model);
    let preview = view::preview_page(model);
    let Some(card) = model.card_mut() else { return };
    let (row, rows) = match card.question() {
        Some(question) if question.input.is_empty() => (0, 1),
        Some(_) => {
            let (row, shown) = (card.focus().row, card.shown());
            let at = shown.iter().position(|&at| at == row);
            (at.unwrap_or(shown.len()), shown.len() + 1)
        }
        None => (
            card.review_row,
            card.record.ask.questions.len() + card.buttons().len(),
        ),
    };
    let target = match to {
        Move::Up => row.checked_sub(1).unwrap_or(rows - 1),
        Move::Down => (row + 1) % rows,
        Move::First => 0,
        Move::Last => rows - 1,
        // The preview belongs to the focused choice, so it scrolls before the question.
        Move::PageUp if preview.shown > 0 && card.preview_top() > 0 => {
            let top = card.preview_top().saturating_sub(preview.shown.max(1));
            return card.scroll_preview(top);
        }
        Move::PageDown
            if preview.shown > 0 && card.preview_top() + preview.shown < preview.total =>
        {
            let end = preview.total - preview.shown;
            return card.scroll_preview((card.preview_top() + preview.shown.max(1)).min(end));
        }
        Move::PageUp => {
            card.prose_top = card.prose_top.saturating_sub(page.shown.max(1));
            return;
        }
        Move::PageDown => {
            let end = page.total.saturating_sub(page.shown);
            card.prose_top = (card.prose_top + page.shown.max(1)).min(end);
            return;
        }
    };
    if card.is_on_review() {
        card.review_row = target;
        return;
    }
    let offered = card.question().map_or(0, |question| question.input.len());
    let row = card.shown().get(target).copied().unwrap_or(offered);
    if let Some(focus) = card.focuses.get_mut(card.tab) {
        focus.row = row;
    }
}

fn choose_number(model: &mut Model, number: usize, effects: &mut Vec<Effect>) {
    let (now, sends) = (model.now, model.display.settings.digit_sends);
    let Some(card) = model.card_mut() else { return };
    let Some(question) = card.question() else {
        if number <= card.record.ask.questions.len() {
            show_tab(model, number - 1, effects);
        }
        return;
    };
    let (offered, many) = (question.input.len(), question.input.is_many());
    let shown = card.shown();
    // The number behind the last choice opens the field for own text, unless a filter renumbers the
    // rows.
    if number == offered + 1 && shown.len() == offered {
        start_typing(card);
    } else if let Some(&pick) = shown.get(number - 1) {
        mark(card, pick, now);
        if !many && card.has_tabs() {
            let tab = card.next_unanswered().unwrap_or(card.tabs() - 1);
            show_tab(model, tab, effects);
        } else if !many && sends {
            submit::advance(model, effects);
        }
    }
}

/// Marks a choice of the current question and focuses it.
pub(super) fn mark(card: &mut Card, pick: usize, now: Time) {
    if let Some(focus) = card.focuses.get_mut(card.tab) {
        focus.row = pick;
    }
    if let Some(entry) = card.entry() {
        entry.pick(pick);
        card.save_at = Some(now.plus_ms(SAVE_MS));
    }
}

fn mark_row(model: &mut Model) {
    let now = model.now;
    let Some(card) = model.card_mut() else { return };
    let row = card.focus().row;
    let offered = card.question().map_or(0, |question| question.input.len());
    if row < offered {
        mark(card, row, now);
    } else if card.entry().is_some_and(|entry| !entry.toggle_own()) {
        start_typing(card);
    } else {
        card.save_at = Some(now.plus_ms(SAVE_MS));
    }
}

/// Focuses the field of the current question.
pub(super) fn start_typing(card: &mut Card) {
    let tab = card.tab;
    if let (Some(question), Some(focus)) = (
        card.record.ask.questions.get(tab),
        card.focuses.get_mut(tab),
    ) {
        focus.row = question.input.len();
        focus.typing = true;
    }
}

/// Ends typing on the current tab. The text is kept.
pub(super) fn stop_typing(card: &mut Card) {
    card.typing_note = false;
    if let Some(filter) = card.filters.get_mut(card.tab) {
        filter.typing = false;
    }
    if let Some(focus) = card.focuses.get_mut(card.tab) {
        focus.typing = false;
    }
}

fn switch_tab(model: &mut Model, by: isize, effects: &mut Vec<Effect>) {
    let Some(card) = model.card() else { return };
    let tabs = card.tabs();
    if tabs > 1 {
        let tab = (card.tab + tabs).saturating_add_signed(by) % tabs;
        show_tab(model, tab, effects);
    }
}

fn escape(model: &mut Model, context: Context, effects: &mut Vec<Effect>) {
    let (now, cancels) = (model.now, model.esc_cancels());
    let Some(card) = model.card_mut() else { return };
    let untouched = !card.is_touched();
    let leaves_field = matches!(context, Context::Other | Context::Note | Context::Filter)
        || (context == Context::Answering && (!untouched || card.was_changed_elsewhere()));
    if context == Context::Filter {
        notes::clear_filter(card);
    }
    if leaves_field {
        card.left_field_at = Some(now);
        ignore_split_enter(card, now);
        stop_typing(card);
        return save_draft(model, effects);
    }
    if card.filter().is_some_and(Filter::is_on) {
        return notes::clear_filter(card);
    }
    // An ask whose deadline has passed has no caller to whom cancelling would be reported.
    if !cancels || !card.record.is_open() {
        leave_waiting(model, effects);
    } else if untouched {
        let id = card.record.id.clone();
        card.sending = true;
        let verdict = Verdict::Decline { reason: None };
        effects.push(Effect::Settle {
            id,
            verdict,
            hold: false,
        });
    } else {
        model.overlay = Some(Overlay::Discard { row: 0 });
    }
}

fn interrupt(model: &mut Model, context: Context, effects: &mut Vec<Effect>) {
    let is_second = model
        .interrupted_until
        .is_some_and(|until| model.now < until);
    model.interrupted_until = Some(model.now.plus_ms(INTERRUPT_MS));
    if is_second {
        quit(model, effects);
    } else if matches!(
        context,
        Context::Answering | Context::Other | Context::Note | Context::Filter
    ) {
        if let Some(card) = model.card_mut() {
            stop_typing(card);
        }
        save_draft(model, effects);
    } else {
        model.overlay = Some(Overlay::Discard { row: 0 });
    }
}

fn open_neighbour(model: &mut Model, by: isize, effects: &mut Vec<Effect>) {
    let Some(card) = model.card().filter(|_| !model.is_one_shot()) else {
        return;
    };
    let waiting: Vec<Record> = model.waiting().cloned().collect();
    let current = waiting
        .iter()
        .position(|record| record.id == card.record.id);
    if let (Some(current), true) = (current, waiting.len() > 1) {
        let target = (current + waiting.len()).saturating_add_signed(by) % waiting.len();
        open(model, &waiting[target], effects);
    }
}
