//! Legacy parameters: what they mean, and their own complaints.
//! Observed with Amazon's DynamoDB Local 3.3.0; short type names in updates are the service's.

use std::collections::BTreeMap;

use super::{item, map, refusal, requests, sample, schema, strings, update_item};
use crate::error::Result;
use crate::expression::{Condition, KeyRange, SortRange, Update};
use crate::item::{Encoded, Item};
use crate::operation::item::{PutItem, UpdateItem};
use crate::operation::option::{
    AttributeAction, ComparisonOperator, ConditionalOperator, LegacyCondition, LegacyExpected, LegacyUpdate,
};
use crate::operation::page::{Query, Scan};
use crate::value::Value;

use ComparisonOperator::{BeginsWith, Between, Contains, Eq, Ge, Gt, In, Le, Lt, Ne, NotContains, NotNull, Null};

fn conditions<const COUNT: usize>(
    list: [(&str, ComparisonOperator, Vec<Value>); COUNT],
) -> Option<BTreeMap<String, LegacyCondition>> {
    let condition = |operator, values| LegacyCondition { operator, values: Some(values) };
    Some(list.into_iter().map(|(name, operator, values)| (name.to_owned(), condition(operator, values))).collect())
}

fn filter(name: &str, operator: ComparisonOperator, values: Vec<Value>) -> Result<Condition> {
    let scan = Scan { scan_filter: conditions([(name, operator, values)]), ..Scan::default() };
    Ok(requests::scan(&scan)?.filter.expect("there is a filter"))
}

#[test]
fn operators_hold_or_not() {
    for (name, operator, values, holds) in [
        ("n", Eq, vec![5.into()], true),
        ("n", Eq, vec!["5".into()], false),
        ("ss", Eq, vec![strings(&["x", "a"])], true),
        ("n", Ne, vec![5.into()], false),
        ("n", Ne, vec!["x".into()], true),
        ("zz", Ne, vec![5.into()], true),
        ("n", Le, vec![5.into()], true),
        ("n", Lt, vec![5.into()], false),
        ("n", Ge, vec![5.into()], true),
        ("n", Gt, vec!["a".into()], false),
        ("zz", Lt, vec![5.into()], false),
        ("n", In, vec![4.into(), 5.into()], true),
        ("n", In, vec![4.into()], false),
        ("n", Between, vec![4.into(), 5.into()], true),
        ("s", Between, vec!["b".into(), "c".into()], false),
        ("n", NotNull, vec![], true),
        ("zz", NotNull, vec![], false),
        ("nul", NotNull, vec![], true),
        ("zz", Null, vec![], true),
        ("nul", Null, vec![], false),
        ("s", BeginsWith, vec!["ab".into()], true),
        ("s", Contains, vec!["bc".into()], true),
        ("ss", Contains, vec!["x".into()], true),
        ("l", Contains, vec![3.into()], true),
        ("n", Contains, vec![5.into()], false),
        ("s", Contains, vec![Value::Null], false),
        ("s", NotContains, vec!["z".into()], true),
        ("n", NotContains, vec![5.into()], true),
        ("ss", NotContains, vec!["x".into()], false),
        // Unlike NE, this wants the attribute to exist.
        ("zz", NotContains, vec!["x".into()], false),
    ] {
        let condition = filter(name, operator, values.clone()).expect("a filter");
        assert_eq!(condition.matches(sample().view()), holds, "{name} {operator:?} {values:?}");
    }
}

