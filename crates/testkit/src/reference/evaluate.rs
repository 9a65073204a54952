//! What conditions, projections and updates mean, said as plainly as possible.

use std::cmp::Ordering;

use super::decimal::{self, Decimal};
use super::expression::{Assigned, Comparator, Condition, Operand, Path, Source, Step, Update};
use super::value::{Document, Value};

/// The value at a path.
#[must_use]
pub fn find<'a>(item: &'a Document, path: &Path) -> Option<&'a Value> {
    let mut value = item.get(&path.attribute)?;
    for step in &path.steps {
        value = match (step, value) {
            (Step::Name(name), Value::M(map)) => map.get(name)?,
            (Step::Index(place), Value::L(list)) => list.get(*place)?,
            _ => return None,
        };
    }
    Some(value)
}

fn operand(item: &Document, operand: &Operand) -> Option<Value> {
    match operand {
        Operand::Path(path) => find(item, path).cloned(),
        Operand::Value(value) => Some(value.clone()),
        Operand::Size(path) => {
            let size = match find(item, path)? {
                // As dynalite observed; Amazon's guide speaks of bytes.
                Value::S(text) => text.encode_utf16().count(),
                Value::B(bytes) => bytes.len(),
                Value::M(map) => map.len(),
                Value::L(list) => list.len(),
                Value::Ss(set) => set.len(),
                Value::Ns(set) => set.len(),
                Value::Bs(set) => set.len(),
                Value::N(_) | Value::Bool(_) | Value::Null => return None,
            };
            Some(Value::N(Decimal::parse(&size.to_string())?))
        }
    }
}

/// Whether a condition holds of an item.
#[must_use]
pub fn holds(condition: &Condition, item: &Document) -> bool {
    let value = |wanted: &Operand| operand(item, wanted);
    match condition {
        Condition::Compare(left, comparator, right) => compare(value(left), *comparator, value(right)),
        Condition::Between(middle, low, high) => {
            compare(value(middle), Comparator::GreaterOrEqual, value(low))
                && compare(value(middle), Comparator::LessOrEqual, value(high))
        }
        Condition::In(wanted, choices) => {
            choices.iter().any(|choice| compare(value(wanted), Comparator::Equal, value(choice)))
        }
        Condition::Exists(path) => find(item, path).is_some(),
        Condition::NotExists(path) => find(item, path).is_none(),
        Condition::IsType(path, kind) => find(item, path).is_some_and(|found| found.kind() == *kind),
        Condition::BeginsWith(path, start) => match (find(item, path), start) {
            (Some(Value::S(text)), Value::S(start)) => text.starts_with(start.as_str()),
            (Some(Value::B(bytes)), Value::B(start)) => bytes.starts_with(start),
            _ => false,
        },
        Condition::Contains(path, part) => match (find(item, path), value(part)) {
            (Some(Value::S(text)), Some(Value::S(part))) => text.contains(&part),
            (Some(Value::B(bytes)), Some(Value::B(part))) => {
                part.is_empty() || bytes.windows(part.len()).any(|window| window == part)
            }
            (Some(Value::L(list)), Some(part)) => list.contains(&part),
            (Some(Value::Ss(set)), Some(Value::S(part))) => set.contains(&part),
            (Some(Value::Ns(set)), Some(Value::N(part))) => set.contains(&part),
            (Some(Value::Bs(set)), Some(Value::B(part))) => set.contains(&part),
            _ => false,
        },
        Condition::And(left, right) => holds(left, item) && holds(right, item),
        Condition::Or(left, right) => holds(left, item) || holds(right, item),
        Condition::Not(inner) => !holds(inner, item),
    }
}

/// What is missing differs from everything, and otherwise compares with nothing.
fn compare(left: Option<Value>, comparator: Comparator, right: Option<Value>) -> bool {
    let (Some(left), Some(right)) = (left, right) else { return comparator == Comparator::NotEqual };
    let order = left.order(&right);
    match comparator {
        Comparator::Equal => left == right,
        Comparator::NotEqual => left != right,
        Comparator::Less => order == Some(Ordering::Less),
        Comparator::LessOrEqual => matches!(order, Some(Ordering::Less | Ordering::Equal)),
        Comparator::Greater => order == Some(Ordering::Greater),
        Comparator::GreaterOrEqual => matches!(order, Some(Ordering::Greater | Ordering::Equal)),
    }
}

