//! UpdateTable: from a definition and a request to the next definition, by all the rules.
//!
//! One request makes one change: most pairs of wishes are refused, as Amazon does. What Amazon refuses only to
//! spare its own fleet is allowed: deletion protection may be switched twice within fifteen seconds, capacity may
//! be lowered more than four times a day, and the storage class changed more than twice a month.

use espalier_dynamo::Result;
use espalier_dynamo::operation::table::{
    AttributeDefinition, BillingMode, GlobalIndex, GlobalIndexUpdate, OptionalThroughput, TableClass, Throughput,
    ThroughputDescription, UpdateTable,
};

use super::definition::{Definition, IndexDefinition, IndexState};
use super::error::TableError;
use super::index::{self, GLOBAL_INDEXES};
use super::schema::Schema;
use super::throughput::{self, ON_DEMAND_WARM, Target, ThroughputError};
use super::{encryption, stream};

mod check;

pub use check::check;

/// What is wrong with an update.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum UpdateError {
    /// No wish at all. Amazon names members that only its own tools know.
    #[error(
        "At least one of ProvisionedThroughput, BillingMode, UpdateStreamEnabled, GlobalSecondaryIndexUpdates, SSESpecification, ReplicaUpdates, MultiAccountReplicaReady, ReplicaTransitRoleArn, MultiRegionConsistency, DeletionProtectionEnabled, OnDemandThroughput, WarmThroughput or TableClass is required"
    )]
    Nothing,
    /// A wish that allows no other beside it.
    #[error("One or more parameter values were invalid: {0} must be the only operation in the request")]
    Only(&'static str),
    /// A new index and warm throughput.
    #[error(
        "One or more parameter values were invalid: Create global secondary index cannot be specified when updating WarmThroughput"
    )]
    CreateWithWarm,
    /// Ceilings and something else.
    #[error(
        "One or more parameter values were invalid: OnDemandThroughput can only be combined with BillingMode in an UpdateTable request"
    )]
    CeilingsCombined,
    /// A stream and capacity.
    #[error("One or more parameter values were invalid: You cannot modify stream status while updating table IOPS")]
    StreamWithCapacity,
    /// An index and capacity.
    #[error("One or more parameter values were invalid: You cannot create or delete index while updating table IOPS")]
    IndexWithCapacity,
    /// An index and a stream.
    #[error(
        "One or more parameter values were invalid: You cannot create or delete index while changing stream status"
    )]
    IndexWithStream,
    /// Two changes of one index.
    #[error(
        "One or more parameter values were invalid: Only one global secondary index update per index is allowed simultaneously. Index: {0}"
    )]
    IndexTwice(String),
    /// A new index whose attributes have no types.
    #[error("One or more parameter values were invalid: AttributeDefinitions is not specified for index: {0}")]
    NoDefinitions(String),
    /// A new index that takes an attribute for another type than another key.
    #[error(
        "One or more parameter values were invalid: Attributes cannot be redefined. Please check that your attribute has the same type as previously defined. Existing schema: {existing} New schema: {new}"
    )]
    Redefined {
        /// The key that has the attribute.
        existing: Schema,
        /// The new index's key.
        new: Schema,
    },
    /// A new index of a name that is taken.
    #[error("Attempting to create an index which already exists")]
    IndexExists,
    /// A change of a local index.
    #[error("Cannot {action} an index that is not a GlobalSecondaryIndex: {index}")]
    NotGlobal {
        /// `update` or `delete`.
        action: &'static str,
        /// The index.
        index: String,
    },
    /// Replicas.
    #[error(
        "One or more parameter values were invalid: ReplicaUpdates is not offered: global tables are not supported"
    )]
    Replicas,
}

impl From<UpdateError> for espalier_dynamo::Error {
    fn from(cause: UpdateError) -> Self {
        Self::invalid(cause)
    }
}

/// The next definition. A new index is being filled in it, a removed one is being deleted.
pub fn update(definition: &Definition, request: &UpdateTable, now_ms: i64) -> Result<Definition> {
    check(request)?;
    let mut next = definition.clone();
    let before = throughput::mode(definition.billing_mode);
    let mode = request.billing_mode.unwrap_or(before);
    if mode == BillingMode::PayPerRequest && request.throughput.is_some() {
        return Err(ThroughputError::ReservedOnDemand.into());
    }
    check_one_index(definition, request)?;
    let switch = mode != before;
    if switch {
        switch_billing(&mut next, request, mode, now_ms)?;
    } else if let Some(reserved) = request.throughput {
        next.throughput = throughput::change(next.throughput, reserved, now_ms, &Target::Table)?;
        next.warm = Some(throughput::follow(next.warm, reserved));
    }
    for update in request.global_index_updates.iter().flatten() {
        match update {
            GlobalIndexUpdate::Create(index) => {
                create_index(&mut next, index, request.attribute_definitions.as_deref().unwrap_or_default(), mode)?;
            }
            GlobalIndexUpdate::Update { name, throughput, on_demand, warm } => {
                let change = IndexChange { reserved: *throughput, on_demand: *on_demand, warm: *warm, mode, switch };
                change.apply(&mut next, name, now_ms)?;
            }
            GlobalIndexUpdate::Delete { name } => find(&mut next, name, "delete")?.state = IndexState::Deleting,
        }
    }
    change_settings(&mut next, request, mode, now_ms)?;
    Ok(next)
}

