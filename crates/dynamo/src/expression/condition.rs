//! Condition and filter expressions: the tree, and whether an item satisfies it.

use std::cmp::Ordering;

use crate::item::{Encoded, ItemRef, ValueRef, compare};
use crate::number::Number;
use crate::path::Path;
use crate::value::{Type, Value};

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
    pub fn matches(&self, item: ItemRef<'_>) -> bool {
        match self {
            Condition::And(list) => list.iter().all(|condition| condition.matches(item)),
            Condition::Or(list) => list.iter().any(|condition| condition.matches(item)),
            Condition::Not(condition) => !condition.matches(item),
            Condition::Compare { left, op, right } => op.holds(left.find(item), right.find(item)),
            Condition::Between { value, low, high } => {
                let value = value.find(item);
                Comparator::GreaterOrEqual.holds(value, low.find(item))
                    && Comparator::LessOrEqual.holds(value, high.find(item))
            }
            Condition::In { value, choices } => {
                value.find(item).is_some_and(|value| choices.iter().any(|choice| choice.find(item) == Some(value)))
            }
            Condition::AttributeExists(path) => path.find(item).is_some(),
            Condition::AttributeNotExists(path) => path.find(item).is_none(),
            Condition::AttributeType(path, kind) => path.find(item).is_some_and(|value| value.kind() == *kind),
            Condition::BeginsWith(operand, prefix) => match (operand.find(item), prefix.find(item)) {
                (Some(ValueRef::S(text)), Some(ValueRef::S(prefix))) => text.starts_with(prefix),
                (Some(ValueRef::B(bytes)), Some(ValueRef::B(prefix))) => bytes.starts_with(prefix),
                _ => false,
            },
            Condition::Contains(operand, part) => {
                operand.find(item).zip(part.find(item)).is_some_and(|(value, part)| contains(value, part))
            }
        }
    }

    /// The top-level attributes that the condition looks at, possibly several times.
    pub fn attributes(&self) -> impl Iterator<Item = &str> {
        let mut paths = Vec::new();
        self.collect_paths(&mut paths);
        paths.into_iter().map(|path| path.attribute.as_str())
    }

    /// The document paths that the condition looks at, possibly several times.
    pub fn paths(&self) -> impl Iterator<Item = &Path> {
        let mut paths = Vec::new();
        self.collect_paths(&mut paths);
        paths.into_iter()
    }

    /// The top-level attributes that the condition reaches into, possibly several times.
    pub fn nested_attributes(&self) -> impl Iterator<Item = &str> {
        self.paths().filter(|path| !path.is_top_level()).map(|path| path.attribute.as_str())
    }

    fn collect_paths<'a>(&'a self, paths: &mut Vec<&'a Path>) {
        match self {
            Condition::And(list) | Condition::Or(list) => {
                list.iter().for_each(|condition| condition.collect_paths(paths));
            }
            Condition::Not(condition) => condition.collect_paths(paths),
            Condition::Compare { left, right, .. } => paths.extend([left, right].into_iter().filter_map(Operand::path)),
            Condition::Between { value, low, high } => {
                paths.extend([value, low, high].into_iter().filter_map(Operand::path));
            }
            Condition::In { value, choices } => {
                paths.extend(std::iter::once(value).chain(choices).filter_map(Operand::path));
            }
            Condition::AttributeExists(path)
            | Condition::AttributeNotExists(path)
            | Condition::AttributeType(path, _) => paths.push(path),
            Condition::BeginsWith(operand, other) | Condition::Contains(operand, other) => {
                paths.extend([operand, other].into_iter().filter_map(Operand::path));
            }
        }
    }
}

impl Operand {
    /// The path that the operand looks at.
    #[must_use]
    pub fn path(&self) -> Option<&Path> {
        match self {
            Operand::Path(path) | Operand::Size(path) => Some(path),
            Operand::Value(_) => None,
        }
    }

    fn find<'a>(&'a self, item: ItemRef<'a>) -> Option<ValueRef<'a>> {
        match self {
            Operand::Path(path) => path.find(item),
            Operand::Value(value) => Some(value.view()),
            Operand::Size(path) => Some(ValueRef::N(size_number(path.find(item)?)?)),
        }
    }
}

impl Comparator {
    /// How the operator is written.
    #[must_use]
    pub fn symbol(self) -> &'static str {
        match self {
            Comparator::Equal => "=",
            Comparator::NotEqual => "<>",
            Comparator::Less => "<",
            Comparator::LessOrEqual => "<=",
            Comparator::Greater => ">",
            Comparator::GreaterOrEqual => ">=",
        }
    }

    /// The operator that says the same with its operands exchanged.
    pub(super) fn mirrored(self) -> Self {
        match self {
            Comparator::Less => Comparator::Greater,
            Comparator::LessOrEqual => Comparator::GreaterOrEqual,
            Comparator::Greater => Comparator::Less,
            Comparator::GreaterOrEqual => Comparator::LessOrEqual,
            Comparator::Equal | Comparator::NotEqual => self,
        }
    }

    /// Something missing equals nothing, so only `<>` holds for it; values of two types have no order.
    fn holds(self, left: Option<ValueRef<'_>>, right: Option<ValueRef<'_>>) -> bool {
        let (Some(left), Some(right)) = (left, right) else {
            return self == Comparator::NotEqual;
        };
        let ordered = |accept: fn(Ordering) -> bool| compare(left, right).is_some_and(accept);
        match self {
            Comparator::Equal => left == right,
            Comparator::NotEqual => left != right,
            Comparator::Less => ordered(Ordering::is_lt),
            Comparator::LessOrEqual => ordered(Ordering::is_le),
            Comparator::Greater => ordered(Ordering::is_gt),
            Comparator::GreaterOrEqual => ordered(Ordering::is_ge),
        }
    }
}

fn contains(value: ValueRef<'_>, part: ValueRef<'_>) -> bool {
    match (value, part) {
        (ValueRef::S(text), ValueRef::S(part)) => text.contains(part),
        (ValueRef::B(bytes), ValueRef::B(part)) => {
            part.is_empty() || bytes.windows(part.len()).any(|window| window == part)
        }
        (ValueRef::Ss(set), ValueRef::S(member)) => set.contains(member.as_bytes()),
        (ValueRef::Ns(set), ValueRef::N(member)) => set.contains(member.as_bytes()),
        (ValueRef::Bs(set), ValueRef::B(member)) => set.contains(member),
        (ValueRef::L(list), element) => list.iter().any(|candidate| candidate == element),
        _ => false,
    }
}

/// What `size` says of a constant.
pub(super) fn size(value: ValueRef<'_>) -> Option<Encoded> {
    size_number(value).map(|number| Encoded::from(Value::N(number)))
}

/// Strings count UTF-16 units, the way Java does; numbers, booleans and nulls have no size.
fn size_number(value: ValueRef<'_>) -> Option<Number> {
    let size = match value {
        ValueRef::S(text) => text.encode_utf16().count(),
        ValueRef::B(bytes) => bytes.len(),
        ValueRef::M(map) => map.len(),
        ValueRef::L(list) => list.len(),
        ValueRef::Ss(set) | ValueRef::Ns(set) | ValueRef::Bs(set) => set.len(),
        ValueRef::N(_) | ValueRef::Bool(_) | ValueRef::Null => return None,
    };
    Some(Number::from(size as i64))
}
