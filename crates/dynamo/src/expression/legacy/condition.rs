//! Legacy conditions: one operator with its operands for each attribute.

use std::collections::BTreeMap;

use super::LegacyError;
use crate::error::{Error, Result};
use crate::expression::condition::{Comparator, Condition, Operand};
use crate::expression::key_condition::{KeyCondition, KeyTest, SortRange};
use crate::item::{Encoded, compare};
use crate::operation::option::{ComparisonOperator, ConditionalOperator, LegacyCondition, LegacyExpected};
use crate::path::Path;
use crate::value::{Type, Value};

/// Checks the operands of every condition.
pub(in crate::expression) fn check_conditions(conditions: &BTreeMap<String, LegacyCondition>) -> Result<()> {
    for condition in conditions.values() {
        let values = condition.values.as_deref().unwrap_or_default();
        check_operands(condition.operator, values).map_err(Error::invalid)?;
    }
    Ok(())
}

/// Checks the form and the operands of every expectation.
pub(in crate::expression) fn check_expected(expected: &BTreeMap<String, LegacyExpected>) -> Result<()> {
    expected.iter().try_for_each(|(name, expected)| check_expectation(name, expected).map_err(Error::invalid))
}

/// The condition that `QueryFilter` or `ScanFilter` stands for; `None` if there are none.
pub(in crate::expression) fn conditions(
    conditions: &BTreeMap<String, LegacyCondition>,
    operator: Option<ConditionalOperator>,
) -> Option<Condition> {
    let list = conditions
        .iter()
        .map(|(name, condition)| lower(name, condition.operator, condition.values.as_deref().unwrap_or_default()));
    join(list.collect(), operator)
}

/// The condition that `Expected` stands for; `None` if nothing is expected.
pub(in crate::expression) fn expected(
    expected: &BTreeMap<String, LegacyExpected>,
    operator: Option<ConditionalOperator>,
) -> Option<Condition> {
    let list = expected.iter().map(|(name, expected)| match (expected.operator, operands(expected)) {
        (Some(operator), operands) => lower(name, operator, operands),
        (None, []) => Condition::AttributeNotExists(Path::attribute(name)),
        (None, operands) => lower(name, ComparisonOperator::Eq, operands),
    });
    join(list.collect(), operator)
}

/// The key condition that `KeyConditions` stands for.
pub(in crate::expression) fn key_conditions(conditions: &BTreeMap<String, LegacyCondition>) -> KeyCondition {
    let tests = conditions.iter().map(|(name, condition)| {
        let operands = condition.values.as_deref().unwrap_or_default();
        (name.clone(), key_test(condition.operator, operands).unwrap_or(KeyTest::NotIndexable))
    });
    KeyCondition::from_tests(tests.collect())
}

fn operands(expected: &LegacyExpected) -> &[Value] {
    match &expected.values {
        Some(values) => values,
        None => expected.value.as_slice(),
    }
}

fn check_expectation(name: &str, expected: &LegacyExpected) -> Result<(), LegacyError> {
    if expected.values.is_some() && expected.value.is_some() {
        return Err(LegacyError::ValueAndList(name.to_owned()));
    }
    if let Some(operator) = expected.operator {
        if expected.exists.is_some() {
            return Err(LegacyError::ExistsAndOperator(name.to_owned()));
        }
        let needs_operand = !matches!(operator, ComparisonOperator::Null | ComparisonOperator::NotNull);
        if needs_operand && expected.values.is_none() && expected.value.is_none() {
            return Err(LegacyError::NoValue { operator: operator.name(), attribute: name.to_owned() });
        }
        return check_operands(operator, operands(expected));
    }
    if expected.values.is_some() {
        return Err(LegacyError::ListWithoutOperator(name.to_owned()));
    }
    match (expected.exists, &expected.value) {
        (Some(false), Some(_)) => Err(LegacyError::MissingWithValue(name.to_owned())),
        (Some(false), None) | (_, Some(_)) => Ok(()),
        (exists, None) => Err(LegacyError::ExistsWithoutValue {
            exists: if exists.is_some() { "true" } else { "null" },
            attribute: name.to_owned(),
        }),
    }
}

