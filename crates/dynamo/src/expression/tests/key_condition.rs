//! Key conditions against a table with the string keys `p` and `s`: what is selected, and what is refused.
//! Observed with Amazon's DynamoDB Local 3.3.0, whose parser is the service's own; the name after "missed key schema element" and the sentence about nested
//! attributes are the service's.

use super::{key, refusal, requests, schema};
use crate::error::Result;
use crate::expression::{KeyRange, KeySchema, SortRange};
use crate::item::Encoded;
use crate::operation::page::Query;
use crate::value::Value;

#[test]
fn well_formed_key_conditions_select_a_range() {
    for text in [
        "p = :s",
        "p=:s AND s=:s",
        "s=:s AND p=:s",
        "p=:s AND s<:s",
        "p=:s AND :s < s",
        "p = :s AND s BETWEEN :lo AND :hi",
        "p=:s AND begins_with(s,:s)",
        "(p=:s) AND (s=:s)",
        "(p=:s AND s=:s)",
        "p=:s",
        "p=:lo AND s=:s",
        "p=:lo AND s>:s",
        "p=:lo AND s BETWEEN :s AND :hi",
        "p=:lo AND begins_with(s,:s)",
    ] {
        assert!(key(text).is_ok(), "{text}: {:?}", key(text));
    }
}