/// What is left of an item when only some paths are wanted; list elements close ranks.
#[must_use]
pub fn project<'p>(item: &Document, paths: impl Iterator<Item = &'p Path> + Clone) -> Document {
    let mut out = Document::new();
    for (name, value) in item {
        let below: Vec<&[Step]> =
            paths.clone().filter(|path| path.attribute == *name).map(|path| path.steps.as_slice()).collect();
        if let Some(kept) = keep(value, &below) {
            out.insert(name.clone(), kept);
        }
    }
    out
}

fn keep(value: &Value, paths: &[&[Step]]) -> Option<Value> {
    if paths.iter().any(|path| path.is_empty()) {
        return Some(value.clone());
    }
    let below = |step: &Step| -> Vec<&[Step]> {
        paths.iter().filter(|path| path.first() == Some(step)).map(|path| &path[1..]).collect()
    };
    match value {
        Value::M(map) => {
            let kept: Document = map
                .iter()
                .filter_map(|(name, value)| Some((name.clone(), keep(value, &below(&Step::Name(name.clone())))?)))
                .collect();
            (!kept.is_empty()).then_some(Value::M(kept))
        }
        Value::L(list) => {
            let kept: Vec<Value> =
                list.iter().enumerate().filter_map(|(place, value)| keep(value, &below(&Step::Index(place)))).collect();
            (!kept.is_empty()).then_some(Value::L(kept))
        }
        _ => None,
    }
}

/// Why an update cannot be done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// An attribute that is read does not exist.
    #[error("The provided expression refers to an attribute that does not exist in the item")]
    Missing,
    /// An operand has the wrong type.
    #[error("An operand in the update expression has an incorrect data type")]
    Type,
    /// The place that is written does not exist.
    #[error("The document path provided in the update expression is invalid for update")]
    Path,
    /// A result cannot be stored.
    #[error("{0}")]
    Number(decimal::Error),
}

fn source(item: &Document, wanted: &Source) -> Result<Value, Error> {
    match wanted {
        Source::Path(path) => find(item, path).cloned().ok_or(Error::Missing),
        Source::Value(value) => Ok(value.clone()),
        Source::IfNotExists(path, other) => find(item, path).cloned().map_or_else(|| source(item, other), Ok),
        Source::ListAppend(first, second) => match (source(item, first)?, source(item, second)?) {
            (Value::L(mut first), Value::L(second)) => {
                first.extend(second);
                Ok(Value::L(first))
            }
            _ => Err(Error::Type),
        },
    }
}

fn assigned(item: &Document, wanted: &Assigned) -> Result<Value, Error> {
    let numbers = |left: &Source, right: &Source| match (source(item, left)?, source(item, right)?) {
        (Value::N(left), Value::N(right)) => Ok((left, right)),
        _ => Err(Error::Type),
    };
    let number = match wanted {
        Assigned::Source(wanted) => return source(item, wanted),
        Assigned::Plus(left, right) => numbers(left, right).map(|(left, right)| left.plus(&right))?,
        Assigned::Minus(left, right) => numbers(left, right).map(|(left, right)| left.minus(&right))?,
    };
    number.storable_result().map(Value::N).map_err(Error::Number)
}

