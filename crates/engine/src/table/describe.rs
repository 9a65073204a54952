//! What is told about a table: by DescribeTable, and at once by the operations that make, change or delete it.
//!
//! Changes take effect at once here, but their answers speak as Amazon's do, of a table that is being created,
//! updated or deleted; a DescribeTable after that tells how it stands.

use std::collections::BTreeMap;

use espalier_dynamo::operation::table::{
    CreateTable, GlobalIndexUpdate, IndexDescription, IndexStatus, StreamSpecification, TableDescription, TableStatus,
    ThroughputDescription, UpdateTable,
};

use super::arn::{Label, Owner};
use super::definition::{Definition, IndexDefinition, IndexKind, IndexState};
use super::{encryption, throughput};

/// How much a table or an index holds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Size {
    /// Items.
    pub items: i64,
    /// Their bytes, as Amazon counts them.
    pub bytes: i64,
}

/// How much a table and its indexes hold.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Numbers {
    /// The table.
    pub table: Size,
    /// Its indexes, by their numbers; those that are absent hold nothing.
    pub indexes: BTreeMap<u32, Size>,
}

/// Tells how a table stands.
#[must_use]
pub fn describe(definition: &Definition, numbers: &Numbers, owner: Owner<'_>, now_ms: i64) -> TableDescription {
    let index = |index: &IndexDefinition| describe_index(definition, index, numbers, owner, now_ms);
    let is_changing = definition.global_indexes.iter().any(|index| index.state != IndexState::Active);
    let newest = definition.streams.last().map(|stream| stream.created_ms);
    TableDescription {
        table_name: definition.name.clone(),
        arn: owner.table(&definition.name),
        id: definition.table_id.clone(),
        status: if is_changing { TableStatus::Updating } else { TableStatus::Active },
        created_ms: Some(definition.created_ms),
        attribute_definitions: definition.attributes.clone(),
        key_schema: definition.key_schema.clone(),
        local_indexes: definition.local_indexes.iter().map(index).collect(),
        global_indexes: definition.global_indexes.iter().map(index).collect(),
        billing_mode: definition.billing_mode,
        on_demand_since_ms: definition.on_demand_since_ms,
        throughput: today(&definition.throughput, now_ms),
        stream: definition
            .open_stream()
            .map(|stream| StreamSpecification { enabled: true, view_type: Some(stream.view_type) }),
        latest_stream_label: newest.map(|created_ms| Label(created_ms).to_string()),
        latest_stream_arn: newest.map(|created_ms| owner.stream(&definition.name, created_ms)),
        sse: encryption::describe(definition.sse.as_ref(), owner.region, owner.account),
        table_class: definition.table_class,
        table_class_updated_ms: definition.table_class_updated_ms,
        deletion_protection: definition.deletion_protection,
        on_demand: definition.on_demand,
        warm: definition.warm,
        size_bytes: numbers.table.bytes,
        item_count: numbers.table.items,
    }
}

/// The answer of CreateTable. It leaves out what Amazon works out later: warm throughput that was not asked for, and
/// since when the table is on demand.
#[must_use]
pub fn created(definition: &Definition, request: &CreateTable, owner: Owner<'_>) -> TableDescription {
    let mut answer = describe(definition, &Numbers::default(), owner, definition.created_ms);
    answer.status = TableStatus::Creating;
    answer.on_demand_since_ms = None;
    answer.warm = answer.warm.filter(|_| throughput::given(request.warm).is_some());
    for index in &mut answer.global_indexes {
        index.status = Some(IndexStatus::Creating);
        index.warm = None;
    }
    answer
}

