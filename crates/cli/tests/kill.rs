//! `kill -9` of the real process under eight writers.
//!
//! Each writer puts items one after the other and counts up one shared counter, and remembers what was acknowledged.
//! After every kill the folder is opened again: what each writer wrote is a prefix of what it sent that has all that
//! was acknowledged, the counter stands between acknowledged and sent, and every index equals a recomputation.
//! ESPALIER_KILLS=n runs more rounds.

mod process;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

use espalier_dynamo::item::Item;
use espalier_dynamo::operation::page::Query;
use espalier_dynamo::{DynamoExt, Value, ValueRef};
use espalier_engine::Engine;
use process::{Running, Socket};

const WRITERS: usize = 8;

const TABLE: &str = r#"{"TableName":"kills","BillingMode":"PAY_PER_REQUEST",
  "AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"},{"AttributeName":"sk","AttributeType":"N"},{"AttributeName":"group","AttributeType":"S"}],
  "KeySchema":[{"AttributeName":"pk","KeyType":"HASH"},{"AttributeName":"sk","KeyType":"RANGE"}],
  "GlobalSecondaryIndexes":[{"IndexName":"by-group","KeySchema":[{"AttributeName":"group","KeyType":"HASH"},{"AttributeName":"sk","KeyType":"RANGE"}],"Projection":{"ProjectionType":"ALL"}}],
  "StreamSpecification":{"StreamEnabled":true,"StreamViewType":"NEW_IMAGE"}}"#;

/// What one writer knows: the number of its last item sent, and of its last item acknowledged; 0 is none.
#[derive(Default)]
struct Trace {
    sent: AtomicU64,
    acknowledged: AtomicU64,
}

#[derive(Default)]
struct Oracle {
    writers: [Trace; WRITERS],
    counter: Trace,
}

/// Writes until the server is gone.
fn write(oracle: &Oracle, writer: usize, socket: &mut Socket) {
    let trace = &oracle.writers[writer];
    loop {
        let number = trace.sent.fetch_add(1, Ordering::SeqCst) + 1;
        let group = number % 3;
        let text = "x".repeat((number * 37 % 700) as usize);
        let put = format!(
            r#"{{"TableName":"kills","Item":{{"pk":{{"S":"w{writer}"}},"sk":{{"N":"{number}"}},"group":{{"S":"g{group}"}},"text":{{"S":"{text}"}}}}}}"#
        );
        match socket.call("PutItem", &put) {
            Ok(answer) => assert!(answer.starts_with("HTTP/1.1 200"), "{answer}"),
            Err(_) => return,
        }
        trace.acknowledged.store(number, Ordering::SeqCst);
        if number.is_multiple_of(4) {
            oracle.counter.sent.fetch_add(1, Ordering::SeqCst);
            let count = r#"{"TableName":"kills","Key":{"pk":{"S":"counter"},"sk":{"N":"0"}},"UpdateExpression":"ADD n :one","ExpressionAttributeValues":{":one":{"N":"1"}}}"#;
            match socket.call("UpdateItem", count) {
                Ok(answer) => assert!(answer.starts_with("HTTP/1.1 200"), "{answer}"),
                Err(_) => return,
            }
            oracle.counter.acknowledged.fetch_add(1, Ordering::SeqCst);
        }
    }
}

/// The numbers of all items of a partition.
fn numbers(engine: &Engine, partition: &str, attribute: &str) -> Vec<i64> {
    let mut start = None;
    let mut numbers = Vec::new();
    loop {
        let page = engine
            .run(Query {
                table_name: "kills".to_owned(),
                key_condition_expression: Some("pk = :pk".to_owned()),
                values: Some(Item::from([(":pk", Value::from(partition))])),
                exclusive_start_key: start,
                ..Query::default()
            })
            .expect("a page");
        numbers.extend(page.items.unwrap_or_default().iter().map(|item| match item.get(attribute) {
            Some(ValueRef::N(number)) => number.to_i64().expect("an integer"),
            other => panic!("{other:?}"),
        }));
        start = page.last_evaluated_key;
        if start.is_none() {
            return numbers;
        }
    }
}

fn check(engine: &Engine, oracle: &Oracle) {
    for (writer, trace) in oracle.writers.iter().enumerate() {
        let found = numbers(engine, &format!("w{writer}"), "sk");
        let (acknowledged, sent) = (trace.acknowledged.load(Ordering::SeqCst), trace.sent.load(Ordering::SeqCst));
        let last = found.len() as u64;
        assert!(found.iter().copied().eq(1..=last as i64), "writer {writer} left a hole: {found:?}");
        assert!(
            (acknowledged..=sent).contains(&last),
            "writer {writer}: {acknowledged} acknowledged, {last} found, {sent} sent"
        );
        // What was sent and not acknowledged may or may not be there; the next round goes on from what is.
        trace.sent.store(last, Ordering::SeqCst);
        trace.acknowledged.store(last, Ordering::SeqCst);
    }
    let count = numbers(engine, "counter", "n").first().copied().unwrap_or(0) as u64;
    let (acknowledged, sent) = (&oracle.counter.acknowledged, &oracle.counter.sent);
    let range = acknowledged.load(Ordering::SeqCst)..=sent.load(Ordering::SeqCst);
    assert!(range.contains(&count), "the counter is {count}, not in {range:?}");
    sent.store(count, Ordering::SeqCst);
    acknowledged.store(count, Ordering::SeqCst);
    let findings = engine.verify().expect("verified");
    assert!(findings.is_empty(), "{findings:#?}");
}

#[test]
fn nothing_acknowledged_is_lost() {
    let rounds = std::env::var("ESPALIER_KILLS").ok().and_then(|text| text.parse().ok()).unwrap_or(4);
    let folder = tempfile::tempdir().expect("a folder");
    let data = folder.path().to_str().expect("UTF-8").to_owned();
    let oracle = Arc::new(Oracle::default());
    for round in 0..rounds {
        let server = Running::start(&["--data-dir", &data]);
        if round == 0 {
            let answer = Socket::open(server.address).call("CreateTable", TABLE).expect("an answer");
            assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
        }
        let writers: Vec<_> = (0..WRITERS)
            .map(|writer| {
                let (oracle, mut socket) = (oracle.clone(), Socket::open(server.address));
                thread::spawn(move || write(&oracle, writer, &mut socket))
            })
            .collect();
        // A different moment each round, without chance: it only has to vary.
        thread::sleep(Duration::from_millis(150 + round * 97 % 400));
        drop(server);
        writers.into_iter().for_each(|writer| writer.join().expect("a writer"));
        let engine = Engine::open(folder.path()).unwrap_or_else(|error| panic!("round {round}: {error:?}"));
        check(&engine, &oracle);
        if round % 2 == 0 {
            engine.close().expect("closed");
        }
    }
    let written: u64 = oracle.writers.iter().map(|trace| trace.acknowledged.load(Ordering::SeqCst)).sum();
    assert!(written > 0);
    eprintln!("{rounds} kills, {written} items");
}
