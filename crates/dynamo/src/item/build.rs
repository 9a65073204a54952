//! Writing the encoded form: scalars go straight to the end of the buffer, maps are sorted when they are finished.

use std::borrow::Cow;

use bytes::Bytes;

use super::view::MapRef;
use super::{HEADER, Item, Type};

/// A map holds two attributes of one name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("Duplicate attribute name: {0}")]
pub struct DuplicateName(pub String);

/// Collects the attributes of an item or of a nested map in any order, and writes them sorted.
#[derive(Debug, Default)]
pub struct MapBuilder<'n> {
    /// Name, and where its value starts in `values`; it ends where the next one starts.
    entries: Vec<(Cow<'n, str>, usize)>,
    values: Vec<u8>,
}

impl<'n> MapBuilder<'n> {
    /// A map without attributes.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// A map without attributes, with room for some: a hint that saves growing.
    #[must_use]
    pub fn with_room(attributes: usize, bytes: usize) -> Self {
        Self { entries: Vec::with_capacity(attributes), values: Vec::with_capacity(bytes) }
    }

    /// Starts an attribute: exactly one value must be encoded into the returned buffer before the next call.
    pub fn begin(&mut self, name: Cow<'n, str>) -> &mut Vec<u8> {
        self.entries.push((name, self.values.len()));
        &mut self.values
    }

    /// How many attributes were started.
    #[must_use]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether no attribute was started.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The finished item, or the name that came twice.
    pub fn try_finish_item(self) -> Result<Item, DuplicateName> {
        let mut out = Vec::with_capacity(
            HEADER + 2 + self.values.len() + self.entries.iter().map(|(name, _)| name.len() + 2).sum::<usize>(),
        );
        out.extend_from_slice(&[0; HEADER]);
        self.write_body(&mut out)?;
        let size = MapRef::new(&out[HEADER..]).attributes_size() as u32;
        out[..HEADER].copy_from_slice(&size.to_le_bytes());
        Ok(Item::from_encoded(Bytes::from(out)))
    }

    /// The finished item, where the names are known to differ.
    #[must_use]
    pub fn finish_item(self) -> Item {
        self.try_finish_item().expect("the caller gives each name once")
    }

    /// Writes the map as a nested value.
    pub fn try_finish_map(self, out: &mut Vec<u8>) -> Result<(), DuplicateName> {
        let mut body = Vec::with_capacity(self.values.len() + 16 * self.entries.len());
        self.write_body(&mut body)?;
        out.push(Type::M as u8);
        encode::bytes(out, &body);
        Ok(())
    }

    fn write_body(mut self, out: &mut Vec<u8>) -> Result<(), DuplicateName> {
        let end = self.values.len();
        let count = self.entries.len();
        let mut spans: Vec<(Cow<'n, str>, usize, usize)> = Vec::with_capacity(count);
        let mut entries = self.entries.drain(..).peekable();
        while let Some((name, start)) = entries.next() {
            let stop = entries.peek().map_or(end, |(_, next)| *next);
            spans.push((name, start, stop));
        }
        drop(entries);
        if !spans.is_sorted_by(|a, b| a.0 < b.0) {
            spans.sort_unstable_by(|a, b| a.0.cmp(&b.0));
            if let Some(pair) = spans.windows(2).find(|pair| pair[0].0 == pair[1].0) {
                return Err(DuplicateName(pair[0].0.clone().into_owned()));
            }
        }
        encode::varint(out, count);
        for (name, start, stop) in spans {
            encode::bytes(out, name.as_bytes());
            out.extend_from_slice(&self.values[start..stop]);
        }
        Ok(())
    }
}

/// Collects the members of a set in any order, and writes them sorted.
#[derive(Debug)]
pub struct SetBuilder {
    kind: Type,
    members: Vec<Vec<u8>>,
}

impl SetBuilder {
    /// An empty set of type SS, NS or BS.
    #[must_use]
    pub fn new(kind: Type) -> Self {
        debug_assert!(matches!(kind, Type::Ss | Type::Ns | Type::Bs));
        Self { kind, members: Vec::new() }
    }

    /// Adds a member: UTF-8 bytes, `Number::as_bytes`, or bytes.
    pub fn push(&mut self, member: &[u8]) {
        self.members.push(member.to_vec());
    }

    /// How many members were added.
    #[must_use]
    pub fn len(&self) -> usize {
        self.members.len()
    }

    /// Whether no member was added.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.members.is_empty()
    }

