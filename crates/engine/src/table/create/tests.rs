use espalier_dynamo::Error;
use espalier_dynamo::operation::table::{
    AttributeDefinition, GlobalIndex, KeyType, LocalIndex, OptionalThroughput, Projection, ProjectionType, ScalarType,
    SseSpecification, StreamSpecification, StreamViewType, Tag, Throughput,
};

use super::*;

/// A string attribute.
pub(crate) fn attribute(name: &str) -> AttributeDefinition {
    AttributeDefinition { name: name.to_owned(), kind: ScalarType::S }
}

fn attributes(names: &[&str]) -> Vec<AttributeDefinition> {
    names.iter().map(|name| attribute(name)).collect()
}

/// A key of names and roles.
pub(crate) fn keys(elements: &[(&str, &str)]) -> Vec<KeySchemaElement> {
    let element = |(name, role): &(&str, &str)| KeySchemaElement {
        name: (*name).to_owned(),
        key_type: KeyType::from_name(role).unwrap(),
    };
    elements.iter().map(element).collect()
}

/// A global index that holds everything.
pub(crate) fn index(name: &str, elements: &[(&str, &str)]) -> GlobalIndex {
    GlobalIndex {
        name: name.to_owned(),
        key_schema: keys(elements),
        projection: Projection { kind: Some(ProjectionType::All), non_key_attributes: None },
        throughput: None,
        on_demand: None,
        warm: None,
    }
}

fn local(name: &str, elements: &[(&str, &str)]) -> LocalIndex {
    let GlobalIndex { name, key_schema, projection, .. } = index(name, elements);
    LocalIndex { name, key_schema, projection }
}

/// On demand, with the key `a`.
pub(crate) fn hash_table() -> CreateTable {
    CreateTable {
        table_name: "Music".to_owned(),
        attribute_definitions: attributes(&["a"]),
        key_schema: keys(&[("a", "HASH")]),
        billing_mode: Some(BillingMode::PayPerRequest),
        ..CreateTable::default()
    }
}

/// With reserved capacity of 5 and 3, with the key `a`.
pub(crate) fn reserved_table() -> CreateTable {
    let throughput = Some(Throughput { read: 5, write: 3 });
    CreateTable { billing_mode: None, throughput, ..hash_table() }
}

fn range_table() -> CreateTable {
    CreateTable {
        attribute_definitions: attributes(&["a", "b"]),
        key_schema: keys(&[("a", "HASH"), ("b", "RANGE")]),
        ..hash_table()
    }
}

/// The time at which tests make tables.
pub(crate) const NOW_MS: i64 = 1_794_783_577_123;

/// Makes a definition.
pub(crate) fn create(request: &CreateTable) -> Result<Definition> {
    let context = Context { id: 7, table_uuid: "uuid".to_owned(), now_ms: NOW_MS, existing_tables: 0 };
    super::create(request, &context)
}

fn sentence(request: &CreateTable) -> String {
    match create(request) {
        Err(Error::Validation(cause)) => cause.to_string(),
        Err(error) => panic!("{error:?}"),
        Ok(_) => "it is created".to_owned(),
    }
}

const INVALID: &str = "One or more parameter values were invalid: ";

