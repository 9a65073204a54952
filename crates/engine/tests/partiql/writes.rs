//! INSERT, UPDATE and DELETE.

use super::*;

#[test]
fn inserts() {
    let engine = engine();
    check(
        &engine,
        &[
            (
                "INSERT INTO \"Table\" VALUE {'p': 'i', 's': '1', 'l2': [1, {'k': 'it''s'}], 'ns': <<2, 1>>, 'x': null}",
                "",
            ),
            ("SELECT * FROM \"Table\" WHERE p = 'i'", "{l2:[1 {k:'it's'}] ns:<<1 2>> p:'i' s:'1' x:null}"),
            ("INSERT INTO \"Table\" VALUE {'p': 'i', 's': '1', 'new': 1}", "duplicate"),
            ("INSERT INTO \"Table\" VALUE {'p': 'i'}", "! Key attribute should be present in the item: Key s"),
            (
                "INSERT INTO \"Table\" VALUE {'p': 1, 's': '2'}",
                "! Key attribute's data type should match its data type in table's schema: Key p",
            ),
            (
                "INSERT INTO \"Table\" VALUE ['p']",
                "! Unsupported format in item expression. Please use struct format {...} to express item values for insert statement. at 1:27:1",
            ),
            (
                "INSERT INTO \"Table\" VALUE {'p': 'i', 's': '2', 'p': 'j'}",
                "! Duplicate keys in tuple. Key: p under root at 1:48:3",
            ),
            (
                "INSERT INTO \"Table\" VALUE {p: 'i'}",
                "! Tuple keys must be of type String. Actual type: VariableReference under root at 1:28:1",
            ),
            ("INSERT INTO \"Table\" VALUE {'p': 'i', 's': '2', 'x': <<>>}", "! Empty bags are not supported"),
            (
                "INSERT INTO \"Table\" VALUE {'p': 'i', 's': '2', 'x': <<1, 'a'>>}",
                "! Unsupported data type in Bag. DynamoDB only supports either numbers or strings in bags",
            ),
            (
                "INSERT INTO \"Table\" VALUE {'p': 'i', 's': '2', 'x': [<<'a', 'a'>>]}",
                "! One or more parameter values were invalid: Input collection [a, a] contains duplicates.",
            ),
            (
                "INSERT INTO \"Table\" VALUE {'p': 'i', 's': '2', 'm': {'x': 1e126}}",
                "! Number overflow. Attempting to store a number with magnitude larger than supported range under root.x",
            ),
            (
                "INSERT INTO \"Table\" VALUE {'p': 'i', 's': '2'} RETURNING ALL OLD *",
                "! RETURNING is not supported in INSERT",
            ),
        ],
    );
    let deep = |levels: usize| {
        format!(
            "INSERT INTO \"Table\" VALUE {{'p': 'd', 's': '{levels}', 'd': {}1{}}}",
            "[".repeat(levels),
            "]".repeat(levels)
        )
    };
    assert_eq!(answer(&engine, request(&deep(31))), "");
    let refused = format!("! Nesting Levels have exceeded supported limits under root{}", "[0]".repeat(32));
    assert_eq!(answer(&engine, request(&deep(32))), refused);
}

