//! Tokens of an expression, one at a time, straight from its bytes.

/// What a token is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Name,
    /// `#name`
    Alias,
    /// `:value`
    Value,
    Integer,
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    Open,
    Close,
    OpenBracket,
    CloseBracket,
    Comma,
    Dot,
    Plus,
    Minus,
    And,
    Or,
    Not,
    Between,
    In,
    Set,
    Remove,
    Add,
    Delete,
    /// A character that starts no token.
    Unknown,
    End,
}

/// A token, and where it stands.
#[derive(Debug, Clone, Copy)]
pub(super) struct Token {
    pub(super) kind: Kind,
    pub(super) start: usize,
    pub(super) end: usize,
}

/// The token that starts at or after a position.
pub(super) fn token(text: &str, from: usize) -> Token {
    let bytes = text.as_bytes();
    let start = from + count(&bytes[from..], |byte| matches!(byte, b' ' | b'\t' | b'\r' | b'\n'));
    let Some(&first) = bytes.get(start) else {
        return Token { kind: Kind::End, start, end: start };
    };
    let rest = &bytes[start + 1..];
    let (kind, length) = match first {
        b'a'..=b'z' | b'A'..=b'Z' => {
            let length = 1 + count(rest, is_word);
            (keyword(&bytes[start..start + length]), length)
        }
        b'#' | b':' => match count(rest, is_word) {
            0 => (Kind::Unknown, 1),
            length => (if first == b'#' { Kind::Alias } else { Kind::Value }, 1 + length),
        },
        // No leading zeros: `01` is two tokens.
        b'0' => (Kind::Integer, 1),
        b'1'..=b'9' => (Kind::Integer, 1 + count(rest, |byte| byte.is_ascii_digit())),
        b'=' => (Kind::Equal, 1),
        b'<' => match rest.first() {
            Some(b'>') => (Kind::NotEqual, 2),
            Some(b'=') => (Kind::LessOrEqual, 2),
            _ => (Kind::Less, 1),
        },
        b'>' => match rest.first() {
            Some(b'=') => (Kind::GreaterOrEqual, 2),
            _ => (Kind::Greater, 1),
        },
        b'(' => (Kind::Open, 1),
        b')' => (Kind::Close, 1),
        b'[' => (Kind::OpenBracket, 1),
        b']' => (Kind::CloseBracket, 1),
        b',' => (Kind::Comma, 1),
        b'.' => (Kind::Dot, 1),
        b'+' => (Kind::Plus, 1),
        b'-' => (Kind::Minus, 1),
        _ => (Kind::Unknown, text[start..].chars().next().map_or(1, char::len_utf8)),
    };
    Token { kind, start, end: start + length }
}

fn count(bytes: &[u8], accept: impl Fn(&u8) -> bool) -> usize {
    bytes.iter().take_while(|byte| accept(byte)).count()
}

fn is_word(byte: &u8) -> bool {
    byte.is_ascii_alphanumeric() || *byte == b'_'
}

/// All expressions share one set of keywords, so that `set` is one in conditions too.
fn keyword(word: &[u8]) -> Kind {
    let is = |keyword: &str| word.eq_ignore_ascii_case(keyword.as_bytes());
    match word.len() {
        2 if is("OR") => Kind::Or,
        2 if is("IN") => Kind::In,
        3 if is("AND") => Kind::And,
        3 if is("NOT") => Kind::Not,
        3 if is("SET") => Kind::Set,
        3 if is("ADD") => Kind::Add,
        6 if is("REMOVE") => Kind::Remove,
        6 if is("DELETE") => Kind::Delete,
        7 if is("BETWEEN") => Kind::Between,
        _ => Kind::Name,
    }
}
