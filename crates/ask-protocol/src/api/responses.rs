//! The texts of a record for a page: agents' texts are safe to show, and Markdown is parsed into
//! trees.

use serde_json::{Map, json};

use ask_core::Json;
use ask_core::ask::{CONFIRM, Choice, Input, Question};
use ask_core::markdown::{Aligned, Block, BlockKind, Document, Item, Line, Span};
use ask_core::record::{Asker, Record};
use ask_core::sanitize::SafeText;

/// The most characters that a list shows of a headline.
const HEADLINE: usize = 300;

/// The texts of a record for a list.
pub(super) fn brief(record: &Record) -> Json {
    let headline = record.ask.name();
    let title: String = headline.as_str().chars().take(HEADLINE).collect();
    json!({"title": title, "asker": asker(&record.asker)})
}

/// The texts of a record for its card.
pub(super) fn whole(record: &Record) -> Json {
    let mut out = brief(record);
    if let Some(context) = record.ask.context.as_deref() {
        out["context"] = text(context);
    }
    let questions = record.ask.questions.iter().map(question);
    out["questions"] = Json::Array(questions.collect());
    out
}

fn asker(asker: &Asker) -> Json {
    let mut out = Map::new();
    for (key, value) in [
        ("client", &asker.client),
        ("clientVersion", &asker.version),
        ("agent", &asker.agent),
        ("project", &asker.project),
        ("directory", &asker.directory),
        ("branch", &asker.branch),
    ] {
        if let Some(value) = value {
            out.insert(key.to_owned(), SafeText::line(value).as_str().into());
        }
    }
    Json::Object(out)
}

fn question(question: &Question) -> Json {
    let mut out = json!({
        "title": question.name().as_str(),
        "text": text(&question.text),
        "choices": choices(&question.input),
    });
    if let Some(placeholder) = question.placeholder.as_deref() {
        out["placeholder"] = SafeText::line(placeholder).as_str().into();
    }
    if let Some(default) = question.default.as_deref() {
        out["default"] = SafeText::block(default).as_str().into();
    }
    out
}

fn choices(input: &Input) -> Vec<Json> {
    match input {
        Input::Text => Vec::new(),
        Input::Confirm => CONFIRM.iter().map(|word| json!({"label": word})).collect(),
        Input::One(choices) | Input::Many(choices) => choices.iter().map(choice).collect(),
    }
}

fn choice(choice: &Choice) -> Json {
    let (label, recommended) = choice.recommended();
    let mut out = json!({"label": SafeText::line(label).as_str()});
    if recommended {
        out["recommended"] = true.into();
    }
    if let Some(description) = choice.description.as_deref() {
        out["description"] = text(description);
    }
    if let Some(preview) = choice.preview.as_deref() {
        out["preview"] = text(preview);
    }
    out
}

fn text(text: &str) -> Json {
    write_document(&Document::read(text))
}

/// Writes a tree of Markdown.
pub(super) fn write_document(document: &Document) -> Json {
    let links = document.links.iter().map(SafeText::as_str);
    json!({"blocks": blocks(&document.blocks), "links": links.collect::<Vec<_>>()})
}

fn blocks(blocks: &[Block]) -> Vec<Json> {
    blocks.iter().map(block).collect()
}

fn block(block: &Block) -> Json {
    let mut out = match &block.kind {
        BlockKind::Heading { level, lines, .. } => {
            json!({"kind": "heading", "level": level, "lines": self::lines(lines)})
        }
        BlockKind::Paragraph(lines) => json!({"kind": "paragraph", "lines": self::lines(lines)}),
        BlockKind::Code { language, text, .. } => {
            json!({"kind": "code", "language": language.as_str(), "text": text.as_str()})
        }
        BlockKind::List(items) => {
            json!({"kind": "list", "items": items.iter().map(item).collect::<Vec<_>>()})
        }
        BlockKind::Quote(within) => json!({"kind": "quote", "blocks": blocks(within)}),
        BlockKind::Table {
            aligned,
            head,
            rows,
        } => {
            let rows = rows.iter().map(|row| lines(row));
            json!({
                "kind": "table",
                "aligned": aligned.iter().map(|one| side(*one)).collect::<Vec<_>>(),
                "head": lines(head),
                "rows": rows.collect::<Vec<_>>(),
            })
        }
        BlockKind::Rule => json!({"kind": "rule"}),
    };
    if block.apart {
        out["apart"] = true.into();
    }
    out
}

fn item(item: &Item) -> Json {
    let mut out = json!({"mark": item.mark.as_str(), "blocks": blocks(&item.blocks)});
    if let Some(done) = item.done {
        out["done"] = done.into();
    }
    out
}

fn side(aligned: Aligned) -> &'static str {
    match aligned {
        Aligned::Left => "left",
        Aligned::Middle => "center",
        Aligned::Right => "right",
    }
}

fn lines(lines: &[Line]) -> Vec<Json> {
    lines.iter().map(line).collect()
}

/// A line is a list of spans. The columns of its indent become spaces before them.
fn line(line: &Line) -> Json {
    let indent = (line.indent > 0).then(|| json!({"text": " ".repeat(line.indent)}));
    Json::Array(
        indent
            .into_iter()
            .chain(line.spans.iter().map(span))
            .collect(),
    )
}

fn span(span: &Span) -> Json {
    let mut out = json!({"text": span.text.as_str()});
    for (key, on) in [
        ("strong", span.marks.strong),
        ("emphasis", span.marks.emphasis),
        ("struck", span.marks.struck),
        ("code", span.marks.code),
        ("image", span.marks.image),
    ] {
        if on {
            out[key] = true.into();
        }
    }
    if let Some(link) = span.link {
        out["link"] = link.into();
    }
    out
}
