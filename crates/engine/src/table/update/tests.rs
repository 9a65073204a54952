use espalier_dynamo::Error;
use espalier_dynamo::operation::table::{
    CreateTable, Projection, ScalarType, SseSpecification, StreamSpecification, StreamViewType,
};

use super::*;
use crate::table::create::tests::{NOW_MS, attribute, create, hash_table, index, keys, reserved_table};

const INVALID: &str = "One or more parameter values were invalid: ";
const LATER_MS: i64 = NOW_MS + 1000;

fn wish() -> UpdateTable {
    UpdateTable { table_name: "Music".to_owned(), ..UpdateTable::default() }
}

fn units(read: i64, write: i64) -> Option<Throughput> {
    Some(Throughput { read, write })
}

fn pair(read: Option<i64>, write: Option<i64>) -> Option<OptionalThroughput> {
    Some(OptionalThroughput { read, write })
}

fn stream_on() -> Option<StreamSpecification> {
    Some(StreamSpecification { enabled: true, view_type: Some(StreamViewType::KeysOnly) })
}

fn updates(updates: Vec<GlobalIndexUpdate>) -> UpdateTable {
    UpdateTable { global_index_updates: Some(updates), attribute_definitions: Some(vec![attribute("b")]), ..wish() }
}

fn creation(name: &str) -> GlobalIndexUpdate {
    GlobalIndexUpdate::Create(index(name, &[("b", "HASH")]))
}

fn deletion(name: &str) -> GlobalIndexUpdate {
    GlobalIndexUpdate::Delete { name: name.to_owned() }
}

fn change(name: &str, throughput: Option<Throughput>) -> GlobalIndexUpdate {
    GlobalIndexUpdate::Update { name: name.to_owned(), throughput, on_demand: None, warm: None }
}

/// On demand, with the index `gsi` on `b`.
fn indexed() -> Definition {
    let mut request = hash_table();
    request.attribute_definitions.push(attribute("b"));
    request.global_indexes = Some(vec![index("gsi", &[("b", "HASH")])]);
    create(&request).unwrap()
}

/// With reserved capacity, and the index `gsi` of 2 and 2.
fn reserved_indexed() -> Definition {
    let mut request = reserved_table();
    request.attribute_definitions.push(attribute("b"));
    request.global_indexes = Some(vec![GlobalIndex { throughput: units(2, 2), ..index("gsi", &[("b", "HASH")]) }]);
    create(&request).unwrap()
}

fn invalid(definition: &Definition, request: &UpdateTable) -> String {
    match update(definition, request, LATER_MS) {
        Err(Error::Validation(cause)) => cause.to_string(),
        Err(error) => panic!("{error:?}"),
        Ok(_) => "it is updated".to_owned(),
    }
}

fn updated(definition: &Definition, request: &UpdateTable) -> Definition {
    update(definition, request, LATER_MS).unwrap()
}

#[test]
fn a_request_asks_for_something() {
    let nothing = UpdateError::Nothing.to_string();
    let table = create(&hash_table()).unwrap();
    for request in [
        wish(),
        UpdateTable { attribute_definitions: Some(vec![attribute("a")]), ..wish() },
        updates(vec![]),
        UpdateTable { on_demand: pair(None, None), ..wish() },
    ] {
        assert_eq!(invalid(&table, &request), nothing);
    }
    let empty = UpdateTable { deletion_protection: Some(true), ..updates(vec![]) };
    assert_eq!(invalid(&table, &empty), format!("{INVALID}List of GlobalSecondaryIndexUpdates is empty"));
    assert!(invalid(&table, &UpdateTable { replica_updates: true, ..wish() }).contains("ReplicaUpdates"));
}

