//! Operations on tables.

use espalier_dynamo::Operation;
use espalier_dynamo::operation::table::{self, BillingMode, TableClass};

use super::table_parts::{
    self as parts, AttributeDefinition, GlobalIndex, IndexUpdate, KeySchema, LocalIndex, OnDemandThroughput, Opaque,
    SseSpecification, StreamSpecification, Tag, Throughput, WarmThroughput,
};
use crate::constraint::{Constraint, Path, Violations};
use crate::fault::Fault;
use crate::fields::{
    ControlTableName, Flag, List, Named, Nested, NewTableName, NotOffered, Required, Text, Whole, members,
};
use crate::request::{Build, invalid};

/// A rule about the changes to indexes that one UpdateTable asks for.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum IndexUpdateFault {
    /// Nothing is to be done.
    #[error(
        "One or more parameter values were invalid: One of GlobalSecondaryIndexUpdate.Update, GlobalSecondaryIndexUpdate.Create, GlobalSecondaryIndexUpdate.Delete must not be null"
    )]
    NoAction,
    /// Several things are to be done at once.
    #[error(
        "One or more parameter values were invalid: Only one of GlobalSecondaryIndexUpdate.Update, GlobalSecondaryIndexUpdate.Create, GlobalSecondaryIndexUpdate.Delete must not be null"
    )]
    SeveralActions,
}

members! {
    CreateTable as "CreateTableInput" {
        "AttributeDefinitions" attribute_definitions: Required<List<Nested<AttributeDefinition>>>,
        "TableName" table_name: NewTableName,
        "BillingMode" billing_mode: Named<BillingMode>,
        "ProvisionedThroughput" throughput: Nested<Throughput>,
        "KeySchema" key_schema: KeySchema,
        "LocalSecondaryIndexes" local_indexes: List<Nested<LocalIndex>>,
        "GlobalSecondaryIndexes" global_indexes: List<Nested<GlobalIndex>>,
        "StreamSpecification" stream: Nested<StreamSpecification>,
        "SSESpecification" sse: Nested<SseSpecification>,
        "Tags" tags: List<Nested<Tag>>,
        "TableClass" table_class: Named<TableClass>,
        "DeletionProtectionEnabled" deletion_protection: Flag,
        "OnDemandThroughput" on_demand: Nested<OnDemandThroughput>,
        "WarmThroughput" warm: Nested<WarmThroughput>,
        "GlobalTableSourceArn" global_table_source: NotOffered,
        "ResourcePolicy" resource_policy: NotOffered,
        "VectorIndexes" vector_indexes: NotOffered,
    }
}

impl Build for CreateTable {
    fn build(self) -> Result<Operation, Fault> {
        Ok(Operation::CreateTable(table::CreateTable {
            table_name: self.table_name.text(),
            attribute_definitions: self.attribute_definitions.get().map_or_empty(parts::attribute_definition),
            key_schema: self.key_schema.get().map_or_empty(parts::key_schema_element),
            local_indexes: self.local_indexes.map(parts::local_index),
            global_indexes: self.global_indexes.map(|member| parts::global_index(member.0.unwrap_or_default())),
            billing_mode: self.billing_mode.get(),
            throughput: parts::throughput(self.throughput),
            stream: parts::stream(self.stream),
            sse: parts::sse(self.sse),
            tags: self.tags.map(parts::tag),
            table_class: self.table_class.get(),
            deletion_protection: self.deletion_protection.0,
            on_demand: parts::on_demand(self.on_demand),
            warm: parts::warm(self.warm),
        }))
    }
}

members! {
    UpdateTable as "UpdateTableInput" {
        "AttributeDefinitions" attribute_definitions: List<Nested<AttributeDefinition>>,
        "TableName" table_name: ControlTableName,
        "BillingMode" billing_mode: Named<BillingMode>,
        "ProvisionedThroughput" throughput: Nested<Throughput>,
        "GlobalSecondaryIndexUpdates" index_updates: List<Nested<IndexUpdate>>,
        "StreamSpecification" stream: Nested<StreamSpecification>,
        "SSESpecification" sse: Nested<SseSpecification>,
        "ReplicaUpdates" replica_updates: List<Nested<Opaque>, 1>,
        "TableClass" table_class: Named<TableClass>,
        "DeletionProtectionEnabled" deletion_protection: Flag,
        "OnDemandThroughput" on_demand: Nested<OnDemandThroughput>,
        "WarmThroughput" warm: Nested<WarmThroughput>,
        "GlobalTableWitnessUpdates" witness_updates: NotOffered,
        "MultiRegionConsistency" multi_region_consistency: NotOffered,
        "VectorIndexUpdates" vector_index_updates: NotOffered,
    }
}

