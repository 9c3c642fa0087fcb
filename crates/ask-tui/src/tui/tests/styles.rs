//! Screens with their styles: with colours, without, and in ASCII.

use ratatui::buffer::{Buffer, Cell};
use ratatui::style::{Color, Modifier};

use super::pictures::with_previews;
use super::{Person, lines, painted};
use crate::fixtures::three;
use crate::tui::background_color::BackgroundColor;
use crate::tui::glyphs::Glyphs;
use crossterm::event::KeyCode;

const SIZES: [(u16, u16); 5] = [(100, 30), (80, 24), (44, 14), (40, 12), (24, 6)];

/// The screen at every size, with the styles of each row below it.
fn styled(person: &mut Person) -> String {
    let mut out = String::new();
    for (columns, rows) in SIZES {
        person.at(columns, rows);
        let (buffer, _) = painted(&person.model, columns, rows);
        out.push_str(&format!("{columns}x{rows}\n"));
        for (y, line) in (0..rows).zip(lines(&buffer)) {
            let styles = styles(&buffer, y);
            out.push_str(&format!("|{line}\n"));
            if !styles.is_empty() {
                out.push_str(&format!("~{styles}\n"));
            }
        }
    }
    out
}

/// One letter for each column: a capital is a colour, a small letter a modifier.
fn styles(buffer: &Buffer, y: u16) -> String {
    let letters: String = (0..buffer.area.width)
        .map(|x| letter(&buffer[(x, y)]))
        .collect();
    letters.trim_end().to_owned()
}

fn letter(cell: &Cell) -> char {
    if cell.symbol() == " " && !cell.modifier.contains(Modifier::REVERSED) {
        return ' ';
    }
    let bold = cell.modifier.contains(Modifier::BOLD);
    match cell.fg {
        Color::Reset if cell.modifier.contains(Modifier::REVERSED) => 'r',
        Color::Reset if cell.modifier.contains(Modifier::CROSSED_OUT) => 's',
        Color::Reset if cell.modifier.contains(Modifier::UNDERLINED) && bold => 'U',
        Color::Reset if cell.modifier.contains(Modifier::UNDERLINED) => 'u',
        Color::Reset if bold => 'b',
        Color::Reset if cell.modifier.contains(Modifier::DIM) => 'd',
        Color::Reset => ' ',
        Color::Cyan => 'C',
        Color::Green => 'G',
        Color::Yellow => 'Y',
        Color::Blue | Color::LightBlue => 'B',
        Color::Red | Color::LightRed => 'R',
        Color::Magenta => 'M',
        _ => '?',
    }
}

fn assert_styles(name: &str, person: &mut Person) {
    insta::assert_snapshot!(format!("{name}_colour"), styled(person));
    person.model.display.colours = false;
    insta::assert_snapshot!(format!("{name}_mono"), styled(person));
    person.model.display.glyphs = Glyphs::Ascii;
    let plain = styled(person);
    let ours = plain.chars().filter(|sign| !sign.is_ascii());
    assert_eq!(ours.collect::<String>(), "", "our own signs are ASCII");
    insta::assert_snapshot!(format!("{name}_ascii"), plain);
    person.model.display.glyphs = Glyphs::Full;
    person.model.display.colours = true;
}

#[test]
fn a_card_with_previews() {
    let mut person = Person::at_card(with_previews());
    assert_styles("card", &mut person);
    person.keys("p");
    assert_styles("preview", &mut person);
    person.keys("p");
    person.keys("i");
    assert_styles("reader", &mut person);
}

#[test]
fn several_answers() {
    let mut person = Person::at_card(three());
    person.keys("1");
    person.key(KeyCode::Tab);
    person.keys(" j0Webhooks");
    assert_styles("typing", &mut person);
}

#[test]
fn colours_are_readable_on_the_background() {
    let mut person = Person::at_card(with_previews());
    let colours = |person: &Person| {
        let (buffer, _) = painted(&person.model, 80, 24);
        let mut seen: Vec<String> = Vec::new();
        for cell in &buffer.content {
            let colour = format!("{:?}", cell.fg);
            if !seen.contains(&colour) {
                seen.push(colour);
            }
        }
        seen.join(" ")
    };
    person.model.display.background = BackgroundColor::Light;
    let light = colours(&person);
    assert!(
        !light.contains("Yellow") && !light.contains("Cyan"),
        "{light}"
    );
    person.model.display.background = BackgroundColor::Dark;
    assert!(colours(&person).contains("LightBlue"));
}
