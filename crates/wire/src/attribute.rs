//! Attribute values: from JSON straight into the encoded form.
//!
//! A value may be well-typed JSON and still break a rule (an empty set, a number of 39 digits). Such faults are
//! noted while reading and told only when types and constraints were found in order, so reading goes on with a
//! null in the value's place; the request is never carried out.

use std::borrow::Cow;

use espalier_dynamo::item::{MapBuilder, SetBuilder, encode};
use espalier_dynamo::value::Type;
use espalier_dynamo::{Item, Number, Value, number};

use crate::constraint::{Path, Violations};
use crate::fields::{Member, Mismatch, Position, Source, Stop, enter_map, read_flag, read_text};
use crate::json::Kind;

/// The class that DynamoDB prints values with.
const CLASS: &str = "AttributeValue";
/// Values this deep are one level too deep: a top-level attribute is at depth 0.
const DEPTH_LIMIT: usize = 32;
/// Room that fits most items without growing.
const ATTRIBUTES_USUAL: usize = 16;
/// Room that fits most items without growing.
const VALUE_BYTES_USUAL: usize = 512;

/// A rule that an attribute value breaks.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AttributeFault {
    /// No type is given, or none that exists.
    #[error("Supplied AttributeValue is empty, must contain exactly one of the supported datatypes")]
    Empty,
    /// Several types are given.
    #[error(
        "Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported datatypes"
    )]
    MoreThanOne,
    /// A null that is none.
    #[error("One or more parameter values were invalid: Null attribute value types must have the value of true")]
    NullFalse,
    /// A set without members.
    #[error("One or more parameter values were invalid: {}", empty_set(*.0))]
    EmptySet(Type),
    /// A set with a null among its members.
    #[error("One or more parameter values were invalid: {}", null_member(*.0))]
    NullMember(Type),
    /// A string set with a member twice.
    #[error("One or more parameter values were invalid: Input collection [{}] contains duplicates.", .0.join(", "))]
    DuplicateStrings(Vec<String>),
    /// A number set with a member twice.
    #[error("Input collection contains duplicates")]
    DuplicateNumbers,
    /// A binary set with a member twice; the members are shown as they were sent.
    #[error("One or more parameter values were invalid: Input collection [{}]of type BS contains duplicates.", .0.join(", "))]
    DuplicateBinaries(Vec<String>),
    /// A number that cannot be stored.
    #[error("{0}")]
    Number(number::Error),
    /// Lists and maps too deep in each other.
    #[error(
        "Nesting Levels have exceeded supported limits: Attributes in the item have nested levels beyond supported limit"
    )]
    Nesting,
    /// A fault in a value for expressions.
    #[error("ExpressionAttributeValues contains invalid value: {fault} for key {key}")]
    InExpressionValue {
        /// What is wrong.
        fault: Box<AttributeFault>,
        /// With which value.
        key: String,
    },
    /// A fault in a start key.
    #[error("The provided starting key is invalid: {0}")]
    InStartKey(Box<AttributeFault>),
}

fn empty_set(kind: Type) -> &'static str {
    match kind {
        Type::Ss => "An string set  may not be empty",
        Type::Ns => "An number set  may not be empty",
        _ => "Binary sets should not be empty",
    }
}

fn null_member(kind: Type) -> &'static str {
    match kind {
        Type::Ss => "An string set may not have a null string as a member",
        Type::Ns => "An number set may not have a null string as a member",
        _ => "Binary sets may not contain null or empty values",
    }
}

/// In which order DynamoDB looks at the values of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Place {
    /// Items and keys.
    Item,
    /// Legacy conditions and updates, statement parameters.
    Condition,
    /// Where a Query or Scan goes on.
    StartKey,
    /// Legacy conditions on a Query's key.
    KeyCondition,
    /// Values for expressions.
    Expression,
}

/// The faults of a request: the one that DynamoDB would tell.
#[derive(Debug, Default)]
pub(crate) struct Faults {
    /// The first fault of the member that is being read.
    pending: Option<AttributeFault>,
    told: Option<(Place, AttributeFault)>,
}

impl Faults {
    fn note(&mut self, fault: AttributeFault) {
        self.pending.get_or_insert(fault);
    }

