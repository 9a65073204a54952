//! SELECT: what is found, in which order, and what a statement cannot ask.

use super::*;

#[test]
fn conditions_select() {
    let engine = engine();
    check_where(
        &engine,
        &[
            ("p = 'a'", "a1 a2 a3 a4"),
            ("'a' = p AND '2' < s", "a3 a4"),
            ("p = 'a' AND s > '1' AND s < '4'", "a2 a3"),
            ("p = 'a' AND s BETWEEN '2' AND '3'", "a2 a3"),
            ("p = 'a' AND begins_with(s, '3')", "a3"),
            ("p = 'a' AND s IN ['4', '1']", "a1 a4"),
            ("p = 'a' AND (s = '1' OR s = '2')", "a1 a2"),
            ("p = 'a' AND (s < '2' OR s > '2' OR s = '2')", "a1 a2 a3 a4"),
            ("p IN ['b', 'a']", "b1 a1 a2 a3 a4"),
            ("p = 'b' OR p = 'a' AND n > 2", "b1 a3 a4"),
            ("p = 'a' AND p = 'b'", ""),
            ("p = 'a' AND n = 2", "a2"),
            ("p = 'a' AND n <> 2 AND n != 3", "a1 a4"),
            ("p = 'a' AND NOT (n = 1 OR n = 2)", "a3 a4"),
            ("p = 'a' AND n NOT IN [1, 2] AND n NOT BETWEEN 4 AND 9", "a3"),
            ("p = 'a' AND n IN (1, 4)", "a1 a4"),
            ("p = 'a' AND g IS MISSING", "a3"),
            ("p = 'a' AND g IS NOT MISSING", "a1 a2 a4"),
            ("p = 'a' AND g IS NOT NULL AND g IS STRING", "a1 a2 a4"),
            ("p = 'a' AND ATTRIBUTE_NOT_EXISTS(g)", "a3"),
            ("p = 'a' AND attribute_type(m, 'M') AND size(ss) = 2 AND contains(ss, 'b') AND n = 1", "a1"),
            ("p = 'a' AND m.x[0] = 1 AND m['x'][1] = 'q' AND n < 2", "a1"),
            ("p = 'a' AND ss = <<'b', 'a'>> AND m = {'x': [1, 'q']} AND n = 4", "a4"),
            ("p = 'a' AND attribute_exists(g) = false", "a3"),
            ("p = 'a' AND attribute_exists(g) = 1", ""),
            ("p = 'a' AND n = - - 1", "a1"),
            ("p = 'a' AND n > 1e0 AND n < .3e1", "a2"),
            ("p = 'a' AND NOT s = '1' OR p = 'a' AND s = '2'", "a2 a3 a4"),
            ("p = 'a' OR p = 'a' AND s <> '1'", "a1 a2 a3 a4"),
            ("p > 'a'", "b1"),
        ],
    );
    let mut all = engine.run(request("SELECT p, s FROM \"Table\" WHERE n = 1 OR s = '1'")).unwrap().items.len();
    all += engine.run(request("SELECT * FROM \"Table\"")).unwrap().items.len();
    assert_eq!(all, 2 + 5);
}

#[test]
fn order_follows_the_key() {
    check_where(
        &engine(),
        &[
            ("p = 'a' ORDER BY s DESC", "a4 a3 a2 a1"),
            ("p = 'a' ORDER BY s", "a1 a2 a3 a4"),
            ("p = 'a' ORDER BY p ASC", "a4 a3 a2 a1"),
            ("p IN ['a', 'b'] ORDER BY p DESC, s ASC", "b1 a1 a2 a3 a4"),
            ("p = 'a' AND s IN ['1', '3'] ORDER BY s DESC", "a3 a1"),
            (
                "p IN ['a', 'b'] ORDER BY s DESC",
                "! Must have hash key in ORDER BY clause when more than one hash key condition specified in WHERE clause.",
            ),
            ("p = 'a' ORDER BY n", "! Attribute n in ORDER BY clause must be part of the primary key"),
            (
                "p > 'a' ORDER BY s",
                "! Must have at least one non-optional hash key condition in WHERE clause when using ORDER BY clause.",
            ),
            ("p = 'a' ORDER BY m.x", "! Argument to ORDER BY must be of type VariableReference. Type: PATH"),
        ],
    );
}

