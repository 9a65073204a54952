//! What in a WHERE the key answers: a condition spread into branches, each of which reads one range of one
//! partition, or is left to a filter.

use espalier_dynamo::expression::{
    Comparator, Condition, KeyAttribute, KeyCondition, KeyRange, KeySchema, KeyTest, Operand, SortRange,
};
use espalier_dynamo::item::Encoded;
use espalier_dynamo::operation::table::ScalarType;
use espalier_dynamo::value::Type;
use espalier_dynamo::{Path, Result};

use super::error::Error;

/// More branches than this are not looked at one by one.
const BRANCHES_MAX: usize = 1000;

/// A key of at most one attribute on each side; PartiQL reads no other.
#[derive(Debug, Clone, Copy)]
pub(super) struct Keys<'k> {
    schema: &'k KeySchema,
    pub(super) partition: &'k KeyAttribute,
    pub(super) sort: Option<&'k KeyAttribute>,
}

/// One conjunction of a WHERE.
#[derive(Debug, Clone, Default)]
pub(super) struct Branch {
    /// Its conditions on the partition key: all of one value, or the branch reads nothing by key.
    pub(super) partition: Vec<Encoded>,
    /// Its conditions on the sort key, and what they were made of.
    pub(super) sort: Vec<(KeyTest, Condition)>,
    /// What is left.
    pub(super) filters: Vec<Condition>,
}

/// A condition that a key can answer.
enum KeyLeaf {
    /// The partition key is one of these.
    Partition(Vec<Encoded>),
    /// The sort key passes one of these.
    Sort(Vec<KeyTest>),
}

impl<'k> Keys<'k> {
    /// The key of a table or index, unless it has several attributes on a side.
    pub(super) fn new(schema: &'k KeySchema) -> Result<Self, Error> {
        match (schema.partition.as_slice(), schema.sort.as_slice()) {
            ([partition], []) => Ok(Self { schema, partition, sort: None }),
            ([partition], [sort]) => Ok(Self { schema, partition, sort: Some(sort) }),
            _ => Err(Error::MultiAttributeKey),
        }
    }

    /// Whether an attribute is part of the key.
    pub(super) fn holds(&self, name: &str) -> bool {
        self.partition.name == name || self.sort.is_some_and(|sort| sort.name == name)
    }

    /// Refuses paths into key attributes.
    pub(super) fn check_paths(&self, condition: &Condition) -> Result<(), Error> {
        match condition.paths().find(|path| !path.is_top_level() && self.holds(&path.attribute)) {
            Some(path) => Err(Error::KeyPath(path.attribute.clone())),
            None => Ok(()),
        }
    }

    /// Refuses values that no such key can have, wherever a key could have answered.
    pub(super) fn check_types(&self, condition: &Condition) -> Result<(), Error> {
        match condition {
            Condition::And(list) | Condition::Or(list) => list.iter().try_for_each(|inner| self.check_types(inner)),
            leaf => match self.leaf(leaf) {
                None => Ok(()),
                Some(KeyLeaf::Partition(values)) => {
                    values.iter().try_for_each(|value| check_type(self.partition, value))
                }
                Some(KeyLeaf::Sort(tests)) => {
                    let Some(sort) = self.sort else { return Ok(()) };
                    tests.iter().flat_map(values).try_for_each(|value| check_type(sort, value))
                }
            },
        }
    }

    /// Whether every branch of a condition says which partition it means.
    pub(super) fn pinned(&self, condition: &Condition) -> bool {
        match condition {
            Condition::And(list) => list.iter().any(|inner| self.pinned(inner)),
            Condition::Or(list) => !list.is_empty() && list.iter().all(|inner| self.pinned(inner)),
            leaf => matches!(self.leaf(leaf), Some(KeyLeaf::Partition(_))),
        }
    }

    /// The branches of a condition; `None` if there are too many to look at.
    pub(super) fn spread(&self, condition: &Condition) -> Option<Vec<Branch>> {
        match condition {
            Condition::And(list) => list.iter().try_fold(vec![Branch::default()], |branches, inner| {
                let more = self.spread(inner)?;
                if branches.len() * more.len() > BRANCHES_MAX {
                    return None;
                }
                Some(branches.iter().flat_map(|branch| more.iter().map(|other| branch.and(other))).collect())
            }),
            Condition::Or(list) if self.names_key(condition) => {
                let mut branches = Vec::new();
                for inner in list {
                    branches.extend(self.spread(inner)?);
                    if branches.len() > BRANCHES_MAX {
                        return None;
                    }
                }
                Some(branches)
            }
            leaf => Some(match self.leaf(leaf) {
                Some(KeyLeaf::Partition(values)) => {
                    values.into_iter().map(|value| Branch { partition: vec![value], ..Branch::default() }).collect()
                }
                Some(KeyLeaf::Sort(tests)) => {
                    let sort = |test: KeyTest| vec![(test.clone(), self.condition_of(leaf, &test))];
                    tests.into_iter().map(|test| Branch { sort: sort(test), ..Branch::default() }).collect()
                }
                None => vec![Branch { filters: vec![leaf.clone()], ..Branch::default() }],
            }),
        }
    }

    /// The range of stored keys that each condition of a branch selects.
    pub(super) fn ranges(&self, branch: &Branch) -> Result<Vec<KeyRange>> {
        let Some(partition) = branch.partition.first() else { return Ok(Vec::new()) };
        let partition = (self.partition.name.clone(), KeyTest::Equal(partition.clone()));
        let Some(sort) = self.sort.filter(|_| !branch.sort.is_empty()) else {
            return Ok(vec![KeyCondition::from_tests(vec![partition]).resolve(self.schema)?]);
        };
        let tests = branch.sort.iter().map(|(test, _)| vec![partition.clone(), (sort.name.clone(), test.clone())]);
        tests.map(|tests| KeyCondition::from_tests(tests).resolve(self.schema)).collect()
    }

