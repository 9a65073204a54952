//! What updates make of the sample item, and of what they complain.

use super::{item, map, numbers, refusal, sample, strings, update};
use crate::item::Item;
use crate::value::Value;

fn list(values: &[i64]) -> Value {
    Value::L(values.iter().map(|value| (*value).into()).collect())
}

/// The sample with some attributes replaced or, with `None`, removed.
fn changed<const COUNT: usize>(changes: [(&str, Option<Value>); COUNT]) -> Item {
    let mut attributes = sample().to_map();
    for (name, value) in changes {
        match value {
            Some(value) => attributes.insert(name.to_owned(), value),
            None => attributes.remove(name),
        };
    }
    Item::from(attributes)
}

#[test]
fn updates_change_the_item() {
    let nested = |k: &str| map([("k", k.into()), ("e", map([])), ("n", 1.into())]);
    for (text, new) in [
        ("SET a = :s", changed([("a", Some("x".into()))])),
        (
            "SET a = :s, n = :n, zz = :l",
            changed([("a", Some("x".into())), ("n", Some(1.into())), ("zz", Some(list(&[1])))]),
        ),
        ("REMOVE n, s, zz", changed([("n", None), ("s", None)])),
        ("SET a = s REMOVE s", changed([("a", Some("abc".into())), ("s", None)])),
        ("SET s = n, n = s", changed([("s", Some(5.into())), ("n", Some("abc".into()))])),
        ("SET n = n + :n", changed([("n", Some(6.into()))])),
        ("SET n = n - :n", changed([("n", Some(4.into()))])),
        ("SET n = (:n) - n", changed([("n", Some((-4).into()))])),
        ("SET a = if_not_exists(n, :n)", changed([("a", Some(5.into()))])),
        ("SET a = if_not_exists(zz, :n)", changed([("a", Some(1.into()))])),
        ("SET a = if_not_exists(m.zz.q, :n)", changed([("a", Some(1.into()))])),
        ("SET a = if_not_exists(zz, :n) + n", changed([("a", Some(6.into()))])),
        ("SET a = if_not_exists(zz, if_not_exists(n, :n))", changed([("a", Some(5.into()))])),
        ("SET a = list_append(l, :l)", changed([("a", Some(list(&[0, 1, 2, 3, 1])))])),
        ("SET l = list_append(:l, l)", changed([("l", Some(list(&[1, 0, 1, 2, 3])))])),
        ("SET a = list_append(if_not_exists(zz, :l), :l)", changed([("a", Some(list(&[1, 1])))])),
        ("SET m.k = :s", changed([("m", Some(nested("x")))])),
        ("REMOVE m.k", changed([("m", Some(map([("e", map([])), ("n", 1.into())])))])),
        ("REMOVE m.zz", sample()),
        (
            "SET m.e.y = :n",
            changed([("m", Some(map([("k", "v".into()), ("e", map([("y", 1.into())])), ("n", 1.into())])))]),
        ),
        ("ADD m.n :n", changed([("m", Some(map([("k", "v".into()), ("e", map([])), ("n", 2.into())])))])),
        // Positions are those of the old list, and what lies beyond its end is appended in order.
        ("SET l[1] = :n", changed([("l", Some(list(&[0, 1, 2, 3])))])),
        ("SET l[9] = :n", changed([("l", Some(list(&[0, 1, 2, 3, 1])))])),
        ("SET l[7] = l[0], l[5] = :n", changed([("l", Some(list(&[0, 1, 2, 3, 1, 0])))])),
        ("SET l[0] = l[3], l[3] = l[0]", changed([("l", Some(list(&[3, 1, 2, 0])))])),
        ("REMOVE l[0], l[2]", changed([("l", Some(list(&[1, 3])))])),
        ("REMOVE l[2], l[1], l[0]", changed([("l", Some(list(&[3])))])),
        ("REMOVE l[9]", sample()),
        ("SET l[3] = :n REMOVE l[0]", changed([("l", Some(list(&[1, 2, 1])))])),
        ("REMOVE l[4] SET l[9] = :n", changed([("l", Some(list(&[0, 1, 2, 3, 1])))])),
        ("ADD l[1] :n", changed([("l", Some(list(&[0, 2, 2, 3])))])),
        (
            "SET deep[2][0] = :n REMOVE deep[0]",
            changed([("deep", Some(vec!["x".into(), list(&[1]), 4.into()].into()))]),
        ),
        ("ADD n :n, zz :n", changed([("n", Some(6.into())), ("zz", Some(1.into()))])),
        ("ADD ss :ss, zz :ss", changed([("zz", Some(strings(&["a"])))])),
        ("ADD ns :ns", sample()),
        ("DELETE ss :ss", changed([("ss", Some(strings(&["x"])))])),
        ("DELETE ns :ns, zz :ss", changed([("ns", Some(numbers(&[2])))])),
        // A set that loses its last member goes away.
        ("DELETE bs :bs", changed([("bs", None)])),
        ("DELETE ls[0] :ss SET ls[1] = :s", changed([("ls", Some(vec!["x".into()].into()))])),
        ("DELETE m.zz :ss", sample()),
    ] {
        let new_item = update(text).expect(text).apply(sample().view());
        assert_eq!(new_item.expect(text), new, "{text}");
    }
}

