//! Agents' Markdown as rows of the screen. Recently wrapped texts are cached, so that a key press
//! doesn't parse a long text again.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;

use ask_config::i18n::{Language, Words};
use ask_core::markdown::Document;

use crate::tui::row::ScreenRow;
use crate::tui::style::Role;
use crate::ui::markdown::{TextKind, TextStyle, WrappedLine, rows};

/// The most texts in the cache: more than one screen shows.
const CACHED_TEXTS: usize = 64;
/// The most bytes of text in the cache.
const CACHED_BYTES: usize = 1 << 20;

thread_local! {
    static CACHE: RefCell<VecDeque<CachedText>> = const { RefCell::new(VecDeque::new()) };
}

struct CachedText {
    text: String,
    columns: usize,
    language: Language,
    rows: Rc<[WrappedLine]>,
}

/// The style of a text outside its Markdown styles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BaseStyle {
    /// The style of a question.
    Strong,
    Text,
    Dim,
}

/// A text wrapped to a width. It is parsed once for each width and language while it stays in the
/// cache.
pub(super) fn wrapped(text: &str, columns: usize, words: Words) -> Rc<[WrappedLine]> {
    let language = words.language();
    let is_same = |cached: &CachedText| {
        cached.columns == columns && cached.language == language && cached.text == text
    };
    CACHE.with_borrow_mut(|cache| {
        if let Some(cached) = cache.iter().find(|cached| is_same(cached)) {
            return Rc::clone(&cached.rows);
        }
        let rows: Rc<[WrappedLine]> = rows(&Document::read(text), columns, words).into();
        let mut bytes = text.len();
        let kept = cache.iter().take(CACHED_TEXTS - 1).take_while(|cached| {
            bytes += cached.text.len();
            bytes <= CACHED_BYTES
        });
        let kept = kept.count();
        cache.truncate(kept);
        cache.push_front(CachedText {
            text: text.to_owned(),
            columns,
            language,
            rows: Rc::clone(&rows),
        });
        rows
    })
}

/// Converts wrapped rows to rows of the screen, indented.
pub(super) fn screen_rows<'a>(
    rows: impl IntoIterator<Item = &'a WrappedLine>,
    indent: usize,
    base: BaseStyle,
) -> impl Iterator<Item = ScreenRow> {
    rows.into_iter().map(move |row| {
        let screen_row = ScreenRow::indented(indent + row.indent);
        row.pieces
            .iter()
            .fold(screen_row, |screen_row, (words, style)| {
                screen_row.safe_text(words.clone(), role(*style, base))
            })
    })
}

/// A text as rows of the screen.
pub(super) fn page(
    text: &str,
    columns: usize,
    indent: usize,
    base: BaseStyle,
    words: Words,
) -> Vec<ScreenRow> {
    let room = columns.saturating_sub(indent + 1).max(1);
    screen_rows(wrapped(text, room, words).iter(), indent, base).collect()
}

fn role(style: TextStyle, base: BaseStyle) -> Role {
    let plain = match base {
        BaseStyle::Strong => Role::Strong,
        BaseStyle::Text => Role::Text,
        BaseStyle::Dim => Role::Dim,
    };
    if style == TextStyle::default() {
        return plain;
    }
    let strong = style.strong || (base == BaseStyle::Strong && style.kind != TextKind::Mark);
    Role::Prose {
        style: TextStyle { strong, ..style },
        dim: base == BaseStyle::Dim,
    }
}