#[test]
fn the_key_is_checked() {
    const FIRST: &str = "Invalid KeySchema: The first KeySchemaElement is not a HASH key type";
    let no_definition = "Invalid KeySchema: Some index key attribute have no definition".to_owned();
    let same = "Both the Hash Key and the Range Key element in the KeySchema have the same name".to_owned();
    let count = format!(
        "{INVALID}Number of attributes in KeySchema does not exactly match number of attributes defined in AttributeDefinitions"
    );
    type Case<'c> = (&'c [&'c str], &'c [(&'c str, &'c str)], String);
    let cases: &[Case<'_>] = &[
        (&[], &[("a", "HASH")], no_definition.clone()),
        (&["a"], &[("a", "HASH"), ("a", "RANGE")], no_definition.clone()),
        (&["b"], &[("a", "HASH"), ("b", "RANGE")], no_definition),
        (&["a", "a"], &[("a", "HASH")], "Attribute Name is duplicated: a".to_owned()),
        (
            &["b"],
            &[("a", "HASH")],
            format!("{INVALID}Some index key attributes are not defined in AttributeDefinitions. Keys: [a], AttributeDefinitions: [b]"),
        ),
        (&["a", "b"], &[("a", "HASH"), ("a", "HASH")], same),
        (&["a", "b"], &[("a", "RANGE"), ("b", "HASH")], FIRST.to_owned()),
        (&["a"], &[("a", "RANGE")], FIRST.to_owned()),
        (
            &["a", "b"],
            &[("a", "HASH"), ("b", "HASH")],
            "Invalid KeySchema: The second KeySchemaElement is not a RANGE key type".to_owned(),
        ),
        (&["a", "c", "b"], &[("a", "HASH"), ("b", "RANGE")], count.clone()),
        (&["a", "b"], &[("a", "HASH")], count),
        (
            &["a", "b", "c"],
            &[("a", "HASH"), ("b", "RANGE"), ("c", "RANGE")],
            "1 validation error detected: Value '[KeySchemaElement(attributeName=a, keyType=HASH), KeySchemaElement(attributeName=b, keyType=RANGE), KeySchemaElement(attributeName=c, keyType=RANGE)]' at 'keySchema' failed to satisfy constraint: Member must have length less than or equal to 2".to_owned(),
        ),
        (
            &["a"],
            &[],
            "1 validation error detected: Value '[]' at 'keySchema' failed to satisfy constraint: Member must have length greater than or equal to 1".to_owned(),
        ),
    ];
    for (definitions, elements, expected) in cases {
        let request =
            CreateTable { attribute_definitions: attributes(definitions), key_schema: keys(elements), ..hash_table() };
        assert_eq!(sentence(&request), *expected);
    }
}

#[test]
fn capacity_is_checked_first() {
    let both = format!(
        "{INVALID}ReadCapacityUnits and WriteCapacityUnits must both be specified when BillingMode is PROVISIONED"
    );
    let without = CreateTable { throughput: None, attribute_definitions: vec![], ..reserved_table() };
    assert_eq!(sentence(&without), both);
    assert_eq!(sentence(&CreateTable { billing_mode: Some(BillingMode::Provisioned), ..without }), both);
    let on_demand = CreateTable { billing_mode: Some(BillingMode::PayPerRequest), ..reserved_table() };
    assert_eq!(
        sentence(&on_demand),
        format!(
            "{INVALID}Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is PAY_PER_REQUEST"
        )
    );
    for (read, write, member) in [(1_000_000_000_001, 1_000_000_000_001, "Read"), (1, 1_000_000_000_001, "Write")] {
        let request = CreateTable { throughput: Some(Throughput { read, write }), ..reserved_table() };
        assert_eq!(sentence(&request), format!("Given value 1000000000001 for {member}CapacityUnits is out of bounds"));
    }
}

#[test]
fn local_indexes_are_checked() {
    let of = |indexes: Vec<LocalIndex>| CreateTable { local_indexes: Some(indexes), ..range_table() };
    let undefined = "Some index key attributes are not defined in AttributeDefinitions.";
    let cases = [
        (of(vec![]), "List of LocalSecondaryIndexes is empty".to_owned()),
        (
            CreateTable { key_schema: keys(&[("a", "HASH")]), ..of(vec![local("abc", &[("c", "RANGE")])]) },
            "Table KeySchema does not have a range key, which is required when specifying a LocalSecondaryIndex".to_owned(),
        ),
        (
            of(vec![local("abc", &[("a", "HASH"), ("c", "RANGE")])]),
            format!("{undefined} Keys: [a, c], AttributeDefinitions: [a, b]"),
        ),
        (
            of(vec![local("abc", &[("b", "HASH")])]),
            "Index KeySchema does not have a range key for index: abc".to_owned(),
        ),
        (
            of(vec![local("abc", &[("b", "HASH"), ("a", "RANGE")])]),
            "Index KeySchema does not have the same leading hash key as table KeySchema for index: abc. index hash key: b, table hash key: a".to_owned(),
        ),
        (
            of(vec![local("abc", &[("a", "HASH"), ("b", "RANGE")]), local("abc", &[("a", "HASH"), ("b", "RANGE")])]),
            "Duplicate index name: abc".to_owned(),
        ),
        (
            of((0..6).map(|number| local(&format!("abc{number}"), &[("a", "HASH"), ("b", "RANGE")])).collect()),
            "Number of LocalSecondaryIndexes exceeds per-table limit of 5".to_owned(),
        ),
    ];
    for (request, expected) in cases {
        assert_eq!(sentence(&request), format!("{INVALID}{expected}"));
    }
    let bare = [
        (&[("a", "RANGE")][..], "Invalid KeySchema: The first KeySchemaElement is not a HASH key type"),
        (&[("a", "HASH"), ("b", "HASH")], "Invalid KeySchema: The second KeySchemaElement is not a RANGE key type"),
        (
            &[("a", "HASH"), ("a", "RANGE")],
            "Both the Hash Key and the Range Key element in the KeySchema have the same name",
        ),
    ];
    for (elements, expected) in bare {
        assert_eq!(sentence(&of(vec![local("abc", elements)])), expected);
    }
    let three = of(vec![local("abc", &[("a", "HASH"), ("b", "RANGE"), ("a", "RANGE")])]);
    assert!(sentence(&three).ends_with("Member must have length less than or equal to 2"));
}

