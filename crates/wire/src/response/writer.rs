//! The one JSON writer: objects, lists and items, straight into the buffer that is sent.

use std::io::Write;

use espalier_dynamo::item::{Entries, SetRef};
use espalier_dynamo::{Item, Number, ValueRef};

use crate::json::plain_length;

/// Writing to memory cannot fail.
const INFALLIBLE: &str = "a vector takes any write";

/// An object that is being written.
pub(crate) struct Object<'o> {
    out: &'o mut Vec<u8>,
    first: bool,
}

impl<'o> Object<'o> {
    /// Opens an object.
    pub(crate) fn begin(out: &'o mut Vec<u8>) -> Self {
        out.push(b'{');
        Self { out, first: true }
    }

    /// Closes the object.
    pub(crate) fn end(self) {
        self.out.push(b'}');
    }

    /// Starts a member: exactly one value must follow. The name is one of ours and needs no escaping.
    pub(crate) fn member(&mut self, name: &str) -> &mut Vec<u8> {
        self.comma();
        self.out.push(b'"');
        self.out.extend_from_slice(name.as_bytes());
        self.out.extend_from_slice(b"\":");
        self.out
    }

    /// Starts a member whose name comes from a user.
    pub(crate) fn entry(&mut self, name: &str) -> &mut Vec<u8> {
        self.comma();
        string(self.out, name);
        self.out.push(b':');
        self.out
    }

    fn comma(&mut self) {
        if !std::mem::replace(&mut self.first, false) {
            self.out.push(b',');
        }
    }

    /// A text.
    pub(crate) fn text(&mut self, name: &str, value: &str) {
        string(self.member(name), value);
    }

    /// A text, if there is one.
    pub(crate) fn optional_text(&mut self, name: &str, value: Option<&str>) {
        if let Some(value) = value {
            self.text(name, value);
        }
    }

    /// A boolean.
    pub(crate) fn flag(&mut self, name: &str, value: bool) {
        self.member(name).extend_from_slice(if value { b"true" } else { b"false" });
    }

    /// A whole number.
    pub(crate) fn integer(&mut self, name: &str, value: i64) {
        write!(self.member(name), "{value}").expect(INFALLIBLE);
    }

    /// A whole number, if there is one.
    pub(crate) fn optional_integer(&mut self, name: &str, value: Option<i64>) {
        if let Some(value) = value {
            self.integer(name, value);
        }
    }

    /// A number that always shows its fraction, as capacity units do.
    pub(crate) fn decimal(&mut self, name: &str, value: f64) {
        decimal(self.member(name), value);
    }

    /// A number that always shows its fraction, if there is one.
    pub(crate) fn optional_decimal(&mut self, name: &str, value: Option<f64>) {
        if let Some(value) = value {
            self.decimal(name, value);
        }
    }

    /// A moment, given in milliseconds since 1970 and written in seconds with a fraction.
    pub(crate) fn moment(&mut self, name: &str, milliseconds: i64) {
        let (seconds, rest) = (milliseconds.div_euclid(1_000), milliseconds.rem_euclid(1_000));
        write!(self.member(name), "{seconds}.{rest:03}").expect(INFALLIBLE);
    }

    /// A moment, if there is one.
    pub(crate) fn optional_moment(&mut self, name: &str, milliseconds: Option<i64>) {
        if let Some(milliseconds) = milliseconds {
            self.moment(name, milliseconds);
        }
    }

    /// An item or key.
    pub(crate) fn item(&mut self, name: &str, value: &Item) {
        item(self.member(name), value);
    }

    /// An item or key, if there is one.
    pub(crate) fn optional_item(&mut self, name: &str, value: Option<&Item>) {
        if let Some(value) = value {
            self.item(name, value);
        }
    }

