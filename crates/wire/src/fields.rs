//! Typed reading of members: what JSON type each takes, what DynamoDB says about any other, and which constraints
//! it checks once the whole body was read.
//!
//! A request is declared once, as a list of members in the order in which DynamoDB complains about them
//! ([`members!`]). Reading fills the list in any order; checking then walks it in its own.

mod collection;
mod scalar;

pub(crate) use collection::{Dictionary, List, Names, enter_map};
pub(crate) use scalar::{
    ControlTableName, Flag, Named, NewTableName, NotOffered, TableName, Text, Whole, read_flag, read_text,
};

use crate::attribute::Faults;
use crate::constraint::{Constraint, Path, Violations};
use crate::json::{Kind, Malformed, Reader};

/// The package that DynamoDB's own classes are printed with.
const PACKAGE: &str = "com.amazonaws.dynamodb.v20120810";

/// Why a value does not have the type that its member takes.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Mismatch {
    /// A scalar of another type.
    #[error("{found} cannot be converted to {wanted}")]
    Scalar {
        /// The token that was found.
        found: &'static str,
        /// The class that was wanted.
        wanted: &'static str,
    },
    /// A list where there is none.
    #[error("Unrecognized collection type {0}")]
    Collection(String),
    /// An object where there is none.
    #[error("Start of structure or map found where not expected")]
    Structure,
    /// A text that is no boolean.
    #[error("Unexpected token received from parser")]
    Token,
    /// A scalar for a member that is a list, map or structure.
    #[error("Unexpected field type")]
    Field,
    /// A scalar for an element that is a structure.
    #[error("Unexpected value type in payload")]
    Value,
    /// A scalar for an element that is a list or map.
    #[error(
        "class sun.reflect.generics.reflectiveObjects.ParameterizedTypeImpl cannot be cast to class java.lang.Class (sun.reflect.generics.reflectiveObjects.ParameterizedTypeImpl and java.lang.Class are in module java.base of loader 'bootstrap')"
    )]
    Parameterized,
    /// Something other than text for bytes.
    #[error("only base-64-encoded strings are convertible to bytes")]
    NotBase64,
    /// Base64 of a wrong length.
    #[error("Base64 encoded length is expected a multiple of 4 bytes but found: {0}")]
    Base64Length(usize),
    /// Base64 with a character or ending that it cannot have.
    #[error("Invalid last non-pad Base64 character dectected")]
    Base64Character,
}

impl Mismatch {
    /// A list in place of one of DynamoDB's structures.
    pub(crate) fn list_for_structure(class: &str) -> Self {
        Mismatch::Collection(format!("class {PACKAGE}.{class}"))
    }

    /// A list in place of a map.
    pub(crate) fn list_for_map(value_class: &str) -> Self {
        let package = if value_class.contains('.') { String::new() } else { format!("{PACKAGE}.") };
        Mismatch::Collection(format!("java.util.Map<java.lang.String, {package}{value_class}>"))
    }
}

/// Why reading stopped.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Stop {
    /// The body is not JSON.
    Malformed,
    /// A value has the wrong type.
    Mismatch(Mismatch),
}

impl From<Malformed> for Stop {
    fn from(Malformed: Malformed) -> Self {
        Stop::Malformed
    }
}

impl From<Mismatch> for Stop {
    fn from(mismatch: Mismatch) -> Self {
        Stop::Mismatch(mismatch)
    }
}

/// A rule that DynamoDB complains about alone, before any constraint.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// A member without which nothing else is looked at.
    #[error("The parameter '{0}' is required but was not present in the request")]
    Required(&'static str),
    /// A table name of an impossible length.
    #[error("{0} must be at least 3 characters long and at most 255 characters long")]
    TableNameLength(&'static str),
    /// A table class that there is not.
    #[error(
        "Invalid table-class parameter provided. Please try again with a valid table-class value: [STANDARD, STANDARD_INFREQUENT_ACCESS]."
    )]
    TableClass,
    /// A member of a feature that does not exist here; ignoring it would promise what is not kept.
    #[error("One or more parameter values were invalid: {0} is part of DynamoDB but is not offered by this server")]
    NotOffered(&'static str),
}

/// What is being read: the body, and the faulty attribute values met so far.
pub(crate) struct Source<'j> {
    pub(crate) reader: Reader<'j>,
    pub(crate) faults: Faults,
}

/// Where a value stands; DynamoDB words some mismatches by it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Position {
    /// The value of a member.
    Field,
    /// The value of an element of a list, or of an entry of a map.
    Element,
}

/// One member of a request.
pub(crate) trait Member: Default {
    /// The class that a map of such values is printed with.
    const CLASS: &'static str;

