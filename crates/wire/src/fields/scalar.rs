//! Members that are text, booleans, numbers or one of a set of names.

use std::borrow::Cow;
use std::marker::PhantomData;

use espalier_dynamo::operation::{option, stream, table};

use super::{Member, Mismatch, Position, Refusal, Source, Stop};
use crate::constraint::{Constraint, NAME_PATTERN, Path, Violations, is_name};
use crate::json::Kind;

/// The longest ARN that a table may be named by.
const ARN_LENGTH_MAX: usize = 1_024;
/// The longest name of a table.
const TABLE_NAME_LENGTH_MAX: usize = 255;
/// The shortest name of a table.
const TABLE_NAME_LENGTH_MIN: usize = 3;

/// Reads a string, or tells why the value is none.
pub(crate) fn read_text<'j>(source: &mut Source<'j>) -> Result<Cow<'j, str>, Stop> {
    match source.reader.peek()? {
        Kind::String => Ok(source.reader.string()?),
        kind => Err(not_scalar(source, kind, "String")?.into()),
    }
}

/// What DynamoDB says about a value of that kind in place of a scalar of the class.
fn not_scalar(source: &mut Source<'_>, kind: Kind, wanted: &'static str) -> Result<Mismatch, Stop> {
    let found = match kind {
        Kind::Array => return Ok(Mismatch::Collection(format!("class java.lang.{wanted}"))),
        Kind::Object | Kind::Null => return Ok(Mismatch::Structure),
        Kind::True => "TRUE_VALUE",
        Kind::False => "FALSE_VALUE",
        Kind::String => "STRING_VALUE",
        Kind::Number if is_whole(source.reader.number()?) => "NUMBER_VALUE",
        Kind::Number => "DECIMAL_VALUE",
    };
    Ok(Mismatch::Scalar { found, wanted })
}

fn is_whole(number: &str) -> bool {
    number.parse::<f64>().is_ok_and(|value| value.fract() == 0.0)
}

fn check_length(text: &str, limits: std::ops::RangeInclusive<usize>, path: &Path<'_>, found: &mut Violations) {
    let length = text.chars().count();
    if length < *limits.start() {
        found.add(path, Some(text.to_owned()), Constraint::LengthMin(*limits.start()));
    }
    if length > *limits.end() {
        found.add(path, Some(text.to_owned()), Constraint::LengthMax(*limits.end()));
    }
}

fn check_name(text: &str, path: &Path<'_>, found: &mut Violations) {
    if !is_name(text) {
        found.add(path, Some(text.to_owned()), Constraint::Pattern(NAME_PATTERN));
    }
}

/// Text between two lengths; with `NAME`, of the characters of names.
#[derive(Default)]
pub(crate) struct Text<const MIN: usize = 0, const MAX: usize = { usize::MAX }, const NAME: bool = false>(
    pub(crate) Option<String>,
);

impl<const MIN: usize, const MAX: usize, const NAME: bool> Text<MIN, MAX, NAME> {
    /// The text of a member that is known to be there.
    pub(crate) fn text(self) -> String {
        self.0.unwrap_or_default()
    }
}

impl<const MIN: usize, const MAX: usize, const NAME: bool> Member for Text<MIN, MAX, NAME> {
    const CLASS: &'static str = "java.lang.String";

    fn read(&mut self, source: &mut Source<'_>, _: Position) -> Result<(), Stop> {
        self.0 = Some(read_text(source)?.into_owned());
        Ok(())
    }

    fn check(&self, path: &Path<'_>, found: &mut Violations) {
        if let Some(text) = &self.0 {
            if NAME {
                check_name(text, path, found);
            }
            check_length(text, MIN..=MAX, path, found);
        }
    }

    fn shown(&self) -> Option<String> {
        self.0.clone()
    }
}

