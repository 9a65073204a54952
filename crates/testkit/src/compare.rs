//! One run on the database and on the reference, compared answer by answer and at the end as a whole.

use serde_json::{Value as Json, json};

use crate::database::{Answer, Database, Road};
use crate::generate::{Run, START_MS, Step};
use crate::reference::read::{Passed, is_ordered, sort_key};
use crate::reference::request::{Read, Request};
use crate::reference::value::{from_json, to_json};
use crate::reference::{Fault, Reference};

/// Where the two differ.
#[derive(Debug, Clone)]
pub struct Difference {
    /// The step, or the number of steps when the final comparison failed.
    pub step: usize,
    /// What was asked and what came back.
    pub text: String,
}

/// Runs everything; the first difference ends it.
pub fn run(run: &Run, road: Road, seed: u64) -> Result<(), Difference> {
    let mut both = Both {
        database: Database::new(road, START_MS),
        reference: Reference::new(run.tables.clone(), START_MS),
        rng: fastrand::Rng::with_seed(seed ^ 0x5eed),
    };
    both.create().map_err(|text| Difference { step: 0, text })?;
    for (step, action) in run.steps.iter().enumerate() {
        both.step(action).map_err(|text| Difference { step, text })?;
    }
    both.finish().map_err(|text| Difference { step: run.steps.len(), text })
}

/// Leaves out as many steps as possible while something still differs.
#[must_use]
pub fn shrink(failing: &Run, road: Road, seed: u64, first: Difference) -> (Run, Difference) {
    let mut best = failing.clone();
    best.steps.truncate(first.step + 1);
    let mut difference = first;
    let mut size = best.steps.len() / 2;
    // A bound on the work, since each attempt is a whole run.
    let mut attempts = 400;
    while size > 0 {
        let mut start = 0;
        while start < best.steps.len() && attempts > 0 {
            attempts -= 1;
            let mut shorter = best.clone();
            shorter.steps.drain(start..(start + size).min(best.steps.len()));
            match run(&shorter, road, seed) {
                Err(found) => {
                    shorter.steps.truncate(found.step + 1);
                    (best, difference) = (shorter, found);
                }
                Ok(()) => start += size,
            }
        }
        size /= 2;
    }
    (best, difference)
}

/// The steps as the requests they are.
#[must_use]
pub fn listing(run: &Run) -> String {
    let mut out = String::new();
    for schema in &run.tables {
        out += &format!("CreateTable {}\n", schema.create_table());
    }
    for step in &run.steps {
        out += &match step {
            Step::Call(request) => {
                let (operation, body) = request.call(&run.tables);
                format!("{operation} {body}\n")
            }
            other => format!("{other:?}\n"),
        };
    }
    out
}

struct Both {
    database: Database,
    reference: Reference,
    rng: fastrand::Rng,
}

impl Both {
    fn call(&mut self, operation: &str, body: &Json) -> Answer {
        let mut body = body.clone();
        respell(&mut self.rng, &mut body);
        self.database.call(operation, body.to_string().as_bytes())
    }

    fn must(&mut self, operation: &str, body: &Json) -> Result<Json, String> {
        let answer = self.call(operation, body);
        if answer.status == 200 { Ok(answer.body) } else { Err(format!("{operation} {body}\n{answer:?}")) }
    }

    fn create(&mut self) -> Result<(), String> {
        for schema in self.reference.tables.clone() {
            self.must("CreateTable", &schema.create_table())?;
            if let Some(attribute) = &schema.time_to_live {
                let wish = json!({"Enabled": true, "AttributeName": attribute});
                self.must("UpdateTimeToLive", &json!({"TableName": schema.name, "TimeToLiveSpecification": wish}))?;
            }
        }
        self.database.tick();
        Ok(())
    }