    /// Reads a value that is not null.
    fn read(&mut self, source: &mut Source<'_>, position: Position) -> Result<(), Stop>;

    /// Notes what the member violates.
    fn check(&self, _path: &Path<'_>, _found: &mut Violations) {}

    /// A complaint that comes before all violations.
    fn refusal(&self, _name: &'static str) -> Option<Refusal> {
        None
    }

    /// The value as constraints show it; `None` is null.
    fn shown(&self) -> Option<String>;
}

/// A list of members: a request, or a structure inside one. Made by [`members!`].
pub(crate) trait Structure: Default {
    /// DynamoDB's name for it.
    const CLASS: &'static str;

    /// Reads the member of that name; `false` if there is none, and it is to be skipped. `seen` has a bit for each
    /// member that was met before.
    fn read_member(&mut self, name: &str, source: &mut Source<'_>, seen: &mut u64) -> Result<bool, Stop>;

    /// Notes what its members violate.
    fn check(&self, path: &Path<'_>, found: &mut Violations);

    /// The first complaint that comes before all violations.
    fn refusal(&self) -> Option<Refusal>;

    /// The structure as constraints show it.
    fn shown(&self) -> String;
}

/// Reads an object into a structure. Unknown members are ignored, as DynamoDB does; null is the same as absent.
pub(crate) fn read_structure<S: Structure>(source: &mut Source<'_>) -> Result<S, Stop> {
    let mut structure = S::default();
    let (mut first, mut seen) = (true, 0);
    source.reader.enter_object()?;
    while let Some(name) = source.reader.next_key(&mut first)? {
        if source.reader.peek()? == Kind::Null {
            source.reader.literal("null")?;
        } else if !structure.read_member(&name, source, &mut seen)? {
            source.reader.skip()?;
        }
    }
    Ok(structure)
}

/// A structure as a member.
pub(crate) struct Nested<S>(pub(crate) Option<S>);

impl<S> Default for Nested<S> {
    fn default() -> Self {
        Self(None)
    }
}

impl<S: Structure> Member for Nested<S> {
    const CLASS: &'static str = S::CLASS;

    fn read(&mut self, source: &mut Source<'_>, position: Position) -> Result<(), Stop> {
        match (source.reader.peek()?, position) {
            (Kind::Object, _) => self.0 = Some(read_structure(source)?),
            (Kind::Array, _) => return Err(Mismatch::list_for_structure(S::CLASS).into()),
            (_, Position::Field) => return Err(Mismatch::Field.into()),
            (_, Position::Element) => return Err(Mismatch::Value.into()),
        }
        Ok(())
    }

    fn check(&self, path: &Path<'_>, found: &mut Violations) {
        if let Some(structure) = &self.0 {
            structure.check(path, found);
        }
    }

    fn shown(&self) -> Option<String> {
        self.0.as_ref().map(S::shown)
    }
}

/// A member that has to be there. Unchecked default: whoever takes the content does so after checking.
#[derive(Default)]
pub(crate) struct Required<M> {
    present: bool,
    member: M,
}

impl<M> Required<M> {
    /// The member; after checking it is known to be there.
    pub(crate) fn get(self) -> M {
        self.member
    }

    /// Looks at the member.
    pub(crate) fn view(&self) -> &M {
        &self.member
    }
}

impl<M: Member> Member for Required<M> {
    const CLASS: &'static str = M::CLASS;

    fn read(&mut self, source: &mut Source<'_>, position: Position) -> Result<(), Stop> {
        self.present = true;
        self.member.read(source, position)
    }

    fn check(&self, path: &Path<'_>, found: &mut Violations) {
        if self.present {
            self.member.check(path, found);
        } else {
            found.add(path, None, Constraint::NotNull);
        }
    }

    fn refusal(&self, name: &'static str) -> Option<Refusal> {
        self.member.refusal(name)
    }

    fn shown(&self) -> Option<String> {
        self.member.shown()
    }
}

/// Declares a structure: its name for DynamoDB, then its members in the order of DynamoDB's complaints.
macro_rules! members {
    ($(#[$meta:meta])* $name:ident as $class:literal { $($wire:literal $field:ident: $kind:ty,)* }) => {
        $(#[$meta])*
        #[derive(Default)]
        pub(crate) struct $name { $(pub(crate) $field: $kind,)* }

        impl crate::fields::Structure for $name {
            const CLASS: &'static str = $class;

            #[allow(unused_variables, reason = "a structure may have no members")]
            fn read_member(
                &mut self,
                name: &str,
                source: &mut crate::fields::Source<'_>,
                seen: &mut u64,
            ) -> Result<bool, crate::fields::Stop> {
                #[allow(non_camel_case_types, dead_code, reason = "one bit per member, named like it; there may be none")]
                enum Bit { $($field,)* }
                match name {
                    $($wire => {
                        let bit = 1 << Bit::$field as u32;
                        if *seen & bit != 0 {
                            return Err(crate::fields::Stop::Malformed);
                        }
                        *seen |= bit;
                        crate::fields::Member::read(&mut self.$field, source, crate::fields::Position::Field)?;
                        Ok(true)
                    })*
                    _ => Ok(false),
                }
            }

            #[allow(unused_variables, reason = "a structure may have no members")]
            fn check(&self, path: &crate::constraint::Path<'_>, found: &mut crate::constraint::Violations) {
                $(crate::fields::Member::check(
                    &self.$field,
                    &crate::constraint::Path::Member(path, $wire),
                    found,
                );)*
            }

            fn refusal(&self) -> Option<crate::fields::Refusal> {
                $(if let Some(refusal) = crate::fields::Member::refusal(&self.$field, $wire) {
                    return Some(refusal);
                })*
                None
            }

            fn shown(&self) -> String {
                let members: &[(&'static str, Option<String>)] =
                    &[$(($wire, crate::fields::Member::shown(&self.$field)),)*];
                crate::fields::show_structure($class, members)
            }
        }
    };
}

pub(crate) use members;

/// A structure the way DynamoDB prints one: `KeySchemaElement(attributeName=pk, keyType=HASH)`.
pub(crate) fn show_structure(class: &str, members: &[(&'static str, Option<String>)]) -> String {
    let members: Vec<String> = members
        .iter()
        .map(|(name, value)| format!("{}={}", crate::constraint::LowerFirst(name), value.as_deref().unwrap_or("null")))
        .collect();
    format!("{class}({})", members.join(", "))
}
