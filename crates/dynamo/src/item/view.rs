//! Reading the encoded form in place: views borrow the bytes and copy nothing.
//!
//! Stored bytes are checksummed below this layer, so a view that finds nonsense panics: it is a broken
//! invariant of ours, never the input of a user.

use super::HEADER;
use crate::number::Number;
use crate::value::{Map, Type, Value};

const INVARIANT: &str = "an encoded item is well formed";

/// Reads forward through encoded bytes.
#[derive(Clone, Copy)]
struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn byte(&mut self) -> u8 {
        let (first, rest) = self.0.split_first().expect(INVARIANT);
        self.0 = rest;
        *first
    }

    fn varint(&mut self) -> usize {
        let mut value = 0;
        let mut shift = 0;
        loop {
            let byte = self.byte();
            value |= usize::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return value;
            }
            shift += 7;
        }
    }

    fn take(&mut self, count: usize) -> &'a [u8] {
        let (taken, rest) = self.0.split_at(count);
        self.0 = rest;
        taken
    }

    fn bytes(&mut self) -> &'a [u8] {
        let count = self.varint();
        self.take(count)
    }

    fn value(&mut self) -> ValueRef<'a> {
        let kind = self.byte();
        match kind {
            1 => ValueRef::S(text(self.bytes())),
            2 => {
                let count = usize::from(self.byte());
                ValueRef::N(number(self.take(count)))
            }
            3 => ValueRef::B(self.bytes()),
            4 => ValueRef::Bool(self.byte() != 0),
            5 => ValueRef::Null,
            6 => ValueRef::M(MapRef::new(self.bytes())),
            7 => ValueRef::L(ListRef(self.bytes())),
            8 => ValueRef::Ss(SetRef(self.bytes())),
            9 => ValueRef::Ns(SetRef(self.bytes())),
            10 => ValueRef::Bs(SetRef(self.bytes())),
            _ => panic!("{INVARIANT}"),
        }
    }

    fn skip_value(&mut self) {
        match self.byte() {
            2 => {
                let count = usize::from(self.byte());
                self.take(count);
            }
            4 => {
                self.byte();
            }
            5 => {}
            _ => {
                self.bytes();
            }
        }
    }
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect(INVARIANT)
}

fn number(bytes: &[u8]) -> Number {
    Number::from_bytes(bytes).expect(INVARIANT)
}

