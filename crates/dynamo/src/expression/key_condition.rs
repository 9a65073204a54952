//! Key conditions: which partition a Query reads, and which part of it.

use super::condition::{Comparator, Condition, Operand};
use crate::error::{Error, Result};
use crate::item::{Encoded, ValueRef};
use crate::operation::table::ScalarType;
use crate::value::Type;

/// What is wrong with a key condition.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum KeyConditionError {
    /// An operator or function that no range of keys can answer.
    #[error("Invalid operator used in KeyConditionExpression: {0}")]
    Operator(&'static str),
    /// A function as an operand.
    #[error("KeyConditionExpressions cannot contain nested operations")]
    Nested,
    /// The value where the attribute belongs.
    #[error(
        "Invalid condition in KeyConditionExpression: {0} operator must have the key attribute as its first operand"
    )]
    FirstOperand(&'static str),
    /// Two attributes compared.
    #[error("Invalid condition in KeyConditionExpression: Multiple attribute names used in one condition")]
    MultipleNames,
    /// Two constants compared.
    #[error("Invalid condition in KeyConditionExpression: No key attribute specified")]
    NoAttribute,
    /// A document path.
    #[error("KeyConditionExpressions cannot have conditions on nested attributes")]
    NestedAttribute,
    /// Two conditions on one attribute.
    #[error("KeyConditionExpressions must only contain one condition per key")]
    Repeated,
    /// More conditions than key attributes.
    #[error("Conditions can be of length 1 or 2 only")]
    Count,
    /// A key attribute that needs a condition has none.
    #[error("Query condition missed key schema element: {0}")]
    Missed(String),
    /// A condition that does not select one partition and one range.
    #[error("Query key condition not supported")]
    NotSupported,
    /// A legacy operator that no range of keys can answer.
    #[error("Attempted conditional constraint is not an indexable operation")]
    NotIndexable,
    /// A value of another type than the key attribute.
    #[error("One or more parameter values were invalid: Condition parameter type does not match schema type")]
    TypeMismatch,
    /// An empty key value.
    #[error(
        "One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty {kind} value. Key: {name}"
    )]
    EmptyValue {
        /// `string` or `binary`.
        kind: &'static str,
        /// The key attribute.
        name: String,
    },
}

/// The key of a table or index; several attributes on a side only for global indexes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeySchema {
    /// The partition key.
    pub partition: Vec<KeyAttribute>,
    /// The sort key; empty if there is none.
    pub sort: Vec<KeyAttribute>,
}

/// One attribute of a key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyAttribute {
    /// Its name.
    pub name: String,
    /// Its type.
    pub kind: ScalarType,
}

/// Conditions on key attributes, each attribute once; not yet held against a key schema.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyCondition {
    tests: Vec<(String, KeyTest)>,
}

/// A condition on one key attribute.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum KeyTest {
    /// Equal.
    Equal(Encoded),
    /// Any other condition, which only the last sort attribute may have.
    Range(SortRange),
    /// A legacy operator that no range of keys can answer; refused when the key schema is known.
    NotIndexable,
}

/// What a Query reads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyRange {
    /// The partition key.
    pub partition: Vec<Encoded>,
    /// The leading sort attributes that are fixed.
    pub sort_equals: Vec<Encoded>,
    /// The range of the sort attribute after those.
    pub sort: SortRange,
}

/// A range of sort keys.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SortRange {
    /// All.
    All,
    /// Below.
    Less(Encoded),
    /// At most.
    LessOrEqual(Encoded),
    /// Above.
    Greater(Encoded),
    /// At least.
    GreaterOrEqual(Encoded),
    /// From one to the other, both included.
    Between(Encoded, Encoded),
    /// With that prefix.
    BeginsWith(Encoded),
}

impl KeyCondition {
    /// Conditions on attributes, each of which is named once.
    #[must_use]
    pub fn from_tests(tests: Vec<(String, KeyTest)>) -> Self {
        Self { tests }
    }

    /// The attributes that have conditions.
    pub fn attributes(&self) -> impl Iterator<Item = &str> {
        self.tests.iter().map(|(name, _)| name.as_str())
    }

    /// The range that the conditions select under a key schema.
    pub fn resolve(&self, schema: &KeySchema) -> Result<KeyRange> {
        let keys = schema.partition.len() + schema.sort.len();
        let mut left = self.tests.len();
        if left > keys.max(2) {
            return Err(Error::invalid(KeyConditionError::Count));
        }
        if left > schema.partition.len() && schema.sort.is_empty() {
            return Err(Error::invalid(KeyConditionError::NotSupported));
        }
        let mut range = KeyRange { partition: Vec::new(), sort_equals: Vec::new(), sort: SortRange::All };
        for attribute in &schema.partition {
            match self.test(attribute)? {
                KeyTest::Equal(value) => range.partition.push(value.clone()),
                _ => return Err(Error::invalid(KeyConditionError::NotSupported)),
            }
            left = left.saturating_sub(1);
        }
        for attribute in &schema.sort {
            if left == 0 {
                break;
            }
            left -= 1;
            match self.test(attribute)? {
                KeyTest::Equal(value) => range.sort_equals.push(value.clone()),
                KeyTest::Range(sort) if left == 0 => range.sort = sort.clone(),
                _ => return Err(Error::invalid(KeyConditionError::NotSupported)),
            }
        }
        Ok(range)
    }

    /// The condition on a key attribute, with values that such a key can have.
    fn test(&self, attribute: &KeyAttribute) -> Result<&KeyTest> {
        let test = self.tests.iter().find(|(name, _)| *name == attribute.name).map(|(_, test)| test);
        let test = test.ok_or_else(|| Error::invalid(KeyConditionError::Missed(attribute.name.clone())))?;
        for value in test.values()? {
            check_value(value, attribute)?;
        }
        Ok(test)
    }

