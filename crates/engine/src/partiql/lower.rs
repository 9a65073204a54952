//! From the tree of a statement to the trees that every other operation uses: conditions, projections, updates,
//! items. Nothing here knows a table; every rule that needs nothing but the statement is applied here.

mod condition;
mod path;
mod update;
mod value;

use std::collections::BTreeSet;

use espalier_dynamo::expression::{Condition, Update};
use espalier_dynamo::item::Item;
use espalier_dynamo::{Error as Fault, Path, Result, Value};

use super::error::{Error, bare};
use super::syntax::{self, Aliased, Columns, Expr, Mapping, Node, Returning, Source};

/// A statement that is ready to meet its table.
#[derive(Debug)]
pub enum Statement {
    /// Reads.
    Select(Select),
    /// Writes a new item.
    Insert {
        /// Into which table.
        table: String,
        /// The item.
        item: Item,
    },
    /// Changes an item.
    Update {
        /// Of which table.
        table: String,
        /// The change.
        update: Update,
        /// WHERE.
        filter: Option<Condition>,
        /// RETURNING.
        returning: Option<Mapping>,
    },
    /// Removes an item.
    Delete {
        /// From which table.
        table: String,
        /// WHERE.
        filter: Option<Condition>,
        /// Whether the item is to be returned.
        returning: bool,
    },
    /// Checks a condition on an item, in transactions.
    Exists(Select),
}

/// A SELECT.
#[derive(Debug)]
pub struct Select {
    /// The table.
    pub table: String,
    /// The index.
    pub index: Option<String>,
    /// What to return; `None` for everything.
    pub columns: Option<Vec<Column>>,
    /// WHERE.
    pub filter: Option<Condition>,
    /// ORDER BY: attributes, and whether each is descending.
    pub order: Vec<(String, bool)>,
}

/// A column of a SELECT: it is named after the last named step of its path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Column {
    /// Its name in the result.
    pub name: String,
    /// Its path in the item.
    pub path: Path,
}

impl Statement {
    /// Whether the statement only reads. EXISTS belongs to the writes it guards.
    #[must_use]
    pub fn is_read(&self) -> bool {
        matches!(self, Statement::Select(_))
    }

    /// The table that the statement is about.
    #[must_use]
    pub fn table(&self) -> &str {
        match self {
            Statement::Select(select) | Statement::Exists(select) => &select.table,
            Statement::Insert { table, .. } | Statement::Update { table, .. } | Statement::Delete { table, .. } => {
                table
            }
        }
    }
}

/// The values of a statement's question marks.
#[derive(Debug, Clone, Copy)]
struct Parameters<'p>(&'p [Value]);

impl<'p> Parameters<'p> {
    fn get(self, place: usize) -> Result<&'p Value, Error> {
        self.0.get(place).ok_or(Error::Parameters)
    }
}

/// Lowers a parsed statement.
pub fn lower(expr: Expr, parameters: &[Value]) -> Result<Statement> {
    let parameters = Parameters(parameters);
    match expr.node {
        Node::Statement(statement) => match *statement {
            syntax::Statement::Select(select) => parameters.select(select).map(Statement::Select),
            syntax::Statement::Insert(insert) => parameters.insert(insert),
            syntax::Statement::Update(update) => parameters.update(update),
            syntax::Statement::Delete(delete) => parameters.delete(delete),
            syntax::Statement::Other(name) => Err(Error::Operation(name).into()),
        },
        Node::Call(name, mut arguments) if name == "exists" => match (arguments.pop(), arguments.is_empty()) {
            (Some(Expr { node: Node::Statement(statement), .. }), true) => match *statement {
                syntax::Statement::Select(select) => parameters.select(select).map(Statement::Exists),
                _ => Err(Error::ExistsShape.into()),
            },
            _ => Err(Error::ExistsShape.into()),
        },
        node => Err(Error::Operation(kind_name(&node)).into()),
    }
}

