//! Carrying out an update.
//!
//! Every right-hand side and every check looks at the item as it was, so the order of the actions does not matter.
//! First each action becomes a write: a path and its new value, or none. Then the item is copied with the written
//! attributes replaced. Attributes that no action names are copied as bytes; only an attribute that is written
//! inside of is taken apart.

use std::borrow::Cow;

use super::{Action, Term};
use crate::error::{Error, Result};
use crate::item::{Encoded, Item, ItemRef, MapBuilder, SetBuilder, ValueRef, encode};
use crate::number::{self, Number};
use crate::path::{Path, Step};
use crate::value::Value;

/// Why an update does not suit the item that it meets.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ApplyError {
    /// A SET reads something that is not there.
    #[error("The provided expression refers to an attribute that does not exist in the item")]
    Missing,
    /// A path leads through something that is missing, or no map or list.
    #[error("The document path provided in the update expression is invalid for update")]
    InvalidPath,
    /// A value of the item has the wrong type for what is done with it.
    #[error("An operand in the update expression has an incorrect data type")]
    OperandType,
    /// The same, for a legacy update.
    #[error("Type mismatch for attribute to update")]
    LegacyType,
}

/// The encoded value to put at a path, or `None` to remove what is there.
type Write<'u> = (&'u Path, Option<Cow<'u, [u8]>>);

pub(super) fn apply(actions: &[Action], legacy: bool, item: ItemRef<'_>) -> Result<Item> {
    let mut writes = Vec::with_capacity(actions.len());
    for action in actions {
        check_parent(action.path(), item)?;
        writes.extend(write(action, legacy, item)?);
    }
    writes.sort_unstable_by_key(|(path, _)| *path);
    Ok(rebuild(&writes, item))
}

/// A path may end in something new, but everything before its end must be there.
fn check_parent(path: &Path, item: ItemRef<'_>) -> Result<()> {
    let Some((last, parents)) = path.steps.split_last() else {
        return Ok(());
    };
    let mut parent = item.get(&path.attribute);
    for step in parents {
        parent = match (step, parent) {
            (Step::Attribute(name), Some(ValueRef::M(map))) => map.get(name),
            (Step::Index(position), Some(ValueRef::L(list))) => list.get(*position),
            _ => None,
        };
    }
    match (last, parent) {
        (Step::Attribute(_), Some(ValueRef::M(_))) | (Step::Index(_), Some(ValueRef::L(_))) => Ok(()),
        _ => Err(Error::invalid(ApplyError::InvalidPath)),
    }
}

/// What an action does to this item; `None` if nothing.
fn write<'u>(action: &'u Action, legacy: bool, item: ItemRef<'_>) -> Result<Option<Write<'u>>> {
    let old = |path: &Path| path.find(item);
    Ok(match action {
        Action::Set(path, Term::Value(value)) => Some((path, Some(Cow::Borrowed(value.as_bytes())))),
        Action::Set(path, term) => {
            let mut out = Vec::new();
            encode::view(&mut out, evaluate(term, item)?.view());
            Some((path, Some(Cow::Owned(out))))
        }
        Action::Remove(path) => old(path).map(|_| (path, None)),
        Action::Add(path, value) => Some((
            path,
            Some(match old(path) {
                None => Cow::Borrowed(value.as_bytes()),
                Some(old) => Cow::Owned(sum(old, value.view(), legacy)?),
            }),
        )),
        Action::Delete(path, value) => match old(path) {
            None => None,
            Some(old) => Some((path, difference(old, value.view(), legacy)?.map(Cow::Owned))),
        },
    })
}

/// A computed value: most are found in place, appended lists are new.
enum Computed<'a> {
    Found(ValueRef<'a>),
    New(Encoded),
}

impl Computed<'_> {
    fn view(&self) -> ValueRef<'_> {
        match self {
            Computed::Found(value) => *value,
            Computed::New(value) => value.view(),
        }
    }
}

fn evaluate<'a>(term: &'a Term, item: ItemRef<'a>) -> Result<Computed<'a>> {
    match term {
        Term::Value(value) => Ok(Computed::Found(value.view())),
        Term::Path(path) => path.find(item).map(Computed::Found).ok_or_else(|| Error::invalid(ApplyError::Missing)),
        Term::IfNotExists(path, otherwise) => match path.find(item) {
            Some(value) => Ok(Computed::Found(value)),
            None => evaluate(otherwise, item),
        },
        Term::ListAppend(first, second) => {
            let (first, second) = (evaluate(first, item)?, evaluate(second, item)?);
            append(first.view(), second.view()).map(|list| Computed::New(Encoded::from_encoded(list)))
        }
        Term::Plus(left, right) => calculate(left, right, item, Number::add),
        Term::Minus(left, right) => calculate(left, right, item, Number::subtract),
    }
}

fn calculate<'a>(
    left: &'a Term,
    right: &'a Term,
    item: ItemRef<'a>,
    operation: impl Fn(&Number, &Number) -> Result<Number, number::Error>,
) -> Result<Computed<'a>> {
    let (left, right) = (evaluate(left, item)?, evaluate(right, item)?);
    let (ValueRef::N(left), ValueRef::N(right)) = (left.view(), right.view()) else {
        return Err(Error::invalid(ApplyError::OperandType));
    };
    let number = operation(&left, &right).map_err(unstorable)?;
    Ok(Computed::Found(ValueRef::N(number)))
}

/// Amazon calls a result with too many digits too large.
fn unstorable(error: number::Error) -> Error {
    Error::invalid(if error == number::Error::TooManyDigits { number::Error::Overflow } else { error })
}