#[test]
fn most_wishes_come_alone() {
    let protect = UpdateTable { deletion_protection: Some(true), ..wish() };
    let sse = Some(SseSpecification { enabled: Some(true), ..SseSpecification::default() });
    let class = Some(TableClass::StandardInfrequentAccess);
    let ppr = Some(BillingMode::PayPerRequest);
    let cases = [
        (
            UpdateTable { sse: sse.clone(), table_class: class, ..protect.clone() },
            "Server-Side Encryption modification must be the only operation in the request",
        ),
        (
            UpdateTable { table_class: class, ..protect.clone() },
            "TableClass modification must be the only operation in the request",
        ),
        (
            UpdateTable { warm: pair(Some(13_000), None), ..protect },
            "DeletionProtection modification must be the only operation in the request",
        ),
        (
            UpdateTable { warm: pair(Some(13_000), None), stream: stream_on(), ..wish() },
            "WarmThroughput must be the only operation in the request",
        ),
        (
            UpdateTable { warm: pair(Some(13_000), None), ..updates(vec![creation("new")]) },
            "Create global secondary index cannot be specified when updating WarmThroughput",
        ),
        (
            UpdateTable { on_demand: pair(Some(1), None), stream: stream_on(), ..wish() },
            "OnDemandThroughput can only be combined with BillingMode in an UpdateTable request",
        ),
        (
            UpdateTable { throughput: units(1, 1), stream: stream_on(), ..wish() },
            "You cannot modify stream status while updating table IOPS",
        ),
        (
            UpdateTable { throughput: units(1, 1), ..updates(vec![creation("new")]) },
            "You cannot create or delete index while updating table IOPS",
        ),
        (
            UpdateTable { stream: stream_on(), ..updates(vec![deletion("gsi")]) },
            "You cannot create or delete index while changing stream status",
        ),
    ];
    for (request, expected) in cases {
        assert_eq!(check(&request).unwrap_err().to_string(), format!("{INVALID}{expected}"));
    }
    let together = UpdateTable { billing_mode: ppr, stream: stream_on(), ..wish() };
    assert!(updated(&create(&reserved_table()).unwrap(), &together).open_stream().is_some());
    let together = UpdateTable { billing_mode: ppr, on_demand: pair(Some(9), None), ..wish() };
    assert_eq!(updated(&create(&reserved_table()).unwrap(), &together).on_demand, pair(Some(9), None));
}

#[test]
fn reserved_capacity_changes() {
    let table = create(&reserved_table()).unwrap();
    assert_eq!(
        invalid(&table, &UpdateTable { throughput: units(5, 3), ..wish() }),
        "The provisioned throughput for the table will not change. The requested value equals the current value. Current ReadCapacityUnits provisioned for the table: 5. Requested ReadCapacityUnits: 5. Current WriteCapacityUnits provisioned for the table: 3. Requested WriteCapacityUnits: 3. Refer to the Amazon DynamoDB Developer Guide for current limits and how to request higher limits."
    );
    let raised = updated(&table, &UpdateTable { throughput: units(9, 3), ..wish() });
    let expected = ThroughputDescription {
        throughput: Throughput { read: 9, write: 3 },
        last_increase_ms: Some(LATER_MS + 1),
        last_decrease_ms: None,
        decreases_today: 0,
    };
    assert_eq!((raised.throughput, raised.warm), (expected, pair(Some(9), Some(3))));
    let lowered = updated(&raised, &UpdateTable { throughput: units(1, 1), ..wish() });
    assert_eq!((lowered.throughput.decreases_today, lowered.throughput.last_decrease_ms), (1, Some(LATER_MS + 1)));
    assert_eq!(lowered.throughput.last_increase_ms, raised.throughput.last_increase_ms);
    assert_eq!(lowered.warm, pair(Some(9), Some(3)), "warm throughput stays");
    let tomorrow = LATER_MS + 24 * 60 * 60 * 1000;
    let again = update(&lowered, &UpdateTable { throughput: units(1, 2), ..wish() }, tomorrow).unwrap();
    assert_eq!(again.throughput.decreases_today, 0);
    let beyond = UpdateTable { throughput: units(1_000_000_000_001, 1), ..wish() };
    assert_eq!(invalid(&table, &beyond), "Given value 1000000000001 for ReadCapacityUnits is out of bounds");
}

