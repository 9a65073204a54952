//! Whether a table may be deleted.

use espalier_dynamo::Result;

use super::definition::{Definition, IndexState};
use super::error::TableError;

/// Refuses to delete a table that is protected, or whose indexes are still changing.
pub fn check(definition: &Definition) -> Result<()> {
    if definition.deletion_protection {
        return Err(TableError::Protected.into());
    }
    if definition.global_indexes.iter().any(|index| index.state != IndexState::Active) {
        return Err(TableError::IndexesChanging.into());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::create::tests::{create, hash_table, index};

    #[test]
    fn a_plain_table_may_go() {
        assert!(check(&create(&hash_table()).unwrap()).is_ok());
    }

    #[test]
    fn a_protected_table_stays() {
        let mut definition = create(&hash_table()).unwrap();
        definition.deletion_protection = true;
        assert_eq!(
            check(&definition).unwrap_err().to_string(),
            "Resource cannot be deleted as it is currently protected against deletion. Disable deletion protection first."
        );
    }

    #[test]
    fn a_table_stays_while_an_index_is_filled_or_removed() {
        let mut request = hash_table();
        request.attribute_definitions.push(crate::table::create::tests::attribute("b"));
        request.global_indexes = Some(vec![index("gsi", &[("b", "HASH")])]);
        let mut definition = create(&request).unwrap();
        for state in [IndexState::Filling, IndexState::Deleting] {
            definition.global_indexes[0].state = state;
            let error = check(&definition).unwrap_err();
            assert!(matches!(error, espalier_dynamo::Error::ResourceInUse(_)), "{error}");
        }
    }
}
