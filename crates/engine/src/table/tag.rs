//! Tags of tables: rules, adding, removing, listing.

use std::fmt;

use espalier_dynamo::Result;
use espalier_dynamo::operation::table::{ListTagsOutput, Tag};

use super::definition::Definition;

/// How many tags a table may have.
pub const TAGS: usize = 50;
/// The longest key, in characters.
const KEY_LENGTH: usize = 128;
/// The longest value, in characters.
const VALUE_LENGTH: usize = 256;
/// Keys that Amazon keeps for itself start with this.
const RESERVED: &str = "aws:";

/// What is wrong with tags.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TagError {
    /// TagResource without tags.
    #[error("Atleast one Tag needs to be provided as Input.")]
    NoTags,
    /// UntagResource without keys.
    #[error("Atleast one Tag Key needs to be provided as Input.")]
    NoKeys,
    /// A key that is too long, empty, or of strange characters.
    #[error("The Tag Key provided is invalid, Key: {0}")]
    Key(String),
    /// A value that is too long or of strange characters.
    #[error("The Tag Value provided is invalid, Value: {0}")]
    Value(String),
    /// A key that Amazon keeps for itself.
    #[error("Tag Key cannot be prefixed with aws:, Key: {0}")]
    Reserved(String),
    /// A key comes twice.
    #[error("Duplicate Tag Keys provided as input: Duplicate Tag Key found {0}")]
    Duplicate(String),
    /// More tags than a table may have.
    #[error("Number of Tags exceed the current limit for the provided ResourceArn")]
    TooMany,
}

impl From<TagError> for espalier_dynamo::Error {
    fn from(cause: TagError) -> Self {
        Self::invalid(cause)
    }
}

/// Checks tags by themselves; none at all is fine.
pub fn check(tags: &[Tag]) -> Result<(), TagError> {
    for (position, tag) in tags.iter().enumerate() {
        check_key(&tag.key)?;
        if tag.value.chars().count() > VALUE_LENGTH || !is_allowed(&tag.value) {
            return Err(TagError::Value(tag.value.clone()));
        }
        if tags[..position].iter().any(|earlier| earlier.key == tag.key) {
            return Err(TagError::Duplicate(tag.key.clone()));
        }
    }
    if tags.len() > TAGS { Err(TagError::TooMany) } else { Ok(()) }
}

/// Checks tags to be added, before it is known whether the table exists.
pub fn check_given(tags: &[Tag]) -> Result<(), TagError> {
    if tags.is_empty() { Err(TagError::NoTags) } else { check(tags) }
}

/// Adds tags to a table, or changes their values: all of them or none.
pub fn tag(definition: &Definition, tags: &[Tag]) -> Result<Definition> {
    check_given(tags)?;
    let mut tagged = definition.clone();
    for tag in tags {
        match tagged.tags.iter_mut().find(|known| known.key == tag.key) {
            Some(known) => known.value.clone_from(&tag.value),
            None => tagged.tags.push(tag.clone()),
        }
    }
    if tagged.tags.len() > TAGS {
        return Err(TagError::TooMany.into());
    }
    Ok(tagged)
}

/// Checks keys of tags to be taken off, before it is known whether the table exists.
pub fn check_keys_given(keys: &[impl AsRef<str>]) -> Result<(), TagError> {
    if keys.is_empty() {
        return Err(TagError::NoKeys);
    }
    keys.iter().try_for_each(|key| check_key(key.as_ref()))?;
    if keys.len() > TAGS { Err(TagError::TooMany) } else { Ok(()) }
}

/// Takes tags off a table; keys that it does not have are fine.
pub fn untag(definition: &Definition, keys: &[impl AsRef<str> + fmt::Debug]) -> Result<Definition> {
    check_keys_given(keys)?;
    let mut untagged = definition.clone();
    untagged.tags.retain(|tag| !keys.iter().any(|key| key.as_ref() == tag.key));
    Ok(untagged)
}

/// All tags of a table: Amazon puts fifty on one page, so there is never another.
#[must_use]
pub fn list(definition: &Definition) -> ListTagsOutput {
    ListTagsOutput { tags: definition.tags.clone(), next_token: None }
}

