//! The tokenizer under all requests: one pass over a body, strings borrowed from it, nothing built in between.
//!
//! A body is checked to be UTF-8 once, so every string handed out is sound; lone surrogates, byte order marks,
//! control characters and truncated bodies are malformed. No method recurses, so depth costs no stack.

use std::borrow::Cow;

/// The deepest nesting that is skipped over; anything deeper is malformed. No member of any request comes near.
const DEPTH_MAX: usize = 1_000;

/// The body is not JSON, or names a member twice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Malformed;

/// What the next value is, told by its first byte.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Null,
    True,
    False,
    Number,
    String,
    Array,
    Object,
}

/// A position in a body.
pub(crate) struct Reader<'j> {
    text: &'j str,
    bytes: &'j [u8],
    at: usize,
}

impl<'j> Reader<'j> {
    /// Starts at the beginning of a body.
    pub(crate) fn new(body: &'j [u8]) -> Result<Self, Malformed> {
        let text = std::str::from_utf8(body).map_err(|_| Malformed)?;
        Ok(Self { text, bytes: body, at: 0 })
    }

    /// Looks at the next value.
    #[inline]
    pub(crate) fn peek(&mut self) -> Result<Kind, Malformed> {
        Ok(match self.next_byte()? {
            b'"' => Kind::String,
            b'{' => Kind::Object,
            b'[' => Kind::Array,
            b't' => Kind::True,
            b'f' => Kind::False,
            b'n' => Kind::Null,
            b'-' | b'0'..=b'9' => Kind::Number,
            _ => return Err(Malformed),
        })
    }

    /// Steps into an object.
    pub(crate) fn enter_object(&mut self) -> Result<(), Malformed> {
        self.expect(b'{')
    }

