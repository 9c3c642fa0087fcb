//! Our block in somebody else's AGENTS.md: put there, replaced between its marks, and taken out
//! again so that every other byte is as it was.

use ask_config::exit::{Exit, Failure};

const BEGIN: &str =
    "<!-- ask-user: begin; `ask-user skill install --agents-md` writes what follows -->";
const END: &str = "<!-- ask-user: end -->";

/// What any version of ours begins with.
const BEGINS: &str = "<!-- ask-user: begin";

/// The block as it is to be.
pub fn whole() -> String {
    format!("{BEGIN}\n{}\n{END}\n", include_str!("block.md").trim_end())
}

/// A text with our block in it: in place of the one that is there, or at the end. Above it stands
/// an empty line unless there was no file, so that an empty one can be told from none.
pub fn with(text: Option<&str>) -> Result<String, Failure> {
    let Some(text) = text else {
        return Ok(whole());
    };
    let block = match text.contains("\r\n") {
        true => whole().replace('\n', "\r\n"),
        false => whole(),
    };
    if let Some((before, after)) = around(text)? {
        return Ok(format!("{before}{block}{after}"));
    }
    let line = if block.contains("\r\n") { "\r\n" } else { "\n" };
    Ok(format!("{text}{line}{block}"))
}

/// Whether a file is there for our block alone.
pub fn is_alone(text: &str) -> bool {
    text.starts_with(BEGINS)
        && without(text).is_ok_and(|rest| rest.is_some_and(|rest| rest.is_empty()))
}

/// A text without our block, if there is one in it.
pub fn without(text: &str) -> Result<Option<String>, Failure> {
    let Some((before, after)) = around(text)? else {
        return Ok(None);
    };
    // The line break that was put between the block and what stands above it.
    let before = before
        .strip_suffix("\r\n")
        .or(before.strip_suffix('\n'))
        .unwrap_or(before);
    Ok(Some(format!("{before}{after}")))
}

/// What stands above our block and below it.
fn around(text: &str) -> Result<Option<(&str, &str)>, Failure> {
    let Some(begin) = text.find(BEGINS) else {
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
    use super::{is_alone, whole, with, without};

    #[test]
    fn everything_else_is_as_it_was() {
        for text in [
            "",
            "# Rules\n",
            "# Rules\n\n\n",
            "no end of line",
            "# Rules\r\n\r\nBe kind.\r\n",
        ] {
            let there = with(Some(text)).expect("it is no block of ours");
            assert!(there.starts_with(text), "{text:?}");
            assert_eq!(with(Some(&there)).expect("ours"), there, "once, not twice");
            assert_eq!(without(&there).expect("ours").as_deref(), Some(text));
        }
        assert_eq!(without("# Rules\n").expect("none"), None);
        let (none, empty) = (with(None), with(Some("")));
        assert!(is_alone(&none.expect("a block")), "no file was there");
        assert!(!is_alone(&empty.expect("a block")), "an empty one was");
    }

    #[test]
    fn an_older_block_is_replaced_where_it_stands() {
        let old =
            "above\n\n<!-- ask-user: begin (old) -->\nold words\n<!-- ask-user: end -->\nbelow\n";
        let now = with(Some(old)).expect("it has an end");
        assert_eq!(now, format!("above\n\n{}below\n", whole()));
        assert_eq!(
            without(&now).expect("ours").as_deref(),
            Some("above\nbelow\n")
        );
        assert!(with(Some("<!-- ask-user: begin -->\nno end")).is_err());
    }
}
