//! Update expressions: what changes in an item.

mod apply;

use super::error::{Clause, Refused};
use super::overlap::check_overlap;
use super::projection::Projection;
use crate::error::{Error, Result};
use crate::item::{Encoded, Item, ItemRef};
use crate::path::Path;
use crate::value::Type;

pub use apply::ApplyError;

/// A change of an item.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Update {
    actions: Vec<Action>,
    /// Legacy updates complain in other words.
    legacy: bool,
}

/// One change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Action {
    /// Gives the path a value.
    Set(Path, Term),
    /// Removes what is at the path.
    Remove(Path),
    /// Adds to a number or set, or creates it; appends to a list, which only legacy updates do.
    Add(Path, Encoded),
    /// Takes members out of a set; an empty set goes away.
    Delete(Path, Encoded),
}

/// The right-hand side of a SET; reads the item as it was.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Term {
    /// What is at the path, which must exist.
    Path(Path),
    /// A constant.
    Value(Encoded),
    /// What is at the path, or else something else.
    IfNotExists(Path, Box<Term>),
    /// Two lists, one after the other.
    ListAppend(Box<Term>, Box<Term>),
    /// A sum.
    Plus(Box<Term>, Box<Term>),
    /// A difference.
    Minus(Box<Term>, Box<Term>),
}

impl Action {
    /// The path that is written.
    #[must_use]
    pub fn path(&self) -> &Path {
        match self {
            Action::Set(path, _) | Action::Remove(path) | Action::Add(path, _) | Action::Delete(path, _) => path,
        }
    }

    fn known_type(&self) -> Option<Type> {
        match self {
            Action::Set(_, term) => term.known_type(),
            Action::Add(_, value) => Some(value.view().kind()),
            Action::Remove(_) | Action::Delete(..) => None,
        }
    }
}

impl Term {
    /// The type of the result, if it does not depend on the item.
    fn known_type(&self) -> Option<Type> {
        match self {
            Term::Value(value) => Some(value.view().kind()),
            Term::Plus(..) | Term::Minus(..) => Some(Type::N),
            Term::ListAppend(..) => Some(Type::L),
            Term::Path(_) | Term::IfNotExists(..) => None,
        }
    }

    fn collect_paths<'a>(&'a self, paths: &mut Vec<&'a Path>) {
        match self {
            Term::Path(path) => paths.push(path),
            Term::Value(_) => {}
            Term::IfNotExists(path, otherwise) => {
                paths.push(path);
                otherwise.collect_paths(paths);
            }
            Term::ListAppend(left, right) | Term::Plus(left, right) | Term::Minus(left, right) => {
                left.collect_paths(paths);
                right.collect_paths(paths);
            }
        }
    }
}

impl Update {
    /// An update from changes whose paths do not overlap or conflict.
    pub fn from_actions(actions: Vec<Action>) -> Result<Self> {
        let paths: Vec<Path> = actions.iter().map(|action| action.path().clone()).collect();
        check_overlap(&paths).map_err(|cause| Error::invalid(Refused { clause: Clause::Update, cause }))?;
        Ok(Self::from_disjoint(actions))
    }

    /// From changes whose paths are known not to overlap or conflict.
    pub(super) fn from_disjoint(actions: Vec<Action>) -> Self {
        Self { actions, legacy: false }
    }

    /// From `AttributeUpdates`, which name each attribute once.
    pub(super) fn from_legacy(actions: Vec<Action>) -> Self {
        Self { actions, legacy: true }
    }

    /// The changes.
    #[must_use]
    pub fn actions(&self) -> &[Action] {
        &self.actions
    }

    /// Whether the update brings a missing item into being: one that only takes away does not.
    #[must_use]
    pub fn creates(&self) -> bool {
        self.actions.is_empty() || self.actions.iter().any(|action| matches!(action, Action::Set(..) | Action::Add(..)))
    }

    /// The item after the update: `item` is the existing one, or just its key when it is created.
    pub fn apply(&self, item: ItemRef<'_>) -> Result<Item> {
        apply::apply(&self.actions, self.legacy, item)
    }

    /// The top-level attributes that are written, possibly several times.
    pub fn attributes(&self) -> impl Iterator<Item = &str> {
        self.actions.iter().map(|action| action.path().attribute.as_str())
    }

    /// The top-level attributes whose new type, or the type that is added to them, is known from the request alone.
    pub fn known_types(&self) -> impl Iterator<Item = (&str, Type)> {
        let whole = self.actions.iter().filter(|action| action.path().is_top_level());
        whole.filter_map(|action| Some((action.path().attribute.as_str(), action.known_type()?)))
    }

    /// The top-level attributes that the update reaches into, written or read, possibly several times.
    pub fn nested_attributes(&self) -> impl Iterator<Item = &str> {
        let mut paths: Vec<&Path> = Vec::new();
        for action in &self.actions {
            paths.push(action.path());
            if let Action::Set(_, term) = action {
                term.collect_paths(&mut paths);
            }
        }
        paths.into_iter().filter(|path| !path.is_top_level()).map(|path| path.attribute.as_str())
    }

    /// The written paths alone, as `UPDATED_OLD` and `UPDATED_NEW` return them; `None` if the image has none.
    #[must_use]
    pub fn updated(&self, image: ItemRef<'_>) -> Option<Item> {
        let paths = self.actions.iter().map(Action::path).collect();
        Some(Projection::from_disjoint(paths).apply(image)).filter(|item| !item.is_empty())
    }
}