#[test]
fn operators_check_their_operands() {
    let count = |name: &str| {
        format!(
            "One or more parameter values were invalid: Invalid number of argument(s) for the {name} ComparisonOperator"
        )
    };
    for operator in [Eq, Ne, Le, Lt, Ge, Gt, Contains, NotContains, BeginsWith] {
        assert_eq!(refusal(filter("a", operator, vec![])), count(operator.name()));
        assert_eq!(refusal(filter("a", operator, vec!["a".into(), "b".into()])), count(operator.name()));
    }
    assert_eq!(refusal(filter("a", Null, vec!["a".into()])), count("NULL"));
    assert_eq!(refusal(filter("a", NotNull, vec!["a".into()])), count("NOT_NULL"));
    assert_eq!(refusal(filter("a", In, vec![])), count("IN"));
    assert_eq!(refusal(filter("a", Between, vec!["a".into()])), count("BETWEEN"));
    assert_eq!(
        refusal(filter("a", In, vec!["a".into(), 1.into()])),
        "One or more parameter values were invalid: AttributeValues inside AttributeValueList must be of same type"
    );
    assert_eq!(
        refusal(filter("a", Between, vec![2.into(), 1.into()])),
        "The BETWEEN condition was provided a range where the lower bound is greater than the upper bound"
    );
    let kind = |operator: &str, kind: &str| {
        format!(
            "One or more parameter values were invalid: ComparisonOperator {operator} is not valid for {kind} AttributeValue type"
        )
    };
    for operator in [Le, Lt, Ge, Gt, In] {
        for value in [Value::Null, true.into(), Value::L(vec![]), map([]), strings(&["a"])] {
            assert_eq!(refusal(filter("a", operator, vec![value.clone()])), kind(operator.name(), value.kind().name()));
        }
    }
    for operator in [Contains, NotContains] {
        for value in [Value::L(vec![]), map([]), strings(&["a"])] {
            assert_eq!(refusal(filter("a", operator, vec![value.clone()])), kind(operator.name(), value.kind().name()));
        }
    }
    assert_eq!(refusal(filter("a", BeginsWith, vec![1.into()])), kind("BEGINS_WITH", "N"));
}

fn put() -> PutItem {
    PutItem {
        table_name: String::new(),
        item: Item::empty(),
        condition_expression: None,
        names: None,
        values: None,
        expected: None,
        conditional_operator: None,
        return_values: None,
        return_on_failure: None,
        return_capacity: None,
        return_metrics: None,
    }
}

fn expected(expected: LegacyExpected) -> Result<bool> {
    let request = PutItem { expected: Some(BTreeMap::from([("n".to_owned(), expected)])), ..put() };
    Ok(requests::put(&request)?.expect("something is expected").matches(sample().view()))
}

#[test]
fn expectations_come_in_two_forms() {
    let five = || Some(Value::from(5));
    let list = || Some(vec![Value::from(5)]);
    let form = LegacyExpected::default;
    for (expectation, holds) in [
        (LegacyExpected { value: five(), ..form() }, true),
        (LegacyExpected { value: Some(6.into()), ..form() }, false),
        (LegacyExpected { value: five(), exists: Some(true), ..form() }, true),
        (LegacyExpected { exists: Some(false), ..form() }, false),
        (LegacyExpected { value: five(), operator: Some(Eq), ..form() }, true),
        (LegacyExpected { values: list(), operator: Some(Lt), ..form() }, false),
        (LegacyExpected { operator: Some(NotNull), ..form() }, true),
        (LegacyExpected { values: Some(vec![]), operator: Some(Null), ..form() }, false),
    ] {
        assert_eq!(expected(expectation.clone()).expect("accepted"), holds, "{expectation:?}");
    }
    for (expectation, sentence) in [
        (form(), "Value must be provided when Exists is null for Attribute: n"),
        (
            LegacyExpected { exists: Some(true), ..form() },
            "Value must be provided when Exists is true for Attribute: n",
        ),
        (
            LegacyExpected { exists: Some(false), value: five(), ..form() },
            "Value cannot be used when Exists is false for Attribute: n",
        ),
        (
            LegacyExpected { value: five(), values: list(), ..form() },
            "Value and AttributeValueList cannot be used together for Attribute: n",
        ),
        (
            LegacyExpected { values: list(), ..form() },
            "AttributeValueList can only be used with a ComparisonOperator for Attribute: n",
        ),
        (
            LegacyExpected { exists: Some(true), operator: Some(Eq), value: five(), ..form() },
            "Exists and ComparisonOperator cannot be used together for Attribute: n",
        ),
        (
            LegacyExpected { operator: Some(Eq), ..form() },
            "Value or AttributeValueList must be used with ComparisonOperator: EQ for Attribute: n",
        ),
        (
            LegacyExpected { operator: Some(Null), value: five(), ..form() },
            "Invalid number of argument(s) for the NULL ComparisonOperator",
        ),
        (
            LegacyExpected { operator: Some(Between), value: five(), ..form() },
            "Invalid number of argument(s) for the BETWEEN ComparisonOperator",
        ),
    ] {
        let complaint = refusal(expected(expectation.clone()));
        assert_eq!(complaint, format!("One or more parameter values were invalid: {sentence}"), "{expectation:?}");
    }
}

