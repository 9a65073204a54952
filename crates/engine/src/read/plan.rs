//! What a Query or Scan reads: which entries, in which order, from where to where.

use std::ops::Bound;
use std::sync::Arc;

use espalier_dynamo::expression::{Condition, KeyAttribute, KeyRange, KeySchema, Projection, SortRange, request};
use espalier_dynamo::item::Item;
use espalier_dynamo::operation::option::{ReturnConsumedCapacity, Select};
use espalier_dynamo::operation::page::{Query, Scan};
use espalier_dynamo::{Error as Fault, Result};
use espalier_store::Direction;

use crate::engine::Inner;
use crate::key;
use crate::layout::{HASH, Key, Position, after_prefix};
use crate::table::{Index, IndexState, Table, attributes};

/// Why a Query or Scan is refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// No such index.
    #[error("The table does not have the specified index: {0}")]
    NoIndex(String),
    /// The index is being filled.
    #[error("Cannot read from backfilling global secondary index: {0}")]
    Filling(String),
    /// A global index cannot be read consistently.
    #[error("Consistent reads are not supported on global secondary indexes")]
    ConsistentGlobal,
    /// A filter names a key attribute.
    #[error("Filter Expression can only contain non-primary key attributes: Primary key attribute: {0}")]
    FiltersKey(String),
    /// A legacy filter names a key attribute.
    #[error("QueryFilter can only contain non-primary key attributes: Primary key attribute: {0}")]
    LegacyFiltersKey(String),
    /// All attributes of an index that does not hold them.
    #[error(
        "One or more parameter values were invalid: Select type ALL_ATTRIBUTES is not supported for global secondary index {0} because its projection type is not ALL"
    )]
    AllOfPartialIndex(String),
    /// Named attributes that a global index does not hold.
    #[error("One or more parameter values were invalid: Global secondary index {index} does not project [{names}]")]
    NotProjected {
        /// The index.
        index: String,
        /// The attributes.
        names: String,
    },
    /// What an index holds, without an index.
    #[error(
        "One or more parameter values were invalid: ALL_PROJECTED_ATTRIBUTES can be used only when Querying using an IndexName"
    )]
    ProjectedWithoutIndex,
    /// Named attributes, but no names.
    #[error(
        "One or more parameter values were invalid: Must specify the AttributesToGet or ProjectionExpression when choosing to get SPECIFIC_ATTRIBUTES"
    )]
    SpecificWithoutNames,
    /// Names, but not named attributes.
    #[error("Cannot specify the {0} when choosing to get {1}")]
    NamesWithoutSpecific(&'static str, Select),
    /// A start key that is not a key.
    #[error("The provided starting key is invalid")]
    StartKey,
    /// A start key that is not a key, with the reason.
    #[error("The provided starting key is invalid: {0}")]
    StartKeyBecause(key::Error),
    /// A start key in another partition.
    #[error("The provided starting key is outside query boundaries based on provided conditions")]
    StartKeyOutside,
    /// A start key beyond the condition on the sort key.
    #[error("The provided starting key does not match the range key predicate")]
    StartKeyPredicate,
    /// A start key in another partition, where the sort key has a condition; the sentence is Amazon's.
    #[error("The query can return at most one row and cannot be restarted")]
    StartKeyElsewhere,
    /// A start key in another segment.
    #[error(
        "The provided starting key is invalid: Invalid ExclusiveStartKey. Please use ExclusiveStartKey with correct Segment. TotalSegments: {total} Segment: {segment}"
    )]
    StartKeySegment {
        /// The segments.
        total: i64,
        /// The segment.
        segment: i64,
    },
    /// A segment without their number.
    #[error(
        "The TotalSegments parameter is required but was not present in the request when Segment parameter is present"
    )]
    NoTotalSegments,
    /// The number of segments without one.
    #[error(
        "The Segment parameter is required but was not present in the request when parameter TotalSegments is present"
    )]
    NoSegment,
    /// A segment that does not exist.
    #[error(
        "The Segment parameter is zero-based and must be less than parameter TotalSegments: Segment: {segment} is not less than TotalSegments: {total}"
    )]
    SegmentTooHigh {
        /// The segment.
        segment: i64,
        /// The segments.
        total: i64,
    },
}

