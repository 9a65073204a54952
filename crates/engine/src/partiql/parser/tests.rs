//! Statements and the trees they make, printed; and what is said about texts that are no statements.

use proptest::prelude::*;

use super::parse;
use crate::partiql::syntax::{Change, Columns, Expr, Node, Returning, Select, Source, Statement, Step};

fn show(expr: &Expr) -> String {
    let all = |list: &[Expr]| list.iter().map(show).collect::<Vec<_>>().join(" ");
    match &expr.node {
        Node::Missing => "missing".to_owned(),
        Node::Null => "null".to_owned(),
        Node::Bool(value) => value.to_string(),
        Node::Number(text) => text.clone(),
        Node::String(text) => format!("'{text}'"),
        Node::Ion => "`".to_owned(),
        Node::Parameter(place) => format!("?{place}"),
        Node::Name(name) => name.clone(),
        Node::Path(root, steps) => steps.iter().fold(show(root), |path, step| match step {
            Step::Name(name) => format!("{path}.{name}"),
            Step::Index(index) => format!("{path}[{}]", show(index)),
            Step::Wildcard => format!("{path}[*]"),
            Step::Unpivot => format!("{path}.*"),
        }),
        Node::List(list) => format!("[{}]", all(list)),
        Node::Bag(list) => format!("<<{}>>", all(list)),
        Node::Struct(members) => {
            let members = members.iter().map(|(name, value)| format!("{}:{}", show(name), show(value)));
            format!("{{{}}}", members.collect::<Vec<_>>().join(" "))
        }
        Node::Call(name, arguments) => format!("{name}({})", all(arguments)),
        Node::And(list) => format!("(and {})", all(list)),
        Node::Or(list) => format!("(or {})", all(list)),
        Node::Not(inner) => format!("(not {})", show(inner)),
        Node::Binary(operator, left, right) => format!("({} {} {})", operator.symbol(), show(left), show(right)),
        Node::Signed(operator, inner) => format!("({} {})", operator.symbol(), show(inner)),
        Node::Between(value, low, high) => format!("(between {} {} {})", show(value), show(low), show(high)),
        Node::In(value, list) => format!("(in {} {})", show(value), show(list)),
        Node::Is(value, kind) => format!("(is {} {kind})", show(value)),
        Node::Statement(statement) => show_statement(statement),
    }
}

fn show_statement(statement: &Statement) -> String {
    match statement {
        Statement::Select(select) => show_select(select),
        Statement::Insert(insert) => {
            let mut text = format!("insert {} {}", show_source(&insert.source), show(&insert.value));
            for (found, word) in [
                (!insert.single, " several"),
                (insert.at.is_some(), " at"),
                (insert.on_conflict, " on-conflict"),
                (insert.returning, " returning"),
            ] {
                text.push_str(if found { word } else { "" });
            }
            text
        }
        Statement::Update(update) => {
            let change = |change: &Change| match change {
                Change::Set(path, value) => format!(" set {} {}", show(path), show(value)),
                Change::Remove(path) => format!(" remove {}", show(path)),
            };
            let changes: String = update.changes.iter().map(change).collect();
            format!(
                "update {}{changes}{}{}",
                show_source(&update.source),
                show_where(update.filter.as_ref()),
                show_returning(update.returning)
            )
        }
        Statement::Delete(delete) => format!(
            "delete {}{}{}",
            show_source(&delete.source),
            show_where(delete.filter.as_ref()),
            show_returning(delete.returning)
        ),
        Statement::Other(name) => format!("other {name}"),
    }
}

