//! Power cuts of the whole engine: items, indexes, expiry, streams and tokens together.
//!
//! One writer runs a random history; the simulated disk is cut at every sync and at random calls, opened again, cut
//! again while opening, and compared: the state is one of the history's states, no older than the last
//! acknowledgement, and everything derived from the items equals a recomputation.
//! ESPALIER_SEEDS=n runs more, ESPALIER_SEED=n replays one.

#![allow(clippy::unwrap_used, reason = "a test")]

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use espalier_dynamo::item::Item;
use espalier_dynamo::operation::item::{DeleteItem, PutItem, UpdateItem};
use espalier_dynamo::operation::page::Scan;
use espalier_dynamo::operation::stream::{
    DescribeStream, GetRecords, GetShardIterator, ListStreams, ShardIteratorType,
};
use espalier_dynamo::operation::table::*;
use espalier_dynamo::operation::transaction::{TransactAction, TransactWrite, TransactWriteItems};
use espalier_dynamo::{DynamoExt, Map, Request, Value};
use espalier_engine::clock::{CountingRandom, ManualClock};
use espalier_engine::{Engine, Options};
use espalier_store::Store;
use espalier_store::fault::{Call, Disk, Moment, Random};

const START_MS: i64 = 1_800_000_000_000;
const TABLE: &str = "history";

fn run<R: Request + Send + 'static>(engine: &Engine, request: R) -> R::Output
where
    R::Output: Send,
{
    engine.run(request).unwrap()
}

/// Sizes at which a few dozen steps fill segments and cause checkpoints.
fn tiny() -> espalier_store::Options {
    espalier_store::Options {
        recent_bytes: 12_000,
        segment_bytes: 16 * 1024,
        spare_segments: 2,
        cache_bytes: 1024 * 1024,
        background: false,
        ..espalier_store::Options::default()
    }
}

fn open(disk: &Disk) -> Engine {
    let options = Options {
        clock: Arc::new(ManualClock::at_ms(START_MS)),
        random: Arc::new(CountingRandom::default()),
        housekeeping: false,
        store: tiny(),
        ..Options::default()
    };
    let store = Store::open_with(Arc::new(disk.clone()), tiny()).unwrap_or_else(|error| panic!("cannot open: {error}"));
    Engine::on(store, options).unwrap_or_else(|error| panic!("cannot open: {error:?}"))
}

fn create(engine: &Engine) {
    let attribute = |name: &str, kind| AttributeDefinition { name: name.to_owned(), kind };
    let key = |name: &str, key_type| KeySchemaElement { name: name.to_owned(), key_type };
    let projection = |kind| Projection { kind: Some(kind), non_key_attributes: None };
    run(
        engine,
        CreateTable {
            table_name: TABLE.to_owned(),
            attribute_definitions: vec![
                attribute("pk", ScalarType::S),
                attribute("sk", ScalarType::N),
                attribute("colour", ScalarType::S),
                attribute("rank", ScalarType::N),
            ],
            key_schema: vec![key("pk", KeyType::Hash), key("sk", KeyType::Range)],
            local_indexes: Some(vec![LocalIndex {
                name: "by-rank".to_owned(),
                key_schema: vec![key("pk", KeyType::Hash), key("rank", KeyType::Range)],
                projection: projection(ProjectionType::KeysOnly),
            }]),
            global_indexes: Some(vec![GlobalIndex {
                name: "by-colour".to_owned(),
                key_schema: vec![key("colour", KeyType::Hash), key("rank", KeyType::Range)],
                projection: projection(ProjectionType::All),
                throughput: None,
                on_demand: None,
                warm: None,
            }]),
            billing_mode: Some(BillingMode::PayPerRequest),
            stream: Some(StreamSpecification { enabled: true, view_type: Some(StreamViewType::NewAndOldImages) }),
            ..CreateTable::default()
        },
    );
    let specification = TimeToLiveSpecification { enabled: true, attribute: "expires".to_owned() };
    run(engine, UpdateTimeToLive { table_name: TABLE.to_owned(), specification });
}