fn check_operands(operator: ComparisonOperator, values: &[Value]) -> Result<(), LegacyError> {
    let count_fits = match operator {
        ComparisonOperator::Null | ComparisonOperator::NotNull => values.is_empty(),
        ComparisonOperator::In => !values.is_empty(),
        ComparisonOperator::Between => values.len() == 2,
        _ => values.len() == 1,
    };
    if !count_fits {
        return Err(LegacyError::ArgumentCount(operator.name()));
    }
    if values.windows(2).any(|pair| pair[0].kind() != pair[1].kind()) {
        return Err(LegacyError::MixedTypes);
    }
    if let Some(kind) = values.iter().map(Value::kind).find(|kind| !takes(operator, *kind)) {
        return Err(LegacyError::OperandType { operator: operator.name(), kind: kind.name() });
    }
    if let (ComparisonOperator::Between, [low, high]) = (operator, values) {
        let (low, high) = (Encoded::from(low), Encoded::from(high));
        if compare(low.view(), high.view()).is_some_and(std::cmp::Ordering::is_gt) {
            return Err(LegacyError::BetweenOrder);
        }
    }
    Ok(())
}

fn takes(operator: ComparisonOperator, kind: Type) -> bool {
    match operator {
        ComparisonOperator::Eq | ComparisonOperator::Ne => true,
        ComparisonOperator::BeginsWith => matches!(kind, Type::S | Type::B),
        ComparisonOperator::Contains | ComparisonOperator::NotContains => {
            matches!(kind, Type::S | Type::N | Type::B | Type::Bool | Type::Null)
        }
        _ => matches!(kind, Type::S | Type::N | Type::B),
    }
}

fn comparator(operator: ComparisonOperator) -> Option<Comparator> {
    Some(match operator {
        ComparisonOperator::Eq => Comparator::Equal,
        ComparisonOperator::Ne => Comparator::NotEqual,
        ComparisonOperator::Le => Comparator::LessOrEqual,
        ComparisonOperator::Lt => Comparator::Less,
        ComparisonOperator::Ge => Comparator::GreaterOrEqual,
        ComparisonOperator::Gt => Comparator::Greater,
        _ => return None,
    })
}

/// The condition on one attribute, whose operands were checked.
fn lower(name: &str, operator: ComparisonOperator, values: &[Value]) -> Condition {
    let path = || Path::attribute(name);
    let attribute = || Operand::Path(path());
    let value = |position: usize| Operand::Value(Encoded::from(&values[position]));
    if let Some(op) = comparator(operator) {
        return Condition::Compare { left: attribute(), op, right: value(0) };
    }
    match operator {
        ComparisonOperator::NotNull => Condition::AttributeExists(path()),
        ComparisonOperator::Null => Condition::AttributeNotExists(path()),
        ComparisonOperator::BeginsWith => Condition::BeginsWith(attribute(), value(0)),
        ComparisonOperator::Contains => Condition::Contains(attribute(), value(0)),
        // Unlike `NOT contains(…)`, this does not hold for a missing attribute.
        ComparisonOperator::NotContains => Condition::And(vec![
            Condition::AttributeExists(path()),
            Condition::Not(Box::new(Condition::Contains(attribute(), value(0)))),
        ]),
        ComparisonOperator::Between => Condition::Between { value: attribute(), low: value(0), high: value(1) },
        _ => Condition::In { value: attribute(), choices: (0..values.len()).map(value).collect() },
    }
}

fn key_test(operator: ComparisonOperator, values: &[Value]) -> Option<KeyTest> {
    let value = |position: usize| Encoded::from(&values[position]);
    match operator {
        ComparisonOperator::Between => Some(KeyTest::Range(SortRange::Between(value(0), value(1)))),
        ComparisonOperator::BeginsWith => Some(KeyTest::Range(SortRange::BeginsWith(value(0)))),
        _ => KeyTest::compare(comparator(operator)?, value(0)),
    }
}

fn join(mut list: Vec<Condition>, operator: Option<ConditionalOperator>) -> Option<Condition> {
    match (list.len(), operator) {
        (0 | 1, _) => list.pop(),
        (_, Some(ConditionalOperator::Or)) => Some(Condition::Or(list)),
        _ => Some(Condition::And(list)),
    }
}
