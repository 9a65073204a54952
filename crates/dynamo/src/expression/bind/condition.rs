//! Conditions: each operator and function checks what it was given, operands first, from left to right.

use super::Bindings;
use crate::expression::condition::{Comparator, Condition, Operand, size};
use crate::expression::error::Cause;
use crate::expression::syntax::{self, Call, Function};
use crate::item::{Encoded, ValueRef, compare};
use crate::value::Type;

/// The most choices of one IN.
const CHOICES_MAX: usize = 100;
/// Every type, in the order in which DynamoDB lists them for an operand whose type is not known.
const ANY_TYPE: &str = "{NS,SS,L,BS,N,M,B,BOOL,NULL,S}";

type Result<T> = std::result::Result<T, Cause>;

impl<'r> Bindings<'r> {
    pub(super) fn bind_condition(&mut self, tree: syntax::Condition<'r>) -> Result<Condition> {
        match tree {
            syntax::Condition::And(list) => self.bind_all(list).map(Condition::And),
            syntax::Condition::Or(list) => self.bind_all(list).map(Condition::Or),
            syntax::Condition::Not(inner) => Ok(Condition::Not(Box::new(self.bind_condition(*inner)?))),
            syntax::Condition::Compare { op, left, right } => self.compare(op, left, right),
            syntax::Condition::Between { value, low, high } => self.between(value, low, high),
            syntax::Condition::In { value, choices } => self.choice(value, choices),
            syntax::Condition::Call(call) => self.test(call),
        }
    }

    fn bind_all(&mut self, list: Vec<syntax::Condition<'r>>) -> Result<Vec<Condition>> {
        list.into_iter().map(|condition| self.bind_condition(condition)).collect()
    }

    fn compare(&mut self, op: Comparator, left: syntax::Operand<'r>, right: syntax::Operand<'r>) -> Result<Condition> {
        let (left, right) = (self.operand(left)?, self.operand(right)?);
        check_distinct(op.symbol(), &left, [&right])?;
        if !matches!(op, Comparator::Equal | Comparator::NotEqual) {
            check_ordered(op.symbol(), [&left, &right])?;
        }
        Ok(Condition::Compare { left, op, right })
    }

    fn between(
        &mut self,
        value: syntax::Operand<'r>,
        low: syntax::Operand<'r>,
        high: syntax::Operand<'r>,
    ) -> Result<Condition> {
        let (value, low, high) = (self.operand(value)?, self.operand(low)?, self.operand(high)?);
        check_ordered("BETWEEN", [&value, &low, &high])?;
        check_distinct("BETWEEN", &value, [&low, &high])?;
        if let (Operand::Value(low), Operand::Value(high)) = (&low, &high) {
            check_bounds(low, high)?;
        }
        Ok(Condition::Between { value, low, high })
    }

    fn choice(&mut self, value: syntax::Operand<'r>, choices: Vec<syntax::Operand<'r>>) -> Result<Condition> {
        let value = self.operand(value)?;
        let choices = self.operands(choices)?;
        if choices.len() > CHOICES_MAX {
            return Err(Cause::TooManyChoices(choices.len()));
        }
        check_distinct("IN", &value, &choices)?;
        Ok(Condition::In { value, choices })
    }

    fn operands(&mut self, list: Vec<syntax::Operand<'r>>) -> Result<Vec<Operand>> {
        list.into_iter().map(|operand| self.operand(operand)).collect()
    }

    fn operand(&mut self, operand: syntax::Operand<'r>) -> Result<Operand> {
        match operand {
            syntax::Operand::Path(path) => Ok(Operand::Path(self.path(&path)?)),
            syntax::Operand::Value(value) => Ok(Operand::Value(self.value(value)?)),
            syntax::Operand::Call(call) => self.size(call),
        }
    }

    /// The parser has seen to it that no other function is an operand.
    fn size(&mut self, call: Call<'r>) -> Result<Operand> {
        let [operand] = self.arguments(Function::Size, call)?;
        match operand {
            Operand::Path(path) => Ok(Operand::Size(path)),
            Operand::Value(value) => match size(value.view()) {
                Some(size) => Ok(Operand::Value(size)),
                None => Err(operand_type("size", value.view().kind())),
            },
            Operand::Size(_) => Err(operand_type("size", Type::N)),
        }
    }

