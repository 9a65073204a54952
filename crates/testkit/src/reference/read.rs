//! Reads, naively: single items, batches, and everything that a Query or Scan would pass on its way.

use std::cmp::Ordering;

use serde_json::{Value as Json, json};

use super::evaluate::{holds, project};
use super::request::{Get, Read};
use super::schema::{Index, Key, Projection, Schema, fits};
use super::value::{Document, size, to_json};
use super::{Fault, Reference, identity};

/// One entry that a Query or Scan passes.
#[derive(Debug, Clone)]
pub struct Passed {
    /// The entry as the table or index holds it.
    pub entry: Document,
    /// The whole item, when it has to be fetched for a local index.
    pub fetched: Option<Document>,
    /// What is returned; `None` if the filter holds it back.
    pub returned: Option<Document>,
}

impl Reference {
    fn stored(&self, get: &Get) -> Result<Option<&Document>, Fault> {
        let schema = &self.tables[get.table];
        let fitting =
            schema.keys().filter(|part| get.key.get(&part.name).is_some_and(|value| fits(part, value))).count();
        if fitting != schema.keys().count() || get.key.len() != fitting {
            return Err(Fault::invalid("The provided key element does not match the schema"));
        }
        if get.key.values().any(super::value::Value::is_empty) {
            return Err(Fault::invalid_somehow());
        }
        Ok(self.contents[get.table].items.get(&identity(&get.key)))
    }

    pub(super) fn get(&self, get: &Get) -> Result<Json, Fault> {
        let found = self.stored(get)?;
        let units = read_units(found.map_or(0, size), get.consistent);
        let mut answer = json!({
            "ConsumedCapacity": {"TableName": self.tables[get.table].name, "CapacityUnits": units}
        });
        if let Some(item) = found {
            answer["Item"] = to_json(&wanted(item, &get.projection));
        }
        Ok(answer)
    }

    /// Which of several broken rules is told is not promised, nor whether a transaction is cancelled or refused.
    fn check_gets(&self, gets: &[Get]) -> Result<(), Fault> {
        let wrong = gets.iter().any(|get| self.stored(get).is_err());
        if wrong { Err(Fault { kind: "*", message: None, extra: json!({}) }) } else { Ok(()) }
    }

    pub(super) fn batch_get(&self, gets: &[Get]) -> Result<Json, Fault> {
        self.check_gets(gets)?;
        let mut responses = json!({});
        let mut units: Vec<(usize, f64)> = Vec::new();
        let mut seen = std::collections::BTreeSet::new();
        let mut twice = false;
        for get in gets {
            let found = self.stored(get)?;
            twice |= !seen.insert((get.table, identity(&get.key)));
            let name = &self.tables[get.table].name;
            if responses[name].is_null() {
                responses[name] = json!([]);
            }
            // Projection and consistency are the table's: those of its first key.
            let first = gets.iter().find(|first| first.table == get.table).unwrap_or(get);
            if let Some(item) = found {
                responses[name].as_array_mut().expect("made above").push(to_json(&wanted(item, &first.projection)));
            }
            let more = read_units(found.map_or(0, size), first.consistent);
            match units.iter_mut().find(|(table, _)| *table == get.table) {
                Some((_, sum)) => *sum += more,
                None => units.push((get.table, more)),
            }
        }
        if twice {
            return Err(Fault::invalid("Provided list of item keys contains duplicates"));
        }
        let units =
            units.iter().map(|(table, units)| json!({"TableName": self.tables[*table].name, "CapacityUnits": units}));
        Ok(json!({
            "Responses": responses,
            "UnprocessedKeys": {},
            "ConsumedCapacity": units.collect::<Vec<_>>(),
        }))
    }

    pub(super) fn transact_get(&self, gets: &[Get]) -> Result<Json, Fault> {
        self.check_gets(gets)?;
        let mut responses = Vec::new();
        let mut units: Vec<(usize, f64)> = Vec::new();
        let mut seen = std::collections::BTreeSet::new();
        let mut twice = false;
        for get in gets {
            let found = self.stored(get)?;
            twice |= !seen.insert((get.table, identity(&get.key)));
            responses.push(found.map_or(json!({}), |item| json!({"Item": to_json(&wanted(item, &get.projection))})));
            let more = 2.0 * read_units(found.map_or(0, size), true);
            match units.iter_mut().find(|(table, _)| *table == get.table) {
                Some((_, sum)) => *sum += more,
                None => units.push((get.table, more)),
            }
        }
        if twice {
            return Err(Fault::invalid("Transaction request cannot include multiple operations on one item"));
        }
        let units =
            units.iter().map(|(table, units)| json!({"TableName": self.tables[*table].name, "CapacityUnits": units}));
        Ok(json!({"Responses": responses, "ConsumedCapacity": units.collect::<Vec<_>>()}))
    }

