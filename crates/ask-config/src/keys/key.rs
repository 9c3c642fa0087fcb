//! A key as the table writes it, as the terminal reports it, and as `config.toml` spells it.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::{Action, Edit};

/// A key as the table writes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum KeyPress {
    /// A key alone, or with Shift where that gives another character.
    Key(KeyCode),
    /// A letter with Ctrl.
    Ctrl(char),
    /// A key with Ctrl.
    CtrlKey(KeyCode),
    /// A key with Alt.
    Alt(KeyCode),
    /// Shift and Enter, if the terminal reports both.
    ShiftEnter,
    /// A digit from 1 to this one.
    Digits(u8),
    /// Any character.
    Typed,
    /// Any key at all.
    Any,
}

/// Why a key of `config.toml` is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyError {
    /// There is no such key.
    Unknown,
    /// Terminals send the same bytes for this other key.
    Disguise(&'static str),
    /// Terminals send other keys with the same first bytes.
    Prefix,
    /// It is Ctrl+C, which must leave everything.
    WayOut,
}

/// The names of keys in `config.toml`. The first name of each key is the one that we write.
const NAMES: &[(&str, KeyCode)] = &[
    ("Enter", KeyCode::Enter),
    ("Return", KeyCode::Enter),
    ("CR", KeyCode::Enter),
    ("Esc", KeyCode::Esc),
    ("Escape", KeyCode::Esc),
    ("Tab", KeyCode::Tab),
    ("Space", KeyCode::Char(' ')),
    ("Backspace", KeyCode::Backspace),
    ("BS", KeyCode::Backspace),
    ("Delete", KeyCode::Delete),
    ("Del", KeyCode::Delete),
    ("Insert", KeyCode::Insert),
    ("Home", KeyCode::Home),
    ("End", KeyCode::End),
    ("PgUp", KeyCode::PageUp),
    ("PageUp", KeyCode::PageUp),
    ("PgDn", KeyCode::PageDown),
    ("PageDown", KeyCode::PageDown),
    ("Up", KeyCode::Up),
    ("Down", KeyCode::Down),
    ("Left", KeyCode::Left),
    ("Right", KeyCode::Right),
];

/// Letters for which terminals send another key if Ctrl is held.
const DISGUISES: &[(char, &str)] = &[
    ('m', "Enter"),
    ('i', "Tab"),
    ('[', "Esc"),
    ('h', "Backspace"),
];

impl KeyPress {
    /// The pressed key, if the table can write exactly that key.
    pub(crate) fn from_event(key: KeyEvent) -> Option<Self> {
        let shift = key.modifiers.contains(KeyModifiers::SHIFT);
        let held = key.modifiers.difference(KeyModifiers::SHIFT);
        match (held, key.code) {
            (held, KeyCode::Enter) if held.is_empty() && shift => Some(Self::ShiftEnter),
            // Shift changes only Enter here. For letters the character itself differs.
            (held, code) if held.is_empty() => Some(Self::Key(code)),
            (KeyModifiers::CONTROL, KeyCode::Char(letter)) => Some(Self::Ctrl(letter)),
            (KeyModifiers::CONTROL, code) => Some(Self::CtrlKey(code)),
            (KeyModifiers::ALT, code) => Some(Self::Alt(code)),
            // Some terminals send AltGr as Ctrl and Alt together, and AltGr types characters.
            _ => None,
        }
    }

    /// Whether it matches several keys.
    pub(crate) fn is_loose(self) -> bool {
        match self {
            Self::Digits(_) | Self::Typed | Self::Any => true,
            Self::Key(_) | Self::Ctrl(_) | Self::CtrlKey(_) | Self::Alt(_) | Self::ShiftEnter => {
                false
            }
        }
    }

    /// The action of a key that a loose key press matches, with the digit or character that was
    /// typed.
    pub(crate) fn loosely(self, action: Action, key: KeyEvent) -> Option<Action> {
        let held = key.modifiers.difference(KeyModifiers::SHIFT);
        let alt_gr = KeyModifiers::CONTROL | KeyModifiers::ALT;
        match (self, key.code) {
            (Self::Any, _) => Some(action),
            (Self::Digits(most), KeyCode::Char(digit)) if held.is_empty() => {
                let number = u8::try_from(digit.to_digit(10)?).ok()?;
                (1..=most)
                    .contains(&number)
                    .then_some(Action::Number(number))
            }
            (Self::Typed, KeyCode::Char(typed)) if held.is_empty() || held == alt_gr => {
                match action {
                    Action::Jump(_) => Some(Action::Jump(typed)),
                    _ => Some(Action::Edit(Edit::Insert(typed))),
                }
            }
            _ => None,
        }
    }

    /// Whether it stays on its row whatever is changed: Ctrl+C, and Ctrl+H, which some terminals
    /// send for Backspace.
    pub fn stays(self) -> bool {
        matches!(self, Self::Ctrl('c' | 'h'))
    }

    /// Whether both can match the same key.
    pub(crate) fn overlaps(self, other: Self) -> bool {
        let digit = |press, most| match press {
            Self::Key(KeyCode::Char(key)) => ('1'..='9')
                .take(usize::from(most))
                .any(|digit| digit == key),
            _ => false,
        };
        match (self, other) {
            (Self::Digits(most), press) | (press, Self::Digits(most)) if digit(press, most) => true,
            _ => self == other,
        }
    }

