//! Conditions: WHERE becomes the tree that condition and filter expressions become.

use espalier_dynamo::expression::{Cause, Comparator, Condition, Operand};
use espalier_dynamo::item::{Encoded, ValueRef, compare};
use espalier_dynamo::value::Type;

use super::Parameters;
use super::path::path;
use crate::partiql::error::Error;
use crate::partiql::lexer::Span;
use crate::partiql::syntax::{Expr, Node, Operator};

/// The most members of one IN.
const CHOICES_MAX: usize = 100;

type Result<T> = std::result::Result<T, Error>;

/// Whether an expression can only be true or false.
pub(super) fn is_condition(expr: &Expr) -> bool {
    match &expr.node {
        Node::And(_) | Node::Or(_) | Node::Not(_) | Node::Between(..) | Node::In(..) | Node::Is(..) => true,
        Node::Binary(operator, ..) => !matches!(operator, Operator::Plus | Operator::Minus),
        Node::Call(name, _) => name != "size",
        _ => false,
    }
}

impl Parameters<'_> {
    /// The condition that an expression is.
    pub(super) fn condition(self, expr: Expr) -> Result<Condition> {
        let at = expr.at;
        match expr.node {
            Node::And(list) => self.conditions(list).map(Condition::And),
            Node::Or(list) => self.conditions(list).map(Condition::Or),
            Node::Not(inner) if is_condition(&inner) => Ok(Condition::Not(Box::new(self.condition(*inner)?))),
            Node::Not(_) => Err(Error::Not),
            Node::Binary(operator, left, right) => self.comparison(operator, *left, *right),
            Node::Between(value, low, high) => {
                let (value, low, high) = (self.operand(*value)?, self.operand(*low)?, self.operand(*high)?);
                check_distinct("BETWEEN", &value, [&low, &high])?;
                check_ordered("BETWEEN", [&value, &low, &high])?;
                if let (Operand::Value(low), Operand::Value(high)) = (&low, &high) {
                    check_bounds(low, high)?;
                }
                Ok(Condition::Between { value, low, high })
            }
            Node::In(value, list) => self.choice(*value, list.node),
            Node::Is(value, kind) => is(&value, kind, at),
            Node::Call(name, arguments) => self.call(name, arguments, at),
            _ => Err(Error::Where),
        }
    }

    fn conditions(self, list: Vec<Expr>) -> Result<Vec<Condition>> {
        if let Some(size) = list.iter().find(|expr| matches!(&expr.node, Node::Call(name, _) if name == "size")) {
            self.operand(size.clone())?;
            return Err(Cause::OperandType { operator: "AND", kind: Type::N.name() }.into());
        }
        if !list.iter().all(is_condition) {
            return Err(Error::AndOr);
        }
        list.into_iter().map(|expr| self.condition(expr)).collect()
    }

    fn comparison(self, operator: Operator, left: Expr, right: Expr) -> Result<Condition> {
        let op = match operator {
            Operator::Equal => Comparator::Equal,
            Operator::NotEqual => Comparator::NotEqual,
            Operator::Less => Comparator::Less,
            Operator::LessOrEqual => Comparator::LessOrEqual,
            Operator::Greater => Comparator::Greater,
            Operator::GreaterOrEqual => Comparator::GreaterOrEqual,
            Operator::Plus | Operator::Minus | Operator::Other(_) => {
                return Err(Error::ConditionOperator(operator.symbol()));
            }
        };
        match (is_condition(&left), is_condition(&right)) {
            (true, _) => return self.truth(left, op, &right),
            (_, true) => return self.truth(right, op, &left),
            _ => {}
        }
        let (left, right) = (self.operand(left)?, self.operand(right)?);
        check_distinct(op.symbol(), &left, [&right])?;
        if !matches!(op, Comparator::Equal | Comparator::NotEqual) {
            check_ordered(op.symbol(), [&left, &right])?;
        }
        // What is compared with a constant stands on the left, so that keys are found on one side alone.
        Ok(match (&left, &right) {
            (Operand::Value(_), Operand::Path(_)) => Condition::Compare { left: right, op: mirrored(op), right: left },
            _ => Condition::Compare { left, op, right },
        })
    }

    /// A condition compared with a constant: only TRUE and FALSE are ever equal to it.
    fn truth(self, condition: Expr, op: Comparator, constant: &Expr) -> Result<Condition> {
        let equal = match op {
            Comparator::Equal => true,
            Comparator::NotEqual => false,
            _ => return Err(Cause::OperandType { operator: op.symbol(), kind: Type::Bool.name() }.into()),
        };
        let condition = self.condition(condition)?;
        if matches!(constant.node, Node::Name(_) | Node::Path(..)) || is_condition(constant) {
            return Err(Error::ConditionOperator(op.symbol()));
        }
        Ok(match self.constant(constant)? {
            espalier_dynamo::Value::Bool(value) if value == equal => condition,
            espalier_dynamo::Value::Bool(_) => Condition::Not(Box::new(condition)),
            // Nothing of several is false, all of nothing is true.
            _ if equal => Condition::Or(Vec::new()),
            _ => Condition::And(Vec::new()),
        })
    }

    fn choice(self, value: Expr, list: Node) -> Result<Condition> {
        let (Node::List(choices) | Node::Bag(choices)) = list else { return Err(Error::InOperand) };
        if choices.is_empty() {
            return Err(Error::InOperand);
        }
        if choices.len() > CHOICES_MAX {
            return Err(Cause::TooManyChoices(choices.len()).into());
        }
        let value = self.operand(value)?;
        let choices = choices.into_iter().map(|choice| self.operand(choice)).collect::<Result<Vec<_>>>()?;
        check_distinct("IN", &value, &choices)?;
        Ok(Condition::In { value, choices })
    }

    fn operand(self, expr: Expr) -> Result<Operand> {
        match &expr.node {
            Node::Name(_) | Node::Path(..) => path(&expr).map(Operand::Path),
            Node::Missing => Err(Error::Missing),
            Node::Call(name, arguments) if name == "size" => {
                let [argument] = self.arguments("size", arguments.clone())?;
                match argument {
                    Operand::Path(path) => Ok(Operand::Size(path)),
                    Operand::Value(_) | Operand::Size(_) => Err(Cause::PathRequired("size").into()),
                }
            }
            Node::Call(name, _) => Err(unknown_or_misused(name, expr.at)),
            Node::Binary(operator, ..) => Err(Error::ConditionOperator(operator.symbol())),
            Node::Signed(operator, _) => Err(Cause::OperandCount { function: operator.symbol(), count: 1 }.into()),
            Node::Statement(_) => Err(Error::Token("SELECT", Some(expr.at))),
            _ => Ok(Operand::Value(Encoded::from(self.constant(&expr)?))),
        }
    }

    fn arguments<const COUNT: usize>(self, function: &'static str, list: Vec<Expr>) -> Result<[Operand; COUNT]> {
        let count = list.len();
        if count != COUNT {
            return Err(Cause::OperandCount { function, count }.into());
        }
        let operands = list.into_iter().map(|argument| self.operand(argument)).collect::<Result<Vec<_>>>()?;
        if let [first, second] = operands.as_slice() {
            check_distinct(function, first, [second])?;
        }
        operands.try_into().map_err(|_| Cause::OperandCount { function, count }.into())
    }

    fn call(self, name: String, arguments: Vec<Expr>, at: Span) -> Result<Condition> {
        match name.as_str() {
            "attribute_exists" => self.attribute("attribute_exists", arguments).map(Condition::AttributeExists),
            "attribute_not_exists" => {
                self.attribute("attribute_not_exists", arguments).map(Condition::AttributeNotExists)
            }
            "attribute_type" => {
                let [operand, kind] = self.arguments("attribute_type", arguments)?;
                let Operand::Path(path) = operand else { return Err(Cause::PathRequired("attribute_type").into()) };
                named_type(&kind).map(|kind| Condition::AttributeType(path, kind))
            }
            "begins_with" => {
                let [operand, prefix] = self.arguments("begins_with", arguments)?;
                let kinds = [known_type(&operand), known_type(&prefix)];
                match kinds.into_iter().flatten().find(|kind| !matches!(kind, Type::S | Type::B)) {
                    Some(kind) => Err(Cause::OperandType { operator: "begins_with", kind: kind.name() }.into()),
                    None => Ok(Condition::BeginsWith(operand, prefix)),
                }
            }
            "contains" => {
                let [operand, part] = self.arguments("contains", arguments)?;
                Ok(Condition::Contains(operand, part))
            }
            _ => Err(unknown_or_misused(&name, at)),
        }
    }

    fn attribute(self, function: &'static str, arguments: Vec<Expr>) -> Result<espalier_dynamo::Path> {
        match self.arguments(function, arguments)? {
            [Operand::Path(path)] => Ok(path),
            _ => Err(Cause::PathRequired(function).into()),
        }
    }
}

