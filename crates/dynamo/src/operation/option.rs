//! Options that several operations share.

use std::collections::BTreeMap;

use crate::item::Item;
use crate::text_enum::text_enum;
use crate::value::Value;

text_enum! {
    /// How much to tell about consumed capacity.
    ReturnConsumedCapacity {
        /// The sum, and each table and index on its own.
        Indexes = "INDEXES",
        /// The sum.
        Total = "TOTAL",
        /// Nothing.
        None = "NONE",
    }
}

text_enum! {
    /// Whether to tell the size of the item collection that was written to.
    ReturnItemCollectionMetrics {
        /// An estimate.
        Size = "SIZE",
        /// Nothing.
        None = "NONE",
    }
}

text_enum! {
    /// Which attributes a write returns.
    ReturnValues {
        /// All attributes as they are now.
        AllNew = "ALL_NEW",
        /// The written attributes as they were.
        UpdatedOld = "UPDATED_OLD",
        /// All attributes as they were.
        AllOld = "ALL_OLD",
        /// None.
        None = "NONE",
        /// The written attributes as they are now.
        UpdatedNew = "UPDATED_NEW",
    }
}

text_enum! {
    /// Whether a failed condition returns the item.
    ReturnValuesOnConditionCheckFailure {
        /// The item as it was found.
        AllOld = "ALL_OLD",
        /// Nothing.
        None = "NONE",
    }
}

text_enum! {
    /// What a Query or Scan returns of each item.
    Select {
        /// What the projection names.
        SpecificAttributes = "SPECIFIC_ATTRIBUTES",
        /// The number of items alone.
        Count = "COUNT",
        /// All attributes.
        AllAttributes = "ALL_ATTRIBUTES",
        /// What the index holds.
        AllProjectedAttributes = "ALL_PROJECTED_ATTRIBUTES",
    }
}

text_enum! {
    /// How legacy conditions are joined.
    ConditionalOperator {
        /// One must hold.
        Or = "OR",
        /// All must hold.
        And = "AND",
    }
}

text_enum! {
    /// Legacy comparison operators.
    ComparisonOperator {
        /// One of a list.
        In = "IN",
        /// The attribute does not exist.
        Null = "NULL",
        /// From one value to another, both included.
        Between = "BETWEEN",
        /// Below.
        Lt = "LT",
        /// No part or member.
        NotContains = "NOT_CONTAINS",
        /// Equal.
        Eq = "EQ",
        /// Above.
        Gt = "GT",
        /// The attribute exists.
        NotNull = "NOT_NULL",
        /// Not equal.
        Ne = "NE",
        /// At most.
        Le = "LE",
        /// A prefix.
        BeginsWith = "BEGINS_WITH",
        /// At least.
        Ge = "GE",
        /// A part or member.
        Contains = "CONTAINS",
    }
}

text_enum! {
    /// What a legacy attribute update does.
    AttributeAction {
        /// Adds to a number or set.
        Add = "ADD",
        /// Sets the attribute.
        Put = "PUT",
        /// Removes the attribute, or members of a set.
        Delete = "DELETE",
    }
}

/// `ExpressionAttributeNames`: `#name` to attribute name. `None` when absent from the request, which is not the
/// same as empty.
pub type Names = Option<BTreeMap<String, String>>;
/// `ExpressionAttributeValues`: `:name` to value, in the encoded form. `None` when absent from the request.
pub type Values = Option<Item>;

/// A legacy condition on one attribute of a Query or Scan.
#[derive(Debug, Clone)]
pub struct LegacyCondition {
    /// The operator.
    pub operator: ComparisonOperator,
    /// Its operands.
    pub values: Option<Vec<Value>>,
}

/// A legacy condition on one attribute of a write.
#[derive(Debug, Clone, Default)]
pub struct LegacyExpected {
    /// The operand of the older form.
    pub value: Option<Value>,
    /// Whether the attribute must exist, in the older form.
    pub exists: Option<bool>,
    /// The operator of the newer form.
    pub operator: Option<ComparisonOperator>,
    /// The operands of the newer form.
    pub values: Option<Vec<Value>>,
}

/// A legacy update of one attribute.
#[derive(Debug, Clone)]
pub struct LegacyUpdate {
    /// What to do; `PUT` when absent.
    pub action: Option<AttributeAction>,
    /// With what.
    pub value: Option<Value>,
}

/// `KeyConditions`, `QueryFilter` or `ScanFilter`.
pub type LegacyConditions = Option<BTreeMap<String, LegacyCondition>>;
/// `Expected`.
pub type LegacyExpectations = Option<BTreeMap<String, LegacyExpected>>;
/// `AttributeUpdates`.
pub type LegacyUpdates = Option<BTreeMap<String, LegacyUpdate>>;
