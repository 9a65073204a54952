//! Statements meet their tables: reads become plans or points, writes become [`crate::write::Write`]s.

mod part;
mod write;

use std::cmp::Ordering;
use std::sync::Arc;

use espalier_dynamo::expression::{Condition, Projection};
use espalier_dynamo::item::{Encoded, Item, MapBuilder, compare, encode};
use espalier_dynamo::operation::option::ReturnConsumedCapacity;
use espalier_dynamo::{Error as Fault, Path, Result};
use espalier_store::Direction;

use super::error::{Error, bare};
use super::keys::{Branch, Keys, check_type};
use super::lower::{Column, Select};
use crate::engine::Inner;
use crate::key;
use crate::read::get::Point;
use crate::read::plan::{self, Plan, Target, check_projected, whole};
use crate::table::{Table, attributes};

use part::{Part, READS_MAX, Range, ordered, parts};
pub(super) use write::{Keyed, write};

/// A planned SELECT: pages to read one after the other.
pub(super) struct Reading {
    pub(super) target: Target,
    pub(super) plans: Vec<Plan>,
    /// Takes columns out of what the plans return, where a column is not a whole attribute.
    pub(super) columns: Option<Vec<Column>>,
}

impl Inner {
    /// Plans a SELECT.
    pub(super) fn plan_select(
        &self,
        select: Select,
        consistent: bool,
        capacity: Option<ReturnConsumedCapacity>,
    ) -> Result<Reading> {
        let target = self.select_target(&select)?;
        let keys = Keys::new(target.keys())?;
        if consistent && target.index().is_some_and(crate::table::Index::is_global) {
            return Err(Error::ConsistentGlobal.into());
        }
        if let Some(filter) = &select.filter {
            keys.check_paths(filter)?;
            keys.check_types(filter)?;
        }
        let (projection, columns) = projection(select.columns)?;
        let fetch = check_projected(&target, None, projection.as_ref())?;
        let parts = parts(&target, &keys, select.filter.as_ref())?;
        let (parts, forward) = ordered(parts, &keys, &select.order)?;
        let reads: Vec<(Range, Option<Condition>)> = match parts {
            Some(parts) => {
                check_filters(&target, &parts)?;
                parts.into_iter().map(|part| (part.range, part.filter)).collect()
            }
            None => vec![(whole(&target.prefix()), select.filter)],
        };
        let direction = if forward { Direction::Forward } else { Direction::Backward };
        let plan = |((from, to), filter): (Range, Option<Condition>)| Plan {
            table: target.table.clone(),
            named: select.table.clone(),
            index: target.index,
            from,
            to,
            direction,
            filter,
            projection: projection.clone(),
            fetch,
            count_only: false,
            limit: usize::MAX,
            consistent,
            capacity,
        };
        let plans = reads.into_iter().map(plan).collect();
        Ok(Reading { target, plans, columns })
    }

    fn select_target(&self, select: &Select) -> Result<Target> {
        self.target(&select.table, select.index.as_deref(), None).map_err(|fault| match &fault {
            Fault::Validation(cause) if matches!(cause.cause(), Some(plan::Error::NoIndex(_))) => Error::NoIndex.into(),
            _ => fault,
        })
    }