/// A planned Query or Scan: they differ in nothing else.
#[derive(Debug)]
pub struct Plan {
    /// The table.
    pub table: Arc<Table>,
    /// The table as the request named it.
    pub named: String,
    /// The index to read, by its place in [`Table::indexes`].
    pub index: Option<usize>,
    /// The first stored key to read.
    pub from: Bound<Vec<u8>>,
    /// The last stored key to read.
    pub to: Bound<Vec<u8>>,
    /// Ascending or descending.
    pub direction: Direction,
    /// Which of the items read to return.
    pub filter: Option<Condition>,
    /// What to return of each item.
    pub projection: Option<Projection>,
    /// Whether the whole item must be fetched for an index entry (local indexes alone).
    pub fetch: bool,
    /// Whether only the number of items is wanted.
    pub count_only: bool,
    /// The most items to read.
    pub limit: usize,
    /// Whether the read must see every acknowledged write.
    pub consistent: bool,
    /// What to tell about capacity.
    pub capacity: Option<ReturnConsumedCapacity>,
}

impl Plan {
    /// The index to read.
    #[must_use]
    pub fn index(&self) -> Option<&Index> {
        self.index.map(|place| &self.table.indexes[place])
    }
}

/// What Query and Scan have in common, on its way to a plan.
pub(crate) struct Target {
    pub(crate) table: Arc<Table>,
    pub(crate) index: Option<usize>,
}

impl Target {
    pub(crate) fn index(&self) -> Option<&Index> {
        self.index.map(|place| &self.table.indexes[place])
    }

    pub(crate) fn keys(&self) -> &KeySchema {
        self.index().map_or(&self.table.keys, |index| &index.keys)
    }

    /// The stored prefix of everything there is to read.
    pub(crate) fn prefix(&self) -> Vec<u8> {
        let id = self.table.definition.id;
        match self.index() {
            Some(index) => Key::Index(id, index.definition.id).encode().to_vec(),
            None => Key::Items(id).encode().to_vec(),
        }
    }

    /// Whether a start key has as many attributes as the keys of index and table together.
    fn has_start_length(&self, start: &Item) -> bool {
        let keys = || attributes(self.keys()).chain(attributes(&self.table.keys)).map(|key| key.name.as_str());
        let mut expected: Vec<&str> = keys().collect();
        expected.sort_unstable();
        expected.dedup();
        start.len() == expected.len()
    }

    /// Checks those parts of a start key that belong to the key that is read.
    fn check_start(parts: &[KeyAttribute], start: &Item) -> Result<()> {
        if parts.iter().any(|part| start.get(&part.name).is_none()) {
            return Err(Fault::invalid(Error::StartKey));
        }
        parts.iter().try_for_each(|part| key::check_part(part, start)).map_err(Fault::invalid)
    }

    /// Checks what can be told of a start key before it is held against the table's own key.
    fn check_start_shape(&self, start: &Item) -> Result<()> {
        if self.index.is_some() {
            if !self.has_start_length(start) {
                return Err(Fault::invalid(Error::StartKey));
            }
            Self::check_start(&self.keys().partition, start)?;
            Self::check_start(&self.keys().sort, start)?;
        } else if !self.has_start_length(start) {
            return Err(Fault::invalid(Error::StartKeyBecause(key::Error::NoMatch)));
        }
        Ok(())
    }

