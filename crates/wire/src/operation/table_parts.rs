//! The structures that CreateTable and UpdateTable are made of.

use espalier_dynamo::operation::table::{self, KeyType, ProjectionType, ScalarType, SseType, StreamViewType};

use super::page::IndexName;
use crate::fields::{Flag, List, Named, Nested, Required, Text, Whole, members};

/// Capacity units: at least one.
type Units = Whole<1, { i64::MAX }, true>;
/// Units that have no bound here.
type AnyUnits = Whole<{ i64::MIN }, { i64::MAX }, true>;
/// The key of a table or of a local index.
pub(crate) type KeySchema = Required<List<Nested<KeySchemaElement>, 1, 2>>;
/// The key of a global index, which may have several attributes of each kind.
pub(crate) type GlobalKeySchema = Required<List<Nested<KeySchemaElement>, 1>>;

members! {
    AttributeDefinition as "AttributeDefinition" {
        "AttributeName" name: Required<Text<1, 255>>,
        "AttributeType" kind: Required<Named<ScalarType>>,
    }
}

/// Definitions as operations hold them.
pub(crate) fn attribute_definition(member: Nested<AttributeDefinition>) -> table::AttributeDefinition {
    let definition = member.0.unwrap_or_default();
    table::AttributeDefinition {
        name: definition.name.get().text(),
        kind: definition.kind.get().get().unwrap_or(ScalarType::S),
    }
}

members! {
    KeySchemaElement as "KeySchemaElement" {
        "AttributeName" name: Required<Text<1, 255>>,
        "KeyType" key_type: Required<Named<KeyType>>,
    }
}

/// Key attributes as operations hold them.
pub(crate) fn key_schema_element(member: Nested<KeySchemaElement>) -> table::KeySchemaElement {
    let element = member.0.unwrap_or_default();
    table::KeySchemaElement {
        name: element.name.get().text(),
        key_type: element.key_type.get().get().unwrap_or(KeyType::Hash),
    }
}

members! {
    Projection as "Projection" {
        "ProjectionType" kind: Named<ProjectionType>,
        "NonKeyAttributes" non_key_attributes: List<Text<1, 255>, 1>,
    }
}

fn projection(member: Nested<Projection>) -> table::Projection {
    let projection = member.0.unwrap_or_default();
    table::Projection { kind: projection.kind.get(), non_key_attributes: projection.non_key_attributes.map(Text::text) }
}

members! {
    Throughput as "ProvisionedThroughput" {
        "WriteCapacityUnits" write: Required<Units>,
        "ReadCapacityUnits" read: Required<Units>,
    }
}

/// Reserved capacity as operations hold it.
pub(crate) fn throughput(member: Nested<Throughput>) -> Option<table::Throughput> {
    let throughput = member.0?;
    Some(table::Throughput {
        read: throughput.read.get().0.unwrap_or_default(),
        write: throughput.write.get().0.unwrap_or_default(),
    })
}

members! {
    OnDemandThroughput as "OnDemandThroughput" {
        "MaxReadRequestUnits" read: AnyUnits,
        "MaxWriteRequestUnits" write: AnyUnits,
    }
}

/// Ceilings as operations hold them.
pub(crate) fn on_demand(member: Nested<OnDemandThroughput>) -> Option<table::OptionalThroughput> {
    member.0.map(|units| table::OptionalThroughput { read: units.read.0, write: units.write.0 })
}

members! {
    WarmThroughput as "WarmThroughput" {
        "ReadUnitsPerSecond" read: AnyUnits,
        "WriteUnitsPerSecond" write: AnyUnits,
    }
}

/// Warm throughput as operations hold it.
pub(crate) fn warm(member: Nested<WarmThroughput>) -> Option<table::OptionalThroughput> {
    member.0.map(|units| table::OptionalThroughput { read: units.read.0, write: units.write.0 })
}

members! {
    LocalIndex as "LocalSecondaryIndex" {
        "IndexName" name: Required<IndexName>,
        "KeySchema" key_schema: KeySchema,
        "Projection" projection: Required<Nested<Projection>>,
    }
}

