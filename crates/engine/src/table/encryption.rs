//! Rules about encryption. Data is encrypted by whatever lies below the store; what is asked for is checked,
//! kept and described as Amazon does.

use espalier_dynamo::operation::table::{SseSpecification, SseType};

/// The key that every account has for tables, when none is named.
const MANAGED_KEY: &str = "00000000-0000-4000-8000-000000000000";

/// What is wrong with a wish about encryption.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EncryptionError {
    /// A kind of key, but no encryption with it.
    #[error("One or more parameter values were invalid: SSEType can not be specified if Enabled is false")]
    KindWithoutKey,
    /// A key, but no encryption with it.
    #[error("One or more parameter values were invalid: KMSMasterKeyId can not be specified if Enabled is false")]
    KeyDisabled,
    /// A key of no kind.
    #[error("One or more parameter values were invalid: SSEType KMS is required if KMSMasterKeyId is specified")]
    KeyWithoutKind,
    /// A kind that Amazon has given up.
    #[error("One or more parameter values were invalid: SSEType AES256 is not supported")]
    Unsupported,
    /// UpdateTable switches off what is off.
    #[error("One or more parameter values were invalid: Table is already encrypted by default")]
    AlreadyDefault,
    /// UpdateTable names the key that is in use.
    #[error(
        "One or more parameter values were invalid: Table is already encrypted with given KMSMasterKeyId. Use KMSMasterKeyId parameter if you want to change Master Key"
    )]
    SameKey,
}

impl From<EncryptionError> for espalier_dynamo::Error {
    fn from(cause: EncryptionError) -> Self {
        Self::invalid(cause)
    }
}

/// Checks a wish; `None` means the default, a key that Amazon owns.
pub fn check(wish: Option<&SseSpecification>) -> Result<Option<SseSpecification>, EncryptionError> {
    let Some(wish) = wish else { return Ok(None) };
    if wish.enabled == Some(false) {
        if wish.kind.is_some() {
            return Err(EncryptionError::KindWithoutKey);
        }
        if wish.kms_key_id.is_some() {
            return Err(EncryptionError::KeyDisabled);
        }
        return Ok(None);
    }
    if wish.kind == Some(SseType::Aes256) {
        return Err(EncryptionError::Unsupported);
    }
    if wish.kms_key_id.is_some() && wish.kind.is_none() {
        return Err(EncryptionError::KeyWithoutKind);
    }
    if wish.enabled.is_none() && wish.kind.is_none() {
        return Ok(None);
    }
    let kms_key_id = wish.kms_key_id.clone();
    Ok(Some(SseSpecification { enabled: Some(true), kind: Some(SseType::Kms), kms_key_id }))
}

/// Checks a wish of UpdateTable.
pub fn change(
    current: Option<&SseSpecification>,
    wish: &SseSpecification,
) -> Result<Option<SseSpecification>, EncryptionError> {
    let changed = check(Some(wish))?;
    match (current, &changed) {
        (None, None) => Err(EncryptionError::AlreadyDefault),
        (Some(current), Some(wish)) if wish.kms_key_id.is_some() && wish.kms_key_id == current.kms_key_id => {
            Err(EncryptionError::SameKey)
        }
        _ => Ok(changed),
    }
}

/// Encryption as DescribeTable shows it: with the ARN of the key.
#[must_use]
pub fn describe(kept: Option<&SseSpecification>, region: &str, account: &str) -> Option<SseSpecification> {
    let kept = kept?;
    let key = kept.kms_key_id.as_deref().unwrap_or(MANAGED_KEY);
    let arn = if key.starts_with("arn:") {
        key.to_owned()
    } else if key.starts_with("alias/") {
        format!("arn:aws:kms:{region}:{account}:{key}")
    } else {
        format!("arn:aws:kms:{region}:{account}:key/{key}")
    };
    Some(SseSpecification { kms_key_id: Some(arn), ..kept.clone() })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wish(enabled: Option<bool>, kind: Option<SseType>, key: Option<&str>) -> SseSpecification {
        SseSpecification { enabled, kind, kms_key_id: key.map(str::to_owned) }
    }

    #[test]
    fn wishes_are_checked() {
        let kms = Some(SseType::Kms);
        let refused = |wish: &SseSpecification| check(Some(wish)).unwrap_err();
        assert_eq!(refused(&wish(Some(false), kms, None)), EncryptionError::KindWithoutKey);
        assert_eq!(refused(&wish(Some(false), None, Some("k"))), EncryptionError::KeyDisabled);
        assert_eq!(refused(&wish(Some(true), None, Some("k"))), EncryptionError::KeyWithoutKind);
        assert_eq!(refused(&wish(Some(true), Some(SseType::Aes256), None)), EncryptionError::Unsupported);
        assert_eq!(check(None), Ok(None));
        assert_eq!(check(Some(&wish(None, None, None))), Ok(None));
        assert_eq!(check(Some(&wish(Some(false), None, None))), Ok(None));
        assert_eq!(check(Some(&wish(Some(true), None, None))), Ok(Some(wish(Some(true), kms, None))));
        assert_eq!(check(Some(&wish(None, kms, None))), Ok(Some(wish(Some(true), kms, None))));
    }

    #[test]
    fn a_change_must_change_something() {
        let kms = Some(SseType::Kms);
        let with_key = wish(Some(true), kms, Some("k"));
        assert_eq!(change(None, &wish(Some(false), None, None)), Err(EncryptionError::AlreadyDefault));
        assert_eq!(change(Some(&with_key), &with_key), Err(EncryptionError::SameKey));
        assert_eq!(change(Some(&with_key), &wish(Some(false), None, None)), Ok(None));
        assert_eq!(change(None, &with_key), Ok(Some(with_key)));
    }

    #[test]
    fn the_key_is_shown_by_its_arn() {
        let shown = |key: Option<&str>| {
            let kept = wish(Some(true), Some(SseType::Kms), key);
            describe(Some(&kept), "eu-west-1", "000000000000").unwrap().kms_key_id.unwrap()
        };
        assert_eq!(shown(Some("arn:aws:kms:x:y:key/z")), "arn:aws:kms:x:y:key/z");
        assert_eq!(shown(Some("alias/mine")), "arn:aws:kms:eu-west-1:000000000000:alias/mine");
        assert_eq!(shown(Some("k")), "arn:aws:kms:eu-west-1:000000000000:key/k");
        assert!(shown(None).starts_with("arn:aws:kms:eu-west-1:000000000000:key/"));
        assert_eq!(describe(None, "r", "a"), None);
    }
}
