//! Expressions as trees of the reference's own. The engine gets them printed as text, so its lexer and parser are
//! compared as well.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde_json::{Value as Json, json};

use super::value::Value;

/// One step into a document.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Step {
    /// A member of a map.
    Name(String),
    /// An element of a list.
    Index(usize),
}

/// A document path.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Path {
    /// The top-level attribute.
    pub attribute: String,
    /// What follows.
    pub steps: Vec<Step>,
}

impl Path {
    /// Whether one path contains the other, or they take one thing for a map and for a list.
    #[must_use]
    pub fn clashes(&self, other: &Path) -> bool {
        if self.attribute != other.attribute {
            return false;
        }
        for (mine, theirs) in self.steps.iter().zip(&other.steps) {
            match (mine, theirs) {
                (a, b) if a == b => {}
                (Step::Name(_), Step::Index(_)) | (Step::Index(_), Step::Name(_)) => return true,
                _ => return false,
            }
        }
        true
    }
}

/// Something that has a value in a condition.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Operand {
    /// An attribute.
    Path(Path),
    /// A constant.
    Value(Value),
    /// The size of an attribute.
    Size(Path),
}

/// How two operands are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Comparator {
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

impl Comparator {
    /// All of them.
    pub const ALL: [Comparator; 6] = [
        Comparator::Equal,
        Comparator::NotEqual,
        Comparator::Less,
        Comparator::LessOrEqual,
        Comparator::Greater,
        Comparator::GreaterOrEqual,
    ];

    fn text(self) -> &'static str {
        match self {
            Comparator::Equal => "=",
            Comparator::NotEqual => "<>",
            Comparator::Less => "<",
            Comparator::LessOrEqual => "<=",
            Comparator::Greater => ">",
            Comparator::GreaterOrEqual => ">=",
        }
    }
}

/// A condition or filter.
#[derive(Debug, Clone, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names are DynamoDB's")]
pub enum Condition {
    Compare(Operand, Comparator, Operand),
    Between(Operand, Operand, Operand),
    In(Operand, Vec<Operand>),
    Exists(Path),
    NotExists(Path),
    IsType(Path, &'static str),
    BeginsWith(Path, Value),
    Contains(Path, Operand),
    And(Box<Condition>, Box<Condition>),
    Or(Box<Condition>, Box<Condition>),
    Not(Box<Condition>),
}

/// Something that has a value in an update.
#[derive(Debug, Clone, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names are DynamoDB's")]
pub enum Source {
    Path(Path),
    Value(Value),
    IfNotExists(Path, Box<Source>),
    ListAppend(Box<Source>, Box<Source>),
}

/// The right side of SET.
#[derive(Debug, Clone, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Assigned {
    Source(Source),
    Plus(Source, Source),
    Minus(Source, Source),
}

/// An update.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Update {
    /// SET.
    pub set: Vec<(Path, Assigned)>,
    /// REMOVE.
    pub remove: Vec<Path>,
    /// ADD.
    pub add: Vec<(Path, Value)>,
    /// DELETE.
    pub delete: Vec<(Path, Value)>,
}

impl Update {
    /// All paths that it writes.
    pub fn targets(&self) -> impl Iterator<Item = &Path> {
        let set = self.set.iter().map(|(path, _)| path);
        let add = self.add.iter().map(|(path, _)| path);
        set.chain(&self.remove).chain(add).chain(self.delete.iter().map(|(path, _)| path))
    }

    /// The types it gives or adds to an attribute, where they do not depend on the item.
    pub fn gives(&self, attribute: &str) -> impl Iterator<Item = &'static str> {
        let is_it = move |path: &Path| path.attribute == attribute && path.steps.is_empty();
        let set = self.set.iter().filter(move |(path, _)| is_it(path)).filter_map(|(_, assigned)| match assigned {
            Assigned::Source(Source::Value(value)) => Some(value.kind()),
            Assigned::Source(Source::ListAppend(..)) => Some("L"),
            Assigned::Source(Source::Path(_) | Source::IfNotExists(..)) => None,
            Assigned::Plus(..) | Assigned::Minus(..) => Some("N"),
        });
        let add = self.add.iter().filter(move |(path, _)| is_it(path)).map(|(_, value)| value.kind());
        set.chain(add)
    }
}

/// Text with stand-ins for names and values, shared by all expressions of one request.
#[derive(Debug, Default)]
pub struct Printer {
    names: BTreeMap<String, String>,
    values: Vec<Value>,
}

impl Printer {
    fn name(&mut self, name: &str, out: &mut String) {
        // Names of one letter stand for themselves; all others get a stand-in, and so may be anything.
        let plain = name.len() <= 2 && name.bytes().all(|byte| byte.is_ascii_alphanumeric());
        if plain {
            out.push_str(name);
            return;
        }
        let next = format!("#n{}", self.names.len());
        out.push_str(self.names.entry(name.to_owned()).or_insert(next));
    }

    fn value(&mut self, value: &Value, out: &mut String) {
        let place = self.values.iter().position(|known| known == value).unwrap_or_else(|| {
            self.values.push(value.clone());
            self.values.len() - 1
        });
        let _ = write!(out, ":v{place}");
    }

    fn path(&mut self, path: &Path, out: &mut String) {
        self.name(&path.attribute, out);
        for step in &path.steps {
            match step {
                Step::Name(name) => {
                    out.push('.');
                    self.name(name, out);
                }
                Step::Index(place) => {
                    let _ = write!(out, "[{place}]");
                }
            }
        }
    }