    fn step(&mut self, step: &Step) -> Result<(), String> {
        match step {
            Step::Wait { milliseconds } => {
                self.database.advance_ms(*milliseconds);
                self.reference.advance_ms(*milliseconds);
                self.database.tick();
                self.reference.tick();
                Ok(())
            }
            Step::Reopen { cleanly } => {
                self.database.reopen(*cleanly);
                Ok(())
            }
            Step::Call(request) => {
                if let Request::Read(read) = request.as_ref()
                    && read.start.is_none()
                {
                    return self.walk(read);
                }
                let (operation, body) = request.call(&self.reference.tables);
                let expected = self.reference.execute(request);
                let actual = self.call(operation, &body);
                same(&expected, &actual).map_err(|difference| {
                    format!(
                        "{operation} {body}\n{difference}\nexpected {}\nactual   {} {}",
                        told(&expected),
                        actual.status,
                        actual.body
                    )
                })
            }
        }
    }

    /// Reads all pages of all segments.
    fn walk(&mut self, read: &Read) -> Result<(), String> {
        let expected = self.reference.read(read);
        let tables = self.reference.tables.clone();
        let mut pages = Vec::new();
        for segment in 0..read.segments.unwrap_or(1) {
            let mut start = None;
            loop {
                let (operation, body) = read.call(&tables, start.as_ref(), Some(segment));
                let answer = self.call(operation, &body);
                let expected = match &expected {
                    Ok(expected) if answer.status == 200 => expected,
                    Err(fault) => {
                        return same(&Err(fault.clone()), &answer).map_err(|text| {
                            format!("{operation} {body}\n{text}\nexpected {fault:?}\nactual {answer:?}")
                        });
                    }
                    Ok(_) => return Err(format!("{operation} {body}\nexpected pages\nactual {answer:?}")),
                };
                start = answer.body.get("LastEvaluatedKey").and_then(from_json);
                pages.push(answer.body);
                if pages.len() > expected.len() + 10 {
                    return Err(format!("{operation} {body}\nthe pages do not end"));
                }
                if start.is_none() {
                    break;
                }
            }
        }
        let expected = expected.expect("an error returned above");
        let (operation, body) = read.call(&tables, None, Some(0));
        self.judge(read, &expected, &pages).map_err(|text| {
            let all: Vec<Json> = expected.iter().filter_map(|passed| passed.returned.as_ref()).map(to_json).collect();
            format!("{operation} {body}\n{text}\nexpected {}\nactual   {}", Json::from(all), Json::from(pages))
        })
    }

    fn judge(&self, read: &Read, expected: &[Passed], pages: &[Json]) -> Result<(), String> {
        let schema = &self.reference.tables[read.table];
        if is_ordered(schema, read) || (read.limit.is_none() && read.segments.is_none()) {
            return self.judge_pages(read, expected, pages);
        }
        let scanned: u64 = pages.iter().map(|page| page["ScannedCount"].as_u64().unwrap_or(0)).sum();
        if scanned != expected.len() as u64 {
            return Err(format!("{scanned} items were passed instead of {}", expected.len()));
        }
        for page in pages.iter().filter(|page| page.get("LastEvaluatedKey").is_some()) {
            if page["ScannedCount"].as_u64() != read.limit.map(|limit| limit as u64) {
                return Err("a page is shorter than its limit".to_owned());
            }
        }
        let counted: u64 = pages.iter().map(|page| page["Count"].as_u64().unwrap_or(0)).sum();
        if counted != expected.iter().filter(|passed| passed.returned.is_some()).count() as u64 {
            return Err("another number of items was returned".to_owned());
        }
        if read.count_only {
            return Ok(());
        }
        let items = pages.iter().flat_map(|page| page["Items"].as_array().cloned().unwrap_or_default()).collect();
        self.judge_items(read, expected, items)
    }

