//! Writes, naively: alone, in batches, in transactions.

use serde_json::{Value as Json, json};

use super::evaluate::{self, holds, project};
use super::request::{Action, Returns, Write};
use super::schema::{Index, Key, Schema, fits};
use super::stream::Record;
use super::value::{Document, Value, size, to_json};
use super::{Fault, Reference, identity};

const TOKEN_MS: i64 = 10 * 60 * 1000;
const ITEM_BYTES: usize = 400 * 1024;

/// What a write did.
struct Done {
    old: Option<Document>,
    new: Option<Document>,
}

/// Why a write was not done.
enum Refusal {
    Condition(Option<Document>),
    Invalid(Fault),
}

/// Units a write consumed: of the table, and of each index.
struct Units {
    table: f64,
    indexes: Vec<f64>,
}

impl Reference {
    /// Rules that need no stored item.
    fn check(&self, write: &Write) -> Result<(), Fault> {
        let schema = &self.tables[write.table];
        match &write.action {
            Action::Put(item) => check_item(schema, item),
            Action::Update(key, update) => {
                let written = |name: &str| update.iter().flat_map(|u| u.targets()).any(|path| path.attribute == name);
                if let Some(hit) = schema.keys().find(|part| written(&part.name)) {
                    let name = &hit.name;
                    return Err(Fault::invalid(format!(
                        "One or more parameter values were invalid: Cannot update attribute {name}. This attribute is part of the key"
                    )));
                }
                let index_keys = schema.indexes.iter().flat_map(|index| index.partition.iter().chain(&index.sort));
                if let Some(update) = update
                    && index_keys.into_iter().any(|part| update.gives(&part.name).any(|kind| kind != part.kind))
                {
                    return Err(Fault::invalid_somehow());
                }
                check_key(schema, key)
            }
            Action::Delete(key) | Action::Check(key) => check_key(schema, key),
        }
    }

    fn key(&self, write: &Write) -> Document {
        match &write.action {
            Action::Put(item) => self.tables[write.table].key_of(item),
            Action::Update(key, _) | Action::Delete(key) | Action::Check(key) => key.clone(),
        }
    }

    /// What the write makes of the stored item.
    fn plan(&self, write: &Write) -> Result<Done, Refusal> {
        let schema = &self.tables[write.table];
        let key = self.key(write);
        let old = self.contents[write.table].items.get(&identity(&key)).cloned();
        let nothing = Document::new();
        if write.condition.as_ref().is_some_and(|condition| !holds(condition, old.as_ref().unwrap_or(&nothing))) {
            return Err(Refusal::Condition(old));
        }
        let new = match &write.action {
            Action::Put(item) => Some(item.clone()),
            Action::Delete(_) => None,
            Action::Check(_) => old.clone(),
            Action::Update(_, None) => Some(old.clone().unwrap_or(key)),
            Action::Update(_, Some(update)) => {
                // What only takes away makes no item, and cannot fail on one that is not there.
                if old.is_none() && update.set.is_empty() && update.add.is_empty() {
                    return Ok(Done { old: None, new: None });
                }
                let base = old.clone().unwrap_or(key);
                let new = evaluate::update(&base, update).map_err(|errors| {
                    Refusal::Invalid(match errors.as_slice() {
                        [error] => Fault::invalid(error.to_string()),
                        _ => Fault::invalid_somehow(),
                    })
                })?;
                check_updated(schema, &new).map_err(Refusal::Invalid)?;
                Some(new)
            }
        };
        Ok(Done { old, new })
    }

    fn apply(&mut self, write: &Write, done: &Done) -> Option<Record> {
        let key = self.key(write);
        if done.old == done.new {
            return None;
        }
        let items = &mut self.contents[write.table].items;
        match &done.new {
            Some(item) => items.insert(identity(&key), item.clone()),
            None => items.remove(&identity(&key)),
        };
        let (old, new) = (done.old.clone(), done.new.clone());
        Some(Record { created_ms: self.now_ms, by_time_to_live: false, keys: key, old, new })
    }

    fn units(&self, write: &Write, done: &Done) -> Units {
        let schema = &self.tables[write.table];
        let (old, new) = (done.old.as_ref(), done.new.as_ref());
        let larger = old.map_or(0, size).max(new.map_or(0, size));
        let indexes = schema.indexes.iter().map(|index| {
            let entry = |item: Option<&Document>| item.and_then(|item| schema.entry(index, item));
            let place = |entry: &Document| {
                let parts = index.partition.iter().chain(&index.sort);
                parts.map(|key| entry[&key.name].clone()).collect::<Vec<_>>()
            };
            match (entry(old), entry(new)) {
                (None, None) => 0.0,
                (Some(old), Some(new)) if old == new => 0.0,
                (Some(old), Some(new)) if place(&old) == place(&new) => write_units(size(&old).max(size(&new))),
                (old, new) => {
                    old.map_or(0.0, |entry| write_units(size(&entry)))
                        + new.map_or(0.0, |entry| write_units(size(&entry)))
                }
            }
        });
        Units { table: write_units(larger), indexes: indexes.collect() }
    }