#[test]
fn the_conditional_operator_joins_two_or_more() {
    let scan = |count: usize, operator| {
        let all = conditions([("n", Eq, vec![5.into()]), ("s", Eq, vec!["no".into()])]);
        let some = all.map(|all| all.into_iter().take(count).collect());
        requests::scan(&Scan { scan_filter: some, conditional_operator: operator, ..Scan::default() })
    };
    let holds = |operator| scan(2, operator).expect("accepted").filter.expect("a filter").matches(sample().view());
    assert!(!holds(None));
    assert!(!holds(Some(ConditionalOperator::And)));
    assert!(holds(Some(ConditionalOperator::Or)));
    assert!(scan(0, None).expect("accepted").filter.is_none());
    let nothing = "ConditionalOperator cannot be used without Filter or Expected";
    let one = "ConditionalOperator can only be used when Filter or Expected has two or more elements";
    assert_eq!(refusal(scan(0, Some(ConditionalOperator::Or))), nothing);
    assert_eq!(refusal(scan(1, Some(ConditionalOperator::Or))), one);
    assert_eq!(
        refusal(requests::put(&PutItem { conditional_operator: Some(ConditionalOperator::And), ..put() })),
        nothing
    );
}

fn key<const COUNT: usize>(list: [(&str, ComparisonOperator, Vec<Value>); COUNT]) -> Result<KeyRange> {
    let query = Query { key_conditions: conditions(list), ..Query::default() };
    requests::query(&query)?.key.resolve(&schema(&["p"], &["s"]))
}

#[test]
fn key_conditions_select_a_range() {
    let a = || Encoded::from(Value::from("a"));
    let p = || ("p", Eq, vec!["a".into()]);
    let range = |sort| KeyRange { partition: vec![a()], sort_equals: vec![], sort };
    assert_eq!(key([p()]).expect("a key"), range(SortRange::All));
    assert_eq!(key([p(), ("s", Ge, vec!["a".into()])]).expect("a key"), range(SortRange::GreaterOrEqual(a())));
    assert_eq!(key([p(), ("s", BeginsWith, vec!["a".into()])]).expect("a key"), range(SortRange::BeginsWith(a())));
    assert_eq!(
        key([p(), ("s", Between, vec!["a".into(), "a".into()])]).expect("a key"),
        range(SortRange::Between(a(), a()))
    );
    assert_eq!(key([p(), ("s", Eq, vec!["a".into()])]).expect("a key").sort_equals, [a()]);

    let count = "Conditions can be of length 1 or 2 only";
    assert_eq!(refusal(key([])), count);
    assert_eq!(refusal(key([p(), ("s", Eq, vec!["a".into()]), ("t", Eq, vec!["a".into()])])), count);
    assert_eq!(refusal(key([("s", Eq, vec!["a".into()])])), "Query condition missed key schema element: p");
    assert_eq!(refusal(key([p(), ("t", Eq, vec!["a".into()])])), "Query condition missed key schema element: s");
    assert_eq!(refusal(key([("p", Lt, vec!["a".into()])])), "Query key condition not supported");
    let mismatch = "One or more parameter values were invalid: Condition parameter type does not match schema type";
    assert_eq!(refusal(key([("p", Eq, vec![1.into()])])), mismatch);
    for (operator, values) in
        [(In, vec!["a".into()]), (Ne, vec!["a".into()]), (Contains, vec!["a".into()]), (NotNull, vec![])]
    {
        let complaint = refusal(key([p(), ("s", operator, values)]));
        assert_eq!(complaint, "Attempted conditional constraint is not an indexable operation");
    }
}