fn unknown_or_misused(name: &str, at: Span) -> Error {
    match name {
        "if_not_exists" => Cause::NotInCondition("if_not_exists").into(),
        "list_append" => Cause::NotInCondition("list_append").into(),
        "attribute_exists" => Cause::MisusedFunction("attribute_exists").into(),
        "attribute_not_exists" => Cause::MisusedFunction("attribute_not_exists").into(),
        "attribute_type" => Cause::MisusedFunction("attribute_type").into(),
        "begins_with" => Cause::MisusedFunction("begins_with").into(),
        "contains" => Cause::MisusedFunction("contains").into(),
        _ => Error::Function(name.to_owned(), at),
    }
}

fn is(value: &Expr, kind: &'static str, at: Span) -> Result<Condition> {
    if !matches!(value.node, Node::Name(_) | Node::Path(..)) {
        return Err(Error::IsOperand);
    }
    let path = path(value)?;
    let kind = match kind {
        "MISSING" => return Ok(Condition::AttributeNotExists(path)),
        "NULL" => Type::Null,
        "BOOLEAN" => Type::Bool,
        "BLOB" => Type::B,
        "STRING" => Type::S,
        "NUMERIC" => Type::N,
        "STRUCT" | "TUPLE" => Type::M,
        "LIST" => Type::L,
        other => return Err(Error::IsType(other.to_owned(), at)),
    };
    Ok(Condition::AttributeType(path, kind))
}

