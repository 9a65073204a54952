//! TransactWriteItems: many writes, all or nothing.

use std::collections::HashSet;

use espalier_dynamo::error::{CancellationReason, Invalid};
use espalier_dynamo::expression::request;
use espalier_dynamo::operation::capacity::{ConsumedCapacity, ItemCollectionMetrics};
use espalier_dynamo::operation::option::{
    ReturnConsumedCapacity, ReturnItemCollectionMetrics, ReturnValuesOnConditionCheckFailure,
};
use espalier_dynamo::operation::transaction::{
    TransactAction, TransactWrite, TransactWriteItems, TransactWriteItemsOutput,
};
use espalier_dynamo::{Error as Fault, Result};

use super::token::Claim;
use super::{Action, Applied, Draft, Refusal, Write, fingerprint};
use crate::capacity::{Consumption, Split, TRANSACTION_FACTOR, read_units};
use crate::engine::Inner;
use crate::key;
use crate::limits::TRANSACTION_BYTES;

/// Why a transaction is refused as a whole.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// Two actions on one item.
    #[error("Transaction request cannot include multiple operations on one item")]
    SameItemTwice,
    /// The items together are too large.
    #[error("Transaction request size cannot exceed 4194304 bytes")]
    TooLarge,
}

/// One planned action, with its wish about a failed condition.
#[derive(Debug)]
pub struct Step {
    /// The write.
    pub write: Write,
    /// Whether a failed condition returns the item.
    pub item_on_failure: bool,
    /// Whether a failed condition means that the item exists already (PartiQL's INSERT).
    pub is_insert: bool,
}

/// Metrics of the item collections written to, by table as named in the request.
type MetricsByTable = Vec<(String, Vec<ItemCollectionMetrics>)>;

/// What a transaction did: the outcome of each step, or nothing when its token showed that it was done before.
pub enum Outcome {
    /// Done now.
    Done(Vec<Applied>),
    /// Done before, under the same token.
    Repeated,
}

impl Inner {
    /// Writes up to 100 items, all or nothing.
    pub async fn transact_write_items(&self, request: TransactWriteItems) -> Result<TransactWriteItemsOutput> {
        let claim = request
            .client_request_token
            .as_ref()
            .map(|token| Claim { token: token.clone(), fingerprint: fingerprint::transaction(&request) });
        let planned = request.writes.into_iter().map(|write| self.plan_step(write).map(Ok).or_else(reason_or_fault));
        let steps = all_or_reasons(planned.collect::<Result<_>>()?)?;
        let outcome = self.transact(&steps, claim.as_ref()).await?;
        let consumed_capacity = transaction_capacity(&steps, &outcome, request.return_capacity);
        let wanted = request.return_metrics == Some(ReturnItemCollectionMetrics::Size);
        let item_collection_metrics = if wanted { self.transaction_metrics(&steps)? } else { None };
        Ok(TransactWriteItemsOutput { consumed_capacity, item_collection_metrics })
    }

    fn plan_step(&self, request: TransactWrite) -> Result<Step> {
        let (update, condition) = request::transact_write(&request)?;
        let table = self.table(&request.table_name)?;
        let named = request.table_name;
        let write = match request.action {
            TransactAction::Put(item) => Write::put(table, named, item, condition)?,
            TransactAction::Update { key, .. } => Write::update(table, named, key, update, condition)?,
            TransactAction::Delete(key) => Write::delete(table, named, key, condition)?,
            TransactAction::ConditionCheck(key) => Write::check(table, named, key, condition)?,
        };
        let item_on_failure = request.return_on_failure == Some(ReturnValuesOnConditionCheckFailure::AllOld);
        Ok(Step { write, item_on_failure, is_insert: false })
    }

    /// Applies all steps, or none.
    pub async fn transact(&self, steps: &[Step], claim: Option<&Claim>) -> Result<Outcome> {
        check_together(steps)?;
        self.commit(|draft| {
            if let Some(claim) = claim
                && claim.is_repeated(draft)?
            {
                return Ok(Outcome::Repeated);
            }
            let applied = apply_all(draft, steps)?;
            if let Some(claim) = claim {
                claim.remember(draft);
            }
            Ok(Outcome::Done(applied))
        })
        .await?
    }

    fn transaction_metrics(&self, steps: &[Step]) -> Result<Option<MetricsByTable>> {
        let mut by_table: Vec<(String, Vec<_>)> = Vec::new();
        for Step { write, .. } in steps {
            let Some(metrics) = self.item_collection_metrics(&write.table, &write.key)? else { continue };
            match by_table.iter_mut().find(|(named, _)| *named == write.named) {
                Some((_, list)) => list.push(metrics),
                None => by_table.push((write.named.clone(), vec![metrics])),
            }
        }
        Ok((!by_table.is_empty()).then_some(by_table))
    }
}

