//! Projection expressions: which parts of an item to return.

use std::borrow::Cow;

use super::error::{Clause, Refused};
use super::overlap::check_overlap;
use crate::error::{Error, Result};
use crate::item::{Item, ItemRef, MapBuilder, ValueRef, encode};
use crate::path::{Path, Step};

/// Parts of an item to return.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Projection {
    /// By top-level attribute, ascending, each once.
    attributes: Vec<(String, Part)>,
}

/// What is wanted of a value.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Part {
    Whole,
    /// Members of a map, ascending by name.
    Members(Vec<(String, Part)>),
    /// Elements of a list, ascending by position; they close ranks in the result.
    Elements(Vec<(usize, Part)>),
}

impl Projection {
    /// A projection to paths that do not overlap or conflict.
    pub fn from_paths(paths: Vec<Path>) -> Result<Self> {
        check_overlap(&paths).map_err(|cause| Error::invalid(Refused { clause: Clause::Projection, cause }))?;
        Ok(Self::from_disjoint(paths.iter().collect()))
    }

    /// From paths that are known not to overlap or conflict.
    pub(super) fn from_disjoint(mut paths: Vec<&Path>) -> Self {
        paths.sort_unstable();
        let same = |a: &&Path, b: &&Path| a.attribute == b.attribute;
        let attributes = paths.chunk_by(same).map(|group| (group[0].attribute.clone(), part(group, 0))).collect();
        Self { attributes }
    }

    /// What the projection leaves of an item.
    #[must_use]
    pub fn apply(&self, item: ItemRef<'_>) -> Item {
        let mut builder = MapBuilder::new();
        let mut wanted = self.attributes.iter().peekable();
        for (name, encoded) in item.attributes().encoded_entries() {
            while wanted.next_if(|(attribute, _)| attribute.as_str() < name).is_some() {}
            let Some((_, part)) = wanted.next_if(|(attribute, _)| attribute == name) else {
                continue;
            };
            if let Part::Whole = part {
                builder.begin(Cow::Borrowed(name)).extend_from_slice(encoded);
            } else if let Some(projected) = project(ValueRef::from_encoded(encoded), part) {
                builder.begin(Cow::Borrowed(name)).extend_from_slice(&projected);
            }
        }
        builder.finish_item()
    }

    /// The top-level attributes of the projection, each once.
    pub fn attributes(&self) -> impl Iterator<Item = &str> {
        self.attributes.iter().map(|(name, _)| name.as_str())
    }

    /// The top-level attributes that the projection reaches into.
    pub fn nested_attributes(&self) -> impl Iterator<Item = &str> {
        self.attributes.iter().filter(|(_, part)| *part != Part::Whole).map(|(name, _)| name.as_str())
    }
}

/// The part that a group of sorted paths wants, which all agree up to the step at `depth`.
fn part(group: &[&Path], depth: usize) -> Part {
    match group[0].steps.get(depth) {
        None => Part::Whole,
        Some(Step::Attribute(_)) => Part::Members(children(group, depth, |step| match step {
            Step::Attribute(name) => name.clone(),
            Step::Index(_) => unreachable!("paths do not conflict"),
        })),
        Some(Step::Index(_)) => Part::Elements(children(group, depth, |step| match step {
            Step::Index(position) => *position,
            Step::Attribute(_) => unreachable!("paths do not conflict"),
        })),
    }
}

fn children<K>(group: &[&Path], depth: usize, key: impl Fn(&Step) -> K) -> Vec<(K, Part)> {
    group
        .chunk_by(|a, b| a.steps[depth] == b.steps[depth])
        .map(|group| (key(&group[0].steps[depth]), part(group, depth + 1)))
        .collect()
}

/// The wanted part of a value in encoded form; `None` if there is nothing of it.
fn project(value: ValueRef<'_>, part: &Part) -> Option<Vec<u8>> {
    let mut out = Vec::new();
    match (part, value) {
        (Part::Whole, value) => encode::view(&mut out, value),
        (Part::Members(members), ValueRef::M(map)) => {
            let mut builder = MapBuilder::new();
            for (name, part) in members {
                if let Some(projected) = map.get(name).and_then(|value| project(value, part)) {
                    builder.begin(Cow::Borrowed(name)).extend_from_slice(&projected);
                }
            }
            if builder.is_empty() {
                return None;
            }
            builder.try_finish_map(&mut out).expect("each member is projected once");
        }
        (Part::Elements(elements), ValueRef::L(list)) => {
            let projected: Vec<Vec<u8>> = elements
                .iter()
                .filter_map(|(position, part)| list.get(*position).and_then(|value| project(value, part)))
                .collect();
            if projected.is_empty() {
                return None;
            }
            encode::list(&mut out, projected.len(), &projected.concat());
        }
        _ => return None,
    }
    Some(out)
}
