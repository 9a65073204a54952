//! Requests as the reference takes them: trees instead of text, and each prints itself as DynamoDB's JSON.

use serde_json::{Value as Json, json};

use super::expression::{Condition, Path, Printer, Update};
use super::schema::Schema;
use super::value::{Document, Value, to_json};

/// What a write returns of the item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names are DynamoDB's")]
pub enum Returns {
    None,
    AllOld,
    UpdatedOld,
    AllNew,
    UpdatedNew,
}

impl Returns {
    /// All of them.
    pub const ALL: [Returns; 5] =
        [Returns::None, Returns::AllOld, Returns::UpdatedOld, Returns::AllNew, Returns::UpdatedNew];

    fn text(self) -> &'static str {
        match self {
            Returns::None => "NONE",
            Returns::AllOld => "ALL_OLD",
            Returns::UpdatedOld => "UPDATED_OLD",
            Returns::AllNew => "ALL_NEW",
            Returns::UpdatedNew => "UPDATED_NEW",
        }
    }
}

/// What one write does.
#[derive(Debug, Clone)]
#[allow(missing_docs, reason = "the names are DynamoDB's")]
pub enum Action {
    Put(Document),
    Update(Document, Option<Update>),
    Delete(Document),
    Check(Document),
}

/// One write, alone or in a transaction.
#[derive(Debug, Clone)]
pub struct Write {
    /// The table.
    pub table: usize,
    /// What to do.
    pub action: Action,
    /// Must hold.
    pub condition: Option<Condition>,
    /// What to return.
    pub returns: Returns,
    /// Whether a failed condition returns the item.
    pub item_on_failure: bool,
}

/// One read of one item.
#[derive(Debug, Clone)]
pub struct Get {
    /// The table.
    pub table: usize,
    /// The key.
    pub key: Document,
    /// What to return, or everything.
    pub projection: Vec<Path>,
    /// Whether it is consistent.
    pub consistent: bool,
}

/// Which sort keys a Query reads.
#[derive(Debug, Clone)]
#[allow(missing_docs, reason = "the names are DynamoDB's")]
pub enum Range {
    Equal(Value),
    Less(Value),
    LessOrEqual(Value),
    Greater(Value),
    GreaterOrEqual(Value),
    Between(Value, Value),
    BeginsWith(Value),
}

/// A Query or Scan: a Query has a partition.
#[derive(Debug, Clone)]
pub struct Read {
    /// The table.
    pub table: usize,
    /// The index, by its place.
    pub index: Option<usize>,
    /// The partition key of a Query.
    pub partition: Option<Vec<Value>>,
    /// Conditions on the sort key from the left.
    pub ranges: Vec<Range>,
    /// Which items to return.
    pub filter: Option<Condition>,
    /// What to return of them, or everything.
    pub projection: Vec<Path>,
    /// Whether only their number is wanted.
    pub count_only: bool,
    /// The order.
    pub forward: bool,
    /// Items per page.
    pub limit: Option<usize>,
    /// Whether it is consistent.
    pub consistent: bool,
    /// Where to start, for reads whose order is known.
    pub start: Option<Document>,
    /// Into how many segments a Scan is split.
    pub segments: Option<usize>,
}

/// A request of several kinds.
#[derive(Debug, Clone)]
#[allow(missing_docs, reason = "the names are DynamoDB's")]
pub enum Request {
    Write(Write),
    Get(Get),
    Read(Read),
    BatchGet(Vec<Get>),
    BatchWrite(Vec<Write>),
    TransactGet(Vec<Get>),
    TransactWrite { writes: Vec<Write>, token: Option<String> },
}

impl Write {
    fn expressions(&self, request: &mut Json) {
        let mut printer = Printer::default();
        if let Action::Update(_, Some(update)) = &self.action {
            request["UpdateExpression"] = json!(printer.update(update).trim());
        }
        if let Some(condition) = &self.condition {
            request["ConditionExpression"] = json!(printer.condition(condition));
        }
        printer.finish(request);
        if self.item_on_failure {
            request["ReturnValuesOnConditionCheckFailure"] = json!("ALL_OLD");
        }
    }

