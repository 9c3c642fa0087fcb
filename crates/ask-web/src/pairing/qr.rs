//! A link as a QR code: as an SVG path for the page, and as half blocks for a terminal.

use std::fmt::Write;

use qrcode::{Color, EcLevel, QrCode};

/// The width of the quiet zone, in modules (ISO/IEC 18004).
const QUIET: usize = 4;

/// A QR code with its quiet zone.
pub struct Qr {
    /// Modules on each side, with the quiet zone.
    pub size: usize,
    dark: Vec<bool>,
}

impl Qr {
    /// The code of a text, with error correction level M; `None` if the text is too long for a QR
    /// code.
    pub fn encode(text: &str) -> Option<Self> {
        let code = QrCode::with_error_correction_level(text, EcLevel::M).ok()?;
        let width = code.width();
        let size = width + 2 * QUIET;
        let mut dark = vec![false; size * size];
        for (at, color) in code.to_colors().into_iter().enumerate() {
            let (row, column) = (at / width + QUIET, at % width + QUIET);
            dark[row * size + column] = color == Color::Dark;
        }
        Some(Self { size, dark })
    }

    fn is_dark(&self, column: usize, row: usize) -> bool {
        row < self.size && self.dark[row * self.size + column]
    }

    /// The dark modules as the `d` attribute of an SVG path, one unit for each module.
    pub fn path(&self) -> String {
        let mut path = String::new();
        for row in 0..self.size {
            let mut column = 0;
            while column < self.size {
                let run = (column..self.size).take_while(|&at| self.is_dark(at, row));
                let run = run.count();
                if run > 0 {
                    // Writing to a `String` can't fail.
                    let _ = write!(path, "M{column} {row}h{run}v1h-{run}z");
                }
                column += run.max(1);
            }
        }
        path
    }

    /// The code as lines of a terminal, each two modules high. It is dark on light in every colour
    /// theme.
    pub fn lines(&self) -> Vec<String> {
        let rows = (0..self.size).step_by(2);
        let line = |row: usize| {
            let blocks = (0..self.size).map(|column| {
                match (self.is_dark(column, row), self.is_dark(column, row + 1)) {
                    (true, true) => '█',
                    (true, false) => '▀',
                    (false, true) => '▄',
                    (false, false) => ' ',
                }
            });
            let blocks: String = blocks.collect();
            // Black and white of the fixed palette, because a theme redefines the first sixteen
            // colours.
            format!("\x1b[38;5;16;48;5;231m{blocks}\x1b[0m")
        };
        rows.map(line).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINK: &str = "http://192.168.1.7:4127/pair#0123456789abcdef0123456789abcdef";

    #[test]
    fn it_has_its_quiet_zone_and_its_corners() {
        let qr = Qr::encode(LINK).unwrap();
        for at in 0..qr.size {
            for edge in 0..QUIET {
                let other = qr.size - 1 - edge;
                let around = [(at, edge), (at, other), (edge, at), (other, at)];
                for (column, row) in around {
                    assert!(!qr.is_dark(column, row), "{column} {row}");
                }
            }
        }
        let last = qr.size - QUIET - 1;
        for (column, row) in [(QUIET, QUIET), (last, QUIET), (QUIET, last)] {
            assert!(qr.is_dark(column, row), "{column} {row}");
        }
        assert!(Qr::encode(&"x".repeat(5_000)).is_none());
    }

    #[test]
    fn page_and_terminal_draw_the_same() {
        let qr = Qr::encode(LINK).unwrap();
        let mut drawn = vec![false; qr.size * qr.size];
        for part in qr.path().split('M').filter(|part| !part.is_empty()) {
            let (at, rest) = part.split_once('h').unwrap();
            let (column, row) = at.split_once(' ').unwrap();
            let run = rest.split_once('v').unwrap().0;
            let (column, row): (usize, usize) = (column.parse().unwrap(), row.parse().unwrap());
            for step in 0..run.parse().unwrap() {
                drawn[row * qr.size + column + step] = true;
            }
        }
        assert_eq!(drawn, qr.dark);
        let lines = qr.lines();
        assert_eq!(lines.len(), qr.size.div_ceil(2));
        for (at, line) in lines.iter().enumerate() {
            let blocks = line.split('m').nth(1).unwrap();
            let blocks = blocks.trim_end_matches("\x1b[0").chars();
            for (column, block) in blocks.enumerate() {
                let upper = matches!(block, '█' | '▀');
                let lower = matches!(block, '█' | '▄');
                assert_eq!(upper, qr.is_dark(column, 2 * at), "{column} {at}");
                assert_eq!(lower, qr.is_dark(column, 2 * at + 1), "{column} {at}");
            }
        }
    }
}
