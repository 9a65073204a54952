//! The encoded form of items and values, and views that read it in place.
//!
//! An item is stored, filtered, projected and written out as JSON from one run of bytes, without building a
//! tree in between. Requests are parsed straight into this form ([`MapBuilder`]), the engine stores the bytes as
//! they are, and responses share slices of the page they were read into.
//!
//! ```text
//! item   = size: u32 LE (DynamoDB's billed size), map
//! map    = count: varint, { name: string, value }      names ascending, no duplicates
//! value  = type: u8, payload                           see value::Type
//!          S, B        string
//!          N           length: u8, Number::as_bytes
//!          BOOL        u8
//!          NULL        nothing
//!          M, L        bytes: varint, then map, or count: varint and values
//!          SS, NS, BS  bytes: varint, count: varint, strings        ascending, no duplicates
//! string = length: varint, bytes
//! ```
//!
//! Equal items have equal bytes, so "did this write change anything" is a comparison of bytes.

use std::borrow::Cow;
use std::cmp::Ordering;

use bytes::Bytes;

use crate::value::{Map, Type, Value};

mod build;
mod view;

pub use build::{DuplicateName, MapBuilder, SetBuilder, encode};
pub use view::{Entries, ItemRef, ListRef, MapRef, SetRef, ValueRef};

/// Bytes of the size header in front of an item's map.
const HEADER: usize = 4;

/// An item (or a key, or a set of expression values): attributes by name, in encoded form. Cloning is cheap.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Item(Bytes);

impl Item {
    /// The item without attributes.
    #[must_use]
    pub fn empty() -> Self {
        MapBuilder::new().finish_item()
    }

    /// Takes bytes that an `Item` once gave away. The store checks their integrity; nothing is checked here.
    #[must_use]
    pub fn from_encoded(bytes: Bytes) -> Self {
        Self(bytes)
    }

    /// The encoded form.
    #[must_use]
    pub fn as_bytes(&self) -> &Bytes {
        &self.0
    }

    /// The borrowed view that all reading goes through.
    #[must_use]
    pub fn view(&self) -> ItemRef<'_> {
        ItemRef::new(&self.0)
    }

    /// The attribute of that name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<ValueRef<'_>> {
        self.view().get(name)
    }

    /// The attribute of that name on its own, sharing the bytes of the item.
    #[must_use]
    pub fn get_encoded(&self, name: &str) -> Option<Encoded> {
        let (_, value) = self.view().attributes().encoded_entries().find(|(entry, _)| *entry == name)?;
        Some(Encoded(self.0.slice_ref(value)))
    }

    /// The attributes, ascending by name.
    #[must_use]
    pub fn iter(&self) -> Entries<'_> {
        self.view().iter()
    }

    /// How many attributes there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.view().len()
    }

    /// Whether there are no attributes.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// DynamoDB's size of the item in bytes: names and values, as billed and as limited to 400 KB.
    #[must_use]
    pub fn size(&self) -> usize {
        self.view().size()
    }

    /// The attributes as a tree.
    #[must_use]
    pub fn to_map(&self) -> Map {
        self.view().to_map()
    }
}

impl Default for Item {
    fn default() -> Self {
        Self::empty()
    }
}

impl From<&Map> for Item {
    fn from(map: &Map) -> Self {
        let mut builder = MapBuilder::new();
        for (name, value) in map {
            encode::value(builder.begin(Cow::Borrowed(name)), value);
        }
        builder.finish_item()
    }
}

impl From<Map> for Item {
    fn from(map: Map) -> Self {
        Self::from(&map)
    }
}

impl<N: Into<String>, V: Into<Value>, const COUNT: usize> From<[(N, V); COUNT]> for Item {
    fn from(attributes: [(N, V); COUNT]) -> Self {
        attributes.into_iter().map(|(name, value)| (name.into(), value.into())).collect::<Map>().into()
    }
}

impl std::fmt::Debug for Item {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.to_map().fmt(out)
    }
}

/// One value in encoded form, on its own.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Encoded(Bytes);

impl Encoded {
    /// Takes bytes into which exactly one value was encoded.
    pub(crate) fn from_encoded(bytes: Vec<u8>) -> Self {
        Self(bytes.into())
    }