fn with_global(definitions: &[&str], indexes: Vec<GlobalIndex>) -> CreateTable {
    CreateTable { attribute_definitions: attributes(definitions), global_indexes: Some(indexes), ..hash_table() }
}

#[test]
fn global_indexes_are_checked() {
    let include =
        |names: &[String]| Projection { kind: Some(ProjectionType::Include), non_key_attributes: Some(names.to_vec()) };
    let twenty: Vec<String> = (0..20).map(|number| format!("x{number}")).collect();
    let wide = |number: usize| GlobalIndex {
        projection: include(&twenty),
        ..index(&format!("g{number:02}"), &[("b", "HASH")])
    };
    let cases = [
        (with_global(&["a"], vec![]), "List of GlobalSecondaryIndexes is empty".to_owned()),
        (
            with_global(&["a", "b"], vec![index("abc", &[("c", "RANGE")])]),
            "Some index key attributes are not defined in AttributeDefinitions. Keys: [c], AttributeDefinitions: [a, b]".to_owned(),
        ),
        (
            with_global(&["a", "b", "c"], vec![GlobalIndex { projection: Projection::default(), ..index("abc", &[("b", "HASH")]) }]),
            "Some AttributeDefinitions are not used. AttributeDefinitions: [a, b, c], keys used: [a, b]".to_owned(),
        ),
        (
            with_global(&["a", "b"], vec![GlobalIndex { projection: Projection::default(), ..index("abc", &[("b", "HASH")]) }]),
            "Unknown ProjectionType: null".to_owned(),
        ),
        (
            with_global(&["a", "b"], vec![index("abc", &[("b", "HASH")]), index("abc", &[("a", "HASH")])]),
            "Duplicate index name: abc".to_owned(),
        ),
        (
            with_global(&["a", "b"], (0..21).map(|number| index(&format!("g{number:02}"), &[("b", "HASH")])).collect()),
            "GlobalSecondaryIndex count exceeds the per-table limit of 20".to_owned(),
        ),
        (
            with_global(&["a", "b"], (0..6).map(wide).collect()),
            "Number of NonKeyAttributes projected into all indexes exceeds the per-table limit of 100".to_owned(),
        ),
    ];
    for (request, expected) in cases {
        assert_eq!(sentence(&request), format!("{INVALID}{expected}"));
    }
    assert!(create(&with_global(&["a", "b"], (0..5).map(wide).collect())).is_ok());
    let shared = CreateTable {
        local_indexes: Some(vec![local("abc", &[("a", "HASH"), ("b", "RANGE")])]),
        global_indexes: Some(vec![index("abc", &[("b", "HASH")])]),
        ..range_table()
    };
    assert_eq!(sentence(&shared), format!("{INVALID}Duplicate index name: abc"));
    let short = with_global(&["a", "b"], vec![index("g", &[("b", "HASH")])]);
    assert!(sentence(&short).contains("'indexName'"));
}

