//! Rules about the parameters of a request as a whole.

use std::collections::BTreeMap;

use super::{get_item, item, refusal, requests, update_item};
use crate::item::Item;
use crate::operation::item::{GetItem, UpdateItem};
use crate::operation::option::{ConditionalOperator, Names, Values};
use crate::operation::page::{Query, Scan};
use crate::operation::transaction::{TransactAction, TransactGet, TransactWrite};

fn text(text: &str) -> Option<String> {
    Some(text.to_owned())
}

fn names(list: &[(&str, &str)]) -> Names {
    Some(list.iter().map(|(key, name)| ((*key).to_owned(), (*name).to_owned())).collect())
}

fn one_value() -> Values {
    Some(item([(":a", 1.into())]))
}

#[test]
fn expressions_do_not_mix_with_legacy_parameters() {
    let mixed =
        "Can not use both expression and non-expression parameters in the same request: Non-expression parameters: ";
    let update = UpdateItem {
        update_expression: text(""),
        condition_expression: text(""),
        attribute_updates: Some(BTreeMap::new()),
        expected: Some(BTreeMap::new()),
        conditional_operator: Some(ConditionalOperator::And),
        ..update_item()
    };
    assert_eq!(
        refusal(requests::update(&update)),
        format!(
            "{mixed}{{AttributeUpdates, Expected, ConditionalOperator}} Expression parameters: {{UpdateExpression, ConditionExpression}}"
        )
    );
    let query = Query {
        key_condition_expression: text(""),
        filter_expression: text(""),
        projection_expression: text(""),
        key_conditions: Some(BTreeMap::new()),
        query_filter: Some(BTreeMap::new()),
        conditional_operator: Some(ConditionalOperator::And),
        attributes_to_get: Some(vec![]),
        ..Query::default()
    };
    assert_eq!(
        refusal(requests::query(&query)),
        format!(
            "{mixed}{{AttributesToGet, QueryFilter, ConditionalOperator, KeyConditions}} Expression parameters: {{ProjectionExpression, FilterExpression, KeyConditionExpression}}"
        )
    );
    let scan = Scan { filter_expression: text("a"), scan_filter: Some(BTreeMap::new()), ..Scan::default() };
    assert_eq!(
        refusal(requests::scan(&scan)),
        format!("{mixed}{{ScanFilter}} Expression parameters: {{FilterExpression}}")
    );
    let get = GetItem { projection_expression: text("a"), attributes_to_get: Some(vec![]), ..get_item() };
    assert_eq!(
        refusal(requests::get(&get)),
        format!("{mixed}{{AttributesToGet}} Expression parameters: {{ProjectionExpression}}")
    );
}

#[test]
fn a_legacy_key_condition_goes_with_other_expressions() {
    let condition = crate::operation::option::LegacyCondition {
        operator: crate::operation::option::ComparisonOperator::Eq,
        values: Some(vec!["x".into()]),
    };
    let query = Query {
        key_conditions: Some(BTreeMap::from([("p".to_owned(), condition)])),
        filter_expression: text("attribute_exists(a)"),
        ..Query::default()
    };
    assert!(requests::query(&query).expect("accepted").filter.is_some());
    assert_eq!(
        refusal(requests::query(&Query::default())),
        "Either the KeyConditions or KeyConditionExpression parameter must be specified in the request."
    );
}

#[test]
fn stand_ins_need_an_expression() {
    let alone = "ExpressionAttributeNames can only be specified when using expressions";
    assert_eq!(refusal(requests::get(&GetItem { names: names(&[("#a", "a")]), ..get_item() })), alone);
    assert_eq!(refusal(requests::update(&UpdateItem { names: names(&[]), ..update_item() })), alone);
    let alone = "ExpressionAttributeValues can only be specified when using expressions: ";
    assert_eq!(
        refusal(requests::update(&UpdateItem { values: one_value(), ..update_item() })),
        format!("{alone}UpdateExpression and ConditionExpression are null")
    );
    let query = Query { projection_expression: text("a"), values: one_value(), ..Query::default() };
    assert_eq!(
        refusal(requests::query(&query)),
        format!("{alone}FilterExpression and KeyConditionExpression are null")
    );
    let scan = Scan { projection_expression: text("a"), values: one_value(), ..Scan::default() };
    assert_eq!(refusal(requests::scan(&scan)), format!("{alone}FilterExpression is null"));
}