    /// The encoded form.
    pub(crate) fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// The view that all reading goes through.
    #[must_use]
    pub fn view(&self) -> ValueRef<'_> {
        ValueRef::from_encoded(&self.0)
    }
}

impl From<&Value> for Encoded {
    fn from(value: &Value) -> Self {
        let mut bytes = Vec::new();
        encode::value(&mut bytes, value);
        Self(bytes.into())
    }
}

impl From<Value> for Encoded {
    fn from(value: Value) -> Self {
        Self::from(&value)
    }
}

impl From<ValueRef<'_>> for Encoded {
    fn from(value: ValueRef<'_>) -> Self {
        let mut bytes = Vec::new();
        encode::view(&mut bytes, value);
        Self(bytes.into())
    }
}

impl std::fmt::Debug for Encoded {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.view().to_value().fmt(out)
    }
}

/// How two values of one comparable type (S, N, B) order; `None` for any other pair, which no comparison
/// operator matches.
#[must_use]
pub fn compare(left: ValueRef<'_>, right: ValueRef<'_>) -> Option<Ordering> {
    match (left, right) {
        (ValueRef::S(a), ValueRef::S(b)) => Some(a.as_bytes().cmp(b.as_bytes())),
        (ValueRef::N(a), ValueRef::N(b)) => Some(a.cmp(&b)),
        (ValueRef::B(a), ValueRef::B(b)) => Some(a.cmp(b)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::number::Number;
    use proptest::collection::{btree_map, btree_set, vec};
    use proptest::prelude::*;

    fn number() -> impl Strategy<Value = Number> {
        any::<i64>().prop_map(Number::from)
    }

    fn value() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            ".{0,20}".prop_map(Value::S),
            number().prop_map(Value::N),
            vec(any::<u8>(), 0..200).prop_map(Value::B),
            any::<bool>().prop_map(Value::Bool),
            Just(Value::Null),
            btree_set(".{0,5}", 1..4).prop_map(Value::Ss),
            btree_set(number(), 1..4).prop_map(Value::Ns),
            btree_set(vec(any::<u8>(), 0..5), 1..4).prop_map(Value::Bs),
        ];
        leaf.prop_recursive(3, 20, 4, |inner| {
            prop_oneof![
                vec(inner.clone(), 0..4).prop_map(Value::L),
                btree_map(".{0,5}", inner, 0..4).prop_map(Value::M)
            ]
        })
    }

    proptest! {
        #[test]
        fn a_tree_survives_encoding(map in btree_map(".{0,8}", value(), 0..6)) {
            let item = Item::from(&map);
            prop_assert_eq!(&item.to_map(), &map);
            for (name, value) in &map {
                prop_assert_eq!(&item.get(name).expect("present").to_value(), value);
            }
            prop_assert_eq!(item.len(), map.len());
            prop_assert!(item.get("no such name, longer than any").is_none());
        }

        #[test]
        fn order_of_building_does_not_matter(map in btree_map(".{0,8}", value(), 0..6)) {
            let mut builder = MapBuilder::new();
            for (name, value) in map.iter().rev() {
                encode::value(builder.begin(Cow::Borrowed(name)), value);
            }
            prop_assert_eq!(builder.finish_item(), Item::from(&map));
        }
    }

    #[test]
    fn sizes_are_dynamodbs() {
        let size = |value: Value| Item::from([("a", value)]).size();
        assert_eq!(size("abc".into()), 4);
        assert_eq!(size("\u{e9}".into()), 3);
        assert_eq!(size(123.into()), 4);
        assert_eq!(size(Value::Null), 2);
        assert_eq!(size(true.into()), 2);
        assert_eq!(size(Value::L(vec![])), 4);
        assert_eq!(size(Value::L(vec!["ab".into(), 1.into()])), 1 + 3 + 3 + 3);
        assert_eq!(size(Value::M([("k".to_owned(), "v".into())].into())), 1 + 3 + 1 + 1 + 1);
        assert_eq!(size(Value::Ss(["a".to_owned(), "bc".to_owned()].into())), 4);
    }

    #[test]
    fn a_duplicate_name_is_refused() {
        let mut builder = MapBuilder::new();
        encode::string(builder.begin(Cow::Borrowed("a")), "1");
        encode::string(builder.begin(Cow::Borrowed("a")), "2");
        assert_eq!(builder.try_finish_item(), Err(DuplicateName("a".to_owned())));
    }
}
