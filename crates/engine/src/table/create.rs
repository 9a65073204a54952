//! CreateTable: from a request to a definition, by all the rules, in Amazon's order.

use espalier_dynamo::Result;
use espalier_dynamo::operation::table::{BillingMode, CreateTable, KeySchemaElement, ThroughputDescription};

use super::definition::{Definition, IndexDefinition, IndexState};
use super::error::TableError;
use super::index::{self, GLOBAL_INDEXES, IndexError, LOCAL_INDEXES};
use super::schema::{self, KEY_ELEMENTS, Names, SchemaError};
use super::throughput::{self, Target};
use super::{encryption, name, stream, tag};

/// How many tables there may be.
pub const TABLES: usize = 2_500;

/// What a new table gets from its surroundings.
#[derive(Debug, Clone)]
pub struct Context {
    /// Its number.
    pub id: u32,
    /// Its id as AWS gives it, a UUID.
    pub table_uuid: String,
    /// The time.
    pub now_ms: i64,
    /// How many tables there are.
    pub existing_tables: usize,
}

/// Defines a table. Whether its name is free is asked after that, as Amazon does: see
/// [`TableError::AlreadyExists`].
pub fn create(request: &CreateTable, context: &Context) -> Result<Definition> {
    name::check(&request.table_name)?;
    let mode = throughput::mode(request.billing_mode);
    let reserved = throughput::check_table(mode, request.throughput)?;
    check_keys(request)?;
    let (local_indexes, global_indexes) = indexes(request, mode)?;
    let on_demand = throughput::check_ceilings(mode, request.on_demand, &Target::Table)?;
    let warm = throughput::check_warm(mode, reserved, request.warm, &Target::Table)?;
    let streams = stream::create(request.stream.as_ref(), context.now_ms)?;
    let sse = encryption::check(request.sse.as_ref())?;
    let tags = request.tags.clone().unwrap_or_default();
    tag::check(&tags)?;
    if context.existing_tables >= TABLES {
        return Err(TableError::TooManyTables(TABLES).into());
    }
    let mut attributes = request.attribute_definitions.clone();
    attributes.sort_unstable_by(|a, b| a.name.cmp(&b.name));
    let is_on_demand = mode == BillingMode::PayPerRequest;
    Ok(Definition {
        id: context.id,
        name: request.table_name.clone(),
        table_id: context.table_uuid.clone(),
        created_ms: context.now_ms,
        attributes,
        key_schema: request.key_schema.clone(),
        next_index_id: next_id(&local_indexes, &global_indexes),
        local_indexes,
        global_indexes,
        // Amazon does not tell how a table is paid for that never was on demand.
        billing_mode: is_on_demand.then_some(mode),
        on_demand_since_ms: is_on_demand.then_some(context.now_ms),
        throughput: ThroughputDescription { throughput: reserved, ..ThroughputDescription::default() },
        on_demand,
        warm: Some(warm),
        streams,
        time_to_live: None,
        time_to_live_filling: false,
        sse,
        table_class: request.table_class,
        table_class_updated_ms: None,
        deletion_protection: request.deletion_protection.unwrap_or(false),
        tags,
    })
}

fn check_keys(request: &CreateTable) -> Result<()> {
    let definitions = &request.attribute_definitions;
    schema::check_definitions(definitions)?;
    schema::check_table(&request.key_schema, definitions)?;
    let (local, global) = (&request.local_indexes, &request.global_indexes);
    if local.is_none() && global.is_none() {
        if definitions.len() > request.key_schema.len() {
            return Err(SchemaError::UnusedDefinition.into());
        }
        return Ok(());
    }
    if local.as_ref().is_some_and(Vec::is_empty) {
        return Err(IndexError::EmptyList("LocalSecondaryIndexes").into());
    }
    if global.as_ref().is_some_and(Vec::is_empty) {
        return Err(IndexError::EmptyList("GlobalSecondaryIndexes").into());
    }
    if local.is_some() && request.key_schema.len() < KEY_ELEMENTS {
        return Err(SchemaError::TableWithoutSort.into());
    }
    for keys in index_keys(request) {
        schema::check_defined(keys, definitions)?;
    }
    // Before all other rules about indexes, so that this one hides them.
    check_used(request)?;
    Ok(())
}

fn index_keys(request: &CreateTable) -> impl Iterator<Item = &[KeySchemaElement]> {
    let local = request.local_indexes.iter().flatten().map(|index| index.key_schema.as_slice());
    let global = request.global_indexes.iter().flatten().map(|index| index.key_schema.as_slice());
    local.chain(global)
}

fn check_used(request: &CreateTable) -> Result<(), SchemaError> {
    let all = || request.key_schema.iter().chain(index_keys(request).flatten());
    let definitions = &request.attribute_definitions;
    if definitions.iter().all(|definition| all().any(|element| element.name == definition.name)) {
        return Ok(());
    }
    Err(SchemaError::UnusedDefinitions { definitions: Names::of_definitions(definitions), keys: Names::of_keys(all()) })
}

fn indexes(request: &CreateTable, mode: BillingMode) -> Result<(Vec<IndexDefinition>, Vec<IndexDefinition>)> {
    let mut ids = 1..;
    let mut id = || ids.next().expect("there are few indexes");
    let mut local: Vec<IndexDefinition> = Vec::new();
    for index in request.local_indexes.iter().flatten() {
        name::check_index(&index.name)?;
        schema::check_local(&index.name, &index.key_schema, &request.key_schema)?;
        let defined = index::local(index, id())?;
        check_name(&index.name, &local)?;
        local.push(defined);
    }
    if local.len() > LOCAL_INDEXES {
        return Err(IndexError::TooManyLocal.into());
    }
    let mut global: Vec<IndexDefinition> = Vec::new();
    for index in request.global_indexes.iter().flatten() {
        name::check_index(&index.name)?;
        schema::check_global(&index.key_schema)?;
        index::check_projection(&index.projection)?;
        let reserved = index::check_reserved(index, mode)?;
        let defined = index::global(index, id(), IndexState::Active, mode, reserved)?;
        check_name(&index.name, local.iter().chain(&global))?;
        global.push(defined);
    }
    if global.len() > GLOBAL_INDEXES {
        return Err(IndexError::TooManyGlobal.into());
    }
    index::check_included(local.iter().chain(&global))?;
    Ok((local, global))
}

fn check_name<'i>(name: &str, earlier: impl IntoIterator<Item = &'i IndexDefinition>) -> Result<(), IndexError> {
    if earlier.into_iter().any(|index| index.name == name) {
        return Err(IndexError::DuplicateName(name.to_owned()));
    }
    Ok(())
}

fn next_id(local: &[IndexDefinition], global: &[IndexDefinition]) -> u32 {
    local.iter().chain(global).map(|index| index.id + 1).max().unwrap_or(1)
}

#[cfg(test)]
pub(crate) mod tests;
