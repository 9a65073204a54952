//! ExecuteTransaction: statements that happen together or not at all.

use espalier_dynamo::error::CancellationReason;
use espalier_dynamo::operation::option::ReturnValuesOnConditionCheckFailure;
use espalier_dynamo::operation::partiql::{ExecuteTransaction, ExecuteTransactionOutput, ParameterizedStatement};
use espalier_dynamo::{Error as Fault, Result};

use super::prepare;
use crate::engine::Inner;
use crate::partiql::error::{Error, InTransaction};
use crate::partiql::lower::{Column, Statement};
use crate::partiql::plan::{Keyed, take_columns, write};
use crate::read::get::{Point, reading_capacity};
use crate::write::fingerprint;
use crate::write::token::Claim;
use crate::write::transaction::{Step, all_or_reasons, transaction_capacity};

/// The most statements in one transaction.
const STATEMENTS: usize = 100;
const NAME: &str = "ExecuteTransaction";

/// A statement that is ready to run.
enum Member {
    Read(Point, Option<Vec<Column>>),
    Write(Box<Step>),
}

impl Inner {
    /// Runs up to 100 statements, all reads or all writes.
    pub async fn execute_transaction(&self, request: ExecuteTransaction) -> Result<ExecuteTransactionOutput> {
        if request.statements.len() > STATEMENTS {
            return Err(Error::TooManyStatements(STATEMENTS).into());
        }
        let mut planned = Vec::with_capacity(request.statements.len());
        let mut reads = 0;
        for (place, statement) in request.statements.iter().enumerate() {
            let prepared = prepare(statement).map_err(|fault| in_transaction(place, fault))?;
            reads += usize::from(prepared.is_read());
            planned.push(self.plan_together(prepared, statement).or_else(|fault| reason_or_fault(place, fault))?);
        }
        if reads > 0 && reads < planned.len() {
            return Err(Error::MixedTransaction.into());
        }
        let members = all_or_reasons(planned)?;
        if reads > 0 { self.read_all(members, &request) } else { self.write_all(members, &request).await }
    }

    fn plan_together(
        &self,
        statement: Statement,
        request: &ParameterizedStatement,
    ) -> Result<Result<Member, CancellationReason>> {
        let table = match self.table(statement.table()) {
            Ok(table) => table,
            Err(Fault::ResourceNotFound(cause)) => return Ok(Err(CancellationReason::ResourceNotFound(cause))),
            Err(fault) => return Err(fault),
        };
        if matches!(
            &statement,
            Statement::Update { returning: Some(_), .. } | Statement::Delete { returning: true, .. }
        ) {
            return Err(Error::ReturningInTransaction.into());
        }
        if let Statement::Select(select) = &statement {
            if select.index.is_some() {
                return Err(Error::IndexInTransaction.into());
            }
            let (point, columns) = self.plan_point(select, &table, NAME)?.point()?;
            return Ok(Ok(Member::Read(point, columns)));
        }
        let is_insert = matches!(statement, Statement::Insert { .. });
        let item_on_failure = request.return_on_failure == Some(ReturnValuesOnConditionCheckFailure::AllOld);
        let write = write(statement, table, Keyed::Together)?;
        Ok(Ok(Member::Write(Box::new(Step { write, item_on_failure, is_insert }))))
    }

    fn read_all(&self, members: Vec<Member>, request: &ExecuteTransaction) -> Result<ExecuteTransactionOutput> {
        let mut points = Vec::with_capacity(members.len());
        let mut columns = Vec::with_capacity(members.len());
        for member in members {
            if let Member::Read(point, wanted) = member {
                points.push(point);
                columns.push(wanted);
            }
        }
        let (items, reads) = self.read_together(&points)?;
        let items = items.into_iter().zip(columns);
        let items = items.map(|(item, columns)| item.map(|item| take_columns(columns.as_deref(), item))).collect();
        let consumed_capacity = reading_capacity(&points, &reads, request.return_capacity);
        Ok(ExecuteTransactionOutput { items, consumed_capacity })
    }

    async fn write_all(&self, members: Vec<Member>, request: &ExecuteTransaction) -> Result<ExecuteTransactionOutput> {
        let token = request.client_request_token.clone();
        let claim = token.map(|token| Claim { token, fingerprint: fingerprint::statements(request) });
        let steps: Vec<Step> = members
            .into_iter()
            .filter_map(|member| match member {
                Member::Write(step) => Some(*step),
                Member::Read(..) => None,
            })
            .collect();
        let outcome = self.transact(&steps, claim.as_ref()).await?;
        let consumed_capacity = transaction_capacity(&steps, &outcome, request.return_capacity);
        Ok(ExecuteTransactionOutput { items: Vec::new(), consumed_capacity })
    }
}

/// A fault of one statement is told with its place.
fn in_transaction(place: usize, fault: Fault) -> Fault {
    match fault {
        Fault::Validation(cause) => Fault::invalid(InTransaction { place, cause }),
        fault => fault,
    }
}

/// A rule of statements refuses the request; a rule of items cancels the transaction.
fn reason_or_fault(place: usize, fault: Fault) -> Result<Result<Member, CancellationReason>> {
    match fault {
        Fault::Validation(cause) if cause.cause::<Error>().is_none() => {
            Ok(Err(CancellationReason::ValidationError(cause)))
        }
        fault => Err(in_transaction(place, fault)),
    }
}