    fn json(&self, tables: &[Schema]) -> (&'static str, Json) {
        let name = &tables[self.table].name;
        match &self.action {
            Action::Put(item) => ("Put", json!({"TableName": name, "Item": to_json(item)})),
            Action::Update(key, _) => ("Update", json!({"TableName": name, "Key": to_json(key)})),
            Action::Delete(key) => ("Delete", json!({"TableName": name, "Key": to_json(key)})),
            Action::Check(key) => ("ConditionCheck", json!({"TableName": name, "Key": to_json(key)})),
        }
    }

    /// The operation and its body.
    #[must_use]
    pub fn call(&self, tables: &[Schema]) -> (&'static str, Json) {
        let (word, mut request) = self.json(tables);
        self.expressions(&mut request);
        request["ReturnValues"] = json!(self.returns.text());
        request["ReturnConsumedCapacity"] = json!("INDEXES");
        let operation = match word {
            "Put" => "PutItem",
            "Update" => "UpdateItem",
            _ => "DeleteItem",
        };
        (operation, request)
    }

    fn in_transaction(&self, tables: &[Schema]) -> Json {
        let (word, mut request) = self.json(tables);
        self.expressions(&mut request);
        json!({ word: request })
    }
}

impl Get {
    fn json(&self, tables: &[Schema]) -> Json {
        let mut request = json!({"TableName": tables[self.table].name, "Key": to_json(&self.key)});
        projected(&self.projection, &mut request, Printer::default());
        request
    }

    fn call(&self, tables: &[Schema]) -> (&'static str, Json) {
        let mut request = self.json(tables);
        request["ConsistentRead"] = json!(self.consistent);
        request["ReturnConsumedCapacity"] = json!("TOTAL");
        ("GetItem", request)
    }
}

fn projected(paths: &[Path], request: &mut Json, mut printer: Printer) {
    if !paths.is_empty() {
        request["ProjectionExpression"] = json!(printer.projection(paths));
    }
    printer.finish(request);
}

impl Range {
    fn condition(&self, name: &str) -> Condition {
        use super::expression::{Comparator, Operand};
        let path = Path { attribute: name.to_owned(), steps: Vec::new() };
        let compare = |comparator, value: &Value| {
            Condition::Compare(Operand::Path(path.clone()), comparator, Operand::Value(value.clone()))
        };
        match self {
            Range::Equal(value) => compare(Comparator::Equal, value),
            Range::Less(value) => compare(Comparator::Less, value),
            Range::LessOrEqual(value) => compare(Comparator::LessOrEqual, value),
            Range::Greater(value) => compare(Comparator::Greater, value),
            Range::GreaterOrEqual(value) => compare(Comparator::GreaterOrEqual, value),
            Range::Between(low, high) => Condition::Between(
                Operand::Path(path.clone()),
                Operand::Value(low.clone()),
                Operand::Value(high.clone()),
            ),
            Range::BeginsWith(start) => Condition::BeginsWith(path.clone(), start.clone()),
        }
    }
}

