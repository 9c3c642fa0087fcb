//! Agents' Markdown: every text of the tree is safe, links lead where they say, its depth is bounded, and
//! the tree is no larger than a text of that length may make it.

use ask_core::SafeText;
use ask_core::markdown::{Block, BlockKind, Document, Line, MAX_DEPTH, place};

/// Signs of Markdown.
pub const PIECES: &[&str] = &[
    "# ",
    "> ",
    "- ",
    "1. ",
    "- [x] ",
    "```\n",
    "~~~rust\n",
    "    ",
    "**",
    "__",
    "~~",
    "`",
    "[a](https://a.example/)",
    "[a][b]",
    "\n[b]: https://b.example 'c'\n",
    "![i](x.png)",
    "<https://a@b.example>",
    "|a|b|\n|-|:-:|\n",
    "|",
    "\n\n",
    "\n---\n",
    "<div>\n",
    "\\*",
    "&amp;",
    "&#8238;",
    "https://аррle.com/",
];

/// So many nodes a byte can make.
const NODES_A_BYTE: usize = 6;

/// Reads bytes as Markdown.
pub fn run(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let document = Document::read(&text);
    let mut seen = Seen {
        document: &document,
        nodes: 0,
        bytes: 0,
        links: vec![String::new(); document.links.len()],
    };
    seen.blocks(&document.blocks, 0);
    // A tab is four blanks already.
    let read = SafeText::block(&text).as_str().len();
    let most = NODES_A_BYTE * read + 16;
    assert!(seen.nodes <= most, "{} nodes of {read}", seen.nodes);
    let most = 2 * read + 16;
    assert!(seen.bytes <= most, "{} bytes of {read}", seen.bytes);
    // Where a link leads is said once for each that uses its definition, up to a bound of the parser.
    let links = document.links.iter().map(|link| link.as_str().len());
    let most = read + read.max(100_000);
    assert!(links.sum::<usize>() <= most, "links of {read}");
    for (link, words) in document.links.iter().zip(&seen.links) {
        assert_is_line(link);
        if let Some(beside) = place::displayed_destination(link.as_str(), words) {
            assert_names_its_host(&beside);
        }
    }
    assert_is_line(&document.line());
}

struct Seen<'a> {
    document: &'a Document,
    nodes: usize,
    bytes: usize,
    /// The words of each link.
    links: Vec<String>,
}

impl Seen<'_> {
    fn blocks(&mut self, blocks: &[Block], depth: usize) {
        assert!(depth <= 2 * MAX_DEPTH, "too deep");
        for block in blocks {
            self.nodes += 1;
            match &block.kind {
                BlockKind::Heading { level, lines, .. } => {
                    assert!((1..=6).contains(level));
                    self.lines(lines);
                }
                BlockKind::Paragraph(lines) => self.lines(lines),
                BlockKind::Code { language, text, .. } => {
                    assert_is_line(language);
                    assert_eq!(&SafeText::block(text.as_str()), text);
                    self.bytes += language.as_str().len() + text.as_str().len();
                }
                BlockKind::List(items) => {
                    for item in items {
                        self.nodes += 1;
                        assert_is_line(&item.mark);
                        self.bytes += item.mark.as_str().len();
                        self.blocks(&item.blocks, depth + 2);
                    }
                }
                BlockKind::Quote(within) => self.blocks(within, depth + 1),
                BlockKind::Table {
                    aligned,
                    head,
                    rows,
                } => {
                    assert_eq!(aligned.len(), head.len());
                    self.lines(head);
                    for row in rows {
                        assert!(row.len() <= head.len());
                        self.nodes += 1;
                        self.lines(row);
                    }
                }
                BlockKind::Rule => {}
            }
        }
    }

    fn lines(&mut self, lines: &[Line]) {
        for line in lines {
            self.nodes += 1;
            for span in &line.spans {
                self.nodes += 1;
                self.bytes += span.text.as_str().len();
                assert_is_line(&span.text);
                if let Some(link) = span.link {
                    assert!(link < self.document.links.len());
                    self.links[link].push_str(span.text.as_str());
                }
            }
        }
    }
}

fn assert_is_line(text: &SafeText) {
    assert_eq!(&SafeText::line(text.as_str()), text);
}

/// The host of an address of the web stands in ASCII, and nothing stands before it.
fn assert_names_its_host(place: &str) {
    let web = ["https://", "http://"];
    let Some(rest) = web.iter().find_map(|scheme| place.strip_prefix(scheme)) else {
        return;
    };
    let host = rest.split(['/', '\\', '?', '#']).next().unwrap_or_default();
    assert!(host.is_ascii() && !host.contains('@'), "{place:?}");
}
