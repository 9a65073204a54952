//! BatchExecuteStatement: statements that each succeed or fail on their own.

use std::collections::HashSet;

use espalier_dynamo::operation::capacity::ConsumedCapacity;
use espalier_dynamo::operation::option::{ReturnConsumedCapacity, ReturnValues};
use espalier_dynamo::operation::partiql::{BatchExecuteStatement, BatchExecuteStatementOutput, BatchStatementOutput};
use espalier_dynamo::{Error as Fault, Result};

use super::{read, return_values, write_fault};
use crate::capacity::{Consumption, Split, read_units, write_units};
use crate::engine::Inner;
use crate::partiql::error::Error;
use crate::partiql::keys::Keys;
use crate::partiql::lower::{Column, Select, Statement, lower};
use crate::partiql::plan::{Keyed, take_columns, write};
use crate::partiql::syntax::{self, Expr, Node};
use crate::read::get::Point;
use crate::table::Table;
use crate::write::item::returned;
use crate::write::{Action, Refusal, Write};

/// The most statements in one batch.
const STATEMENTS: usize = 25;
const NAME: &str = "BatchExecuteStatement";

/// A statement that is ready to run.
enum Member {
    Read { point: Point, columns: Option<Vec<Column>>, consistent: bool },
    Write { write: Box<Write>, is_insert: bool, values: ReturnValues },
}

impl Member {
    fn target(&self) -> (u32, &[u8]) {
        match self {
            Member::Read { point, .. } => (point.table.definition.id, &point.primary),
            Member::Write { write, .. } => (write.table.definition.id, &write.primary),
        }
    }
}

/// What a batch consumed on one table; what failed counts in the sum alone.
struct TableCapacity<'t> {
    table: &'t Table,
    named: &'t str,
    consumed: Option<Consumption>,
    failed: f64,
}

impl Inner {
    /// Runs up to 25 statements.
    pub async fn batch_execute_statement(&self, request: BatchExecuteStatement) -> Result<BatchExecuteStatementOutput> {
        if request.statements.len() > STATEMENTS {
            return Err(Error::TooManyStatements(STATEMENTS).into());
        }
        let parsed: Vec<Result<Expr>> = request.statements.iter().map(|(statement, _)| read(statement)).collect();
        let mut kinds = parsed.iter().flatten().map(is_select);
        if kinds.next().is_some_and(|first| kinds.any(|other| other != first)) {
            return Err(Error::MixedBatch.into());
        }
        let members: Vec<Result<Member>> = parsed
            .into_iter()
            .zip(&request.statements)
            .map(|(parsed, (statement, consistent))| {
                let prepared = lower(parsed?, statement.parameters.as_deref().unwrap_or_default())?;
                self.plan_member(prepared, consistent.unwrap_or(false))
            })
            .collect();
        let mut seen = HashSet::new();
        if !members.iter().flatten().all(|member| seen.insert(member.target())) {
            return Err(Error::DuplicateItems.into());
        }
        self.run_members(members, request.return_capacity).await
    }

    fn plan_member(&self, statement: Statement, consistent: bool) -> Result<Member> {
        if let Statement::Exists(_) = statement {
            return Err(Error::ExistsOutside.into());
        }
        let table = self.table(statement.table())?;
        match statement {
            Statement::Select(select) => {
                refuse_index(&select, &table)?;
                let point = self.plan_point(&select, &table, NAME)?;
                point.check_types()?;
                let (point, columns) = point.point()?;
                Ok(Member::Read { point, columns, consistent })
            }
            statement => {
                let is_insert = matches!(statement, Statement::Insert { .. });
                let values = return_values(&statement);
                let write = Box::new(write(statement, table, Keyed::Alone)?);
                Ok(Member::Write { write, is_insert, values })
            }
        }
    }