fn item(random: &mut Random, number: u64) -> Map {
    let mut item = Map::new();
    let mut set = |name: &str, value: Value| drop(item.insert(name.to_owned(), value));
    set("pk", format!("p{}", random.below(4)).into());
    set("sk", (random.below(5) as i64).into());
    set("number", (number as i64).into());
    set("text", "x".repeat(random.below(300) as usize).into());
    if random.below(3) > 0 {
        set("colour", ["red", "green", "blue"][random.below(3) as usize].into());
    }
    if random.below(3) > 0 {
        set("rank", (random.below(3) as i64).into());
    }
    if random.below(2) > 0 {
        set("expires", Value::from(START_MS / 1000 + 1 + random.below(1000) as i64));
    }
    item
}

fn single_key() -> Item {
    Item::from([("pk", Value::from("single")), ("sk", 0.into())])
}

/// Step `number` of the history of a seed: a transaction, then a single operation. Each writes at least one record.
fn step(engine: &Engine, seed: u64, number: u64) {
    let mut random = Random::new(seed ^ (number + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    let value = Value::from(number as i64);
    let write = |action, values| TransactWrite {
        table_name: TABLE.to_owned(),
        action,
        condition_expression: None,
        names: None,
        values,
        return_on_failure: None,
    };
    let marker = Item::from([("pk", Value::from("step")), ("sk", 0.into()), ("number", value.clone())]);
    let mut writes = vec![write(TransactAction::Put(marker), None)];
    let mut used: Vec<Map> = Vec::new();
    for _ in 0..random.below(4) {
        let item = item(&mut random, number);
        let key: Map = item.clone().into_iter().filter(|(name, _)| name == "pk" || name == "sk").collect();
        if used.contains(&key) {
            continue;
        }
        used.push(key.clone());
        writes.push(match random.below(4) {
            0 => write(TransactAction::Delete(key.into()), None),
            1 => {
                let update_expression = "SET #n = :n REMOVE colour".to_owned();
                let names = Some([("#n".to_owned(), "number".to_owned())].into());
                let action = TransactAction::Update { key: key.into(), update_expression };
                TransactWrite { names, ..write(action, Some(Item::from([(":n", value.clone())]))) }
            }
            _ => write(TransactAction::Put(item.into()), None),
        });
    }
    let token = Some(format!("token-{number}"));
    run(
        engine,
        TransactWriteItems { writes, client_request_token: token, return_capacity: None, return_metrics: None },
    );
    if number % 3 == 2 {
        run(engine, DeleteItem::new(TABLE, single_key()));
    } else if number % 3 == 1 {
        let mut update = UpdateItem::new(TABLE, single_key(), "SET colour = :c, #n = :n");
        update.names = Some([("#n".to_owned(), "number".to_owned())].into());
        update.values = Some(Item::from([(":c", Value::from("red")), (":n", value)]));
        run(engine, update);
    } else {
        let mut whole = single_key().to_map();
        whole.insert("number".to_owned(), value);
        run(engine, PutItem::new(TABLE, whole.into()));
    }
}

/// What a client can see: all items, and all stream records.
#[derive(Debug, PartialEq)]
struct State {
    items: BTreeMap<String, Map>,
    records: Vec<String>,
}

fn state(engine: &Engine) -> State {
    let scan = Scan { table_name: TABLE.to_owned(), ..Scan::default() };
    let items = run(engine, scan).items.unwrap_or_default();
    let keyed = |item: Map| (format!("{:?}/{:?}", item["pk"], item["sk"]), item);
    State { items: items.iter().map(Item::to_map).map(keyed).collect(), records: records(engine) }
}

fn records(engine: &Engine) -> Vec<String> {
    let stream_arn = run(engine, ListStreams::default()).streams[0].arn.clone();
    let description = run(engine, DescribeStream { stream_arn: stream_arn.clone(), ..DescribeStream::default() });
    let request = GetShardIterator {
        stream_arn,
        shard_id: description.shards[0].id.clone(),
        iterator_type: ShardIteratorType::TrimHorizon,
        sequence_number: None,
    };
    let mut iterator = run(engine, request).shard_iterator;
    let mut all = Vec::new();
    loop {
        let page = run(engine, GetRecords { shard_iterator: iterator, limit: None });
        if page.records.is_empty() {
            return all;
        }
        all.extend(page.records.iter().map(|record| {
            let (number, event) = (&record.sequence_number, record.event_name);
            format!("{number} {event} {:?}: {:?} -> {:?}", record.keys, record.old_image, record.new_image)
        }));
        iterator = page.next_shard_iterator.expect("the shard is open");
    }
}

/// The history of a seed on a sound disk: the state after each step.
fn history(seed: u64, steps: u64) -> Vec<State> {
    let engine = open(&Disk::new(seed));
    create(&engine);
    let mut states = vec![state(&engine)];
    for number in 0..steps {
        step(&engine, seed, number);
        states.push(state(&engine));
    }
    states
}

/// Opens what a cut left and compares; cuts again while opening, `depth` times.
fn recover(moment: &Moment, cut: u64, states: &Arc<Vec<State>>, depth: u32, cuts: &Arc<Mutex<u64>>) {
    *cuts.lock().unwrap() += 1;
    let disk = moment.crash(cut);
    disk.note(moment.note);
    if depth > 0 {
        let (states, cuts) = (states.clone(), cuts.clone());
        let mut random = Random::new(cut);
        disk.watch(&[Call::Sync, Call::Write, Call::Rename, Call::SetLen, Call::SyncNames], move |_, moment| {
            if random.below(6) == 0 {
                recover(&moment, random.next(), &states, depth - 1, &cuts);
            }
        });
    }
    let engine = open(&disk);
    disk.unwatch();
    let Some(acknowledged) = (moment.note as usize).checked_sub(1) else {
        return;
    };
    // A step is two commits, so a cut may lie between two states: the records, which tell both commits apart, must
    // be a prefix of the history's that has all acknowledged ones, and at a step's end the items must be its items.
    let found = state(&engine);
    assert!(found.records.len() >= states[acknowledged].records.len(), "acknowledged records are missing");
    assert!(states[states.len() - 1].records.starts_with(&found.records), "no prefix of the history: {found:#?}");
    if let Some(whole) = states.iter().find(|state| state.records.len() == found.records.len()) {
        assert_eq!(whole.items, found.items, "the items are not those of their moment");
    }
    for round in ["at once", "after background work"] {
        let findings = engine.verify().unwrap();
        assert!(findings.is_empty(), "{round}: {findings:#?}");
        engine.tick().unwrap();
    }
}

fn seeds(usual: u64) -> std::ops::Range<u64> {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    match number("ESPALIER_SEED") {
        Some(seed) => seed..seed + 1,
        None => 0..number("ESPALIER_SEEDS").unwrap_or(usual),
    }
}

#[test]
fn a_cut_anywhere_leaves_a_state_of_the_history() {
    let cuts = Arc::new(Mutex::new(0));
    for seed in seeds(2) {
        eprintln!("replay with ESPALIER_SEED={seed}");
        let steps = 24;
        let states = Arc::new(history(seed, steps));
        let disk = Disk::new(seed);
        let (watched, counter) = (states.clone(), cuts.clone());
        let mut random = Random::new(seed ^ 0x5eed);
        disk.watch(&[Call::Sync, Call::Write, Call::SyncNames, Call::Rename], move |call, moment| {
            if call == Call::Sync || random.below(5) == 0 {
                let depth = if random.below(4) == 0 { 2 } else { 0 };
                recover(&moment, random.next(), &watched, depth, &counter);
            }
        });
        let engine = open(&disk);
        create(&engine);
        disk.note(1);
        for number in 0..steps {
            step(&engine, seed, number);
            disk.note(number + 2);
        }
        engine.close().unwrap();
        disk.unwatch();
        drop(engine);
        assert_eq!(state(&open(&disk)), states[steps as usize], "after a clean stop");
    }
    eprintln!("{} cuts", cuts.lock().unwrap());
}
