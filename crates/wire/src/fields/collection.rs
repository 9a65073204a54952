//! Members that are lists or maps of other members.

use std::collections::BTreeMap;

use espalier_dynamo::operation::option;

use super::scalar::read_text;
use super::{Member, Mismatch, Position, Source, Stop};
use crate::constraint::{ATTRIBUTE_NAME_MAX, Constraint, Path, Violations};
use crate::json::Kind;

/// A list between two lengths.
pub(crate) struct List<M, const MIN: usize = 0, const MAX: usize = { usize::MAX }>(pub(crate) Option<Vec<M>>);

impl<M, const MIN: usize, const MAX: usize> Default for List<M, MIN, MAX> {
    fn default() -> Self {
        Self(None)
    }
}

impl<M: Member, const MIN: usize, const MAX: usize> List<M, MIN, MAX> {
    /// Each element turned into what the operation holds; `None` stays `None`.
    pub(crate) fn map<T>(self, convert: impl FnMut(M) -> T) -> Option<Vec<T>> {
        self.0.map(|elements| elements.into_iter().map(convert).collect())
    }

    /// Each element turned into what the operation holds; none if the list is absent.
    pub(crate) fn map_or_empty<T>(self, convert: impl FnMut(M) -> T) -> Vec<T> {
        self.map(convert).unwrap_or_default()
    }

    /// How many elements there are.
    pub(crate) fn len(&self) -> usize {
        self.0.as_ref().map_or(0, Vec::len)
    }
}

impl<M: Member, const MIN: usize, const MAX: usize> Member for List<M, MIN, MAX> {
    const CLASS: &'static str = M::CLASS;

    fn read(&mut self, source: &mut Source<'_>, position: Position) -> Result<(), Stop> {
        match (source.reader.peek()?, position) {
            (Kind::Array, _) => {}
            (Kind::Object, _) => return Err(Mismatch::Structure.into()),
            (_, Position::Field) => return Err(Mismatch::Field.into()),
            (_, Position::Element) => return Err(Mismatch::Parameterized.into()),
        }
        let mut elements = Vec::new();
        let mut first = true;
        source.reader.enter_array()?;
        while source.reader.next_element(&mut first)? {
            elements.push(read_element(source)?);
        }
        self.0 = Some(elements);
        Ok(())
    }

    fn check(&self, path: &Path<'_>, found: &mut Violations) {
        let Some(elements) = &self.0 else { return };
        if elements.len() < MIN {
            found.add(path, self.shown(), Constraint::LengthMin(MIN));
        }
        if elements.len() > MAX {
            found.add(path, self.shown(), Constraint::LengthMax(MAX));
        }
        for (position, element) in elements.iter().enumerate() {
            element.check(&Path::Element(path, position + 1), found);
        }
    }

    fn shown(&self) -> Option<String> {
        let elements = self.0.as_ref()?;
        let shown: Vec<String> =
            elements.iter().map(|element| element.shown().unwrap_or_else(|| "null".to_owned())).collect();
        Some(format!("[{}]", shown.join(", ")))
    }
}

/// Reads an element of a list, or the value of an entry of a map; null gives one that is absent.
fn read_element<M: Member>(source: &mut Source<'_>) -> Result<M, Stop> {
    let mut element = M::default();
    if source.reader.peek()? == Kind::Null {
        source.reader.literal("null")?;
    } else {
        element.read(source, Position::Element)?;
    }
    Ok(element)
}

/// Steps into a map, or tells why the value is none.
pub(crate) fn enter_map(source: &mut Source<'_>, position: Position, value_class: &str) -> Result<(), Stop> {
    match (source.reader.peek()?, position) {
        (Kind::Object, _) => Ok(source.reader.enter_object()?),
        (Kind::Array, _) => Err(Mismatch::list_for_map(value_class).into()),
        (_, Position::Field) => Err(Mismatch::Field.into()),
        (_, Position::Element) => Err(Mismatch::Parameterized.into()),
    }
}

/// A map from names to members, in the order of the request. `LISTS` words a list in its place.
pub(crate) struct Dictionary<M, const LISTS: bool = false>(pub(crate) Option<Vec<(String, M)>>);

impl<M, const LISTS: bool> Default for Dictionary<M, LISTS> {
    fn default() -> Self {
        Self(None)
    }
}

impl<M: Member, const LISTS: bool> Dictionary<M, LISTS> {
    /// Each entry turned into what the operation holds, sorted by name.
    pub(crate) fn sorted<T>(self, mut convert: impl FnMut(M) -> T) -> Option<BTreeMap<String, T>> {
        self.0.map(|entries| entries.into_iter().map(|(name, member)| (name, convert(member))).collect())
    }

    /// Each entry turned into what the operation holds, in the order of the request.
    pub(crate) fn map_or_empty<T>(self, mut convert: impl FnMut(M) -> T) -> Vec<(String, T)> {
        self.0.unwrap_or_default().into_iter().map(|(name, member)| (name, convert(member))).collect()
    }
}

impl<M: Member, const LISTS: bool> Member for Dictionary<M, LISTS> {
    const CLASS: &'static str = M::CLASS;

    fn read(&mut self, source: &mut Source<'_>, position: Position) -> Result<(), Stop> {
        if LISTS && source.reader.peek()? == Kind::Array {
            let list = format!("java.util.List<com.amazonaws.dynamodb.v20120810.{}>", M::CLASS);
            return Err(Mismatch::list_for_map(&list).into());
        }
        enter_map(source, position, M::CLASS)?;
        let mut entries: Vec<(String, M)> = Vec::new();
        let mut names = std::collections::HashSet::new();
        let mut first = true;
        while let Some(name) = source.reader.next_key(&mut first)? {
            entries.push((name.clone().into_owned(), read_element(source)?));
            if !names.insert(name) {
                return Err(Stop::Malformed);
            }
        }
        self.0 = Some(entries);
        Ok(())
    }

    fn check(&self, path: &Path<'_>, found: &mut Violations) {
        for (name, member) in self.0.iter().flatten() {
            member.check(&Path::Entry(path, name), found);
        }
    }

    fn shown(&self) -> Option<String> {
        let shown: Vec<String> = self
            .0
            .as_ref()?
            .iter()
            .map(|(name, member)| format!("{name}={}", member.shown().unwrap_or_else(|| "null".to_owned())))
            .collect();
        Some(format!("{{{}}}", shown.join(", ")))
    }
}

/// `ExpressionAttributeNames`.
#[derive(Default)]
pub(crate) struct Names(pub(crate) option::Names);

impl Member for Names {
    const CLASS: &'static str = "java.lang.String";

    fn read(&mut self, source: &mut Source<'_>, position: Position) -> Result<(), Stop> {
        enter_map(source, position, Self::CLASS)?;
        let mut names = BTreeMap::new();
        let mut first = true;
        while let Some(name) = source.reader.next_key(&mut first)? {
            let attribute = read_text(source)?.into_owned();
            if names.insert(name.into_owned(), attribute).is_some() {
                return Err(Stop::Malformed);
            }
        }
        self.0 = Some(names);
        Ok(())
    }

    fn check(&self, path: &Path<'_>, found: &mut Violations) {
        if self.0.iter().flatten().any(|(_, attribute)| attribute.len() > ATTRIBUTE_NAME_MAX) {
            found.add(path, self.shown(), Constraint::AttributeValues);
        }
    }

    fn shown(&self) -> Option<String> {
        let shown: Vec<String> =
            self.0.as_ref()?.iter().map(|(name, attribute)| format!("{name}={attribute}")).collect();
        Some(format!("{{{}}}", shown.join(", ")))
    }
}