fn append(first: ValueRef<'_>, second: ValueRef<'_>) -> Result<Vec<u8>> {
    let (ValueRef::L(first), ValueRef::L(second)) = (first, second) else {
        return Err(Error::invalid(ApplyError::OperandType));
    };
    let mut body = Vec::new();
    first.iter().chain(second.iter()).for_each(|element| encode::view(&mut body, element));
    let mut out = Vec::with_capacity(body.len() + 8);
    encode::list(&mut out, first.len() + second.len(), &body);
    Ok(out)
}

/// What ADD makes of an old value.
fn sum(old: ValueRef<'_>, added: ValueRef<'_>, legacy: bool) -> Result<Vec<u8>> {
    let mut out = Vec::new();
    match (old, added) {
        (ValueRef::N(old), ValueRef::N(added)) => {
            encode::number(&mut out, &old.add(&added).map_err(unstorable)?);
        }
        (ValueRef::Ss(a), ValueRef::Ss(b))
        | (ValueRef::Ns(a), ValueRef::Ns(b))
        | (ValueRef::Bs(a), ValueRef::Bs(b)) => {
            let mut set = SetBuilder::new(old.kind());
            a.iter().chain(b.iter().filter(|member| !a.contains(member))).for_each(|member| set.push(member));
            let unique = set.finish(&mut out);
            debug_assert!(unique, "members that the old set has are left out");
        }
        (ValueRef::L(_), ValueRef::L(_)) if legacy => return append(old, added),
        _ => return Err(mismatch(legacy)),
    }
    Ok(out)
}

/// What DELETE leaves of an old value; `None` if nothing.
fn difference(old: ValueRef<'_>, taken: ValueRef<'_>, legacy: bool) -> Result<Option<Vec<u8>>> {
    let ((ValueRef::Ss(a), ValueRef::Ss(b)) | (ValueRef::Ns(a), ValueRef::Ns(b)) | (ValueRef::Bs(a), ValueRef::Bs(b))) =
        (old, taken)
    else {
        return Err(mismatch(legacy));
    };
    let mut set = SetBuilder::new(old.kind());
    a.iter().filter(|member| !b.contains(member)).for_each(|member| set.push(member));
    if set.is_empty() {
        return Ok(None);
    }
    let mut out = Vec::new();
    let unique = set.finish(&mut out);
    debug_assert!(unique, "a part of a set has no duplicates");
    Ok(Some(out))
}

fn mismatch(legacy: bool) -> Error {
    Error::invalid(if legacy { ApplyError::LegacyType } else { ApplyError::OperandType })
}

/// Merges the writes, which ascend by path, into the item's attributes, which ascend by name.
fn rebuild(writes: &[Write<'_>], item: ItemRef<'_>) -> Item {
    let mut builder = MapBuilder::new();
    let mut groups = writes.chunk_by(|(a, _), (b, _)| a.attribute == b.attribute).peekable();
    for (name, encoded) in item.attributes().encoded_entries() {
        while let Some(group) = groups.next_if(|group| group[0].0.attribute.as_str() < name) {
            insert(&mut builder, group);
        }
        match groups.next_if(|group| group[0].0.attribute == name) {
            None => builder.begin(Cow::Borrowed(name)).extend_from_slice(encoded),
            Some(group) if group[0].0.is_top_level() => insert(&mut builder, group),
            Some(group) => {
                let mut value = ValueRef::from_encoded(encoded).to_value();
                change(&mut value, group);
                encode::value(builder.begin(Cow::Borrowed(name)), &value);
            }
        }
    }
    groups.for_each(|group| insert(&mut builder, group));
    builder.finish_item()
}

/// Puts the new value of a top-level attribute, whose only write this must be.
fn insert<'u>(builder: &mut MapBuilder<'u>, group: &'u [Write<'_>]) {
    if let [(path, Some(value))] = group {
        builder.begin(Cow::Borrowed(&path.attribute)).extend_from_slice(value);
    }
}

/// Writes inside of a value. New values go in from low to high positions, so that those beyond the end of a list
/// are appended in order; then removals from high to low, so that each still finds its element.
fn change(value: &mut Value, writes: &[Write<'_>]) {
    for (path, new) in writes {
        if let Some(new) = new {
            put(value, &path.steps, ValueRef::from_encoded(new).to_value());
        }
    }
    for (path, new) in writes.iter().rev() {
        if new.is_none() {
            remove(value, &path.steps);
        }
    }
}

/// The parent of the last step, which was found to exist, and that step.
fn parent<'v, 'p>(mut value: &'v mut Value, steps: &'p [Step]) -> Option<(&'v mut Value, &'p Step)> {
    let (last, parents) = steps.split_last()?;
    for step in parents {
        value = match (step, value) {
            (Step::Attribute(name), Value::M(map)) => map.get_mut(name)?,
            (Step::Index(position), Value::L(list)) => list.get_mut(*position)?,
            _ => return None,
        };
    }
    Some((value, last))
}

fn put(value: &mut Value, steps: &[Step], new: Value) {
    match parent(value, steps) {
        Some((Value::M(map), Step::Attribute(name))) => {
            map.insert(name.clone(), new);
        }
        Some((Value::L(list), Step::Index(position))) => match list.get_mut(*position) {
            Some(element) => *element = new,
            None => list.push(new),
        },
        _ => unreachable!("parents were checked before"),
    }
}

fn remove(value: &mut Value, steps: &[Step]) {
    match parent(value, steps) {
        Some((Value::M(map), Step::Attribute(name))) => {
            map.remove(name);
        }
        Some((Value::L(list), Step::Index(position))) => {
            list.remove(*position);
        }
        _ => unreachable!("parents were checked before"),
    }
}