    /// Where the item of a start key lies.
    pub(crate) fn start(&self, start: &Item) -> Result<Vec<u8>> {
        self.check_start_shape(start)?;
        let own = key::select(start.view(), attributes(&self.table.keys));
        let primary = key::of_key(&self.table, &own).map_err(|fault| match &fault {
            Fault::Validation(cause) => match cause.cause::<key::Error>() {
                Some(cause) => Fault::invalid(Error::StartKeyBecause(cause.clone())),
                None => fault,
            },
            _ => fault,
        })?;
        let mut stored = self.prefix();
        match self.index() {
            Some(index) => {
                let position = key::position(&index.keys, start.view());
                let position = position.ok_or_else(|| Fault::invalid(Error::StartKey))?;
                stored.extend_from_slice(position.as_bytes());
                stored.extend_from_slice(&key::tie(&self.table, index, &primary, start.view()));
            }
            None => stored.extend_from_slice(&primary),
        }
        Ok(stored)
    }
}

impl Inner {
    /// Plans a Query.
    pub fn plan_query(&self, request: Query) -> Result<Plan> {
        let bound = request::query(&request)?;
        let named = naming(request.projection_expression.is_some(), request.attributes_to_get.is_some());
        check_select_shape(request.select, named, request.index_name.is_some())?;
        let target = self.target(&request.table_name, request.index_name.as_deref(), request.consistent_read)?;
        let start = request.exclusive_start_key.as_ref();
        // A start key is held against the schema step by step, each before the condition on the same attribute.
        if let Some(start) = start {
            if !target.has_start_length(start) {
                return Err(Fault::invalid(Error::StartKey));
            }
            Target::check_start(&target.keys().partition, start)?;
        }
        let range = bound.key.resolve(target.keys())?;
        let forward = request.scan_index_forward.unwrap_or(true);
        let (mut from, mut to) = query_bounds(&target.prefix(), &range);
        if let Some(start) = start {
            Target::check_start(&target.keys().sort, start)?;
            let stored = target.start(start)?;
            if !inside(&stored, &from, &to) {
                return Err(Fault::invalid(outside(&target, start, &range)));
            }
            *(if forward { &mut from } else { &mut to }) = Bound::Excluded(stored);
        }
        check_paths(&target, bound.projection.as_ref(), None)?;
        if let Some(name) = bound
            .filter
            .as_ref()
            .and_then(|filter| filter.attributes().find(|name| attributes(target.keys()).any(|key| key.name == *name)))
        {
            let name = name.to_owned();
            return Err(Fault::invalid(if request.query_filter.is_some() {
                Error::LegacyFiltersKey(name)
            } else {
                Error::FiltersKey(name)
            }));
        }
        let fetch = check_projected(&target, request.select, bound.projection.as_ref())?;
        check_paths(&target, None, bound.filter.as_ref())?;
        Ok(Plan {
            table: target.table,
            named: request.table_name,
            index: target.index,
            from,
            to,
            direction: if forward { Direction::Forward } else { Direction::Backward },
            filter: bound.filter,
            projection: bound.projection,
            fetch,
            count_only: request.select == Some(Select::Count),
            limit: most_items(request.limit),
            consistent: request.consistent_read.unwrap_or(false),
            capacity: request.return_capacity,
        })
    }

    /// Plans a Scan.
    pub fn plan_scan(&self, request: Scan) -> Result<Plan> {
        request::scan_parameters(&request)?;
        let segment = segment(&request)?;
        let bound = request::scan(&request)?;
        let named = naming(request.projection_expression.is_some(), request.attributes_to_get.is_some());
        check_select_shape(request.select, named, request.index_name.is_some())?;
        let target = self.target(&request.table_name, request.index_name.as_deref(), request.consistent_read)?;
        let prefix = target.prefix();
        let (mut from, to) = match segment {
            Some((segment, total)) => segment_bounds(&prefix, segment, total),
            None => whole(&prefix),
        };
        request.exclusive_start_key.iter().try_for_each(|start| target.check_start_shape(start))?;
        let fetch = check_projected(&target, request.select, bound.projection.as_ref())?;
        if let Some(start) = &request.exclusive_start_key {
            let start = target.start(start)?;
            if let Some((segment, total)) = segment.filter(|_| !inside(&start, &from, &to)) {
                return Err(Fault::invalid(Error::StartKeySegment { total, segment }));
            }
            from = Bound::Excluded(start);
        }
        check_paths(&target, bound.projection.as_ref(), bound.filter.as_ref())?;
        Ok(Plan {
            table: target.table,
            named: request.table_name,
            index: target.index,
            from,
            to,
            direction: Direction::Forward,
            filter: bound.filter,
            projection: bound.projection,
            fetch,
            count_only: request.select == Some(Select::Count),
            limit: most_items(request.limit),
            consistent: request.consistent_read.unwrap_or(false),
            capacity: request.return_capacity,
        })
    }

