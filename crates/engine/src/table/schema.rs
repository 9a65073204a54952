//! Rules about keys: of tables, of local indexes, of global indexes.

use std::fmt;

use espalier_dynamo::operation::table::{AttributeDefinition, KeySchemaElement, KeyType};

/// How many elements each half of a global index's key may have.
pub const GLOBAL_KEY_ELEMENTS: usize = 4;
/// How many elements the key of a table or of a local index may have.
pub const KEY_ELEMENTS: usize = 2;

/// What is wrong with a key.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SchemaError {
    /// No element at all.
    #[error(
        "1 validation error detected: Value '[]' at 'keySchema' failed to satisfy constraint: Member must have length greater than or equal to 1"
    )]
    Empty,
    /// More elements than a table's key can have.
    #[error(
        "1 validation error detected: Value '{0}' at 'keySchema' failed to satisfy constraint: Member must have length less than or equal to 2"
    )]
    TooLong(Elements),
    /// A type is given twice for one attribute.
    #[error("Attribute Name is duplicated: {0}")]
    DuplicateDefinition(String),
    /// The table's key has more attributes than types are given.
    #[error("Invalid KeySchema: Some index key attribute have no definition")]
    MissingDefinitions,
    /// A key attribute's type is not given.
    #[error(
        "One or more parameter values were invalid: Some index key attributes are not defined in AttributeDefinitions. Keys: {keys}, AttributeDefinitions: {definitions}"
    )]
    Undefined {
        /// The key.
        keys: Names,
        /// The attributes whose types are given.
        definitions: Names,
    },
    /// A table without indexes gets types of attributes that are not in its key.
    #[error(
        "One or more parameter values were invalid: Number of attributes in KeySchema does not exactly match number of attributes defined in AttributeDefinitions"
    )]
    UnusedDefinition,
    /// A table with indexes gets types of attributes that are in no key.
    #[error(
        "One or more parameter values were invalid: Some AttributeDefinitions are not used. AttributeDefinitions: {definitions}, keys used: {keys}"
    )]
    UnusedDefinitions {
        /// The attributes whose types are given.
        definitions: Names,
        /// All attributes of all keys.
        keys: Names,
    },
    /// Both halves of a key are the same attribute.
    #[error("Both the Hash Key and the Range Key element in the KeySchema have the same name")]
    SameName,
    /// A global index's key has an attribute twice.
    #[error("The KeySchema contains multiple key attributes with the same name")]
    RepeatedName,
    /// A key starts with its sort half.
    #[error("Invalid KeySchema: The first KeySchemaElement is not a HASH key type")]
    FirstNotPartition,
    /// A key has two partition halves.
    #[error("Invalid KeySchema: The second KeySchemaElement is not a RANGE key type")]
    SecondNotSort,
    /// A global index's key mixes both halves.
    #[error(
        "One or more parameter values were invalid: All HASH key attributes must precede RANGE key attributes in the KeySchema"
    )]
    Mixed,
    /// Half of a global index's key is too long.
    #[error(
        "One or more parameter values were invalid: The KeySchema exceeds the maximum allowed number of {0} key attributes"
    )]
    TooManyElements(KeyType),
    /// A local index needs a table with a sort key.
    #[error(
        "One or more parameter values were invalid: Table KeySchema does not have a range key, which is required when specifying a LocalSecondaryIndex"
    )]
    TableWithoutSort,
    /// A local index needs a sort key.
    #[error("One or more parameter values were invalid: Index KeySchema does not have a range key for index: {0}")]
    LocalWithoutSort(String),
    /// A local index lives in the table's partitions.
    #[error(
        "One or more parameter values were invalid: Index KeySchema does not have the same leading hash key as table KeySchema for index: {index}. index hash key: {index_key}, table hash key: {table_key}"
    )]
    OtherPartition {
        /// The index.
        index: String,
        /// Its partition key.
        index_key: String,
        /// The table's partition key.
        table_key: String,
    },
}

impl From<SchemaError> for espalier_dynamo::Error {
    fn from(cause: SchemaError) -> Self {
        Self::invalid(cause)
    }
}

/// Attribute names as sentences show them: `[a, b]`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Names(Vec<String>);

impl Names {
    /// The attributes whose types are given.
    #[must_use]
    pub fn of_definitions(definitions: &[AttributeDefinition]) -> Self {
        Self(definitions.iter().map(|definition| definition.name.clone()).collect())
    }

    /// The attributes of a key.
    #[must_use]
    pub fn of_keys<'k>(elements: impl IntoIterator<Item = &'k KeySchemaElement>) -> Self {
        let mut names: Vec<String> = Vec::new();
        for element in elements {
            if !names.contains(&element.name) {
                names.push(element.name.clone());
            }
        }
        Self(names)
    }
}

impl fmt::Display for Names {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "[{}]", self.0.join(", "))
    }
}

/// A key as sentences about its length show it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Elements(Vec<KeySchemaElement>);