#[test]
fn every_other_condition_is_refused_with_its_own_sentence() {
    for (text, sentence) in [
        ("", "Invalid KeyConditionExpression: The expression can not be empty;"),
        ("s=:s", "Query condition missed key schema element: p"),
        ("p < :s", "Query key condition not supported"),
        (
            "p=:s AND s BETWEEN :hi AND :lo",
            "Invalid KeyConditionExpression: The BETWEEN operator requires upper bound to be greater than or equal to lower bound; lower bound operand: AttributeValue: {S:z}, upper bound operand: AttributeValue: {S:a}",
        ),
        (
            "p=:s AND :s BETWEEN s AND :hi",
            "Invalid condition in KeyConditionExpression: BETWEEN operator must have the key attribute as its first operand",
        ),
        ("p=:s AND s IN (:s)", "Invalid operator used in KeyConditionExpression: IN"),
        ("p=:s OR s=:s", "Invalid operator used in KeyConditionExpression: OR"),
        ("NOT p=:s", "Invalid operator used in KeyConditionExpression: NOT"),
        ("p=:s AND NOT s=:s", "Invalid operator used in KeyConditionExpression: NOT"),
        ("p<>:s", "Invalid operator used in KeyConditionExpression: <>"),
        ("p=:s AND s<>:s", "Invalid operator used in KeyConditionExpression: <>"),
        (
            "p=:s AND begins_with(:s,s)",
            "Invalid condition in KeyConditionExpression: begins_with operator must have the key attribute as its first operand",
        ),
        ("p=:s AND contains(s,:s)", "Invalid operator used in KeyConditionExpression: contains"),
        ("p=:s AND attribute_exists(s)", "Invalid operator used in KeyConditionExpression: attribute_exists"),
        ("p=:s AND size(s)=:n", "KeyConditionExpressions cannot contain nested operations"),
        ("p=:s AND p=:s", "KeyConditionExpressions must only contain one condition per key"),
        ("p=:s AND s>:lo AND s<:hi", "KeyConditionExpressions must only contain one condition per key"),
        ("p=:s AND s=:s AND a=:s", "Conditions can be of length 1 or 2 only"),
        ("p=:s AND a=:s", "Query condition missed key schema element: s"),
        ("a=:s", "Query condition missed key schema element: p"),
        ("p=:s AND s.b=:s", "KeyConditionExpressions cannot have conditions on nested attributes"),
        ("p.b=:s", "KeyConditionExpressions cannot have conditions on nested attributes"),
        ("p=s", "Invalid condition in KeyConditionExpression: Multiple attribute names used in one condition"),
        (
            "p=p",
            "Invalid KeyConditionExpression: The first operand must be distinct from the remaining operands for this operator or function; operator: =, first operand: [p]",
        ),
        (":s=:s", "Invalid condition in KeyConditionExpression: No key attribute specified"),
        ("p=:s AND s=p", "Invalid condition in KeyConditionExpression: Multiple attribute names used in one condition"),
        ("p=:n", "One or more parameter values were invalid: Condition parameter type does not match schema type"),
        (
            "p=:s AND s=:n",
            "One or more parameter values were invalid: Condition parameter type does not match schema type",
        ),
        ("p=:m", "One or more parameter values were invalid: Condition parameter type does not match schema type"),
        (
            "p=:s AND s=:m",
            "One or more parameter values were invalid: Condition parameter type does not match schema type",
        ),
        (
            "p=:s AND s<:m",
            "Invalid KeyConditionExpression: Incorrect operand type for operator or function; operator or function: <, operand type: M",
        ),
        ("p=:b", "One or more parameter values were invalid: Condition parameter type does not match schema type"),
        (
            "p=:s AND begins_with(s,:n)",
            "Invalid KeyConditionExpression: Incorrect operand type for operator or function; operator or function: begins_with, operand type: N",
        ),
        (
            "p=:s AND s BETWEEN :n AND :n",
            "One or more parameter values were invalid: Condition parameter type does not match schema type",
        ),
        (
            "p=:s AND s BETWEEN :n AND :s",
            "Invalid KeyConditionExpression: The BETWEEN operator requires same data type for lower and upper bounds; lower bound operand: AttributeValue: {N:1}, upper bound operand: AttributeValue: {S:x}",
        ),
        ("begins_with(p,:s)", "Query key condition not supported"),
        ("p BETWEEN :lo AND :hi", "Query key condition not supported"),
        ("begins_with(p,:s) AND s=:s", "Query key condition not supported"),
        ("((p=:s))", "Invalid KeyConditionExpression: The expression has redundant parentheses;"),
        (
            "p=:s AND size(s)",
            "Invalid KeyConditionExpression: The function is not allowed to be used this way in an expression; function: size",
        ),
        ("size(p)=:n", "KeyConditionExpressions cannot contain nested operations"),
        (
            "p=:s AND attribute_type(s,:s)",
            "Invalid KeyConditionExpression: Invalid attribute type name found; type: x, valid types: {B,NULL,SS,BOOL,L,BS,N,NS,S,M}",
        ),
        (
            "p=:s AND attribute_type(s,:lo)",
            "Invalid KeyConditionExpression: Invalid attribute type name found; type: a, valid types: {B,NULL,SS,BOOL,L,BS,N,NS,S,M}",
        ),
        ("p IN (:s)", "Invalid operator used in KeyConditionExpression: IN"),
        ("foo(p)", "Invalid KeyConditionExpression: Invalid function name; function: foo"),
        ("abort=:s", "Invalid KeyConditionExpression: Attribute name is a reserved keyword; reserved keyword: abort"),
        (
            "p=:un",
            "Invalid KeyConditionExpression: An expression attribute value used in expression is not defined; attribute value: :un",
        ),
        (
            "#un=:s",
            "Invalid KeyConditionExpression: An expression attribute name used in the document path is not defined; attribute name: #un",
        ),
        ("p=:s AND s=size(p)", "KeyConditionExpressions cannot contain nested operations"),
        ("p=:s AND (s=:s OR s=:lo)", "Invalid operator used in KeyConditionExpression: OR"),
        ("attribute_not_exists(p)", "Invalid operator used in KeyConditionExpression: attribute_not_exists"),
        (
            "p=:s AND s BETWEEN s AND :hi",
            "Invalid KeyConditionExpression: The first operand must be distinct from the remaining operands for this operator or function; operator: BETWEEN, first operand: [s]",
        ),
        (
            "p=:s AND s BETWEEN p AND :hi",
            "Invalid condition in KeyConditionExpression: Multiple attribute names used in one condition",
        ),
        (
            "p=:s AND begins_with(s,p)",
            "Invalid condition in KeyConditionExpression: Multiple attribute names used in one condition",
        ),
        (
            "p=:s AND s=:ss",
            "One or more parameter values were invalid: Condition parameter type does not match schema type",
        ),
        (
            "p=:s AND s<:ss",
            "Invalid KeyConditionExpression: Incorrect operand type for operator or function; operator or function: <, operand type: SS",
        ),
        (
            "p=:s AND s=:nul",
            "One or more parameter values were invalid: Condition parameter type does not match schema type",
        ),
        ("p[0]=:s", "KeyConditionExpressions cannot have conditions on nested attributes"),
        (
            "p=:s AND a<:m",
            "Invalid KeyConditionExpression: Incorrect operand type for operator or function; operator or function: <, operand type: M",
        ),
        ("p=:s AND s<>:s AND a=:s", "Invalid operator used in KeyConditionExpression: <>"),
        ("p=:s AND s=:s AND s<>:s", "Invalid operator used in KeyConditionExpression: <>"),
        ("NOT p=:n", "Invalid operator used in KeyConditionExpression: NOT"),
        ("p<>:m", "Invalid operator used in KeyConditionExpression: <>"),
    ] {
        assert_eq!(refusal(key(text)), sentence, "{text}");
    }
}