    pub(crate) fn target(&self, table: &str, index: Option<&str>, consistent: Option<bool>) -> Result<Target> {
        let table = self.table(table)?;
        let Some(name) = index else { return Ok(Target { table, index: None }) };
        let place = table
            .indexes
            .iter()
            .position(|index| index.name() == name && index.definition.state != IndexState::Deleting);
        let Some(place) = place else { return Err(Fault::invalid(Error::NoIndex(name.to_owned()))) };
        let index = &table.indexes[place];
        if index.definition.state == IndexState::Filling {
            return Err(Fault::invalid(Error::Filling(name.to_owned())));
        }
        if index.is_global() && consistent == Some(true) {
            return Err(Fault::invalid(Error::ConsistentGlobal));
        }
        Ok(Target { table, index: Some(place) })
    }
}

/// The parameter by which a request names the attributes it wants.
fn naming(by_expression: bool, by_list: bool) -> Option<&'static str> {
    by_expression.then_some("ProjectionExpression").or(by_list.then_some("AttributesToGet"))
}

/// The most items a page reads.
fn most_items(limit: Option<i64>) -> usize {
    limit.map_or(usize::MAX, |limit| limit.max(1) as usize)
}

fn check_select_shape(select: Option<Select>, named: Option<&'static str>, indexed: bool) -> Result<()> {
    match (select, named) {
        (Some(Select::AllProjectedAttributes), _) if !indexed => Err(Fault::invalid(Error::ProjectedWithoutIndex)),
        (Some(Select::SpecificAttributes), None) => Err(Fault::invalid(Error::SpecificWithoutNames)),
        (Some(select), Some(named)) if select != Select::SpecificAttributes => {
            Err(Fault::invalid(Error::NamesWithoutSpecific(named, select)))
        }
        _ => Ok(()),
    }
}

/// Refuses what a global index does not hold; tells whether a local one needs the whole item.
pub(crate) fn check_projected(
    target: &Target,
    select: Option<Select>,
    projection: Option<&Projection>,
) -> Result<bool> {
    let Some(index) = target.index().filter(|index| index.projected.is_some()) else { return Ok(false) };
    let missing: Vec<&str> =
        projection.into_iter().flat_map(Projection::attributes).filter(|name| !index.holds(name)).collect();
    if !index.is_global() {
        return Ok(!missing.is_empty() || select == Some(Select::AllAttributes));
    }
    if select == Some(Select::AllAttributes) {
        return Err(Fault::invalid(Error::AllOfPartialIndex(index.name().to_owned())));
    }
    if !missing.is_empty() {
        let (index, names) = (index.name().to_owned(), missing.join(", "));
        return Err(Fault::invalid(Error::NotProjected { index, names }));
    }
    Ok(false)
}

pub(crate) fn whole(prefix: &[u8]) -> (Bound<Vec<u8>>, Bound<Vec<u8>>) {
    (Bound::Included(prefix.to_vec()), end_of(prefix))
}

/// The bound after all keys that start with a prefix.
fn end_of(prefix: &[u8]) -> Bound<Vec<u8>> {
    after_prefix(prefix).map_or(Bound::Unbounded, Bound::Excluded)
}