fn check_key(key: &str) -> Result<(), TagError> {
    if key.is_empty() || key.chars().count() > KEY_LENGTH || !is_allowed(key) {
        return Err(TagError::Key(key.to_owned()));
    }
    if key.get(..RESERVED.len()).is_some_and(|start| start.eq_ignore_ascii_case(RESERVED)) {
        return Err(TagError::Reserved(key.to_owned()));
    }
    Ok(())
}

/// Letters, digits and spaces of any script, and a few signs.
fn is_allowed(text: &str) -> bool {
    text.chars().all(|character| {
        character.is_alphabetic()
            || character.is_numeric()
            || character.is_whitespace()
            || "+-=._:/@".contains(character)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::create::tests::{create, hash_table};

    fn of(key: &str, value: &str) -> Tag {
        Tag { key: key.to_owned(), value: value.to_owned() }
    }

    fn tagged(tags: &[Tag]) -> Result<Vec<Tag>> {
        tag(&create(&hash_table()).unwrap(), tags).map(|definition| definition.tags)
    }

    #[test]
    fn bad_tags_are_refused_as_a_whole() {
        let long_key = "k".repeat(129);
        let long_value = "v".repeat(257);
        let many: Vec<Tag> = (0..51).map(|number| of(&number.to_string(), "")).collect();
        let cases: [(&[Tag], &str); 9] = [
            (&[], "Atleast one Tag needs to be provided as Input."),
            (&[of("", "v")], "The Tag Key provided is invalid, Key: "),
            (&[of("ok", "v"), of("hi!", "v")], "The Tag Key provided is invalid, Key: hi!"),
            (&[of(&long_key, "v")], &format!("The Tag Key provided is invalid, Key: {long_key}")),
            (&[of("k", "d%g")], "The Tag Value provided is invalid, Value: d%g"),
            (&[of("k", &long_value)], &format!("The Tag Value provided is invalid, Value: {long_value}")),
            (&[of("aws:k", "v")], "Tag Key cannot be prefixed with aws:, Key: aws:k"),
            (&[of("k", "1"), of("k", "2")], "Duplicate Tag Keys provided as input: Duplicate Tag Key found k"),
            (&many, "Number of Tags exceed the current limit for the provided ResourceArn"),
        ];
        for (tags, sentence) in cases {
            assert_eq!(tagged(tags).unwrap_err().to_string(), sentence);
        }
    }

    #[test]
    fn letters_of_any_script_count_as_characters() {
        let tags = [of(&"א".repeat(128), &"א".repeat(256)), of(" ", "a+b-c=d.e_f:g/h@i"), of("7", " "), of("e", "")];
        assert_eq!(tagged(&tags).unwrap(), tags);
    }

    #[test]
    fn tags_are_added_changed_and_removed() {
        let definition = create(&hash_table()).unwrap();
        let definition = tag(&definition, &[of("a", "1"), of("b", "2")]).unwrap();
        let definition = tag(&definition, &[of("a", "3"), of("c", "4")]).unwrap();
        assert_eq!(list(&definition).tags, [of("a", "3"), of("b", "2"), of("c", "4")]);
        let definition = untag(&definition, &["b", "never there"]).unwrap();
        assert_eq!(list(&definition).tags, [of("a", "3"), of("c", "4")]);
        let none: [&str; 0] = [];
        assert_eq!(
            untag(&definition, &none).unwrap_err().to_string(),
            "Atleast one Tag Key needs to be provided as Input."
        );
        assert!(untag(&definition, &[String::new()]).is_err());
    }

    #[test]
    fn the_limit_is_of_all_tags_together() {
        let fifty: Vec<Tag> = (0..50).map(|number| of(&number.to_string(), "")).collect();
        let definition = tag(&create(&hash_table()).unwrap(), &fifty).unwrap();
        assert!(tag(&definition, &[of("0", "new")]).is_ok());
        assert!(tag(&definition, &[of("one more", "")]).is_err());
    }
}
