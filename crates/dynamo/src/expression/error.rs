//! What can be wrong with an expression, in DynamoDB's sentences.

use crate::item::Encoded;
use crate::path::Path;
use crate::value::Type;

/// Which expression of a request is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Clause {
    /// `ConditionExpression`
    Condition,
    /// `FilterExpression`
    Filter,
    /// `KeyConditionExpression`
    KeyCondition,
    /// `ProjectionExpression`
    Projection,
    /// `UpdateExpression`
    Update,
}

impl Clause {
    /// The parameter's name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Clause::Condition => "ConditionExpression",
            Clause::Filter => "FilterExpression",
            Clause::KeyCondition => "KeyConditionExpression",
            Clause::Projection => "ProjectionExpression",
            Clause::Update => "UpdateExpression",
        }
    }
}

/// An expression that is refused, and why.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("Invalid {}: {cause}", clause.name())]
pub struct Refused {
    /// Which expression.
    pub clause: Clause,
    /// Why.
    pub cause: Cause,
}

/// Why an expression is refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Cause {
    /// There is no text.
    #[error("The expression can not be empty;")]
    Empty,
    /// More than 4,096 bytes.
    #[error("Expression size has exceeded the maximum allowed size; expression size: {0}")]
    TooLong(usize),
    /// The text does not follow the grammar.
    #[error("Syntax error; token: \"{token}\", near: \"{near}\"")]
    Syntax {
        /// The first token that does not fit.
        token: String,
        /// That token with its neighbours.
        near: String,
    },
    /// Parentheses directly inside parentheses.
    #[error("The expression has redundant parentheses;")]
    RedundantParentheses,
    /// More than 300 operators and functions.
    #[error("The expression contains too many operators; operator count: {0}")]
    TooManyOperators(usize),
    /// No such function.
    #[error("Invalid function name; function: {0}")]
    UnknownFunction(String),
    /// A function of conditions in an update.
    #[error("The function is not allowed in an update expression; function: {0}")]
    NotInUpdate(&'static str),
    /// A function of updates in a condition.
    #[error("The function is not allowed in a condition expression; function: {0}")]
    NotInCondition(&'static str),
    /// A function where its result cannot be used.
    #[error("The function is not allowed to be used this way in an expression; function: {0}")]
    MisusedFunction(&'static str),
    /// A reserved word as an attribute name.
    #[error("Attribute name is a reserved keyword; reserved keyword: {0}")]
    ReservedWord(String),
    /// An index that no list can have.
    #[error("List index is not within the allowable range; index: [{0}]")]
    IndexRange(String),
    /// A path of more than 32 steps.
    #[error("The document path has too many nesting levels; nesting levels: {0}")]
    TooDeep(usize),
    /// A `#name` without meaning.
    #[error("An expression attribute name used in the document path is not defined; attribute name: {0}")]
    UndefinedName(String),
    /// A `:value` without meaning.
    #[error("An expression attribute value used in expression is not defined; attribute value: {0}")]
    UndefinedValue(String),
    /// A function with too few or too many operands.
    #[error(
        "Incorrect number of operands for operator or function; operator or function: {function}, number of operands: {count}"
    )]
    OperandCount {
        /// The function.
        function: &'static str,
        /// How many it was given.
        count: usize,
    },
    /// An operand of a type that the operator or function does not take.
    #[error("Incorrect operand type for operator or function; operator or function: {operator}, operand type: {kind}")]
    OperandType {
        /// The operator or function.
        operator: &'static str,
        /// The type of the operand.
        kind: &'static str,
    },
    /// ADD or DELETE with a type that it does not take.
    #[error(
        "Incorrect operand type for operator or function; operator: {action}, operand type: {kind}, typeSet: ALLOWED_FOR_{action}_OPERAND"
    )]
    ActionType {
        /// `ADD` or `DELETE`.
        action: &'static str,
        /// The type of the operand, in long form.
        kind: &'static str,
    },
    /// A constant where only a document path makes sense.
    #[error("Operator or function requires a document path; operator or function: {0}")]
    PathRequired(&'static str),
    /// `attribute_type` with a type that does not exist.
    #[error("Invalid attribute type name found; type: {0}, valid types: {{B,NULL,SS,BOOL,L,BS,N,NS,S,M}}")]
    TypeName(String),
    /// An attribute compared with itself.
    #[error(
        "The first operand must be distinct from the remaining operands for this operator or function; operator: {operator}, first operand: {path}"
    )]
    NotDistinct {
        /// The operator or function.
        operator: &'static str,
        /// The operand.
        path: Path,
    },
    /// More than 100 operands for IN.
    #[error("The IN operator is provided with too many operands; number of operands: {0}")]
    TooManyChoices(usize),
    /// BETWEEN with bounds of two types.
    #[error(
        "The BETWEEN operator requires same data type for lower and upper bounds; lower bound operand: AttributeValue: {}, upper bound operand: AttributeValue: {}",
        bound(low),
        bound(high)
    )]
    BetweenTypes {
        /// The lower bound.
        low: Encoded,
        /// The upper bound.
        high: Encoded,
    },
    /// BETWEEN with a lower bound above the upper one.
    #[error(
        "The BETWEEN operator requires upper bound to be greater than or equal to lower bound; lower bound operand: AttributeValue: {}, upper bound operand: AttributeValue: {}",
        bound(low),
        bound(high)
    )]
    BetweenOrder {
        /// The lower bound.
        low: Encoded,
        /// The upper bound.
        high: Encoded,
    },
    /// A section of an update that comes twice.
    #[error("The \"{0}\" section can only be used once in an update expression;")]
    RepeatedSection(&'static str),
    /// Two paths of which one contains the other.
    #[error(
        "Two document paths overlap with each other; must remove or rewrite one of these paths; path one: {0}, path two: {1}"
    )]
    Overlap(Path, Path),
    /// Two paths that take one thing for a map and for a list.
    #[error(
        "Two document paths conflict with each other; must remove or rewrite one of these paths; path one: {0}, path two: {1}"
    )]
    Conflict(Path, Path),
}

/// A bound the way DynamoDB prints it, down to Java's way of printing bytes.
fn bound(value: &Encoded) -> String {
    use crate::item::ValueRef;
    match value.view() {
        ValueRef::S(text) => format!("{{S:{text}}}"),
        ValueRef::N(number) => format!("{{N:{number}}}"),
        ValueRef::B(bytes) => format!("{{B:java.nio.HeapByteBuffer[pos=0 lim={0} cap={0}]}}", bytes.len()),
        other => format!("{{{}}}", other.kind().name()),
    }
}

/// The long name of a type, which only messages about ADD and DELETE use.
pub(super) fn long_name(kind: Type) -> &'static str {
    match kind {
        Type::S => "STRING",
        Type::N => "NUMBER",
        Type::B => "BINARY",
        Type::Bool => "BOOLEAN",
        Type::Null => "NULL",
        Type::M => "MAP",
        Type::L => "LIST",
        Type::Ss => "STRING_SET",
        Type::Ns => "NUMBER_SET",
        Type::Bs => "BINARY_SET",
    }
}