fn named_type(operand: &Operand) -> Result<Type> {
    let kind = match operand {
        Operand::Value(value) => match value.view() {
            ValueRef::S(name) => return Type::from_name(name).ok_or_else(|| Error::AttributeType(name.to_owned())),
            other => other.kind(),
        },
        Operand::Size(_) => Type::N,
        Operand::Path(_) => {
            return Err(Cause::OperandType { operator: "attribute_type", kind: ANY_TYPE }.into());
        }
    };
    Err(Cause::OperandType { operator: "attribute_type", kind: kind.name() }.into())
}

/// Every type, in the order in which DynamoDB lists them for an operand whose type is not known.
const ANY_TYPE: &str = "{NS,SS,L,BS,N,M,B,BOOL,NULL,S}";

fn mirrored(op: Comparator) -> Comparator {
    match op {
        Comparator::Less => Comparator::Greater,
        Comparator::LessOrEqual => Comparator::GreaterOrEqual,
        Comparator::Greater => Comparator::Less,
        Comparator::GreaterOrEqual => Comparator::LessOrEqual,
        same => same,
    }
}

fn known_type(operand: &Operand) -> Option<Type> {
    match operand {
        Operand::Path(_) => None,
        Operand::Value(value) => Some(value.view().kind()),
        Operand::Size(_) => Some(Type::N),
    }
}

fn check_ordered<'o>(operator: &'static str, operands: impl IntoIterator<Item = &'o Operand>) -> Result<()> {
    match operands.into_iter().filter_map(known_type).find(|kind| !matches!(kind, Type::S | Type::N | Type::B)) {
        Some(kind) => Err(Cause::OperandType { operator, kind: kind.name() }.into()),
        None => Ok(()),
    }
}

fn check_distinct<'o>(
    operator: &'static str,
    first: &Operand,
    others: impl IntoIterator<Item = &'o Operand>,
) -> Result<()> {
    match first {
        Operand::Path(path) if others.into_iter().any(|other| other == first) => {
            Err(Cause::NotDistinct { operator, path: path.clone() }.into())
        }
        _ => Ok(()),
    }
}

fn check_bounds(low: &Encoded, high: &Encoded) -> Result<()> {
    match compare(low.view(), high.view()) {
        None => Err(Cause::BetweenTypes { low: low.clone(), high: high.clone() }.into()),
        Some(std::cmp::Ordering::Greater) => Err(Cause::BetweenOrder { low: low.clone(), high: high.clone() }.into()),
        Some(_) => Ok(()),
    }
}
