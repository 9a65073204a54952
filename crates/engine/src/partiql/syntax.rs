//! The tree of a statement as written: nothing is known of tables, and parameters are still question marks.

use std::fmt;

use super::lexer::Span;

/// An expression and where it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Expr {
    /// What it is.
    pub node: Node,
    /// Its representative token: a name, a function's name, an operator, an opening bracket.
    pub at: Span,
}

/// What an expression is. PartiQL's statements are expressions too.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Node {
    /// MISSING.
    Missing,
    /// NULL.
    Null,
    /// TRUE or FALSE.
    Bool(bool),
    /// A number, as written, with its sign.
    Number(String),
    /// A string.
    String(String),
    /// A value in backticks.
    Ion,
    /// A question mark, counted from zero.
    Parameter(usize),
    /// A name.
    Name(String),
    /// Steps into something.
    Path(Box<Expr>, Vec<Step>),
    /// `[…]`
    List(Vec<Expr>),
    /// `<<…>>`
    Bag(Vec<Expr>),
    /// `{…}`
    Struct(Vec<(Expr, Expr)>),
    /// A call of a function, whose name is in lower case.
    Call(String, Vec<Expr>),
    /// All of them.
    And(Vec<Expr>),
    /// One of them.
    Or(Vec<Expr>),
    /// Not that.
    Not(Box<Expr>),
    /// Two expressions and what stands between them.
    Binary(Operator, Box<Expr>, Box<Expr>),
    /// `-a` or `+a`, where `a` is no number.
    Signed(Operator, Box<Expr>),
    /// From one bound to the other.
    Between(Box<Expr>, Box<Expr>, Box<Expr>),
    /// One of a list.
    In(Box<Expr>, Box<Expr>),
    /// Of a type, by its full name.
    Is(Box<Expr>, &'static str),
    /// A statement.
    Statement(Box<Statement>),
}

/// One step of a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    /// `.name`
    Name(String),
    /// `[…]`
    Index(Expr),
    /// `[*]`
    Wildcard,
    /// `.*`
    Unpivot,
}

/// An operator between two expressions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operator {
    /// `=`
    Equal,
    /// `<>` or `!=`
    NotEqual,
    /// `<`
    Less,
    /// `<=`
    LessOrEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterOrEqual,
    /// `+`
    Plus,
    /// `-`
    Minus,
    /// Any that DynamoDB reads and refuses, by its name.
    Other(&'static str),
}

impl Operator {
    /// How it is written.
    #[must_use]
    pub fn symbol(self) -> &'static str {
        match self {
            Operator::Equal => "=",
            Operator::NotEqual => "<>",
            Operator::Less => "<",
            Operator::LessOrEqual => "<=",
            Operator::Greater => ">",
            Operator::GreaterOrEqual => ">=",
            Operator::Plus => "+",
            Operator::Minus => "-",
            Operator::Other(symbol) => symbol,
        }
    }
}

/// A statement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Statement {
    /// SELECT.
    Select(Select),
    /// INSERT.
    Insert(Insert),
    /// UPDATE, or FROM … SET.
    Update(Update),
    /// DELETE.
    Delete(Delete),
    /// One that PartiQL has and DynamoDB has not.
    Other(&'static str),
}

/// A SELECT.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Select {
    /// What to return.
    pub columns: Columns,
    /// From where.
    pub source: Source,
    /// WHERE.
    pub filter: Option<Expr>,
    /// ORDER BY, each with whether it is descending.
    pub order: Vec<(Expr, bool)>,
    /// The first clause that DynamoDB does not have.
    pub unsupported: Option<(&'static str, Option<Span>)>,
}

/// The columns of a SELECT.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Columns {
    /// `*`
    All,
    /// SELECT VALUE.
    Value,
    /// SELECT DISTINCT.
    Distinct,
    /// A list, of which one may have an alias.
    List(Vec<Expr>, Aliased),
}

/// Whether an alias was given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Aliased {
    /// Yes.
    Yes,
    /// No.
    No,
}

/// What follows FROM, INTO or UPDATE.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    /// Names with dots between them.
    Names(Vec<String>),
    /// Anything with an alias.
    Aliased,
    /// Several things.
    Several,
    /// Something else.
    Other,
}

/// An INSERT.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Insert {
    /// Into what.
    pub source: Source,
    /// What.
    pub value: Expr,
    /// Whether VALUE was written; otherwise several items are meant.
    pub single: bool,
    /// AT: where INSERT stands.
    pub at: Option<Span>,
    /// Whether there is ON CONFLICT.
    pub on_conflict: bool,
    /// Whether there is RETURNING.
    pub returning: bool,
}

/// An UPDATE.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Update {
    /// Of what.
    pub source: Source,
    /// What to change.
    pub changes: Vec<Change>,
    /// WHERE.
    pub filter: Option<Expr>,
    /// RETURNING.
    pub returning: Option<Returning>,
}

/// One change of an UPDATE.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change {
    /// SET.
    Set(Expr, Expr),
    /// REMOVE.
    Remove(Expr),
}

/// A DELETE.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Delete {
    /// From what.
    pub source: Source,
    /// WHERE.
    pub filter: Option<Expr>,
    /// RETURNING.
    pub returning: Option<Returning>,
}

/// A RETURNING clause.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Returning {
    /// One image, all columns.
    Star(Mapping),
    /// One image, named columns.
    Columns,
    /// Several.
    Several,
}

/// Which image RETURNING means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mapping {
    /// ALL OLD
    AllOld,
    /// ALL NEW
    AllNew,
    /// MODIFIED OLD
    ModifiedOld,
    /// MODIFIED NEW
    ModifiedNew,
}

impl fmt::Display for Mapping {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Mapping::AllOld => "ALL OLD",
            Mapping::AllNew => "ALL NEW",
            Mapping::ModifiedOld => "MODIFIED OLD",
            Mapping::ModifiedNew => "MODIFIED NEW",
        })
    }
}
