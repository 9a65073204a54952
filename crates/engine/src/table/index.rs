//! Rules about indexes, and the steps of their lives.

use espalier_dynamo::Result;
use espalier_dynamo::operation::table::{
    AttributeDefinition, BillingMode, GlobalIndex, LocalIndex, OptionalThroughput, Projection, ProjectionType,
    Throughput, ThroughputDescription,
};

use super::definition::{Definition, IndexDefinition, IndexKind, IndexState};
use super::throughput::{self, Target, ThroughputError};

/// How many global indexes a table may have.
pub const GLOBAL_INDEXES: usize = 20;
/// How many local indexes a table may have.
pub const LOCAL_INDEXES: usize = 5;
/// How many attributes all indexes of a table may include by name, together.
pub const INCLUDED_ATTRIBUTES: usize = 100;

/// What is wrong with an index.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum IndexError {
    /// A list without indexes.
    #[error("One or more parameter values were invalid: List of {0} is empty")]
    EmptyList(&'static str),
    /// Two indexes of one name.
    #[error("One or more parameter values were invalid: Duplicate index name: {0}")]
    DuplicateName(String),
    /// Too many local indexes.
    #[error(
        "One or more parameter values were invalid: Number of LocalSecondaryIndexes exceeds per-table limit of {LOCAL_INDEXES}"
    )]
    TooManyLocal,
    /// Too many global indexes.
    #[error(
        "One or more parameter values were invalid: GlobalSecondaryIndex count exceeds the per-table limit of {GLOBAL_INDEXES}"
    )]
    TooManyGlobal,
    /// An index that does not say what it holds.
    #[error("One or more parameter values were invalid: Unknown ProjectionType: null")]
    NoProjection,
    /// An index that includes, but nothing.
    #[error(
        "One or more parameter values were invalid: ProjectionType is INCLUDE, but NonKeyAttributes is not specified"
    )]
    NothingIncluded,
    /// An index that includes nothing, but something.
    #[error("One or more parameter values were invalid: ProjectionType is {0}, but NonKeyAttributes is specified")]
    Included(ProjectionType),
    /// An index that includes an attribute twice.
    #[error("One or more parameter values were invalid: Duplicate element in NonKeyAttributes: {0}")]
    IncludedTwice(String),
    /// Indexes that include too much.
    #[error(
        "One or more parameter values were invalid: Number of NonKeyAttributes projected into all indexes exceeds the per-table limit of {INCLUDED_ATTRIBUTES}"
    )]
    TooManyIncluded,
}

impl From<IndexError> for espalier_dynamo::Error {
    fn from(cause: IndexError) -> Self {
        Self::invalid(cause)
    }
}

/// Checks what an index holds, and puts the names in the order in which Amazon shows them.
pub fn check_projection(projection: &Projection) -> Result<Projection, IndexError> {
    let kind = projection.kind.ok_or(IndexError::NoProjection)?;
    let included = match (kind, &projection.non_key_attributes) {
        (ProjectionType::Include, None) => return Err(IndexError::NothingIncluded),
        (ProjectionType::Include, Some(names)) => names,
        (_, None) => return Ok(projection.clone()),
        (_, Some(_)) => return Err(IndexError::Included(kind)),
    };
    let mut names = included.clone();
    names.sort_unstable();
    if let Some(pair) = names.windows(2).find(|pair| pair[0] == pair[1]) {
        return Err(IndexError::IncludedTwice(pair[0].clone()));
    }
    Ok(Projection { kind: Some(kind), non_key_attributes: Some(names) })
}

/// Checks how many attributes indexes include by name.
pub fn check_included<'i>(indexes: impl IntoIterator<Item = &'i IndexDefinition>) -> Result<(), IndexError> {
    let included =
        |index: &IndexDefinition| index.projection.non_key_attributes.as_ref().map_or(0, |names| names.len());
    let total: usize = indexes.into_iter().map(included).sum();
    if total > INCLUDED_ATTRIBUTES { Err(IndexError::TooManyIncluded) } else { Ok(()) }
}

/// A local index of a new table.
pub fn local(index: &LocalIndex, id: u32) -> Result<IndexDefinition, IndexError> {
    Ok(IndexDefinition {
        id,
        name: index.name.clone(),
        kind: IndexKind::Local,
        key_schema: index.key_schema.clone(),
        projection: check_projection(&index.projection)?,
        state: IndexState::Active,
        throughput: ThroughputDescription::default(),
        on_demand: None,
        warm: None,
    })
}

/// A global index, once its capacity was checked.
pub fn global(
    index: &GlobalIndex,
    id: u32,
    state: IndexState,
    mode: BillingMode,
    reserved: Throughput,
) -> Result<IndexDefinition> {
    let target = Target::Index(index.name.clone());
    let on_demand: Option<OptionalThroughput> = throughput::check_ceilings(mode, index.on_demand, &target)?;
    let warm = throughput::check_warm(mode, reserved, index.warm, &target)?;
    Ok(IndexDefinition {
        id,
        name: index.name.clone(),
        kind: IndexKind::Global,
        key_schema: index.key_schema.clone(),
        projection: check_projection(&index.projection)?,
        state,
        throughput: ThroughputDescription { throughput: reserved, ..ThroughputDescription::default() },
        on_demand,
        warm: Some(warm),
    })
}

