//! Safe text: a terminal treats none of it as a command, and cleaning it again changes nothing.

use ask_core::SafeText;

/// Control sequences, and characters that combine with or separate others.
pub const PIECES: &[&str] = &[
    "\u{1b}[31m",
    "\u{1b}]0;",
    "\u{9b}",
    "\u{9d}",
    "\u{7}",
    "\u{202e}",
    "\u{200d}",
    "\u{200c}",
    "\u{301}",
    "\u{fe0f}",
    "👩\u{200d}👧",
    "\r\n",
    "\t",
    "\u{2028}",
    "\u{3000}",
];

/// Cleans the input, which must then be safe and not change when it is cleaned again.
pub fn run(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let (line, block) = (SafeText::line(&text), SafeText::block(&text));
    for plain in [&line, &block] {
        let is_unsafe =
            |c: char| (c.is_control() && c != '\n') || ('\u{202a}'..='\u{202e}').contains(&c);
        assert!(!plain.as_str().contains(is_unsafe), "{plain:?}");
        // It must not panic.
        let _ = plain.width();
    }
    assert!(!line.as_str().contains('\n'));
    assert_eq!(SafeText::line(line.as_str()), line);
    assert_eq!(SafeText::block(block.as_str()), block);
}