fn show_select(select: &Select) -> String {
    let columns = match &select.columns {
        Columns::All => "*".to_owned(),
        Columns::Value => "value".to_owned(),
        Columns::Distinct => "distinct".to_owned(),
        Columns::List(list, aliased) => {
            let list: Vec<String> = list.iter().map(show).collect();
            format!(
                "{}{}",
                list.join(","),
                if *aliased == super::super::syntax::Aliased::Yes { " aliased" } else { "" }
            )
        }
    };
    let order =
        select.order.iter().map(|(expr, down)| format!(" order {}{}", show(expr), if *down { "-" } else { "" }));
    let order: String = order.collect();
    let unsupported = select.unsupported.map(|(name, _)| format!(" ! {name}")).unwrap_or_default();
    format!(
        "select {columns} from {}{}{order}{unsupported}",
        show_source(&select.source),
        show_where(select.filter.as_ref())
    )
}

fn show_source(source: &Source) -> String {
    match source {
        Source::Names(names) => names.join("/"),
        Source::Aliased => "aliased".to_owned(),
        Source::Several => "several".to_owned(),
        Source::Other => "other".to_owned(),
    }
}

fn show_where(filter: Option<&Expr>) -> String {
    filter.map(|filter| format!(" where {}", show(filter))).unwrap_or_default()
}

fn show_returning(returning: Option<Returning>) -> String {
    match returning {
        None => String::new(),
        Some(Returning::Star(mapping)) => format!(" returning {mapping}"),
        Some(other) => format!(" returning {other:?}"),
    }
}

fn check(cases: &[(&str, &str)]) {
    for (text, expected) in cases {
        let printed = match parse(text) {
            Ok(expr) => show(&expr),
            Err(malformed) => format!("! {malformed}"),
        };
        assert_eq!(printed, *expected, "{text}");
    }
}

#[test]
fn reads() {
    check(&[
        ("SELECT * FROM Music", "select * from Music"),
        ("select * from \"Music\".\"by-year\";", "select * from Music/by-year"),
        ("SELECT a, b.c[0].\"d\" FROM t WHERE a = 1", "select a,b.c[0].d from t where (= a 1)"),
        (
            "SELECT a FROM t WHERE a = 'it''s' AND b <> ? OR NOT c",
            "select a from t where (or (and (= a 'it's') (<> b ?0)) (not c))",
        ),
        ("SELECT a FROM t WHERE (a = 1 AND b = 2) AND c != 3", "select a from t where (and (= a 1) (= b 2) (<> c 3))"),
        (
            "SELECT a FROM t WHERE a BETWEEN 1 AND 2 AND b IN [1, ?]",
            "select a from t where (and (between a 1 2) (in b [1 ?0]))",
        ),
        ("SELECT a FROM t WHERE a NOT BETWEEN 1 AND 2", "select a from t where (not (between a 1 2))"),
        ("SELECT a FROM t WHERE a NOT IN (1, 2)", "select a from t where (not (in a [1 2]))"),
        (
            "SELECT a FROM t WHERE a IS NOT MISSING AND b IS BOOL",
            "select a from t where (and (not (is a MISSING)) (is b BOOLEAN))",
        ),
        ("SELECT a FROM t WHERE NOT a = 1 AND b = 2", "select a from t where (and (not (= a 1)) (= b 2))"),
        (
            "SELECT a FROM t WHERE begins_with(a, 'x') AND SIZE(b) > 3",
            "select a from t where (and begins_with(a 'x') (> size(b) 3))",
        ),
        ("SELECT a FROM t WHERE a > - - 1 AND b = -.5e1", "select a from t where (and (> a 1) (= b -.5e1))"),
        (
            "SELECT a FROM t WHERE a = <<1, 2>> OR a = {'k': [true, null]}",
            "select a from t where (or (= a <<1 2>>) (= a {'k':[true null]}))",
        ),
        ("SELECT a FROM t WHERE a = 1 ORDER BY b DESC, c ASC", "select a from t where (= a 1) order b- order c"),
        ("SELECT a FROM t LIMIT 1", "select a from t ! LIMIT"),
        ("SELECT a FROM t GROUP BY a HAVING a = 1", "select a from t ! GROUP BY"),
        ("SELECT COUNT(*) FROM t", "select count() from t"),
        ("SELECT a AS b FROM t", "select a aliased from t"),
        ("SELECT a FROM t x WHERE a = 1", "select a from aliased where (= a 1)"),
        ("SELECT a FROM t, u", "select a from several"),
        ("SELECT a FROM (SELECT * FROM t)", "select a from other"),
        ("SELECT/**/* FROM t -- the table\nWHERE a/* key */=1 --", "select * from t where (= a 1)"),
        ("EXISTS(SELECT * FROM t WHERE a = 1)", "exists(select * from t where (= a 1))"),
    ]);
}

