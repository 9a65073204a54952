//! From a [`super::syntax`] tree to one that can be evaluated: stand-ins are replaced by what they stand for, and
//! the rules that need their meaning are applied.

mod condition;
mod update;

use std::collections::BTreeMap;

use super::error::{Cause, Clause, Refused};
use super::overlap::check_overlap;
use super::{Condition, Projection, Update, parser, syntax};
use crate::error::{Error, Result};
use crate::item::{Encoded, Item};
use crate::path::{Path, Step};

/// The longest document path.
const LEVELS_MAX: usize = 32;

/// What is wrong with the stand-ins of a request.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StandInError {
    /// A map without entries.
    #[error("{0} must not be empty")]
    Empty(&'static str),
    /// A stand-in without a name.
    #[error("{0} contains invalid key: The expression attribute map contains an empty key;")]
    EmptyKey(&'static str),
    /// A stand-in that does not look like one.
    #[error("{0} contains invalid key: Syntax error; key: \"{1}\"")]
    Key(&'static str, String),
    /// A stand-in for the empty name.
    #[error("ExpressionAttributeNames contains invalid value: Empty attribute name for key {0}")]
    EmptyName(String),
    /// Stand-ins that no expression uses.
    #[error("Value provided in {0} unused in expressions: keys: {{{keys}}}", keys = .1.join(", "))]
    Unused(&'static str, Vec<String>),
}

const NAMES: &str = "ExpressionAttributeNames";
const VALUES: &str = "ExpressionAttributeValues";

/// The stand-ins of a request, and which of them its expressions have used so far.
pub(super) struct Bindings<'r> {
    names: Option<&'r BTreeMap<String, String>>,
    values: Option<&'r Item>,
    used_names: Vec<&'r str>,
    used_values: Vec<&'r str>,
}

impl<'r> Bindings<'r> {
    pub(super) fn new(names: Option<&'r BTreeMap<String, String>>, values: Option<&'r Item>) -> Result<Self> {
        if let Some(names) = names {
            check_keys(NAMES, '#', names.keys().map(String::as_str))?;
            if let Some((key, _)) = names.iter().find(|(_, name)| name.is_empty()) {
                return Err(Error::invalid(StandInError::EmptyName(key.clone())));
            }
        }
        if let Some(values) = values {
            check_keys(VALUES, ':', values.iter().map(|(key, _)| key))?;
        }
        Ok(Self { names, values, used_names: Vec::new(), used_values: Vec::new() })
    }

    /// Refuses stand-ins that were given for nothing.
    pub(super) fn finish(mut self) -> Result<()> {
        if let Some(names) = self.names {
            refuse_unused(NAMES, names.keys().map(String::as_str), &mut self.used_names)?;
        }
        if let Some(values) = self.values {
            refuse_unused(VALUES, values.iter().map(|(key, _)| key), &mut self.used_values)?;
        }
        Ok(())
    }

    pub(super) fn condition(&mut self, text: &'r str, clause: Clause) -> Result<Condition> {
        let bound = parser::condition(text, clause).and_then(|tree| self.bind_condition(tree));
        bound.map_err(|cause| Error::invalid(Refused { clause, cause }))
    }

    pub(super) fn projection(&mut self, text: &'r str) -> Result<Projection> {
        let bound = parser::projection(text).and_then(|paths| self.disjoint_paths(paths.iter()));
        match bound {
            Ok(paths) => Ok(Projection::from_disjoint(paths.iter().collect())),
            Err(cause) => Err(Error::invalid(Refused { clause: Clause::Projection, cause })),
        }
    }

    pub(super) fn update(&mut self, text: &'r str) -> Result<Update> {
        let bound = parser::update(text).and_then(|actions| self.bind_update(actions));
        bound.map_err(|cause| Error::invalid(Refused { clause: Clause::Update, cause }))
    }

    /// The paths of one projection or update. They are taken from the last to the first, so that an overlap of
    /// later ones is reported before an undefined name in an earlier one.
    fn disjoint_paths<'p>(
        &mut self,
        paths: impl DoubleEndedIterator<Item = &'p syntax::Path<'r>> + ExactSizeIterator,
    ) -> Result<Vec<Path>, Cause>
    where
        'r: 'p,
    {
        let mut bound = Vec::with_capacity(paths.len());
        let mut undefined = None;
        for path in paths.rev() {
            match self.path(path) {
                Ok(path) => bound.push(path),
                Err(cause) => {
                    undefined = Some(cause);
                    break;
                }
            }
        }
        bound.reverse();
        check_overlap(&bound)?;
        undefined.map_or(Ok(bound), Err)
    }

    fn path(&mut self, path: &syntax::Path<'r>) -> Result<Path, Cause> {
        let attribute = self.name(path.head)?;
        let mut steps = Vec::with_capacity(path.steps.len());
        for step in &path.steps {
            steps.push(match step {
                syntax::Step::Name(name) => Step::Attribute(self.name(*name)?),
                syntax::Step::Index(index) => Step::Index(*index),
            });
        }
        let levels = 1 + steps.len();
        if levels > LEVELS_MAX {
            return Err(Cause::TooDeep(levels));
        }
        Ok(Path { attribute, steps })
    }

    fn name(&mut self, name: syntax::Name<'r>) -> Result<String, Cause> {
        match name {
            syntax::Name::Plain(name) => Ok(name.to_owned()),
            syntax::Name::Alias(alias) => {
                let name = self.names.and_then(|names| names.get(alias));
                let name = name.ok_or_else(|| Cause::UndefinedName(alias.to_owned()))?;
                self.used_names.push(alias);
                Ok(name.clone())
            }
        }
    }

    fn value(&mut self, stand_in: &'r str) -> Result<Encoded, Cause> {
        let value = self.values.and_then(|values| values.get_encoded(stand_in));
        let value = value.ok_or_else(|| Cause::UndefinedValue(stand_in.to_owned()))?;
        self.used_values.push(stand_in);
        Ok(value)
    }
}

fn check_keys<'k>(map: &'static str, sign: char, keys: impl Iterator<Item = &'k str>) -> Result<()> {
    let mut empty = true;
    for key in keys {
        empty = false;
        if key.is_empty() {
            return Err(Error::invalid(StandInError::EmptyKey(map)));
        }
        let is_word =
            |word: &str| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        if !key.strip_prefix(sign).is_some_and(is_word) {
            return Err(Error::invalid(StandInError::Key(map, key.to_owned())));
        }
    }
    if empty { Err(Error::invalid(StandInError::Empty(map))) } else { Ok(()) }
}

fn refuse_unused<'k>(map: &'static str, keys: impl Iterator<Item = &'k str>, used: &mut [&str]) -> Result<()> {
    used.sort_unstable();
    let unused: Vec<String> = keys.filter(|key| used.binary_search(key).is_err()).map(str::to_owned).collect();
    if unused.is_empty() { Ok(()) } else { Err(Error::invalid(StandInError::Unused(map, unused))) }
}