/// Local indexes as operations hold them.
pub(crate) fn local_index(member: Nested<LocalIndex>) -> table::LocalIndex {
    let index = member.0.unwrap_or_default();
    table::LocalIndex {
        name: index.name.get().text(),
        key_schema: index.key_schema.get().map_or_empty(key_schema_element),
        projection: projection(index.projection.get()),
    }
}

/// Global indexes look the same in CreateTable and UpdateTable, but for the name of the structure.
macro_rules! global_index {
    ($name:ident as $class:literal by $convert:ident) => {
        members! {
            $name as $class {
                "IndexName" name: Required<IndexName>,
                "KeySchema" key_schema: GlobalKeySchema,
                "Projection" projection: Required<Nested<Projection>>,
                "ProvisionedThroughput" throughput: Nested<Throughput>,
                "OnDemandThroughput" on_demand: Nested<OnDemandThroughput>,
                "WarmThroughput" warm: Nested<WarmThroughput>,
            }
        }

        /// Global indexes as operations hold them.
        pub(crate) fn $convert(index: $name) -> table::GlobalIndex {
            table::GlobalIndex {
                name: index.name.get().text(),
                key_schema: index.key_schema.get().map_or_empty(key_schema_element),
                projection: projection(index.projection.get()),
                throughput: throughput(index.throughput),
                on_demand: on_demand(index.on_demand),
                warm: warm(index.warm),
            }
        }
    };
}

global_index!(GlobalIndex as "GlobalSecondaryIndex" by global_index);
global_index!(CreateIndex as "CreateGlobalSecondaryIndexAction" by created_index);

members! {
    UpdateIndex as "UpdateGlobalSecondaryIndexAction" {
        "IndexName" name: Required<IndexName>,
        "ProvisionedThroughput" throughput: Nested<Throughput>,
        "OnDemandThroughput" on_demand: Nested<OnDemandThroughput>,
        "WarmThroughput" warm: Nested<WarmThroughput>,
    }
}

members! {
    DeleteIndex as "DeleteGlobalSecondaryIndexAction" {
        "IndexName" name: Required<IndexName>,
    }
}

members! {
    IndexUpdate as "GlobalSecondaryIndexUpdate" {
        "Update" update: Nested<UpdateIndex>,
        "Create" create: Nested<CreateIndex>,
        "Delete" delete: Nested<DeleteIndex>,
    }
}

members! {
    StreamSpecification as "StreamSpecification" {
        "StreamEnabled" enabled: Required<Flag>,
        "StreamViewType" view_type: Named<StreamViewType>,
    }
}

/// A stream as operations hold it.
pub(crate) fn stream(member: Nested<StreamSpecification>) -> Option<table::StreamSpecification> {
    let stream = member.0?;
    let enabled = stream.enabled.get().0.unwrap_or_default();
    Some(table::StreamSpecification { enabled, view_type: stream.view_type.get() })
}

members! {
    SseSpecification as "SSESpecification" {
        "Enabled" enabled: Flag,
        "SSEType" kind: Named<SseType>,
        "KMSMasterKeyId" kms_key_id: Text,
    }
}

/// Encryption as operations hold it.
pub(crate) fn sse(member: Nested<SseSpecification>) -> Option<table::SseSpecification> {
    let sse = member.0?;
    Some(table::SseSpecification { enabled: sse.enabled.0, kind: sse.kind.get(), kms_key_id: sse.kms_key_id.0 })
}

members! {
    Tag as "Tag" {
        "Key" key: Required<Text<1, 128>>,
        "Value" value: Required<Text<0, 256>>,
    }
}

/// Labels as operations hold them.
pub(crate) fn tag(member: Nested<Tag>) -> table::Tag {
    let tag = member.0.unwrap_or_default();
    table::Tag { key: tag.key.get().text(), value: tag.value.get().text() }
}

members! {
    /// A structure of which only its presence matters.
    Opaque as "ReplicationGroupUpdate" {}
}