impl fmt::Display for Elements {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown: Vec<String> = self
            .0
            .iter()
            .map(|element| format!("KeySchemaElement(attributeName={}, keyType={})", element.name, element.key_type))
            .collect();
        write!(out, "[{}]", shown.join(", "))
    }
}

/// A key with its types, as the sentence about redefined attributes shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Schema(Vec<String>);

impl Schema {
    /// A key with the types of its attributes.
    #[must_use]
    pub fn new(elements: &[KeySchemaElement], definitions: &[AttributeDefinition]) -> Self {
        let show = |element: &KeySchemaElement| {
            let definition = definitions.iter().find(|definition| definition.name == element.name);
            let kind = definition.map_or("", |definition| definition.kind.name());
            format!("SchemaElement: key{{{}:{kind}:{}}}", element.name, element.key_type)
        };
        Self(elements.iter().map(show).collect())
    }
}

impl fmt::Display for Schema {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "Schema:[{}]", self.0.join(", "))
    }
}

/// Checks that each attribute gets one type.
pub fn check_definitions(definitions: &[AttributeDefinition]) -> Result<(), SchemaError> {
    for (position, definition) in definitions.iter().enumerate() {
        if definitions[..position].iter().any(|earlier| earlier.name == definition.name) {
            return Err(SchemaError::DuplicateDefinition(definition.name.clone()));
        }
    }
    Ok(())
}

/// Checks a table's key.
pub fn check_table(elements: &[KeySchemaElement], definitions: &[AttributeDefinition]) -> Result<(), SchemaError> {
    check_length(elements)?;
    if elements.len() > definitions.len() {
        return Err(SchemaError::MissingDefinitions);
    }
    check_defined(elements, definitions)?;
    check_pair(elements)
}

/// Checks that all attributes of a key have a type.
pub fn check_defined(elements: &[KeySchemaElement], definitions: &[AttributeDefinition]) -> Result<(), SchemaError> {
    let defined = |name: &str| definitions.iter().any(|definition| definition.name == name);
    if elements.iter().all(|element| defined(&element.name)) {
        return Ok(());
    }
    Err(SchemaError::Undefined { keys: Names::of_keys(elements), definitions: Names::of_definitions(definitions) })
}

/// Checks a local index's key beside the table's.
pub fn check_local(index: &str, elements: &[KeySchemaElement], table: &[KeySchemaElement]) -> Result<(), SchemaError> {
    check_length(elements)?;
    check_pair(elements)?;
    if elements.len() < KEY_ELEMENTS {
        return Err(SchemaError::LocalWithoutSort(index.to_owned()));
    }
    let (index_key, table_key) = (&elements[0].name, &table[0].name);
    if index_key != table_key {
        return Err(SchemaError::OtherPartition {
            index: index.to_owned(),
            index_key: index_key.clone(),
            table_key: table_key.clone(),
        });
    }
    Ok(())
}

/// Checks a global index's key: up to four attributes in each half.
pub fn check_global(elements: &[KeySchemaElement]) -> Result<(), SchemaError> {
    let first = elements.first().ok_or(SchemaError::Empty)?;
    check_repeated(elements)?;
    if first.key_type != KeyType::Hash {
        return Err(SchemaError::FirstNotPartition);
    }
    if elements.windows(2).any(|pair| pair[0].key_type == KeyType::Range && pair[1].key_type == KeyType::Hash) {
        return Err(SchemaError::Mixed);
    }
    for half in [KeyType::Hash, KeyType::Range] {
        if elements.iter().filter(|element| element.key_type == half).count() > GLOBAL_KEY_ELEMENTS {
            return Err(SchemaError::TooManyElements(half));
        }
    }
    Ok(())
}

fn check_length(elements: &[KeySchemaElement]) -> Result<(), SchemaError> {
    match elements.len() {
        0 => Err(SchemaError::Empty),
        1..=KEY_ELEMENTS => Ok(()),
        _ => Err(SchemaError::TooLong(Elements(elements.to_vec()))),
    }
}

fn check_pair(elements: &[KeySchemaElement]) -> Result<(), SchemaError> {
    if let [first, second] = elements
        && first.name == second.name
    {
        return Err(SchemaError::SameName);
    }
    if elements[0].key_type != KeyType::Hash {
        return Err(SchemaError::FirstNotPartition);
    }
    if elements.get(1).is_some_and(|second| second.key_type != KeyType::Range) {
        return Err(SchemaError::SecondNotSort);
    }
    Ok(())
}

fn check_repeated(elements: &[KeySchemaElement]) -> Result<(), SchemaError> {
    // The old sentence stayed for keys of the old shape.
    if let [first, second] = elements
        && first.name == second.name
    {
        return Err(SchemaError::SameName);
    }
    for (position, element) in elements.iter().enumerate() {
        if elements[..position].iter().any(|earlier| earlier.name == element.name) {
            return Err(SchemaError::RepeatedName);
        }
    }
    Ok(())
}