#[test]
fn columns_are_named_after_their_last_step() {
    check(
        &engine(),
        &[
            ("SELECT m.x[0], n FROM \"Table\" WHERE p = 'a' AND s = '1'", "{n:1 x[0]:1}"),
            ("SELECT m.x, zz FROM \"Table\" WHERE p = 'a' AND s = '1'", "{x:[1 'q']}"),
            ("SELECT zz FROM \"Table\" WHERE p = 'a' AND s = '1'", "{}"),
            ("SELECT n, n FROM \"Table\"", "! Duplicate identifiers in select clause: n"),
            ("SELECT COUNT(*) FROM \"Table\"", "! Unexpected path component at 1:8:5"),
            ("SELECT n AS x FROM \"Table\"", "! Aliasing is not supported"),
            ("SELECT n FROM \"Table\" LIMIT 1", "! Unsupported clause: LIMIT at 1:29:1"),
            (
                "SELECT m.x[0], m.x FROM \"Table\" WHERE p = 'a'",
                "! Two document paths overlap with each other; must remove or rewrite one of these paths; path one: [m, x, [0]], path two: [m, x]",
            ),
            ("SELECT m.x[-1] FROM \"Table\"", "! List index is not within the allowable range; index: [-1] at 1:13:1"),
        ],
    );
}

#[test]
fn indexes_are_read_as_what_they_hold() {
    check(
        &engine(),
        &[
            ("SELECT s FROM \"Table\".\"inc\" WHERE g = 'g' AND proj = 'proj4'", "{s:'4'}"),
            ("SELECT * FROM \"Table\".\"local\" WHERE p = 'a' AND l > 'l2'", "{l:'l4' p:'a' s:'4'}"),
            ("SELECT n FROM \"Table\".\"local\" WHERE p = 'a' AND l = 'l2'", "{n:2}"),
            ("SELECT s FROM \"Table\".\"local\" WHERE n = 1", ""),
            ("SELECT s FROM \"Table\".\"inc\" WHERE NOT n = 1 AND p = 'b'", "{s:'1'}"),
            (
                "SELECT n FROM \"Table\".\"inc\" WHERE g = 'g'",
                "! One or more parameter values were invalid: Global secondary index inc does not project [n]",
            ),
            (
                "SELECT s FROM \"Table\".\"inc\" WHERE g = 'g' AND n = 1",
                "! One or more parameter values were invalid: Secondary index inc does not project one or more filter attributes: [n]",
            ),
            (
                "SELECT s FROM \"Table\".\"local\" WHERE p = 'a' AND NOT n = 1",
                "! One or more parameter values were invalid: Secondary index local does not project one or more filter attributes: [n]",
            ),
            ("SELECT s FROM \"Table\".\"inc\" WHERE (g = 'g' AND n = 1) OR g = 'z'", ""),
            ("SELECT s FROM \"Table\".\"nope\" WHERE g = 'g'", "! The table does not have the specified index"),
            (
                "SELECT s FROM \"Table\".\"two\" WHERE g = 'g'",
                "! PartiQL statements cannot be executed on tables with multi-attribute HASH keys or multi-attribute RANGE keys.",
            ),
            ("SELECT s FROM \"Table\".\"inc\".\"x\"", "! A path may contain at most 2 components in the FROM clause"),
            ("SELECT s FROM \"Table\".\"\"", "! Path component cannot be an empty string"),
            (
                "INSERT INTO \"Table\".\"inc\" VALUE {'p': 'x', 's': 'x'}",
                "! FROM clause may only contain a single table name in data manipulation statements",
            ),
            (
                "UPDATE \"Table\".\"inc\" SET n = 1 WHERE p = 'a' AND s = '1'",
                "! This operation is not supported on an index",
            ),
        ],
    );
    let consistent =
        ExecuteStatement { consistent_read: Some(true), ..request("SELECT s FROM \"Table\".\"inc\" WHERE g = 'g'") };
    assert_eq!(
        answer(&engine(), consistent),
        "! Strongly consistent read is not supported on Global Secondary Indexes"
    );
}