    /// Page by page, where the order is known or there is one page.
    fn judge_pages(&self, read: &Read, expected: &[Passed], pages: &[Json]) -> Result<(), String> {
        let mut rest = expected;
        for page in pages {
            let (now, later) = rest.split_at(rest.len().min(read.limit.unwrap_or(usize::MAX)));
            rest = later;
            let mut wanted = self.reference.page_json(read, now);
            let mut page = page.clone();
            if !is_ordered(&self.reference.tables[read.table], read) && !read.count_only {
                let items = page["Items"].as_array().cloned().unwrap_or_default();
                self.judge_items(read, expected, items)?;
                wanted["Items"] = Json::Null;
                page["Items"] = Json::Null;
            }
            differ("", &canonical(wanted), &canonical(page))?;
        }
        if rest.is_empty() { Ok(()) } else { Err("the pages end too early".to_owned()) }
    }

    /// The same items: in the order of the index where equal keys may come in any order, or in any order at all.
    fn judge_items(&self, read: &Read, expected: &[Passed], actual: Vec<Json>) -> Result<(), String> {
        let schema = &self.reference.tables[read.table];
        let returned: Vec<(&Passed, Json)> = expected
            .iter()
            .filter_map(|passed| Some((passed, canonical(to_json(passed.returned.as_ref()?)))))
            .collect();
        let actual: Vec<Json> = actual.into_iter().map(canonical).collect();
        let sorted = |items: &[Json]| {
            let mut texts: Vec<String> = items.iter().map(ordered_text).collect();
            texts.sort();
            texts
        };
        let all: Vec<Json> = returned.iter().map(|(_, item)| item.clone()).collect();
        if actual.len() != all.len() {
            return Err("other items were returned".to_owned());
        }
        let Some(index) = read.index(schema).filter(|_| read.partition.is_some()) else {
            return if sorted(&actual) == sorted(&all) { Ok(()) } else { Err("other items were returned".to_owned()) };
        };
        let mut place = 0;
        for tied in returned.chunk_by(|left, right| sort_key(index, &left.0.entry) == sort_key(index, &right.0.entry)) {
            let wanted: Vec<Json> = tied.iter().map(|(_, item)| item.clone()).collect();
            if sorted(&actual[place..place + wanted.len()]) != sorted(&wanted) {
                return Err(format!("items from place {place} on are others, or in another order"));
            }
            place += wanted.len();
        }
        Ok(())
    }

    /// All items, all indexes, all records, all figures.
    fn finish(&mut self) -> Result<(), String> {
        // Figures that a crash has lost are counted anew in the background.
        self.database.tick();
        self.reference.tick();
        let complaints = self.database.engine().verify().map_err(|fault| format!("verify: {fault:?}"))?;
        if !complaints.is_empty() {
            return Err(format!("verify: {complaints:#?}"));
        }
        for table in 0..self.reference.tables.len() {
            self.finish_table(table)?;
        }
        Ok(())
    }

    fn finish_table(&mut self, table: usize) -> Result<(), String> {
        let schema = self.reference.tables[table].clone();
        let all = |index| Read {
            table,
            index,
            partition: None,
            ranges: Vec::new(),
            filter: None,
            projection: Vec::new(),
            count_only: false,
            forward: true,
            limit: Some(7),
            consistent: false,
            start: None,
            segments: None,
        };
        self.walk(&all(None))?;
        for index in 0..schema.indexes.len() {
            self.walk(&all(Some(index)))?;
        }
        let description = self.must("DescribeTable", &json!({"TableName": schema.name}))?;
        let bytes = |items: &mut dyn Iterator<Item = &crate::reference::value::Document>| {
            items.map(crate::reference::value::size).sum::<usize>()
        };
        let told = &description["Table"];
        let items = (self.reference.items(table).count(), bytes(&mut self.reference.items(table)));
        let figures = (&told["ItemCount"], &told["TableSizeBytes"]);
        if figures != (&json!(items.0), &json!(items.1)) {
            return Err(format!("the table has {items:?} items and bytes, and is described as {figures:?}"));
        }
        for (place, index) in schema.indexes.iter().enumerate() {
            let entries = self.reference.entries(table, place);
            let member = if index.global { "GlobalSecondaryIndexes" } else { "LocalSecondaryIndexes" };
            let known =
                told[member].as_array().into_iter().flatten().find(|known| known["IndexName"] == json!(index.name));
            let figures = known.map(|known| (known["ItemCount"].clone(), known["IndexSizeBytes"].clone()));
            if figures != Some((json!(entries.len()), json!(bytes(&mut entries.iter())))) {
                return Err(format!(
                    "index {} has {} entries, and is described as {figures:?}",
                    index.name,
                    entries.len()
                ));
            }
        }
        if schema.stream.is_some() { self.finish_stream(table, &told["LatestStreamArn"].clone()) } else { Ok(()) }
    }

