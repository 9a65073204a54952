//! Projection expressions: which parts of an item to return.

use crate::error::Result;
use crate::item::{Item, ItemRef};
use crate::path::Path;

/// Parts of an item to return.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Projection {
    paths: Vec<Path>,
}

impl Projection {
    /// A projection to paths that do not overlap or conflict.
    pub fn from_paths(paths: Vec<Path>) -> Result<Self> {
        Ok(Self { paths })
    }

    /// What the projection leaves of an item.
    #[must_use]
    pub fn apply(&self, _item: ItemRef<'_>) -> Item {
        unimplemented!()
    }

    /// The top-level attributes of the projection, possibly several times.
    pub fn attributes(&self) -> impl Iterator<Item = &str> {
        self.paths.iter().map(|path| path.attribute.as_str())
    }
}
