//! BatchExecuteStatement and ExecuteTransaction.

use super::*;

#[test]
fn batches_answer_each_statement() {
    let engine = engine();
    let key_only = "! Select statements within BatchExecuteStatement must specify the primary key in the where clause.";
    assert_eq!(
        batch(
            &engine,
            &[
                "SELECT n FROM \"Table\" WHERE p = 'a' AND s = '1'",
                "SELECT m.x FROM \"Table\" WHERE p IN ['a'] AND s = '2'",
                "SELECT n FROM \"Table\" WHERE p = 'a' AND s = 'none'",
                "SELECT n FROM \"Table\" WHERE p = 'a' AND s = '1' AND n = 1",
                "SELECT n FROM \"Table\" WHERE p = 'a'",
                "SELECT n FROM \"Table\".\"inc\" WHERE p = 'a' AND s = '1' AND g = 'g'",
                "SELECT n FROM \"Nope\" WHERE p = 'a'",
                "SLECT * FROM t",
                "SELECT n FROM \"Table\" WHERE p IN ['a', 'a'] AND s = '1'",
            ]
        ),
        [
            "Table {n:1}",
            "Table {x:[1 'q']}",
            "Table -",
            key_only,
            key_only,
            key_only,
            "not found: Requested resource not found",
            "! Statement wasn't well formed, can't be processed: Expected data manipulation",
            "! Overlapping conditions with range keys are not supported in where clause",
        ]
    );
    assert_eq!(
        batch(
            &engine,
            &[
                "INSERT INTO \"Table\" VALUE {'p': 'a', 's': '1'}",
                "INSERT INTO \"Hash\" VALUE {'k': 1}",
                "UPDATE \"Table\" SET n = 5 WHERE p = 'a' AND s = '2' RETURNING MODIFIED NEW *",
                "UPDATE \"Table\" SET n = 5 WHERE p = 'a' AND s = '3' AND n = 77",
                "UPDATE \"Table\" REMOVE n WHERE p = 'a' AND s = '4' RETURNING MODIFIED NEW *",
                "DELETE FROM \"Table\" WHERE p = 'b' AND s = '1' RETURNING MODIFIED OLD *",
                "EXISTS(SELECT * FROM \"Table\" WHERE p = 'a' AND s = '9' AND n = 1)",
            ]
        ),
        [
            "Table duplicate",
            "Hash -",
            "Table {n:5}",
            "Table condition",
            "Table -",
            "! Invalid returning clause: RETURNING MODIFIED OLD *. Only RETURNING ALL OLD * is allowed in DELETE statements.",
            "! EXISTS can only be used in ExecuteTransaction write requests.",
        ]
    );
    check(
        &engine,
        &[("SELECT n FROM \"Table\" WHERE p = 'a'", "{n:1} {n:5} {n:3} {}"), ("SELECT * FROM \"Hash\"", "{k:1}")],
    );
    assert_eq!(
        batch(&engine, &["SELECT n FROM \"Hash\" WHERE k = 1", "DELETE FROM \"Hash\" WHERE k = 1"]),
        ["! Read and write requests together in the same batch is not supported."]
    );
    assert_eq!(
        batch(&engine, &["SELECT n FROM \"Hash\" LIMIT 1", "DELETE FROM \"Hash\" WHERE k = 1"]),
        ["! Read and write requests together in the same batch is not supported."]
    );
    assert_eq!(
        batch(&engine, &["SELECT n FROM \"Hash\" WHERE k = 1", "SELECT k FROM \"Hash\" WHERE k = 1"]),
        ["! Provided list of item keys contains duplicates"]
    );
}

