//! From text to tokens, each with its place in the text.

use std::fmt;

use super::error::Malformed;
use super::keyword;

/// Where a token stands: line and column from one, and how long it is, in characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Span {
    /// The line.
    pub line: u32,
    /// The column.
    pub column: u32,
    /// The length.
    pub length: u32,
}

impl fmt::Display for Span {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}:{}:{}", self.line, self.column, self.length)
    }
}

/// One token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Token {
    pub(super) kind: Kind,
    pub(super) at: Span,
}

/// What a token is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Kind {
    /// A word that is no keyword, or anything in double quotes.
    Name(String),
    /// A keyword, in lower case.
    Keyword(String),
    /// Text in single quotes.
    String(String),
    /// A number, as written.
    Number(String),
    /// A value in backticks, which DynamoDB reads and refuses.
    Ion,
    /// `?`, counted from zero.
    Parameter(usize),
    /// An operator or a bracket.
    Sign(&'static str),
    /// The end of the text.
    End,
}

/// Operators and brackets; of two that start alike the longer comes first.
const SIGNS: [&str; 27] = [
    "<<", ">>", "<=", ">=", "<>", "!=", "||", "=", "<", ">", "+", "-", "*", "/", "%", "(", ")", "[", "]", "{", "}",
    ",", ".", ":", ";", "@", "~",
];

/// All tokens of a text; the last one is [`Kind::End`].
pub(super) fn tokens(text: &str) -> Result<Vec<Token>, Malformed> {
    let mut lexer = Lexer { rest: text, line: 1, column: 1, parameters: 0 };
    let mut tokens = Vec::new();
    loop {
        lexer.skip_blank()?;
        let (line, column, before) = (lexer.line, lexer.column, lexer.rest);
        let kind = lexer.token()?;
        let length = before[..before.len() - lexer.rest.len()].chars().count() as u32;
        let is_end = kind == Kind::End;
        tokens.push(Token { kind, at: Span { line, column, length } });
        if is_end {
            return Ok(tokens);
        }
    }
}

struct Lexer<'t> {
    rest: &'t str,
    line: u32,
    column: u32,
    parameters: usize,
}