/// A borrowed value.
#[derive(Clone, Copy, Debug)]
pub enum ValueRef<'a> {
    /// String.
    S(&'a str),
    /// Number.
    N(Number),
    /// Binary.
    B(&'a [u8]),
    /// Boolean.
    Bool(bool),
    /// Null.
    Null,
    /// Map.
    M(MapRef<'a>),
    /// List.
    L(ListRef<'a>),
    /// String set: members are UTF-8.
    Ss(SetRef<'a>),
    /// Number set: members are `Number::as_bytes`.
    Ns(SetRef<'a>),
    /// Binary set.
    Bs(SetRef<'a>),
}

impl<'a> ValueRef<'a> {
    /// A view of one encoded value.
    pub(crate) fn from_encoded(bytes: &'a [u8]) -> Self {
        Reader(bytes).value()
    }

    /// The type of the value.
    #[must_use]
    pub fn kind(&self) -> Type {
        match self {
            ValueRef::S(_) => Type::S,
            ValueRef::N(_) => Type::N,
            ValueRef::B(_) => Type::B,
            ValueRef::Bool(_) => Type::Bool,
            ValueRef::Null => Type::Null,
            ValueRef::M(_) => Type::M,
            ValueRef::L(_) => Type::L,
            ValueRef::Ss(_) => Type::Ss,
            ValueRef::Ns(_) => Type::Ns,
            ValueRef::Bs(_) => Type::Bs,
        }
    }

    /// The value as a tree.
    #[must_use]
    pub fn to_value(&self) -> Value {
        match self {
            ValueRef::S(text) => Value::S((*text).to_owned()),
            ValueRef::N(number) => Value::N(*number),
            ValueRef::B(bytes) => Value::B(bytes.to_vec()),
            ValueRef::Bool(value) => Value::Bool(*value),
            ValueRef::Null => Value::Null,
            ValueRef::M(map) => Value::M(map.to_map()),
            ValueRef::L(list) => Value::L(list.iter().map(|value| value.to_value()).collect()),
            ValueRef::Ss(set) => Value::Ss(set.iter().map(|member| text(member).to_owned()).collect()),
            ValueRef::Ns(set) => Value::Ns(set.iter().map(number).collect()),
            ValueRef::Bs(set) => Value::Bs(set.iter().map(<[u8]>::to_vec).collect()),
        }
    }

    /// DynamoDB's size of the value in bytes.
    #[must_use]
    pub fn size(&self) -> usize {
        match self {
            ValueRef::S(text) => text.len(),
            ValueRef::N(number) => number.size(),
            ValueRef::B(bytes) => bytes.len(),
            ValueRef::Bool(_) | ValueRef::Null => 1,
            ValueRef::M(map) => 3 + map.len() + map.attributes_size(),
            ValueRef::L(list) => 3 + list.iter().map(|value| 1 + value.size()).sum::<usize>(),
            ValueRef::Ss(set) | ValueRef::Ns(set) | ValueRef::Bs(set) => set.iter().map(<[u8]>::len).sum(),
        }
    }

    /// How deep containers nest: 0 for a scalar, 1 for a map or list of scalars.
    #[must_use]
    pub fn depth(&self) -> usize {
        match self {
            ValueRef::M(map) => 1 + map.iter().map(|(_, value)| value.depth()).max().unwrap_or(0),
            ValueRef::L(list) => 1 + list.iter().map(|value| value.depth()).max().unwrap_or(0),
            _ => 0,
        }
    }
}

/// Values are equal when they have one type and equal content; numbers by value, sets and maps without order.
impl PartialEq for ValueRef<'_> {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (ValueRef::S(a), ValueRef::S(b)) => a == b,
            (ValueRef::N(a), ValueRef::N(b)) => a == b,
            (ValueRef::B(a), ValueRef::B(b)) => a == b,
            (ValueRef::Bool(a), ValueRef::Bool(b)) => a == b,
            (ValueRef::Null, ValueRef::Null) => true,
            // The encoding is canonical, so containers compare as bytes.
            (ValueRef::M(a), ValueRef::M(b)) => a.body() == b.body(),
            (ValueRef::L(a), ValueRef::L(b)) => a.body() == b.body(),
            (ValueRef::Ss(a), ValueRef::Ss(b))
            | (ValueRef::Ns(a), ValueRef::Ns(b))
            | (ValueRef::Bs(a), ValueRef::Bs(b)) => a.body() == b.body(),
            _ => false,
        }
    }
}

/// A borrowed item.
#[derive(Clone, Copy, Debug)]
pub struct ItemRef<'a>(&'a [u8]);

impl<'a> ItemRef<'a> {
    /// A view of bytes that an [`super::Item`] gave away.
    #[must_use]
    pub fn new(bytes: &'a [u8]) -> Self {
        Self(bytes)
    }

    /// The encoded form.
    #[must_use]
    pub fn as_bytes(&self) -> &'a [u8] {
        self.0
    }

    /// The attributes as a map.
    #[must_use]
    pub fn attributes(&self) -> MapRef<'a> {
        MapRef::new(&self.0[HEADER..])
    }

    /// The attribute of that name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<ValueRef<'a>> {
        self.attributes().get(name)
    }

    /// The attributes, ascending by name.
    #[must_use]
    pub fn iter(&self) -> Entries<'a> {
        self.attributes().iter()
    }

    /// How many attributes there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.attributes().len()
    }

    /// Whether there are no attributes.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// DynamoDB's size of the item; kept in the header, so this costs nothing.
    #[must_use]
    pub fn size(&self) -> usize {
        let header = self.0[..HEADER].try_into().expect(INVARIANT);
        u32::from_le_bytes(header) as usize
    }

    /// The attributes as a tree.
    #[must_use]
    pub fn to_map(&self) -> Map {
        self.attributes().to_map()
    }

    /// An owned copy.
    #[must_use]
    pub fn to_item(&self) -> super::Item {
        super::Item::from_encoded(bytes::Bytes::copy_from_slice(self.0))
    }
}

