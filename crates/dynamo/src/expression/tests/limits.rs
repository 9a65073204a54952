//! Limits: none of them may be reached by recursion.

use super::{filter, projection, refusal, update};

fn condition(text: &str) -> String {
    refusal(filter(text).map(|_| ()))
}

#[test]
fn an_expression_has_at_most_4096_bytes() {
    let padded = |length: usize| format!("{:length$}", "a = :s");
    assert_eq!(condition(&padded(4096)), "accepted: ()");
    assert_eq!(
        condition(&padded(4097)),
        "Invalid FilterExpression: Expression size has exceeded the maximum allowed size; expression size: 4097"
    );
    assert_eq!(
        refusal(update(&format!("SET {:4093}", "a = :s"))),
        "Invalid UpdateExpression: Expression size has exceeded the maximum allowed size; expression size: 4097"
    );
}

#[test]
fn an_expression_has_at_most_300_operators() {
    let too_many = "Invalid FilterExpression: The expression contains too many operators; operator count: 301";
    let nots = |count: usize| format!("{}a = :s", "NOT ".repeat(count));
    let tests = |count: usize| vec!["attribute_exists(a)"; count].join(" AND ");
    let groups = |count: usize| format!("{}a = :s{}", "NOT(".repeat(count), ")".repeat(count));
    for (text, answer) in [
        (nots(299), "accepted: ()"),
        (nots(300), too_many),
        (nots(1000), too_many),
        (tests(150), "accepted: ()"),
        (tests(151), too_many),
        (groups(299), "accepted: ()"),
        (groups(300), too_many),
        (groups(800), too_many),
        (vec!["a=:s"; 400].join(" OR "), too_many),
    ] {
        assert_eq!(condition(&text), answer, "{text}");
    }
    let sums =
        |count: usize| format!("SET {}", (0..count).map(|at| format!("a{at}=:n+:n")).collect::<Vec<_>>().join(","));
    assert!(update(&sums(300)).is_ok());
    assert_eq!(
        refusal(update(&sums(301))),
        "Invalid UpdateExpression: The expression contains too many operators; operator count: 301"
    );
}

#[test]
fn in_has_at_most_100_choices() {
    let choices = |count: usize| format!("a IN ({})", vec![":s"; count].join(","));
    assert_eq!(condition(&choices(100)), "accepted: ()");
    assert_eq!(
        condition(&choices(101)),
        "Invalid FilterExpression: The IN operator is provided with too many operands; number of operands: 101"
    );
}

#[test]
fn a_path_has_at_most_32_steps() {
    let path = |levels: usize| vec!["a"; levels].join(".");
    assert!(projection(&path(32)).is_ok());
    assert_eq!(
        refusal(projection(&path(33))),
        "Invalid ProjectionExpression: The document path has too many nesting levels; nesting levels: 33"
    );
    assert_eq!(
        condition(&format!("{}[0] = :s", path(32))),
        "Invalid FilterExpression: The document path has too many nesting levels; nesting levels: 33"
    );
}

#[test]
fn four_kilobytes_of_nesting_are_answered() {
    let near = |text: &str| format!("Invalid FilterExpression: Syntax error; token: \"<EOF>\", near: \"{text}\"");
    assert_eq!(condition(&"(".repeat(4096)), near("("));
    assert_eq!(condition(&"NOT ".repeat(1024)), near("NOT "));
    assert_eq!(condition(&"NOT(".repeat(1024)), near("("));
    let wrapped = |count: usize| format!("{}a=:s{}", "(".repeat(count), ")".repeat(count));
    assert_eq!(condition(&wrapped(2000)), "Invalid FilterExpression: The expression has redundant parentheses;");
    for nested in ["f(", "a(", "size(", "a = f(", "a IN (f(", "(f("] {
        let text = nested.repeat(4096 / nested.len());
        assert!(condition(&text).starts_with("Invalid FilterExpression: "), "{text}");
    }
    for nested in ["f(", "(", "if_not_exists(a,"] {
        let text = format!("SET a = {}", nested.repeat(4000 / nested.len()));
        assert!(refusal(update(&text)).starts_with("Invalid UpdateExpression: "), "{text}");
    }
}

#[test]
fn many_paths_are_compared_quickly_and_correctly() {
    let many = |extra: &str| format!("{}{extra}", (0..600).map(|at| format!("a{at},")).collect::<String>());
    assert!(projection(&many("b")).is_ok());
    for (extra, sentence) in [
        (
            "a7.b",
            "Two document paths overlap with each other; must remove or rewrite one of these paths; path one: [a7], path two: [a7, b]",
        ),
        (
            "b.c,b[0]",
            "Two document paths conflict with each other; must remove or rewrite one of these paths; path one: [b, c], path two: [b, [0]]",
        ),
    ] {
        assert_eq!(refusal(projection(&many(extra))), format!("Invalid ProjectionExpression: {sentence}"));
    }
}