#[test]
fn an_update_of_a_missing_item_starts_from_its_key() {
    let key = item([("p", "u".into())]);
    for (text, new) in [
        ("SET a = :s", item([("p", "u".into()), ("a", "x".into())])),
        ("ADD a :n, b :ss", item([("p", "u".into()), ("a", 1.into()), ("b", strings(&["a"]))])),
        ("REMOVE a", key.clone()),
        ("DELETE a :ss", key.clone()),
    ] {
        assert_eq!(update(text).expect(text).apply(key.view()).expect(text), new, "{text}");
    }
    assert!(update("SET a = :s").expect("an update").creates());
    assert!(update("REMOVE b ADD a :n").expect("an update").creates());
    assert!(!update("REMOVE a DELETE b :ss").expect("an update").creates());
}

#[test]
fn updates_that_do_not_suit_the_item_are_refused() {
    let missing = "The provided expression refers to an attribute that does not exist in the item";
    let path = "The document path provided in the update expression is invalid for update";
    let kind = "An operand in the update expression has an incorrect data type";
    let overflow = "Number overflow. Attempting to store a number with magnitude larger than supported range";
    for (text, sentence) in [
        ("SET a = zz", missing),
        ("SET a = zz.b", missing),
        ("SET a = m.zz", missing),
        ("SET n = zz + :n", missing),
        ("SET a = list_append(zz, :l)", missing),
        ("SET zz.b = :s", path),
        ("SET zz[0] = :s", path),
        ("SET m.zz.y = :s", path),
        ("SET n.k = :s", path),
        ("SET s[0] = :s", path),
        ("SET l.a = :s", path),
        ("SET m[0] = :s", path),
        ("SET l[9][0] = :s", path),
        ("REMOVE zz.a", path),
        ("REMOVE s.a", path),
        ("REMOVE n[0]", path),
        ("REMOVE l.a", path),
        ("DELETE zz.a :ss", path),
        ("ADD zz.a :n", path),
        ("SET n = s + :n", kind),
        ("SET n = :n - s", kind),
        ("SET a = if_not_exists(s, :n) + :n", kind),
        ("SET a = list_append(n, :l)", kind),
        ("SET a = list_append(:l, n)", kind),
        ("ADD s :n", kind),
        ("ADD n :ss", kind),
        ("ADD ss :ns", kind),
        ("ADD ss :n", kind),
        ("ADD l :n", kind),
        ("DELETE ns :ss", kind),
        ("DELETE n :ns", kind),
        ("ADD big :big", overflow),
        ("SET a = big + :big", overflow),
        ("ADD big :n", overflow),
    ] {
        assert_eq!(refusal(update(text).expect(text).apply(sample().view())), sentence, "{text}");
    }
}

#[test]
fn written_paths_are_returned_without_their_neighbours() {
    for (text, old, new) in [
        ("SET n = n + :n, a = :s", Some(item([("n", 5.into())])), Some(item([("n", 6.into()), ("a", "x".into())]))),
        ("SET a = :s", None, Some(item([("a", "x".into())]))),
        ("REMOVE s", Some(item([("s", "abc".into())])), None),
        ("REMOVE zz", None, None),
        ("SET m.k = :s", Some(item([("m", map([("k", "v".into())]))])), Some(item([("m", map([("k", "x".into())]))]))),
        ("SET m.y = :s", None, Some(item([("m", map([("y", "x".into())]))]))),
        ("SET l[1] = :s", Some(item([("l", list(&[1]))])), Some(item([("l", vec!["x".into()].into())]))),
        ("REMOVE l[1], l[9]", Some(item([("l", list(&[1]))])), Some(item([("l", list(&[2]))]))),
        // Beyond the end, DynamoDB does not find what it appended.
        ("SET l[9] = :s", None, None),
    ] {
        let update = update(text).expect(text);
        let image = update.apply(sample().view()).expect(text);
        assert_eq!(update.updated(sample().view()), old, "{text}");
        assert_eq!(update.updated(image.view()), new, "{text}");
    }
}

#[test]
fn an_update_tells_what_it_writes() {
    let update = update("SET a.b = c, d = :s REMOVE e[0] ADD f :n DELETE g :ss").expect("an update");
    assert_eq!(update.attributes().collect::<Vec<_>>(), ["a", "d", "e", "f", "g"]);
}