#[test]
fn writes() {
    check(&[
        ("INSERT INTO t VALUE {'a': 1, 'b': ?}", "insert t {'a':1 'b':?0}"),
        ("INSERT INTO t.i value {}", "insert t/i {}"),
        ("INSERT INTO t VALUES ('a')", "insert t 'a' several"),
        ("INSERT INTO t VALUE {} RETURNING ALL OLD *", "insert t {} returning"),
        ("INSERT INTO t VALUE {} ON CONFLICT WHERE a = 1 DO NOTHING", "insert t {} on-conflict"),
        ("UPDATE t SET a = 1 WHERE k = 2", "update t set a 1 where (= k 2)"),
        (
            "UPDATE t SET a = a+1, b.c[0] = list_append(b, [2]) REMOVE d SET e = f - 1 WHERE k = 1 RETURNING MODIFIED NEW *",
            "update t set a (+ a 1) set b.c[0] list_append(b [2]) remove d set e (- f 1) where (= k 1) returning MODIFIED NEW",
        ),
        ("FROM t WHERE k = 1 SET a = 2 RETURNING ALL OLD *", "update t set a 2 where (= k 1) returning ALL OLD"),
        ("UPDATE t SET a = n-1", "update t set a (- n 1)"),
        ("DELETE FROM t WHERE k = 1 RETURNING ALL OLD *", "delete t where (= k 1) returning ALL OLD"),
        ("DELETE FROM t x WHERE k = 1", "delete aliased where (= k 1)"),
        ("UPDATE t SET a = 1 WHERE k = 1 RETURNING ALL OLD a", "update t set a 1 where (= k 1) returning Columns"),
        ("CREATE TABLE t", "other CreateTable"),
    ]);
}

