//! Runs statements, alone, in batches and in transactions.

mod batch;
mod transaction;

use std::ops::Bound;

use espalier_dynamo::operation::capacity::{ConsumedCapacity, Units};
use espalier_dynamo::operation::option::ReturnValues;
use espalier_dynamo::operation::partiql::{ExecuteStatement, ExecuteStatementOutput, ParameterizedStatement};
use espalier_dynamo::{Error as Fault, Result};
use espalier_store::Direction;

use super::error::Error;
use super::lower::{Select, Statement, lower};
use super::parser::parse;
use super::plan::{Keyed, Reading, take_columns, write};
use super::syntax::{Expr, Mapping};
use super::token::Position;
use crate::engine::Inner;
use crate::limits::PAGE_BYTES;
use crate::read::page::{collect, finish};
use crate::read::plan::inside;
use crate::write::item::Wishes;

/// Parses a statement.
fn read(statement: &ParameterizedStatement) -> Result<Expr> {
    parse(&statement.statement).map_err(|malformed| Error::from(malformed).into())
}

/// Parses and lowers a statement.
fn prepare(statement: &ParameterizedStatement) -> Result<Statement> {
    lower(read(statement)?, statement.parameters.as_deref().unwrap_or_default())
}

/// What a statement wants returned of its write.
fn return_values(statement: &Statement) -> ReturnValues {
    match statement {
        Statement::Update { returning: Some(mapping), .. } => match mapping {
            Mapping::AllOld => ReturnValues::AllOld,
            Mapping::AllNew => ReturnValues::AllNew,
            Mapping::ModifiedOld => ReturnValues::UpdatedOld,
            Mapping::ModifiedNew => ReturnValues::UpdatedNew,
        },
        Statement::Delete { returning: true, .. } => ReturnValues::AllOld,
        _ => ReturnValues::None,
    }
}

/// The fault of a write: an INSERT whose condition fails has met an item.
fn write_fault(is_insert: bool, fault: Fault) -> Fault {
    match fault {
        Fault::ConditionalCheckFailed { .. } if is_insert => Fault::DuplicateItem,
        fault => fault,
    }
}

impl Inner {
    /// Runs one statement.
    pub async fn execute_statement(&self, request: ExecuteStatement) -> Result<ExecuteStatementOutput> {
        match prepare(&request.statement)? {
            Statement::Select(select) => self.select(select, &request),
            Statement::Exists(_) => Err(Error::ExistsOutside.into()),
            statement => self.execute_write(statement, &request).await,
        }
    }

    async fn execute_write(&self, statement: Statement, request: &ExecuteStatement) -> Result<ExecuteStatementOutput> {
        let table = self.table(statement.table())?;
        let is_insert = matches!(statement, Statement::Insert { .. });
        let values = return_values(&statement);
        let wishes = Wishes::new(Some(values), request.statement.return_on_failure, request.return_capacity, None);
        let write = write(statement, table, Keyed::Alone)?;
        let output = self.write_one(write, wishes).await.map_err(|fault| write_fault(is_insert, fault))?;
        Ok(ExecuteStatementOutput {
            items: output.attributes.into_iter().collect(),
            consumed_capacity: output.consumed_capacity,
            ..ExecuteStatementOutput::default()
        })
    }

    /// Reads up to a limit of items, or about 1 MB, from where the token says.
    fn select(&self, select: Select, request: &ExecuteStatement) -> Result<ExecuteStatementOutput> {
        let consistent = request.consistent_read.unwrap_or(false);
        let mut reading = self.plan_select(select, consistent, request.return_capacity)?;
        let mut next = 0;
        if let Some(token) = &request.next_token {
            next = resume(&mut reading, Position::decode(token, &request.statement)?)?;
        }
        let snapshot = self.store.snapshot();
        let mut left = request.limit.map_or(usize::MAX, |limit| limit.max(1) as usize);
        let mut bytes = 0;
        let mut output = ExecuteStatementOutput::default();
        let mut ended = None;
        let count = reading.plans.len();
        while next < count {
            let plan = &mut reading.plans[next];
            plan.limit = left;
            let collected = collect(plan, &snapshot)?;
            bytes += collected.bytes;
            let page = finish(plan, collected);
            left = left.saturating_sub(page.scanned_count);
            let columns = reading.columns.as_deref();
            output.items.extend(page.items.into_iter().flatten().map(|item| take_columns(columns, item)));
            add(&mut output.consumed_capacity, page.consumed_capacity);
            if let Some(last) = page.last_evaluated_key {
                ended = Some(Position { read: next, after: Some(last) });
                break;
            }
            next += 1;
            if next < count && (left == 0 || bytes >= PAGE_BYTES) {
                ended = Some(Position { read: next, after: None });
                break;
            }
        }
        if let Some(position) = ended {
            output.next_token = Some(position.encode(&request.statement));
            output.last_evaluated_key = position.after;
        }
        Ok(output)
    }
}

/// Starts a reading where a token says, and tells which of its reads comes first.
fn resume(reading: &mut Reading, position: Position) -> Result<usize, Error> {
    let plan = reading.plans.get_mut(position.read).ok_or(Error::NextToken)?;
    if let Some(after) = &position.after {
        let start = reading.target.start(after).map_err(|_| Error::NextToken)?;
        if !inside(&start, &plan.from, &plan.to) {
            return Err(Error::NextToken);
        }
        let edge = if plan.direction == Direction::Forward { &mut plan.from } else { &mut plan.to };
        *edge = Bound::Excluded(start);
    }
    Ok(position.read)
}

/// Adds the capacity of one more read of the same table.
fn add(sum: &mut Option<ConsumedCapacity>, more: Option<ConsumedCapacity>) {
    let Some(more) = more else { return };
    let Some(sum) = sum else {
        *sum = Some(more);
        return;
    };
    let add = |sum: &mut Units, more: Units| sum.total += more.total;
    add(&mut sum.units, more.units);
    if let (Some(table), Some(more)) = (&mut sum.table, more.table) {
        add(table, more);
    }
    for (indexes, more) in
        [(&mut sum.local_indexes, more.local_indexes), (&mut sum.global_indexes, more.global_indexes)]
    {
        for (name, units) in more {
            add(indexes.entry(name).or_default(), units);
        }
    }
}