pub(crate) fn query_bounds(prefix: &[u8], range: &KeyRange) -> (Bound<Vec<u8>>, Bound<Vec<u8>>) {
    let mut position = Position::partition(range.partition.iter().map(|value| value.view()));
    range.sort_equals.iter().for_each(|value| position.push(value.view()));
    let join = |position: &Position| [prefix, position.as_bytes()].concat();
    let start = join(&position);
    let at = |value: &espalier_dynamo::item::Encoded| {
        let mut at = position.clone();
        at.push(value.view());
        join(&at)
    };
    let after = |key: Vec<u8>| after_prefix(&key).map_or(Bound::Unbounded, Bound::Included);
    match &range.sort {
        SortRange::All => whole(&start),
        SortRange::Less(value) => (Bound::Included(start), Bound::Excluded(at(value))),
        SortRange::LessOrEqual(value) => (Bound::Included(start), end_of(&at(value))),
        SortRange::Greater(value) => (after(at(value)), end_of(&start)),
        SortRange::GreaterOrEqual(value) => (Bound::Included(at(value)), end_of(&start)),
        SortRange::Between(low, high) => (Bound::Included(at(low)), end_of(&at(high))),
        SortRange::BeginsWith(value) => {
            position.push_start(value.view());
            whole(&join(&position))
        }
    }
}

fn segment(request: &Scan) -> Result<Option<(i64, i64)>> {
    match (request.segment, request.total_segments) {
        (None, None) => Ok(None),
        (Some(_), None) => Err(Fault::invalid(Error::NoTotalSegments)),
        (None, Some(_)) => Err(Fault::invalid(Error::NoSegment)),
        (Some(segment), Some(total)) if segment >= total => {
            Err(Fault::invalid(Error::SegmentTooHigh { segment, total }))
        }
        (Some(segment), Some(total)) => Ok(Some((segment, total))),
    }
}

/// Splits the space of partition hashes evenly.
fn segment_bounds(prefix: &[u8], segment: i64, total: i64) -> (Bound<Vec<u8>>, Bound<Vec<u8>>) {
    let edge = |segment: i64| {
        let edge = ((segment as u128) << (8 * HASH)).div_ceil(total.max(1) as u128);
        u64::try_from(edge).ok().map(|edge| [prefix, &edge.to_be_bytes()].concat())
    };
    let from = edge(segment).map_or(Bound::Unbounded, Bound::Included);
    (from, edge(segment + 1).map_or_else(|| end_of(prefix), Bound::Excluded))
}

/// Why a start key is not among what a Query reads.
fn outside(target: &Target, start: &Item, range: &KeyRange) -> Error {
    if range.sort == SortRange::All && range.sort_equals.is_empty() {
        return Error::StartKeyOutside;
    }
    // Held against the condition on the sort key as if the partition were right.
    let mut position = Position::partition(range.partition.iter().map(|value| value.view()));
    target.keys().sort.iter().filter_map(|key| start.get(&key.name)).for_each(|value| position.push(value));
    let prefix = target.prefix();
    let (from, to) = query_bounds(&prefix, range);
    if inside(&[prefix.as_slice(), position.as_bytes()].concat(), &from, &to) {
        Error::StartKeyElsewhere
    } else {
        Error::StartKeyPredicate
    }
}

/// Refuses paths into keys.
fn check_paths(target: &Target, projection: Option<&Projection>, filter: Option<&Condition>) -> Result<()> {
    key::check_nested(&target.table, projection.into_iter().flat_map(Projection::nested_attributes))?;
    key::check_nested(&target.table, filter.into_iter().flat_map(Condition::nested_attributes))
}

pub(crate) fn inside(key: &[u8], from: &Bound<Vec<u8>>, to: &Bound<Vec<u8>>) -> bool {
    let after_start = match from {
        Bound::Included(start) => key >= start.as_slice(),
        Bound::Excluded(start) => key > start.as_slice(),
        Bound::Unbounded => true,
    };
    after_start
        && match to {
            Bound::Included(end) => key <= end.as_slice(),
            Bound::Excluded(end) => key < end.as_slice(),
            Bound::Unbounded => true,
        }
}