/// Checks the reserved capacity of an index of a new table.
pub fn check_reserved(index: &GlobalIndex, mode: BillingMode) -> Result<Throughput, ThroughputError> {
    match (mode, index.throughput) {
        (BillingMode::PayPerRequest, Some(_)) => Err(ThroughputError::IndexReservedOnDemand(index.name.clone())),
        (BillingMode::PayPerRequest, None) => Ok(Throughput::default()),
        (BillingMode::Provisioned, None) => Err(ThroughputError::IndexNotReserved(index.name.clone())),
        (BillingMode::Provisioned, Some(reserved)) => {
            throughput::check_bounds(reserved, &Target::Index(index.name.clone()))?;
            Ok(reserved)
        }
    }
}

/// Notes that an index holds all items. `false` if it is not being filled any more.
pub fn filled(definition: &mut Definition, id: u32) -> bool {
    let filling = |index: &&mut IndexDefinition| index.id == id && index.state == IndexState::Filling;
    let found = definition.global_indexes.iter_mut().find(filling);
    found.map(|index| index.state = IndexState::Active).is_some()
}

/// Forgets an index whose entries are all gone, and the types that only its key needed. `false` if there is none.
pub fn removed(definition: &mut Definition, id: u32) -> bool {
    let before = definition.global_indexes.len();
    definition.global_indexes.retain(|index| index.id != id || index.state != IndexState::Deleting);
    prune(definition);
    definition.global_indexes.len() < before
}

/// Adds the types that a new index's key needs; others are ignored, as Amazon does.
pub fn define(definition: &mut Definition, given: &[AttributeDefinition]) {
    for attribute in given {
        if !definition.attributes.iter().any(|known| known.name == attribute.name) {
            definition.attributes.push(attribute.clone());
        }
    }
    prune(definition);
}

fn prune(definition: &mut Definition) {
    let Definition { attributes, key_schema, local_indexes, global_indexes, .. } = definition;
    let indexes = local_indexes.iter().chain(global_indexes.iter()).flat_map(|index| &index.key_schema);
    let used: Vec<&str> = key_schema.iter().chain(indexes).map(|element| element.name.as_str()).collect();
    attributes.retain(|attribute| used.contains(&attribute.name.as_str()));
    attributes.sort_unstable_by(|a, b| a.name.cmp(&b.name));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::create::tests::{attribute, create, hash_table, index};

    fn projection(kind: Option<ProjectionType>, names: Option<&[&str]>) -> Projection {
        let non_key_attributes = names.map(|names| names.iter().map(|name| (*name).to_owned()).collect());
        Projection { kind, non_key_attributes }
    }

    #[test]
    fn projections_are_checked() {
        use ProjectionType::{All, Include, KeysOnly};
        let cases = [
            (None, None, "Unknown ProjectionType: null"),
            (None, Some(&["a"][..]), "Unknown ProjectionType: null"),
            (Some(All), Some(&["a"]), "ProjectionType is ALL, but NonKeyAttributes is specified"),
            (Some(KeysOnly), Some(&["a"]), "ProjectionType is KEYS_ONLY, but NonKeyAttributes is specified"),
            (Some(Include), None, "ProjectionType is INCLUDE, but NonKeyAttributes is not specified"),
            (Some(Include), Some(&["a", "b", "a"]), "Duplicate element in NonKeyAttributes: a"),
        ];
        for (kind, names, sentence) in cases {
            let error = check_projection(&projection(kind, names)).unwrap_err();
            assert_eq!(error.to_string(), format!("One or more parameter values were invalid: {sentence}"));
        }
        let sorted = check_projection(&projection(Some(Include), Some(&["b", "a"]))).unwrap();
        assert_eq!(sorted, projection(Some(Include), Some(&["a", "b"])));
        assert!(check_projection(&projection(Some(KeysOnly), None)).is_ok());
    }

    #[test]
    fn an_index_is_filled_and_removed() {
        let mut request = hash_table();
        request.attribute_definitions.push(attribute("b"));
        request.global_indexes = Some(vec![index("gsi", &[("b", "HASH")])]);
        let mut definition = create(&request).unwrap();
        let id = definition.global_indexes[0].id;
        assert!(!filled(&mut definition, id), "it is complete from the start");
        definition.global_indexes[0].state = IndexState::Filling;
        assert!(filled(&mut definition, id));
        assert!(!removed(&mut definition, id), "nobody asked for it");
        definition.global_indexes[0].state = IndexState::Deleting;
        assert!(removed(&mut definition, id));
        assert_eq!(definition.attributes, [attribute("a")]);
    }
}
