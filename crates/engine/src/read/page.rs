//! The only loop over stored items: reads a page of a plan.

use std::ops::{Bound, ControlFlow};

use bytes::Bytes;
use espalier_dynamo::item::{Item, ItemRef};
use espalier_dynamo::operation::page::{PageOutput, Query, Scan};
use espalier_dynamo::{Error as Fault, Result};
use espalier_store::Snapshot;

use super::plan::Plan;
use crate::capacity::{Consumption, Split, read_units};
use crate::engine::Inner;
use crate::key;
use crate::layout::Key;
use crate::limits::PAGE_BYTES;
use crate::table::attributes;

impl Inner {
    /// Reads one partition of a table or index.
    pub fn query(&self, request: Query) -> Result<PageOutput> {
        page(&self.plan_query(request)?, &self.store.snapshot())
    }

    /// Reads a table or index.
    pub fn scan(&self, request: Scan) -> Result<PageOutput> {
        page(&self.plan_scan(request)?, &self.store.snapshot())
    }
}

/// What a page collects on its way: returned items lie one after the other in one buffer.
#[derive(Default)]
pub(crate) struct Collected {
    buffer: Vec<u8>,
    ends: Vec<usize>,
    count: usize,
    scanned: usize,
    pub(crate) bytes: usize,
    fetched: Vec<usize>,
    last: Option<Item>,
}

/// Reads up to a limit of items, or up to 1 MB, from where the plan starts.
pub fn page(plan: &Plan, snapshot: &Snapshot) -> Result<PageOutput> {
    Ok(finish(plan, collect(plan, snapshot)?))
}

/// Reads a page without making an answer of it yet.
pub(crate) fn collect(plan: &Plan, snapshot: &Snapshot) -> Result<Collected> {
    let mut collected = Collected::default();
    let mut failure = None;
    // Equal bounds select nothing, and the store wants them in order.
    if !is_empty(&plan.from, &plan.to) {
        snapshot
            .scan(as_slice(&plan.from), as_slice(&plan.to), plan.direction, &mut |_, value| match visit(
                plan,
                snapshot,
                &mut collected,
                ItemRef::new(value),
            ) {
                Ok(flow) => flow,
                Err(fault) => {
                    failure = Some(fault);
                    ControlFlow::Break(())
                }
            })
            .map_err(Fault::internal)?;
    }
    if let Some(fault) = failure {
        return Err(fault);
    }
    Ok(collected)
}

fn visit(plan: &Plan, snapshot: &Snapshot, collected: &mut Collected, entry: ItemRef<'_>) -> Result<ControlFlow<()>> {
    collected.scanned += 1;
    collected.bytes += entry.size();
    let whole = if plan.fetch { Some(fetch(plan, snapshot, collected, entry)?) } else { None };
    let item = whole.as_ref().map_or(entry, Item::view);
    if plan.filter.as_ref().is_none_or(|filter| filter.matches(item)) {
        collected.count += 1;
        if !plan.count_only {
            match &plan.projection {
                Some(projection) => collected.buffer.extend_from_slice(projection.apply(item).as_bytes()),
                None => collected.buffer.extend_from_slice(item.as_bytes()),
            }
            collected.ends.push(collected.buffer.len());
        }
    }
    if collected.scanned >= plan.limit || collected.bytes >= PAGE_BYTES {
        let own = plan.index().into_iter().flat_map(|index| attributes(&index.keys));
        collected.last = Some(key::select(entry, own.chain(attributes(&plan.table.keys))));
        return Ok(ControlFlow::Break(()));
    }
    Ok(ControlFlow::Continue(()))
}

/// The whole item behind an entry of a local index that does not hold everything that is wanted.
fn fetch(plan: &Plan, snapshot: &Snapshot, collected: &mut Collected, entry: ItemRef<'_>) -> Result<Item> {
    let primary = key::of_stored(&plan.table.keys, entry);
    let stored = snapshot.get(&Key::Item(plan.table.definition.id, &primary).encode()).map_err(Fault::internal)?;
    let item = stored.map(Item::from_encoded).ok_or_else(|| Fault::internal("an index entry without its item"))?;
    collected.fetched.push(item.size());
    Ok(item)
}

/// The answer that a page makes.
pub(crate) fn finish(plan: &Plan, collected: Collected) -> PageOutput {
    let units = read_units(collected.bytes, plan.consistent);
    let mut consumed = Consumption::default();
    match plan.index {
        Some(place) => consumed.add_index(place, units),
        None => consumed.table = units,
    }
    consumed.table += collected.fetched.iter().map(|size| read_units(*size, plan.consistent)).sum::<f64>();
    let buffer = Bytes::from(collected.buffer);
    let mut start = 0;
    let items = collected.ends.iter().map(|end| {
        let item = Item::from_encoded(buffer.slice(start..*end));
        start = *end;
        item
    });
    PageOutput {
        items: (!plan.count_only).then(|| items.collect()),
        count: collected.count,
        scanned_count: collected.scanned,
        last_evaluated_key: collected.last,
        consumed_capacity: consumed.report(&plan.table, &plan.named, plan.capacity, Split::Sum),
    }
}

fn as_slice(bound: &Bound<Vec<u8>>) -> Bound<&[u8]> {
    match bound {
        Bound::Included(key) => Bound::Included(key),
        Bound::Excluded(key) => Bound::Excluded(key),
        Bound::Unbounded => Bound::Unbounded,
    }
}

/// Whether no key lies between two bounds.
pub(crate) fn is_empty(from: &Bound<Vec<u8>>, to: &Bound<Vec<u8>>) -> bool {
    match (from, to) {
        (Bound::Included(start), Bound::Included(end)) => start > end,
        (Bound::Included(start) | Bound::Excluded(start), Bound::Included(end) | Bound::Excluded(end)) => start >= end,
        _ => false,
    }
}
