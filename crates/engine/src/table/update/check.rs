//! What an UpdateTable request must be by itself, whatever the table.

use espalier_dynamo::Result;
use espalier_dynamo::operation::table::{
    AttributeDefinition, BillingMode, GlobalIndex, GlobalIndexUpdate, UpdateTable,
};

use super::UpdateError;
use crate::table::index::{self, IndexError};
use crate::table::throughput::{self, Target, ThroughputError};
use crate::table::{encryption, name, schema, stream};

/// Checks a request by itself: Amazon does so before it looks for the table.
pub fn check(request: &UpdateTable) -> Result<()> {
    if request.replica_updates {
        return Err(UpdateError::Replicas.into());
    }
    let wishes = Wishes::of(request);
    if wishes.count == 0 {
        return Err(UpdateError::Nothing.into());
    }
    if request.global_index_updates.as_ref().is_some_and(Vec::is_empty) {
        return Err(IndexError::EmptyList("GlobalSecondaryIndexUpdates").into());
    }
    match (request.billing_mode, request.throughput) {
        (Some(BillingMode::Provisioned), None) => return Err(ThroughputError::SwitchNotReserved.into()),
        (Some(BillingMode::PayPerRequest), Some(_)) => return Err(ThroughputError::ReservedOnDemand.into()),
        (_, Some(reserved)) => throughput::check_bounds(reserved, &Target::Table)?,
        (_, None) => {}
    }
    wishes.check(request)?;
    if let Some(wish) = &request.stream {
        stream::check(wish)?;
    }
    encryption::check(request.sse.as_ref())?;
    check_indexes(request)
}

/// What a request asks for.
struct Wishes {
    count: usize,
    index: bool,
    new_index: bool,
    ceilings: bool,
    warm: bool,
}

impl Wishes {
    fn of(request: &UpdateTable) -> Self {
        let updates = request.global_index_updates.as_deref().unwrap_or_default();
        let ceilings = throughput::given(request.on_demand).is_some();
        let warm = throughput::given(request.warm).is_some();
        let all = [
            request.throughput.is_some(),
            request.billing_mode.is_some(),
            !updates.is_empty(),
            request.stream.is_some(),
            request.sse.is_some(),
            request.table_class.is_some(),
            request.deletion_protection.is_some(),
            ceilings,
            warm,
        ];
        Self {
            count: all.into_iter().filter(|wish| *wish).count(),
            index: updates.iter().any(|update| !matches!(update, GlobalIndexUpdate::Update { .. })),
            new_index: updates.iter().any(|update| matches!(update, GlobalIndexUpdate::Create(_))),
            ceilings,
            warm,
        }
    }

    /// Refuses wishes that do not go together.
    fn check(&self, request: &UpdateTable) -> Result<(), UpdateError> {
        if self.count > 1 {
            if request.sse.is_some() {
                return Err(UpdateError::Only("Server-Side Encryption modification"));
            }
            if request.table_class.is_some() {
                return Err(UpdateError::Only("TableClass modification"));
            }
            if request.deletion_protection.is_some() {
                return Err(UpdateError::Only("DeletionProtection modification"));
            }
            if self.warm && self.new_index {
                return Err(UpdateError::CreateWithWarm);
            }
            if self.warm && !self.ceilings {
                return Err(UpdateError::Only("WarmThroughput"));
            }
            if self.ceilings && (self.count > 2 || request.billing_mode.is_none()) {
                return Err(UpdateError::CeilingsCombined);
            }
        }
        let capacity = request.throughput.is_some();
        match (&request.stream, self.index) {
            (Some(_), _) if capacity => Err(UpdateError::StreamWithCapacity),
            (_, true) if capacity => Err(UpdateError::IndexWithCapacity),
            (Some(_), true) => Err(UpdateError::IndexWithStream),
            _ => Ok(()),
        }
    }
}

fn index_name(update: &GlobalIndexUpdate) -> &str {
    match update {
        GlobalIndexUpdate::Create(index) => &index.name,
        GlobalIndexUpdate::Update { name, .. } | GlobalIndexUpdate::Delete { name } => name,
    }
}

fn check_indexes(request: &UpdateTable) -> Result<()> {
    let updates = request.global_index_updates.as_deref().unwrap_or_default();
    for (position, update) in updates.iter().enumerate() {
        let name = index_name(update);
        if updates[..position].iter().any(|earlier| index_name(earlier) == name) {
            return Err(UpdateError::IndexTwice(name.to_owned()).into());
        }
    }
    for update in updates {
        if let GlobalIndexUpdate::Create(index) = update {
            let definitions = request.attribute_definitions.as_deref();
            check_new_index(index, definitions)?;
        }
    }
    Ok(())
}

fn check_new_index(index: &GlobalIndex, definitions: Option<&[AttributeDefinition]>) -> Result<()> {
    name::check_index(&index.name)?;
    // Even types that the table knows have to be said again.
    let definitions = definitions.ok_or_else(|| UpdateError::NoDefinitions(index.name.clone()))?;
    schema::check_definitions(definitions)?;
    schema::check_defined(&index.key_schema, definitions)?;
    schema::check_global(&index.key_schema)?;
    index::check_projection(&index.projection)?;
    Ok(())
}