    fn file(&mut self, place: Place) {
        if let Some(fault) = self.pending.take()
            && self.told.as_ref().is_none_or(|(other, _)| place < *other)
        {
            self.told = Some((place, fault));
        }
    }

    /// The fault to tell, if there is any, and where it is.
    pub(crate) fn into_first(self) -> Option<(Place, AttributeFault)> {
        self.told
    }
}

/// An item or a key.
#[derive(Default)]
pub(crate) struct Attributes(pub(crate) Option<Item>);

impl Attributes {
    /// The item of a member that is known to be there.
    pub(crate) fn item(self) -> Item {
        self.0.unwrap_or_else(Item::empty)
    }
}

impl Member for Attributes {
    const CLASS: &'static str = CLASS;

    fn read(&mut self, source: &mut Source<'_>, position: Position) -> Result<(), Stop> {
        enter_map(source, position, CLASS)?;
        let mut builder = MapBuilder::with_room(ATTRIBUTES_USUAL, VALUE_BYTES_USUAL);
        let mut first = true;
        while let Some(name) = source.reader.next_key(&mut first)? {
            read_value(source, builder.begin(name), 0, Position::Element)?;
        }
        source.faults.file(Place::Item);
        self.0 = Some(builder.try_finish_item().map_err(|_| Stop::Malformed)?);
        Ok(())
    }

    fn shown(&self) -> Option<String> {
        let names: Vec<String> = self.0.as_ref()?.iter().map(|(name, _)| format!("{name}={CLASS}")).collect();
        Some(format!("{{{}}}", names.join(", ")))
    }
}

/// `ExclusiveStartKey`.
#[derive(Default)]
pub(crate) struct StartKey(pub(crate) Attributes);

impl Member for StartKey {
    const CLASS: &'static str = CLASS;

    fn read(&mut self, source: &mut Source<'_>, position: Position) -> Result<(), Stop> {
        told_at(Place::StartKey, source, |source| self.0.read(source, position), in_start_key)
    }

    fn shown(&self) -> Option<String> {
        self.0.shown()
    }
}

/// Some faults are told as they are; Amazon's rule is not known better than case by case.
fn in_start_key(fault: AttributeFault) -> AttributeFault {
    match fault {
        AttributeFault::Number(_)
        | AttributeFault::DuplicateStrings(_)
        | AttributeFault::DuplicateNumbers
        | AttributeFault::DuplicateBinaries(_)
        | AttributeFault::EmptySet(Type::Ns)
        | AttributeFault::Nesting => fault,
        fault => AttributeFault::InStartKey(Box::new(fault)),
    }
}

/// A member whose faults are told in another place than those of its kind.
#[derive(Default)]
pub(crate) struct KeyConditions<M>(pub(crate) M);

impl<M: Member> Member for KeyConditions<M> {
    const CLASS: &'static str = M::CLASS;

    fn read(&mut self, source: &mut Source<'_>, position: Position) -> Result<(), Stop> {
        told_at(Place::KeyCondition, source, |source| self.0.read(source, position), |fault| fault)
    }

    fn check(&self, path: &Path<'_>, found: &mut Violations) {
        self.0.check(path, found);
    }

    fn shown(&self) -> Option<String> {
        self.0.shown()
    }
}