    /// A member of an IN as a condition of its own.
    fn condition_of(&self, leaf: &Condition, test: &KeyTest) -> Condition {
        match (leaf, test) {
            (Condition::In { value, .. }, KeyTest::Equal(choice)) => {
                let right = Operand::Value(choice.clone());
                Condition::Compare { left: value.clone(), op: Comparator::Equal, right }
            }
            _ => leaf.clone(),
        }
    }

    fn names_key(&self, condition: &Condition) -> bool {
        match condition {
            Condition::And(list) | Condition::Or(list) => list.iter().any(|inner| self.names_key(inner)),
            leaf => self.leaf(leaf).is_some(),
        }
    }

    fn leaf(&self, condition: &Condition) -> Option<KeyLeaf> {
        let (path, tests) = match condition {
            Condition::Compare { left: Operand::Path(path), op, right: Operand::Value(value) } => {
                (path, vec![compared(*op, value.clone())?])
            }
            Condition::In { value: Operand::Path(path), choices } => {
                let equal = |choice: &Operand| match choice {
                    Operand::Value(value) => Some(KeyTest::Equal(value.clone())),
                    _ => None,
                };
                (path, choices.iter().map(equal).collect::<Option<Vec<_>>>()?)
            }
            Condition::Between { value: Operand::Path(path), low: Operand::Value(low), high: Operand::Value(high) } => {
                (path, vec![KeyTest::Range(SortRange::Between(low.clone(), high.clone()))])
            }
            Condition::BeginsWith(Operand::Path(path), Operand::Value(prefix)) => {
                (path, vec![KeyTest::Range(SortRange::BeginsWith(prefix.clone()))])
            }
            _ => return None,
        };
        self.answers(path, tests)
    }

    fn answers(&self, path: &Path, tests: Vec<KeyTest>) -> Option<KeyLeaf> {
        if !path.is_top_level() {
            return None;
        }
        if path.attribute == self.partition.name {
            let equal = |test: KeyTest| match test {
                KeyTest::Equal(value) => Some(value),
                _ => None,
            };
            return tests.into_iter().map(equal).collect::<Option<Vec<_>>>().map(KeyLeaf::Partition);
        }
        self.sort.filter(|sort| sort.name == path.attribute).map(|_| KeyLeaf::Sort(tests))
    }
}

impl Branch {
    /// The partition that the branch reads, if it means exactly one.
    pub(super) fn partition(&self) -> Option<&Encoded> {
        let first = self.partition.first()?;
        self.partition.iter().all(|other| other == first).then_some(first)
    }

    /// The one sort key that the branch reads.
    pub(super) fn only_sort(&self) -> Option<&Encoded> {
        let equal = |test: &'_ (KeyTest, Condition)| matches!(&test.0, KeyTest::Equal(_));
        if !self.sort.iter().all(equal) {
            return None;
        }
        match self.sort.as_slice() {
            [(KeyTest::Equal(first), _), rest @ ..] if rest.iter().all(|(test, _)| *test == self.sort[0].0) => {
                Some(first)
            }
            _ => None,
        }
    }

    /// Everything that must hold of an item in the branch's partition.
    pub(super) fn conditions(&self) -> Condition {
        Condition::And(self.sort.iter().map(|(_, condition)| condition).chain(&self.filters).cloned().collect())
    }

    fn and(&self, other: &Branch) -> Branch {
        let mut both = self.clone();
        both.partition.extend(other.partition.iter().cloned());
        both.sort.extend(other.sort.iter().cloned());
        both.filters.extend(other.filters.iter().cloned());
        both
    }
}

fn compared(op: Comparator, value: Encoded) -> Option<KeyTest> {
    Some(match op {
        Comparator::Equal => KeyTest::Equal(value),
        Comparator::NotEqual => return None,
        Comparator::Less => KeyTest::Range(SortRange::Less(value)),
        Comparator::LessOrEqual => KeyTest::Range(SortRange::LessOrEqual(value)),
        Comparator::Greater => KeyTest::Range(SortRange::Greater(value)),
        Comparator::GreaterOrEqual => KeyTest::Range(SortRange::GreaterOrEqual(value)),
    })
}

fn values(test: &KeyTest) -> impl Iterator<Item = &Encoded> {
    let values = match test {
        KeyTest::Equal(value) => [Some(value), None],
        KeyTest::Range(SortRange::Between(low, high)) => [Some(low), Some(high)],
        KeyTest::Range(
            SortRange::Less(value)
            | SortRange::LessOrEqual(value)
            | SortRange::Greater(value)
            | SortRange::GreaterOrEqual(value)
            | SortRange::BeginsWith(value),
        ) => [Some(value), None],
        _ => [None, None],
    };
    values.into_iter().flatten()
}

/// Refuses a value that has another type than a key attribute.
pub(super) fn check_type(attribute: &KeyAttribute, value: &Encoded) -> Result<(), Error> {
    let found = value.view().kind();
    match (found, attribute.kind) {
        (Type::S, ScalarType::S) | (Type::N, ScalarType::N) | (Type::B, ScalarType::B) => Ok(()),
        (Type::S | Type::N | Type::B, _) => Err(Error::KeyMismatch(attribute.name.clone())),
        _ => Err(Error::KeyType(attribute.name.clone(), found.name())),
    }
}
