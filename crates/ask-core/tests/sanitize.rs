//! What agents' text can't do to a terminal or a reader.

use ask_core::SafeText;
use proptest::prelude::{any, prop, prop_assert, prop_assert_eq, prop_oneof, proptest};
use proptest::strategy::{Just, Strategy};

fn line(text: &str) -> String {
    SafeText::line(text).to_string()
}

fn block(text: &str) -> String {
    SafeText::block(text).to_string()
}

#[test]
fn sequences_are_removed_whole() {
    for sequence in [
        "\u{1b}[31m",
        "\u{1b}[38;2;1;2;3m",
        "\u{1b}[?25l",
        "\u{1b}]0;title\u{7}",
        "\u{1b}]8;;https://example.org\u{1b}\\",
        "\u{1b}]8;;https://example.org\u{9c}",
        "\u{1b}P1$r0m\u{1b}\\",
        "\u{1b}P0;1|\nlines\n\u{1b}\\",
        "\u{1b}^private\u{1b}\\",
        "\u{1b}_Gf=100;AAAA\u{1b}\\",
        "\u{1b}Xstring\u{1b}\\",
        "\u{9b}31m",
        "\u{9d}0;title\u{7}",
        "\u{90}q#0\u{9c}",
        "\u{1b}(B",
        "\u{1b} F",
        "\u{1b}c",
        "\u{1b}7",
        "\u{1b}\u{1b}[1m",
        "\u{7}\u{8}\u{7f}\u{0}\u{80}\u{9f}",
    ] {
        assert_eq!(line(&format!("a{sequence}b")), "ab", "{sequence:?}");
    }
}

#[test]
fn a_sequence_without_an_end_hides_nothing() {
    assert_eq!(line("a\u{1b}]0;no end\u{1b}[1mb"), "a0;no endb");
    assert_eq!(line("a\u{9d}0;no end"), "a0;no end");
    assert_eq!(line("a\u{1b}[12;"), "a");
    assert_eq!(line("a\u{1b}[12é"), "aé");
    assert_eq!(line("a\u{1b}é\u{1b}"), "aé");
}

#[test]
fn line_breaks_and_spaces_are_normalized() {
    assert_eq!(block("a\r\nb\rc\u{2028}d\u{85}e"), "a\nb\nc\nd\ne");
    assert_eq!(line("\na\r\n\r\nb\n"), "a b");
    assert_eq!(line("a \n b"), "a  b");
    assert_eq!(block("\tif\tx"), "    if    x");
    assert_eq!(block("a\n\n \n\t\n\n\nb"), "a\n\n\nb");
    assert_eq!(block("hard break  \nnext"), "hard break  \nnext");
    assert_eq!(block(&" ".repeat(500)).len(), 64);
    assert_eq!(block("  indented\n"), "  indented\n");
}

#[test]
fn invisible_characters_are_removed() {
    for hidden in [
        "\u{200b}",
        "\u{2060}",
        "\u{2064}",
        "\u{feff}",
        "\u{180e}",
        "\u{ad}",
        "\u{202e}",
        "\u{2066}",
        "\u{200f}",
        "\u{61c}",
        "\u{e0041}",
        "\u{e007f}",
        "\u{fe0f}",
        "\u{e0100}",
        "\u{200d}",
        "\u{200c}",
        "\u{fdd0}",
        "\u{ffff}",
        "\u{10fffe}",
        "\u{3164}",
        "\u{fff9}",
    ] {
        assert_eq!(line(&format!("a{hidden}b")), "ab", "{hidden:?}");
    }
}

#[test]
fn an_empty_braille_pattern_is_a_space() {
    assert_eq!(line("a\u{2800}b"), "a b");
    assert_eq!(line("No\u{2800}").trim(), "No");
    assert_eq!(block("⠿\u{2800}⠿"), "⠿ ⠿");
}

#[test]
fn characters_that_languages_need_stay() {
    for text in [
        "👩\u{200d}💻",
        "❤\u{fe0f}\u{200d}🔥",
        "👍🏽",
        "1\u{fe0f}\u{20e3}",
        "می\u{200c}خواهم",
        "क्\u{200d}ष",
        "e\u{301}",
        "Việt",
        "葛\u{e0100}",
        "数\u{fe00}",
        "ภาษาไทยนี้",
        "日本語",
        "نعم",
        "“quotes” — dash…",
    ] {
        assert_eq!(line(text), text);
    }
    assert_eq!(line("👩\u{200d}\u{200d}\u{200d}💻"), "👩\u{200d}💻");
    assert_eq!(line("👩\u{200d}"), "👩");
    assert_eq!(line("\u{301}a"), "a");
    let pile: String = std::iter::once('a')
        .chain(std::iter::repeat_n('\u{301}', 50))
        .collect();
    assert_eq!(line(&pile), "a\u{301}\u{301}\u{301}\u{301}");
}

#[test]
fn widths_are_columns() {
    assert_eq!(SafeText::line("日本").width(), 4);
    assert_eq!(SafeText::line("e\u{301}").width(), 1);
    assert_eq!(SafeText::block("ab\nabc\n").width(), 3);
    assert_eq!(SafeText::line("").width(), 0);
    assert_eq!(format!("[{:>5}]", SafeText::line("ab")), "[   ab]");
}

fn awkward() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        any::<char>().prop_map(String::from),
        prop::sample::select(vec![
            "\u{1b}[",
            "\u{1b}]",
            "\u{1b}P",
            "\u{7}",
            "\u{1b}\\",
            "\u{9b}",
            "\u{9c}",
            "\u{9d}",
            "\r",
            "\n",
            "\t",
            " ",
            "\u{3000}",
            "\u{200d}",
            "\u{200c}",
            "\u{fe0f}",
            "\u{301}",
            "\u{93f}",
            "ा",
            "क",
            "م",
            "👩",
            "💻",
            "❤",
            "a",
            "7",
            ";",
            "m",
            "\u{202e}",
            "\u{2028}",
            "\u{e0100}",
            "葛",
            "\u{20e3}",
            "\u{200b}",
        ])
        .prop_map(String::from),
        Just(" ".repeat(70)),
        Just("\n".repeat(5)),
    ];
    prop::collection::vec(piece, 0..60).prop_map(|pieces| pieces.concat())
}

fn is_forbidden(character: char) -> bool {
    (character.is_control() && character != '\n')
        || matches!(u32::from(character),
            0xad | 0x61c | 0x180e | 0x200b | 0x200e | 0x200f | 0x2028..=0x202e | 0x2060..=0x2069
            | 0xfeff | 0xe0000..=0xe007f | 0xfdd0..=0xfdef)
        || u32::from(character) & 0xfffe == 0xfffe
}

proptest! {
    #[test]
    fn nothing_forbidden_comes_out(text in awkward()) {
        for plain in [SafeText::line(&text), SafeText::block(&text)] {
            prop_assert!(!plain.as_str().chars().any(is_forbidden), "{plain:?}");
        }
        prop_assert!(!SafeText::line(&text).as_str().contains('\n'));
        prop_assert!(!SafeText::block(&text).as_str().contains("\n\n\n\n"));
    }

    #[test]
    fn cleaning_twice_changes_nothing(text in awkward()) {
        let line = SafeText::line(&text);
        prop_assert_eq!(&SafeText::line(line.as_str()), &line);
        prop_assert_eq!(&SafeText::block(line.as_str()), &line);
        let block = SafeText::block(&text);
        prop_assert_eq!(&SafeText::block(block.as_str()), &block);
    }
}