#[test]
fn what_a_where_cannot_say() {
    let in_list = |count: usize| (0..count).map(|n| format!("'v{n}'")).collect::<Vec<_>>().join(",");
    let overlap = "! Overlapping conditions with range keys are not supported in where clause";
    let too_many = "! Too many decomposed read operations for a given query.";
    check_where(
        &engine(),
        &[
            ("p = 1", "! Key attribute's data type should match its data type in table's schema: Key p"),
            (
                "p = 'a' AND s IN ['1', 2]",
                "! Key attribute's data type should match its data type in table's schema: Key s",
            ),
            ("p = true", "! Key value must be of type S, N, or B. Key name: p, Key type: BOOL"),
            (
                "p.x = 'a'",
                "! Key attributes must be scalars; list random access '[]' and map lookup '.' are not allowed: Key: p",
            ),
            ("p IN ['a', 'a']", overlap),
            ("p = 'a' OR p = 'a'", overlap),
            ("p = 'a' AND (s > '0' OR s < '5')", overlap),
            ("p = 'a' AND (s = '1' OR n = 2)", overlap),
            (&format!("p IN [{}]", in_list(51)), too_many),
            (&format!("p IN [{}] AND s IN ['1', '2']", in_list(26)), too_many),
            (&format!("p IN [{}] OR n = 77", in_list(51)), ""),
            (
                &format!("p = 'a' AND n IN [{}]", in_list(101)),
                "! The IN operator is provided with too many operands; number of operands: 101",
            ),
            ("1", "! WHERE clause must contain an expression that resolves to a boolean"),
            ("p = 'a' AND n", "! The arguments to AND/OR must be Expressions"),
            ("NOT 1", "! The argument to NOT must be a Type or Expression"),
            ("n = MISSING", "! MISSING must be compared using IS operator"),
            (
                "n < true",
                "! Incorrect operand type for operator or function; operator or function: <, operand type: BOOL",
            ),
            (
                "n < n",
                "! The first operand must be distinct from the remaining operands for this operator or function; operator: <, first operand: [n]",
            ),
            (
                "n IN 1",
                "! IN operator must have a left hand argument of type Variable Reference and right hand argument of type Seq with at least one member",
            ),
            ("n LIKE 'x'", "! Unsupported operator in Condition Expression. Operator: like"),
            ("n + 1 = 2", "! Unsupported operator in Condition Expression. Operator: +"),
            ("foo(n)", "! Unrecognized function: foo at 1:32:3"),
            ("EXISTS(n)", "! Unrecognized function: exists at 1:32:6"),
            (
                "attribute_exists('n')",
                "! Operator or function requires a document path; operator or function: attribute_exists",
            ),
            (
                "attribute_exists(n, s)",
                "! Incorrect number of operands for operator or function; operator or function: attribute_exists, number of operands: 2",
            ),
            (
                "attribute_type(n, 'X')",
                "! Invalid attribute type name found; type: X, valid types: {N,BS,L,B,NULL,M,S,SS,NS,BOOL}",
            ),
            (
                "n IS INT",
                "! Unsupported data type for IS operator: INTEGER. Supported data types are [MISSING, NULL, BOOLEAN, BLOB, STRING, NUMERIC, STRUCT, TUPLE, LIST] at 1:34:2",
            ),
            (
                "n BETWEEN 3 AND 1",
                "! The BETWEEN operator requires upper bound to be greater than or equal to lower bound; lower bound operand: AttributeValue: {N:3}, upper bound operand: AttributeValue: {N:1}",
            ),
            (
                "n = 1e126",
                "! Number overflow. Attempting to store a number with magnitude larger than supported range under root",
            ),
            ("n = ?", "! Number of parameters in request and statement don't match."),
        ],
    );
}

#[test]
fn statements_that_are_refused() {
    check(
        &engine(),
        &[
            ("", "! Statement wasn't well formed, can't be processed: Unexpected term"),
            ("SLECT * FROM t", "! Statement wasn't well formed, can't be processed: Expected data manipulation"),
            ("SELECT * FROM \"Table", "! Statement wasn't well formed, can't be processed: "),
            ("garbage", "! Unsupported operation: VariableReference"),
            ("x IS INT4", "! Unsupported operation: IsType"),
            ("DROP TABLE \"Table\"", "! Unsupported operation: DropTable"),
            ("SELECT * FROM \"Nope\" WHERE p = 'a'", "not found: Requested resource not found"),
            (
                "SELECT * FROM \"Nope\" WHERE n < true",
                "! Incorrect operand type for operator or function; operator or function: <, operand type: BOOL",
            ),
            (
                "SELECT * FROM ab",
                "! Table name should be within the length [3, 255] and only contain 'a-z', 'A-Z', '0-9', '-', '_', '.'.",
            ),
            ("SELECT * FROM \"Table\" t", "! Aliasing is not supported"),
            (
                "EXISTS(SELECT * FROM \"Table\" WHERE p = 'a' AND s = '1' AND n = 1)",
                "! EXISTS can only be used in ExecuteTransaction write requests.",
            ),
        ],
    );
}
