//! Updates: first all the paths that are written, then the values, both from the last action to the first, which
//! is the order in which DynamoDB complains.

use super::Bindings;
use crate::expression::error::{Cause, long_name};
use crate::expression::syntax::{self, Call, Function};
use crate::expression::update::{Action, Term, Update};
use crate::item::Encoded;
use crate::path::Path;
use crate::value::Type;

type Result<T> = std::result::Result<T, Cause>;

impl<'r> Bindings<'r> {
    pub(super) fn bind_update(&mut self, actions: Vec<syntax::Action<'r>>) -> Result<Update> {
        let paths = self.disjoint_paths(actions.iter().map(|action| match action {
            syntax::Action::Set(path, _)
            | syntax::Action::Remove(path)
            | syntax::Action::Add(path, _)
            | syntax::Action::Delete(path, _) => path,
        }))?;
        let mut bound = Vec::with_capacity(actions.len());
        for (action, path) in actions.into_iter().zip(paths).rev() {
            bound.push(self.action(action, path)?);
        }
        bound.reverse();
        Ok(Update::from_disjoint(bound))
    }

    fn action(&mut self, action: syntax::Action<'r>, path: Path) -> Result<Action> {
        Ok(match action {
            syntax::Action::Set(_, term) => Action::Set(path, self.term(term)?),
            syntax::Action::Remove(_) => Action::Remove(path),
            syntax::Action::Add(_, value) => {
                let value = self.value(value)?;
                check_action("ADD", &value, value.view().kind() == Type::N)?;
                Action::Add(path, value)
            }
            syntax::Action::Delete(_, value) => {
                let value = self.value(value)?;
                check_action("DELETE", &value, false)?;
                Action::Delete(path, value)
            }
        })
    }

    fn term(&mut self, term: syntax::Term<'r>) -> Result<Term> {
        match term {
            syntax::Term::Operand(operand) => self.term_operand(operand),
            syntax::Term::Plus(left, right) => {
                let (left, right) = self.summands("+", left, right)?;
                Ok(Term::Plus(left, right))
            }
            syntax::Term::Minus(left, right) => {
                let (left, right) = self.summands("-", left, right)?;
                Ok(Term::Minus(left, right))
            }
        }
    }

    fn summands(
        &mut self,
        operator: &'static str,
        left: syntax::Operand<'r>,
        right: syntax::Operand<'r>,
    ) -> Result<(Box<Term>, Box<Term>)> {
        let (left, right) = (self.term_operand(left)?, self.term_operand(right)?);
        check_constants(operator, Type::N, [&left, &right])?;
        Ok((Box::new(left), Box::new(right)))
    }

    fn term_operand(&mut self, operand: syntax::Operand<'r>) -> Result<Term> {
        match operand {
            syntax::Operand::Path(path) => Ok(Term::Path(self.path(&path)?)),
            syntax::Operand::Value(value) => Ok(Term::Value(self.value(value)?)),
            syntax::Operand::Call(call) => self.term_call(call),
        }
    }

    fn term_call(&mut self, call: Call<'r>) -> Result<Term> {
        let function = call.function.expect("the parser reports unknown functions");
        let operands =
            call.arguments.into_iter().map(|operand| self.term_operand(operand)).collect::<Result<Vec<_>>>()?;
        let count = operands.len();
        let [first, second] =
            <[Term; 2]>::try_from(operands).map_err(|_| Cause::OperandCount { function: function.name(), count })?;
        if function == Function::ListAppend {
            check_constants(function.name(), Type::L, [&first, &second])?;
            return Ok(Term::ListAppend(Box::new(first), Box::new(second)));
        }
        match first {
            Term::Path(path) => Ok(Term::IfNotExists(path, Box::new(second))),
            _ => Err(Cause::PathRequired(function.name())),
        }
    }
}

fn check_constants(operator: &'static str, kind: Type, terms: [&Term; 2]) -> Result<()> {
    for term in terms {
        if let Term::Value(value) = term
            && value.view().kind() != kind
        {
            return Err(Cause::OperandType { operator, kind: value.view().kind().name() });
        }
    }
    Ok(())
}

fn check_action(action: &'static str, value: &Encoded, allowed: bool) -> Result<()> {
    let kind = value.view().kind();
    if allowed || matches!(kind, Type::Ss | Type::Ns | Type::Bs) {
        return Ok(());
    }
    Err(Cause::ActionType { action, kind: long_name(kind) })
}
