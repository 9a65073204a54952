//! Condition and filter expressions: the tree, and whether an item satisfies it.

use crate::item::{Encoded, ItemRef};
use crate::path::Path;
use crate::value::Type;

/// A condition on an item.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Condition {
    /// All hold.
    And(Vec<Condition>),
    /// One holds.
    Or(Vec<Condition>),
    /// Does not hold.
    Not(Box<Condition>),
    /// Two operands compare so.
    Compare {
        /// On the left.
        left: Operand,
        /// How they compare.
        op: Comparator,
        /// On the right.
        right: Operand,
    },
    /// From one bound to the other, both included.
    Between {
        /// What is compared.
        value: Operand,
        /// The lower bound.
        low: Operand,
        /// The upper bound.
        high: Operand,
    },
    /// Equal to one of several.
    In {
        /// What is compared.
        value: Operand,
        /// With which.
        choices: Vec<Operand>,
    },
    /// There is something at the path.
    AttributeExists(Path),
    /// There is nothing at the path.
    AttributeNotExists(Path),
    /// What is at the path has that type.
    AttributeType(Path, Type),
    /// The first operand, a string or binary, starts with the second.
    BeginsWith(Operand, Operand),
    /// The first operand, a string, set or list, contains the second.
    Contains(Operand, Operand),
}

/// How two operands compare.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Comparator {
    /// `=`
    Equal,
    /// `<>`
    NotEqual,
    /// `<`
    Less,
    /// `<=`
    LessOrEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterOrEqual,
}

/// What a condition looks at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Operand {
    /// The value at a path.
    Path(Path),
    /// A constant.
    Value(Encoded),
    /// The size of the value at a path.
    Size(Path),
}

impl Condition {
    /// Whether the item satisfies the condition. A missing item is the empty item.
    #[must_use]
    pub fn matches(&self, _item: ItemRef<'_>) -> bool {
        unimplemented!()
    }

    /// The top-level attributes that the condition looks at, possibly several times.
    pub fn attributes(&self) -> impl Iterator<Item = &str> {
        std::iter::empty()
    }
}