    /// A list.
    pub(crate) fn list<'v, T: 'v>(
        &mut self,
        name: &str,
        values: impl IntoIterator<Item = &'v T>,
        write: impl FnMut(&mut Vec<u8>, &'v T),
    ) {
        list(self.member(name), values, write);
    }

    /// A list, unless it is empty.
    pub(crate) fn non_empty_list<'v, T: 'v>(
        &mut self,
        name: &str,
        values: &'v [T],
        write: impl FnMut(&mut Vec<u8>, &'v T),
    ) {
        if !values.is_empty() {
            self.list(name, values, write);
        }
    }

    /// An object inside the object.
    pub(crate) fn object(&mut self, name: &str, write: impl FnOnce(&mut Object<'_>)) {
        let mut inner = Object::begin(self.member(name));
        write(&mut inner);
        inner.end();
    }

    /// An object whose names come from users.
    pub(crate) fn map<'v, T: 'v>(
        &mut self,
        name: &str,
        entries: impl IntoIterator<Item = (&'v String, &'v T)>,
        mut write: impl FnMut(&mut Vec<u8>, &'v T),
    ) {
        self.object(name, |inner| {
            for (key, value) in entries {
                write(inner.entry(key), value);
            }
        });
    }
}

/// A list of anything.
pub(crate) fn list<'v, T: 'v>(
    out: &mut Vec<u8>,
    values: impl IntoIterator<Item = &'v T>,
    mut write: impl FnMut(&mut Vec<u8>, &'v T),
) {
    out.push(b'[');
    for (position, value) in values.into_iter().enumerate() {
        if position > 0 {
            out.push(b',');
        }
        write(out, value);
    }
    out.push(b']');
}

/// A number that always shows its fraction.
pub(crate) fn decimal(out: &mut Vec<u8>, value: f64) {
    write!(out, "{value:?}").expect(INFALLIBLE);
}

/// A string with its escapes.
pub(crate) fn string(out: &mut Vec<u8>, text: &str) {
    out.push(b'"');
    let mut rest = text.as_bytes();
    loop {
        let (plain, special) = rest.split_at(plain_length(rest));
        out.extend_from_slice(plain);
        let Some((byte, after)) = special.split_first() else { break };
        escape(out, *byte);
        rest = after;
    }
    out.push(b'"');
}

fn escape(out: &mut Vec<u8>, byte: u8) {
    let short = match byte {
        b'"' | b'\\' => byte,
        b'\n' => b'n',
        b'\r' => b'r',
        b'\t' => b't',
        0x08 => b'b',
        0x0c => b'f',
        _ => return write!(out, "\\u{byte:04x}").expect(INFALLIBLE),
    };
    out.extend_from_slice(&[b'\\', short]);
}

/// An item as DynamoDB JSON.
pub(crate) fn item(out: &mut Vec<u8>, item: &Item) {
    attributes(out, item.iter());
}

fn attributes(out: &mut Vec<u8>, entries: Entries<'_>) {
    let mut object = Object::begin(out);
    for (name, attribute) in entries {
        value(object.entry(name), attribute);
    }
    object.end();
}

fn value(out: &mut Vec<u8>, value: ValueRef<'_>) {
    match value {
        ValueRef::S(text) => {
            out.extend_from_slice(b"{\"S\":");
            string(out, text);
        }
        ValueRef::N(digits) => {
            out.extend_from_slice(b"{\"N\":");
            number(out, &digits);
        }
        ValueRef::B(bytes) => {
            out.extend_from_slice(b"{\"B\":");
            binary(out, bytes);
        }
        ValueRef::Bool(true) => out.extend_from_slice(b"{\"BOOL\":true"),
        ValueRef::Bool(false) => out.extend_from_slice(b"{\"BOOL\":false"),
        ValueRef::Null => out.extend_from_slice(b"{\"NULL\":true"),
        ValueRef::M(map) => {
            out.extend_from_slice(b"{\"M\":");
            attributes(out, map.iter());
        }
        ValueRef::L(values) => {
            out.extend_from_slice(b"{\"L\":[");
            for (position, element) in values.iter().enumerate() {
                if position > 0 {
                    out.push(b',');
                }
                self::value(out, element);
            }
            out.push(b']');
        }
        ValueRef::Ss(members) => set(out, b"{\"SS\":[", members, |out, member| {
            string(out, std::str::from_utf8(member).expect("string sets hold UTF-8"));
        }),
        ValueRef::Ns(members) => set(out, b"{\"NS\":[", members, |out, member| {
            number(out, &Number::from_bytes(member).expect("number sets hold numbers"));
        }),
        ValueRef::Bs(members) => set(out, b"{\"BS\":[", members, binary),
    }
    out.push(b'}');
}

fn set(out: &mut Vec<u8>, open: &[u8], members: SetRef<'_>, write: impl Fn(&mut Vec<u8>, &[u8])) {
    out.extend_from_slice(open);
    for (position, member) in members.iter().enumerate() {
        if position > 0 {
            out.push(b',');
        }
        write(out, member);
    }
    out.push(b']');
}

fn number(out: &mut Vec<u8>, number: &Number) {
    out.push(b'"');
    number.write_text(out);
    out.push(b'"');
}

fn binary(out: &mut Vec<u8>, bytes: &[u8]) {
    out.push(b'"');
    base64_simd::STANDARD.encode_append(bytes, out);
    out.push(b'"');
}
