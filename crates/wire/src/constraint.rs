//! Member constraints: where a member stands, what it violates, and the one sentence that tells all violations.

use std::fmt;

/// DynamoDB stops counting here.
const REPORTED_MAX: usize = 10;

/// The characters of table and index names.
pub(crate) const NAME_PATTERN: &str = "[a-zA-Z0-9_.-]+";

/// Whether a text has only the characters of table and index names, and at least one.
pub(crate) fn is_name(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'-'))
}

/// Where a member stands in its request; kept on the stack and printed only when something is wrong.
#[derive(Clone, Copy)]
pub(crate) enum Path<'a> {
    /// The request itself.
    Root,
    /// A member by its name.
    Member(&'a Path<'a>, &'static str),
    /// An element of a list, counted from one.
    Element(&'a Path<'a>, usize),
    /// A value of a map.
    Entry(&'a Path<'a>, &'a str),
}

impl<'a> Path<'a> {
    fn parent(&self) -> Option<&'a Path<'a>> {
        match self {
            Path::Root => None,
            Path::Member(parent, _) | Path::Element(parent, _) | Path::Entry(parent, _) => Some(parent),
        }
    }
}

impl fmt::Display for Path<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(parent) = self.parent()
            && !matches!(parent, Path::Root)
        {
            write!(out, "{parent}.")?;
        }
        match self {
            Path::Root => Ok(()),
            Path::Member(_, name) => write!(out, "{}", LowerFirst(name)),
            Path::Element(_, position) => write!(out, "{position}.member"),
            Path::Entry(_, key) => write!(out, "{key}.member"),
        }
    }
}

/// A member's name the way constraints print it.
pub(crate) struct LowerFirst(pub(crate) &'static str);

impl fmt::Display for LowerFirst {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut rest = self.0.chars();
        match rest.next() {
            Some(first) => write!(out, "{}{}", first.to_ascii_lowercase(), rest.as_str()),
            None => Ok(()),
        }
    }
}

/// The longest name of an attribute, in bytes.
pub(crate) const ATTRIBUTE_NAME_MAX: usize = 65_535;

/// A rule about one member.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Constraint {
    /// It has to be there.
    #[error("Member must not be null")]
    NotNull,
    /// It is too short.
    #[error("Member must have length greater than or equal to {0}")]
    LengthMin(usize),
    /// It is too long.
    #[error("Member must have length less than or equal to {0}")]
    LengthMax(usize),
    /// It is too small.
    #[error("Member must have value greater than or equal to {0}")]
    ValueMin(i64),
    /// It is too large.
    #[error("Member must have value less than or equal to {0}")]
    ValueMax(i64),
    /// It has characters it must not have.
    #[error("Member must satisfy regular expression pattern: {0}")]
    Pattern(&'static str),
    /// It is none of the names.
    #[error("Member must satisfy enum value set: [{}]", .0.join(", "))]
    Names(&'static [&'static str]),
    /// A key of the map is no table name.
    #[error(
        "Map keys must satisfy constraint: [Member must have length less than or equal to 255, Member must have length greater than or equal to 3, Member must satisfy regular expression pattern: {NAME_PATTERN}]"
    )]
    MapKeys,
    /// A value of the map is too long for the name of an attribute.
    #[error(
        "Map value must satisfy constraint: [Member must have length less than or equal to {ATTRIBUTE_NAME_MAX}, Member must have length greater than or equal to 0]"
    )]
    AttributeValues,
    /// A list in the map is too short or too long.
    #[error(
        "Map value must satisfy constraint: [Member must have length less than or equal to {0}, Member must have length greater than or equal to 1]"
    )]
    MapValues(usize),
}

/// One member that breaks a rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Violation {
    /// The value as shown; `None` is null.
    value: Option<String>,
    path: String,
    constraint: Constraint,
    /// Newer rules of DynamoDB show no value and spell members as in the request.
    terse: bool,
}

impl fmt::Display for Violation {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("Value ")?;
        match &self.value {
            _ if self.terse => {}
            Some(value) => write!(out, "'{value}' ")?,
            None => out.write_str("null ")?,
        }
        write!(out, "at '{}' failed to satisfy constraint: {}", self.path, self.constraint)
    }
}

/// All members of a request that break a rule, in DynamoDB's order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Violations(Vec<Violation>);

impl Violations {
    /// Notes a violation. `value` is shown in quotes, `None` as null.
    pub(crate) fn add(&mut self, path: &Path<'_>, value: Option<String>, constraint: Constraint) {
        if self.0.len() < REPORTED_MAX {
            self.0.push(Violation { value, path: path.to_string(), constraint, terse: false });
        }
    }

    /// Notes a violation of one of the newer rules, which show no value.
    pub(crate) fn add_terse(&mut self, path: String, constraint: Constraint) {
        if self.0.len() < REPORTED_MAX {
            self.0.push(Violation { value: None, path, constraint, terse: true });
        }
    }

    /// Whether nothing was noted.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Words the only violation in the newer way, if it is about the member of that name.
    pub(crate) fn make_terse_if_alone(&mut self, name: &'static str) {
        if let [only] = self.0.as_mut_slice()
            && only.path == LowerFirst(name).to_string()
        {
            only.terse = true;
            name.clone_into(&mut only.path);
        }
    }
}

impl fmt::Display for Violations {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plural = if self.0.len() == 1 { "" } else { "s" };
        write!(out, "{} validation error{plural} detected: ", self.0.len())?;
        for (position, violation) in self.0.iter().enumerate() {
            let separator = if position == 0 { "" } else { "; " };
            write!(out, "{separator}{violation}")?;
        }
        Ok(())
    }
}

impl std::error::Error for Violations {}