/// Keys that do not fit the schema are told as the reason of one action; whatever else the request alone shows to be
/// wrong refuses the transaction as a whole.
pub fn reason_or_fault<T>(fault: Fault) -> Result<Result<T, CancellationReason>> {
    use key::Error::{IndexTypeMismatch, Missing, NoMatch, TypeMismatch};
    match fault {
        Fault::Validation(cause)
            if matches!(cause.cause(), Some(Missing(_) | TypeMismatch { .. } | NoMatch | IndexTypeMismatch { .. })) =>
        {
            Ok(Err(CancellationReason::ValidationError(cause)))
        }
        fault => Err(fault),
    }
}

/// Everything that was planned, unless something could not be: then nothing happens. Amazon stops at the first that
/// could not, so that the others have no reason.
pub fn all_or_reasons<T>(planned: Vec<Result<T, CancellationReason>>) -> Result<Vec<T>> {
    let count = planned.len();
    let mut steps = Vec::with_capacity(count);
    for step in planned {
        match step {
            Ok(step) => steps.push(step),
            Err(reason) => {
                let mut reasons = vec![CancellationReason::None; count];
                reasons[steps.len()] = reason;
                return Err(Fault::TransactionCanceled(reasons));
            }
        }
    }
    Ok(steps)
}

fn check_together(steps: &[Step]) -> Result<()> {
    let mut seen = HashSet::new();
    let mut bytes = 0;
    for Step { write, .. } in steps {
        if !seen.insert((write.table.definition.id, &write.primary)) {
            return Err(Fault::invalid(Error::SameItemTwice));
        }
        bytes += match &write.action {
            Action::Put(item) => item.size(),
            _ => write.key.size(),
        };
    }
    if bytes > TRANSACTION_BYTES {
        return Err(Fault::invalid(Error::TooLarge));
    }
    Ok(())
}

fn apply_all(draft: &mut Draft, steps: &[Step]) -> Result<Vec<Applied>> {
    let mut applied = Vec::with_capacity(steps.len());
    let mut reasons = Vec::with_capacity(steps.len());
    for step in steps {
        reasons.push(match draft.apply(&step.write) {
            Ok(outcome) => {
                applied.push(outcome);
                CancellationReason::None
            }
            Err(Refusal::Condition(_)) if step.is_insert => CancellationReason::DuplicateItem,
            Err(Refusal::Condition(item)) => {
                CancellationReason::ConditionalCheckFailed(item.filter(|_| step.item_on_failure))
            }
            Err(Refusal::Invalid(Fault::Validation(cause))) if !empties_index_key(&cause) => {
                CancellationReason::ValidationError(cause)
            }
            Err(Refusal::Invalid(fault)) => return Err(fault),
        });
    }
    if applied.len() < steps.len() {
        return Err(Fault::TransactionCanceled(reasons));
    }
    Ok(applied)
}

/// Empty keys refuse a transaction as a whole, even those that an update makes.
fn empties_index_key(cause: &Invalid) -> bool {
    matches!(cause.cause(), Some(super::Error::UpdatesIndexKeyToEmpty(_)))
}

/// Capacity by table, in the order in which the tables were named first. A repeated transaction only read.
pub fn transaction_capacity(
    steps: &[Step],
    outcome: &Outcome,
    wish: Option<ReturnConsumedCapacity>,
) -> Option<Vec<ConsumedCapacity>> {
    let mut by_table: Vec<(&Write, Consumption)> = Vec::new();
    for (place, Step { write, .. }) in steps.iter().enumerate() {
        let consumed = match outcome {
            Outcome::Done(applied) => applied[place].consumed.clone(),
            Outcome::Repeated => Consumption::of_table(read_units(repeated_bytes(write), true)),
        };
        match by_table.iter_mut().find(|(known, _)| known.named == write.named) {
            Some((_, sum)) => sum.add(&consumed),
            None => by_table.push((write, consumed)),
        }
    }
    let split = if matches!(outcome, Outcome::Repeated) { Split::Read } else { Split::Write };
    let reports: Vec<_> = by_table
        .into_iter()
        .filter_map(|(write, sum)| sum.times(TRANSACTION_FACTOR).report(&write.table, &write.named, wish, split))
        .collect();
    (!reports.is_empty()).then_some(reports)
}

fn repeated_bytes(write: &Write) -> usize {
    match &write.action {
        Action::Put(item) => item.size(),
        _ => write.key.size(),
    }
}