impl Parameters<'_> {
    fn select(self, select: syntax::Select) -> Result<Select> {
        if let Some((clause, at)) = select.unsupported {
            return Err(Error::Clause(clause, at).into());
        }
        let mut names = source(select.source)?.into_iter();
        let table = names.next().ok_or(Error::Source)?;
        let index = names.next();
        let columns = match select.columns {
            Columns::All => None,
            Columns::Value => return Err(Error::SelectValue.into()),
            Columns::Distinct => return Err(Error::Token("DISTINCT", None).into()),
            Columns::List(_, Aliased::Yes) => return Err(Error::Alias.into()),
            Columns::List(list, Aliased::No) => Some(columns(list)?),
        };
        let filtered = select.filter.is_some();
        let filter = self.filter(select.filter)?;
        if !select.order.is_empty() && !filtered {
            return Err(Error::OrderWithoutWhere.into());
        }
        let order = select
            .order
            .into_iter()
            .map(|(expr, descending)| match expr.node {
                Node::Name(name) => Ok((name, descending)),
                Node::Path(..) => Err(Error::OrderOperand("PATH")),
                node => Err(Error::OrderOperand(kind_name(&node))),
            })
            .collect::<Result<_, _>>()?;
        Ok(Select { table, index, columns, filter, order })
    }

    fn insert(self, insert: syntax::Insert) -> Result<Statement> {
        if !insert.single {
            return Err(Error::Operation("InsertOp").into());
        }
        let names = source(insert.source)?;
        let Ok([table]) = <[String; 1]>::try_from(names) else { return Err(Error::InsertIntoIndex.into()) };
        if let Some(at) = insert.at {
            return Err(Error::InsertAt(at).into());
        }
        if insert.on_conflict {
            return Err(Error::Clause("ON CONFLICT", None).into());
        }
        if insert.returning {
            return Err(Error::InsertReturning.into());
        }
        Ok(Statement::Insert { table, item: self.item(insert.value)? })
    }

    fn update(self, update: syntax::Update) -> Result<Statement> {
        let table = written(update.source)?;
        let returning = returning(update.returning)?;
        let actions = update.changes.into_iter().map(|change| self.action(change)).collect::<Result<Vec<_>, _>>()?;
        let changed = Update::from_actions(actions).map_err(bare)?;
        Ok(Statement::Update { table, update: changed, filter: self.filter(update.filter)?, returning })
    }

    fn delete(self, delete: syntax::Delete) -> Result<Statement> {
        let table = written(delete.source)?;
        let returning = match returning(delete.returning)? {
            None => false,
            Some(Mapping::AllOld) => true,
            Some(other) => return Err(Error::DeleteReturning(other).into()),
        };
        Ok(Statement::Delete { table, filter: self.filter(delete.filter)?, returning })
    }

    fn filter(self, filter: Option<Expr>) -> Result<Option<Condition>> {
        let Some(expr) = filter else { return Ok(None) };
        if !condition::is_condition(&expr) {
            return Err(Error::Where.into());
        }
        self.condition(expr).map(Some).map_err(Fault::from)
    }
}

/// One or two names.
fn source(source: Source) -> Result<Vec<String>, Error> {
    match source {
        Source::Names(names) if names.iter().any(String::is_empty) => Err(Error::EmptyComponent),
        Source::Names(names) if names.len() > 2 => Err(Error::SourceTooLong),
        Source::Names(names) if !is_table_name(&names[0]) => Err(Error::TableName),
        Source::Names(names) => Ok(names),
        Source::Aliased => Err(Error::Alias),
        Source::Several => Err(Error::SeveralSources),
        Source::Other => Err(Error::Source),
    }
}

fn written(written: Source) -> Result<String, Error> {
    <[String; 1]>::try_from(source(written)?).map(|[table]| table).map_err(|_| Error::WriteToIndex)
}

/// A name or an ARN, which has its own rules.
fn is_table_name(name: &str) -> bool {
    let allowed = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
    name.starts_with("arn:") || ((3..=255).contains(&name.len()) && name.bytes().all(allowed))
}

fn columns(list: Vec<Expr>) -> Result<Vec<Column>> {
    let mut columns = Vec::with_capacity(list.len());
    let mut seen = BTreeSet::new();
    for expr in list {
        let path = path::path(&expr)?;
        let name = path::column_name(&path);
        if !seen.insert(name.clone()) {
            return Err(Error::DuplicateColumn(name).into());
        }
        columns.push(Column { name, path });
    }
    Ok(columns)
}

fn returning(returning: Option<Returning>) -> Result<Option<Mapping>, Error> {
    match returning {
        None => Ok(None),
        Some(Returning::Star(mapping)) => Ok(Some(mapping)),
        Some(Returning::Columns) => Err(Error::ReturningColumns),
        Some(Returning::Several) => Err(Error::ReturningSeveral),
    }
}

/// What DynamoDB calls an expression in its messages.
fn kind_name(node: &Node) -> &'static str {
    match node {
        Node::Missing => "LiteralMissing",
        Node::Null | Node::Bool(_) | Node::Number(_) | Node::String(_) | Node::Ion => "Literal",
        Node::Parameter(_) => "Parameter",
        Node::Name(_) => "VariableReference",
        Node::Path(..) => "Path",
        Node::List(_) | Node::Bag(_) => "Seq",
        Node::Struct(_) => "Struct",
        Node::Is(..) => "IsType",
        Node::Statement(_) => "Select",
        _ => "NAry",
    }
}