    /// The next key of the object, up to its colon; `None` after the last. `first` starts as true.
    #[inline]
    pub(crate) fn next_key(&mut self, first: &mut bool) -> Result<Option<Cow<'j, str>>, Malformed> {
        if !self.next_entry(b'}', first)? {
            return Ok(None);
        }
        let key = self.string()?;
        self.expect(b':')?;
        Ok(Some(key))
    }

    /// Steps into an array.
    pub(crate) fn enter_array(&mut self) -> Result<(), Malformed> {
        self.expect(b'[')
    }

    /// Whether there is another element in the array. `first` starts as true.
    pub(crate) fn next_element(&mut self, first: &mut bool) -> Result<bool, Malformed> {
        self.next_entry(b']', first)
    }

    /// Reads `null`, `true` or `false`.
    pub(crate) fn literal(&mut self, word: &'static str) -> Result<(), Malformed> {
        self.next_byte()?;
        match self.bytes.get(self.at..self.at + word.len()) {
            Some(found) if found == word.as_bytes() => {
                self.at += word.len();
                Ok(())
            }
            _ => Err(Malformed),
        }
    }

    /// Reads a number and returns its text.
    pub(crate) fn number(&mut self) -> Result<&'j str, Malformed> {
        self.next_byte()?;
        let start = self.at;
        self.take(b'-');
        match self.bytes.get(self.at) {
            Some(b'0') => self.at += 1,
            Some(b'1'..=b'9') => self.digits()?,
            _ => return Err(Malformed),
        }
        if self.take(b'.') {
            self.digits()?;
        }
        if self.take(b'e') || self.take(b'E') {
            let _signed = self.take(b'+') || self.take(b'-');
            self.digits()?;
        }
        Ok(&self.text[start..self.at])
    }

    /// Reads a string; it is borrowed from the body unless it has escapes.
    #[inline]
    pub(crate) fn string(&mut self) -> Result<Cow<'j, str>, Malformed> {
        self.expect(b'"')?;
        let start = self.at;
        match self.plain_run()? {
            b'"' => {
                let text = &self.text[start..self.at];
                self.at += 1;
                Ok(Cow::Borrowed(text))
            }
            _ => self.escaped(start).map(Cow::Owned),
        }
    }

    /// Steps over the next value, whatever it is.
    pub(crate) fn skip(&mut self) -> Result<(), Malformed> {
        // One flag per open container: whether it is an object.
        let mut open: Vec<bool> = Vec::new();
        let mut first = false;
        loop {
            let entered = match self.peek()? {
                Kind::Null => self.literal("null").map(|()| false)?,
                Kind::True => self.literal("true").map(|()| false)?,
                Kind::False => self.literal("false").map(|()| false)?,
                Kind::Number => self.number().map(|_| false)?,
                Kind::String => self.string().map(|_| false)?,
                kind => {
                    self.at += 1;
                    open.push(kind == Kind::Object);
                    true
                }
            };
            if open.len() > DEPTH_MAX {
                return Err(Malformed);
            }
            if entered {
                first = true;
            }
            loop {
                let Some(is_object) = open.last() else { return Ok(()) };
                let more =
                    if *is_object { self.next_key(&mut first)?.is_some() } else { self.next_element(&mut first)? };
                if more {
                    break;
                }
                open.pop();
                first = false;
            }
        }
    }

    /// Checks that nothing but white space is left.
    pub(crate) fn finish(&mut self) -> Result<(), Malformed> {
        match self.next_byte() {
            Err(Malformed) => Ok(()),
            Ok(_) => Err(Malformed),
        }
    }

    #[inline]
    fn next_entry(&mut self, close: u8, first: &mut bool) -> Result<bool, Malformed> {
        let byte = self.next_byte()?;
        if byte == close {
            self.at += 1;
            return Ok(false);
        }
        if !std::mem::replace(first, false) {
            if byte != b',' {
                return Err(Malformed);
            }
            self.at += 1;
        }
        Ok(true)
    }

    /// The next byte that is not white space; it stays the next one.
    #[inline]
    fn next_byte(&mut self) -> Result<u8, Malformed> {
        while let Some(byte) = self.bytes.get(self.at) {
            match byte {
                b' ' | b'\n' | b'\r' | b'\t' => self.at += 1,
                byte => return Ok(*byte),
            }
        }
        Err(Malformed)
    }

    #[inline]
    fn expect(&mut self, wanted: u8) -> Result<(), Malformed> {
        if self.next_byte()? == wanted {
            self.at += 1;
            Ok(())
        } else {
            Err(Malformed)
        }
    }

    fn take(&mut self, wanted: u8) -> bool {
        let found = self.bytes.get(self.at) == Some(&wanted);
        self.at += usize::from(found);
        found
    }

    fn digits(&mut self) -> Result<(), Malformed> {
        let count = self.bytes[self.at..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        self.at += count;
        if count == 0 { Err(Malformed) } else { Ok(()) }
    }

    /// Moves to the next quote or backslash of a string and tells which it is.
    #[inline]
    fn plain_run(&mut self) -> Result<u8, Malformed> {
        let rest = &self.bytes[self.at..];
        let stop = plain_length(rest);
        if stop == rest.len() {
            return Err(Malformed);
        }
        self.at += stop;
        match rest[stop] {
            byte @ (b'"' | b'\\') => Ok(byte),
            _ => Err(Malformed),
        }
    }

    /// Reads the rest of a string that has escapes; the position is at the first backslash.
    fn escaped(&mut self, start: usize) -> Result<String, Malformed> {
        let mut text = self.text[start..self.at].to_owned();
        loop {
            self.at += 1;
            let escape = *self.bytes.get(self.at).ok_or(Malformed)?;
            self.at += 1;
            text.push(match escape {
                b'"' => '"',
                b'\\' => '\\',
                b'/' => '/',
                b'b' => '\u{8}',
                b'f' => '\u{c}',
                b'n' => '\n',
                b'r' => '\r',
                b't' => '\t',
                b'u' => self.unicode_escape()?,
                _ => return Err(Malformed),
            });
            let start = self.at;
            let stop = self.plain_run()?;
            text.push_str(&self.text[start..self.at]);
            if stop == b'"' {
                self.at += 1;
                return Ok(text);
            }
        }
    }

    fn unicode_escape(&mut self) -> Result<char, Malformed> {
        let unit = self.hex_unit()?;
        if !(0xd800..0xdc00).contains(&unit) {
            return char::from_u32(unit).ok_or(Malformed);
        }
        if !(self.take(b'\\') && self.take(b'u')) {
            return Err(Malformed);
        }
        let low = self.hex_unit()?;
        if !(0xdc00..0xe000).contains(&low) {
            return Err(Malformed);
        }
        char::from_u32(0x1_0000 + ((unit - 0xd800) << 10) + (low - 0xdc00)).ok_or(Malformed)
    }

    fn hex_unit(&mut self) -> Result<u32, Malformed> {
        let digits = self.bytes.get(self.at..self.at + 4).ok_or(Malformed)?;
        self.at += 4;
        digits
            .iter()
            .try_fold(0, |unit, digit| (*digit as char).to_digit(16).map(|digit| unit * 16 + digit).ok_or(Malformed))
    }
}

