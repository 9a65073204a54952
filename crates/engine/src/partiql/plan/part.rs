//! The parts of a table or index that a WHERE selects by key, and the order in which they are read.

use std::cmp::Ordering;
use std::ops::Bound;

use espalier_dynamo::expression::Condition;
use espalier_dynamo::item::{Encoded, compare};
use espalier_dynamo::{Error as Fault, Result};

use crate::partiql::error::Error;
use crate::partiql::keys::{Branch, Keys};
use crate::read::page::is_empty;
use crate::read::plan::{Target, query_bounds};

/// The most queries that one SELECT may be.
pub(super) const READS_MAX: usize = 50;

/// A range of stored keys.
pub(super) type Range = (Bound<Vec<u8>>, Bound<Vec<u8>>);

/// One partition of a SELECT, on its way to plans.
pub(super) struct Part {
    pub(super) partition: Encoded,
    pub(super) range: Range,
    pub(super) filter: Option<Condition>,
    pub(super) branch: Branch,
}

/// The parts that a WHERE selects by key, or `None` if it does not say which partitions it means.
pub(super) fn parts(target: &Target, keys: &Keys<'_>, filter: Option<&Condition>) -> Result<Option<Vec<Part>>> {
    let Some(filter) = filter.filter(|filter| keys.pinned(filter)) else { return Ok(None) };
    let branches = keys.spread(filter).filter(|branches| branches.len() <= READS_MAX).ok_or(Error::TooManyReads)?;
    let prefix = target.prefix();
    let mut parts = Vec::with_capacity(branches.len());
    for branch in branches {
        // Two values for one partition key select nothing, and there is no range to say so with.
        let Some(partition) = branch.partition().cloned() else { return Ok(None) };
        let ranges = keys.ranges(&branch)?;
        let range = ranges.iter().map(|range| query_bounds(&prefix, range)).reduce(intersection);
        let range = range.ok_or_else(|| Fault::internal("a branch without a partition"))?;
        let filter = (!branch.filters.is_empty()).then(|| Condition::And(branch.filters.clone()));
        parts.push(Part { partition, range, filter, branch });
    }
    merge_overlaps(parts, keys, &prefix).map(Some)
}

/// Refuses branches that would read items twice. Where one of them denies something about the sort key, which
/// DynamoDB does not take for a condition on a key, they are read as one.
fn merge_overlaps(mut parts: Vec<Part>, keys: &Keys<'_>, prefix: &[u8]) -> Result<Vec<Part>> {
    let mut merged: Vec<Part> = Vec::with_capacity(parts.len());
    while !parts.is_empty() {
        let partition = parts[0].partition.clone();
        let (mut group, rest): (Vec<Part>, Vec<Part>) = parts.into_iter().partition(|part| part.partition == partition);
        parts = rest;
        group.sort_by(|a, b| start_order(&a.range.0, &b.range.0));
        if !overlap(&group) {
            merged.extend(group);
            continue;
        }
        let denies = |part: &Part| {
            let sort = keys.sort.map(|sort| sort.name.as_str());
            part.branch.filters.iter().flat_map(Condition::attributes).any(|name| Some(name) == sort)
        };
        if !group.iter().any(denies) {
            return Err(Error::Overlap.into());
        }
        let all = Branch { partition: vec![partition.clone()], ..Branch::default() };
        let range = keys.ranges(&all)?.first().map(|range| query_bounds(prefix, range));
        let range = range.ok_or_else(|| Fault::internal("a branch without a partition"))?;
        let filter = Some(Condition::Or(group.iter().map(|part| part.branch.conditions()).collect()));
        let branch = Branch { filters: filter.iter().cloned().collect(), ..all };
        merged.push(Part { partition, range, filter, branch });
    }
    Ok(merged)
}

/// Whether ranges that ascend by their starts share a key.
fn overlap(parts: &[Part]) -> bool {
    let mut reach: Option<&Bound<Vec<u8>>> = None;
    for (from, to) in parts.iter().map(|part| &part.range).filter(|(from, to)| !is_empty(from, to)) {
        let nearer = reach.map(|reach| if end_order(reach, to).is_lt() { reach } else { to });
        if nearer.is_some_and(|end| !is_empty(from, end)) {
            return true;
        }
        if reach.is_none_or(|reach| end_order(reach, to).is_lt()) {
            reach = Some(to);
        }
    }
    false
}

fn intersection(one: Range, two: Range) -> Range {
    let from = if start_order(&one.0, &two.0).is_lt() { two.0 } else { one.0 };
    let to = if end_order(&one.1, &two.1).is_lt() { one.1 } else { two.1 };
    (from, to)
}

fn start_order(one: &Bound<Vec<u8>>, two: &Bound<Vec<u8>>) -> Ordering {
    fn rank(bound: &Bound<Vec<u8>>) -> (&[u8], u8) {
        match bound {
            Bound::Unbounded => (&[], 0),
            Bound::Included(key) => (key, 1),
            Bound::Excluded(key) => (key, 2),
        }
    }
    rank(one).cmp(&rank(two))
}

fn end_order(one: &Bound<Vec<u8>>, two: &Bound<Vec<u8>>) -> Ordering {
    fn rank(bound: &Bound<Vec<u8>>) -> (bool, &[u8], u8) {
        match bound {
            Bound::Excluded(key) => (false, key, 0),
            Bound::Included(key) => (false, key, 1),
            Bound::Unbounded => (true, &[], 0),
        }
    }
    rank(one).cmp(&rank(two))
}

/// Puts the parts in order, and tells whether each is read forwards.
pub(super) fn ordered(
    parts: Option<Vec<Part>>,
    keys: &Keys<'_>,
    order: &[(String, bool)],
) -> Result<(Option<Vec<Part>>, bool)> {
    if order.is_empty() {
        return Ok((parts, true));
    }
    if let Some((name, _)) = order.iter().find(|(name, _)| !keys.holds(name)) {
        return Err(Error::OrderAttribute(name.clone()).into());
    }
    let Some(mut parts) = parts else { return Err(Error::OrderWithoutKey.into()) };
    let descending =
        |attribute: &str| order.iter().find(|(name, _)| name == attribute).map(|(_, descending)| *descending);
    let by_partition = descending(&keys.partition.name);
    let several = parts.iter().any(|part| part.partition != parts[0].partition);
    if several && by_partition.is_none() {
        return Err(Error::OrderWithoutPartition.into());
    }
    // Observed: ordered by the partition key alone, each partition comes backwards.
    let forward = !keys.sort.and_then(|sort| descending(&sort.name)).unwrap_or(true);
    parts.sort_by(|a, b| {
        let partitions = compare(a.partition.view(), b.partition.view()).unwrap_or(Ordering::Equal);
        let partitions = if by_partition == Some(true) { partitions.reverse() } else { partitions };
        let starts = start_order(&a.range.0, &b.range.0);
        partitions.then(if forward { starts } else { starts.reverse() })
    });
    Ok((Some(parts), forward))
}