/// Declares the ways in which operations take a table's name, all of them text.
macro_rules! table_names {
    ($($(#[$meta:meta])* $name:ident $check:ident $refusal:ident,)+) => { $(
        $(#[$meta])*
        #[derive(Default)]
        pub(crate) struct $name(Option<String>);

        impl $name {
            /// The name of a member that is known to be there.
            pub(crate) fn text(self) -> String {
                self.0.unwrap_or_default()
            }
        }

        impl Member for $name {
            const CLASS: &'static str = "java.lang.String";

            fn read(&mut self, source: &mut Source<'_>, _: Position) -> Result<(), Stop> {
                self.0 = Some(read_text(source)?.into_owned());
                Ok(())
            }

            fn check(&self, path: &Path<'_>, found: &mut Violations) {
                $check(self.0.as_deref(), path, found);
            }

            fn refusal(&self, name: &'static str) -> Option<Refusal> {
                $refusal(self.0.as_deref(), name)
            }

            fn shown(&self) -> Option<String> {
                self.0.clone()
            }
        }
    )+ };
}

table_names! {
    /// The table of an operation on items: a name or an ARN.
    TableName check_table_name refuse_shortness,
    /// The name of a table to be made.
    NewTableName check_new_table_name refuse_absence,
    /// The table of an operation on tables: a name or an ARN.
    ControlTableName check_control_table_name refuse_length,
}

fn is_arn(text: &str) -> bool {
    text.starts_with("arn:") && text.contains(":table/") && text.len() <= ARN_LENGTH_MAX
}

fn check_table_name(name: Option<&str>, path: &Path<'_>, found: &mut Violations) {
    match name {
        None => found.add(path, None, Constraint::NotNull),
        Some("") => found.add(path, Some(String::new()), Constraint::LengthMin(1)),
        Some(name) if is_arn(name) => {}
        Some(name) => {
            check_name(name, path, found);
            check_length(name, 1..=TABLE_NAME_LENGTH_MAX, path, found);
        }
    }
}

fn check_new_table_name(name: Option<&str>, path: &Path<'_>, found: &mut Violations) {
    if let Some(name) = name {
        check_name(name, path, found);
        check_length(name, TABLE_NAME_LENGTH_MIN..=TABLE_NAME_LENGTH_MAX, path, found);
    }
}

fn check_control_table_name(name: Option<&str>, path: &Path<'_>, found: &mut Violations) {
    if let Some(name) = name
        && !is_arn(name)
    {
        check_name(name, path, found);
    }
}

/// Shorter than any table's name, but not so short that a constraint says it.
fn refuse_shortness(text: Option<&str>, name: &'static str) -> Option<Refusal> {
    let is_short = text.is_some_and(|text| (1..TABLE_NAME_LENGTH_MIN).contains(&text.len()));
    is_short.then_some(Refusal::TableNameLength(name))
}

fn refuse_absence(text: Option<&str>, name: &'static str) -> Option<Refusal> {
    text.is_none().then_some(Refusal::Required(name))
}

fn refuse_length(text: Option<&str>, name: &'static str) -> Option<Refusal> {
    let Some(text) = text else { return Some(Refusal::Required(name)) };
    let fits = (TABLE_NAME_LENGTH_MIN..=TABLE_NAME_LENGTH_MAX).contains(&text.len()) || is_arn(text);
    (!fits).then_some(Refusal::TableNameLength(name))
}

/// A member of a feature that is not offered: whatever it holds, it is refused.
#[derive(Default)]
pub(crate) struct NotOffered(bool);

impl Member for NotOffered {
    const CLASS: &'static str = "java.lang.Object";

    fn read(&mut self, source: &mut Source<'_>, _: Position) -> Result<(), Stop> {
        self.0 = true;
        Ok(source.reader.skip()?)
    }

    fn refusal(&self, name: &'static str) -> Option<Refusal> {
        self.0.then_some(Refusal::NotOffered(name))
    }

    fn shown(&self) -> Option<String> {
        None
    }
}

/// A boolean.
#[derive(Default)]
pub(crate) struct Flag(pub(crate) Option<bool>);

/// Reads a boolean. DynamoDB also takes some texts for one, in any case.
pub(crate) fn read_flag(source: &mut Source<'_>) -> Result<bool, Stop> {
    match source.reader.peek()? {
        Kind::True => Ok(source.reader.literal("true").map(|()| true)?),
        Kind::False => Ok(source.reader.literal("false").map(|()| false)?),
        Kind::String => match source.reader.string()?.to_ascii_lowercase().as_str() {
            "true" | "t" | "yes" | "y" | "1" => Ok(true),
            "false" | "f" | "no" | "n" | "0" => Ok(false),
            _ => Err(Mismatch::Token.into()),
        },
        kind => Err(not_scalar(source, kind, "Boolean")?.into()),
    }
}

impl Member for Flag {
    const CLASS: &'static str = "java.lang.Boolean";

    fn read(&mut self, source: &mut Source<'_>, _: Position) -> Result<(), Stop> {
        self.0 = Some(read_flag(source)?);
        Ok(())
    }

    fn shown(&self) -> Option<String> {
        self.0.map(|flag| flag.to_string())
    }
}

/// A whole number between two bounds; `LONG` only words the mismatch. Fractions are cut off, as DynamoDB does.
#[derive(Default)]
pub(crate) struct Whole<const MIN: i64 = { i64::MIN }, const MAX: i64 = { i64::MAX }, const LONG: bool = false>(
    pub(crate) Option<i64>,
);

impl<const MIN: i64, const MAX: i64, const LONG: bool> Member for Whole<MIN, MAX, LONG> {
    const CLASS: &'static str = if LONG { "java.lang.Long" } else { "java.lang.Integer" };

    fn read(&mut self, source: &mut Source<'_>, _: Position) -> Result<(), Stop> {
        let kind = source.reader.peek()?;
        if kind != Kind::Number {
            return Err(not_scalar(source, kind, if LONG { "Long" } else { "Integer" })?.into());
        }
        let text = source.reader.number()?;
        // Numbers beyond 64 bits saturate: no bound is anywhere near.
        self.0 = Some(text.parse().unwrap_or_else(|_| text.parse::<f64>().map_or(0, |value| value.floor() as i64)));
        Ok(())
    }

    fn check(&self, path: &Path<'_>, found: &mut Violations) {
        if let Some(value) = self.0 {
            if value < MIN {
                found.add(path, Some(value.to_string()), Constraint::ValueMin(MIN));
            }
            if value > MAX {
                found.add(path, Some(value.to_string()), Constraint::ValueMax(MAX));
            }
        }
    }

    fn shown(&self) -> Option<String> {
        self.0.map(|value| value.to_string())
    }
}

/// An enumeration whose members have DynamoDB's names.
pub(crate) trait NamedOption: Copy {
    /// All names, in the order in which DynamoDB lists them.
    const ALL: &'static [&'static str];

    /// The member of that name.
    fn find(name: &str) -> Option<Self>;

    /// DynamoDB's name.
    fn text(self) -> &'static str;

    /// What is said about any other name in place of a violated constraint.
    fn refusal() -> Option<Refusal> {
        None
    }
}

macro_rules! named_options {
    ($($kind:ty,)+) => { $(
        impl NamedOption for $kind {
            const ALL: &'static [&'static str] = <$kind>::NAMES;

            fn find(name: &str) -> Option<Self> {
                <$kind>::from_name(name)
            }

            fn text(self) -> &'static str {
                self.name()
            }
        }
    )+ };
}