    /// Everything that a Query or Scan passes, in order; a Scan's order and that of equal index keys mean nothing.
    pub fn read(&self, read: &Read) -> Result<Vec<Passed>, Fault> {
        let schema = &self.tables[read.table];
        let index = read.index(schema);
        if read.consistent && index.is_some_and(|index| index.global) {
            return Err(Fault::invalid("Consistent reads are not supported on global secondary indexes"));
        }
        let fetches = check_projected(schema, index, read)?;
        let conditions = read.key_conditions(schema);
        let mut passed = Vec::new();
        for item in self.items(read.table) {
            let entry = match index {
                Some(index) => schema.entry(index, item),
                None => Some(item.clone()),
            };
            let Some(entry) = entry.filter(|entry| conditions.iter().all(|condition| holds(condition, entry))) else {
                continue;
            };
            let fetched = fetches.then(|| item.clone());
            let seen = fetched.as_ref().unwrap_or(&entry);
            let kept = read.filter.as_ref().is_none_or(|filter| holds(filter, seen));
            let returned = kept.then(|| wanted(seen, &read.projection));
            passed.push(Passed { entry, fetched, returned });
        }
        if read.partition.is_some() {
            passed.sort_by(|left, right| order(schema, index, &left.entry, &right.entry));
            if !read.forward {
                passed.reverse();
            }
        }
        Ok(passed)
    }

    /// One page of a read whose order is known.
    pub(super) fn page(&self, read: &Read) -> Result<Json, Fault> {
        let schema = &self.tables[read.table];
        let index = read.index(schema);
        let mut passed = self.read(read)?;
        if let Some(start) = &read.start {
            if read.key_conditions(schema).iter().any(|condition| !holds(condition, start)) {
                return Err(Fault::invalid_somehow());
            }
            let after = if read.forward { Ordering::Greater } else { Ordering::Less };
            passed.retain(|passed| order(schema, index, &passed.entry, start) == after);
        }
        Ok(self.page_json(read, &passed[..passed.len().min(read.limit.unwrap_or(usize::MAX))]))
    }

    /// What a page of these entries looks like.
    #[must_use]
    pub fn page_json(&self, read: &Read, page: &[Passed]) -> Json {
        let schema = &self.tables[read.table];
        let index = read.index(schema);
        let items: Vec<Json> = page.iter().filter_map(|passed| passed.returned.as_ref()).map(to_json).collect();
        let mut answer = json!({
            "Count": items.len(),
            "ScannedCount": page.len(),
            "ConsumedCapacity": self.page_capacity(read, page),
        });
        if !read.count_only {
            answer["Items"] = json!(items);
        }
        if let Some(last) = page.last().filter(|_| Some(page.len()) == read.limit) {
            answer["LastEvaluatedKey"] = to_json(&schema.page_key(index, &last.entry));
        }
        answer
    }

    fn page_capacity(&self, read: &Read, page: &[Passed]) -> Json {
        let schema = &self.tables[read.table];
        let of_entries = read_units(page.iter().map(|passed| size(&passed.entry)).sum(), read.consistent);
        let fetched = page.iter().filter_map(|passed| passed.fetched.as_ref());
        let of_fetches: f64 = fetched.map(|item| read_units(size(item), read.consistent)).sum();
        let mut report = json!({"TableName": schema.name, "CapacityUnits": of_entries + of_fetches});
        match read.index(schema) {
            None => report["Table"] = json!({"CapacityUnits": of_entries}),
            Some(index) => {
                let member = if index.global { "GlobalSecondaryIndexes" } else { "LocalSecondaryIndexes" };
                report["Table"] = json!({"CapacityUnits": of_fetches});
                report[member] = json!({ &index.name: {"CapacityUnits": of_entries} });
            }
        }
        report
    }
}

fn wanted(item: &Document, paths: &[super::expression::Path]) -> Document {
    if paths.is_empty() { item.clone() } else { project(item, paths.iter()) }
}

/// Half a unit per 4 KB, or a whole one; reading nothing costs as much as something small.
#[must_use]
pub fn read_units(bytes: usize, consistent: bool) -> f64 {
    bytes.div_ceil(4096).max(1) as f64 * if consistent { 1.0 } else { 0.5 }
}

/// Whether whole items must be fetched for the entries of a local index.
fn check_projected(schema: &Schema, index: Option<&Index>, read: &Read) -> Result<bool, Fault> {
    let Some(index) = index else { return Ok(false) };
    let holds = |name: &str| {
        let is_key = index.partition.iter().chain(&index.sort).chain(schema.keys()).any(|key| key.name == name);
        is_key
            || match &index.projection {
                Projection::All => true,
                Projection::KeysOnly => false,
                Projection::Include(names) => names.iter().any(|kept| kept == name),
            }
    };
    let lacks = read.projection.iter().any(|path| !holds(&path.attribute));
    if lacks && index.global { Err(Fault::invalid_somehow()) } else { Ok(lacks) }
}

/// The order of a Query: by the sort key that is read, then by the table's own.
fn order(schema: &Schema, index: Option<&Index>, left: &Document, right: &Document) -> Ordering {
    let own: &[Key] = index.map_or(&[], |index| &index.sort);
    let keys = own.iter().chain(&schema.sort);
    let orders = keys.map(|key| left[&key.name].order(&right[&key.name]).expect("keys have one type"));
    orders.fold(Ordering::Equal, Ordering::then)
}

/// Whether a Query's order is known down to the last item.
#[must_use]
pub fn is_ordered(schema: &Schema, read: &Read) -> bool {
    read.partition.is_some() && read.index(schema).is_none_or(|index| !index.global)
}

/// The part of an entry that a Query orders by.
#[must_use]
pub fn sort_key(index: &Index, entry: &Document) -> Vec<Json> {
    index.sort.iter().map(|key| entry.get(&key.name).map_or(Json::Null, super::value::Value::to_json)).collect()
}