/// Reads something, and tells the first fault in it at this place.
fn told_at(
    place: Place,
    source: &mut Source<'_>,
    read: impl FnOnce(&mut Source<'_>) -> Result<(), Stop>,
    word: impl FnOnce(AttributeFault) -> AttributeFault,
) -> Result<(), Stop> {
    let before = source.faults.told.take();
    read(source)?;
    source.faults.pending = std::mem::replace(&mut source.faults.told, before).map(|(_, fault)| word(fault));
    source.faults.file(place);
    Ok(())
}

/// `ExpressionAttributeValues`.
#[derive(Default)]
pub(crate) struct ExpressionValues(pub(crate) Option<Item>);

impl Member for ExpressionValues {
    const CLASS: &'static str = CLASS;

    fn read(&mut self, source: &mut Source<'_>, position: Position) -> Result<(), Stop> {
        enter_map(source, position, CLASS)?;
        let mut builder = MapBuilder::new();
        let mut first = true;
        while let Some(name) = source.reader.next_key(&mut first)? {
            let key = name.clone();
            read_value(source, builder.begin(name), 0, Position::Element)?;
            source.faults.pending = source.faults.pending.take().map(|fault| in_expression_value(fault, &key));
            source.faults.file(Place::Expression);
        }
        self.0 = Some(builder.try_finish_item().map_err(|_| Stop::Malformed)?);
        Ok(())
    }

    fn shown(&self) -> Option<String> {
        None
    }
}

/// Nesting is told as it is; anything else with the key it was met at.
fn in_expression_value(fault: AttributeFault, key: &str) -> AttributeFault {
    match fault {
        AttributeFault::Nesting => AttributeFault::Nesting,
        fault => AttributeFault::InExpressionValue { fault: Box::new(fault), key: key.to_owned() },
    }
}

/// One value of a legacy parameter, or a parameter of a statement.
#[derive(Default)]
pub(crate) struct Single(pub(crate) Option<Value>);

impl Single {
    /// The value of an element; a null in the request was noted as a fault.
    pub(crate) fn value(self) -> Value {
        self.0.unwrap_or(Value::Null)
    }
}

impl Member for Single {
    const CLASS: &'static str = CLASS;

    fn read(&mut self, source: &mut Source<'_>, position: Position) -> Result<(), Stop> {
        let mut builder = MapBuilder::new();
        read_value(source, builder.begin(Cow::Borrowed("")), 0, position)?;
        source.faults.file(Place::Condition);
        self.0 = builder.finish_item().get("").map(|value| value.to_value());
        Ok(())
    }

    fn shown(&self) -> Option<String> {
        self.0.as_ref().map(|_| CLASS.to_owned())
    }
}

/// Reads one value to the end of the buffer.
fn read_value(source: &mut Source<'_>, out: &mut Vec<u8>, depth: usize, position: Position) -> Result<(), Stop> {
    match (source.reader.peek()?, position) {
        (Kind::Object, _) => {}
        (Kind::Null, _) => {
            source.reader.literal("null")?;
            source.faults.note(AttributeFault::Empty);
            encode::null(out);
            return Ok(());
        }
        (Kind::Array, _) => return Err(Mismatch::list_for_structure(CLASS).into()),
        (_, Position::Field) => return Err(Mismatch::Field.into()),
        (_, Position::Element) => return Err(Mismatch::Value.into()),
    }
    if depth >= DEPTH_LIMIT {
        source.reader.skip()?;
        source.faults.note(AttributeFault::Nesting);
        encode::null(out);
        return Ok(());
    }
    let start = out.len();
    let (mut first, mut count) = (true, 0);
    source.reader.enter_object()?;
    while let Some(name) = source.reader.next_key(&mut first)? {
        let kind = Type::from_name(&name);
        match (kind, source.reader.peek()?) {
            (_, Kind::Null) => source.reader.literal("null")?,
            (None, _) => source.reader.skip()?,
            (Some(kind), _) => {
                count += 1;
                read_typed(source, out, kind, depth)?;
            }
        }
    }
    if count != 1 {
        source.faults.note(if count == 0 { AttributeFault::Empty } else { AttributeFault::MoreThanOne });
        out.truncate(start);
        encode::null(out);
    }
    Ok(())
}

/// Reads the content of a value of that type; exactly one value is written, a null where there is a fault.
fn read_typed(source: &mut Source<'_>, out: &mut Vec<u8>, kind: Type, depth: usize) -> Result<(), Stop> {
    match kind {
        Type::S => encode::string(out, &read_text(source)?),
        Type::N => match read_text(source)?.parse::<Number>() {
            Ok(number) => encode::number(out, &number),
            Err(error) => {
                source.faults.note(AttributeFault::Number(error));
                encode::null(out);
            }
        },
        Type::B => encode::binary(out, &decode_binary(&read_binary_text(source)?)?),
        Type::Bool => encode::boolean(out, read_flag(source)?),
        Type::Null => {
            if !read_flag(source)? {
                source.faults.note(AttributeFault::NullFalse);
            }
            encode::null(out);
        }
        Type::M => read_map(source, out, depth + 1)?,
        Type::L => read_list(source, out, depth + 1)?,
        Type::Ss | Type::Ns | Type::Bs => read_set(source, out, kind)?,
    }
    Ok(())
}

fn read_map(source: &mut Source<'_>, out: &mut Vec<u8>, depth: usize) -> Result<(), Stop> {
    enter_map(source, Position::Field, CLASS)?;
    let mut builder = MapBuilder::with_room(ATTRIBUTES_USUAL / 4, VALUE_BYTES_USUAL / 4);
    let mut first = true;
    while let Some(name) = source.reader.next_key(&mut first)? {
        read_value(source, builder.begin(name), depth, Position::Element)?;
    }
    builder.try_finish_map(out).map_err(|_| Stop::Malformed)
}

fn read_list(source: &mut Source<'_>, out: &mut Vec<u8>, depth: usize) -> Result<(), Stop> {
    enter_list(source)?;
    let (mut body, mut count, mut first) = (Vec::with_capacity(VALUE_BYTES_USUAL / 4), 0, true);
    while source.reader.next_element(&mut first)? {
        read_value(source, &mut body, depth, Position::Element)?;
        count += 1;
    }
    encode::list(out, count, &body);
    Ok(())
}

fn read_set(source: &mut Source<'_>, out: &mut Vec<u8>, kind: Type) -> Result<(), Stop> {
    enter_list(source)?;
    let mut texts: Vec<Cow<'_, str>> = Vec::new();
    let mut set = SetBuilder::new(kind);
    let mut fault = None;
    let mut first = true;
    while source.reader.next_element(&mut first)? {
        if source.reader.peek()? == Kind::Null {
            source.reader.literal("null")?;
            fault.get_or_insert(AttributeFault::NullMember(kind));
            continue;
        }
        match kind {
            Type::Ns => {
                match read_text(source)?.parse::<Number>() {
                    Ok(number) => set.push(number.as_bytes()),
                    Err(error) => {
                        fault.get_or_insert(AttributeFault::Number(error));
                    }
                }
                continue;
            }
            Type::Bs => texts.push(read_binary_text(source)?),
            _ => texts.push(read_text(source)?),
        }
        let text = texts.last().expect("a text was just added");
        match kind {
            Type::Bs => set.push(&decode_binary(text)?),
            _ => set.push(text.as_bytes()),
        }
    }
    if set.is_empty() && fault.is_none() {
        fault = Some(AttributeFault::EmptySet(kind));
    }
    if fault.is_none() && !set.finish(out) {
        let shown = || texts.iter().map(|text| text.clone().into_owned()).collect();
        fault = Some(match kind {
            Type::Ss => AttributeFault::DuplicateStrings(shown()),
            Type::Ns => AttributeFault::DuplicateNumbers,
            _ => AttributeFault::DuplicateBinaries(shown()),
        });
    }
    if let Some(fault) = fault {
        source.faults.note(fault);
        encode::null(out);
    }
    Ok(())
}

fn enter_list(source: &mut Source<'_>) -> Result<(), Stop> {
    match source.reader.peek()? {
        Kind::Array => Ok(source.reader.enter_array()?),
        Kind::Object => Err(Mismatch::Structure.into()),
        _ => Err(Mismatch::Field.into()),
    }
}

fn read_binary_text<'j>(source: &mut Source<'j>) -> Result<Cow<'j, str>, Stop> {
    match source.reader.peek()? {
        Kind::String => Ok(source.reader.string()?),
        Kind::Array => Err(Mismatch::Collection("class java.nio.ByteBuffer".to_owned()).into()),
        Kind::Object | Kind::Null => Err(Mismatch::Structure.into()),
        Kind::True | Kind::False | Kind::Number => Err(Mismatch::NotBase64.into()),
    }
}

fn decode_binary(text: &str) -> Result<Vec<u8>, Stop> {
    if !text.len().is_multiple_of(4) {
        return Err(Mismatch::Base64Length(text.len()).into());
    }
    base64_simd::STANDARD.decode_to_vec(text).map_err(|_| Mismatch::Base64Character.into())
}