    pub(super) fn write_one(&mut self, write: &Write) -> Result<Json, Fault> {
        self.check(write)?;
        let done = self.plan(write).map_err(|refusal| match refusal {
            Refusal::Invalid(fault) => fault,
            Refusal::Condition(found) => {
                let item = found.filter(|_| write.item_on_failure);
                Fault {
                    kind: "ConditionalCheckFailedException",
                    message: Some("The conditional request failed".to_owned()),
                    extra: item.map_or(json!({}), |item| json!({"Item": to_json(&item)})),
                }
            }
        })?;
        let units = self.units(write, &done);
        let record = self.apply(write, &done);
        self.contents[write.table].records.push(record.into_iter().collect());
        let mut answer = json!({"ConsumedCapacity": self.capacity(write.table, &units)});
        if let Some(attributes) = returned(write, &done) {
            answer["Attributes"] = to_json(&attributes);
        }
        Ok(answer)
    }

    pub(super) fn batch_write(&mut self, writes: &[Write]) -> Result<Json, Fault> {
        for write in writes {
            self.check(write).map_err(|_| Fault::invalid_somehow())?;
        }
        self.check_distinct(writes, "Provided list of item keys contains duplicates")?;
        let units = self.all(writes, 1.0).map_err(|_| Fault::invalid_somehow())?;
        Ok(json!({"UnprocessedItems": {}, "ConsumedCapacity": units}))
    }

    fn check_distinct(&self, writes: &[Write], sentence: &str) -> Result<(), Fault> {
        let mut seen = std::collections::BTreeSet::new();
        if writes.iter().all(|write| seen.insert((write.table, identity(&self.key(write))))) {
            return Ok(());
        }
        Err(Fault::invalid(sentence))
    }

    /// Does all writes, or none.
    fn all(&mut self, writes: &[Write], factor: f64) -> Result<Json, Vec<Option<Refusal>>> {
        let plans: Vec<Result<Done, Refusal>> = writes.iter().map(|write| self.plan(write)).collect();
        if plans.iter().any(Result::is_err) {
            return Err(plans.into_iter().map(Result::err).collect());
        }
        let mut by_table: Vec<(usize, Units)> = Vec::new();
        let mut groups: Vec<(usize, Vec<Record>)> = Vec::new();
        for (write, done) in writes.iter().zip(plans.into_iter().flatten()) {
            let mut units = self.units(write, &done);
            units.table *= factor;
            units.indexes.iter_mut().for_each(|of_index| *of_index *= factor);
            match by_table.iter_mut().find(|(table, _)| *table == write.table) {
                Some((_, sum)) => {
                    sum.table += units.table;
                    sum.indexes.iter_mut().zip(units.indexes).for_each(|(sum, more)| *sum += more);
                }
                None => by_table.push((write.table, units)),
            }
            let record = self.apply(write, &done);
            match groups.iter_mut().find(|(table, _)| *table == write.table) {
                Some((_, group)) => group.extend(record),
                None => groups.push((write.table, record.into_iter().collect())),
            }
        }
        for (table, group) in groups {
            self.contents[table].records.push(group);
        }
        Ok(by_table.iter().map(|(table, units)| self.capacity(*table, units)).collect())
    }

    pub(super) fn transact_write(&mut self, writes: &[Write], token: Option<&str>) -> Result<Json, Fault> {
        // Some broken rules cancel the transaction and some refuse it; scripts say which, here either will do.
        if writes.iter().any(|write| self.check(write).is_err()) {
            return Err(Fault { kind: "*", message: None, extra: json!({}) });
        }
        self.check_distinct(writes, "Transaction request cannot include multiple operations on one item")?;
        // The trees of a request say all there is to say about it.
        let request = format!("{writes:?}");
        if let Some((known, expires_ms)) = token.and_then(|token| self.tokens.get(token))
            && *expires_ms > self.now_ms
        {
            if *known == request {
                return Ok(json!({}));
            }
            return Err(Fault { kind: "IdempotentParameterMismatchException", message: None, extra: json!({}) });
        }
        let units = self.all(writes, 2.0).map_err(|refusals| cancelled(writes, refusals))?;
        if let Some(token) = token {
            self.tokens.insert(token.to_owned(), (request, self.now_ms + TOKEN_MS));
        }
        Ok(json!({"ConsumedCapacity": units}))
    }

    fn capacity(&self, table: usize, units: &Units) -> Json {
        let schema = &self.tables[table];
        let total = units.table + units.indexes.iter().sum::<f64>();
        let mut report = json!({
            "TableName": schema.name,
            "CapacityUnits": total,
            "Table": {"CapacityUnits": units.table},
        });
        for (index, of_index) in schema.indexes.iter().zip(&units.indexes).filter(|(_, units)| **units > 0.0) {
            let member = if index.global { "GlobalSecondaryIndexes" } else { "LocalSecondaryIndexes" };
            report[member][&index.name] = json!({"CapacityUnits": of_index});
        }
        report
    }
}