/// One index is made or removed at a time.
fn check_one_index(definition: &Definition, request: &UpdateTable) -> Result<(), TableError> {
    let mut changes = request
        .global_index_updates
        .iter()
        .flatten()
        .filter(|update| !matches!(update, GlobalIndexUpdate::Update { .. }));
    let Some(change) = changes.next() else { return Ok(()) };
    let is_changing = |index: &IndexDefinition| match change {
        GlobalIndexUpdate::Delete { name } => index.state != IndexState::Active && index.name != *name,
        _ => index.state != IndexState::Active,
    };
    if changes.next().is_some() || definition.global_indexes.iter().any(is_changing) {
        return Err(TableError::OneIndexAtATime);
    }
    Ok(())
}

fn switch_billing(next: &mut Definition, request: &UpdateTable, mode: BillingMode, now_ms: i64) -> Result<()> {
    next.billing_mode = Some(mode);
    next.on_demand = None;
    let least = match mode {
        BillingMode::PayPerRequest => {
            next.on_demand_since_ms = Some(now_ms);
            next.throughput.throughput = Throughput::default();
            ON_DEMAND_WARM
        }
        BillingMode::Provisioned => {
            check_all_reserved(next, request)?;
            next.throughput.throughput = request.throughput.ok_or(ThroughputError::SwitchNotReserved)?;
            next.throughput.throughput
        }
    };
    next.warm = Some(throughput::follow(next.warm, least));
    for index in &mut next.global_indexes {
        index.on_demand = None;
        if mode == BillingMode::PayPerRequest {
            index.throughput.throughput = Throughput::default();
            index.warm = Some(throughput::follow(index.warm, ON_DEMAND_WARM));
        }
    }
    Ok(())
}

/// All indexes need reserved capacity when the table gets it.
fn check_all_reserved(definition: &Definition, request: &UpdateTable) -> Result<(), ThroughputError> {
    let is_given = |index: &IndexDefinition| {
        request.global_index_updates.iter().flatten().any(|update| match update {
            GlobalIndexUpdate::Update { name, throughput: Some(_), .. } => *name == index.name,
            GlobalIndexUpdate::Delete { name } => *name == index.name,
            _ => false,
        })
    };
    let needs = |index: &&IndexDefinition| index.state != IndexState::Deleting && !is_given(index);
    let missing: Vec<&str> = definition.global_indexes.iter().filter(needs).map(|index| index.name.as_str()).collect();
    if missing.is_empty() { Ok(()) } else { Err(ThroughputError::SwitchIndexNotReserved(missing.join(","))) }
}

fn create_index(
    next: &mut Definition,
    index: &GlobalIndex,
    definitions: &[AttributeDefinition],
    mode: BillingMode,
) -> Result<()> {
    let mut existing = next.local_indexes.iter().chain(&next.global_indexes);
    if existing.any(|existing| existing.name == index.name) {
        return Err(UpdateError::IndexExists.into());
    }
    if next.global_indexes.len() >= GLOBAL_INDEXES {
        return Err(TableError::TooManyIndexes(GLOBAL_INDEXES).into());
    }
    let reserved = match (mode, index.throughput) {
        (BillingMode::PayPerRequest, None) => Throughput::default(),
        (BillingMode::PayPerRequest, Some(_)) => {
            return Err(ThroughputError::NewIndexReservedOnDemand(index.name.clone()).into());
        }
        (BillingMode::Provisioned, None) => {
            return Err(ThroughputError::NewIndexNotReserved(index.name.clone()).into());
        }
        (BillingMode::Provisioned, Some(reserved)) => reserved,
    };
    throughput::check_bounds(reserved, &Target::Index(index.name.clone()))?;
    check_redefined(next, index, definitions)?;
    let defined = index::global(index, next.next_index_id, IndexState::Filling, mode, reserved)?;
    next.next_index_id += 1;
    next.global_indexes.push(defined);
    index::define(next, definitions);
    index::check_included(next.local_indexes.iter().chain(&next.global_indexes))?;
    Ok(())
}