impl Build for UpdateTable {
    fn review(&self, found: &mut Violations) {
        // The model lets all three be absent, DynamoDB does not.
        let root = Path::Member(&Path::Root, "GlobalSecondaryIndexUpdates");
        for (position, member) in self.index_updates.0.iter().flatten().enumerate() {
            if let Some(update) = member.0.as_ref().and_then(|member| member.update.0.as_ref())
                && update.throughput.0.is_none()
                && update.on_demand.0.is_none()
                && update.warm.0.is_none()
            {
                let element = Path::Element(&root, position + 1);
                let action = Path::Member(&element, "Update");
                found.add(&Path::Member(&action, "ProvisionedThroughput"), None, Constraint::NotNull);
            }
        }
    }

    fn build(self) -> Result<Operation, Fault> {
        let index_updates = self.index_updates.map(|member| index_update(member.0.unwrap_or_default()));
        Ok(Operation::UpdateTable(table::UpdateTable {
            table_name: self.table_name.text(),
            attribute_definitions: self.attribute_definitions.map(parts::attribute_definition),
            billing_mode: self.billing_mode.get(),
            throughput: parts::throughput(self.throughput),
            global_index_updates: index_updates.map(|updates| updates.into_iter().collect()).transpose()?,
            stream: parts::stream(self.stream),
            sse: parts::sse(self.sse),
            table_class: self.table_class.get(),
            deletion_protection: self.deletion_protection.0,
            on_demand: parts::on_demand(self.on_demand),
            warm: parts::warm(self.warm),
            replica_updates: self.replica_updates.0.is_some(),
        }))
    }
}

fn index_update(update: IndexUpdate) -> Result<table::GlobalIndexUpdate, Fault> {
    match (update.create.0, update.update.0, update.delete.0) {
        (Some(create), None, None) => Ok(table::GlobalIndexUpdate::Create(parts::created_index(create))),
        (None, Some(update), None) => Ok(table::GlobalIndexUpdate::Update {
            name: update.name.get().text(),
            throughput: parts::throughput(update.throughput),
            on_demand: parts::on_demand(update.on_demand),
            warm: parts::warm(update.warm),
        }),
        (None, None, Some(delete)) => Ok(table::GlobalIndexUpdate::Delete { name: delete.name.get().text() }),
        (None, None, None) => Err(invalid(IndexUpdateFault::NoAction)),
        _ => Err(invalid(IndexUpdateFault::SeveralActions)),
    }
}

members! {
    ListTables as "ListTablesInput" {
        "Limit" limit: Whole<1, 100>,
        "ExclusiveStartTableName" exclusive_start_table_name: Text<3, 255, true>,
    }
}

impl Build for ListTables {
    fn build(self) -> Result<Operation, Fault> {
        Ok(Operation::ListTables(table::ListTables {
            exclusive_start_table_name: self.exclusive_start_table_name.0,
            limit: self.limit.0,
        }))
    }
}

/// The operations that take a table's name and nothing else.
macro_rules! named_table {
    ($($name:ident as $class:literal,)+) => { $(
        members! {
            $name as $class {
                "TableName" table_name: ControlTableName,
            }
        }

        impl Build for $name {
            fn build(self) -> Result<Operation, Fault> {
                Ok(Operation::$name(table::$name { table_name: self.table_name.text() }))
            }
        }
    )+ };
}

named_table! {
    DescribeTable as "DescribeTableInput",
    DeleteTable as "DeleteTableInput",
    DescribeTimeToLive as "DescribeTimeToLiveInput",
    DescribeContinuousBackups as "DescribeContinuousBackupsInput",
}

members! {
    DescribeLimits as "DescribeLimitsInput" {}
}

impl Build for DescribeLimits {
    fn build(self) -> Result<Operation, Fault> {
        Ok(Operation::DescribeLimits(table::DescribeLimits))
    }
}

members! {
    DescribeEndpoints as "DescribeEndpointsRequest" {}
}

impl Build for DescribeEndpoints {
    fn build(self) -> Result<Operation, Fault> {
        Ok(Operation::DescribeEndpoints(table::DescribeEndpoints))
    }
}

members! {
    TimeToLiveSpecification as "TimeToLiveSpecification" {
        "Enabled" enabled: Required<Flag>,
        "AttributeName" attribute: Required<Text<1, 255>>,
    }
}

members! {
    UpdateTimeToLive as "UpdateTimeToLiveInput" {
        "TableName" table_name: ControlTableName,
        "TimeToLiveSpecification" specification: Required<Nested<TimeToLiveSpecification>>,
    }
}

impl Build for UpdateTimeToLive {
    fn build(self) -> Result<Operation, Fault> {
        let specification = self.specification.get().0.unwrap_or_default();
        Ok(Operation::UpdateTimeToLive(table::UpdateTimeToLive {
            table_name: self.table_name.text(),
            specification: table::TimeToLiveSpecification {
                enabled: specification.enabled.get().0.unwrap_or_default(),
                attribute: specification.attribute.get().text(),
            },
        }))
    }
}