fn cancelled(writes: &[Write], refusals: Vec<Option<Refusal>>) -> Fault {
    let reasons = writes.iter().zip(refusals).map(|(write, refusal)| match refusal {
        None => json!({"Code": "None"}),
        Some(Refusal::Condition(found)) => {
            let mut reason = json!({"Code": "ConditionalCheckFailed", "Message": "The conditional request failed"});
            if let Some(item) = found.filter(|_| write.item_on_failure) {
                reason["Item"] = to_json(&item);
            }
            reason
        }
        Some(Refusal::Invalid(fault)) => json!({"Code": "ValidationError", "Message": fault.message}),
    });
    Fault {
        kind: "TransactionCanceledException",
        message: None,
        extra: json!({"CancellationReasons": reasons.collect::<Vec<_>>()}),
    }
}

fn returned(write: &Write, done: &Done) -> Option<Document> {
    let Action::Update(_, update) = &write.action else {
        return done.old.clone().filter(|_| write.returns == Returns::AllOld);
    };
    let targets = update.iter().flat_map(|update| update.targets()).collect::<Vec<_>>();
    let only = |image: &Option<Document>| {
        let kept = project(image.as_ref()?, targets.iter().copied());
        (!kept.is_empty()).then_some(kept)
    };
    match write.returns {
        Returns::None => None,
        Returns::AllOld => done.old.clone(),
        Returns::AllNew => done.new.clone(),
        Returns::UpdatedOld => only(&done.old),
        Returns::UpdatedNew => only(&done.new),
    }
}

fn write_units(bytes: usize) -> f64 {
    bytes.div_ceil(1024).max(1) as f64
}

fn check_item(schema: &Schema, item: &Document) -> Result<(), Fault> {
    for key in schema.keys() {
        let name = &key.name;
        match item.get(name) {
            None => {
                return Err(Fault::invalid(format!(
                    "One or more parameter values were invalid: Missing the key {name} in the item"
                )));
            }
            Some(value) if !fits(key, value) => {
                return Err(Fault::invalid(format!(
                    "One or more parameter values were invalid: Type mismatch for key {name} expected: {} actual: {}",
                    key.kind,
                    value.kind()
                )));
            }
            Some(_) => {}
        }
    }
    check_full(schema.keys(), item)?;
    for index in &schema.indexes {
        for key in index.partition.iter().chain(&index.sort) {
            let Some(value) = item.get(&key.name) else { continue };
            if !fits(key, value) {
                // Several indexes may be hurt at once; which one is named is not promised.
                return Err(Fault::invalid_somehow());
            }
            if value.is_empty() {
                return Err(Fault::invalid_somehow());
            }
        }
    }
    check_lengths(schema, item)?;
    if size(item) > ITEM_BYTES {
        return Err(Fault::invalid("Item size has exceeded the maximum allowed size"));
    }
    Ok(())
}

fn check_key(schema: &Schema, key: &Document) -> Result<(), Fault> {
    let fitting = schema.keys().filter(|part| key.get(&part.name).is_some_and(|value| fits(part, value))).count();
    if fitting != schema.keys().count() || key.len() != fitting {
        return Err(Fault::invalid("The provided key element does not match the schema"));
    }
    check_full(schema.keys(), key)
}

fn check_full<'k>(mut keys: impl Iterator<Item = &'k Key>, item: &Document) -> Result<(), Fault> {
    let Some(key) = keys.find(|key| item.get(&key.name).is_some_and(Value::is_empty)) else {
        return Ok(());
    };
    let word = if key.kind == "B" { "binary" } else { "string" };
    Err(Fault::invalid(format!(
        "One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty {word} value. Key: {}",
        key.name
    )))
}

fn check_updated(schema: &Schema, new: &Document) -> Result<(), Fault> {
    for key in schema.indexes.iter().flat_map(|index| index.partition.iter().chain(&index.sort)) {
        if new.get(&key.name).is_some_and(|value| !fits(key, value) || value.is_empty()) {
            return Err(Fault::invalid_somehow());
        }
    }
    check_lengths(schema, new)?;
    if size(new) > ITEM_BYTES {
        return Err(Fault::invalid("Item size to update has exceeded the maximum allowed size"));
    }
    Ok(())
}

/// Index keys have the lengths of keys.
fn check_lengths(schema: &Schema, item: &Document) -> Result<(), Fault> {
    let total = |keys: &[Key]| keys.iter().filter_map(|key| item.get(&key.name)).map(Value::size).sum::<usize>();
    let too_long = |index: &Index| total(&index.partition) > 2048 || total(&index.sort) > 1024;
    if schema.indexes.iter().any(too_long) { Err(Fault::invalid_somehow()) } else { Ok(()) }
}