/// What an update makes of an item: everything is read from the item as it was. All errors are given, since
/// DynamoDB does not say which of several it tells.
pub fn update(old: &Document, wanted: &Update) -> Result<Document, Vec<Error>> {
    let mut errors = Vec::new();
    let mut new = old.clone();
    let mut appended: Vec<(Path, Value)> = Vec::new();
    for (path, right) in &wanted.set {
        match assigned(old, right) {
            Ok(value) => match place(&mut new, path) {
                Some(Place::Member(map, name)) => {
                    map.insert(name, value);
                }
                Some(Place::Element(list, place)) if place < list.len() => list[place] = value,
                Some(Place::Element(..)) => appended.push((path.clone(), value)),
                None => errors.push(Error::Path),
            },
            Err(error) => {
                errors.push(error);
                if place(&mut new, path).is_none() {
                    errors.push(Error::Path);
                }
            }
        }
    }
    for (path, value) in &wanted.add {
        errors.extend(add(&mut new, path, value).err());
    }
    for (path, value) in &wanted.delete {
        errors.extend(delete(&mut new, path, value).err());
    }
    let mut dropped: Vec<&Path> = Vec::new();
    for path in &wanted.remove {
        match place(&mut new, path) {
            Some(Place::Member(map, name)) => {
                map.remove(&name);
            }
            Some(Place::Element(list, place)) if place < list.len() => dropped.push(path),
            Some(Place::Element(..)) => {}
            None => errors.push(Error::Path),
        }
    }
    if !errors.is_empty() {
        return Err(errors);
    }
    appended.sort_by(|left, right| left.0.cmp(&right.0));
    for (path, value) in appended {
        if let Some(Place::Element(list, _)) = place(&mut new, &path) {
            list.push(value);
        }
    }
    // From the back, so that places keep their meaning.
    dropped.sort_unstable();
    for path in dropped.into_iter().rev() {
        if let Some(Place::Element(list, place)) = place(&mut new, path) {
            list.remove(place);
        }
    }
    Ok(new)
}

/// Where a path's last step leads.
enum Place<'a> {
    Member(&'a mut Document, String),
    Element(&'a mut Vec<Value>, usize),
}

fn place<'a>(item: &'a mut Document, path: &Path) -> Option<Place<'a>> {
    let Some((last, between)) = path.steps.split_last() else {
        return Some(Place::Member(item, path.attribute.clone()));
    };
    let mut value = item.get_mut(&path.attribute)?;
    for step in between {
        value = match (step, value) {
            (Step::Name(name), Value::M(map)) => map.get_mut(name)?,
            (Step::Index(place), Value::L(list)) => list.get_mut(*place)?,
            _ => return None,
        };
    }
    match (last, value) {
        (Step::Name(name), Value::M(map)) => Some(Place::Member(map, name.clone())),
        (Step::Index(index), Value::L(list)) => Some(Place::Element(list, *index)),
        _ => None,
    }
}

fn add(item: &mut Document, path: &Path, more: &Value) -> Result<(), Error> {
    let Some(Place::Member(map, name)) = place(item, path) else { return Err(Error::Path) };
    let sum = match (map.get(&name), more) {
        (None, _) => more.clone(),
        (Some(Value::N(known)), Value::N(more)) => Value::N(known.plus(more).storable_result().map_err(Error::Number)?),
        (Some(Value::Ss(known)), Value::Ss(more)) => Value::Ss(known | more),
        (Some(Value::Ns(known)), Value::Ns(more)) => Value::Ns(known | more),
        (Some(Value::Bs(known)), Value::Bs(more)) => Value::Bs(known | more),
        _ => return Err(Error::Type),
    };
    map.insert(name, sum);
    Ok(())
}

fn delete(item: &mut Document, path: &Path, less: &Value) -> Result<(), Error> {
    let Some(Place::Member(map, name)) = place(item, path) else { return Err(Error::Path) };
    let Some(known) = map.get(&name) else { return Ok(()) };
    let (rest, is_empty) = match (known, less) {
        (Value::Ss(known), Value::Ss(less)) => (Value::Ss(known - less), known.is_subset(less)),
        (Value::Ns(known), Value::Ns(less)) => (Value::Ns(known - less), known.is_subset(less)),
        (Value::Bs(known), Value::Bs(less)) => (Value::Bs(known - less), known.is_subset(less)),
        _ => return Err(Error::Type),
    };
    if is_empty {
        map.remove(&name);
    } else {
        map.insert(name, rest);
    }
    Ok(())
}