#[test]
fn billing_switches() {
    let neither = format!(
        "{INVALID}Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is PAY_PER_REQUEST"
    );
    let (provisioned, on_demand) = (Some(BillingMode::Provisioned), Some(BillingMode::PayPerRequest));
    let table = indexed();
    assert_eq!(invalid(&table, &UpdateTable { throughput: units(1, 1), ..wish() }), neither);
    assert_eq!(invalid(&table, &UpdateTable { throughput: units(1, 1), billing_mode: on_demand, ..wish() }), neither);
    assert_eq!(
        invalid(&table, &UpdateTable { billing_mode: provisioned, ..wish() }),
        format!("{INVALID}ProvisionedThroughput must be specified when BillingMode is PROVISIONED")
    );
    let to_reserved = UpdateTable { billing_mode: provisioned, throughput: units(5, 5), ..wish() };
    assert_eq!(
        invalid(&table, &to_reserved),
        format!("{INVALID}ProvisionedThroughput must be specified for index: gsi")
    );
    assert_eq!(updated(&table, &UpdateTable { billing_mode: on_demand, ..wish() }), table, "it is on demand already");
    let request = UpdateTable {
        billing_mode: provisioned,
        throughput: units(5, 5),
        global_index_updates: Some(vec![change("gsi", units(6, 6))]),
        ..wish()
    };
    let reserved = updated(&table, &request);
    assert_eq!(reserved.billing_mode, provisioned);
    assert_eq!(reserved.on_demand_since_ms, table.on_demand_since_ms);
    assert_eq!(reserved.throughput.throughput, Throughput { read: 5, write: 5 });
    assert_eq!(reserved.throughput.last_increase_ms, None);
    assert_eq!(reserved.global_indexes[0].throughput.throughput, Throughput { read: 6, write: 6 });
    assert_eq!(reserved.warm, pair(Some(12_000), Some(4_000)));
    let back = updated(&reserved, &UpdateTable { billing_mode: on_demand, ..wish() });
    assert_eq!((back.billing_mode, back.on_demand_since_ms), (on_demand, Some(LATER_MS)));
    assert_eq!(back.throughput.throughput, Throughput::default());
    assert_eq!(back.global_indexes[0].throughput.throughput, Throughput::default());
    let warmed = updated(&create(&reserved_table()).unwrap(), &UpdateTable { billing_mode: on_demand, ..wish() });
    assert_eq!(warmed.warm, pair(Some(12_000), Some(4_000)));
}

#[test]
fn an_index_is_created() {
    let table = create(&hash_table()).unwrap();
    let with = updated(&table, &updates(vec![creation("new")]));
    let new = &with.global_indexes[0];
    assert_eq!((new.id, new.state, with.next_index_id), (1, IndexState::Filling, 2));
    assert_eq!(with.attributes, [attribute("a"), attribute("b")]);
    let spurious = UpdateTable {
        attribute_definitions: Some(vec![attribute("z"), attribute("b")]),
        ..updates(vec![creation("new")])
    };
    assert_eq!(updated(&table, &spurious).attributes, [attribute("a"), attribute("b")]);

    let table = indexed();
    assert_eq!(invalid(&table, &updates(vec![creation("gsi")])), "Attempting to create an index which already exists");
    let without = UpdateTable { attribute_definitions: None, ..updates(vec![creation("new")]) };
    assert_eq!(invalid(&table, &without), format!("{INVALID}AttributeDefinitions is not specified for index: new"));
    let other = UpdateTable { attribute_definitions: Some(vec![attribute("x")]), ..updates(vec![creation("new")]) };
    assert_eq!(
        invalid(&table, &other),
        format!(
            "{INVALID}Some index key attributes are not defined in AttributeDefinitions. Keys: [b], AttributeDefinitions: [x]"
        )
    );
    let number = AttributeDefinition { name: "b".to_owned(), kind: ScalarType::N };
    let redefined = UpdateTable { attribute_definitions: Some(vec![number]), ..updates(vec![creation("new")]) };
    assert_eq!(
        invalid(&table, &redefined),
        format!(
            "{INVALID}Attributes cannot be redefined. Please check that your attribute has the same type as previously defined. Existing schema: Schema:[SchemaElement: key{{b:S:HASH}}] New schema: Schema:[SchemaElement: key{{b:N:HASH}}]"
        )
    );
    let shapeless = GlobalIndexUpdate::Create(index("new", &[("b", "RANGE")]));
    assert!(invalid(&table, &updates(vec![shapeless])).starts_with("Invalid KeySchema: The first"));
    let unsaid = GlobalIndex { projection: Projection::default(), ..index("new", &[("b", "HASH")]) };
    assert!(
        invalid(&table, &updates(vec![GlobalIndexUpdate::Create(unsaid)])).contains("Unknown ProjectionType: null")
    );
}

#[test]
fn a_new_index_has_the_tables_kind_of_capacity() {
    let with = |throughput| GlobalIndexUpdate::Create(GlobalIndex { throughput, ..index("new", &[("b", "HASH")]) });
    assert_eq!(
        invalid(&indexed(), &updates(vec![with(units(1, 1))])),
        format!(
            "{INVALID}Neither ReadCapacityUnits nor WriteCapacityUnits can be specified for index: new when BillingMode is PAY_PER_REQUEST"
        )
    );
    assert_eq!(
        invalid(&reserved_indexed(), &updates(vec![with(None)])),
        format!("{INVALID}Both ReadCapacityUnits and WriteCapacityUnits must be specified for index: new")
    );
    let table = updated(&reserved_indexed(), &updates(vec![with(units(4, 4)), change("gsi", units(3, 3))]));
    assert_eq!(table.global_indexes[1].throughput.throughput, Throughput { read: 4, write: 4 });
    assert_eq!(table.global_indexes[0].throughput.throughput, Throughput { read: 3, write: 3 });
}

