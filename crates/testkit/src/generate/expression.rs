//! Random conditions, projections and updates that DynamoDB accepts.

use fastrand::Rng;

use super::value::{ATTRIBUTES, MEMBERS, bytes, for_attribute, number, set, text, value};
use super::{one_in, pick};
use crate::reference::expression::{Assigned, Comparator, Condition, Operand, Path, Source, Step, Update};
use crate::reference::schema::Schema;
use crate::reference::value::Value;

const KINDS: [&str; 10] = ["S", "N", "B", "BOOL", "NULL", "M", "L", "SS", "NS", "BS"];

/// A path into what an item mostly looks like.
pub(super) fn path(rng: &mut Rng) -> Path {
    let attribute = pick(rng, &ATTRIBUTES);
    let mut path = Path { attribute: attribute.to_owned(), steps: Vec::new() };
    let mut nests = match attribute {
        "document" => rng.u32(0..3),
        "list" => rng.u32(0..3),
        _ => u32::from(one_in(rng, 12)),
    };
    let mut named = attribute != "list";
    while nests > 0 {
        if one_in(rng, 10) {
            named = !named;
        }
        path.steps.push(if named { Step::Name(pick(rng, &MEMBERS).to_owned()) } else { Step::Index(rng.usize(0..5)) });
        named = rng.bool();
        nests -= 1;
    }
    path
}

/// Paths of which none contains another.
pub(super) fn paths(rng: &mut Rng, schema: &Schema, most: usize) -> Vec<Path> {
    let mut paths: Vec<Path> = Vec::new();
    for _ in 0..rng.usize(1..=most) {
        let next = if one_in(rng, 5) {
            let name = schema.keys().next().expect("a table has a key").name.clone();
            Path { attribute: name, steps: Vec::new() }
        } else {
            path(rng)
        };
        if !paths.iter().any(|known| known.clashes(&next)) {
            paths.push(next);
        }
    }
    paths
}

/// A constant that can be ordered.
fn ordered(rng: &mut Rng) -> Value {
    match rng.u32(0..4) {
        0 => Value::S(text(rng)),
        1 => Value::B(bytes(rng)),
        _ => Value::N(number(rng)),
    }
}

fn comparison(rng: &mut Rng) -> Condition {
    let comparator = pick(rng, &Comparator::ALL);
    let left = path(rng);
    if one_in(rng, 5) {
        let small = Value::N(crate::reference::decimal::Decimal::parse(&rng.u32(0..5).to_string()).expect("a number"));
        return Condition::Compare(Operand::Size(left), comparator, Operand::Value(small));
    }
    let right = match comparator {
        _ if one_in(rng, 4) => {
            // An attribute may not be compared with itself.
            let other = path(rng);
            if other == left {
                return Condition::Exists(left);
            }
            Operand::Path(other)
        }
        Comparator::Equal | Comparator::NotEqual => Operand::Value(for_attribute(rng, &left.attribute)),
        _ => Operand::Value(ordered(rng)),
    };
    Condition::Compare(Operand::Path(left), comparator, right)
}

/// A condition over the attributes that are no keys.
pub(super) fn condition(rng: &mut Rng, depth: usize) -> Condition {
    if depth > 0 && one_in(rng, 2) {
        let left = Box::new(condition(rng, depth - 1));
        return match rng.u32(0..3) {
            0 => Condition::Not(left),
            1 => Condition::And(left, Box::new(condition(rng, depth - 1))),
            _ => Condition::Or(left, Box::new(condition(rng, depth - 1))),
        };
    }
    match rng.u32(0..9) {
        0..3 => comparison(rng),
        3 => {
            let (one, other) = (ordered(rng), ordered(rng));
            match one.order(&other) {
                Some(std::cmp::Ordering::Greater) => between(path(rng), other, one),
                Some(_) => between(path(rng), one, other),
                None => between(path(rng), one.clone(), one),
            }
        }
        4 => {
            let wanted = path(rng);
            let choices = (0..rng.usize(1..4)).map(|_| Operand::Value(for_attribute(rng, &wanted.attribute))).collect();
            Condition::In(Operand::Path(wanted), choices)
        }
        5 => Condition::Exists(path(rng)),
        6 => Condition::NotExists(path(rng)),
        7 => Condition::IsType(path(rng), pick(rng, &KINDS)),
        _ if rng.bool() => {
            let start = if one_in(rng, 4) { Value::B(bytes(rng)) } else { Value::S(text(rng)) };
            Condition::BeginsWith(path(rng), start)
        }
        _ => Condition::Contains(path(rng), Operand::Value(if rng.bool() { ordered(rng) } else { value(rng, 1) })),
    }
}

