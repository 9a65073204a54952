//! Responses about tables.

use espalier_dynamo::operation::table::{
    AttributeDefinition, ContinuousBackupsDescription, EndpointsOutput, IndexDescription, KeySchemaElement,
    LimitsOutput, ListTablesOutput, ListTagsOutput, OptionalThroughput, Projection, SseSpecification,
    StreamSpecification, TableDescription, TableStatus, Tag, ThroughputDescription, TimeToLiveDescription,
    TimeToLiveSpecification,
};

use super::writer::{Object, string};

/// What a table's key of the key management service is called when its owner named none.
const DEFAULT_KEY: &str = "00000000-0000-0000-0000-000000000000";

/// A table, under the name that the operation gives it.
pub(super) fn description(name: &str, table: &TableDescription, out: &mut Vec<u8>) {
    let mut object = Object::begin(out);
    object.object(name, |object| table_members(object, table));
    object.end();
}

fn table_members(object: &mut Object<'_>, table: &TableDescription) {
    object.non_empty_list("AttributeDefinitions", &table.attribute_definitions, attribute_definition);
    object.text("TableName", &table.table_name);
    object.non_empty_list("KeySchema", &table.key_schema, key_schema_element);
    object.text("TableStatus", table.status.name());
    object.optional_moment("CreationDateTime", table.created_ms);
    object.object("ProvisionedThroughput", |object| throughput(object, &table.throughput));
    object.integer("TableSizeBytes", table.size_bytes);
    object.integer("ItemCount", table.item_count);
    object.text("TableArn", &table.arn);
    object.text("TableId", &table.id);
    if let Some(mode) = table.billing_mode {
        object.object("BillingModeSummary", |object| {
            object.text("BillingMode", mode.name());
            object.optional_moment("LastUpdateToPayPerRequestDateTime", table.on_demand_since_ms);
        });
    }
    object.non_empty_list("LocalSecondaryIndexes", &table.local_indexes, index);
    object.non_empty_list("GlobalSecondaryIndexes", &table.global_indexes, index);
    if let Some(stream) = &table.stream {
        stream_specification(object, stream);
    }
    object.optional_text("LatestStreamLabel", table.latest_stream_label.as_deref());
    object.optional_text("LatestStreamArn", table.latest_stream_arn.as_deref());
    if let Some(sse) = table.sse.as_ref().filter(|sse| sse.enabled == Some(true)) {
        sse_description(object, sse, &table.arn);
    }
    if let Some(class) = table.table_class {
        object.object("TableClassSummary", |object| {
            object.text("TableClass", class.name());
            object.optional_moment("LastUpdateDateTime", table.table_class_updated_ms);
        });
    }
    object.flag("DeletionProtectionEnabled", table.deletion_protection);
    on_demand(object, table.on_demand.as_ref());
    // A new table is warmed up while it is made.
    let warming = if table.status == TableStatus::Creating { TableStatus::Updating } else { table.status };
    warm(object, table.warm.as_ref(), warming.name());
}

fn attribute_definition(out: &mut Vec<u8>, definition: &AttributeDefinition) {
    let mut object = Object::begin(out);
    object.text("AttributeName", &definition.name);
    object.text("AttributeType", definition.kind.name());
    object.end();
}

/// One attribute of a key.
pub(super) fn key_schema_element(out: &mut Vec<u8>, element: &KeySchemaElement) {
    let mut object = Object::begin(out);
    object.text("AttributeName", &element.name);
    object.text("KeyType", element.key_type.name());
    object.end();
}

fn throughput(object: &mut Object<'_>, throughput: &ThroughputDescription) {
    object.optional_moment("LastIncreaseDateTime", throughput.last_increase_ms);
    object.optional_moment("LastDecreaseDateTime", throughput.last_decrease_ms);
    object.integer("NumberOfDecreasesToday", throughput.decreases_today);
    object.integer("ReadCapacityUnits", throughput.throughput.read);
    object.integer("WriteCapacityUnits", throughput.throughput.write);
}

fn index(out: &mut Vec<u8>, index: &IndexDescription) {
    let mut object = Object::begin(out);
    object.text("IndexName", &index.name);
    object.list("KeySchema", &index.key_schema, key_schema_element);
    object.object("Projection", |object| projection(object, &index.projection));
    object.optional_text("IndexStatus", index.status.map(|status| status.name()));
    if let Some(backfilling) = index.backfilling {
        object.flag("Backfilling", backfilling);
    }
    if let Some(units) = &index.throughput {
        object.object("ProvisionedThroughput", |object| throughput(object, units));
    }
    object.integer("IndexSizeBytes", index.size_bytes);
    object.integer("ItemCount", index.item_count);
    object.text("IndexArn", &index.arn);
    on_demand(&mut object, index.on_demand.as_ref());
    if let Some(status) = index.status {
        warm(&mut object, index.warm.as_ref(), status.name());
    }
    object.end();
}