    /// From a condition expression: conjunctions of conditions on one attribute each.
    pub(super) fn from_condition(condition: Condition) -> Result<Self> {
        let mut tests = Vec::with_capacity(2);
        collect(condition, &mut tests).map_err(Error::invalid)?;
        Ok(Self { tests })
    }
}

impl KeyTest {
    fn values(&self) -> Result<impl Iterator<Item = &Encoded>> {
        let values = match self {
            KeyTest::NotIndexable => return Err(Error::invalid(KeyConditionError::NotIndexable)),
            KeyTest::Equal(value) => [Some(value), None],
            KeyTest::Range(range) => match range {
                SortRange::All => [None, None],
                SortRange::Less(value)
                | SortRange::LessOrEqual(value)
                | SortRange::Greater(value)
                | SortRange::GreaterOrEqual(value)
                | SortRange::BeginsWith(value) => [Some(value), None],
                SortRange::Between(low, high) => [Some(low), Some(high)],
            },
        };
        Ok(values.into_iter().flatten())
    }

    /// A comparison of an attribute with a value.
    pub(super) fn compare(op: Comparator, value: Encoded) -> Option<Self> {
        Some(match op {
            Comparator::Equal => KeyTest::Equal(value),
            Comparator::NotEqual => return None,
            Comparator::Less => KeyTest::Range(SortRange::Less(value)),
            Comparator::LessOrEqual => KeyTest::Range(SortRange::LessOrEqual(value)),
            Comparator::Greater => KeyTest::Range(SortRange::Greater(value)),
            Comparator::GreaterOrEqual => KeyTest::Range(SortRange::GreaterOrEqual(value)),
        })
    }
}

fn check_value(value: &Encoded, attribute: &KeyAttribute) -> Result<()> {
    let view = value.view();
    let kind = match attribute.kind {
        ScalarType::S => Type::S,
        ScalarType::N => Type::N,
        ScalarType::B => Type::B,
    };
    let name = || attribute.name.clone();
    match view {
        _ if view.kind() != kind => Err(Error::invalid(KeyConditionError::TypeMismatch)),
        ValueRef::S("") => Err(Error::invalid(KeyConditionError::EmptyValue { kind: "string", name: name() })),
        ValueRef::B([]) => Err(Error::invalid(KeyConditionError::EmptyValue { kind: "binary", name: name() })),
        _ => Ok(()),
    }
}

fn collect(condition: Condition, tests: &mut Vec<(String, KeyTest)>) -> Result<(), KeyConditionError> {
    let (name, test) = match condition {
        Condition::And(list) => return list.into_iter().try_for_each(|condition| collect(condition, tests)),
        Condition::Or(_) => return Err(KeyConditionError::Operator("OR")),
        Condition::Not(_) => return Err(KeyConditionError::Operator("NOT")),
        Condition::In { .. } => return Err(KeyConditionError::Operator("IN")),
        Condition::AttributeExists(_) => return Err(KeyConditionError::Operator("attribute_exists")),
        Condition::AttributeNotExists(_) => return Err(KeyConditionError::Operator("attribute_not_exists")),
        Condition::AttributeType(..) => return Err(KeyConditionError::Operator("attribute_type")),
        Condition::Contains(..) => return Err(KeyConditionError::Operator("contains")),
        Condition::Compare { op: Comparator::NotEqual, .. } => return Err(KeyConditionError::Operator("<>")),
        Condition::Compare { left, op, right } => comparison(left, op, right)?,
        Condition::Between { value, low, high } => {
            let name = first_operand("BETWEEN", value)?;
            let range = SortRange::Between(constant(low)?, constant(high)?);
            (name, KeyTest::Range(range))
        }
        Condition::BeginsWith(operand, prefix) => {
            let name = first_operand("begins_with", operand)?;
            (name, KeyTest::Range(SortRange::BeginsWith(constant(prefix)?)))
        }
    };
    if tests.iter().any(|(other, _)| *other == name) {
        return Err(KeyConditionError::Repeated);
    }
    tests.push((name, test));
    Ok(())
}

fn comparison(left: Operand, op: Comparator, right: Operand) -> Result<(String, KeyTest), KeyConditionError> {
    let (name, op, value) = match (left, right) {
        (Operand::Size(_), _) | (_, Operand::Size(_)) => return Err(KeyConditionError::Nested),
        (Operand::Value(_), Operand::Value(_)) => return Err(KeyConditionError::NoAttribute),
        (left @ Operand::Path(_), right) => (attribute(left)?, op, constant(right)?),
        (Operand::Value(value), right) => (attribute(right)?, op.mirrored(), value),
    };
    let test = KeyTest::compare(op, value).ok_or(KeyConditionError::Operator("<>"))?;
    Ok((name, test))
}

fn first_operand(operator: &'static str, operand: Operand) -> Result<String, KeyConditionError> {
    match operand {
        Operand::Value(_) => Err(KeyConditionError::FirstOperand(operator)),
        operand => attribute(operand),
    }
}

fn attribute(operand: Operand) -> Result<String, KeyConditionError> {
    match operand {
        Operand::Path(path) if path.is_top_level() => Ok(path.attribute),
        Operand::Path(_) => Err(KeyConditionError::NestedAttribute),
        Operand::Size(_) => Err(KeyConditionError::Nested),
        Operand::Value(_) => Err(KeyConditionError::NoAttribute),
    }
}

fn constant(operand: Operand) -> Result<Encoded, KeyConditionError> {
    match operand {
        Operand::Value(value) => Ok(value),
        Operand::Path(_) => Err(KeyConditionError::MultipleNames),
        Operand::Size(_) => Err(KeyConditionError::Nested),
    }
}