#[test]
fn a_global_index_may_have_four_attributes_in_each_half() {
    let all = ["a", "b", "c", "d", "e", "f", "g", "h", "i"];
    let of = |elements: &[(&str, &str)]| {
        let used: Vec<&str> =
            all.into_iter().filter(|name| *name == "a" || elements.iter().any(|(used, _)| used == name)).collect();
        with_global(&used, vec![index("gsi", elements)])
    };
    let roles = |hashes: usize, ranges: usize| -> Vec<(&str, &str)> {
        all[1..]
            .iter()
            .enumerate()
            .take(hashes + ranges)
            .map(|(n, name)| (*name, if n < hashes { "HASH" } else { "RANGE" }))
            .collect()
    };
    for (hashes, ranges) in [(1, 0), (2, 0), (1, 3), (4, 4)] {
        let definition = create(&of(&roles(hashes, ranges))).unwrap();
        assert_eq!(definition.global_indexes[0].key_schema, keys(&roles(hashes, ranges)));
    }
    const FIRST: &str = "Invalid KeySchema: The first KeySchemaElement is not a HASH key type";
    let limit = |half| format!("{INVALID}The KeySchema exceeds the maximum allowed number of {half} key attributes");
    assert_eq!(sentence(&of(&roles(5, 0))), limit("HASH"));
    assert_eq!(sentence(&of(&roles(1, 5))), limit("RANGE"));
    assert_eq!(sentence(&of(&[("b", "RANGE"), ("c", "HASH")])), FIRST);
    assert_eq!(sentence(&of(&[("b", "RANGE"), ("c", "RANGE")])), FIRST);
    assert_eq!(
        sentence(&of(&[("b", "HASH"), ("c", "RANGE"), ("d", "HASH")])),
        format!("{INVALID}All HASH key attributes must precede RANGE key attributes in the KeySchema")
    );
    assert_eq!(
        sentence(&of(&[("b", "HASH"), ("b", "RANGE")])),
        "Both the Hash Key and the Range Key element in the KeySchema have the same name"
    );
    assert_eq!(
        sentence(&of(&[("b", "HASH"), ("c", "HASH"), ("b", "RANGE")])),
        "The KeySchema contains multiple key attributes with the same name"
    );
}

#[test]
fn the_capacity_of_indexes_fits_the_table() {
    let reserved = Some(Throughput { read: 1, write: 1 });
    let of = |table: CreateTable, index: GlobalIndex| CreateTable {
        attribute_definitions: attributes(&["a", "b"]),
        global_indexes: Some(vec![index]),
        ..table
    };
    let plain = index("gsi", &[("b", "HASH")]);
    let pair = |read, write| Some(OptionalThroughput { read, write });
    let with = GlobalIndex { throughput: reserved, ..plain.clone() };
    let cases = [
        (
            of(hash_table(), with.clone()),
            "ProvisionedThroughput should not be specified for index: gsi when BillingMode is PAY_PER_REQUEST",
        ),
        (of(reserved_table(), plain.clone()), "ProvisionedThroughput is not specified for index: gsi"),
        (
            of(reserved_table(), GlobalIndex { on_demand: pair(Some(5), None), ..with.clone() }),
            "MaxReadRequestUnits for OnDemandThroughput for index: gsi cannot be specified when table BillingMode is PROVISIONED.",
        ),
        (
            of(hash_table(), GlobalIndex { on_demand: pair(None, Some(0)), ..plain.clone() }),
            "Requested MaxWriteRequestUnits for OnDemandThroughput for index : gsi is outside of valid range",
        ),
        (
            of(hash_table(), GlobalIndex { warm: pair(Some(1), None), ..plain.clone() }),
            "Requested ReadUnitsPerSecond for WarmThroughput for index gsi is lower than initial throughput for OnDemand. See: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/on-demand-capacity-mode.html#on-demand-capacity-mode-initial",
        ),
    ];
    for (request, expected) in cases {
        assert_eq!(sentence(&request), format!("{INVALID}{expected}"));
    }
    let definition = create(&of(reserved_table(), with)).unwrap();
    assert_eq!(definition.global_indexes[0].throughput.throughput, Throughput { read: 1, write: 1 });
    assert_eq!(definition.global_indexes[0].warm, pair(Some(1), Some(1)));
}

