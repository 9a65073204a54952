//! Document paths: `a`, `a.b`, `a[3].b`.

use std::fmt;

use crate::item::{ItemRef, ValueRef};

/// One step into a document.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Step {
    /// An attribute of an item or map.
    Attribute(String),
    /// An element of a list.
    Index(usize),
}

/// A document path: a top-level attribute, then steps into it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Path {
    /// The top-level attribute.
    pub attribute: String,
    /// The steps below it; usually none.
    pub steps: Vec<Step>,
}

impl Path {
    /// The path of a top-level attribute.
    #[must_use]
    pub fn attribute(name: impl Into<String>) -> Self {
        Self { attribute: name.into(), steps: Vec::new() }
    }

    /// Whether the path names a top-level attribute.
    #[must_use]
    pub fn is_top_level(&self) -> bool {
        self.steps.is_empty()
    }

    /// The value at this path, if the document reaches that far.
    #[must_use]
    pub fn find<'a>(&self, item: ItemRef<'a>) -> Option<ValueRef<'a>> {
        let mut value = item.get(&self.attribute)?;
        for step in &self.steps {
            value = match (step, value) {
                (Step::Attribute(name), ValueRef::M(map)) => map.get(name)?,
                (Step::Index(position), ValueRef::L(list)) => list.get(*position)?,
                _ => return None,
            };
        }
        Some(value)
    }
}

impl fmt::Display for Path {
    /// The way DynamoDB prints paths in messages about overlaps and conflicts: `[a, b, [3]]`.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "[{}", self.attribute)?;
        for step in &self.steps {
            match step {
                Step::Attribute(name) => write!(out, ", {name}")?,
                Step::Index(position) => write!(out, ", [{position}]")?,
            }
        }
        write!(out, "]")
    }
}
