//! The parameters from before expressions.

use espalier_dynamo::operation::option;

use crate::attribute::Single;
use crate::constraint::ATTRIBUTE_NAME_MAX;
use crate::fields::{Dictionary, Flag, List, Named, Nested, Required, Text, members};

members! {
    /// A condition on one attribute of a Query or Scan.
    Condition as "Condition" {
        "AttributeValueList" values: List<Single>,
        "ComparisonOperator" operator: Required<Named<option::ComparisonOperator>>,
    }
}

members! {
    /// A condition on one attribute of a write.
    Expected as "ExpectedAttributeValue" {
        "AttributeValueList" values: List<Single>,
        "ComparisonOperator" operator: Named<option::ComparisonOperator>,
        "Exists" exists: Flag,
        "Value" value: Single,
    }
}

members! {
    /// An update of one attribute.
    Update as "AttributeValueUpdate" {
        "Action" action: Named<option::AttributeAction>,
        "Value" value: Single,
    }
}

/// `KeyConditions`, `QueryFilter` or `ScanFilter`.
pub(crate) type Conditions = Dictionary<Nested<Condition>>;
/// `Expected`.
pub(crate) type Expectations = Dictionary<Nested<Expected>>;
/// `AttributeUpdates`.
pub(crate) type Updates = Dictionary<Nested<Update>>;
/// `AttributesToGet`.
pub(crate) type AttributesToGet = List<Text<0, ATTRIBUTE_NAME_MAX>, 1, 255>;

/// Conditions as operations hold them.
pub(crate) fn conditions(members: Conditions) -> option::LegacyConditions {
    members.sorted(|member| {
        let condition = member.0.unwrap_or_default();
        option::LegacyCondition {
            operator: condition.operator.get().get().unwrap_or(option::ComparisonOperator::Eq),
            values: condition.values.map(Single::value),
        }
    })
}

/// Expectations as operations hold them.
pub(crate) fn expectations(members: Expectations) -> option::LegacyExpectations {
    members.sorted(|member| {
        let expected = member.0.unwrap_or_default();
        option::LegacyExpected {
            value: expected.value.0,
            exists: expected.exists.0,
            operator: expected.operator.get(),
            values: expected.values.map(Single::value),
        }
    })
}

/// Updates as operations hold them.
pub(crate) fn updates(members: Updates) -> option::LegacyUpdates {
    members.sorted(|member| {
        let update = member.0.unwrap_or_default();
        option::LegacyUpdate { action: update.action.get(), value: update.value.0 }
    })
}

/// Attribute names as operations hold them.
pub(crate) fn attributes_to_get(members: AttributesToGet) -> Option<Vec<String>> {
    members.map(Text::text)
}
