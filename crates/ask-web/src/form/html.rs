//! HTML, written so that nothing but our own literals can be markup.

/// A text of HTML.
#[derive(Default)]
pub struct Html(String);

impl Html {
    /// Markup of ours.
    pub fn raw(&mut self, markup: &'static str) -> &mut Self {
        self.0.push_str(markup);
        self
    }

    /// Text of anybody's.
    pub fn text(&mut self, text: &str) -> &mut Self {
        for character in text.chars() {
            match character {
                '&' => self.0.push_str("&amp;"),
                '<' => self.0.push_str("&lt;"),
                '>' => self.0.push_str("&gt;"),
                '"' => self.0.push_str("&quot;"),
                '\'' => self.0.push_str("&#39;"),
                other => self.0.push(other),
            }
        }
        self
    }

    /// An attribute with a value of anybody's.
    pub fn with(&mut self, name: &'static str, value: &str) -> &mut Self {
        self.raw(" ").raw(name).raw("=\"").text(value).raw("\"")
    }

    /// An element that holds nothing but text.
    pub fn element(&mut self, open: &'static str, text: &str, close: &'static str) -> &mut Self {
        self.raw(open).text(text).raw(close)
    }

    /// All of it.
    pub fn finish(self) -> String {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_of_anybodys_is_markup() {
        let mut html = Html::default();
        html.raw("<p").with("title", "\"><script>'").raw(">");
        html.text("<b>&amp;").raw("</p>");
        assert_eq!(
            html.finish(),
            "<p title=\"&quot;&gt;&lt;script&gt;&#39;\">&lt;b&gt;&amp;amp;</p>"
        );
    }
}
