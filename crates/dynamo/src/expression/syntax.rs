//! The tree of a parsed expression, before its stand-ins are replaced: it borrows the text.

use super::condition::Comparator;

/// A document path as written.
#[derive(Debug)]
pub(super) struct Path<'t> {
    pub(super) head: Name<'t>,
    pub(super) steps: Vec<Step<'t>>,
}

#[derive(Debug, Clone, Copy)]
pub(super) enum Name<'t> {
    Plain(&'t str),
    /// With its `#`.
    Alias(&'t str),
}

#[derive(Debug)]
pub(super) enum Step<'t> {
    Name(Name<'t>),
    Index(usize),
}

#[derive(Debug)]
pub(super) enum Operand<'t> {
    Path(Path<'t>),
    /// With its `:`.
    Value(&'t str),
    Call(Call<'t>),
}

/// A call of a function; `function` is `None` when the name means nothing, which is reported before any use.
#[derive(Debug)]
pub(super) struct Call<'t> {
    pub(super) function: Option<Function>,
    pub(super) start: usize,
    pub(super) arguments: Vec<Operand<'t>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Function {
    AttributeExists,
    AttributeNotExists,
    AttributeType,
    BeginsWith,
    Contains,
    Size,
    IfNotExists,
    ListAppend,
}

impl Function {
    const ALL: [Function; 8] = [
        Function::AttributeExists,
        Function::AttributeNotExists,
        Function::AttributeType,
        Function::BeginsWith,
        Function::Contains,
        Function::Size,
        Function::IfNotExists,
        Function::ListAppend,
    ];

    /// The function of that name. Unlike keywords, functions are written in lower case only.
    pub(super) fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|function| function.name() == name)
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Function::AttributeExists => "attribute_exists",
            Function::AttributeNotExists => "attribute_not_exists",
            Function::AttributeType => "attribute_type",
            Function::BeginsWith => "begins_with",
            Function::Contains => "contains",
            Function::Size => "size",
            Function::IfNotExists => "if_not_exists",
            Function::ListAppend => "list_append",
        }
    }

    pub(super) fn belongs_to_updates(self) -> bool {
        matches!(self, Function::IfNotExists | Function::ListAppend)
    }

    pub(super) fn operand_count(self) -> usize {
        match self {
            Function::AttributeExists | Function::AttributeNotExists | Function::Size => 1,
            _ => 2,
        }
    }
}

#[derive(Debug)]
pub(super) enum Condition<'t> {
    And(Vec<Condition<'t>>),
    Or(Vec<Condition<'t>>),
    Not(Box<Condition<'t>>),
    Compare { op: Comparator, left: Operand<'t>, right: Operand<'t> },
    Between { value: Operand<'t>, low: Operand<'t>, high: Operand<'t> },
    In { value: Operand<'t>, choices: Vec<Operand<'t>> },
    Call(Call<'t>),
}

#[derive(Debug)]
pub(super) enum Action<'t> {
    Set(Path<'t>, Term<'t>),
    Remove(Path<'t>),
    Add(Path<'t>, &'t str),
    Delete(Path<'t>, &'t str),
}

#[derive(Debug)]
pub(super) enum Term<'t> {
    Operand(Operand<'t>),
    Plus(Operand<'t>, Operand<'t>),
    Minus(Operand<'t>, Operand<'t>),
}
