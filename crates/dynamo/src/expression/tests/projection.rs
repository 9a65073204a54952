//! Projection expressions: which texts are accepted, and what they leave of an item.
//! Observed with Amazon's DynamoDB Local 3.3.0, whose parser is the service's own. Where the two are known to differ
//! (which overlapping path is named, `size` as a reserved word, the order of type names) the service's answer stands.

use super::{item, projection, refusal, sample};
use crate::expression::Projection;
use crate::item::Item;
use crate::path::Path;

#[test]
fn well_formed_projections_are_accepted() {
    for text in ["a", "a.b.c", "a.b.c,a.d", "a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a"] {
        assert!(projection(text).is_ok(), "{text}: {:?}", projection(text));
    }
}

#[test]
fn every_other_text_is_refused_with_its_own_sentence() {
    for (text, sentence) in [
        ("", "The expression can not be empty;"),
        (" ", "Syntax error; token: \"<EOF>\", near: \" \""),
        ("a,", "Syntax error; token: \"<EOF>\", near: \",\""),
        ("a,,b", "Syntax error; token: \",\", near: \",,b\""),
        ("a b", "Syntax error; token: \"b\", near: \"a b\""),
        (
            "a,a",
            "Two document paths overlap with each other; must remove or rewrite one of these paths; path one: [a], path two: [a]",
        ),
        (
            "a,a.b",
            "Two document paths overlap with each other; must remove or rewrite one of these paths; path one: [a], path two: [a, b]",
        ),
        (
            "a.b,a[1]",
            "Two document paths conflict with each other; must remove or rewrite one of these paths; path one: [a, b], path two: [a, [1]]",
        ),
        (
            "a[1],a.b",
            "Two document paths conflict with each other; must remove or rewrite one of these paths; path one: [a, [1]], path two: [a, b]",
        ),
        (
            "a.b,a",
            "Two document paths overlap with each other; must remove or rewrite one of these paths; path one: [a, b], path two: [a]",
        ),
        ("abort", "Attribute name is a reserved keyword; reserved keyword: abort"),
        ("#un", "An expression attribute name used in the document path is not defined; attribute name: #un"),
        ("#un,abort", "Attribute name is a reserved keyword; reserved keyword: abort"),
        ("a,#un, a", "An expression attribute name used in the document path is not defined; attribute name: #un"),
        (
            "a[0],a[0]",
            "Two document paths overlap with each other; must remove or rewrite one of these paths; path one: [a, [0]], path two: [a, [0]]",
        ),
        ("(a)", "Syntax error; token: \"(\", near: \"(a\""),
        ("_a", "Syntax error; token: \"_\", near: \"_a\""),
        (":s", "Syntax error; token: \":s\", near: \":s\""),
        ("size(a)", "Syntax error; token: \"(\", near: \"size(a\""),
        ("a[1", "Syntax error; token: \"<EOF>\", near: \"1\""),
        ("a[x]", "Syntax error; token: \"x\", near: \"[x]\""),
        ("*", "Syntax error; token: \"*\", near: \"*\""),
        (
            "a.b,a.b.c",
            "Two document paths overlap with each other; must remove or rewrite one of these paths; path one: [a, b], path two: [a, b, c]",
        ),
        (
            "a.b.c, a.b[1]",
            "Two document paths conflict with each other; must remove or rewrite one of these paths; path one: [a, b, c], path two: [a, b, [1]]",
        ),
        (
            "a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a",
            "The document path has too many nesting levels; nesting levels: 33",
        ),
        (
            "a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a",
            "The document path has too many nesting levels; nesting levels: 34",
        ),
        (
            "#un, a, a",
            "Two document paths overlap with each other; must remove or rewrite one of these paths; path one: [a], path two: [a]",
        ),
        ("a, a, #un", "An expression attribute name used in the document path is not defined; attribute name: #un"),
        (
            "a, a.b, c.d, c",
            "Two document paths overlap with each other; must remove or rewrite one of these paths; path one: [c, d], path two: [c]",
        ),
        (
            "c.d, c[0], a, a.b",
            "Two document paths overlap with each other; must remove or rewrite one of these paths; path one: [a], path two: [a, b]",
        ),
        (
            "a.b, a.c, a",
            "Two document paths overlap with each other; must remove or rewrite one of these paths; path one: [a, c], path two: [a]",
        ),
        (
            "a.b,a[0],a",
            "Two document paths overlap with each other; must remove or rewrite one of these paths; path one: [a, [0]], path two: [a]",
        ),
    ] {
        assert_eq!(refusal(projection(text)), format!("Invalid ProjectionExpression: {sentence}"), "{text}");
    }
}

#[test]
fn what_is_left_keeps_its_place() {
    for (text, left) in [
        ("n", item([("n", 5.into())])),
        ("n, zz, s", item([("n", 5.into()), ("s", "abc".into())])),
        ("zz", Item::empty()),
        ("zz.a", Item::empty()),
        ("s.a", Item::empty()),
        ("m.zz", Item::empty()),
        ("m.e.x", Item::empty()),
        ("m.e", item([("m", super::map([("e", super::map([]))]))])),
        ("m.k, m.zz", item([("m", super::map([("k", "v".into())]))])),
        ("m.k, m.e", item([("m", super::map([("k", "v".into()), ("e", super::map([]))]))])),
        ("l[9]", Item::empty()),
        ("l[2], l[0]", item([("l", vec![0.into(), 2.into()].into())])),
        ("deep[2][0]", item([("deep", vec![vec![2.into()].into()].into())])),
        ("deep[2][5]", Item::empty()),
        ("deep[1].a", Item::empty()),
        ("deep[0], deep[2][0], n", item([("deep", vec![1.into(), vec![2.into()].into()].into()), ("n", 5.into())])),
    ] {
        let projection = projection(text).expect(text);
        assert_eq!(projection.apply(sample().view()), left, "{text}");
        assert_eq!(projection.apply(Item::empty().view()), Item::empty(), "{text}");
    }
}

#[test]
fn attributes_are_named_once() {
    let projection = projection("m.k, l[0], m.e, a").expect("a projection");
    assert_eq!(projection.attributes().collect::<Vec<_>>(), ["a", "l", "m"]);
    assert_eq!(projection.nested_attributes().collect::<Vec<_>>(), ["l", "m"]);
    assert!(Projection::from_paths(vec![Path::attribute("a"), Path::attribute("a")]).is_err());
}
