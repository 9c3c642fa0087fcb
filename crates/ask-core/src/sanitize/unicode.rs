//! Which characters are shown, which never are, and which only next to others.

/// What a character is when text is painted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CharClass {
    /// Never shown in any place.
    Forbidden,
    /// White space within a line.
    Space,
    /// Joins or separates its neighbours (ZWJ, ZWNJ).
    Joiner,
    /// Chooses a variant of the character before it.
    Selector,
    /// Any other, visible character.
    Visible,
}

/// Classifies a character. Line breaks and tabs are handled before.
pub(super) fn kind(character: char) -> CharClass {
    match character {
        '!'..='~' => CharClass::Visible,
        '\u{200c}' | '\u{200d}' => CharClass::Joiner,
        '\u{fe00}'..='\u{fe0f}' | '\u{e0100}'..='\u{e01ef}' | '\u{180b}'..='\u{180d}' => {
            CharClass::Selector
        }
        _ if is_forbidden(character) => CharClass::Forbidden,
        '\u{2800}' => CharClass::Space,
        _ if character.is_whitespace() => CharClass::Space,
        _ => CharClass::Visible,
    }
}

fn is_forbidden(character: char) -> bool {
    character.is_control()
        || matches!(character,
            // Turns the direction of text.
            '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
            // Invisible, without a use in running text.
            | '\u{ad}' | '\u{34f}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
            | '\u{180e}' | '\u{180f}' | '\u{200b}' | '\u{2060}'..='\u{2065}'
            | '\u{206a}'..='\u{206f}' | '\u{3164}' | '\u{feff}' | '\u{ffa0}'
            | '\u{fff0}'..='\u{fffb}' | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}'
            | '\u{2d7f}' | '\u{13430}'..='\u{1343f}' | '\u{16fe4}' | '\u{1d159}'
            | '\u{2028}' | '\u{2029}'
            // Tags and the rest of their block.
            | '\u{e0000}'..='\u{e0fff}'
            // Reserved for ever.
            | '\u{fdd0}'..='\u{fdef}')
        || u32::from(character) & 0xfffe == 0xfffe
}

/// Whether a selector has a use after this character.
pub(super) fn selects(base: char, selector: char) -> bool {
    match selector {
        '\u{fe0e}' | '\u{fe0f}' => {
            is_pictorial(base)
                || matches!(
                    base,
                    '0'..='9' | '#' | '*' | '©' | '®' | '‼' | '⁉' | '™' | 'ℹ'
                )
        }
        '\u{180b}'..='\u{180d}' => matches!(base, '\u{1820}'..='\u{18aa}'),
        '\u{e0100}'..='\u{e01ef}' => is_ideograph(base),
        _ => {
            is_ideograph(base)
                || matches!(base, '\u{1000}'..='\u{109f}' | '\u{2200}'..='\u{22ff}'
            | '\u{2a00}'..='\u{2aff}' | '\u{3000}'..='\u{303f}' | '\u{a840}'..='\u{a87f}' | '\u{ff00}'..='\u{ff60}')
        }
    }
}

/// Whether a joiner has a use between these two.
pub(super) fn joins(before: char, joiner: char, after: char) -> bool {
    let pictures = joiner == '\u{200d}'
        && (is_pictorial(before) || before == '\u{fe0f}')
        && is_pictorial(after);
    pictures || (is_shaping(before) && is_shaping(after))
}

fn is_pictorial(character: char) -> bool {
    matches!(character,
        '\u{2190}'..='\u{21ff}' | '\u{2300}'..='\u{23ff}' | '\u{2460}'..='\u{24ff}'
        | '\u{25a0}'..='\u{27bf}' | '\u{2900}'..='\u{297f}' | '\u{2b00}'..='\u{2bff}'
        | '\u{3030}' | '\u{303d}' | '\u{3297}' | '\u{3299}' | '\u{1f000}'..='\u{1faff}')
}

fn is_ideograph(character: char) -> bool {
    matches!(character,
        '\u{2e80}'..='\u{2fdf}' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}'
        | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3fffd}')
}

/// Scripts whose letters change shape next to a joiner.
fn is_shaping(character: char) -> bool {
    matches!(character,
        '\u{600}'..='\u{8ff}' | '\u{900}'..='\u{dff}' | '\u{f00}'..='\u{109f}'
        | '\u{1700}'..='\u{18af}' | '\u{1900}'..='\u{1aaf}' | '\u{1b00}'..='\u{1c4f}'
        | '\u{a800}'..='\u{aaff}' | '\u{abc0}'..='\u{abff}' | '\u{fb1d}'..='\u{fdcf}'
        | '\u{fdf0}'..='\u{fdff}' | '\u{fe70}'..='\u{fefc}' | '\u{10800}'..='\u{10fff}'
        | '\u{11000}'..='\u{11fff}' | '\u{1e900}'..='\u{1e95f}')
}
