//! Agents' Markdown as HTML, from the tree that all surfaces share.

use ask_core::ask::NAMED;
use ask_core::markdown::{Aligned, Block, Document, Item, Kind, Line, Marks, Span};

use super::html::Html;

/// Writes an agent's text.
pub fn write(html: &mut Html, text: &str) {
    let document = Document::read(text);
    html.raw("<div class=\"text\">");
    blocks(html, &document, &document.blocks);
    html.raw("</div>");
}

/// Whether a text is one line without looks that a name has room for: it reads the same anywhere.
pub fn is_bare(text: &str) -> bool {
    let document = Document::read(text);
    let [block] = &document.blocks[..] else {
        return false;
    };
    let Kind::Paragraph(lines) = &block.kind else {
        return false;
    };
    let bare = |span: &Span| span.link.is_none() && span.marks == Marks::default();
    let fits = lines.len() == 1 && text.chars().nth(NAMED).is_none();
    fits && lines.iter().flat_map(|line| &line.spans).all(bare)
}

fn blocks(html: &mut Html, document: &Document, blocks: &[Block]) {
    for one in blocks {
        block(html, document, one);
    }
}

fn block(html: &mut Html, document: &Document, block: &Block) {
    match &block.kind {
        // Headlines of an agent stand below all of ours.
        Kind::Heading { lines, .. } => {
            html.raw("<p class=\"head\">");
            self::lines(html, document, lines);
            html.raw("</p>");
        }
        Kind::Paragraph(lines) => {
            html.raw("<p>");
            self::lines(html, document, lines);
            html.raw("</p>");
        }
        Kind::Code { text, .. } => {
            html.element("<pre><code>", text.as_str(), "</code></pre>");
        }
        Kind::List(items) => {
            html.raw("<ul class=\"list\">");
            for one in items {
                item(html, document, one);
            }
            html.raw("</ul>");
        }
        Kind::Quote(within) => {
            html.raw("<blockquote>");
            blocks(html, document, within);
            html.raw("</blockquote>");
        }
        Kind::Table {
            aligned,
            head,
            rows,
        } => table(html, document, aligned, head, rows),
        Kind::Rule => {
            html.raw("<hr>");
        }
    }
}

fn item(html: &mut Html, document: &Document, item: &Item) {
    html.element("<li><span class=\"mark\">", item.mark.as_str(), " ");
    match item.done {
        Some(true) => html.raw("[x] "),
        Some(false) => html.raw("[ ] "),
        None => html,
    };
    html.raw("</span><div>");
    blocks(html, document, &item.blocks);
    html.raw("</div></li>");
}

fn table(
    html: &mut Html,
    document: &Document,
    aligned: &[Aligned],
    head: &[Line],
    rows: &[Vec<Line>],
) {
    let side = |at: usize| match aligned.get(at) {
        Some(Aligned::Right) => "right",
        Some(Aligned::Middle) => "middle",
        Some(Aligned::Left) | None => "left",
    };
    html.raw("<div class=\"wide\" tabindex=\"0\"><table><thead><tr>");
    for (at, cell) in head.iter().enumerate() {
        html.raw("<th scope=\"col\"")
            .with("class", side(at))
            .raw(">");
        line(html, document, cell);
        html.raw("</th>");
    }
    html.raw("</tr></thead><tbody>");
    for row in rows {
        html.raw("<tr>");
        for (at, cell) in row.iter().enumerate() {
            html.raw("<td").with("class", side(at)).raw(">");
            line(html, document, cell);
            html.raw("</td>");
        }
        html.raw("</tr>");
    }
    html.raw("</tbody></table></div>");
}

fn lines(html: &mut Html, document: &Document, lines: &[Line]) {
    for (at, one) in lines.iter().enumerate() {
        if at > 0 {
            html.raw("<br>");
        }
        line(html, document, one);
    }
}

fn line(html: &mut Html, document: &Document, line: &Line) {
    for _ in 0..line.indent {
        html.raw("&nbsp;");
    }
    for one in &line.spans {
        span(html, document, one);
    }
}

fn span(html: &mut Html, document: &Document, span: &Span) {
    let marks = [
        (span.marks.strong, "<strong>", "</strong>"),
        (span.marks.emphasis, "<em>", "</em>"),
        (span.marks.struck, "<s>", "</s>"),
        (span.marks.code, "<code>", "</code>"),
    ];
    let link = span.link.and_then(|at| document.links.get(at));
    let link = link.map(|link| link.as_str());
    // Other places may mean something to programs of this machine.
    let link = link.filter(|link| link.starts_with("https://") || link.starts_with("http://"));
    if let Some(link) = link {
        html.raw("<a rel=\"noreferrer noopener nofollow\"")
            .with("href", link)
            .raw(">");
    }
    for (_, open, _) in marks.iter().filter(|(on, ..)| *on) {
        html.raw(open);
    }
    html.text(span.text.as_str());
    for (_, _, close) in marks.iter().rev().filter(|(on, ..)| *on) {
        html.raw(close);
    }
    if let Some(link) = link {
        html.raw("</a> <span class=\"faint\">(")
            .text(host(link))
            .raw(")</span>");
    }
}

/// Where a link leads, whatever its words say.
fn host(link: &str) -> &str {
    let after = link.split_once("://").map_or(link, |(_, after)| after);
    let authority = after
        .split(['/', '?', '#', '\\'])
        .next()
        .unwrap_or_default();
    authority.rsplit('@').next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(text: &str) -> String {
        let mut html = Html::default();
        write(&mut html, text);
        html.finish()
    }

    #[test]
    fn an_agents_markup_runs_nowhere() {
        let html = written(
            "# <script>alert(1)</script>\n\n<img src=x onerror=alert(1)> **a** [x](javascript:alert(1)) [y](https://good.example@evil.example/\"onclick=\")\n\n```\n</code><script>\n```\n\n![i](https://evil.example/i.png)\n\n| <b> |\n|--:|\n| </td> |",
        );
        for never in [
            "<script",
            "<img",
            "<b>",
            "javascript:\"",
            "href=\"javascript",
            "onclick=\"",
        ] {
            assert!(!html.contains(never), "{never} in {html}");
        }
        assert!(html.contains("<strong>a</strong>"), "{html}");
        assert!(html.contains("(evil.example)"), "{html}");
        assert!(html.contains("class=\"right\""), "{html}");
    }

    #[test]
    fn the_host_is_the_one_that_is_called() {
        for (link, named) in [
            ("https://a.example/b?c#d", "a.example"),
            ("http://good.example@evil.example", "evil.example"),
            ("https://evil.example\\@good.example", "evil.example"),
            ("https://x:1/", "x:1"),
        ] {
            assert_eq!(host(link), named);
        }
    }
}