    fn arguments<const COUNT: usize>(&mut self, function: Function, call: Call<'r>) -> Result<[Operand; COUNT]> {
        let operands = self.operands(call.arguments)?;
        let count = operands.len();
        let wrong = Cause::OperandCount { function: function.name(), count };
        if count != function.operand_count() {
            return Err(wrong);
        }
        if let [first, second] = operands.as_slice() {
            check_distinct(function.name(), first, [second])?;
        }
        operands.try_into().map_err(|_| wrong)
    }

    fn test(&mut self, call: Call<'r>) -> Result<Condition> {
        let function = call.function.expect("the parser reports unknown functions");
        match function {
            Function::AttributeExists | Function::AttributeNotExists => {
                let [operand] = self.arguments(function, call)?;
                match (function, operand) {
                    (Function::AttributeExists, Operand::Path(path)) => Ok(Condition::AttributeExists(path)),
                    (_, Operand::Path(path)) => Ok(Condition::AttributeNotExists(path)),
                    _ => Err(Cause::PathRequired(function.name())),
                }
            }
            Function::AttributeType => {
                let [operand, kind] = self.arguments(function, call)?;
                Ok(attribute_type(operand, named_type(&kind)?))
            }
            Function::BeginsWith => {
                let [operand, prefix] = self.arguments(function, call)?;
                for kind in [known_type(&operand), known_type(&prefix)].into_iter().flatten() {
                    if !matches!(kind, Type::S | Type::B) {
                        return Err(operand_type(function.name(), kind));
                    }
                }
                Ok(Condition::BeginsWith(operand, prefix))
            }
            Function::Contains => {
                let [operand, part] = self.arguments(function, call)?;
                Ok(Condition::Contains(operand, part))
            }
            Function::Size | Function::IfNotExists | Function::ListAppend => {
                unreachable!("the parser reports functions that are no conditions")
            }
        }
    }
}

fn named_type(operand: &Operand) -> Result<Type> {
    let function = Function::AttributeType.name();
    match operand {
        Operand::Value(value) => match value.view() {
            ValueRef::S(name) => Type::from_name(name).ok_or_else(|| Cause::TypeName(name.to_owned())),
            other => Err(operand_type(function, other.kind())),
        },
        Operand::Size(_) => Err(operand_type(function, Type::N)),
        Operand::Path(_) => Err(Cause::OperandType { operator: function, kind: ANY_TYPE }),
    }
}

/// Asking for the type of something else than an attribute is pointless but allowed; the answer is known now.
fn attribute_type(operand: Operand, kind: Type) -> Condition {
    let known = match operand {
        Operand::Path(path) => return Condition::AttributeType(path, kind),
        Operand::Value(value) => (value.view().kind() == kind, Operand::Value(value)),
        Operand::Size(path) => (kind == Type::N, Operand::Size(path)),
    };
    let (holds, operand) = known;
    let same = Condition::Compare { left: operand.clone(), op: Comparator::Equal, right: operand };
    if holds { same } else { Condition::And(vec![same.clone(), Condition::Not(Box::new(same))]) }
}

fn known_type(operand: &Operand) -> Option<Type> {
    match operand {
        Operand::Path(_) => None,
        Operand::Value(value) => Some(value.view().kind()),
        Operand::Size(_) => Some(Type::N),
    }
}

fn operand_type(operator: &'static str, kind: Type) -> Cause {
    Cause::OperandType { operator, kind: kind.name() }
}

fn check_distinct<'o>(
    operator: &'static str,
    first: &Operand,
    others: impl IntoIterator<Item = &'o Operand>,
) -> Result<()> {
    if let Operand::Path(path) = first
        && others.into_iter().any(|other| matches!(other, Operand::Path(other) if other == path))
    {
        return Err(Cause::NotDistinct { operator, path: path.clone() });
    }
    Ok(())
}

fn check_ordered<'o>(operator: &'static str, operands: impl IntoIterator<Item = &'o Operand>) -> Result<()> {
    match operands.into_iter().filter_map(known_type).find(|kind| !matches!(kind, Type::S | Type::N | Type::B)) {
        Some(kind) => Err(operand_type(operator, kind)),
        None => Ok(()),
    }
}

fn check_bounds(low: &Encoded, high: &Encoded) -> Result<()> {
    match compare(low.view(), high.view()) {
        None => Err(Cause::BetweenTypes { low: low.clone(), high: high.clone() }),
        Some(std::cmp::Ordering::Greater) => Err(Cause::BetweenOrder { low: low.clone(), high: high.clone() }),
        Some(_) => Ok(()),
    }
}