    fn finish_stream(&mut self, table: usize, arn: &Json) -> Result<(), String> {
        let description = self.must("DescribeStream", &json!({"StreamArn": arn}))?;
        let shards = description["StreamDescription"]["Shards"].as_array().cloned().unwrap_or_default();
        let mut actual = Vec::new();
        for shard in shards {
            let request = json!({"StreamArn": arn, "ShardId": shard["ShardId"], "ShardIteratorType": "TRIM_HORIZON"});
            let mut iterator = self.must("GetShardIterator", &request)?["ShardIterator"].clone();
            loop {
                let answer = self.must("GetRecords", &json!({"ShardIterator": iterator, "Limit": 7}))?;
                let records = answer["Records"].as_array().cloned().unwrap_or_default();
                let done = records.is_empty() || answer["NextShardIterator"].is_null();
                actual.extend(records);
                iterator = answer["NextShardIterator"].clone();
                if done {
                    break;
                }
            }
        }
        let mut numbers: Vec<&str> =
            actual.iter().filter_map(|record| record["dynamodb"]["SequenceNumber"].as_str()).collect();
        if numbers.len() != actual.len() || !numbers.is_sorted() || {
            numbers.dedup();
            numbers.len() != actual.len()
        } {
            return Err("sequence numbers do not ascend".to_owned());
        }
        let mut actual = actual.into_iter().map(|record| ordered_text(&bare(record)));
        for group in self.reference.records(table) {
            let mut wanted: Vec<String> = group.into_iter().map(|record| ordered_text(&canonical(record))).collect();
            let mut found: Vec<String> = actual.by_ref().take(wanted.len()).collect();
            wanted.sort();
            found.sort();
            if wanted != found {
                return Err(format!("stream records\nexpected {wanted:#?}\nactual   {found:#?}"));
            }
        }
        match actual.next() {
            Some(record) => Err(format!("an unexpected stream record: {record}")),
            None => Ok(()),
        }
    }
}

/// A record without what only the database can know.
fn bare(record: Json) -> Json {
    let mut record = canonical(record);
    if let Some(change) = record["dynamodb"].as_object_mut() {
        change.remove("SequenceNumber");
    }
    if let Some(members) = record.as_object_mut() {
        for name in ["eventID", "eventVersion", "eventSource", "awsRegion"] {
            members.remove(name);
        }
    }
    record
}

fn told(expected: &Result<Json, Fault>) -> String {
    match expected {
        Ok(answer) => format!("200 {answer}"),
        Err(fault) => format!("{fault:?}"),
    }
}

/// Whether an answer is the expected one.
fn same(expected: &Result<Json, Fault>, actual: &Answer) -> Result<(), String> {
    match expected {
        Ok(expected) if actual.status == 200 => {
            let mut actual = actual.body.clone();
            // What the reference does not tell is not compared.
            if expected.get("ConsumedCapacity").is_none() {
                actual.as_object_mut().map(|answer| answer.remove("ConsumedCapacity"));
            }
            differ("", &unordered(canonical(expected.clone())), &unordered(canonical(actual)))
        }
        Err(fault) if actual.status == 400 => {
            let either = ["ValidationException", "TransactionCanceledException"];
            if fault.kind == "*" && actual.exception().is_some_and(|kind| either.contains(&kind)) {
                return Ok(());
            }
            if actual.exception() != Some(fault.kind) {
                return Err("another exception".to_owned());
            }
            if fault.message.is_some() && fault.message.as_deref() != actual.message() {
                return Err("another message".to_owned());
            }
            fault.extra.as_object().into_iter().flatten().try_for_each(|(name, expected)| {
                differ(name, &canonical(expected.clone()), &canonical(actual.body[name].clone()))
            })
        }
        _ => Err("one succeeded and one failed".to_owned()),
    }
}