named_options! {
    option::AttributeAction,
    option::ComparisonOperator,
    option::ConditionalOperator,
    option::ReturnConsumedCapacity,
    option::ReturnItemCollectionMetrics,
    option::ReturnValues,
    option::ReturnValuesOnConditionCheckFailure,
    option::Select,
    stream::ShardIteratorType,
    table::BillingMode,
    table::KeyType,
    table::ProjectionType,
    table::ScalarType,
    table::SseType,
    table::StreamViewType,
}

impl NamedOption for table::TableClass {
    const ALL: &'static [&'static str] = Self::NAMES;

    fn find(name: &str) -> Option<Self> {
        Self::from_name(name)
    }

    fn text(self) -> &'static str {
        self.name()
    }

    fn refusal() -> Option<Refusal> {
        Some(Refusal::TableClass)
    }
}

/// One of a set of names.
pub(crate) struct Named<E> {
    known: Option<E>,
    unknown: Option<String>,
    kind: PhantomData<E>,
}

impl<E> Default for Named<E> {
    fn default() -> Self {
        Self { known: None, unknown: None, kind: PhantomData }
    }
}

impl<E: NamedOption> Named<E> {
    /// The choice, if one was made.
    pub(crate) fn get(&self) -> Option<E> {
        self.known
    }
}

impl<E: NamedOption> Member for Named<E> {
    const CLASS: &'static str = "java.lang.String";

    fn read(&mut self, source: &mut Source<'_>, _: Position) -> Result<(), Stop> {
        let text = read_text(source)?;
        self.known = E::find(&text);
        if self.known.is_none() {
            self.unknown = Some(text.into_owned());
        }
        Ok(())
    }

    fn check(&self, path: &Path<'_>, found: &mut Violations) {
        if let Some(text) = &self.unknown {
            found.add(path, Some(text.clone()), Constraint::Names(E::ALL));
        }
    }

    fn refusal(&self, _: &'static str) -> Option<Refusal> {
        if self.unknown.is_some() { E::refusal() } else { None }
    }

    fn shown(&self) -> Option<String> {
        self.known.map(|known| known.text().to_owned()).or_else(|| self.unknown.clone())
    }
}