fn text(value: &str) -> Encoded {
    Encoded::from(Value::from(value))
}

#[test]
fn conditions_become_ranges() {
    let all = |sort| KeyRange { partition: vec![text("x")], sort_equals: vec![], sort };
    for (condition, range) in [
        ("p = :s", all(SortRange::All)),
        (":s = p", all(SortRange::All)),
        ("p = :s AND s < :lo", all(SortRange::Less(text("a")))),
        ("p = :s AND s <= :lo", all(SortRange::LessOrEqual(text("a")))),
        ("s > :lo AND p = :s", all(SortRange::Greater(text("a")))),
        ("p = :s AND s >= :lo", all(SortRange::GreaterOrEqual(text("a")))),
        ("p = :s AND :lo < s", all(SortRange::Greater(text("a")))),
        ("p = :s AND :lo <= s", all(SortRange::GreaterOrEqual(text("a")))),
        ("p = :s AND :lo > s", all(SortRange::Less(text("a")))),
        ("p = :s AND :lo >= s", all(SortRange::LessOrEqual(text("a")))),
        ("p = :s AND s BETWEEN :lo AND :hi", all(SortRange::Between(text("a"), text("z")))),
        ("p = :s AND begins_with(s, :lo)", all(SortRange::BeginsWith(text("a")))),
        ("p = :s AND s = :lo", KeyRange { sort_equals: vec![text("a")], ..all(SortRange::All) }),
    ] {
        assert_eq!(key(condition).expect(condition), range, "{condition}");
    }
}

#[test]
fn empty_values_are_no_keys() {
    let sentence = "One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty string value. Key: ";
    for (condition, name) in [
        ("p = :empty", "p"),
        ("p = :s AND s = :empty", "s"),
        ("p = :s AND s > :empty", "s"),
        ("p = :s AND s BETWEEN :empty AND :hi", "s"),
        ("p = :s AND begins_with(s, :empty)", "s"),
    ] {
        assert_eq!(refusal(key(condition)), format!("{sentence}{name}"), "{condition}");
    }
}

#[test]
fn a_table_without_sort_key_takes_one_condition() {
    let hash = schema(&["p"], &[]);
    assert!(resolve("p = :s", &hash).is_ok());
    assert_eq!(refusal(resolve("p = :s AND a = :s", &hash)), "Query key condition not supported");
    assert_eq!(refusal(resolve("a = :s", &hash)), "Query condition missed key schema element: p");
}

/// A global index may have up to four attributes on each side: all of the partition key, then the sort key from
/// the left, where only the last condition may be a range.
#[test]
fn keys_of_several_attributes() {
    let wide = schema(&["h1", "h2"], &["r1", "r2"]);
    let range = |sort_equals: &[&str], sort| KeyRange {
        partition: vec![text("x"), text("a")],
        sort_equals: sort_equals.iter().map(|value| text(value)).collect(),
        sort,
    };
    for (condition, selected) in [
        ("h1 = :s AND h2 = :lo", range(&[], SortRange::All)),
        ("r1 = :hi AND h2 = :lo AND h1 = :s", range(&["z"], SortRange::All)),
        ("h1 = :s AND h2 = :lo AND r1 < :hi", range(&[], SortRange::Less(text("z")))),
        ("h1 = :s AND h2 = :lo AND r1 = :hi AND r2 = :hi", range(&["z", "z"], SortRange::All)),
        ("h1 = :s AND h2 = :lo AND r1 = :hi AND begins_with(r2, :s)", range(&["z"], SortRange::BeginsWith(text("x")))),
    ] {
        assert_eq!(resolve(condition, &wide).expect(condition), selected, "{condition}");
    }
    for (condition, sentence) in [
        ("h1 = :s", "Query condition missed key schema element: h2"),
        ("h2 = :s AND r1 = :s", "Query condition missed key schema element: h1"),
        ("h1 = :s AND h2 = :s AND r2 = :s", "Query condition missed key schema element: r1"),
        ("h1 = :s AND h2 < :s", "Query key condition not supported"),
        ("h1 = :s AND h2 = :s AND r1 < :s AND r2 = :s", "Query key condition not supported"),
        ("h1 = :s AND h2 = :s AND r1 = :s AND r2 = :s AND a = :s", "Conditions can be of length 1 or 2 only"),
    ] {
        assert_eq!(refusal(resolve(condition, &wide)), sentence, "{condition}");
    }
}

fn resolve(text: &str, schema: &KeySchema) -> Result<KeyRange> {
    let query =
        Query { key_condition_expression: Some(text.to_owned()), values: super::values(&[text]), ..Query::default() };
    requests::query(&query)?.key.resolve(schema)
}