    /// Writes the set as a value. `false` if a member came twice (nothing is written then).
    #[must_use]
    pub fn finish(mut self, out: &mut Vec<u8>) -> bool {
        self.members.sort_unstable();
        if self.members.windows(2).any(|pair| pair[0] == pair[1]) {
            return false;
        }
        encode::set(out, self.kind, self.members.iter().map(Vec::as_slice));
        true
    }
}

/// One function per type of value, each appending to a buffer.
pub mod encode {
    use super::MapBuilder;
    use crate::item::view::ValueRef;
    use crate::number::Number;
    use crate::value::{Type, Value};
    use std::borrow::Cow;

    /// A string value.
    pub fn string(out: &mut Vec<u8>, text: &str) {
        out.push(Type::S as u8);
        bytes(out, text.as_bytes());
    }

    /// A number value.
    pub fn number(out: &mut Vec<u8>, number: &Number) {
        out.push(Type::N as u8);
        out.push(number.as_bytes().len() as u8);
        out.extend_from_slice(number.as_bytes());
    }

    /// A binary value.
    pub fn binary(out: &mut Vec<u8>, binary: &[u8]) {
        out.push(Type::B as u8);
        bytes(out, binary);
    }

    /// A boolean value.
    pub fn boolean(out: &mut Vec<u8>, value: bool) {
        out.push(Type::Bool as u8);
        out.push(u8::from(value));
    }

    /// A null value.
    pub fn null(out: &mut Vec<u8>) {
        out.push(Type::Null as u8);
    }

    /// A list value from the already encoded `body` of `count` values.
    pub fn list(out: &mut Vec<u8>, count: usize, body: &[u8]) {
        let mut prefix = Vec::with_capacity(4);
        varint(&mut prefix, count);
        out.push(Type::L as u8);
        varint(out, prefix.len() + body.len());
        out.extend_from_slice(&prefix);
        out.extend_from_slice(body);
    }

    /// A set value from members that ascend without duplicates.
    pub(crate) fn set<'m>(out: &mut Vec<u8>, kind: Type, members: impl ExactSizeIterator<Item = &'m [u8]>) {
        let mut body = Vec::new();
        varint(&mut body, members.len());
        for member in members {
            bytes(&mut body, member);
        }
        out.push(kind as u8);
        bytes(out, &body);
    }

    /// Any value from its tree.
    pub fn value(out: &mut Vec<u8>, tree: &Value) {
        match tree {
            Value::S(text) => string(out, text),
            Value::N(value) => number(out, value),
            Value::B(value) => binary(out, value),
            Value::Bool(value) => boolean(out, *value),
            Value::Null => null(out),
            Value::M(map) => {
                let mut builder = MapBuilder::new();
                for (name, value) in map {
                    self::value(builder.begin(Cow::Borrowed(name)), value);
                }
                builder.try_finish_map(out).expect("a map has each name once");
            }
            Value::L(values) => {
                let mut body = Vec::new();
                for element in values {
                    value(&mut body, element);
                }
                list(out, values.len(), &body);
            }
            Value::Ss(members) => set(out, Type::Ss, members.iter().map(String::as_bytes)),
            Value::Ns(members) => set(out, Type::Ns, members.iter().map(Number::as_bytes)),
            Value::Bs(members) => set(out, Type::Bs, members.iter().map(Vec::as_slice)),
        }
    }

    /// Any value from a view of another encoded value.
    pub fn view(out: &mut Vec<u8>, value: ValueRef<'_>) {
        match value {
            ValueRef::S(text) => string(out, text),
            ValueRef::N(value) => number(out, &value),
            ValueRef::B(value) => binary(out, value),
            ValueRef::Bool(value) => boolean(out, value),
            ValueRef::Null => null(out),
            ValueRef::M(map) => container(out, Type::M, map.body()),
            ValueRef::L(values) => container(out, Type::L, values.body()),
            ValueRef::Ss(set) => container(out, Type::Ss, set.body()),
            ValueRef::Ns(set) => container(out, Type::Ns, set.body()),
            ValueRef::Bs(set) => container(out, Type::Bs, set.body()),
        }
    }

    fn container(out: &mut Vec<u8>, kind: Type, body: &[u8]) {
        out.push(kind as u8);
        bytes(out, body);
    }

    /// A length and the bytes.
    pub(crate) fn bytes(out: &mut Vec<u8>, bytes: &[u8]) {
        varint(out, bytes.len());
        out.extend_from_slice(bytes);
    }

    /// Seven bits a byte, low ones first.
    pub(crate) fn varint(out: &mut Vec<u8>, mut value: usize) {
        while value >= 0x80 {
            out.push(value as u8 | 0x80);
            value >>= 7;
        }
        out.push(value as u8);
    }
}
