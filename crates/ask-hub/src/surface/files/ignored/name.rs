//! Whether a name fits a pattern, between two slashes: `*`, `?` and `[a-z]`, and backslashes.

/// A pattern of names.
#[derive(Debug)]
pub struct Name(Vec<Token>);

#[derive(Debug)]
enum Token {
    One(char),
    /// `?`
    AnyOne,
    /// `*`
    Any,
    /// `[a-z]`
    Of {
        others: bool,
        ranges: Vec<(char, char)>,
    },
}

impl Name {
    /// Reads one; `None` for what git takes for a mistake, and nothing fits.
    pub fn read(text: &str) -> Option<Self> {
        tokens(text).map(Self)
    }

    /// Whether a name fits.
    pub fn fits(&self, name: &str) -> bool {
        is_named(&self.0, name)
    }
}

fn tokens(name: &str) -> Option<Vec<Token>> {
    let mut tokens = Vec::new();
    let mut chars = name.chars().peekable();
    while let Some(char) = chars.next() {
        tokens.push(match char {
            '\\' => Token::One(chars.next()?),
            '?' => Token::AnyOne,
            '*' => Token::Any,
            '[' => {
                let others = chars.next_if(|char| matches!(char, '!' | '^')).is_some();
                let mut ranges = Vec::new();
                loop {
                    let first = match chars.next()? {
                        ']' if !ranges.is_empty() => break,
                        '[' if chars.next_if_eq(&':').is_some() => {
                            let mut class = String::new();
                            while let Some(letter) = chars.next_if(|char| *char != ':') {
                                class.push(letter);
                            }
                            chars.next()?;
                            chars.next_if_eq(&']')?;
                            ranges.extend_from_slice(self::class(&class)?);
                            continue;
                        }
                        '\\' => chars.next()?,
                        char => char,
                    };
                    let mut ahead = chars.clone();
                    let is_range = ahead.next() == Some('-') && ahead.next() != Some(']');
                    let last = match is_range {
                        true => {
                            chars.next();
                            match chars.next()? {
                                '\\' => chars.next()?,
                                char => char,
                            }
                        }
                        false => first,
                    };
                    ranges.push((first, last));
                }
                Token::Of { others, ranges }
            }
            char => Token::One(char),
        });
    }
    Some(tokens)
}

/// A class of characters by its name.
fn class(name: &str) -> Option<&'static [(char, char)]> {
    Some(match name {
        "alpha" => &[('a', 'z'), ('A', 'Z')],
        "digit" => &[('0', '9')],
        "alnum" => &[('a', 'z'), ('A', 'Z'), ('0', '9')],
        "lower" => &[('a', 'z')],
        "upper" => &[('A', 'Z')],
        "xdigit" => &[('a', 'f'), ('A', 'F'), ('0', '9')],
        "space" => &[(' ', ' '), ('\t', '\r')],
        "blank" => &[(' ', ' '), ('\t', '\t')],
        "punct" => &[('!', '/'), (':', '@'), ('[', '`'), ('{', '~')],
        _ => return None,
    })
}

fn is_named(tokens: &[Token], name: &str) -> bool {
    let chars: Vec<char> = name.chars().collect();
    let (mut token, mut char) = (0, 0);
    let mut again = None;
    while char < chars.len() {
        let is = match tokens.get(token) {
            Some(Token::Any) => {
                token += 1;
                again = Some((token, char));
                continue;
            }
            Some(Token::One(one)) => *one == chars[char],
            Some(Token::AnyOne) => true,
            Some(Token::Of { others, ranges }) => {
                let is_in = |(first, last): &(_, _)| (first..=last).contains(&&chars[char]);
                ranges.iter().any(is_in) != *others
            }
            None => false,
        };
        if is {
            (token, char) = (token + 1, char + 1);
            continue;
        }
        let Some((after, from)) = again else {
            return false;
        };
        again = Some((after, from + 1));
        (token, char) = (after, from + 1);
    }
    tokens[token..]
        .iter()
        .all(|rest| matches!(rest, Token::Any))
}