fn projection(object: &mut Object<'_>, projection: &Projection) {
    object.optional_text("ProjectionType", projection.kind.map(|kind| kind.name()));
    if let Some(attributes) = &projection.non_key_attributes {
        object.list("NonKeyAttributes", attributes, |out, name: &String| string(out, name));
    }
}

fn stream_specification(object: &mut Object<'_>, stream: &StreamSpecification) {
    object.object("StreamSpecification", |object| {
        object.flag("StreamEnabled", stream.enabled);
        object.optional_text("StreamViewType", stream.view_type.map(|view| view.name()));
    });
}

/// The key's ARN lies in the region and account of the table's own.
fn sse_description(object: &mut Object<'_>, sse: &SseSpecification, table_arn: &str) {
    let key = sse.kms_key_id.as_deref().unwrap_or(DEFAULT_KEY);
    let owner = table_arn.strip_prefix("arn:aws:dynamodb:").and_then(|rest| rest.split_once(":table/"));
    let arn = match owner {
        Some((owner, _)) if !key.starts_with("arn:") => format!("arn:aws:kms:{owner}:key/{key}"),
        _ => key.to_owned(),
    };
    object.object("SSEDescription", |object| {
        object.text("Status", "ENABLED");
        object.text("SSEType", sse.kind.map_or("KMS", |kind| kind.name()));
        object.text("KMSMasterKeyArn", &arn);
    });
}

fn on_demand(object: &mut Object<'_>, units: Option<&OptionalThroughput>) {
    if let Some(units) = units {
        object.object("OnDemandThroughput", |object| {
            object.optional_integer("MaxReadRequestUnits", units.read);
            object.optional_integer("MaxWriteRequestUnits", units.write);
        });
    }
}

fn warm(object: &mut Object<'_>, units: Option<&OptionalThroughput>, status: &str) {
    if let Some(units) = units {
        object.object("WarmThroughput", |object| {
            object.optional_integer("ReadUnitsPerSecond", units.read);
            object.optional_integer("WriteUnitsPerSecond", units.write);
            object.text("Status", status);
        });
    }
}

/// ListTables.
pub(super) fn list(output: &ListTablesOutput, out: &mut Vec<u8>) {
    let mut object = Object::begin(out);
    object.list("TableNames", &output.table_names, |out, name: &String| string(out, name));
    object.optional_text("LastEvaluatedTableName", output.last_evaluated_table_name.as_deref());
    object.end();
}

/// DescribeLimits.
pub(super) fn limits(output: &LimitsOutput, out: &mut Vec<u8>) {
    let mut object = Object::begin(out);
    object.integer("AccountMaxReadCapacityUnits", output.account.read);
    object.integer("AccountMaxWriteCapacityUnits", output.account.write);
    object.integer("TableMaxReadCapacityUnits", output.table.read);
    object.integer("TableMaxWriteCapacityUnits", output.table.write);
    object.end();
}

/// DescribeEndpoints.
pub(super) fn endpoints(output: &EndpointsOutput, out: &mut Vec<u8>) {
    let mut object = Object::begin(out);
    object.list("Endpoints", [output], |out, endpoint: &EndpointsOutput| {
        let mut object = Object::begin(out);
        object.text("Address", &endpoint.address);
        object.integer("CachePeriodInMinutes", endpoint.cache_minutes);
        object.end();
    });
    object.end();
}

/// ListTagsOfResource.
pub(super) fn tags(output: &ListTagsOutput, out: &mut Vec<u8>) {
    let mut object = Object::begin(out);
    object.list("Tags", &output.tags, |out, tag: &Tag| {
        let mut object = Object::begin(out);
        object.text("Key", &tag.key);
        object.text("Value", &tag.value);
        object.end();
    });
    object.optional_text("NextToken", output.next_token.as_deref());
    object.end();
}

/// UpdateTimeToLive.
pub(super) fn time_to_live_update(output: &TimeToLiveSpecification, out: &mut Vec<u8>) {
    let mut object = Object::begin(out);
    object.object("TimeToLiveSpecification", |object| {
        object.flag("Enabled", output.enabled);
        object.text("AttributeName", &output.attribute);
    });
    object.end();
}

/// DescribeTimeToLive.
pub(super) fn time_to_live(output: &TimeToLiveDescription, out: &mut Vec<u8>) {
    let mut object = Object::begin(out);
    object.object("TimeToLiveDescription", |object| {
        object.text("TimeToLiveStatus", output.status.name());
        object.optional_text("AttributeName", output.attribute.as_deref());
    });
    object.end();
}

/// DescribeContinuousBackups. The general status is off, as it is on Amazon until a table is some seconds old.
pub(super) fn continuous_backups(output: &ContinuousBackupsDescription, out: &mut Vec<u8>) {
    let status = if output.point_in_time_recovery { "ENABLED" } else { "DISABLED" };
    let mut object = Object::begin(out);
    object.object("ContinuousBackupsDescription", |object| {
        object.text("ContinuousBackupsStatus", "DISABLED");
        object.object("PointInTimeRecoveryDescription", |object| object.text("PointInTimeRecoveryStatus", status));
    });
    object.end();
}
