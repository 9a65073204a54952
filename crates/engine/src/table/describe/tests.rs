use espalier_dynamo::operation::table::{
    BillingMode, GlobalIndex, LocalIndex, OptionalThroughput, SseSpecification, StreamViewType, Throughput,
};

use super::*;
use crate::table::create::tests::{NOW_MS, attribute, create, hash_table, index, keys, reserved_table};
use crate::table::update::update;

const OURS: Owner<'_> = Owner { region: "eu-west-1", account: "000000000000" };
const LATER_MS: i64 = NOW_MS + 1000;

fn indexed() -> CreateTable {
    let GlobalIndex { key_schema, projection, .. } = index("lsi", &[("a", "HASH"), ("b", "RANGE")]);
    CreateTable {
        attribute_definitions: vec![attribute("a"), attribute("b")],
        key_schema: keys(&[("a", "HASH"), ("b", "RANGE")]),
        local_indexes: Some(vec![LocalIndex { name: "lsi".to_owned(), key_schema, projection }]),
        global_indexes: Some(vec![index("gsi", &[("b", "HASH")])]),
        ..hash_table()
    }
}

fn pair(read: i64, write: i64) -> Option<OptionalThroughput> {
    Some(OptionalThroughput { read: Some(read), write: Some(write) })
}

#[test]
fn a_table_on_demand_is_described() {
    let definition = create(&indexed()).unwrap();
    let indexes = [(2, Size { items: 4, bytes: 40 })].into();
    let numbers = Numbers { table: Size { items: 5, bytes: 50 }, indexes };
    let told = describe(&definition, &numbers, OURS, LATER_MS);
    assert_eq!(told.arn, "arn:aws:dynamodb:eu-west-1:000000000000:table/Music");
    assert_eq!((told.status, told.created_ms), (TableStatus::Active, Some(NOW_MS)));
    assert_eq!((told.billing_mode, told.on_demand_since_ms), (Some(BillingMode::PayPerRequest), Some(NOW_MS)));
    assert_eq!(told.throughput, ThroughputDescription::default());
    assert_eq!((told.warm, told.on_demand), (pair(12_000, 4_000), None));
    assert_eq!((told.item_count, told.size_bytes), (5, 50));
    assert_eq!((told.stream, told.latest_stream_arn, told.sse, told.table_class), (None, None, None, None));
    let global = &told.global_indexes[0];
    assert_eq!(global.arn, "arn:aws:dynamodb:eu-west-1:000000000000:table/Music/index/gsi");
    assert_eq!((global.status, global.backfilling), (Some(IndexStatus::Active), None));
    assert_eq!((global.item_count, global.size_bytes), (4, 40));
    assert_eq!((global.throughput, global.warm), (Some(ThroughputDescription::default()), pair(12_000, 4_000)));
    let local = &told.local_indexes[0];
    assert_eq!((local.status, local.throughput, local.warm, local.item_count), (None, None, None, 0));
}

#[test]
fn a_table_of_reserved_capacity_says_nothing_of_billing() {
    let told = describe(&create(&reserved_table()).unwrap(), &Numbers::default(), OURS, LATER_MS);
    assert_eq!((told.billing_mode, told.on_demand_since_ms), (None, None));
    assert_eq!(told.throughput.throughput, Throughput { read: 5, write: 3 });
    assert_eq!(told.warm, pair(5, 3));
}

#[test]
fn streams_and_encryption_are_described() {
    let request = CreateTable {
        stream: Some(StreamSpecification { enabled: true, view_type: Some(StreamViewType::OldImage) }),
        sse: Some(SseSpecification { enabled: Some(true), ..SseSpecification::default() }),
        ..hash_table()
    };
    let definition = create(&request).unwrap();
    let told = describe(&definition, &Numbers::default(), OURS, LATER_MS);
    assert_eq!(told.stream, request.stream);
    assert_eq!(told.latest_stream_label.as_deref(), Some("2026-11-15T22:59:37.123"));
    let arn = "arn:aws:dynamodb:eu-west-1:000000000000:table/Music/stream/2026-11-15T22:59:37.123";
    assert_eq!(told.latest_stream_arn.as_deref(), Some(arn));
    assert!(told.sse.unwrap().kms_key_id.unwrap().starts_with("arn:aws:kms:eu-west-1:000000000000:key/"));
    let stream = Some(StreamSpecification { enabled: false, view_type: None });
    let off = update(&definition, &UpdateTable { stream, ..UpdateTable::default() }, LATER_MS).unwrap();
    let told = describe(&off, &Numbers::default(), OURS, LATER_MS);
    assert_eq!((told.stream, told.latest_stream_arn.as_deref()), (None, Some(arn)));
}