fn between(path: Path, low: Value, high: Value) -> Condition {
    Condition::Between(Operand::Path(path), Operand::Value(low), Operand::Value(high))
}

fn source(rng: &mut Rng, target: &Path) -> Source {
    match rng.u32(0..5) {
        0 => Source::Path(path(rng)),
        1 => Source::IfNotExists(path(rng), Box::new(Source::Value(for_attribute(rng, &target.attribute)))),
        _ => Source::Value(for_attribute(rng, &target.attribute)),
    }
}

fn numeric(rng: &mut Rng) -> Source {
    match rng.u32(0..4) {
        0 => Source::Value(Value::N(number(rng))),
        1 => Source::IfNotExists(path(rng), Box::new(Source::Value(Value::N(number(rng))))),
        2 => Source::Path(path(rng)),
        _ => Source::Path(Path { attribute: "n".to_owned(), steps: Vec::new() }),
    }
}

fn appended(rng: &mut Rng) -> Source {
    let list = |rng: &mut Rng| Source::Value(Value::L((0..rng.usize(0..3)).map(|_| value(rng, 1)).collect()));
    let known = || Source::Path(Path { attribute: "list".to_owned(), steps: Vec::new() });
    let first = match rng.u32(0..4) {
        0 => list(rng),
        1 => {
            let Source::Path(path) = known() else { unreachable!("made above") };
            Source::IfNotExists(path, Box::new(list(rng)))
        }
        2 => Source::Path(path(rng)),
        _ => known(),
    };
    let second = if one_in(rng, 4) { known() } else { list(rng) };
    if rng.bool() {
        Source::ListAppend(Box::new(first), Box::new(second))
    } else {
        Source::ListAppend(Box::new(second), Box::new(first))
    }
}

/// An update of one to four places, no two of which touch.
pub(super) fn update(rng: &mut Rng, schema: &Schema, now: i64) -> Update {
    let mut update = Update::default();
    for _ in 0..rng.usize(1..=3) {
        let target = target(rng, schema);
        if update.targets().any(|known| known.clashes(&target)) {
            continue;
        }
        add_action(rng, &mut update, target, now);
    }
    update
}

fn target(rng: &mut Rng, schema: &Schema) -> Path {
    let top = |name: &str| Path { attribute: name.to_owned(), steps: Vec::new() };
    if one_in(rng, 100) {
        return top(&schema.partition.name);
    }
    if one_in(rng, 8) && schema.time_to_live.is_some() {
        return top("expires");
    }
    let keys: Vec<&str> = schema.indexes.iter().flat_map(|index| &index.sort).map(|key| key.name.as_str()).collect();
    let own = |name: &str| schema.keys().any(|key| key.name == name);
    if one_in(rng, 5) && !keys.is_empty() {
        let name = pick(rng, &keys);
        if !own(name) {
            return top(name);
        }
    }
    path(rng)
}

fn add_action(rng: &mut Rng, update: &mut Update, target: Path, now: i64) {
    let in_list = matches!(target.steps.last(), Some(Step::Index(_)));
    match rng.u32(0..10) {
        0..5 => {
            let assigned = match target.attribute.as_str() {
                "expires" => Assigned::Source(Source::Value(super::value::expiry(rng, now))),
                "list" if target.steps.is_empty() && rng.bool() => Assigned::Source(appended(rng)),
                name if name.starts_with('g') => Assigned::Source(Source::Value(match rng.u32(0..3) {
                    0 => Value::S(text(rng)),
                    1 => Value::N(number(rng)),
                    _ => Value::B(bytes(rng)),
                })),
                _ => match rng.u32(0..6) {
                    0 => Assigned::Plus(numeric(rng), numeric(rng)),
                    1 => Assigned::Minus(numeric(rng), numeric(rng)),
                    2 => Assigned::Source(appended(rng)),
                    _ => Assigned::Source(source(rng, &target)),
                },
            };
            update.set.push((target, assigned));
        }
        5..7 => update.remove.push(target),
        7..9 if !in_list => {
            let more = if target.attribute == "tags" || one_in(rng, 4) { set(rng) } else { Value::N(number(rng)) };
            update.add.push((target, more));
        }
        _ if !in_list => update.delete.push((target, set(rng))),
        _ => update.remove.push(target),
    }
}