impl<'t> Lexer<'t> {
    /// Takes bytes off the front, keeping count of lines and columns.
    fn take(&mut self, bytes: usize) -> &'t str {
        let (taken, rest) = self.rest.split_at(bytes);
        for character in taken.chars() {
            if character == '\n' {
                self.line += 1;
                self.column = 1;
            } else {
                self.column += 1;
            }
        }
        self.rest = rest;
        taken
    }

    fn skip_blank(&mut self) -> Result<(), Malformed> {
        loop {
            let blank = self.rest.len() - self.rest.trim_start().len();
            let skipped = if blank > 0 {
                blank
            } else if self.rest.starts_with("--") {
                self.rest.find('\n').unwrap_or(self.rest.len())
            } else if self.rest.starts_with("/*") {
                self.rest.find("*/").ok_or(Malformed::Unreadable)? + "*/".len()
            } else {
                return Ok(());
            };
            self.take(skipped);
        }
    }

    fn token(&mut self) -> Result<Kind, Malformed> {
        let bytes = self.rest.as_bytes();
        let Some(first) = bytes.first() else { return Ok(Kind::End) };
        match first {
            b'\'' => Ok(Kind::String(self.quoted('\'')?)),
            b'"' => Ok(Kind::Name(self.quoted('"')?)),
            b'`' => self.quoted('`').map(|_| Kind::Ion),
            b'?' => {
                self.take(1);
                self.parameters += 1;
                Ok(Kind::Parameter(self.parameters - 1))
            }
            b'0'..=b'9' => self.number(),
            b'.' if bytes.get(1).is_some_and(u8::is_ascii_digit) => self.number(),
            first if is_word(first) => {
                let length = count(bytes, is_word);
                let word = self.take(length);
                let lower = word.to_ascii_lowercase();
                Ok(if keyword::is_keyword(&lower) { Kind::Keyword(lower) } else { Kind::Name(word.to_owned()) })
            }
            _ => {
                let sign = SIGNS.into_iter().find(|sign| self.rest.starts_with(sign)).ok_or(Malformed::Unreadable)?;
                self.take(sign.len());
                Ok(Kind::Sign(if sign == "!=" { "<>" } else { sign }))
            }
        }
    }

    /// What stands between two quotes; the quote itself is written twice.
    fn quoted(&mut self, quote: char) -> Result<String, Malformed> {
        let mut length = 1;
        loop {
            length += self.rest[length..].find(quote).ok_or(Malformed::Unreadable)? + 1;
            if !self.rest[length..].starts_with(quote) {
                break;
            }
            length += 1;
        }
        let taken = self.take(length);
        let twice = [quote, quote].iter().collect::<String>();
        Ok(taken[1..taken.len() - 1].replace(&twice, quote.encode_utf8(&mut [0; 4])))
    }

    fn number(&mut self) -> Result<Kind, Malformed> {
        let bytes = self.rest.as_bytes();
        let mut length = count(bytes, u8::is_ascii_digit);
        let mut decimals = 0;
        if bytes.get(length) == Some(&b'.') {
            decimals = count(&bytes[length + 1..], u8::is_ascii_digit);
            length += 1 + decimals;
        }
        if matches!(bytes.get(length), Some(b'e' | b'E')) {
            let sign = usize::from(matches!(bytes.get(length + 1), Some(b'+' | b'-')));
            let digits = count(&bytes[length + 1 + sign..], u8::is_ascii_digit);
            let exponent = &self.rest[length + 1..length + 1 + sign + digits];
            check_scale(exponent, decimals)?;
            length += 1 + sign + digits;
        }
        if bytes.get(length).is_some_and(is_word) {
            return Err(Malformed::Unreadable);
        }
        Ok(Kind::Number(self.take(length).to_owned()))
    }
}

/// DynamoDB keeps the exponent, and the digits after the point less the exponent, in 32 bits each.
fn check_scale(exponent: &str, decimals: usize) -> Result<(), Malformed> {
    let exponent: i32 = exponent.parse().map_err(|_| Malformed::Unreadable)?;
    i32::try_from(decimals as i64 - i64::from(exponent)).map_err(|_| Malformed::Unreadable)?;
    Ok(())
}

fn is_word(byte: &u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$')
}

fn count(bytes: &[u8], accept: impl Fn(&u8) -> bool) -> usize {
    bytes.iter().take_while(|byte| accept(byte)).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(text: &str) -> Vec<Kind> {
        tokens(text).expect("readable").into_iter().map(|token| token.kind).collect()
    }

    #[test]
    fn tokens_know_their_place() {
        let tokens = tokens("SELECT \"é\"\n  FROM /* x */ t -- end").expect("readable");
        let places: Vec<String> = tokens.iter().map(|token| token.at.to_string()).collect();
        assert_eq!(places, ["1:1:6", "1:8:3", "2:3:4", "2:16:1", "2:24:0"]);
    }

    #[test]
    fn quotes_are_doubled_and_numbers_keep_their_text() {
        assert_eq!(
            kinds("'it''s' \"a\"\"b\" -1.50e+3 .5 ?"),
            [
                Kind::String("it's".to_owned()),
                Kind::Name("a\"b".to_owned()),
                Kind::Sign("-"),
                Kind::Number("1.50e+3".to_owned()),
                Kind::Number(".5".to_owned()),
                Kind::Parameter(0),
                Kind::End
            ]
        );
        assert_eq!(kinds("n>-5;")[1..4], [Kind::Sign(">"), Kind::Sign("-"), Kind::Number("5".to_owned())]);
    }

    #[test]
    fn what_cannot_be_read_is_refused() {
        for text in ["\"", "'a", "`a", "/* a", "# a", "1e2147483648", "1.5e-2147483647", "1e", "1x", "a ! b", "é"] {
            assert_eq!(tokens(text), Err(Malformed::Unreadable), "{text}");
        }
    }
}
