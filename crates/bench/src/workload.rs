//! Requests: prebuilt bytes of fixed length in which only numbers change.

use std::net::SocketAddr;

use clap::ValueEnum;

/// Items that reads and updates choose from.
const LOADED: u64 = 10_000;
/// Keys that writes choose from.
const WRITTEN: u64 = 200_000;
/// Partitions of 100 items that queries choose from.
pub(crate) const PARTITIONS: u64 = 50;
/// Items in a partition.
const PARTITION: u64 = 100;
/// Most writes that BatchWriteItem takes.
pub(crate) const BATCH: u64 = 25;

/// What is asked for in one measurement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, ValueEnum)]
pub(crate) enum Workload {
    PutItem,
    GetItem,
    UpdateSpread,
    UpdateHot,
    QueryTable,
    QueryIndex,
    TransactWrite4,
    BatchWrite25,
}

impl Workload {
    pub(crate) const ALL: [Workload; 8] = [
        Workload::PutItem,
        Workload::GetItem,
        Workload::UpdateSpread,
        Workload::UpdateHot,
        Workload::QueryTable,
        Workload::QueryIndex,
        Workload::TransactWrite4,
        Workload::BatchWrite25,
    ];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Workload::PutItem => "PutItem",
            Workload::GetItem => "GetItem",
            Workload::UpdateSpread => "UpdateItem, spread",
            Workload::UpdateHot => "UpdateItem, one hot item",
            Workload::QueryTable => "Query 100 on the table",
            Workload::QueryIndex => "Query 100 on an index",
            Workload::TransactWrite4 => "TransactWriteItems of 4",
            Workload::BatchWrite25 => "BatchWriteItem of 25",
        }
    }

    /// The request to that server.
    pub(crate) fn request(self, server: SocketAddr) -> Request {
        let update = |key: &str| {
            format!(
                r#"{{"TableName":"items","Key":{{"pk":{{"S":"{key}"}}}},"UpdateExpression":"ADD hits :one","ExpressionAttributeValues":{{":one":{{"N":"1"}}}}}}"#
            )
        };
        let query = |index: &str, name: &str, prefix: &str| {
            format!(
                r#"{{"TableName":"people",{index}"KeyConditionExpression":"{name} = :key","ExpressionAttributeValues":{{":key":{{"S":"{prefix}#@@@@@@@@"}}}}}}"#
            )
        };
        let (operation, keys, body) = match self {
            Workload::PutItem => ("PutItem", WRITTEN, format!(r#"{{"TableName":"items","Item":{}}}"#, item())),
            Workload::GetItem => {
                ("GetItem", LOADED, r#"{"TableName":"items","Key":{"pk":{"S":"item#@@@@@@@@"}}}"#.to_owned())
            }
            Workload::UpdateSpread => ("UpdateItem", LOADED, update("item#@@@@@@@@")),
            Workload::UpdateHot => ("UpdateItem", LOADED, update("item#00000000")),
            Workload::QueryTable => ("Query", PARTITIONS, query("", "pk", "family")),
            Workload::QueryIndex => ("Query", PARTITIONS, query(r#""IndexName":"by-town","#, "town", "town")),
            Workload::TransactWrite4 => {
                let put = format!(r#"{{"Put":{{"TableName":"items","Item":{}}}}}"#, item());
                let body = format!(
                    r#"{{"ClientRequestToken":"bench-################","TransactItems":[{}]}}"#,
                    vec![put; 4].join(",")
                );
                ("TransactWriteItems", WRITTEN, body)
            }
            Workload::BatchWrite25 => ("BatchWriteItem", WRITTEN, batch("items", BATCH, item)),
        };
        Request::new(server, operation, &body, keys)
    }
}

/// About 300 bytes.
fn item() -> String {
    let data = "The quick brown fox jumps over the lazy dog. ".repeat(4);
    format!(
        r#"{{"pk":{{"S":"item#@@@@@@@@"}},"name":{{"S":"Ada Lovelace"}},"hits":{{"N":"1"}},"born":{{"S":"1815-12-10"}},"data":{{"S":"{data}"}}}}"#
    )
}

fn batch(table: &str, count: u64, item: impl Fn() -> String) -> String {
    let put = format!(r#"{{"PutRequest":{{"Item":{}}}}}"#, item());
    let puts = vec![put; usize::try_from(count).unwrap_or_default()].join(",");
    format!(r#"{{"RequestItems":{{"{table}":[{puts}]}}}}"#)
}

/// What has to be there before anything is measured: two tables, and items in both.
pub(crate) fn preparation(server: SocketAddr) -> Vec<Vec<u8>> {
    let tables = [
        r#"{"TableName":"items","BillingMode":"PAY_PER_REQUEST","AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"}],"KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}]}"#,
        r#"{"TableName":"people","BillingMode":"PAY_PER_REQUEST","AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"},{"AttributeName":"sk","AttributeType":"S"},{"AttributeName":"town","AttributeType":"S"}],"KeySchema":[{"AttributeName":"pk","KeyType":"HASH"},{"AttributeName":"sk","KeyType":"RANGE"}],"GlobalSecondaryIndexes":[{"IndexName":"by-town","KeySchema":[{"AttributeName":"town","KeyType":"HASH"},{"AttributeName":"sk","KeyType":"RANGE"}],"Projection":{"ProjectionType":"ALL"}}]}"#,
    ];
    tables.into_iter().map(|body| Request::new(server, "CreateTable", body, 1).bytes).collect()
}

/// Whether a table is there.
pub(crate) fn describe(server: SocketAddr, table: &str) -> Vec<u8> {
    Request::new(server, "DescribeTable", &format!(r#"{{"TableName":"{table}"}}"#), 1).bytes
}

/// Batches that fill both tables for reading.
pub(crate) fn loading(server: SocketAddr) -> Vec<Vec<u8>> {
    let mut batches = filling(server, LOADED);
    for partition in 0..PARTITIONS {
        for start in (0..PARTITION).step_by(25) {
            let puts: Vec<_> = (start..start + BATCH).map(|number| person(partition, number)).collect();
            let body = format!(r#"{{"RequestItems":{{"people":[{}]}}}}"#, puts.join(","));
            batches.push(Request::new(server, "BatchWriteItem", &body, 1).bytes);
        }
    }
    batches
}

/// Batches that put that many items into the table `items`.
pub(crate) fn filling(server: SocketAddr, items: u64) -> Vec<Vec<u8>> {
    let mut request = Request::new(server, "BatchWriteItem", &batch("items", BATCH, item), items.max(BATCH));
    let batches = (0..items.div_ceil(BATCH)).map(|number| {
        request.number_keys(number * BATCH);
        request.bytes.clone()
    });
    batches.collect()
}

/// Reads the first of those items.
pub(crate) fn first_item(server: SocketAddr) -> Vec<u8> {
    let mut request = Workload::GetItem.request(server);
    request.number_keys(0);
    request.bytes
}

fn person(partition: u64, number: u64) -> String {
    let data = "Born in a small town, moved to a larger one. ".repeat(4);
    let town = (partition + number) % PARTITIONS;
    format!(
        r#"{{"PutRequest":{{"Item":{{"pk":{{"S":"family#{partition:08}"}},"sk":{{"S":"person#{number:08}#{partition:08}"}},"town":{{"S":"town#{town:08}"}},"name":{{"S":"Ada Lovelace"}},"age":{{"N":"{number}"}},"data":{{"S":"{data}"}}}}}}}}"#
    )
}

/// One request, ready to be sent; `@@@@@@@@` stands for keys, `################` for something never used before.
#[derive(Debug, Clone)]
pub(crate) struct Request {
    pub(crate) bytes: Vec<u8>,
    keys: Vec<usize>,
    fresh: Vec<usize>,
    key_space: u64,
}

const KEY_DIGITS: usize = 8;
const FRESH_DIGITS: usize = 16;

impl Request {
    /// With the headers that an SDK sends.
    pub(crate) fn new(server: SocketAddr, operation: &str, body: &str, key_space: u64) -> Self {
        let now = jiff::Timestamp::now().strftime("%Y%m%dT%H%M%SZ").to_string();
        let day = now.get(..8).unwrap_or_default();
        let signature = "0123456789abcdef".repeat(4);
        let head = format!(
            "POST / HTTP/1.1\r\nHost: {server}\r\nAccept-Encoding: identity\r\n\
             X-Amz-Target: DynamoDB_20120810.{operation}\r\nContent-Type: application/x-amz-json-1.0\r\n\
             User-Agent: Boto3/1.40.0 md/Botocore#1.40.0 ua/2.1 os/linux#6.1 md/arch#x86_64 lang/python#3.12\r\n\
             X-Amz-Date: {now}\r\nAuthorization: AWS4-HMAC-SHA256 \
             Credential=AKIAIOSFODNN7EXAMPLE/{day}/us-east-1/dynamodb/aws4_request, \
             SignedHeaders=content-type;host;x-amz-date;x-amz-target, Signature={signature}\r\n\
             amz-sdk-invocation-id: 6f2d3c5e-0000-4000-8000-000000000000\r\namz-sdk-request: attempt=1\r\n\
             Content-Length: {}\r\n\r\n",
            body.len()
        );
        let bytes = [head.as_bytes(), body.as_bytes()].concat();
        let places = |mark: &[u8]| memchr::memmem::find_iter(&bytes, mark).collect::<Vec<_>>();
        let (keys, fresh) = (places(&[b'@'; KEY_DIGITS]), places(&[b'#'; FRESH_DIGITS]));
        Self { bytes, keys, fresh, key_space }
    }

    /// Chooses keys at random; the keys of one request differ from each other.
    pub(crate) fn shuffle(&mut self, random: &mut fastrand::Rng) {
        self.number_keys(random.u64(0..self.key_space));
        for place in &self.fresh {
            write_digits(&mut self.bytes[*place..place + FRESH_DIGITS], random.u64(..));
        }
    }

    fn number_keys(&mut self, first: u64) {
        for (offset, place) in (0..).zip(&self.keys) {
            write_digits(&mut self.bytes[*place..place + KEY_DIGITS], (first + offset) % self.key_space);
        }
    }
}

fn write_digits(into: &mut [u8], mut number: u64) {
    for digit in into.iter_mut().rev() {
        *digit = b'0' + u8::try_from(number % 10).unwrap_or_default();
        number /= 10;
    }
}