#[test]
fn ceilings_and_warm_throughput_are_checked() {
    let pair = |read, write| Some(OptionalThroughput { read, write });
    let cases = [
        (
            CreateTable { on_demand: pair(Some(1), Some(1)), ..reserved_table() },
            "MaxReadRequestUnits for OnDemandThroughput cannot be specified when table BillingMode is PROVISIONED.",
        ),
        (
            CreateTable { on_demand: pair(Some(-1), None), ..hash_table() },
            "Requested MaxReadRequestUnits for OnDemandThroughput for table is outside of valid range",
        ),
        (
            CreateTable { warm: pair(None, Some(3999)), ..hash_table() },
            "Requested WriteUnitsPerSecond for WarmThroughput for table is lower than initial throughput for OnDemand. See: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/on-demand-capacity-mode.html#on-demand-capacity-mode-initial",
        ),
        (
            CreateTable { warm: pair(Some(4), None), ..reserved_table() },
            "Requested ReadUnitsPerSecond for WarmThroughput for table is lower than ReadCapacityUnits of ProvisionedThroughput",
        ),
    ];
    for (request, expected) in cases {
        assert_eq!(sentence(&request), format!("{INVALID}{expected}"));
    }
    let empty = CreateTable { on_demand: pair(None, None), warm: pair(Some(12_001), None), ..hash_table() };
    let definition = create(&empty).unwrap();
    assert_eq!((definition.on_demand, definition.warm), (None, pair(Some(12_001), Some(4_000))));
}

#[test]
fn other_wishes_are_checked() {
    let stream = Some(StreamSpecification { enabled: false, view_type: Some(StreamViewType::NewImage) });
    assert_eq!(
        sentence(&CreateTable { stream, ..hash_table() }),
        format!("{INVALID}Table is being created with a stream disabled, UpdateViewType should not be specified")
    );
    let sse = Some(SseSpecification { enabled: Some(false), kind: None, kms_key_id: Some("k".to_owned()) });
    assert!(sentence(&CreateTable { sse, ..hash_table() }).contains("KMSMasterKeyId can not be specified"));
    let tags = Some(vec![Tag { key: "aws:x".to_owned(), value: String::new() }]);
    assert!(sentence(&CreateTable { tags, ..hash_table() }).starts_with("Tag Key cannot be prefixed"));
    assert!(sentence(&CreateTable { table_name: "ab".to_owned(), ..hash_table() }).contains("'tableName'"));
    assert!(create(&CreateTable { tags: Some(vec![]), ..hash_table() }).is_ok());
    let full = Context { id: 1, table_uuid: String::new(), now_ms: 0, existing_tables: TABLES };
    assert!(matches!(super::create(&hash_table(), &full), Err(Error::LimitExceeded(_))));
}

#[test]
fn a_definition_holds_what_was_asked_for() {
    let request = CreateTable {
        attribute_definitions: attributes(&["b", "a"]),
        local_indexes: Some(vec![local("lsi", &[("a", "HASH"), ("b", "RANGE")])]),
        global_indexes: Some(vec![index("gsi", &[("b", "HASH")])]),
        stream: Some(StreamSpecification { enabled: true, view_type: Some(StreamViewType::KeysOnly) }),
        deletion_protection: Some(true),
        ..range_table()
    };
    let definition = create(&request).unwrap();
    assert_eq!((definition.id, definition.created_ms), (7, NOW_MS));
    assert_eq!(definition.attributes, attributes(&["a", "b"]));
    assert_eq!(definition.billing_mode, Some(BillingMode::PayPerRequest));
    assert_eq!(definition.on_demand_since_ms, Some(NOW_MS));
    assert_eq!((definition.local_indexes[0].id, definition.global_indexes[0].id, definition.next_index_id), (1, 2, 3));
    assert_eq!(definition.open_stream().unwrap().created_ms, NOW_MS);
    assert!(definition.deletion_protection);
    let reserved = create(&reserved_table()).unwrap();
    assert_eq!((reserved.billing_mode, reserved.on_demand_since_ms, reserved.next_index_id), (None, None, 1));
    assert_eq!(reserved.warm, Some(OptionalThroughput { read: Some(5), write: Some(3) }));
}
