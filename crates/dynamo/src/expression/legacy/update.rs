//! Legacy updates: one action for each attribute.

use std::collections::BTreeMap;

use super::LegacyError;
use crate::error::{Error, Result};
use crate::expression::update::{Action, Term, Update};
use crate::item::Encoded;
use crate::operation::option::{AttributeAction, LegacyUpdate};
use crate::path::Path;
use crate::value::Type;

/// Checks that every action suits its value.
pub(in crate::expression) fn check_updates(updates: &BTreeMap<String, LegacyUpdate>) -> Result<()> {
    updates.values().try_for_each(|update| check_update(update).map_err(Error::invalid))
}

fn check_update(update: &LegacyUpdate) -> Result<(), LegacyError> {
    let action = update.action.unwrap_or(AttributeAction::Put);
    let Some(value) = &update.value else {
        return if action == AttributeAction::Delete { Ok(()) } else { Err(LegacyError::ActionWithoutValue) };
    };
    let kind = value.kind();
    let is_set = matches!(kind, Type::Ss | Type::Ns | Type::Bs);
    match action {
        AttributeAction::Delete if !is_set => Err(LegacyError::DeleteType(kind.name())),
        AttributeAction::Add if !is_set && !matches!(kind, Type::N | Type::L) => Err(LegacyError::AddType(kind.name())),
        _ => Ok(()),
    }
}

/// The update that `AttributeUpdates` stands for, after it was checked; `None` if nothing changes.
pub(in crate::expression) fn updates(updates: &BTreeMap<String, LegacyUpdate>) -> Option<Update> {
    if updates.is_empty() {
        return None;
    }
    let actions = updates.iter().map(|(name, update)| {
        let path = Path::attribute(name);
        match (update.action, update.value.as_ref().map(Encoded::from)) {
            (_, None) => Action::Remove(path),
            (None | Some(AttributeAction::Put), Some(value)) => Action::Set(path, Term::Value(value)),
            (Some(AttributeAction::Add), Some(value)) => Action::Add(path, value),
            (Some(AttributeAction::Delete), Some(value)) => Action::Delete(path, value),
        }
    });
    Some(Update::from_legacy(actions.collect()))
}