#[test]
fn a_new_table_is_being_created() {
    let request = indexed();
    let told = created(&create(&request).unwrap(), &request, OURS);
    assert_eq!((told.status, told.on_demand_since_ms, told.warm), (TableStatus::Creating, None, None));
    let global = &told.global_indexes[0];
    assert_eq!((global.status, global.backfilling, global.warm), (Some(IndexStatus::Creating), None, None));
    let warm = CreateTable { warm: pair(13_000, 5_000), ..hash_table() };
    assert_eq!(created(&create(&warm).unwrap(), &warm, OURS).warm, pair(13_000, 5_000));
}

#[test]
fn a_changing_index_is_told_of() {
    let mut definition = create(&indexed()).unwrap();
    for (state, status, backfilling) in
        [(IndexState::Filling, IndexStatus::Creating, Some(true)), (IndexState::Deleting, IndexStatus::Deleting, None)]
    {
        definition.global_indexes[0].state = state;
        let told = describe(&definition, &Numbers::default(), OURS, LATER_MS);
        assert_eq!(told.status, TableStatus::Updating);
        let index = &told.global_indexes[0];
        assert_eq!((index.status, index.backfilling), (Some(status), backfilling));
    }
}

fn change(before: &Definition, request: &UpdateTable) -> (TableDescription, TableDescription) {
    let after = update(before, request, LATER_MS).unwrap();
    let numbers = Numbers::default();
    (updated(before, &after, request, &numbers, OURS, LATER_MS), describe(&after, &numbers, OURS, LATER_MS))
}

#[test]
fn capacity_is_answered_with_what_it_was() {
    let before = create(&reserved_table()).unwrap();
    let throughput = Some(Throughput { read: 1, write: 9 });
    let (answer, later) = change(&before, &UpdateTable { throughput, ..UpdateTable::default() });
    assert_eq!(answer.status, TableStatus::Updating);
    assert_eq!(answer.throughput.throughput, Throughput { read: 5, write: 3 });
    assert_eq!((answer.throughput.last_increase_ms, answer.throughput.decreases_today), (Some(LATER_MS), 0));
    assert_eq!(later.status, TableStatus::Active);
    assert_eq!(Some(later.throughput.throughput), throughput);
    assert!(later.throughput.last_increase_ms > answer.throughput.last_increase_ms);
    assert_eq!((later.throughput.last_decrease_ms, later.throughput.decreases_today), (Some(LATER_MS + 1), 1));
}

#[test]
fn changes_of_indexes_are_answered() {
    let before = create(&indexed()).unwrap();
    let of = |update| UpdateTable {
        attribute_definitions: Some(vec![attribute("b")]),
        global_index_updates: Some(vec![update]),
        ..UpdateTable::default()
    };
    let (answer, later) = change(&before, &of(GlobalIndexUpdate::Create(index("new", &[("b", "HASH")]))));
    let new = &answer.global_indexes[1];
    assert_eq!(
        (answer.status, new.status, new.backfilling),
        (TableStatus::Updating, Some(IndexStatus::Creating), Some(false))
    );
    assert_eq!(later.global_indexes[1].backfilling, Some(true));
    let (answer, _) = change(&before, &of(GlobalIndexUpdate::Delete { name: "gsi".to_owned() }));
    assert_eq!((answer.status, answer.global_indexes[0].status), (TableStatus::Updating, Some(IndexStatus::Deleting)));
    let on_demand = pair(7, 7);
    let ceilings = GlobalIndexUpdate::Update { name: "gsi".to_owned(), throughput: None, on_demand, warm: None };
    let (answer, later) = change(&before, &of(ceilings));
    assert_eq!((answer.status, answer.global_indexes[0].status), (TableStatus::Active, Some(IndexStatus::Updating)));
    assert_eq!((later.status, later.global_indexes[0].on_demand), (TableStatus::Active, on_demand));
}

#[test]
fn some_changes_are_done_at_once() {
    let before = create(&hash_table()).unwrap();
    let (answer, _) = change(&before, &UpdateTable { deletion_protection: Some(true), ..UpdateTable::default() });
    assert_eq!((answer.status, answer.deletion_protection), (TableStatus::Active, true));
    let same = UpdateTable { billing_mode: Some(BillingMode::PayPerRequest), ..UpdateTable::default() };
    let (answer, later) = change(&before, &same);
    assert_eq!((answer.status, later.status), (TableStatus::Updating, TableStatus::Active));
}

#[test]
fn a_deleted_table_is_told_of_in_short() {
    let told = deleted(&create(&indexed()).unwrap(), &Numbers::default(), OURS, LATER_MS);
    assert_eq!((told.status, told.table_name.as_str()), (TableStatus::Deleting, "Music"));
    assert!(told.key_schema.is_empty() && told.attribute_definitions.is_empty());
    assert!(told.local_indexes.is_empty() && told.global_indexes.is_empty());
    assert_eq!(told.on_demand_since_ms, Some(NOW_MS));
}
