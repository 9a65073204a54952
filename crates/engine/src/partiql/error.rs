//! What can be wrong with a statement, in DynamoDB's sentences.
//!
//! Positions are `line:column:length` of a token, counted in characters from one. The sentences were observed on
//! Amazon (eu-west-2, 2026) or taken from DynamoDB Local 3.3.

use espalier_dynamo::error::Invalid;
use espalier_dynamo::expression::{Cause, Refused};
use espalier_dynamo::{Error as Fault, number};

use super::lexer::Span;
use super::syntax::Mapping;

/// Why a text is not a statement.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Malformed {
    /// Characters that make no token, or an end inside of one: DynamoDB adds nothing.
    #[error("")]
    Unreadable,
    /// Expressions nest too deep for us to follow; DynamoDB adds nothing either.
    #[error("")]
    TooDeep,
    /// Something else than the start of a term.
    #[error("Unexpected term")]
    Term,
    /// A keyword where a term should start.
    #[error("Unexpected keyword")]
    Keyword,
    /// An operator where a term should start.
    #[error("Unexpected operator")]
    Operator,
    /// Nothing after an operator.
    #[error("Missing right-hand side expression of infix operator")]
    RightSide,
    /// Nothing after the AND of a BETWEEN.
    #[error("Expected expression after AND")]
    UpperBound,
    /// Something after the end of the statement.
    #[error("Unexpected token after expression")]
    Leftover,
    /// A second statement.
    #[error("Unexpected token after semicolon. (Only one query is allowed.)")]
    SecondStatement,
    /// No INSERT, SET or REMOVE where one belongs.
    #[error("Expected data manipulation")]
    Manipulation,
    /// A path whose dot no name follows.
    #[error("Invalid path dot component")]
    PathDot,
    /// No table or attribute where one belongs.
    #[error("Expected identifier for simple path")]
    SimplePath,
    /// An expression in the brackets of a path that is written to.
    #[error("Invalid path component for simple path")]
    SimplePathIndex,
    /// A SELECT without FROM.
    #[error("Expected FROM after SELECT list")]
    SelectFrom,
    /// A DELETE without FROM.
    #[error("Expected FROM after DELETE")]
    DeleteFrom,
    /// IS with a word that is no type.
    #[error("Expected type name")]
    TypeName,
    /// A SET without `=`.
    #[error("Expected '='")]
    Assignment,
    /// Another token than the only one that fits.
    #[error("Expected {0}")]
    Expected(&'static str),
    /// `*` beside other columns.
    #[error("Other expressions may not be present in the select list when '*' is used without dot notation.")]
    StarNotAlone,
    /// `*` inside a column's path.
    #[error("Invalid use of * in select list")]
    StarInPath,
    /// A keyword as a column.
    #[error("Expected identifier or an expression but found unexpected keyword '{0}' in a select list.")]
    ColumnKeyword(String),
    /// RETURNING without its two words.
    #[error("Expected ( MODIFIED | ALL ) ( NEW | OLD ) in each returning element.")]
    Returning,
    /// ON CONFLICT that does not end in DO NOTHING.
    #[error("invalid ON CONFLICT syntax")]
    OnConflict,
}