#[test]
fn updates() {
    let engine = engine();
    let one = "WHERE p = 'a' AND s = '1'";
    let update = |change: &str| format!("UPDATE \"Table\" {change} {one}");
    check(
        &engine,
        &[
            (&update("SET n = n + 1, k = n - 2 REMOVE ss"), ""),
            (&format!("SELECT n, k, ss FROM \"Table\" {one}"), "{k:-1 n:2}"),
            (
                &format!("FROM \"Table\" {one} SET m.y = list_append(m.x, [2]) RETURNING MODIFIED NEW *"),
                "{m:{y:[1 'q' 2]}}",
            ),
            (&format!("{} RETURNING MODIFIED OLD *", update("SET n = 9")), "{n:2}"),
            (
                &format!("{} RETURNING ALL OLD *", update("REMOVE m REMOVE g REMOVE l")),
                "{g:'g' k:-1 l:'l1' m:{x:[1 'q'] y:[1 'q' 2]} n:9 p:'a' proj:'proj1' s:'1'}",
            ),
            (&format!("{} RETURNING MODIFIED NEW *", update("REMOVE proj")), ""),
            (
                &format!("{} RETURNING ALL NEW *", update("SET ss = SET_ADD(ss, <<'z', 'y'>>)")),
                "{k:-1 n:9 p:'a' s:'1' ss:<<y z>>}",
            ),
            (
                &format!(
                    "{} RETURNING ALL NEW *",
                    update("SET ss = set_delete(ss, <<'z', 'y'>>) SET f = if_not_exists(f, 5)")
                ),
                "{f:5 k:-1 n:9 p:'a' s:'1'}",
            ),
            (&format!("{} AND n = 9", update("SET n = 10")), ""),
            (&format!("{} AND n = 9", update("SET n = 11")), "condition"),
            (&format!("{} AND s < '0'", update("SET n = 11")), "condition"),
            ("UPDATE \"Table\" SET n = 1 WHERE p = 'a' AND s = 'none'", "condition"),
            ("UPDATE \"Table\" SET n = 1 WHERE p = 'a' AND s = 'none' AND n IS MISSING", "condition"),
            (
                "UPDATE \"Table\" SET n = 1",
                "! Where clause does not contain a mandatory equality on all key attributes",
            ),
            (
                "UPDATE \"Table\" SET n = 1 WHERE p = 'a' AND s > '1'",
                "! Where clause does not contain a mandatory equality on all key attributes",
            ),
            (
                &format!("{} OR n = 1", update("SET n = 1")),
                "! Where clause does not contain a mandatory equality on all key attributes",
            ),
            (
                &format!("{} AND p = 'b'", update("SET n = 1")),
                "! Multiple conditions on same key p. Only single item Update/Insert/Delete are supported",
            ),
            (&format!("{} AND p = 'a'", update("SET n = 10")), ""),
            (
                "UPDATE \"Table\" SET n = 1 WHERE p = 'a' AND s = 1",
                "! Key attribute's data type should match its data type in table's schema: Key s",
            ),
            (
                &update("SET p = 'x'"),
                "! One or more parameter values were invalid: Cannot update attribute p. This attribute is part of the key",
            ),
            (
                &update("SET n = 1, n = 2"),
                "! Two document paths overlap with each other; must remove or rewrite one of these paths; path one: [n], path two: [n]",
            ),
            (&update("SET n = n * 2"), "! Unsupported operator in Update Expression. Operator: *"),
            (
                &update("SET n = 'a' + 1"),
                "! Incorrect operand type for operator or function; operator or function: +, operand type: S",
            ),
            (
                &update("SET n = zz + 1"),
                "! The provided expression refers to an attribute that does not exist in the item",
            ),
            (&update("SET n = set_add(n, <<1>>)"), "! An operand in the update expression has an incorrect data type"),
            (
                &update("SET t = set_add(ss, <<'x'>>)"),
                "! The first argument to SET_ADD must equal the assignment value at 1:24:7",
            ),
            (
                &update("SET ss = set_add(ss, 'x')"),
                "! The second argument to SET_ADD must be a value with type SET at 1:33:2",
            ),
            (&update("SET ss = set_add(ss)"), "! SET_ADD must have exactly two arguments at 1:25:7"),
            (
                &update("SET n = attribute_exists(n)"),
                "! The function is not allowed in an update expression; function: attribute_exists",
            ),
            (&update("SET n = MISSING"), "! MISSING must be compared using IS operator"),
            (&update("SET x = [?]"), "! Unsupported data type: Parameter under key root[0] at 1:25:1"),
            (
                &format!("{} RETURNING ALL OLD n", update("SET n = 1")),
                "! Expected '*' after ( MODIFIED | ALL ) ( NEW | OLD ) in RETURNING clause",
            ),
        ],
    );
    let mut failing = request("UPDATE \"Hash\" SET a = 1 WHERE k = 1 AND a = 2");
    assert_eq!(answer(&engine, request("INSERT INTO \"Hash\" VALUE {'k': 1, 'a': 1}")), "");
    assert_eq!(answer(&engine, failing.clone()), "condition");
    failing.statement.return_on_failure = Some(ReturnValuesOnConditionCheckFailure::AllOld);
    assert_eq!(answer(&engine, failing), "condition {a:1 k:1}");
}

#[test]
fn deletes() {
    check(
        &engine(),
        &[
            ("DELETE FROM \"Table\" WHERE p = 'a' AND s = '3' AND n = 4", "condition"),
            ("DELETE FROM \"Hash\" WHERE k = 5 AND a = 1", ""),
            ("DELETE FROM \"Hash\" WHERE k = 5 RETURNING ALL OLD *", ""),
            (
                "DELETE FROM \"Table\" WHERE p = 'a' AND s = '3' RETURNING ALL OLD *",
                "{m:{x:[1 'q']} n:3 p:'a' s:'3' ss:<<a b>>}",
            ),
            ("SELECT s FROM \"Table\" WHERE p = 'a' AND s = '3'", ""),
            (
                "DELETE FROM \"Table\" WHERE p = 'a'",
                "! Where clause does not contain a mandatory equality on all key attributes",
            ),
            (
                "DELETE FROM \"Table\" WHERE p = 'a' AND s = '1' RETURNING MODIFIED OLD *",
                "! Invalid returning clause: RETURNING MODIFIED OLD *. Only RETURNING ALL OLD * is allowed in DELETE statements.",
            ),
        ],
    );
}

#[test]
fn parameters_take_the_place_of_question_marks() {
    let engine = engine();
    let mut insert = request("INSERT INTO \"Hash\" VALUE {'k': ?, 'v': ?}");
    insert.statement.parameters = Some(vec![7.into(), Value::L(vec![Value::B(vec![1])])]);
    assert_eq!(answer(&engine, insert), "");
    let mut select = request("SELECT v FROM \"Hash\" WHERE k IN [?, 8]");
    select.statement.parameters = Some(vec![7.into()]);
    assert_eq!(answer(&engine, select), "{v:[B([1])]}");
    let mut update = request("UPDATE \"Hash\" SET bs = set_add(bs, ?) WHERE k = ? RETURNING ALL NEW *");
    update.statement.parameters = Some(vec![Value::Ns([1.into()].into()), 7.into()]);
    assert_eq!(answer(&engine, update), "{bs:<<1>> k:7 v:[B([1])]}");
}
