//! PutItem, UpdateItem and DeleteItem.

use espalier_dynamo::expression::{Update, request};
use espalier_dynamo::item::Item;
use espalier_dynamo::operation::item::{DeleteItem, PutItem, UpdateItem, WriteOutput};
use espalier_dynamo::operation::option::{
    ReturnConsumedCapacity, ReturnItemCollectionMetrics, ReturnValues, ReturnValuesOnConditionCheckFailure,
};
use espalier_dynamo::{Error as Fault, Result};

use super::{Action, Applied, Draft, Refusal, Write, check_size};
use crate::capacity::Split;
use crate::engine::Inner;

/// Why a request for returned values is refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// Only UpdateItem can return new values.
    #[error("ReturnValues can only be ALL_OLD or NONE")]
    OnlyOldValues,
}

/// What the answer of a write is to contain.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Wishes {
    values: ReturnValues,
    on_failure: bool,
    capacity: Option<ReturnConsumedCapacity>,
    metrics: bool,
}

impl Wishes {
    pub(crate) fn new(
        values: Option<ReturnValues>,
        on_failure: Option<ReturnValuesOnConditionCheckFailure>,
        capacity: Option<ReturnConsumedCapacity>,
        metrics: Option<ReturnItemCollectionMetrics>,
    ) -> Self {
        Self {
            values: values.unwrap_or(ReturnValues::None),
            on_failure: on_failure == Some(ReturnValuesOnConditionCheckFailure::AllOld),
            capacity,
            metrics: metrics == Some(ReturnItemCollectionMetrics::Size),
        }
    }

    fn only_old(self) -> Result<Self> {
        match self.values {
            ReturnValues::None | ReturnValues::AllOld => Ok(self),
            _ => Err(Fault::invalid(Error::OnlyOldValues)),
        }
    }
}

impl Inner {
    /// Writes a whole item.
    pub async fn put_item(&self, request: PutItem) -> Result<WriteOutput> {
        let wishes = Wishes::new(
            request.return_values,
            request.return_on_failure,
            request.return_capacity,
            request.return_metrics,
        )
        .only_old()?;
        check_size(&request.item)?;
        let condition = request::put(&request)?;
        let table = self.table(&request.table_name)?;
        let write = Write::put(table, request.table_name, request.item, condition)?;
        self.write_one(write, wishes).await
    }

    /// Changes an item.
    pub async fn update_item(&self, request: UpdateItem) -> Result<WriteOutput> {
        let wishes = Wishes::new(
            request.return_values,
            request.return_on_failure,
            request.return_capacity,
            request.return_metrics,
        );
        let (update, condition) = request::update(&request)?;
        let table = self.table(&request.table_name)?;
        let mut write = Write::update(table, request.table_name, request.key, update, condition)?;
        write.is_update_item = true;
        self.write_one(write, wishes).await
    }

    /// Removes an item.
    pub async fn delete_item(&self, request: DeleteItem) -> Result<WriteOutput> {
        let wishes = Wishes::new(
            request.return_values,
            request.return_on_failure,
            request.return_capacity,
            request.return_metrics,
        )
        .only_old()?;
        let condition = request::delete(&request)?;
        let table = self.table(&request.table_name)?;
        let write = Write::delete(table, request.table_name, request.key, condition)?;
        self.write_one(write, wishes).await
    }

    /// Applies one write and answers it.
    pub(crate) async fn write_one(&self, write: Write, wishes: Wishes) -> Result<WriteOutput> {
        let outcome = self.commit(|draft: &mut Draft| draft.apply(&write)).await?;
        let applied = outcome.map_err(|refusal| match refusal {
            Refusal::Condition(item) => Fault::ConditionalCheckFailed { item: item.filter(|_| wishes.on_failure) },
            Refusal::Invalid(fault) => fault,
        })?;
        let consumed_capacity = applied.consumed.report(&write.table, &write.named, wishes.capacity, Split::Sum);
        let item_collection_metrics =
            if wishes.metrics { self.item_collection_metrics(&write.table, &write.key)? } else { None };
        let attributes = returned(wishes.values, &write.action, applied);
        Ok(WriteOutput { attributes, consumed_capacity, item_collection_metrics })
    }
}

/// The attributes a write returns.
pub(crate) fn returned(values: ReturnValues, action: &Action, applied: Applied) -> Option<Item> {
    let update: Option<&Update> = match action {
        Action::Update(update) => update.as_ref(),
        _ => None,
    };
    match values {
        ReturnValues::None => None,
        ReturnValues::AllOld => applied.old,
        ReturnValues::AllNew => applied.new,
        ReturnValues::UpdatedOld => update?.updated(applied.old?.view()),
        ReturnValues::UpdatedNew => update?.updated(applied.new?.view()),
    }
}