fn updates(name: &str, action: Option<AttributeAction>, value: Option<Value>) -> Result<Option<Update>> {
    let updates = BTreeMap::from([(name.to_owned(), LegacyUpdate { action, value })]);
    Ok(requests::update(&UpdateItem { attribute_updates: Some(updates), ..update_item() })?.0)
}

#[test]
fn attribute_updates_change_the_item() {
    use AttributeAction::{Add, Delete, Put};
    let list = |values: &[i64]| Value::L(values.iter().map(|value| (*value).into()).collect());
    for (name, action, value, new) in [
        ("n", None, Some("x".into()), Some("x".into())),
        ("n", Some(Put), Some(7.into()), Some(7.into())),
        ("zz", Some(Put), Some(7.into()), Some(7.into())),
        ("n", Some(Delete), None, None),
        ("zz", Some(Delete), None, None),
        ("n", Some(Add), Some(2.into()), Some(7.into())),
        ("zz", Some(Add), Some(2.into()), Some(2.into())),
        ("ss", Some(Add), Some(strings(&["b"])), Some(strings(&["a", "b", "x"]))),
        ("ss", Some(Delete), Some(strings(&["a"])), Some(strings(&["x"]))),
        ("ss", Some(Delete), Some(strings(&["a", "x"])), None),
        ("l", Some(Add), Some(list(&[9])), Some(list(&[0, 1, 2, 3, 9]))),
        ("zz", Some(Add), Some(list(&[9])), Some(list(&[9]))),
    ] {
        let update = updates(name, action, value.clone()).expect("accepted").expect("an update");
        let image = update.apply(sample().view()).expect("applied");
        assert_eq!(image.get(name).map(|value| value.to_value()), new, "{name} {action:?} {value:?}");
    }
    for (name, action, value) in [
        ("ss", Add, Value::from(5)),
        ("l", Add, 5.into()),
        ("n", Add, strings(&["a"])),
        ("n", Add, list(&[1])),
        ("ns", Delete, strings(&["a"])),
        ("n", Delete, strings(&["a"])),
    ] {
        let update = updates(name, Some(action), Some(value)).expect("accepted").expect("an update");
        assert_eq!(
            refusal(update.apply(sample().view())),
            "Type mismatch for attribute to update",
            "{name} {action:?}"
        );
    }
    let nothing = UpdateItem { attribute_updates: Some(BTreeMap::new()), ..update_item() };
    assert!(requests::update(&nothing).expect("accepted").0.is_none());
}

#[test]
fn attribute_updates_check_their_values() {
    use AttributeAction::{Add, Delete, Put};
    let bad = |action, value| refusal(updates("a", action, value));
    let without =
        "One or more parameter values were invalid: Only DELETE action is allowed when no attribute value is specified";
    for action in [None, Some(Put), Some(Add)] {
        assert_eq!(bad(action, None), without);
    }
    for value in ["x".into(), Value::Null, true.into(), map([]), Value::B(vec![1])] {
        let kind = value.kind().name();
        let sentence =
            format!("One or more parameter values were invalid: ADD action is not supported for the type {kind}");
        assert_eq!(bad(Some(Add), Some(value)), sentence);
    }
    for value in ["x".into(), 1.into(), Value::L(vec![]), map([])] {
        let kind = value.kind().name();
        let sentence = format!(
            "One or more parameter values were invalid: DELETE action with value is not supported for the type {kind}"
        );
        assert_eq!(bad(Some(Delete), Some(value)), sentence);
    }
}

#[test]
fn attributes_to_get_is_a_projection() {
    let scan = |names: &[&str]| {
        let names = names.iter().map(|name| (*name).to_owned()).collect();
        requests::scan(&Scan { attributes_to_get: Some(names), ..Scan::default() })
    };
    let projection = scan(&["s", "n", "a.b"]).expect("accepted").projection.expect("a projection");
    assert_eq!(projection.apply(sample().view()), item([("n", 5.into()), ("s", "abc".into())]));
    assert_eq!(
        refusal(scan(&["a", "b", "a"])),
        "One or more parameter values were invalid: Duplicate value in attribute name: a"
    );
}
