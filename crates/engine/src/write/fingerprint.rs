//! A digest of a transaction: two requests have the same one exactly when they ask for the same.

use espalier_dynamo::item::Item;
use espalier_dynamo::operation::option::{Names, Values};
use espalier_dynamo::operation::partiql::ExecuteTransaction;
use espalier_dynamo::operation::transaction::{TransactAction, TransactWriteItems};
use md5::{Digest, Md5};

/// Feeds parts into a digest so that no two sequences of parts look alike.
struct Parts(Md5);

impl Parts {
    fn bytes(&mut self, bytes: &[u8]) {
        self.0.update((bytes.len() as u64).to_le_bytes());
        self.0.update(bytes);
    }

    fn text(&mut self, text: &str) {
        self.bytes(text.as_bytes());
    }

    fn optional(&mut self, text: Option<&str>) {
        self.0.update([u8::from(text.is_some())]);
        self.text(text.unwrap_or_default());
    }

    fn item(&mut self, item: &Item) {
        self.bytes(item.as_bytes());
    }

    fn names(&mut self, names: &Names) {
        let names = names.iter().flatten();
        for (stand_in, name) in names {
            self.text(stand_in);
            self.text(name);
        }
        self.0.update([0]);
    }

    fn values(&mut self, values: &Values) {
        match values {
            Some(values) => self.item(values),
            None => self.bytes(&[]),
        }
    }
}

/// The digest of TransactWriteItems. What the answer is to contain does not count.
#[must_use]
pub fn transaction(request: &TransactWriteItems) -> [u8; 16] {
    let mut parts = Parts(Md5::new());
    for write in &request.writes {
        parts.text(&write.table_name);
        match &write.action {
            TransactAction::Put(item) => {
                parts.text("put");
                parts.item(item);
            }
            TransactAction::Update { key, update_expression } => {
                parts.text("update");
                parts.item(key);
                parts.text(update_expression);
            }
            TransactAction::Delete(key) => {
                parts.text("delete");
                parts.item(key);
            }
            TransactAction::ConditionCheck(key) => {
                parts.text("check");
                parts.item(key);
            }
        }
        parts.optional(write.condition_expression.as_deref());
        parts.names(&write.names);
        parts.values(&write.values);
    }
    parts.0.finalize().into()
}

/// The digest of ExecuteTransaction.
#[must_use]
pub fn statements(request: &ExecuteTransaction) -> [u8; 16] {
    let mut parts = Parts(Md5::new());
    for statement in &request.statements {
        parts.text(&statement.statement);
        for parameter in statement.parameters.iter().flatten() {
            let mut encoded = Vec::new();
            espalier_dynamo::item::encode::value(&mut encoded, parameter);
            parts.bytes(&encoded);
        }
        parts.bytes(&[]);
    }
    parts.0.finalize().into()
}