/// A borrowed map.
#[derive(Clone, Copy, Debug)]
pub struct MapRef<'a>(&'a [u8]);

impl<'a> MapRef<'a> {
    pub(super) fn new(body: &'a [u8]) -> Self {
        Self(body)
    }

    pub(super) fn body(&self) -> &'a [u8] {
        self.0
    }

    /// How many attributes there are.
    #[must_use]
    pub fn len(&self) -> usize {
        Reader(self.0).varint()
    }

    /// Whether there are no attributes.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The attribute of that name. Names ascend, so the search stops early.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<ValueRef<'a>> {
        let mut reader = Reader(self.0);
        for _ in 0..reader.varint() {
            match reader.bytes().cmp(name.as_bytes()) {
                std::cmp::Ordering::Less => reader.skip_value(),
                std::cmp::Ordering::Equal => return Some(reader.value()),
                std::cmp::Ordering::Greater => return None,
            }
        }
        None
    }

    /// The attributes, ascending by name, with their values as they are encoded: for copying and sharing.
    pub(crate) fn encoded_entries(&self) -> impl Iterator<Item = (&'a str, &'a [u8])> + use<'a> {
        let mut reader = Reader(self.0);
        (0..reader.varint()).map(move |_| {
            let name = text(reader.bytes());
            let start = reader.0;
            reader.skip_value();
            (name, &start[..start.len() - reader.0.len()])
        })
    }

    /// The attributes, ascending by name.
    #[must_use]
    pub fn iter(&self) -> Entries<'a> {
        let mut reader = Reader(self.0);
        let left = reader.varint();
        Entries { reader, left }
    }

    /// The attributes as a tree.
    #[must_use]
    pub fn to_map(&self) -> Map {
        self.iter().map(|(name, value)| (name.to_owned(), value.to_value())).collect()
    }

    pub(super) fn attributes_size(&self) -> usize {
        self.iter().map(|(name, value)| name.len() + value.size()).sum()
    }
}

/// The attributes of a map, ascending by name.
pub struct Entries<'a> {
    reader: Reader<'a>,
    left: usize,
}

impl<'a> Iterator for Entries<'a> {
    type Item = (&'a str, ValueRef<'a>);

    fn next(&mut self) -> Option<Self::Item> {
        self.left = self.left.checked_sub(1)?;
        let name = text(self.reader.bytes());
        Some((name, self.reader.value()))
    }
}

/// A borrowed list.
#[derive(Clone, Copy, Debug)]
pub struct ListRef<'a>(&'a [u8]);

impl<'a> ListRef<'a> {
    pub(super) fn body(&self) -> &'a [u8] {
        self.0
    }

    /// How many values there are.
    #[must_use]
    pub fn len(&self) -> usize {
        Reader(self.0).varint()
    }

    /// Whether there are no values.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The value at a position.
    #[must_use]
    pub fn get(&self, position: usize) -> Option<ValueRef<'a>> {
        let mut reader = Reader(self.0);
        if position >= reader.varint() {
            return None;
        }
        for _ in 0..position {
            reader.skip_value();
        }
        Some(reader.value())
    }

    /// The values in order.
    pub fn iter(&self) -> impl Iterator<Item = ValueRef<'a>> + use<'a> {
        let mut reader = Reader(self.0);
        (0..reader.varint()).map(move |_| reader.value())
    }
}

/// A borrowed set; its members are bytes whose meaning the set's type tells.
#[derive(Clone, Copy, Debug)]
pub struct SetRef<'a>(&'a [u8]);

impl<'a> SetRef<'a> {
    pub(super) fn body(&self) -> &'a [u8] {
        self.0
    }

    /// How many members there are.
    #[must_use]
    pub fn len(&self) -> usize {
        Reader(self.0).varint()
    }

    /// Whether there are no members.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The members, ascending.
    pub fn iter(&self) -> impl Iterator<Item = &'a [u8]> + use<'a> {
        let mut reader = Reader(self.0);
        (0..reader.varint()).map(move |_| reader.bytes())
    }

    /// Whether a member is in the set.
    #[must_use]
    pub fn contains(&self, member: &[u8]) -> bool {
        self.iter().any(|candidate| candidate == member)
    }
}