    fn operand(&mut self, operand: &Operand, out: &mut String) {
        match operand {
            Operand::Path(path) => self.path(path, out),
            Operand::Value(value) => self.value(value, out),
            Operand::Size(path) => {
                out.push_str("size(");
                self.path(path, out);
                out.push(')');
            }
        }
    }

    /// A condition as text.
    pub fn condition(&mut self, condition: &Condition) -> String {
        let mut out = String::new();
        self.print(condition, &mut out);
        out
    }

    fn print(&mut self, condition: &Condition, out: &mut String) {
        match condition {
            Condition::Compare(left, comparator, right) => {
                self.operand(left, out);
                let _ = write!(out, " {} ", comparator.text());
                self.operand(right, out);
            }
            Condition::Between(operand, low, high) => {
                self.operand(operand, out);
                out.push_str(" BETWEEN ");
                self.operand(low, out);
                out.push_str(" AND ");
                self.operand(high, out);
            }
            Condition::In(operand, choices) => {
                self.operand(operand, out);
                out.push_str(" IN (");
                for (place, choice) in choices.iter().enumerate() {
                    out.push_str(if place > 0 { ", " } else { "" });
                    self.operand(choice, out);
                }
                out.push(')');
            }
            Condition::Exists(path) => self.call("attribute_exists", path, None, out),
            Condition::NotExists(path) => self.call("attribute_not_exists", path, None, out),
            Condition::IsType(path, kind) => {
                self.call("attribute_type", path, Some(&Operand::Value(Value::S((*kind).to_owned()))), out);
            }
            Condition::BeginsWith(path, start) => {
                self.call("begins_with", path, Some(&Operand::Value(start.clone())), out)
            }
            Condition::Contains(path, part) => self.call("contains", path, Some(part), out),
            Condition::And(left, right) => self.joined(left, " AND ", right, out),
            Condition::Or(left, right) => self.joined(left, " OR ", right, out),
            Condition::Not(inner) => {
                out.push_str("NOT ");
                self.wrapped(inner, out);
            }
        }
    }

    fn call(&mut self, function: &str, path: &Path, second: Option<&Operand>, out: &mut String) {
        let _ = write!(out, "{function}(");
        self.path(path, out);
        if let Some(operand) = second {
            out.push_str(", ");
            self.operand(operand, out);
        }
        out.push(')');
    }

    fn joined(&mut self, left: &Condition, word: &str, right: &Condition, out: &mut String) {
        self.wrapped(left, out);
        out.push_str(word);
        self.wrapped(right, out);
    }

    /// Parentheses around what holds several conditions, and never twice.
    fn wrapped(&mut self, condition: &Condition, out: &mut String) {
        let compound = matches!(condition, Condition::And(..) | Condition::Or(..) | Condition::Not(_));
        out.push_str(if compound { "(" } else { "" });
        self.print(condition, out);
        out.push_str(if compound { ")" } else { "" });
    }

    /// Paths separated by commas.
    pub fn projection(&mut self, paths: &[Path]) -> String {
        let mut out = String::new();
        for (place, path) in paths.iter().enumerate() {
            out.push_str(if place > 0 { ", " } else { "" });
            self.path(path, &mut out);
        }
        out
    }

    fn source(&mut self, source: &Source, out: &mut String) {
        match source {
            Source::Path(path) => self.path(path, out),
            Source::Value(value) => self.value(value, out),
            Source::IfNotExists(path, other) => {
                out.push_str("if_not_exists(");
                self.path(path, out);
                out.push_str(", ");
                self.source(other, out);
                out.push(')');
            }
            Source::ListAppend(first, second) => {
                out.push_str("list_append(");
                self.source(first, out);
                out.push_str(", ");
                self.source(second, out);
                out.push(')');
            }
        }
    }

    /// An update as text.
    pub fn update(&mut self, update: &Update) -> String {
        let mut out = String::new();
        for (place, (path, assigned)) in update.set.iter().enumerate() {
            out.push_str(if place > 0 { ", " } else { "SET " });
            self.path(path, &mut out);
            out.push_str(" = ");
            match assigned {
                Assigned::Source(source) => self.source(source, &mut out),
                Assigned::Plus(left, right) => self.sum(left, " + ", right, &mut out),
                Assigned::Minus(left, right) => self.sum(left, " - ", right, &mut out),
            }
        }
        for (place, path) in update.remove.iter().enumerate() {
            out.push_str(if place > 0 { ", " } else { " REMOVE " });
            self.path(path, &mut out);
        }
        for (word, pairs) in [(" ADD ", &update.add), (" DELETE ", &update.delete)] {
            for (place, (path, value)) in pairs.iter().enumerate() {
                out.push_str(if place > 0 { ", " } else { word });
                self.path(path, &mut out);
                out.push(' ');
                self.value(value, &mut out);
            }
        }
        out
    }

    fn sum(&mut self, left: &Source, sign: &str, right: &Source, out: &mut String) {
        self.source(left, out);
        out.push_str(sign);
        self.source(right, out);
    }

    /// Puts the stand-ins that were used into a request.
    pub fn finish(self, request: &mut Json) {
        if !self.names.is_empty() {
            request["ExpressionAttributeNames"] =
                self.names.into_iter().map(|(name, stand_in)| (stand_in, json!(name))).collect();
        }
        if !self.values.is_empty() {
            let values = self.values.iter().enumerate();
            request["ExpressionAttributeValues"] =
                values.map(|(place, value)| (format!(":v{place}"), value.to_json())).collect();
        }
    }
}