#[test]
fn one_index_changes_at_a_time() {
    let limit = |definition: &Definition, request: UpdateTable| match update(definition, &request, LATER_MS) {
        Err(Error::LimitExceeded(cause)) => cause.to_string(),
        other => panic!("{other:?}"),
    };
    let one = "Subscriber limit exceeded: Only 1 online index can be created or deleted simultaneously per table";
    let table = indexed();
    for pair in [
        vec![creation("one"), creation("two")],
        vec![deletion("one"), deletion("two")],
        vec![creation("one"), deletion("gsi")],
    ] {
        assert_eq!(limit(&table, updates(pair)), one);
    }
    let filling = updated(&table, &updates(vec![creation("new")]));
    assert_eq!(limit(&filling, updates(vec![creation("more")])), one);
    assert_eq!(limit(&filling, updates(vec![deletion("gsi")])), one);
    let given_up = updated(&filling, &updates(vec![deletion("new")]));
    assert_eq!(given_up.global_indexes[1].state, IndexState::Deleting);
    assert_eq!(limit(&given_up, updates(vec![creation("new")])), one);
    let twice = update(&given_up, &updates(vec![deletion("new")]), LATER_MS).unwrap_err();
    assert!(matches!(twice, Error::ResourceInUse(_)), "{twice:?}");
    assert_eq!(
        invalid(&table, &updates(vec![deletion("gsi"), creation("gsi")])),
        format!("{INVALID}Only one global secondary index update per index is allowed simultaneously. Index: gsi")
    );
    let many = CreateTable {
        attribute_definitions: vec![attribute("a"), attribute("b")],
        global_indexes: Some((0..20).map(|n| index(&format!("g{n:02}"), &[("b", "HASH")])).collect()),
        ..hash_table()
    };
    let full = create(&many).unwrap();
    assert_eq!(
        limit(&full, updates(vec![creation("new")])),
        "Subscriber limit exceeded: Number of global secondary indexes exceeds per-table limit of 20"
    );
}

#[test]
fn an_index_is_found_by_its_name() {
    let mut table = indexed();
    let not_found = |request: UpdateTable, table: &Definition| match update(table, &request, LATER_MS) {
        Err(Error::ResourceNotFound(cause)) => cause.to_string(),
        other => panic!("{other:?}"),
    };
    let sentence = "Requested resource not found: Index none for table Music";
    assert_eq!(not_found(updates(vec![deletion("none")]), &table), sentence);
    assert_eq!(not_found(updates(vec![change("none", units(1, 1))]), &table), sentence);
    assert_eq!(
        invalid(&table, &updates(vec![change("none", units(1_000_000_000_001, 1))])),
        "This operation cannot be performed with given input values. Please contact DynamoDB service team for more info: Action Blocked: IndexUpdate"
    );
    table.local_indexes.push(IndexDefinition { name: "lsi".to_owned(), ..table.global_indexes[0].clone() });
    assert_eq!(
        invalid(&table, &updates(vec![deletion("lsi")])),
        "Cannot delete an index that is not a GlobalSecondaryIndex: lsi"
    );
    assert_eq!(
        invalid(&table, &updates(vec![change("lsi", None)])),
        "Cannot update an index that is not a GlobalSecondaryIndex: lsi"
    );
    assert_eq!(invalid(&table, &updates(vec![creation("lsi")])), "Attempting to create an index which already exists");
}

#[test]
fn the_capacity_of_an_index_changes() {
    let only = format!(
        "{INVALID}The only Updates for index: gsi when TableThroughputMode is PAY_PER_REQUEST can be to OnDemandThroughput, WarmThroughput"
    );
    for throughput in [None, units(1, 1)] {
        assert_eq!(invalid(&indexed(), &updates(vec![change("gsi", throughput)])), only);
    }
    let table = reserved_indexed();
    assert!(invalid(&table, &updates(vec![change("gsi", units(2, 2))])).starts_with(
        "The provisioned throughput for the index gsi will not change. The requested value equals the current value."
    ));
    let changed = updated(&table, &updates(vec![change("gsi", units(3, 1))]));
    let throughput = changed.global_indexes[0].throughput;
    assert_eq!(throughput.throughput, Throughput { read: 3, write: 1 });
    assert_eq!((throughput.decreases_today, throughput.last_increase_ms), (1, Some(LATER_MS + 1)));
    let ceilings = |on_demand| {
        updates(vec![GlobalIndexUpdate::Update { name: "gsi".to_owned(), throughput: None, on_demand, warm: None }])
    };
    assert_eq!(updated(&indexed(), &ceilings(pair(Some(5), None))).global_indexes[0].on_demand, pair(Some(5), None));
    assert_eq!(
        invalid(&table, &ceilings(pair(None, Some(5)))),
        format!(
            "{INVALID}MaxWriteRequestUnits for OnDemandThroughput for index: gsi cannot be specified when the table BillingMode is PROVISIONED"
        )
    );
}