/// The answer of UpdateTable. Reserved capacity is still the old one in it, with the moment at which the change
/// began.
#[must_use]
pub fn updated(
    before: &Definition,
    after: &Definition,
    request: &UpdateTable,
    numbers: &Numbers,
    owner: Owner<'_>,
    now_ms: i64,
) -> TableDescription {
    let mut answer = describe(after, numbers, owner, now_ms);
    let updates = request.global_index_updates.as_deref().unwrap_or_default();
    let is_online = |update: &GlobalIndexUpdate| !matches!(update, GlobalIndexUpdate::Update { .. });
    let changes_table = request.throughput.is_some()
        || request.billing_mode.is_some()
        || request.stream.is_some()
        || request.table_class.is_some()
        || updates.iter().any(is_online);
    answer.status = if changes_table { TableStatus::Updating } else { TableStatus::Active };
    let switches = throughput::mode(before.billing_mode) != throughput::mode(after.billing_mode);
    if !switches && request.throughput.is_some() {
        answer.throughput = begun(&before.throughput, &after.throughput, now_ms);
    }
    for (index, after) in answer.global_indexes.iter_mut().zip(&after.global_indexes) {
        let old = before.global_indexes.iter().find(|old| old.id == after.id);
        let is_updated = updates
            .iter()
            .any(|update| matches!(update, GlobalIndexUpdate::Update { name, .. } if *name == after.name));
        match old {
            // Amazon first makes room for a new index, and fills it after that.
            None => index.backfilling = Some(false),
            Some(old) if is_updated || switches => {
                index.status = Some(IndexStatus::Updating);
                if !switches {
                    index.throughput = Some(begun(&old.throughput, &after.throughput, now_ms));
                }
            }
            Some(_) => {}
        }
    }
    answer
}

/// The answer of DeleteTable. Amazon leaves out when the table was made, the key, its types and the indexes.
#[must_use]
pub fn deleted(definition: &Definition, numbers: &Numbers, owner: Owner<'_>, now_ms: i64) -> TableDescription {
    TableDescription {
        status: TableStatus::Deleting,
        created_ms: None,
        attribute_definitions: Vec::new(),
        key_schema: Vec::new(),
        local_indexes: Vec::new(),
        global_indexes: Vec::new(),
        ..describe(definition, numbers, owner, now_ms)
    }
}

fn describe_index(
    definition: &Definition,
    index: &IndexDefinition,
    numbers: &Numbers,
    owner: Owner<'_>,
    now_ms: i64,
) -> IndexDescription {
    let size = numbers.indexes.get(&index.id).copied().unwrap_or_default();
    let is_global = index.kind == IndexKind::Global;
    let status = match index.state {
        IndexState::Active => IndexStatus::Active,
        IndexState::Filling => IndexStatus::Creating,
        IndexState::Deleting => IndexStatus::Deleting,
    };
    IndexDescription {
        name: index.name.clone(),
        arn: owner.index(&definition.name, &index.name),
        key_schema: index.key_schema.clone(),
        projection: index.projection.clone(),
        status: is_global.then_some(status),
        backfilling: (index.state == IndexState::Filling).then_some(true),
        throughput: is_global.then(|| today(&index.throughput, now_ms)),
        on_demand: index.on_demand,
        warm: index.warm,
        size_bytes: size.bytes,
        item_count: size.items,
    }
}

fn today(throughput: &ThroughputDescription, now_ms: i64) -> ThroughputDescription {
    ThroughputDescription { decreases_today: throughput::decreases_today(throughput, now_ms), ..*throughput }
}

/// The old capacity, with the moment at which its change began.
fn begun(before: &ThroughputDescription, after: &ThroughputDescription, now_ms: i64) -> ThroughputDescription {
    // It is done a millisecond after it began, whatever the clock says by now.
    let moment = |old: Option<i64>, new: Option<i64>| if old == new { old } else { new.map(|done_ms| done_ms - 1) };
    ThroughputDescription {
        last_increase_ms: moment(before.last_increase_ms, after.last_increase_ms),
        last_decrease_ms: moment(before.last_decrease_ms, after.last_decrease_ms),
        ..today(before, now_ms)
    }
}

#[cfg(test)]
mod tests;
