//! What holds for any text and any item.

use std::collections::BTreeMap;

use proptest::collection::vec;
use proptest::prelude::*;

use super::{filter, key, projection, update};
use crate::expression::{Action, Term, Update};
use crate::item::{Encoded, Item};
use crate::path::{Path, Step};
use crate::value::{Map, Value};

/// Text made of what expressions are made of, so that much of it goes deep into the grammar.
fn expression() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        "[a-c]",
        Just("#a".to_owned()),
        Just(":n".to_owned()),
        Just(":s".to_owned()),
        Just(":l".to_owned()),
        Just("(".to_owned()),
        Just(")".to_owned()),
        Just(",".to_owned()),
        Just(".".to_owned()),
        Just("[0]".to_owned()),
        Just("=".to_owned()),
        Just("<>".to_owned()),
        Just("<".to_owned()),
        Just("+".to_owned()),
        Just("-".to_owned()),
        Just("AND".to_owned()),
        Just("OR".to_owned()),
        Just("NOT".to_owned()),
        Just("BETWEEN".to_owned()),
        Just("IN".to_owned()),
        Just("SET".to_owned()),
        Just("REMOVE".to_owned()),
        Just("ADD".to_owned()),
        Just("size(a)".to_owned()),
        Just("attribute_exists(".to_owned()),
        Just("begins_with(a,".to_owned()),
        Just("if_not_exists(a,".to_owned()),
        Just("list_append(".to_owned()),
        "\\PC",
    ];
    vec(piece, 0..24).prop_map(|pieces| pieces.join(" "))
}

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        "[a-z]{0,3}".prop_map(Value::S),
        (-9i64..9).prop_map(Value::from),
        proptest::collection::btree_set("[a-c]", 1..3).prop_map(Value::Ss),
    ];
    leaf.prop_recursive(3, 16, 4, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..4).prop_map(Value::L),
            proptest::collection::btree_map("[a-c]", inner, 0..3).prop_map(Value::M)
        ]
    })
}

fn path() -> impl Strategy<Value = Path> {
    let step = prop_oneof!["[a-c]".prop_map(Step::Attribute), (0usize..5).prop_map(Step::Index)];
    ("[a-d]", vec(step, 0..3)).prop_map(|(attribute, steps)| Path { attribute, steps })
}

fn action() -> impl Strategy<Value = Action> {
    let term = prop_oneof![
        value().prop_map(|value| Term::Value(Encoded::from(value))),
        path().prop_map(Term::Path),
        (path(), value())
            .prop_map(|(path, value)| Term::IfNotExists(path, Box::new(Term::Value(Encoded::from(value))))),
    ];
    prop_oneof![
        (path(), term).prop_map(|(path, term)| Action::Set(path, term)),
        path().prop_map(Action::Remove),
        (path(), -9i64..9).prop_map(|(path, number)| Action::Add(path, Encoded::from(Value::from(number)))),
    ]
}

/// The update carried out the naive way, on a tree of the whole item. Removed elements leave a gap until all else
/// is done, so that positions stay those of the old item.
fn naive(actions: &[Action], old: &Map) -> Option<Map> {
    let mut new: BTreeMap<String, Gap> = old.iter().map(|(name, value)| (name.clone(), Gap::from(value))).collect();
    let mut sorted: Vec<&Action> = actions.iter().collect();
    sorted.sort_by(|a, b| a.path().cmp(b.path()));
    for action in sorted {
        let path = action.path();
        let value = match action {
            Action::Set(_, Term::Value(value)) => Gap::from(&value.view().to_value()),
            Action::Set(_, Term::Path(path)) => Gap::from(find(old, path)?),
            Action::Set(_, Term::IfNotExists(path, otherwise)) => match (find(old, path), otherwise.as_ref()) {
                (Some(value), _) => Gap::from(value),
                (None, Term::Value(value)) => Gap::from(&value.view().to_value()),
                _ => return None,
            },
            Action::Add(path, value) => match (find(old, path), value.view().to_value()) {
                (None, value) => Gap::from(&value),
                (Some(Value::N(a)), Value::N(b)) => Gap::Leaf(Value::N(a.add(&b).ok()?)),
                _ => return None,
            },
            _ => Gap::Nothing,
        };
        place(&mut new, path, value)?;
    }
    Some(new.into_iter().filter_map(|(name, value)| Some((name, value.close()?))).collect())
}

/// A value in which something may be missing.
enum Gap {
    Nothing,
    Leaf(Value),
    L(Vec<Gap>),
    M(BTreeMap<String, Gap>),
}

impl From<&Value> for Gap {
    fn from(value: &Value) -> Self {
        match value {
            Value::L(list) => Gap::L(list.iter().map(Gap::from).collect()),
            Value::M(map) => Gap::M(map.iter().map(|(name, value)| (name.clone(), Gap::from(value))).collect()),
            leaf => Gap::Leaf(leaf.clone()),
        }
    }
}

impl Gap {
    fn close(self) -> Option<Value> {
        match self {
            Gap::Nothing => None,
            Gap::Leaf(value) => Some(value),
            Gap::L(list) => Some(Value::L(list.into_iter().filter_map(Gap::close).collect())),
            Gap::M(map) => {
                Some(Value::M(map.into_iter().filter_map(|(name, value)| Some((name, value.close()?))).collect()))
            }
        }
    }
}

fn find<'v>(item: &'v Map, path: &Path) -> Option<&'v Value> {
    let mut value = item.get(&path.attribute)?;
    for step in &path.steps {
        value = match (step, value) {
            (Step::Attribute(name), Value::M(map)) => map.get(name)?,
            (Step::Index(position), Value::L(list)) => list.get(*position)?,
            _ => return None,
        };
    }
    Some(value)
}

fn place(item: &mut BTreeMap<String, Gap>, path: &Path, new: Gap) -> Option<()> {
    let Some((last, parents)) = path.steps.split_last() else {
        item.insert(path.attribute.clone(), new);
        return Some(());
    };
    let mut value = item.get_mut(&path.attribute)?;
    for step in parents {
        value = match (step, value) {
            (Step::Attribute(name), Gap::M(map)) => map.get_mut(name)?,
            (Step::Index(position), Gap::L(list)) => list.get_mut(*position)?,
            _ => return None,
        };
    }
    match (last, value) {
        (Step::Attribute(name), Gap::M(map)) => {
            map.insert(name.clone(), new);
        }
        (Step::Index(position), Gap::L(list)) if *position < list.len() => list[*position] = new,
        (Step::Index(_), Gap::L(list)) => list.push(new),
        _ => return None,
    }
    Some(())
}

proptest! {
    #[test]
    fn parsing_any_text_ends_in_a_tree_or_a_sentence(text in prop_oneof![expression(), "\\PC{0,60}"]) {
        for complaint in [
            filter(&text).err(),
            update(&text).err(),
            projection(&text).err(),
            key(&text).err(),
        ].into_iter().flatten() {
            prop_assert!(!complaint.to_string().is_empty());
        }
    }

    #[test]
    fn any_update_is_carried_out_as_the_naive_way_does(
        old in proptest::collection::btree_map("[a-d]", value(), 0..4),
        actions in vec(action(), 1..5),
    ) {
        let Ok(update) = Update::from_actions(actions) else { return Ok(()) };
        let item = Item::from(&old);
        let new = update.apply(item.view()).ok();
        prop_assert_eq!(new.map(|item| item.to_map()), naive(update.actions(), &old));
    }
}
