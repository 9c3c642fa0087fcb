//! Our block in somebody else's AGENTS.md: inserted, replaced between its markers, and removed so
//! that every other byte is as before.

use ask_config::exit::{Exit, Failure};

const BEGIN: &str =
    "<!-- ask-user: begin; `ask-user skill install --agents-md` writes what follows -->";
const END: &str = "<!-- ask-user: end -->";

/// The beginning of the marker, in every version.
const BEGIN_PREFIX: &str = "<!-- ask-user: begin";

/// The block of this version.
pub(super) fn block() -> String {
    format!("{BEGIN}\n{}\n{END}\n", include_str!("block.md").trim_end())
}

/// A text with our block: in place of an existing one, or at the end. An empty line above it marks
/// that the file existed, even if it was empty.
pub(super) fn insert(text: Option<&str>) -> Result<String, Failure> {
    let Some(text) = text else {
        return Ok(block());
    };
    let block = match text.contains("\r\n") {
        true => block().replace('\n', "\r\n"),
        false => block(),
    };
    if let Some((before, after)) = split_around(text)? {
        return Ok(format!("{before}{block}{after}"));
    }
    let line = if block.contains("\r\n") { "\r\n" } else { "\n" };
    Ok(format!("{text}{line}{block}"))
}

/// Whether the file was created for our block.
pub(super) fn is_only_block(text: &str) -> bool {
    text.starts_with(BEGIN_PREFIX)
        && remove(text).is_ok_and(|rest| rest.is_some_and(|rest| rest.is_empty()))
}

/// The text without our block; `None` if it has none.
///
/// # Errors
/// The block has no end marker.
pub(super) fn remove(text: &str) -> Result<Option<String>, Failure> {
    let Some((before, after)) = split_around(text)? else {
        return Ok(None);
    };
    // The line break that was inserted above the block, unless somebody removed that one and the
    // last line would be joined with the next.
    let shorter = before
        .strip_suffix("\r\n")
        .or(before.strip_suffix('\n'))
        .filter(|shorter| after.is_empty() || shorter.is_empty() || shorter.ends_with('\n'));
    Ok(Some(format!("{}{after}", shorter.unwrap_or(before))))
}

/// The text before and after our block.
fn split_around(text: &str) -> Result<Option<(&str, &str)>, Failure> {
    let Some(begin) = text.find(BEGIN_PREFIX) else {
        return Ok(None);
    };
    let Some(end) = text[begin..].find(END) else {
        return Err(Failure::new(
            Exit::Failure,
            "the block of ask-user in it has a beginning and no end, so it was left as it is",
            format!("add the line {END} where the block ends, then run this again"),
        ));
    };
    let after = &text[begin + end + END.len()..];
    let after = after
        .strip_prefix("\r\n")
        .or(after.strip_prefix('\n'))
        .unwrap_or(after);
    Ok(Some((&text[..begin], after)))
}

#[cfg(test)]
mod tests {
    use super::{block, insert, is_only_block, remove};

    #[test]
    fn other_text_is_unchanged() {
        for text in [
            "",
            "# Rules\n",
            "# Rules\n\n\n",
            "no end of line",
            "# Rules\r\n\r\nBe kind.\r\n",
        ] {
            let there = insert(Some(text)).expect("the text has no block of ours");
            assert!(there.starts_with(text), "{text:?}");
            assert_eq!(
                insert(Some(&there)).expect("the block is complete"),
                there,
                "once, not twice"
            );
            assert_eq!(
                remove(&there).expect("the block is complete").as_deref(),
                Some(text)
            );
        }
        assert_eq!(
            remove("# Rules\n").expect("a text without a block is valid"),
            None
        );
        let (none, empty) = (insert(None), insert(Some("")));
        assert!(
            is_only_block(&none.expect("a block can be inserted")),
            "no file was there"
        );
        assert!(
            !is_only_block(&empty.expect("a block can be inserted")),
            "an empty one was"
        );
    }

    #[test]
    fn older_blocks_are_replaced_in_place() {
        let old =
            "above\n\n<!-- ask-user: begin (old) -->\nold words\n<!-- ask-user: end -->\nbelow\n";
        let now = insert(Some(old)).expect("the old block has an end");
        assert_eq!(now, format!("above\n\n{}below\n", block()));
        assert_eq!(
            remove(&now).expect("the block is complete").as_deref(),
            Some("above\nbelow\n")
        );
        assert!(insert(Some("<!-- ask-user: begin -->\nno end")).is_err());
        let without_blank_line = format!("above\n{}below\n", block());
        assert_eq!(
            remove(&without_blank_line).expect("the block is complete"),
            Some("above\nbelow\n".to_owned()),
            "two lines stay two"
        );
    }
}