    /// Whether a field would type it.
    pub fn is_typed(self) -> bool {
        matches!(self, Self::Key(KeyCode::Char(_)) | Self::Digits(_))
    }

    /// Parses a key as `config.toml` spells it: `x`, `Ctrl+X`, `Alt+Enter`, `F5`, and as other
    /// programs write it: `ctrl-x`, `<C-x>`, `M-x`.
    pub fn parse(text: &str) -> Result<Self, KeyError> {
        let inner = text
            .strip_prefix('<')
            .and_then(|text| text.strip_suffix('>'));
        let mut rest = inner.filter(|inner| !inner.is_empty()).unwrap_or(text);
        let (mut ctrl, mut alt, mut shift) = (false, false, false);
        while let Some((held, key)) = rest
            .split_once(['+', '-'])
            .filter(|(_, key)| !key.is_empty())
        {
            match held.to_ascii_lowercase().as_str() {
                "ctrl" | "control" | "c" => ctrl = true,
                "alt" | "meta" | "option" | "m" | "a" => alt = true,
                "shift" | "s" => shift = true,
                _ => return Err(KeyError::Unknown),
            }
            rest = key;
        }
        let code = code(rest).ok_or(KeyError::Unknown)?;
        match (ctrl, alt, shift, code) {
            (false, false, false, code) => Ok(Self::Key(code)),
            (false, false, true, KeyCode::Enter) => Ok(Self::ShiftEnter),
            (false, false, true, KeyCode::Tab) => Ok(Self::Key(KeyCode::BackTab)),
            (false, _, true, KeyCode::Char(letter)) if letter.is_alphabetic() => {
                let key = KeyCode::Char(upper(letter));
                Ok(if alt { Self::Alt(key) } else { Self::Key(key) })
            }
            (true, false, false, KeyCode::Char(letter)) => with_ctrl(letter),
            (true, false, true, KeyCode::Char(letter)) if letter.is_alphabetic() => {
                Ok(Self::Ctrl(upper(letter)))
            }
            (true, false, false, KeyCode::Enter | KeyCode::Tab | KeyCode::Esc) => {
                Err(KeyError::Unknown)
            }
            (true, false, false, code) => Ok(Self::CtrlKey(code)),
            (false, true, false, KeyCode::Char('[' | 'O')) => Err(KeyError::Prefix),
            (false, true, false, code) => Ok(Self::Alt(code)),
            _ => Err(KeyError::Unknown),
        }
    }

    /// Its spelling in `config.toml`.
    pub(crate) fn spelled(self) -> String {
        match self {
            Self::Key(KeyCode::BackTab) => "Shift+Tab".to_owned(),
            Self::Key(code) => spelled(code),
            Self::Ctrl(letter) if letter.is_uppercase() => format!("Ctrl+Shift+{letter}"),
            Self::Ctrl(letter) => format!("Ctrl+{}", spelled(KeyCode::Char(upper(letter)))),
            Self::CtrlKey(code) => format!("Ctrl+{}", spelled(code)),
            Self::Alt(code) => format!("Alt+{}", spelled(code)),
            Self::ShiftEnter => "Shift+Enter".to_owned(),
            Self::Digits(_) => DIGITS.to_owned(),
            Self::Typed | Self::Any => String::new(),
        }
    }
}

/// The spelling of all digits together in `config.toml`.
pub(crate) const DIGITS: &str = "1-9";

fn with_ctrl(letter: char) -> Result<KeyPress, KeyError> {
    let letter = letter.to_ascii_lowercase();
    if let Some((_, name)) = DISGUISES.iter().find(|(disguise, _)| *disguise == letter) {
        return Err(KeyError::Disguise(name));
    }
    match letter {
        'c' => Err(KeyError::WayOut),
        'a'..='z' | ' ' | '_' | '/' | '7' | '\\' | ']' | '^' | '@' => Ok(KeyPress::Ctrl(letter)),
        // For Ctrl with any other character, terminals send nothing or another key.
        _ => Err(KeyError::Unknown),
    }
}

fn code(name: &str) -> Option<KeyCode> {
    let mut letters = name.chars();
    if let (Some(letter), None) = (letters.next(), letters.next()) {
        return (!letter.is_control()).then_some(KeyCode::Char(letter));
    }
    if let Some(number) = name.strip_prefix(['F', 'f']).map(str::parse) {
        return number
            .ok()
            .filter(|number| (1..=12).contains(number))
            .map(KeyCode::F);
    }
    let named = NAMES
        .iter()
        .find(|(known, _)| known.eq_ignore_ascii_case(name));
    named.map(|(_, code)| *code)
}

fn spelled(code: KeyCode) -> String {
    match code {
        KeyCode::F(number) => format!("F{number}"),
        KeyCode::Char(letter) if letter != ' ' => letter.to_string(),
        code => {
            let named = NAMES.iter().find(|(_, known)| *known == code);
            named.map_or_else(String::new, |(name, _)| (*name).to_owned())
        }
    }
}

fn upper(letter: char) -> char {
    let mut upper = letter.to_uppercase();
    match (upper.next(), upper.next()) {
        (Some(upper), None) => upper,
        _ => letter,
    }
}