    /// Plans a SELECT of exactly one item; `operation` is for the message when it is not.
    pub(super) fn plan_point(
        &self,
        select: &Select,
        table: &Arc<Table>,
        operation: &'static str,
    ) -> Result<SelectPoint> {
        let not_one = || Fault::from(Error::NotOneItem(operation));
        let (projection, columns) = projection(select.columns.clone())?;
        let keys = Keys::new(&table.keys)?;
        let filter = select.filter.as_ref().ok_or_else(not_one)?;
        let branches = keys.spread(filter);
        if keys.pinned(filter) && branches.as_ref().is_none_or(|branches| branches.len() > READS_MAX) {
            return Err(Error::TooManyReads.into());
        }
        let mut branches = branches.unwrap_or_default();
        if branches.windows(2).any(|pair| same_item(&pair[0], &pair[1])) {
            return Err(Error::Overlap.into());
        }
        let branch = branches.pop().filter(|_| branches.is_empty()).ok_or_else(not_one)?;
        if !branch.filters.is_empty() {
            return Err(not_one());
        }
        let mut key = MapBuilder::new();
        encode::view(key.begin(keys.partition.name.as_str().into()), branch.partition().ok_or_else(not_one)?.view());
        if let Some(sort) = keys.sort {
            encode::view(key.begin(sort.name.as_str().into()), branch.only_sort().ok_or_else(not_one)?.view());
        }
        let key = key.finish_item();
        Ok(SelectPoint { table: table.clone(), named: select.table.clone(), key, projection, columns })
    }
}

fn same_item(one: &Branch, two: &Branch) -> bool {
    one.partition() == two.partition() && one.only_sort() == two.only_sort()
}

/// A SELECT of one item, whose key may still not fit the schema.
pub(super) struct SelectPoint {
    table: Arc<Table>,
    named: String,
    pub(super) key: Item,
    projection: Option<Projection>,
    pub(super) columns: Option<Vec<Column>>,
}

impl SelectPoint {
    /// The read, if the key fits.
    pub(super) fn point(self) -> Result<(Point, Option<Vec<Column>>)> {
        let primary = key::of_key(&self.table, &self.key)?;
        let point = Point { table: self.table, named: self.named, primary, projection: self.projection };
        Ok((point, self.columns))
    }

    /// Refuses a key of another type, in the words of statements on their own.
    pub(super) fn check_types(&self) -> Result<(), Error> {
        attributes(&self.table.keys).try_for_each(|attribute| match self.key.get(&attribute.name) {
            Some(value) => check_type(attribute, &Encoded::from(value)),
            None => Ok(()),
        })
    }
}

/// The projection that a plan applies, and the columns to take out of its result where that is not enough.
fn projection(columns: Option<Vec<Column>>) -> Result<(Option<Projection>, Option<Vec<Column>>)> {
    let Some(columns) = columns else { return Ok((None, None)) };
    let whole = Projection::from_paths(columns.iter().map(|column| column.path.clone()).collect()).map_err(bare)?;
    if columns.iter().all(|column| column.path.is_top_level()) {
        return Ok((Some(whole), None));
    }
    let paths = whole.attributes().map(Path::attribute).collect();
    Ok((Some(Projection::from_paths(paths).map_err(bare)?), Some(columns)))
}

/// The columns of an item, each under its own name.
pub(super) fn take_columns(columns: Option<&[Column]>, item: Item) -> Item {
    let Some(columns) = columns else { return item };
    let mut taken = MapBuilder::new();
    for column in columns {
        if let Some(value) = column.path.find(item.view()) {
            encode::view(taken.begin(column.name.as_str().into()), value);
        }
    }
    taken.finish_item()
}

/// Refuses filters on what a keyed index does not hold, if no branch can do without them.
fn check_filters(target: &Target, parts: &[Part]) -> Result<()> {
    let Some(index) = target.index().filter(|index| index.projected.is_some()) else { return Ok(()) };
    let mut parts: Vec<&Part> = parts.iter().collect();
    parts.sort_by(|a, b| compare(a.partition.view(), b.partition.view()).unwrap_or(Ordering::Equal));
    let mut last = Vec::new();
    for part in parts {
        let names = part.branch.filters.iter().flat_map(Condition::attributes).filter(|name| !index.holds(name));
        let mut missing: Vec<&str> = Vec::new();
        names.for_each(|name| {
            if !missing.contains(&name) {
                missing.push(name);
            }
        });
        if missing.is_empty() {
            return Ok(());
        }
        last = missing;
    }
    Err(Error::FilterNotProjected { index: index.name().to_owned(), names: last.join(", ") }.into())
}
