//! Switching time to live on and off.
//!
//! Amazon refuses to change the setting twice within half an hour (`Time to live has been modified multiple times
//! within a fixed interval`), to spare its fleet a scan. Here nothing is scanned again that was not read once, and
//! tests switch back and forth, so that rule is left out.

use espalier_dynamo::Result;
use espalier_dynamo::operation::table::{TimeToLiveDescription, TimeToLiveSpecification, TimeToLiveStatus};

use super::definition::Definition;

/// The longest name of the attribute.
const ATTRIBUTE_LENGTH: usize = 255;

/// Why time to live cannot be switched.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TimeToLiveError {
    /// It is on.
    #[error("TimeToLive is already enabled")]
    AlreadyEnabled,
    /// It is off.
    #[error("TimeToLive is already disabled")]
    AlreadyDisabled,
    /// It is on, by another attribute.
    #[error("TimeToLive is active on a different AttributeName: current AttributeName is {0}")]
    OtherAttribute(String),
    /// No attribute.
    #[error(
        "1 validation error detected: Value '' at 'timeToLiveSpecification.attributeName' failed to satisfy constraint: Member must have length greater than or equal to 1"
    )]
    NoAttribute,
    /// An attribute with a long name.
    #[error(
        "1 validation error detected: Value '{0}' at 'timeToLiveSpecification.attributeName' failed to satisfy constraint: Member must have length less than or equal to 255"
    )]
    LongAttribute(String),
}

impl From<TimeToLiveError> for espalier_dynamo::Error {
    fn from(cause: TimeToLiveError) -> Self {
        Self::invalid(cause)
    }
}

/// Checks a wish by itself, before the table is looked for.
pub fn check(wish: &TimeToLiveSpecification) -> Result<(), TimeToLiveError> {
    match wish.attribute.chars().count() {
        0 => Err(TimeToLiveError::NoAttribute),
        1..=ATTRIBUTE_LENGTH => Ok(()),
        _ => Err(TimeToLiveError::LongAttribute(wish.attribute.clone())),
    }
}

/// Switches time to live on or off. When it is switched on, items that are there already still have to be put into
/// the order of expiry.
pub fn update(definition: &Definition, wish: &TimeToLiveSpecification) -> Result<Definition> {
    check(wish)?;
    match &definition.time_to_live {
        Some(current) if *current != wish.attribute => {
            return Err(TimeToLiveError::OtherAttribute(current.clone()).into());
        }
        Some(_) if wish.enabled => return Err(TimeToLiveError::AlreadyEnabled.into()),
        None if !wish.enabled => return Err(TimeToLiveError::AlreadyDisabled.into()),
        _ => {}
    }
    let time_to_live = wish.enabled.then(|| wish.attribute.clone());
    Ok(Definition { time_to_live, time_to_live_filling: wish.enabled, ..definition.clone() })
}

/// Where time to live stands. Items expire from the moment it is switched on, so that it is never half on.
#[must_use]
pub fn describe(definition: &Definition) -> TimeToLiveDescription {
    let attribute = definition.time_to_live.clone();
    let status = if attribute.is_some() { TimeToLiveStatus::Enabled } else { TimeToLiveStatus::Disabled };
    TimeToLiveDescription { status, attribute }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::create::tests::{create, hash_table};

    fn wish(enabled: bool, attribute: &str) -> TimeToLiveSpecification {
        TimeToLiveSpecification { enabled, attribute: attribute.to_owned() }
    }

    #[test]
    fn it_goes_on_and_off() {
        let off = create(&hash_table()).unwrap();
        let none = TimeToLiveDescription { status: TimeToLiveStatus::Disabled, attribute: None };
        assert_eq!(describe(&off), none);
        let refused = |definition: &Definition, wish| update(definition, &wish).unwrap_err().to_string();
        assert_eq!(refused(&off, wish(false, "ttl")), "TimeToLive is already disabled");
        let on = update(&off, &wish(true, "ttl")).unwrap();
        assert!(on.time_to_live_filling);
        let described = TimeToLiveDescription { status: TimeToLiveStatus::Enabled, attribute: Some("ttl".to_owned()) };
        assert_eq!(describe(&on), described);
        let other = "TimeToLive is active on a different AttributeName: current AttributeName is ttl";
        assert_eq!(refused(&on, wish(true, "ttl")), "TimeToLive is already enabled");
        assert_eq!(refused(&on, wish(true, "dog")), other);
        assert_eq!(refused(&on, wish(false, "dog")), other);
        assert_eq!(update(&on, &wish(false, "ttl")).unwrap(), off);
    }

    #[test]
    fn the_attribute_has_a_name() {
        let off = create(&hash_table()).unwrap();
        for (attribute, end) in [("", "greater than or equal to 1"), (&"x".repeat(256), "less than or equal to 255")] {
            let sentence = update(&off, &wish(true, attribute)).unwrap_err().to_string();
            assert!(sentence.ends_with(&format!("Member must have length {end}")), "{sentence}");
        }
    }
}
