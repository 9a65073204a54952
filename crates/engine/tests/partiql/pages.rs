//! SELECT in pages: tokens, capacity, and that keys find what a scan would find.

use super::*;

#[test]
fn pages_follow_each_other_through_tokens() {
    let engine = engine();
    for (statement, expected) in [
        ("SELECT s FROM \"Table\" WHERE p = 'a'", "1 2 3 4"),
        ("SELECT s FROM \"Table\" WHERE p = 'a' ORDER BY s DESC", "4 3 2 1"),
        ("SELECT s FROM \"Table\" WHERE p IN ['b', 'a'] AND n <> 2", "1 1 3 4"),
        ("SELECT s FROM \"Table\" WHERE p = 'a' AND s IN ['1', '2', '4']", "1 2 4"),
        ("SELECT s FROM \"Table\".\"local\" WHERE p = 'a'", "1 2 4"),
    ] {
        let mut found = Vec::new();
        let mut next_token = None;
        for _ in 0..20 {
            let page = ExecuteStatement { limit: Some(1), next_token, ..request(statement) };
            let output = engine.run(page).unwrap();
            assert!(output.items.len() <= 1);
            found.extend(output.items.iter().map(|item| show(&item.to_map()["s"]).replace('\'', "")));
            next_token = output.next_token;
            if next_token.is_none() {
                break;
            }
        }
        assert_eq!(next_token, None, "{statement}");
        assert_eq!(found.join(" "), expected, "{statement}");
    }
    let mut scanned = 0;
    let mut page = ExecuteStatement { limit: Some(2), ..request("SELECT * FROM \"Table\"") };
    loop {
        let output = engine.run(page.clone()).unwrap();
        scanned += output.items.len();
        page.next_token = output.next_token;
        if page.next_token.is_none() {
            break;
        }
    }
    assert_eq!(scanned, 5);
}

#[test]
fn tokens_are_held_against_the_statement() {
    let engine = engine();
    let first = ExecuteStatement { limit: Some(1), ..request("SELECT s FROM \"Table\" WHERE p = 'a'") };
    let token = engine.run(first).unwrap().next_token;
    let other = ExecuteStatement { next_token: token, ..request("SELECT s FROM \"Table\" WHERE p = 'b'") };
    assert_eq!(answer(&engine, other), "! NextToken does not match request");
    for token in ["", "nonsense", "AAAA"] {
        let forged = ExecuteStatement { next_token: Some(token.to_owned()), ..request("SELECT s FROM \"Table\"") };
        assert_eq!(answer(&engine, forged), "! Invalid NextToken");
    }
}

#[test]
fn capacity_is_told() {
    let engine = engine();
    let units = |statement: &str, consistent: bool| {
        let request = ExecuteStatement {
            consistent_read: Some(consistent),
            return_capacity: Some(ReturnConsumedCapacity::Indexes),
            ..request(statement)
        };
        let consumed = engine.run(request).unwrap().consumed_capacity.unwrap();
        (consumed.units.total, consumed.table.unwrap().total)
    };
    assert_eq!(units("SELECT * FROM \"Table\" WHERE p = 'a'", false), (0.5, 0.5));
    assert_eq!(units("SELECT * FROM \"Table\" WHERE p = 'a'", true), (1.0, 1.0));
    assert_eq!(units("SELECT * FROM \"Table\" WHERE p IN ['a', 'b']", true), (2.0, 2.0));
    assert_eq!(units("SELECT s FROM \"Table\".\"inc\" WHERE g = 'g'", false), (0.5, 0.0));
    assert_eq!(units("SELECT n FROM \"Table\".\"local\" WHERE p = 'a'", false), (2.0, 1.5));
    assert_eq!(units("INSERT INTO \"Hash\" VALUE {'k': 1}", false), (1.0, 1.0));
}