/// How many bytes a string may start with as they are: up to the first quote, backslash or control character.
/// Eight bytes are looked at in one step.
#[inline]
pub(crate) fn plain_length(bytes: &[u8]) -> usize {
    const ONES: u64 = u64::from_le_bytes([0x01; 8]);
    const HIGH: u64 = u64::from_le_bytes([0x80; 8]);
    let mut at = 0;
    while let Some(chunk) = bytes.get(at..at + 8) {
        let word = u64::from_le_bytes(chunk.try_into().expect("a chunk has eight bytes"));
        // The high bit of a byte is set if the byte is below 0x20, or is zero once quote or backslash is taken out.
        // A borrow may mark bytes above a marked one, so the lowest mark is right, and only that is looked at.
        let zero = |word: u64| word.wrapping_sub(ONES) & !word;
        let control = word.wrapping_sub(ONES * 0x20) & !word;
        let found = (control | zero(word ^ (ONES * u64::from(b'"'))) | zero(word ^ (ONES * u64::from(b'\\')))) & HIGH;
        if found != 0 {
            return at + found.trailing_zeros() as usize / 8;
        }
        at += 8;
    }
    let is_special = |byte: &u8| matches!(byte, b'"' | b'\\' | 0..=0x1f);
    at + bytes[at..].iter().position(is_special).unwrap_or(bytes.len() - at)
}

/// Whether a body is one JSON value and nothing else.
#[must_use]
pub fn is_well_formed(body: &[u8]) -> bool {
    Reader::new(body).and_then(|mut reader| reader.skip().and_then(|()| reader.finish())).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn strings_are_decoded_or_refused() {
        for (body, text) in [
            (r#""plain""#, "plain"),
            (r#""a\"\\\/\b\f\n\r\tz""#, "a\"\\/\u{8}\u{c}\n\r\tz"),
            (r#""\u00e9\ud83d\ude00!""#, "\u{e9}\u{1f600}!"),
            ("\"\u{e9}\\n\u{e9}\"", "\u{e9}\n\u{e9}"),
        ] {
            assert_eq!(Reader::new(body.as_bytes()).unwrap().string().unwrap(), text);
        }
        for body in
            [r#""\ud800""#, r#""\ud800x""#, r#""\ud800\u0041""#, r#""\udc00""#, r#""\u12""#, r#""\x""#, "\"a", "\"\n\""]
        {
            assert!(!is_well_formed(body.as_bytes()), "{body}");
        }
        assert!(!is_well_formed(b"\"\xff\""));
        assert!(!is_well_formed("\u{feff}{}".as_bytes()));
    }

    #[test]
    fn depth_is_bounded_without_a_stack() {
        let deep = |depth: usize| "[".repeat(depth) + &"]".repeat(depth);
        assert!(is_well_formed(deep(DEPTH_MAX).as_bytes()));
        assert!(!is_well_formed(deep(200_000).as_bytes()));
    }

    proptest! {
        #[test]
        fn plain_bytes_end_at_the_first_special_one(bytes in prop::collection::vec(any::<u8>(), 0..40)) {
            let slow = bytes.iter().position(|byte| matches!(byte, b'"' | b'\\' | 0..=0x1f)).unwrap_or(bytes.len());
            prop_assert_eq!(plain_length(&bytes), slow);
        }

        #[test]
        fn agrees_with_an_independent_parser(body in prop_oneof![
            r#"[\[\]{}:,"a0-9.eE+\- \\untrlfs]{0,24}"#,
            r#"\{"[ab]":[0-9tfn]{1,3}(,"c":\[1,"x"\])?\}?"#,
        ]) {
            let theirs = serde_json::from_str::<serde_json::Value>(&body);
            // A number beyond f64 is theirs to refuse, not a matter of grammar.
            prop_assume!(!theirs.as_ref().is_err_and(|error| error.to_string().contains("out of range")));
            prop_assert_eq!(is_well_formed(body.as_bytes()), theirs.is_ok(), "{}", body);
        }
    }
}
