//! The legacy parameters: `Expected`, `QueryFilter`, `ScanFilter`, `KeyConditions`, `AttributeUpdates`. They have
//! rules and sentences of their own and become the same trees as expressions.

mod condition;
mod update;

pub(super) use condition::{check_conditions, check_expected, conditions, expected, key_conditions};
pub(super) use update::{check_updates, updates};

/// What is wrong with a legacy parameter.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LegacyError {
    /// Operands of both forms.
    #[error(
        "One or more parameter values were invalid: Value and AttributeValueList cannot be used together for Attribute: {0}"
    )]
    ValueAndList(String),
    /// Both forms at once.
    #[error(
        "One or more parameter values were invalid: Exists and ComparisonOperator cannot be used together for Attribute: {0}"
    )]
    ExistsAndOperator(String),
    /// An operator without operands.
    #[error(
        "One or more parameter values were invalid: Value or AttributeValueList must be used with ComparisonOperator: {operator} for Attribute: {attribute}"
    )]
    NoValue {
        /// The operator.
        operator: &'static str,
        /// The attribute.
        attribute: String,
    },
    /// Operands without an operator.
    #[error(
        "One or more parameter values were invalid: AttributeValueList can only be used with a ComparisonOperator for Attribute: {0}"
    )]
    ListWithoutOperator(String),
    /// The older form without a value, though the attribute is to exist.
    #[error(
        "One or more parameter values were invalid: Value must be provided when Exists is {exists} for Attribute: {attribute}"
    )]
    ExistsWithoutValue {
        /// `Exists` as given.
        exists: &'static str,
        /// The attribute.
        attribute: String,
    },
    /// The older form with a value, though the attribute is not to exist.
    #[error("One or more parameter values were invalid: Value cannot be used when Exists is false for Attribute: {0}")]
    MissingWithValue(String),
    /// Too few or too many operands.
    #[error("One or more parameter values were invalid: Invalid number of argument(s) for the {0} ComparisonOperator")]
    ArgumentCount(&'static str),
    /// Operands of several types.
    #[error(
        "One or more parameter values were invalid: AttributeValues inside AttributeValueList must be of same type"
    )]
    MixedTypes,
    /// An operand of a type that the operator does not take.
    #[error(
        "One or more parameter values were invalid: ComparisonOperator {operator} is not valid for {kind} AttributeValue type"
    )]
    OperandType {
        /// The operator.
        operator: &'static str,
        /// The type.
        kind: &'static str,
    },
    /// A lower bound above the upper one.
    #[error("The BETWEEN condition was provided a range where the lower bound is greater than the upper bound")]
    BetweenOrder,
    /// PUT or ADD without a value.
    #[error(
        "One or more parameter values were invalid: Only DELETE action is allowed when no attribute value is specified"
    )]
    ActionWithoutValue,
    /// DELETE with something else than a set.
    #[error("One or more parameter values were invalid: DELETE action with value is not supported for the type {0}")]
    DeleteType(&'static str),
    /// ADD with something that nothing can be added to.
    #[error("One or more parameter values were invalid: ADD action is not supported for the type {0}")]
    AddType(&'static str),
}