#[test]
fn transactions_happen_together_or_not_at_all() {
    let engine = engine();
    let read = "SELECT n FROM \"Table\" WHERE p = 'a' AND s = '1'";
    let update = "UPDATE \"Table\" SET n = 8 WHERE p = 'a' AND s = '1'";
    let cases: &[(&[&str], &str)] = &[
        (&[read, "SELECT n FROM \"Table\" WHERE p = 'a' AND s = 'none'"], "[{n:1} -]"),
        (&[update, "INSERT INTO \"Hash\" VALUE {'k': 1}", "DELETE FROM \"Table\" WHERE p = 'a' AND s = '4'"], "[]"),
        (
            &[
                "UPDATE \"Table\" SET n = 9 WHERE p = 'a' AND s = '1'",
                "INSERT INTO \"Hash\" VALUE {'k': 1}",
                "DELETE FROM \"Table\" WHERE p = 'a' AND s = '2' AND n = 77",
                "UPDATE \"Table\" SET n = ss + 1 WHERE p = 'a' AND s = '3'",
            ],
            "canceled [None, DuplicateItem, ConditionalCheckFailed, ValidationError: An operand in the update expression has an incorrect data type]",
        ),
        (
            &[
                "EXISTS(SELECT * FROM \"Table\" WHERE p = 'a' AND s = '2' AND zz IS MISSING)",
                "DELETE FROM \"Hash\" WHERE k = 1",
            ],
            "[]",
        ),
        (
            &["EXISTS(SELECT * FROM \"Table\" WHERE p = 'a' AND s = '2' AND n = 9)", update],
            "canceled [ConditionalCheckFailed, None]",
        ),
        (
            &["EXISTS(SELECT * FROM \"Table\" WHERE p = 'a' AND s = 'none' AND n IS MISSING)"],
            "canceled [ConditionalCheckFailed]",
        ),
        (
            &["EXISTS(SELECT * FROM \"Table\" WHERE p = 'a' AND s = '1')", "DELETE FROM \"Hash\" WHERE k = 1"],
            "! Validation failed in TransactStatements[0]: EXISTS() must contain a single item read with additional condition",
        ),
        (
            &[update, read],
            "! ExecuteTransaction API does not support both read and write operations in the same request.",
        ),
        (&[update, update], "! Transaction request cannot include multiple operations on one item"),
        (&[read, read], "! Transaction request cannot include multiple operations on one item"),
        (
            &[update, "SELECT"],
            "! Validation failed in TransactStatements[1]: Statement wasn't well formed, can't be processed: Unexpected term",
        ),
        (
            &["UPDATE \"Table\" SET n = 8 WHERE p = 'a' AND s = '1' RETURNING ALL NEW *"],
            "! Validation failed in TransactStatements[0]: RETURNING clause is not supported in ExecuteTransaction.",
        ),
        (
            &["SELECT s FROM \"Table\".\"inc\" WHERE g = 'g'"],
            "! Validation failed in TransactStatements[0]: Reads on indices are not supported within transactions.",
        ),
        (
            &["SELECT n FROM \"Table\" WHERE p = 'a' AND s = '1' AND n = 1"],
            "! Validation failed in TransactStatements[0]: Select statements within ExecuteTransaction must specify the primary key in the where clause.",
        ),
        (&["SELECT n FROM \"Table\" WHERE (s = '1') AND p = 'a' AND p IN ['a']"], "[{n:8}]"),
        (&["UPDATE \"Nope\" SET a = 1 WHERE p = 'a' RETURNING ALL NEW *", update], "canceled [ResourceNotFound, None]"),
        (
            &["UPDATE \"Table\" SET n = 1 WHERE p = 'a'", "INSERT INTO \"Table\" VALUE {'p': 'z'}"],
            "canceled [ValidationError: The provided key element does not match the schema, None]",
        ),
        (
            &["INSERT INTO \"Table\" VALUE {'p': 'z'}", "UPDATE \"Table\" SET n = 1 WHERE p = 'a'"],
            "canceled [ValidationError: One or more parameter values were invalid: Missing the key s in the item, None]",
        ),
        (
            &["SELECT n FROM \"Table\" WHERE p = 'a' AND s = 1"],
            "canceled [ValidationError: The provided key element does not match the schema]",
        ),
    ];
    for (statements, expected) in cases {
        assert_eq!(transact(&engine, statements), *expected, "{statements:?}");
    }
    check(&engine, &[("SELECT n FROM \"Table\" WHERE p = 'a'", "{n:8} {n:2} {n:3}")]);
}

#[test]
fn a_repeated_transaction_happens_once() {
    let engine = engine();
    let request = |statement: &str| ExecuteTransaction {
        statements: vec![text(statement)],
        client_request_token: Some("token".to_owned()),
        return_capacity: Some(ReturnConsumedCapacity::Total),
    };
    let add = "UPDATE \"Table\" SET n = n + 1 WHERE p = 'a' AND s = '1'";
    let first = engine.run(request(add)).unwrap().consumed_capacity.unwrap();
    let again = engine.run(request(add)).unwrap().consumed_capacity.unwrap();
    assert!(first[0].units.write.is_some() && first[0].units.read.is_none());
    assert!(again[0].units.read.is_some() && again[0].units.write.is_none());
    let key: Map = [("p".to_owned(), "a".into()), ("s".to_owned(), "1".into())].into();
    let get = GetItem { table_name: "Table".to_owned(), key: key.into(), ..GetItem::default() };
    assert_eq!(engine.run(get).unwrap().item.unwrap().to_map()["n"], 2.into());
    let other = engine.run(request("UPDATE \"Table\" SET n = n + 2 WHERE p = 'a' AND s = '1'"));
    assert!(matches!(other, Err(Error::IdempotentParameterMismatch(_))));
}
