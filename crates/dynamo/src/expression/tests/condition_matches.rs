//! Which conditions hold for the sample item.

use super::{filter, sample};
use crate::item::Item;

#[test]
fn conditions_hold_or_not() {
    for (text, holds) in [
        ("n = :n", false),
        ("n > :n", true),
        ("n >= n2", false),
        ("n <> :n", true),
        ("n <> :s", true),
        ("n < :s", false),
        ("NOT n < :s", true),
        ("s = :s", false),
        ("s BETWEEN :lo AND :hi", true),
        ("n BETWEEN :lo AND :hi", false),
        ("s IN (:s, :n, s2)", false),
        ("deep[1] IN (:n, :s)", true),
        ("nul = :nul", true),
        ("b = :b", true),
        ("m = :m", false),
        ("m.e = :m", true),
        ("ss = :ss", false),
        ("ls[0] = :ss", true),
        ("deep[1] = :s", true),
        ("deep[9] = :s", false),
        ("m.k <> :s", true),
        // What is missing equals nothing: only <> holds.
        ("zz = :s", false),
        ("zz <> :s", true),
        ("zz <> yy", true),
        ("zz = yy", false),
        ("zz < :n", false),
        ("zz IN (:s)", false),
        ("zz BETWEEN :lo AND :hi", false),
        ("NOT zz = :s", true),
        ("NOT zz IN (:s)", true),
        ("NOT zz BETWEEN :lo AND :hi", true),
        ("NOT contains(zz, :s)", true),
        ("NOT begins_with(zz, :s)", true),
        ("attribute_exists(n)", true),
        ("attribute_exists(zz)", false),
        ("attribute_exists(m.k)", true),
        ("attribute_exists(n.k)", false),
        ("attribute_exists(s[0])", false),
        ("attribute_exists(l[3])", true),
        ("attribute_exists(l[4])", false),
        ("attribute_not_exists(zz)", true),
        ("attribute_not_exists(m.zz)", true),
        ("attribute_not_exists(m)", false),
        ("attribute_type(s, :type)", true),
        ("attribute_type(n, :type)", false),
        ("attribute_type(zz, :type)", false),
        ("attribute_type(:s, :type)", true),
        ("attribute_type(:n, :type)", false),
        ("attribute_type(size(s), :type)", false),
        ("begins_with(s, :lo)", true),
        ("begins_with(s, :hi)", false),
        ("begins_with(s, :bin)", false),
        ("begins_with(bin, :bin)", true),
        ("begins_with(n, :s)", false),
        ("begins_with(:s, :s)", true),
        ("contains(s, :lo)", true),
        ("contains(s, :n)", false),
        ("contains(:s, s)", false),
        ("contains(ss, :s)", true),
        ("contains(ss, :ss)", false),
        ("contains(ns, :n)", true),
        ("contains(bs, :bin)", true),
        ("contains(bin, :bin)", true),
        ("contains(deep, :n)", true),
        ("contains(deep, :s)", true),
        ("contains(deep, :b)", false),
        ("contains(ls, :ss)", true),
        ("contains(n, :n)", false),
        ("contains(m, :s)", false),
        ("size(s) > :n", true),
        ("size(bin) > :n", true),
        ("size(m) > :n", true),
        ("size(l) > :n", true),
        ("size(ss) > :n", true),
        ("size(bs) = :n", true),
        ("size(:s) = :n", true),
        ("size(s) = size(bin)", true),
        ("size(n) >= :n", false),
        ("size(b) >= :n", false),
        ("size(nul) >= :n", false),
        ("size(zz) <> :n", true),
        ("size(zz) = size(yy)", false),
        ("deep[0] = size(bs)", true),
        // NOT binds closer than AND, AND closer than OR.
        ("n = :n AND n = :n OR s > :lo", true),
        ("s > :lo OR n = :n AND n = :n", true),
        ("(s > :lo OR n = :n) AND n = :n", false),
        ("NOT n = :n AND n = :n", false),
        ("NOT (n = :n AND n = :n)", true),
        ("NOT n = :n OR s = :s", true),
        ("s BETWEEN :lo AND :hi AND n = :n OR b = :b", true),
        ("NOT NOT b = :b", true),
    ] {
        let condition = filter(text).expect(text);
        assert_eq!(condition.matches(sample().view()), holds, "{text}");
    }
}

#[test]
fn a_missing_item_is_the_empty_item() {
    for (text, holds) in
        [("attribute_not_exists(p)", true), ("p = :s", false), ("p <> :s", true), ("size(p) = :n", false)]
    {
        assert_eq!(filter(text).expect(text).matches(Item::empty().view()), holds, "{text}");
    }
}

#[test]
fn strings_are_measured_in_utf_16_units() {
    let item = Item::from([("one", "\u{e9}"), ("two", "\u{1f600}")]);
    assert!(filter("size(one) = :n").expect("a condition").matches(item.view()));
    assert!(!filter("size(two) = :n").expect("a condition").matches(item.view()));
}

#[test]
fn a_condition_tells_what_it_looks_at() {
    let condition =
        filter("a.b = :s AND (NOT size(c) = d[0] OR e IN (f, :s)) AND begins_with(g, :s) AND attribute_exists(h)");
    let condition = condition.expect("a condition");
    assert_eq!(condition.attributes().collect::<Vec<_>>(), ["a", "c", "d", "e", "f", "g", "h"]);
    assert_eq!(condition.paths().filter(|path| !path.is_top_level()).count(), 2);
}