#[test]
fn stand_ins_are_checked_before_expressions() {
    let scan = |names: Names, values: Values| {
        refusal(requests::scan(&Scan { filter_expression: text(""), names, values, ..Scan::default() }))
    };
    for (names, values, sentence) in [
        (names(&[]), Some(Item::empty()), "ExpressionAttributeNames must not be empty"),
        (None, Some(Item::empty()), "ExpressionAttributeValues must not be empty"),
        (
            names(&[("", "a")]),
            None,
            "ExpressionAttributeNames contains invalid key: The expression attribute map contains an empty key;",
        ),
        (
            names(&[("a", "a")]),
            Some(Item::empty()),
            "ExpressionAttributeNames contains invalid key: Syntax error; key: \"a\"",
        ),
        (names(&[("#", "a")]), None, "ExpressionAttributeNames contains invalid key: Syntax error; key: \"#\""),
        (names(&[("#a-b", "a")]), None, "ExpressionAttributeNames contains invalid key: Syntax error; key: \"#a-b\""),
        (names(&[("##a", "a")]), None, "ExpressionAttributeNames contains invalid key: Syntax error; key: \"##a\""),
        (
            names(&[("#\u{e9}", "a")]),
            None,
            "ExpressionAttributeNames contains invalid key: Syntax error; key: \"#\u{e9}\"",
        ),
        (
            names(&[("#a", "")]),
            None,
            "ExpressionAttributeNames contains invalid value: Empty attribute name for key #a",
        ),
        (
            None,
            Some(item([("a", 1.into())])),
            "ExpressionAttributeValues contains invalid key: Syntax error; key: \"a\"",
        ),
        (
            None,
            Some(item([(":", 1.into())])),
            "ExpressionAttributeValues contains invalid key: Syntax error; key: \":\"",
        ),
        (
            names(&[("#1", "a")]),
            Some(item([(":_", 1.into())])),
            "Invalid FilterExpression: The expression can not be empty;",
        ),
    ] {
        assert_eq!(scan(names, values), sentence);
    }
}

#[test]
fn every_stand_in_must_be_used() {
    let update = |names: Names, values: Values| {
        let update = UpdateItem {
            update_expression: text("SET #a = :a"),
            condition_expression: text("b = :b"),
            names,
            values,
            ..update_item()
        };
        refusal(requests::update(&update).map(|_| ()))
    };
    let both = || Some(item([(":a", 1.into()), (":b", 1.into())]));
    assert_eq!(update(names(&[("#a", "a")]), both()), "accepted: ()");
    assert_eq!(
        update(names(&[("#a", "a"), ("#b", "b"), ("#c", "c")]), both()),
        "Value provided in ExpressionAttributeNames unused in expressions: keys: {#b, #c}"
    );
    assert_eq!(
        update(names(&[("#a", "a")]), Some(item([(":a", 1.into()), (":b", 1.into()), (":c", 1.into())]))),
        "Value provided in ExpressionAttributeValues unused in expressions: keys: {:c}"
    );
}

#[test]
fn transactions_follow_the_same_rules() {
    let write = |action, condition: Option<&str>, values| {
        let write = TransactWrite {
            table_name: String::new(),
            action,
            condition_expression: condition.map(str::to_owned),
            names: None,
            values,
            return_on_failure: None,
        };
        requests::transact_write(&write)
    };
    let change =
        |expression: &str| TransactAction::Update { key: Item::empty(), update_expression: expression.to_owned() };
    let (update, condition) = write(change("SET a = :a"), Some("attribute_exists(a)"), one_value()).expect("accepted");
    assert!(update.is_some() && condition.is_some());
    assert_eq!(
        refusal(write(change("REMOVE a"), None, one_value())),
        "Value provided in ExpressionAttributeValues unused in expressions: keys: {:a}"
    );
    assert_eq!(
        refusal(write(TransactAction::Put(Item::empty()), None, one_value())),
        "ExpressionAttributeValues can only be specified when using expressions: ConditionExpression is null"
    );
    assert_eq!(
        refusal(write(TransactAction::ConditionCheck(Item::empty()), Some(""), None)),
        "Invalid ConditionExpression: The expression can not be empty;"
    );
    let get =
        TransactGet { table_name: String::new(), key: Item::empty(), projection_expression: text("a,"), names: None };
    assert_eq!(
        refusal(requests::transact_get(&get)),
        "Invalid ProjectionExpression: Syntax error; token: \"<EOF>\", near: \",\""
    );
}