/// Why a statement is refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// It does not follow the grammar.
    #[error("Statement wasn't well formed, can't be processed: {0}")]
    Malformed(#[from] Malformed),
    /// A kind of statement that DynamoDB does not have.
    #[error("Unsupported operation: {0}")]
    Operation(&'static str),
    /// A clause that DynamoDB does not have.
    #[error("Unsupported clause: {0}{at}", at = place(.1))]
    Clause(&'static str, Option<Span>),
    /// A word that DynamoDB does not have.
    #[error("Unsupported token in expression: {0}{at}", at = place(.1))]
    Token(&'static str, Option<Span>),
    /// `AS`, or a name after a table or column.
    #[error("Aliasing is not supported")]
    Alias,
    /// SELECT VALUE.
    #[error("Select projection doesn't support value or pivot keywords")]
    SelectValue,
    /// Two columns of one name.
    #[error("Duplicate identifiers in select clause: {0}")]
    DuplicateColumn(String),
    /// Two tables.
    #[error("Only select from a single table or index is supported.")]
    SeveralSources,
    /// Something else than a table.
    #[error("Unexpected from source")]
    Source,
    /// `"a"."b"."c"` after FROM.
    #[error("A path may contain at most 2 components in the FROM clause")]
    SourceTooLong,
    /// `""` after FROM.
    #[error("Path component cannot be an empty string")]
    EmptyComponent,
    /// A name that no table can have.
    #[error("Table name should be within the length [3, 255] and only contain 'a-z', 'A-Z', '0-9', '-', '_', '.'.")]
    TableName,
    /// INSERT into an index.
    #[error("FROM clause may only contain a single table name in data manipulation statements")]
    InsertIntoIndex,
    /// UPDATE or DELETE of an index.
    #[error("This operation is not supported on an index")]
    WriteToIndex,
    /// A qualifier that names no index.
    #[error("The table does not have the specified index")]
    NoIndex,
    /// A consistent read of a global index.
    #[error("Strongly consistent read is not supported on Global Secondary Indexes")]
    ConsistentGlobal,
    /// An index with several attributes on a side of its key.
    #[error(
        "PartiQL statements cannot be executed on tables with multi-attribute HASH keys or multi-attribute RANGE keys."
    )]
    MultiAttributeKey,
    /// A filter on what a keyed index does not hold.
    #[error(
        "One or more parameter values were invalid: Secondary index {index} does not project one or more filter attributes: [{names}]"
    )]
    FilterNotProjected {
        /// The index.
        index: String,
        /// The attributes.
        names: String,
    },
    /// More question marks than values.
    #[error("Number of parameters in request and statement don't match.")]
    Parameters,
    /// A path that is not made of names and positions.
    #[error("Unexpected path component at {0}")]
    PathComponent(Span),
    /// `a.*.b`
    #[error("Unpivot path component like a.*.b are not supported")]
    Unpivot,
    /// `a[*].b`
    #[error("Wildcard path component like a[*].b are not supported")]
    Wildcard,
    /// A position that no list has.
    #[error("List index is not within the allowable range; index: [{0}] at {1}")]
    ListIndex(String, Span),
    /// MISSING without IS.
    #[error("MISSING must be compared using IS operator")]
    Missing,
    /// IS with a type that DynamoDB does not have.
    #[error(
        "Unsupported data type for IS operator: {0}. Supported data types are [MISSING, NULL, BOOLEAN, BLOB, STRING, NUMERIC, STRUCT, TUPLE, LIST] at {1}"
    )]
    IsType(String, Span),
    /// IS of something that is no path.
    #[error("The left hand side argument to IS must be a Variable Reference, Literal, or Path")]
    IsOperand,
    /// IN without a list.
    #[error(
        "IN operator must have a left hand argument of type Variable Reference and right hand argument of type Seq with at least one member"
    )]
    InOperand,
    /// No such function.
    #[error("Unrecognized function: {0} at {1}")]
    Function(String, Span),
    /// An operator that conditions do not have.
    #[error("Unsupported operator in Condition Expression. Operator: {0}")]
    ConditionOperator(&'static str),
    /// An operator that updates do not have.
    #[error("Unsupported operator in Update Expression. Operator: {0}")]
    UpdateOperator(&'static str),
    /// IS in an update.
    #[error("IS operator is not supported in update expressions")]
    IsInUpdate,
    /// A WHERE that is no condition.
    #[error("WHERE clause must contain an expression that resolves to a boolean")]
    Where,
    /// AND or OR of something that is no condition.
    #[error("The arguments to AND/OR must be Expressions")]
    AndOr,
    /// NOT of something that is no condition.
    #[error("The argument to NOT must be a Type or Expression")]
    Not,
    /// `attribute_type` with a type that does not exist; the order of the list is PartiQL's own.
    #[error("Invalid attribute type name found; type: {0}, valid types: {{N,BS,L,B,NULL,M,S,SS,NS,BOOL}}")]
    AttributeType(String),
    /// A rule that expressions have too.
    #[error("{0}")]
    Expression(Cause),
    /// Something that is no value.
    #[error("Unsupported data type: {what} under key {trail} at {at}")]
    Value {
        /// What it is.
        what: String,
        /// Where it stands in the value.
        trail: String,
        /// Where it stands in the text.
        at: Span,
    },
    /// A value in backticks.
    #[error("Ion Literals are not supported: UNKNOWN under key {0} at {1}")]
    Ion(String, Span),
    /// A number that DynamoDB cannot store.
    #[error("{0} under {1}")]
    Number(number::Error, String),
    /// Maps and lists nest too deep.
    #[error("Nesting Levels have exceeded supported limits under {0}")]
    Nesting(String),
    /// `<<>>`
    #[error("Empty bags are not supported")]
    EmptyBag,
    /// A set of something else.
    #[error("Unsupported data type in Bag. DynamoDB only supports either numbers or strings in bags{}", place(.0))]
    BagType(Option<Span>),
    /// A set with one string twice.
    #[error("One or more parameter values were invalid: Input collection [{0}] contains duplicates.")]
    DuplicateStrings(String),
    /// A set with one number twice.
    #[error("One or more parameter values were invalid: Input collection [{0}] contains duplicates! under {1}")]
    DuplicateNumbers(String, String),
    /// One name twice in a map.
    #[error("Duplicate keys in tuple. Key: {key} under {trail} at {at}")]
    DuplicateKey {
        /// The name.
        key: String,
        /// Where the map stands in the value.
        trail: String,
        /// Where the name stands in the text.
        at: Span,
    },
    /// A name in a map that is no string.
    #[error("Tuple keys must be of type String. Actual type: {what} under {trail} at {at}")]
    TupleKey {
        /// What it is.
        what: &'static str,
        /// Where the map stands in the value.
        trail: String,
        /// Where the name stands in the text.
        at: Span,
    },
    /// An INSERT of something else than a map.
    #[error(
        "Unsupported format in item expression. Please use struct format {{...}} to express item values for insert statement. at {0}"
    )]
    ItemSyntax(Span),
    /// INSERT INTO … AT.
    #[error("AT is not supported in insert statements. at {0}")]
    InsertAt(Span),
    /// INSERT with RETURNING.
    #[error("RETURNING is not supported in INSERT")]
    InsertReturning,
    /// DELETE with another RETURNING than its own.
    #[error("Invalid returning clause: RETURNING {0} *. Only RETURNING ALL OLD * is allowed in DELETE statements.")]
    DeleteReturning(Mapping),
    /// RETURNING of something else than `*`.
    #[error("Expected '*' after ( MODIFIED | ALL ) ( NEW | OLD ) in RETURNING clause")]
    ReturningColumns,
    /// RETURNING of several things.
    #[error("Invalid syntax with multiple returning elements in RETURNING clause")]
    ReturningSeveral,
    /// `set_add` or `set_delete` with too few or too many arguments.
    #[error("SET_{0} must have exactly two arguments at {1}")]
    SetArguments(&'static str, Span),
    /// `SET a = set_add(b, …)`
    #[error("The first argument to SET_{0} must equal the assignment value at {1}")]
    SetTarget(&'static str, Span),
    /// `set_add` of something that is no set.
    #[error("The second argument to SET_{0} must be a value with type SET at {1}")]
    SetOperand(&'static str, Span),
    /// A write that does not say which item.
    #[error("Where clause does not contain a mandatory equality on all key attributes")]
    IncompleteKey,
    /// A write that names two items.
    #[error("Multiple conditions on same key {0}. Only single item Update/Insert/Delete are supported")]
    TwoKeys(String),
    /// An item without its key.
    #[error("Key attribute should be present in the item: Key {0}")]
    KeyAbsent(String),
    /// A key of another type than the schema's.
    #[error("Key attribute's data type should match its data type in table's schema: Key {0}")]
    KeyMismatch(String),
    /// A key of a type that no key has.
    #[error("Key value must be of type S, N, or B. Key name: {0}, Key type: {1}")]
    KeyType(String, &'static str),
    /// A path into a key.
    #[error("Key attributes must be scalars; list random access '[]' and map lookup '.' are not allowed: Key: {0}")]
    KeyPath(String),
    /// A path into a key, in a write: the same sentence less a colon.
    #[error("Key attributes must be scalars; list random access '[]' and map lookup '.' are not allowed: Key {0}")]
    WrittenKeyPath(String),
    /// Two branches of an OR that read the same items.
    #[error("Overlapping conditions with range keys are not supported in where clause")]
    Overlap,
    /// A SELECT that would be more than fifty queries.
    #[error("Too many decomposed read operations for a given query.")]
    TooManyReads,
    /// ORDER BY without WHERE.
    #[error("Must have WHERE clause in the statement when using ORDER BY clause.")]
    OrderWithoutWhere,
    /// ORDER BY without a partition.
    #[error("Must have at least one non-optional hash key condition in WHERE clause when using ORDER BY clause.")]
    OrderWithoutKey,
    /// ORDER BY the sort key alone, over several partitions.
    #[error("Must have hash key in ORDER BY clause when more than one hash key condition specified in WHERE clause.")]
    OrderWithoutPartition,
    /// ORDER BY another attribute.
    #[error("Attribute {0} in ORDER BY clause must be part of the primary key")]
    OrderAttribute(String),
    /// ORDER BY something else than an attribute.
    #[error("Argument to ORDER BY must be of type VariableReference. Type: {0}")]
    OrderOperand(&'static str),
    /// EXISTS outside of a transaction.
    #[error("EXISTS can only be used in ExecuteTransaction write requests.")]
    ExistsOutside,
    /// EXISTS that is not a key and a condition.
    #[error("EXISTS() must contain a single item read with additional condition")]
    ExistsShape,
    /// EXISTS on an index.
    #[error("Operations on indices are not supported in transactions")]
    ExistsOnIndex,
    /// A read of an index in a transaction.
    #[error("Reads on indices are not supported within transactions.")]
    IndexInTransaction,
    /// RETURNING in a transaction.
    #[error("RETURNING clause is not supported in ExecuteTransaction.")]
    ReturningInTransaction,
    /// A read of more or less than one item among several statements.
    #[error("Select statements within {0} must specify the primary key in the where clause.")]
    NotOneItem(&'static str),
    /// Reads and writes in one transaction.
    #[error("ExecuteTransaction API does not support both read and write operations in the same request.")]
    MixedTransaction,
    /// Reads and writes in one batch.
    #[error("Read and write requests together in the same batch is not supported.")]
    MixedBatch,
    /// Two statements of a batch on one item.
    #[error("Provided list of item keys contains duplicates")]
    DuplicateItems,
    /// More statements than one request may have.
    #[error("Member must have length less than or equal to {0}")]
    TooManyStatements(usize),
    /// A next token that nobody handed out.
    #[error("Invalid NextToken")]
    NextToken,
    /// A next token of another statement.
    #[error("NextToken does not match request")]
    NextTokenMismatch,
}

impl From<Cause> for Error {
    fn from(cause: Cause) -> Self {
        Error::Expression(cause)
    }
}

impl From<Error> for Fault {
    fn from(error: Error) -> Self {
        Fault::invalid(error)
    }
}

/// What is wrong with one statement of a transaction.
#[derive(Debug, Clone, thiserror::Error)]
#[error("Validation failed in TransactStatements[{place}]: {cause}")]
pub struct InTransaction {
    /// Which statement.
    pub place: usize,
    /// What is wrong with it.
    pub cause: Invalid,
}

/// The same fault without the name of an expression parameter, which a statement does not have.
pub fn bare(fault: Fault) -> Fault {
    match &fault {
        Fault::Validation(invalid) => match invalid.cause::<Refused>() {
            Some(refused) => Error::Expression(refused.cause.clone()).into(),
            None => fault,
        },
        _ => fault,
    }
}

fn place(at: &Option<Span>) -> String {
    at.map(|at| format!(" at {at}")).unwrap_or_default()
}
