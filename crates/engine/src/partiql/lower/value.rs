//! Values: literals and parameters.

use std::collections::BTreeSet;

use espalier_dynamo::item::Item;
use espalier_dynamo::{Map, Number, Value};

use super::{Parameters, kind_name};
use crate::limits::NESTING_LEVELS;
use crate::partiql::error::Error;
use crate::partiql::syntax::{Expr, Node};

impl Parameters<'_> {
    /// The item that an INSERT writes.
    pub(super) fn item(self, expr: Expr) -> Result<Item, Error> {
        let Node::Struct(members) = expr.node else { return Err(Error::ItemSyntax(expr.at)) };
        let mut item = Map::new();
        for (name, value) in members {
            let (name, at) = member_name(name, ROOT)?;
            let value = self.constant(&value)?;
            if item.insert(name.clone(), value).is_some() {
                return Err(Error::DuplicateKey { key: name, trail: ROOT.to_owned(), at });
            }
        }
        Ok(Item::from(item))
    }

    /// A literal, or a parameter on its own.
    pub(super) fn constant(self, expr: &Expr) -> Result<Value, Error> {
        match &expr.node {
            Node::Parameter(place) => self.get(*place).cloned(),
            _ => literal(expr, &mut Trail { text: ROOT.to_owned(), level: 0 }),
        }
    }
}

const ROOT: &str = "root";

/// Where in a value a literal stands, the way DynamoDB says it: `root.a[0]`.
struct Trail {
    text: String,
    level: usize,
}

impl Trail {
    fn inside<T>(&mut self, step: &str, read: impl FnOnce(&mut Self) -> Result<T, Error>) -> Result<T, Error> {
        let length = self.text.len();
        self.text.push_str(step);
        self.level += 1;
        let value = read(self)?;
        self.level -= 1;
        self.text.truncate(length);
        Ok(value)
    }
}

fn literal(expr: &Expr, trail: &mut Trail) -> Result<Value, Error> {
    if trail.level >= NESTING_LEVELS {
        return Err(Error::Nesting(trail.text.clone()));
    }
    match &expr.node {
        Node::Null => Ok(Value::Null),
        Node::Bool(value) => Ok(Value::Bool(*value)),
        Node::String(text) => Ok(Value::S(text.clone())),
        Node::Number(text) => number(text, trail).map(Value::N),
        Node::Ion => Err(Error::Ion(trail.text.clone(), expr.at)),
        Node::List(members) => {
            let member = |(place, member)| trail.inside(&format!("[{place}]"), |trail| literal(member, trail));
            members.iter().enumerate().map(member).collect::<Result<_, _>>().map(Value::L)
        }
        Node::Struct(members) => {
            let mut map = Map::new();
            for (name, value) in members {
                let (name, at) = member_name(name.clone(), &trail.text)?;
                let value = trail.inside(&format!(".{name}"), |trail| literal(value, trail))?;
                if map.insert(name.clone(), value).is_some() {
                    return Err(Error::DuplicateKey { key: name, trail: trail.text.clone(), at });
                }
            }
            Ok(Value::M(map))
        }
        Node::Bag(members) => set(members, trail),
        node => Err(Error::Value { what: what(node, trail), trail: trail.text.clone(), at: expr.at }),
    }
}

/// What DynamoDB calls something that is no value: by its own name at the top, by its kind further down.
fn what(node: &Node, trail: &Trail) -> String {
    match node {
        Node::Missing => "MISSING".to_owned(),
        Node::Name(name) if trail.level == 0 => name.clone(),
        Node::Call(name, _) if trail.level == 0 => name.clone(),
        Node::Binary(operator, ..) if trail.level == 0 => operator.symbol().to_owned(),
        node => kind_name(node).to_owned(),
    }
}

fn number(text: &str, trail: &Trail) -> Result<Number, Error> {
    text.parse().map_err(|cause| Error::Number(cause, trail.text.clone()))
}

fn member_name(expr: Expr, trail: &str) -> Result<(String, crate::partiql::lexer::Span), Error> {
    let what = match expr.node {
        Node::String(name) => return Ok((name, expr.at)),
        Node::Number(text) if text.bytes().all(|byte| byte.is_ascii_digit()) => "INT",
        Node::Number(_) => "DECIMAL",
        node => kind_name(&node),
    };
    Err(Error::TupleKey { what, trail: trail.to_owned(), at: expr.at })
}

fn set(members: &[Expr], trail: &Trail) -> Result<Value, Error> {
    let Some(first) = members.first() else { return Err(Error::EmptyBag) };
    if let Some(other) = members.iter().find(|member| !matches!(member.node, Node::String(_) | Node::Number(_))) {
        return Err(Error::BagType(Some(other.at)));
    }
    if let Node::String(_) = first.node {
        let strings = members.iter().map(|member| match &member.node {
            Node::String(text) => Ok(text.as_str()),
            _ => Err(Error::BagType(None)),
        });
        let strings = strings.collect::<Result<Vec<_>, _>>()?;
        let set: BTreeSet<String> = strings.iter().map(|text| (*text).to_owned()).collect();
        if set.len() < strings.len() {
            return Err(Error::DuplicateStrings(strings.join(", ")));
        }
        return Ok(Value::Ss(set));
    }
    let numbers = members.iter().map(|member| match &member.node {
        Node::Number(text) => Ok(text.as_str()),
        _ => Err(Error::BagType(None)),
    });
    let numbers = numbers.collect::<Result<Vec<_>, _>>()?;
    let set = numbers.iter().map(|text| number(text, trail)).collect::<Result<BTreeSet<_>, _>>()?;
    if set.len() < numbers.len() {
        return Err(Error::DuplicateNumbers(numbers.join(", "), trail.text.clone()));
    }
    Ok(Value::Ns(set))
}