/// The first place at which two answers differ; what is expected as null may be anything.
fn differ(place: &str, expected: &Json, actual: &Json) -> Result<(), String> {
    match (expected, actual) {
        (Json::Null, _) => Ok(()),
        (Json::Object(expected), Json::Object(actual)) => {
            for (name, value) in expected {
                differ(&format!("{place}.{name}"), value, actual.get(name).unwrap_or(&Json::Bool(false)))?;
            }
            match actual.keys().find(|name| !expected.contains_key(*name)) {
                Some(name) => Err(format!("unexpected {place}.{name}")),
                None => Ok(()),
            }
        }
        (Json::Array(expected), Json::Array(actual)) if expected.len() == actual.len() => expected
            .iter()
            .zip(actual)
            .enumerate()
            .try_for_each(|(number, (expected, actual))| differ(&format!("{place}[{number}]"), expected, actual)),
        _ if expected == actual => Ok(()),
        _ => Err(format!("at {place}: expected {expected}, actual {actual}")),
    }
}

/// Sets in one order, all numbers as floats, transactions' split of units left out.
fn canonical(json: Json) -> Json {
    match json {
        Json::Object(members) => members
            .into_iter()
            .filter(|(name, _)| name != "ReadCapacityUnits" && name != "WriteCapacityUnits")
            .map(|(name, value)| {
                let mut value = canonical(value);
                if matches!(name.as_str(), "SS" | "NS" | "BS")
                    && let Json::Array(set) = &mut value
                {
                    set.sort_by_key(Json::to_string);
                }
                (name, value)
            })
            .collect(),
        Json::Array(list) => list.into_iter().map(canonical).collect(),
        Json::Number(number) => json!(number.as_f64()),
        other => other,
    }
}

/// Answers of BatchGetItem may come in any order, and so may the tables of a capacity report.
fn unordered(mut answer: Json) -> Json {
    if let Some(tables) = answer.get_mut("Responses").and_then(Json::as_object_mut) {
        for (_, items) in tables {
            if let Json::Array(items) = items {
                items.sort_by_key(ordered_text);
            }
        }
    }
    if let Some(Json::Array(reports)) = answer.get_mut("ConsumedCapacity") {
        reports.sort_by_key(|report| report["TableName"].to_string());
    }
    answer
}

/// Text that is the same for objects that differ only in the order of their members.
fn ordered_text(json: &Json) -> String {
    match json {
        Json::Object(members) => {
            let mut members: Vec<String> = members
                .iter()
                .map(|(name, value)| format!("{}:{}", Json::from(name.as_str()), ordered_text(value)))
                .collect();
            members.sort();
            format!("{{{}}}", members.join(","))
        }
        Json::Array(list) => format!("[{}]", list.iter().map(ordered_text).collect::<Vec<_>>().join(",")),
        other => other.to_string(),
    }
}

/// Writes some numbers in another way that means the same.
fn respell(rng: &mut fastrand::Rng, json: &mut Json) {
    match json {
        Json::Object(members) => {
            for (name, value) in members.iter_mut() {
                match (name.as_str(), value) {
                    ("N", Json::String(text)) if rng.u32(0..4) == 0 => {
                        *text = match rng.u32(0..4) {
                            0 if !text.starts_with('-') => format!("+{text}"),
                            1 if text.contains('.') => format!("{text}00"),
                            2 => format!("{text}E0"),
                            3 if !text.starts_with('-') => format!("000{text}"),
                            _ => text.clone(),
                        };
                    }
                    (_, value) => respell(rng, value),
                }
            }
        }
        Json::Array(list) => list.iter_mut().for_each(|value| respell(rng, value)),
        _ => {}
    }
}