#[test]
fn ceilings_merge_and_warm_throughput_rises() {
    let table = create(&hash_table()).unwrap();
    let ceilings =
        |table: &Definition, read, write| updated(table, &UpdateTable { on_demand: pair(read, write), ..wish() });
    let table = ceilings(&table, Some(1000), Some(500));
    let table = ceilings(&table, Some(2000), None);
    assert_eq!(table.on_demand, pair(Some(2000), Some(500)));
    let table = ceilings(&table, Some(-1), None);
    assert_eq!(table.on_demand, pair(None, Some(500)));
    let table = ceilings(&table, None, Some(-1));
    assert_eq!(table.on_demand, None);
    for bad in [0, -2] {
        assert_eq!(
            invalid(&table, &UpdateTable { on_demand: pair(None, Some(bad)), ..wish() }),
            format!(
                "{INVALID}Requested MaxWriteRequestUnits for OnDemandThroughput for table is outside of valid range"
            )
        );
    }
    assert_eq!(
        invalid(&create(&reserved_table()).unwrap(), &UpdateTable { on_demand: pair(Some(1), None), ..wish() }),
        format!(
            "{INVALID}MaxReadRequestUnits for OnDemandThroughput cannot be specified when the table BillingMode is PROVISIONED"
        )
    );
    let warm = |read, write| UpdateTable { warm: pair(read, write), ..wish() };
    assert_eq!(updated(&table, &warm(Some(13_000), None)).warm, pair(Some(13_000), Some(4_000)));
    assert_eq!(
        invalid(&table, &warm(None, Some(3_999))),
        format!(
            "{INVALID}Requested WriteUnitsPerSecond for WarmThroughput for table is lower than current WarmThroughput, decreasing WarmThroughput is not supported"
        )
    );
}

#[test]
fn settings_change() {
    let table = create(&hash_table()).unwrap();
    let streaming = updated(&table, &UpdateTable { stream: stream_on(), ..wish() });
    assert_eq!(streaming.open_stream().unwrap().created_ms, LATER_MS);
    assert_eq!(
        invalid(&streaming, &UpdateTable { stream: stream_on(), ..wish() }),
        "Table already has an enabled stream: TableName: Music"
    );
    let off = UpdateTable { stream: Some(StreamSpecification { enabled: false, view_type: None }), ..wish() };
    assert!(updated(&streaming, &off).open_stream().is_none());
    assert_eq!(invalid(&table, &off), "Table has no stream to disable: TableName: Music");

    assert!(updated(&table, &UpdateTable { deletion_protection: Some(true), ..wish() }).deletion_protection);
    let class = |class| UpdateTable { table_class: Some(class), ..wish() };
    assert_eq!(updated(&table, &class(TableClass::Standard)), table);
    let rare = updated(&table, &class(TableClass::StandardInfrequentAccess));
    assert_eq!(rare.table_class, Some(TableClass::StandardInfrequentAccess));
    assert_eq!(rare.table_class_updated_ms, Some(LATER_MS));
    let disabled = SseSpecification { enabled: Some(false), ..SseSpecification::default() };
    assert_eq!(
        invalid(&table, &UpdateTable { sse: Some(disabled), ..wish() }),
        format!("{INVALID}Table is already encrypted by default")
    );
}

#[test]
fn a_removed_index_takes_its_types_along() {
    let mut table = updated(&indexed(), &updates(vec![deletion("gsi")]));
    let id = table.global_indexes[0].id;
    assert_eq!(table.attributes, [attribute("a"), attribute("b")]);
    assert!(index::removed(&mut table, id));
    assert_eq!(table.attributes, [attribute("a")]);
    let again = updated(&table, &updates(vec![creation("gsi")]));
    assert_eq!(again.global_indexes[0].id, id + 1, "numbers are never used again");
    assert_eq!(again.global_indexes[0].key_schema, keys(&[("b", "HASH")]));
}
