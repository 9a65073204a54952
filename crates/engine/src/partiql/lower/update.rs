//! Updates: SET and REMOVE become the actions that update expressions become.

use espalier_dynamo::Path;
use espalier_dynamo::expression::{Action, Cause, Term};
use espalier_dynamo::item::Encoded;
use espalier_dynamo::value::Type;

use super::Parameters;
use super::path::path;
use crate::partiql::error::Error;
use crate::partiql::lexer::Span;
use crate::partiql::syntax::{Change, Expr, Node, Operator};

type Result<T> = std::result::Result<T, Error>;

impl Parameters<'_> {
    /// The action that a change is.
    pub(super) fn action(self, change: Change) -> Result<Action> {
        let (target, value) = match change {
            Change::Remove(target) => return path(&target).map(Action::Remove),
            Change::Set(target, value) => (path(&target)?, value),
        };
        match &value.node {
            Node::Call(name, arguments) if name == "set_add" => {
                self.set_operand("ADD", &target, arguments, value.at).map(|set| Action::Add(target, set))
            }
            Node::Call(name, arguments) if name == "set_delete" => {
                self.set_operand("DELETE", &target, arguments, value.at).map(|set| Action::Delete(target, set))
            }
            _ => Ok(Action::Set(target, self.term(&value)?)),
        }
    }

    /// The set of `SET a = set_add(a, set)`.
    fn set_operand(self, name: &'static str, target: &Path, arguments: &[Expr], at: Span) -> Result<Encoded> {
        let [first, second] = arguments else { return Err(Error::SetArguments(name, at)) };
        let same = matches!(first.node, Node::Name(_) | Node::Path(..)) && path(first)? == *target;
        if !same {
            return Err(Error::SetTarget(name, at));
        }
        let operand = Error::SetOperand(name, first.at);
        if !matches!(second.node, Node::Bag(_) | Node::Parameter(_)) {
            return Err(operand);
        }
        let set = Encoded::from(self.constant(second)?);
        match set.view().kind() {
            Type::Ss | Type::Ns | Type::Bs => Ok(set),
            _ => Err(operand),
        }
    }

    fn term(self, expr: &Expr) -> Result<Term> {
        match &expr.node {
            Node::Name(_) | Node::Path(..) => path(expr).map(Term::Path),
            Node::Missing => Err(Error::Missing),
            Node::Binary(operator @ (Operator::Plus | Operator::Minus), left, right) => {
                let (left, right) = (self.term(left)?, self.term(right)?);
                check_constants(operator.symbol(), Type::N, [&left, &right])?;
                let (left, right) = (Box::new(left), Box::new(right));
                Ok(if *operator == Operator::Plus { Term::Plus(left, right) } else { Term::Minus(left, right) })
            }
            Node::Binary(operator, ..) => Err(Error::UpdateOperator(operator.symbol())),
            Node::Signed(operator, _) => Err(Cause::OperandCount { function: operator.symbol(), count: 1 }.into()),
            Node::And(_) => Err(Error::UpdateOperator("and")),
            Node::Or(_) => Err(Error::UpdateOperator("or")),
            Node::Not(_) => Err(Error::UpdateOperator("not")),
            Node::Between(..) => Err(Error::UpdateOperator("between")),
            Node::In(..) => Err(Error::UpdateOperator("in")),
            Node::Is(..) => Err(Error::IsInUpdate),
            Node::Call(name, arguments) => self.term_call(name, arguments, expr.at),
            Node::Statement(_) => Err(Error::Token("SELECT", Some(expr.at))),
            _ => Ok(Term::Value(Encoded::from(self.constant(expr)?))),
        }
    }

    fn term_call(self, name: &str, arguments: &[Expr], at: Span) -> Result<Term> {
        let function = match name {
            "list_append" => "list_append",
            "if_not_exists" => "if_not_exists",
            "attribute_exists" => return Err(Cause::NotInUpdate("attribute_exists").into()),
            "attribute_not_exists" => return Err(Cause::NotInUpdate("attribute_not_exists").into()),
            "attribute_type" => return Err(Cause::NotInUpdate("attribute_type").into()),
            "begins_with" => return Err(Cause::NotInUpdate("begins_with").into()),
            "contains" => return Err(Cause::NotInUpdate("contains").into()),
            "size" => return Err(Cause::NotInUpdate("size").into()),
            _ => return Err(Error::Function(name.to_owned(), at)),
        };
        let [first, second] = arguments else {
            return Err(Cause::OperandCount { function, count: arguments.len() }.into());
        };
        let (first, second) = (self.term(first)?, self.term(second)?);
        if function == "list_append" {
            check_constants(function, Type::L, [&first, &second])?;
            return Ok(Term::ListAppend(Box::new(first), Box::new(second)));
        }
        match first {
            Term::Path(path) => Ok(Term::IfNotExists(path, Box::new(second))),
            _ => Err(Cause::PathRequired(function).into()),
        }
    }
}

fn check_constants(operator: &'static str, kind: Type, terms: [&Term; 2]) -> Result<()> {
    let wrong = terms.into_iter().find_map(|term| match term {
        Term::Value(value) => Some(value.view().kind()).filter(|found| *found != kind),
        _ => None,
    });
    match wrong {
        Some(found) => Err(Cause::OperandType { operator, kind: found.name() }.into()),
        None => Ok(()),
    }
}
