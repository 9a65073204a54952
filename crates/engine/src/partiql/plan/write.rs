//! Writes: the one item that a statement names, and what it does to it.

use std::sync::Arc;

use espalier_dynamo::expression::{Comparator, Condition, Operand};
use espalier_dynamo::item::{Encoded, Item, MapBuilder, ValueRef, encode};
use espalier_dynamo::{Error as Fault, Path, Result};

use crate::key;
use crate::partiql::error::Error;
use crate::partiql::keys::check_type;
use crate::partiql::lower::Statement;
use crate::table::{Table, attributes};
use crate::write::Write;

/// Whose words complain about a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::partiql) enum Keyed {
    /// Statements on their own have their own.
    Alone,
    /// In transactions it is the write that complains.
    Together,
}

/// The write that a statement is.
pub(in crate::partiql) fn write(statement: Statement, table: Arc<Table>, keyed: Keyed) -> Result<Write> {
    let partition = Path::attribute(table.keys.partition[0].name.as_str());
    let named = statement.table().to_owned();
    match statement {
        Statement::Insert { item, .. } => {
            if keyed == Keyed::Alone {
                check_inserted(&table, &item)?;
            }
            Write::put(table, named, item, Some(Condition::AttributeNotExists(partition)))
        }
        Statement::Update { update, filter, .. } => {
            let item = one_item(&table, filter)?.checked(&table, keyed)?;
            Write::update(table, named, item.key, Some(update), Some(of_existing(partition, item.rest)))
        }
        Statement::Delete { filter, .. } => {
            let OneItem { key, rest, .. } = one_item(&table, filter)?.checked(&table, keyed)?;
            // What is not there counts as removed, whatever else was asked of it.
            let absent = Condition::AttributeNotExists(partition);
            let condition = (!rest.is_empty()).then(|| Condition::Or(vec![absent, Condition::And(rest)]));
            Write::delete(table, named, key, condition)
        }
        Statement::Exists(select) => {
            if select.index.is_some() {
                return Err(Error::ExistsOnIndex.into());
            }
            let item = one_item(&table, select.filter)?;
            if item.rest.is_empty() || item.key.len() < attributes(&table.keys).count() {
                return Err(Error::ExistsShape.into());
            }
            Write::check(table, named, item.key, Some(of_existing(partition, item.rest)))
        }
        Statement::Select(_) => Err(Fault::internal("a SELECT is no write")),
    }
}

/// A condition on an item that must be there.
fn of_existing(partition: Path, mut rest: Vec<Condition>) -> Condition {
    rest.insert(0, Condition::AttributeExists(partition));
    Condition::And(rest)
}

/// Refuses an item without the table's key.
fn check_inserted(table: &Table, item: &Item) -> Result<(), Error> {
    attributes(&table.keys).try_for_each(|attribute| {
        let value = item.get(&attribute.name).ok_or_else(|| Error::KeyAbsent(attribute.name.clone()))?;
        check_type(attribute, &Encoded::from(value))
    })
}

/// The one item that a WHERE names, and what else must hold of it.
struct OneItem {
    key: Item,
    rest: Vec<Condition>,
    /// A key attribute that was given two values.
    conflict: Option<String>,
}

impl OneItem {
    /// Refuses a WHERE that does not name exactly one item of the table.
    fn checked(self, table: &Table, keyed: Keyed) -> Result<Self> {
        if keyed == Keyed::Together {
            // What is missing of the key, or has the wrong type, the write itself refuses.
            return if self.conflict.is_some() { Err(Fault::invalid(key::Error::NoMatch)) } else { Ok(self) };
        }
        for attribute in attributes(&table.keys) {
            let value = self.key.get(&attribute.name).ok_or(Error::IncompleteKey)?;
            check_type(attribute, &Encoded::from(value))?;
        }
        match self.conflict {
            Some(name) => Err(Error::TwoKeys(name).into()),
            None => Ok(self),
        }
    }
}

/// Finds the key in a WHERE; what is missing of it is missing in the result.
fn one_item(table: &Table, filter: Option<Condition>) -> Result<OneItem, Error> {
    let mut rest = Vec::new();
    flatten(filter, &mut rest);
    let mut key = MapBuilder::new();
    let mut conflict = None;
    for attribute in attributes(&table.keys) {
        let into_key = |path: &&Path| path.attribute == attribute.name && !path.is_top_level();
        if rest.iter().flat_map(Condition::paths).any(|path| into_key(&path)) {
            return Err(Error::WrittenKeyPath(attribute.name.clone()));
        }
        let Some(place) = rest.iter().position(|condition| equality(condition, &attribute.name).is_some()) else {
            continue;
        };
        let found = rest.remove(place);
        let Some(value) = equality(&found, &attribute.name) else { continue };
        encode::view(key.begin(attribute.name.as_str().into()), value);
        rest.retain(|condition| equality(condition, &attribute.name) != Some(value));
        if rest.iter().any(|condition| equality(condition, &attribute.name).is_some()) {
            conflict.get_or_insert_with(|| attribute.name.clone());
        }
    }
    Ok(OneItem { key: key.finish_item(), rest, conflict })
}

fn flatten(condition: Option<Condition>, into: &mut Vec<Condition>) {
    match condition {
        Some(Condition::And(list)) => list.into_iter().for_each(|inner| flatten(Some(inner), into)),
        Some(other) => into.push(other),
        None => {}
    }
}

fn equality<'c>(condition: &'c Condition, attribute: &str) -> Option<ValueRef<'c>> {
    match condition {
        Condition::Compare { left: Operand::Path(path), op: Comparator::Equal, right: Operand::Value(value) }
            if path.is_top_level() && path.attribute == attribute =>
        {
            Some(value.view())
        }
        _ => None,
    }
}
