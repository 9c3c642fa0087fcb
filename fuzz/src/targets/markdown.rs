//! Agents' Markdown: every text of the tree is safe, a link's displayed host is its real one, and the tree's
//! depth and size have bounds.

use ask_core::SafeText;
use ask_core::markdown::{Block, BlockKind, Document, Line, MAX_DEPTH, place};

/// Fragments of Markdown.
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

/// The most nodes for each byte of the text.
const NODES_PER_BYTE: usize = 6;

/// Reads the input as Markdown.
pub fn run(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let document = Document::read(&text);
    let mut totals = Totals {
        document: &document,
        nodes: 0,
        bytes: 0,
        links: vec![String::new(); document.links.len()],
    };
    totals.blocks(&document.blocks, 0);
    // The length is measured after `block` has expanded tabs.
    let read = SafeText::block(&text).as_str().len();
    let max = NODES_PER_BYTE * read + 16;
    assert!(totals.nodes <= max, "{} nodes of {read}", totals.nodes);
    let max = 2 * read + 16;
    assert!(totals.bytes <= max, "{} bytes of {read}", totals.bytes);
    // Each use of a link definition repeats its destination, up to the parser's limit.
    let links = document.links.iter().map(|link| link.as_str().len());
    let max = read + read.max(100_000);
    assert!(links.sum::<usize>() <= max, "links of {read}");
    for (link, words) in document.links.iter().zip(&totals.links) {
        assert_is_line(link);
        if let Some(destination) = place::displayed_destination(link.as_str(), words) {
            assert_names_its_host(&destination);
        }
    }
    assert_is_line(&document.line());
}

/// Totals over the nodes of a document.
struct Totals<'a> {
    document: &'a Document,
    nodes: usize,
    bytes: usize,
    /// The text of each link.
    links: Vec<String>,
}

impl Totals<'_> {
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

/// The host of a web address is ASCII, and no user name is before it.
fn assert_names_its_host(place: &str) {
    let web = ["https://", "http://"];
    let Some(rest) = web.iter().find_map(|scheme| place.strip_prefix(scheme)) else {
        return;
    };
    let host = rest.split(['/', '\\', '?', '#']).next().unwrap_or_default();
    assert!(host.is_ascii() && !host.contains('@'), "{place:?}");
}
