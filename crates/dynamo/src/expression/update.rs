//! Update expressions: what changes in an item.

use crate::error::Result;
use crate::item::{Encoded, Item, ItemRef};
use crate::path::Path;

/// A change of an item.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Update {
    actions: Vec<Action>,
}

/// One change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Action {
    /// Gives the path a value.
    Set(Path, Term),
    /// Removes what is at the path.
    Remove(Path),
    /// Adds to a number or set, or creates it.
    Add(Path, Encoded),
    /// Takes members out of a set.
    Delete(Path, Encoded),
}

/// The right-hand side of a SET; reads the item as it was.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Term {
    /// What is at the path, which must exist.
    Path(Path),
    /// A constant.
    Value(Encoded),
    /// What is at the path, or else something else.
    IfNotExists(Path, Box<Term>),
    /// Two lists, one after the other.
    ListAppend(Box<Term>, Box<Term>),
    /// A sum.
    Plus(Box<Term>, Box<Term>),
    /// A difference.
    Minus(Box<Term>, Box<Term>),
}

impl Update {
    /// An update from changes whose paths do not overlap or conflict.
    pub fn from_actions(actions: Vec<Action>) -> Result<Self> {
        Ok(Self { actions })
    }

    /// The item after the update: `item` is the existing one, or just its key when it is created.
    pub fn apply(&self, _item: ItemRef<'_>) -> Result<Item> {
        unimplemented!()
    }

    /// The top-level attributes that are written, possibly several times.
    pub fn attributes(&self) -> impl Iterator<Item = &str> {
        std::iter::empty()
    }

    /// The written paths alone, as `UPDATED_OLD` and `UPDATED_NEW` return them; `None` if the image has none.
    #[must_use]
    pub fn updated(&self, _image: ItemRef<'_>) -> Option<Item> {
        unimplemented!()
    }
}
