//! The keys of a card while nothing is typed: those of a question's rows, of a text question at
//! rest, and of every tab, including the review.

use crossterm::event::KeyCode::{
    BackTab, Backspace, Char, Down, End, Enter, Esc, Home, Left, PageDown, PageUp, Right, Tab, Up,
};

use super::{fixed, row};
use crate::keys::KeyPress::{Alt, Ctrl, Digits, Key, Typed};
use crate::keys::{Action, Binding, Context, FooterPriority, Move, Only, ReplaceText};

const LISTS: &[Context] = &[Context::Pick, Context::Tick, Context::Confirm];
const CARD: &[Context] = &[
    Context::Pick,
    Context::Tick,
    Context::Confirm,
    Context::Rest,
    Context::Review,
];
const ASKED: &[Context] = &[
    Context::Pick,
    Context::Tick,
    Context::Confirm,
    Context::Rest,
];
const REST: &[Context] = &[Context::Rest];
/// Where there is a field.
const TYPED: &[Context] = &[
    Context::Pick,
    Context::Tick,
    Context::Confirm,
    Context::Rest,
];

/// The rows. The first one that has a key wins.
#[rustfmt::skip]
pub(super) static ROWS: &[Binding] = &[
    // The rows of a question.
    row("up", LISTS, &[Key(Up), Key(Char('k')), Ctrl('p')], Action::Move(Move::Up), "", "", Only::Help),
    row("down", LISTS, &[Key(Down), Key(Char('j')), Ctrl('n')], Action::Move(Move::Down), "keys-select", "keys-select", Only::Always).paired_with("up").yielding(FooterPriority::Narrow(4)),
    row("number", &[Context::Pick], &[Digits(9)], Action::Number(0), "keys-quick-select", "keys-quick-select-short", Only::Always).yielding(FooterPriority::Narrow(3)),
    row("yes", &[Context::Confirm], &[Key(Char('y'))], Action::Yes, "keys-yes", "keys-yes", Only::Always),
    row("no", &[Context::Confirm], &[Key(Char('n'))], Action::No, "keys-no", "keys-no", Only::Always),
    row("number", &[Context::Confirm], &[Digits(9)], Action::Number(0), "keys-quick-confirm", "", Only::Help),
    row("mark", &[Context::Tick], &[Key(Char(' '))], Action::Mark, "keys-toggle", "keys-toggle", Only::Always),
    row("number", &[Context::Tick], &[Digits(9)], Action::Number(0), "keys-quick-toggle", "", Only::Always),
    row("mark", &[Context::Pick, Context::Confirm], &[Key(Char(' '))], Action::Mark, "keys-mark", "", Only::Help),
    row("other", LISTS, &[Key(Char('0'))], Action::Other, "keys-other", "", Only::Always),
    row("enter", &[Context::Pick, Context::Confirm], &[Key(Enter)], Action::Enter, "keys-confirm-go", "keys-go-short", Only::Always),
    row("enter", &[Context::Tick], &[Key(Enter)], Action::Enter, "keys-go", "keys-go-short", Only::Always),
    row("first", LISTS, &[Key(Home), Key(Char('g'))], Action::Move(Move::First), "", "", Only::Help),
    row("last", LISTS, &[Key(End), Key(Char('G'))], Action::Move(Move::Last), "keys-first-last-row", "", Only::Help).paired_with("first"),

    row("filter", &[Context::Pick, Context::Tick], &[Key(Char('/'))], Action::Filter, "keys-filter", "", Only::Many),
    row("recommended", &[Context::Pick, Context::Tick], &[Key(Char('r'))], Action::Recommended, "keys-recommended", "", Only::Recommended),

    // A text question whose field was left.
    row("type", REST, &[Key(Char('0')), Key(Up), Key(Down), Key(Char('k')), Key(Char('j')), Key(Char(' '))],
        Action::Other, "keys-type", "keys-type", Only::Always).showing(3),
    row("enter", REST, &[Key(Enter)], Action::Enter, "keys-go", "keys-go-short", Only::Always),
    row("editor", TYPED, &[Ctrl('g')], Action::ReplaceText(ReplaceText::Editor), "keys-editor", "", Only::Help),

    fixed(TYPED, &[Typed], Action::Jump(' '), "keys-jump", "", Only::Jump),

    // Any tab.
    row("previous-tab", CARD, &[Key(BackTab), Key(Left)], Action::TabBack, "", "", Only::Help),
    row("next-tab", CARD, &[Key(Tab), Key(Right)], Action::TabNext, "keys-switch-tab", "keys-switch-tab-short", Only::Tabs).showing(2).paired_with("previous-tab"),
    row("note", &[Context::Pick, Context::Tick, Context::Rest], &[Key(Char('n'))], Action::Note, "keys-note", "keys-note", Only::Always),
    row("note-confirm", &[Context::Confirm], &[Key(Char('N'))], Action::Note, "keys-note", "", Only::Always),
    row("attach-copied", ASKED, &[Ctrl('v')], Action::AttachCopied, "keys-attach-copied", "", Only::Help),
    row("attach", ASKED, &[Key(Char('a'))], Action::Attach, "keys-attach-path", "", Only::Help),
    row("detach", ASKED, &[Key(Backspace)], Action::Detach, "keys-detach", "", Only::Help),
    row("page-up", CARD, &[Key(PageUp), Ctrl('u')], Action::Move(Move::PageUp), "", "", Only::Help),
    row("page-down", CARD, &[Key(PageDown), Ctrl('d')], Action::Move(Move::PageDown), "keys-scroll", "", Only::Overflow).paired_with("page-up"),
    row("read", CARD, &[Key(Char('i'))], Action::Read, "keys-read-all", "keys-read-all-short", Only::Overflow),
    row("preview", LISTS, &[Key(Char('p'))], Action::Preview, "keys-preview", "keys-preview-short", Only::Previewed),
    row("ask-back", CARD, &[Key(Char('c'))], Action::AskBack, "keys-ask-back", "", Only::Always),
    row("decline", CARD, &[Key(Char('x'))], Action::Decline, "keys-decline", "", Only::Always),
    row("snooze", CARD, &[Key(Char('s'))], Action::Snooze, "keys-snooze", "", Only::Always),
    row("more-time", CARD, &[Key(Char('+'))], Action::MoreTime, "keys-more-time", "", Only::Timed),
    row("take-back", CARD, &[Key(Char('z')), Alt(Char('z'))], Action::TakeBack, "keys-take-back", "keys-take-back", Only::Held),
    row("load-other", CARD, &[Key(Char('l'))], Action::LoadOther, "keys-load-other", "keys-load-other-short", Only::Elsewhere),
    row("all-recommended", CARD, &[Key(Char('R'))], Action::AllRecommended, "keys-all-recommended", "", Only::Recommending),
    row("earlier-answer", CARD, &[Alt(Char('u'))], Action::EarlierAnswer, "keys-earlier-answer", "", Only::EarlierAnswer).yielding(FooterPriority::First),
    row("copy", CARD, &[Ctrl('y')], Action::Copy, "keys-copy-question", "", Only::Help),
    row("previous-ask", CARD, &[Key(Char('['))], Action::PastAsk, "", "", Only::Help),
    row("next-ask", CARD, &[Key(Char(']'))], Action::NextAsk, "keys-other-asks", "", Only::Asks).paired_with("previous-ask"),
    row("help", CARD, &[Key(Char('?'))], Action::Help, "keys-help", "keys-help-short", Only::Always),
    row("leave", CARD, &[Key(Esc)], Action::Escape, "keys-escape", "keys-escape-short", Only::Always),
    row("park", CARD, &[Key(Char('q'))], Action::Quit, "keys-leave-waiting", "", Only::Help),
    fixed(CARD, &[Ctrl('c')], Action::Interrupt, "keys-interrupt-card", "", Only::Help),
];
