//! How long parsing and writing take: `cargo run --release -p espalier-wire --example speed [operation]`.

use std::hint::black_box;
use std::io::Write;
use std::time::Instant;

use espalier_dynamo::operation::item::GetItemOutput;
use espalier_dynamo::operation::page::PageOutput;
use espalier_dynamo::{Operation, Response};
use espalier_wire::{Service, parse, write_response};

const RUNS: u32 = 2_000;
const CALLS: u32 = 20;

const PUT: &str = r#"{"TableName":"Orders","Item":{"pk":{"S":"CUSTOMER#0000000000000042"},"sk":{"S":"ORDER#2026-01-31T12:00:00Z#000017"},"status":{"S":"SHIPPED"},"total":{"N":"129.95"},"currency":{"S":"EUR"},"items":{"L":[{"M":{"sku":{"S":"AB-1234-XL"},"quantity":{"N":"2"}}},{"M":{"sku":{"S":"CD-9876-M"},"quantity":{"N":"1"}}}]},"tags":{"SS":["gift","express"]},"address":{"M":{"street":{"S":"12 Orchard Lane"},"city":{"S":"Springfield"},"zip":{"S":"12345"}}},"paid":{"BOOL":true},"note":{"NULL":true},"version":{"N":"7"}},"ConditionExpression":"attribute_not_exists(pk)","ReturnConsumedCapacity":"TOTAL"}"#;
const GET: &str = r#"{"TableName":"Orders","Key":{"pk":{"S":"CUSTOMER#0000000000000042"},"sk":{"S":"ORDER#2026-01-31T12:00:00Z#000017"}},"ConsistentRead":true}"#;

fn main() -> std::io::Result<()> {
    let mut report = std::io::stdout();
    let only = std::env::args().nth(1);
    for (operation, body) in [("PutItem", PUT), ("GetItem", GET)] {
        if only.as_ref().is_some_and(|only| only != operation) {
            continue;
        }
        let nanoseconds = measure(|| drop(black_box(parse(operation, Service::DynamoDb, black_box(body.as_bytes())))));
        writeln!(report, "{operation:8} parse {:4} bytes: {nanoseconds:5} ns", body.len())?;
    }
    let tree = || drop(black_box(serde_json::from_str::<serde_json::Value>(black_box(PUT))));
    writeln!(report, "the same PutItem into serde_json's tree, for comparison: {} ns", measure(tree))?;
    if only.is_some() {
        return Ok(());
    }
    let Ok(Operation::PutItem(put)) = parse("PutItem", Service::DynamoDb, PUT.as_bytes()) else { return Ok(()) };
    let items = Some(vec![put.item.clone(); 100]);
    let responses = [
        Response::GetItem(GetItemOutput { item: Some(put.item), consumed_capacity: None }),
        Response::Query(PageOutput { items, count: 100, scanned_count: 100, ..PageOutput::default() }),
    ];
    for response in &responses {
        let mut out = Vec::new();
        let nanoseconds = measure(|| {
            out.clear();
            write_response(black_box(response), &mut out);
        });
        writeln!(report, "write {:6} bytes: {nanoseconds:6} ns", out.len())?;
    }
    Ok(())
}

/// The best of many short runs, per call: whatever else the machine does falls between them.
fn measure(mut run: impl FnMut()) -> u128 {
    let once = |run: &mut dyn FnMut()| {
        let started = Instant::now();
        for _ in 0..CALLS {
            run();
        }
        started.elapsed().as_nanos() / u128::from(CALLS)
    };
    (0..RUNS).map(|_| once(&mut run)).min().unwrap_or_default()
}