/// An attribute has one type in all keys of a table.
fn check_redefined(
    definition: &Definition,
    index: &GlobalIndex,
    definitions: &[AttributeDefinition],
) -> Result<(), UpdateError> {
    let is_other = |known: &&AttributeDefinition| {
        let in_key = index.key_schema.iter().any(|element| element.name == known.name);
        in_key && definitions.iter().any(|new| new.name == known.name && new.kind != known.kind)
    };
    let Some(known) = definition.attributes.iter().find(is_other) else { return Ok(()) };
    let indexes = definition.local_indexes.iter().chain(&definition.global_indexes);
    let mut keys = std::iter::once(&definition.key_schema).chain(indexes.map(|index| &index.key_schema));
    let existing = keys.find(|key| key.iter().any(|element| element.name == known.name));
    Err(UpdateError::Redefined {
        existing: Schema::new(existing.map_or(&[], Vec::as_slice), &definition.attributes),
        new: Schema::new(&index.key_schema, definitions),
    })
}

/// A global index that may be changed.
fn find<'d>(definition: &'d mut Definition, name: &str, action: &'static str) -> Result<&'d mut IndexDefinition> {
    let Definition { name: table, local_indexes, global_indexes, .. } = definition;
    let Some(index) = global_indexes.iter_mut().find(|index| index.name == name) else {
        if local_indexes.iter().any(|index| index.name == name) {
            return Err(UpdateError::NotGlobal { action, index: name.to_owned() }.into());
        }
        return Err(TableError::IndexNotFound { index: name.to_owned(), table: table.clone() }.into());
    };
    if index.state == IndexState::Deleting {
        return Err(TableError::IndexBeingDeleted { table: table.clone(), index: name.to_owned() }.into());
    }
    Ok(index)
}

/// A change of an index's capacity.
struct IndexChange {
    reserved: Option<Throughput>,
    on_demand: Option<OptionalThroughput>,
    warm: Option<OptionalThroughput>,
    mode: BillingMode,
    switch: bool,
}

impl IndexChange {
    fn apply(&self, next: &mut Definition, name: &str, now_ms: i64) -> Result<()> {
        // Amazon checks these bounds before it looks for the index.
        if self.reserved.is_some_and(throughput::is_out_of_bounds) {
            return Err(ThroughputError::IndexUpdateBlocked.into());
        }
        let index = find(next, name, "update")?;
        let (on_demand, warm) = (throughput::given(self.on_demand), throughput::given(self.warm));
        let is_empty = self.reserved.is_none() && on_demand.is_none() && warm.is_none();
        if self.mode == BillingMode::PayPerRequest && (is_empty || self.reserved.is_some()) {
            return Err(ThroughputError::IndexUpdateOnDemand(name.to_owned()).into());
        }
        if is_empty {
            return Err(ThroughputError::NewIndexNotReserved(name.to_owned()).into());
        }
        let target = Target::Index(name.to_owned());
        if let Some(reserved) = self.reserved {
            index.throughput = if self.switch {
                ThroughputDescription { throughput: reserved, ..index.throughput }
            } else {
                throughput::change(index.throughput, reserved, now_ms, &target)?
            };
            index.warm = Some(throughput::follow(index.warm, reserved));
        }
        if let Some(ceilings) = on_demand {
            index.on_demand = throughput::merge_ceilings(self.mode, index.on_demand, ceilings, &target)?;
        }
        if let Some(warm) = warm {
            index.warm = Some(throughput::raise_warm(index.warm, warm, &target)?);
        }
        Ok(())
    }
}

fn change_settings(next: &mut Definition, request: &UpdateTable, mode: BillingMode, now_ms: i64) -> Result<()> {
    if let Some(wish) = &request.stream {
        stream::switch(&next.name, &mut next.streams, wish, now_ms)?;
    }
    if let Some(wish) = &request.sse {
        next.sse = encryption::change(next.sse.as_ref(), wish)?;
    }
    if let Some(class) = request.table_class
        && class != next.table_class.unwrap_or(TableClass::Standard)
    {
        next.table_class = Some(class);
        next.table_class_updated_ms = Some(now_ms);
    }
    if let Some(protection) = request.deletion_protection {
        next.deletion_protection = protection;
    }
    if let Some(ceilings) = throughput::given(request.on_demand) {
        next.on_demand = throughput::merge_ceilings(mode, next.on_demand, ceilings, &Target::Table)?;
    }
    if let Some(warm) = throughput::given(request.warm) {
        next.warm = Some(throughput::raise_warm(next.warm, warm, &Target::Table)?);
    }
    Ok(())
}

#[cfg(test)]
mod tests;
