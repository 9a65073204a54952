//! Stream records and expiry, naively.

use serde_json::{Value as Json, json};

use super::schema::Schema;
use super::value::{Document, Value, size, to_json};
use super::{Reference, identity};

const DAY_MS: i64 = 24 * 60 * 60 * 1000;
const FIVE_YEARS_SECONDS: i64 = 5 * 365 * 24 * 60 * 60;

/// What happened to one item.
#[derive(Debug, Clone)]
pub struct Record {
    pub(crate) created_ms: i64,
    pub(crate) by_time_to_live: bool,
    pub(crate) keys: Document,
    pub(crate) old: Option<Document>,
    pub(crate) new: Option<Document>,
}

impl Record {
    /// The record as GetRecords shows it, without ids and numbers.
    #[must_use]
    pub fn json(&self, view: &str) -> Json {
        let event = match (&self.old, &self.new) {
            (None, _) => "INSERT",
            (Some(_), Some(_)) => "MODIFY",
            (Some(_), None) => "REMOVE",
        };
        let mut bytes = size(&self.keys);
        let mut change = json!({
            "ApproximateCreationDateTime": self.created_ms.div_euclid(1000),
            "Keys": to_json(&self.keys),
            "StreamViewType": view,
        });
        let shows = |image: &str| view == image || view == "NEW_AND_OLD_IMAGES";
        for (wanted, member, image) in
            [(shows("NEW_IMAGE"), "NewImage", &self.new), (shows("OLD_IMAGE"), "OldImage", &self.old)]
        {
            if let Some(image) = image.as_ref().filter(|_| wanted) {
                bytes += size(image);
                change[member] = to_json(image);
            }
        }
        change["SizeBytes"] = json!(bytes);
        let mut record = json!({"eventName": event, "dynamodb": change});
        if self.by_time_to_live {
            record["userIdentity"] = json!({"PrincipalId": "dynamodb.amazonaws.com", "Type": "Service"});
        }
        record
    }
}

impl Reference {
    /// The records of a table's stream that are not older than a day, in groups without inner order.
    #[must_use]
    pub fn records(&self, table: usize) -> Vec<Vec<Json>> {
        let Some(view) = self.tables[table].stream else { return Vec::new() };
        let kept = |record: &&Record| record.created_ms > self.now_ms - DAY_MS;
        let groups = self.contents[table].records.iter();
        groups.map(|group| group.iter().filter(kept).map(|record| record.json(view)).collect()).collect()
    }

    /// Removes what has expired.
    pub fn tick(&mut self) {
        let now = self.now_ms.div_euclid(1000);
        for table in 0..self.tables.len() {
            let schema = self.tables[table].clone();
            let Some(attribute) = &schema.time_to_live else { continue };
            let expired = |item: &&Document| match item.get(attribute) {
                Some(Value::N(second)) => second
                    .seconds()
                    .is_some_and(|second| second > 0 && second <= now && second > now - FIVE_YEARS_SECONDS),
                _ => false,
            };
            let dead: Vec<Document> = self.items(table).filter(expired).cloned().collect();
            let group = dead.into_iter().map(|item| self.expire(table, &schema, item)).collect();
            self.contents[table].records.push(group);
        }
    }

    fn expire(&mut self, table: usize, schema: &Schema, item: Document) -> Record {
        let keys = schema.key_of(&item);
        self.contents[table].items.remove(&identity(&keys));
        Record { created_ms: self.now_ms, by_time_to_live: true, keys, old: Some(item), new: None }
    }
}