    async fn run_members(
        &self,
        members: Vec<Result<Member>>,
        wish: Option<ReturnConsumedCapacity>,
    ) -> Result<BatchExecuteStatementOutput> {
        let writes = members.iter().flatten().any(|member| matches!(member, Member::Write { .. }));
        let mut applied = Vec::new();
        if writes {
            let apply_all = |draft: &mut crate::write::Draft| {
                let each = members.iter().flatten().filter_map(|member| match member {
                    Member::Write { write, .. } => Some(draft.apply(write)),
                    Member::Read { .. } => None,
                });
                Ok::<_, Fault>(each.collect::<Vec<_>>())
            };
            applied = self.commit(apply_all).await??;
        }
        let mut applied = applied.into_iter();
        let snapshot = self.store.snapshot();
        let mut responses = Vec::with_capacity(members.len());
        let mut capacity: Vec<TableCapacity<'_>> = Vec::new();
        for member in &members {
            responses.push(match member {
                Err(fault) => BatchStatementOutput { table_name: None, result: Err(fault.clone()) },
                Ok(Member::Read { point, columns, consistent }) => {
                    let found = point.read(&snapshot)?;
                    let size = found.as_ref().map_or(0, |found| found.size);
                    let consumed = Consumption::of_table(read_units(size, *consistent));
                    charge(&mut capacity, &point.table, &point.named, Ok(&consumed));
                    let item = found.map(|found| take_columns(columns.as_deref(), found.item));
                    BatchStatementOutput { table_name: Some(point.named.clone()), result: Ok(item) }
                }
                Ok(Member::Write { write, is_insert, values }) => {
                    let outcome = applied.next().ok_or_else(|| Fault::internal("a write without an outcome"))?;
                    let result = match outcome {
                        Ok(applied) => {
                            charge(&mut capacity, &write.table, &write.named, Ok(&applied.consumed));
                            Ok(returned(*values, &write.action, applied))
                        }
                        Err(refusal) => {
                            charge(&mut capacity, &write.table, &write.named, Err(attempted(write, &refusal)));
                            Err(write_fault(*is_insert, refused(refusal)))
                        }
                    };
                    BatchStatementOutput { table_name: Some(write.named.clone()), result }
                }
            });
        }
        let reports: Vec<_> = capacity.iter().filter_map(|table| table.report(wish)).collect();
        Ok(BatchExecuteStatementOutput { responses, consumed_capacity: (!reports.is_empty()).then_some(reports) })
    }
}

fn is_select(expr: &Expr) -> bool {
    matches!(&expr.node, Node::Statement(statement) if matches!(**statement, syntax::Statement::Select(_)))
}

/// A batch reads items by their primary keys, never an index.
fn refuse_index(select: &Select, table: &Table) -> Result<(), Error> {
    let Some(name) = &select.index else { return Ok(()) };
    Keys::new(&table.index(name).ok_or(Error::NoIndex)?.keys)?;
    Err(Error::NotOneItem(NAME))
}

/// The fault of a refused write. A batch never returns the item that a condition met.
fn refused(refusal: Refusal) -> Fault {
    match refusal {
        Refusal::Condition(_) => Fault::ConditionalCheckFailed { item: None },
        Refusal::Invalid(fault) => fault,
    }
}

/// What a refused write is charged: the larger of what it met and what it carried.
fn attempted(write: &Write, refusal: &Refusal) -> f64 {
    let met = match refusal {
        Refusal::Condition(Some(item)) => item.size(),
        _ => 0,
    };
    let carried = match &write.action {
        Action::Put(item) => item.size(),
        _ => 0,
    };
    write_units(met.max(carried))
}

fn charge<'t>(
    capacity: &mut Vec<TableCapacity<'t>>,
    table: &'t Table,
    named: &'t str,
    outcome: Result<&Consumption, f64>,
) {
    let place = capacity.iter().position(|known| known.named == named).unwrap_or_else(|| {
        capacity.push(TableCapacity { table, named, consumed: None, failed: 0.0 });
        capacity.len() - 1
    });
    match outcome {
        Ok(consumed) => capacity[place].consumed.get_or_insert_default().add(consumed),
        Err(units) => capacity[place].failed += units,
    }
}

impl TableCapacity<'_> {
    /// The report; a table on which nothing succeeded has none.
    fn report(&self, wish: Option<ReturnConsumedCapacity>) -> Option<ConsumedCapacity> {
        let mut report = self.consumed.as_ref()?.report(self.table, self.named, wish, Split::Sum)?;
        report.units.total += self.failed;
        Some(report)
    }
}