impl Read {
    /// The index that is read.
    #[must_use]
    pub fn index<'s>(&self, schema: &'s Schema) -> Option<&'s super::schema::Index> {
        self.index.map(|place| &schema.indexes[place])
    }

    /// The condition on keys that a Query stands for.
    #[must_use]
    pub fn key_conditions(&self, schema: &Schema) -> Vec<Condition> {
        let Some(partition) = &self.partition else { return Vec::new() };
        let (names, sort): (Vec<&str>, Vec<&str>) = match self.index(schema) {
            Some(index) => (
                index.partition.iter().map(|key| key.name.as_str()).collect(),
                index.sort.iter().map(|key| key.name.as_str()).collect(),
            ),
            None => (vec![schema.partition.name.as_str()], schema.sort.iter().map(|key| key.name.as_str()).collect()),
        };
        let equal = |(name, value): (&&str, &Value)| Range::Equal(value.clone()).condition(name);
        let partition = names.iter().zip(partition).map(equal);
        partition.chain(sort.iter().zip(&self.ranges).map(|(name, range)| range.condition(name))).collect()
    }

    /// The operation and its body, from a place on and for a segment.
    #[must_use]
    pub fn call(&self, tables: &[Schema], start: Option<&Document>, segment: Option<usize>) -> (&'static str, Json) {
        let schema = &tables[self.table];
        let mut request = json!({
            "TableName": schema.name,
            "ConsistentRead": self.consistent,
            "ReturnConsumedCapacity": "INDEXES",
        });
        let mut printer = Printer::default();
        if self.partition.is_some() {
            let parts: Vec<String> = self.key_conditions(schema).iter().map(|part| printer.condition(part)).collect();
            request["KeyConditionExpression"] = json!(parts.join(" AND "));
            request["ScanIndexForward"] = json!(self.forward);
        }
        if let Some(index) = self.index(schema) {
            request["IndexName"] = json!(index.name);
        }
        if let Some(filter) = &self.filter {
            request["FilterExpression"] = json!(printer.condition(filter));
        }
        projected(&self.projection, &mut request, printer);
        if self.count_only {
            request["Select"] = json!("COUNT");
        }
        if let Some(limit) = self.limit {
            request["Limit"] = json!(limit);
        }
        if let Some(start) = start {
            request["ExclusiveStartKey"] = to_json(start);
        }
        if let (Some(segment), Some(total)) = (segment, self.segments) {
            request["Segment"] = json!(segment);
            request["TotalSegments"] = json!(total);
        }
        (if self.partition.is_some() { "Query" } else { "Scan" }, request)
    }
}

impl Request {
    /// The operation and its body. Reads of many items are called page by page instead.
    #[must_use]
    pub fn call(&self, tables: &[Schema]) -> (&'static str, Json) {
        match self {
            Request::Write(write) => write.call(tables),
            Request::Get(get) => get.call(tables),
            Request::Read(read) => read.call(tables, read.start.as_ref(), None),
            Request::BatchGet(gets) => {
                let mut request = json!({"RequestItems": {}, "ReturnConsumedCapacity": "TOTAL"});
                for get in gets {
                    let of_table = &mut request["RequestItems"][&tables[get.table].name];
                    if of_table.is_null() {
                        *of_table = json!({"Keys": [], "ConsistentRead": get.consistent});
                        projected(&get.projection, of_table, Printer::default());
                    }
                    of_table["Keys"].as_array_mut().expect("made above").push(to_json(&get.key));
                }
                ("BatchGetItem", request)
            }
            Request::BatchWrite(writes) => {
                let mut request = json!({"RequestItems": {}, "ReturnConsumedCapacity": "INDEXES"});
                for write in writes {
                    let of_table = &mut request["RequestItems"][&tables[write.table].name];
                    if of_table.is_null() {
                        *of_table = json!([]);
                    }
                    of_table.as_array_mut().expect("made above").push(match &write.action {
                        Action::Put(item) => json!({"PutRequest": {"Item": to_json(item)}}),
                        Action::Update(key, _) | Action::Delete(key) | Action::Check(key) => {
                            json!({"DeleteRequest": {"Key": to_json(key)}})
                        }
                    });
                }
                ("BatchWriteItem", request)
            }
            Request::TransactGet(gets) => {
                let gets: Vec<Json> = gets.iter().map(|get| json!({"Get": get.json(tables)})).collect();
                ("TransactGetItems", json!({"TransactItems": gets, "ReturnConsumedCapacity": "TOTAL"}))
            }
            Request::TransactWrite { writes, token } => {
                let writes: Vec<Json> = writes.iter().map(|write| write.in_transaction(tables)).collect();
                let mut request = json!({"TransactItems": writes, "ReturnConsumedCapacity": "INDEXES"});
                if let Some(token) = token {
                    request["ClientRequestToken"] = json!(token);
                }
                ("TransactWriteItems", request)
            }
        }
    }
}