#[test]
fn texts_that_are_no_statements() {
    check(&[
        ("", "! Unexpected term"),
        ("SLECT * FROM t WHERE a = 1", "! Expected data manipulation"),
        ("UPDATE Payment-x SET a = 1", "! Expected data manipulation"),
        ("UPDATE t WHERE a = 1", "! Expected data manipulation"),
        ("SELECT * FROM", "! Unexpected term"),
        ("SELECT * FROM \"", "! "),
        ("SELECT * FROM t WHERE", "! Unexpected term"),
        ("SELECT * FROM t WHERE;", "! Unexpected term"),
        ("SELECT * FROM t WHERE NOT", "! Unexpected term"),
        ("SELECT * FROM t WHERE (", "! Unexpected term"),
        ("SELECT * FROM t WHERE (a = 1", "! Expected RIGHT_PAREN"),
        ("SELECT * FROM t WHERE a = 1 AND", "! Missing right-hand side expression of infix operator"),
        ("SELECT * FROM t WHERE a = 1 foo", "! Unexpected token after expression"),
        ("SELECT * FROM t WHERE a = 1)", "! Unexpected token after expression"),
        ("SELECT * FROM t ORDER BY a WHERE a = 1", "! Unexpected token after expression"),
        ("SELECT * FROM t WHERE ORDER BY a", "! Unexpected keyword"),
        ("SELECT * FROM t WHERE IS NULL", "! Unexpected operator"),
        ("SELECT * FROM t WHERE a = LIKE", "! Unexpected operator"),
        ("SELECT * FROM t WHERE a IS FOO", "! Expected type name"),
        ("SELECT * FROM t WHERE a.inner = 1", "! Invalid path dot component"),
        ("SELECT * FROM t; SELECT * FROM t", "! Unexpected token after semicolon. (Only one query is allowed.)"),
        (
            "SELECT *, a FROM t",
            "! Other expressions may not be present in the select list when '*' is used without dot notation.",
        ),
        ("SELECT a.*.b FROM t", "! Invalid use of * in select list"),
        (
            "SELECT FROM t",
            "! Expected identifier or an expression but found unexpected keyword 'from' in a select list.",
        ),
        ("SELECT a", "! Expected FROM after SELECT list"),
        ("INSERT INTO urls (key, b) VALUES (?, ?)", "! Unexpected keyword"),
        ("INSERT INTO t x VALUE {}", "! Unexpected token after expression"),
        ("INSERT INTO t VALUE {'a': 1} foo", "! Unexpected token after expression"),
        ("INSERT INTO t VALUE {'a' 1}", "! Expected COLON"),
        ("UPDATE t SET a WHERE k = 1", "! Expected '='"),
        ("UPDATE t REMOVE a, b", "! Unexpected token after expression"),
        ("FROM t SET c = 1 WHERE a = 1", "! Unexpected token after expression"),
        ("DELETE t", "! Expected FROM after DELETE"),
        ("DELETE FROM", "! Expected identifier for simple path"),
        ("DELETE FROM WHERE a = 1", "! Expected identifier for simple path"),
        ("DELETE FROM t WHERE a = 1 ORDER BY a", "! Unexpected token after expression"),
        ("DELETE FROM t RETURNING OLD *", "! Expected ( MODIFIED | ALL ) ( NEW | OLD ) in each returning element."),
    ]);
}

#[test]
fn what_nests_too_deep_is_refused_and_what_is_long_is_not() {
    for nested in [
        format!("SELECT * FROM t WHERE {}a = 1{}", "(".repeat(4000), ")".repeat(4000)),
        format!("SELECT * FROM t WHERE {} a = 1", "NOT ".repeat(2000)),
        format!("SELECT * FROM t WHERE a = {}1", " - ".repeat(2000)),
        format!("SELECT * FROM t WHERE a = {}", "[".repeat(4000)),
        format!("SELECT * FROM t WHERE a = {}", "{'a':".repeat(1500)),
        format!("SELECT * FROM t WHERE a{}", "[a".repeat(3000)),
        format!("UPDATE t SET a = 1{}", " + 1".repeat(2000)),
        format!("SELECT {}", "SELECT * FROM ".repeat(500)),
        "SELECT * FROM ".repeat(500),
        "FROM ".repeat(1500),
    ] {
        assert!(parse(&nested).is_err(), "{}", &nested[..60]);
    }
    let long = format!("SELECT * FROM t WHERE a = 1{}", " AND b = 2 OR c = 3".repeat(400));
    assert!(parse(&long).is_ok());
    let grouped = format!("SELECT * FROM t WHERE {}a = 1{}", "(".repeat(40), ")".repeat(40));
    assert!(parse(&grouped).is_ok());
}

proptest! {
    #[test]
    fn no_text_does_harm(text in "\\PC{0,200}") {
        let _ = parse(&text);
    }

    #[test]
    fn no_sequence_of_tokens_does_harm(words in prop::collection::vec(prop::sample::select(vec![
        "SELECT", "*", "FROM", "t", "WHERE", "INSERT", "INTO", "VALUE", "UPDATE", "SET", "REMOVE", "DELETE", "RETURNING",
        "ALL", "OLD", "(", ")", "[", "]", "{", "}", "<<", ">>", ",", ".", ":", "=", "<", "-", "+", "AND", "OR", "NOT",
        "IN", "IS", "BETWEEN", "NULL", "MISSING", "?", "'x'", "1", "\"q\"", "size", "begins_with", "ORDER", "BY", ";",
    ]), 0..60)) {
        let _ = parse(&words.join(" "));
    }
}