/// Conditions on keys and on other attributes, joined in any way.
fn filter() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        4 => prop::sample::select(vec!["p = 'a'", "p = 'b'", "'a' = p", "p IN ['a', 'b']", "p IN ['b']"]),
        4 => prop::sample::select(vec![
            "s = '1'", "s = '2'", "s > '2'", "s >= '2'", "s < '3'", "s <= '3'", "s BETWEEN '2' AND '3'", "s IN ['1', '4']",
            "begins_with(s, '3')", "s <> '2'", "s IS NOT MISSING",
        ]),
        2 => prop::sample::select(vec!["n = 2", "n > 2", "g IS MISSING", "contains(ss, 'a')", "n IN [1, 4]", "p > 'a'"]),
    ]
    .prop_map(str::to_owned);
    leaf.prop_recursive(3, 12, 3, |inner| {
        prop_oneof![
            3 => prop::collection::vec(inner.clone(), 2..4).prop_map(|list| format!("({})", list.join(" AND "))),
            2 => prop::collection::vec(inner.clone(), 2..4).prop_map(|list| format!("({})", list.join(" OR "))),
            1 => inner.prop_map(|inner| format!("NOT {inner}")),
        ]
    })
}

#[test]
fn keys_answer_what_a_scan_would() {
    let engine = engine();
    let everything = engine.run(request("SELECT * FROM \"Table\"")).unwrap().items;
    let mut runner = proptest::test_runner::TestRunner::new(ProptestConfig::with_cases(2000));
    runner
        .run(&(filter(), prop::option::of(1i64..3)), |(filter, limit)| {
            let statement = format!("SELECT * FROM \"Table\" WHERE {filter}");
            let lower::Statement::Select(select) = lower::lower(parser::parse(&statement).unwrap(), &[]).unwrap()
            else {
                panic!("a SELECT is a SELECT")
            };
            let condition = select.filter.unwrap();
            let mut expected: Vec<String> =
                everything.iter().filter(|item| condition.matches(item.view())).map(show_item).collect();
            let mut found = Vec::new();
            let mut page = ExecuteStatement { limit, ..request(&statement) };
            loop {
                match engine.run(page.clone()) {
                    Ok(output) => {
                        found.extend(output.items.iter().map(show_item));
                        page.next_token = output.next_token;
                    }
                    // Refused for reading something twice: nothing to compare.
                    Err(Error::Validation(cause)) if cause.to_string().starts_with("Overlapping") => return Ok(()),
                    Err(error) => panic!("{statement}: {error:?}"),
                }
                if page.next_token.is_none() {
                    break;
                }
            }
            expected.sort();
            found.sort();
            prop_assert_eq!(found, expected, "{}", statement);
            Ok(())
        })
        .unwrap();
}

#[test]
fn no_sequence_of_words_does_harm() {
    let engine = engine();
    let words = prop::sample::select(vec![
        "SELECT",
        "*",
        "FROM",
        "\"Table\"",
        "\"Hash\"",
        "WHERE",
        "p",
        "s",
        "k",
        "n",
        "INSERT INTO",
        "VALUE",
        "UPDATE",
        "SET",
        "REMOVE",
        "DELETE",
        "RETURNING ALL OLD *",
        "(",
        ")",
        "[",
        "]",
        "{",
        "}",
        "<<",
        ">>",
        ",",
        ".",
        ":",
        "=",
        "<",
        "-",
        "+",
        "AND",
        "OR",
        "NOT",
        "IN",
        "IS",
        "BETWEEN",
        "NULL",
        "MISSING",
        "?",
        "'a'",
        "1",
        "size",
        "begins_with",
        "ORDER BY",
        "EXISTS",
        "p = 'a'",
        "s = '1'",
        "k = 1",
        "SELECT * FROM \"Table\" WHERE",
    ]);
    let mut runner = proptest::test_runner::TestRunner::new(ProptestConfig::with_cases(2000));
    runner
        .run(&prop::collection::vec(words, 0..24), |words| {
            let statement = words.join(" ");
            for outcome in [
                engine.run(request(&statement)).map(drop),
                engine
                    .run(ExecuteTransaction {
                        statements: vec![text(&statement)],
                        client_request_token: None,
                        return_capacity: None,
                    })
                    .map(drop),
                engine
                    .run(BatchExecuteStatement { statements: vec![(text(&statement), None)], return_capacity: None })
                    .map(drop),
            ] {
                prop_assert!(!matches!(outcome, Err(Error::Internal { .. })), "{}: {:?}", statement, outcome);
            }
            Ok(())
        })
        .unwrap();
}
