//! Conditions: OR over AND over NOT over comparisons, with parentheses around conditions and around operands.
//!
//! Only the closing parenthesis tells `(a) = :v` from `(a = :v)`, and 4 KB of opening ones must not exhaust the
//! stack. So pending operators wait on a stack of their own and nothing here recurses, except calls inside of
//! calls, which the base parser bounds.

use super::{Parser, Result};
use crate::expression::condition::Comparator;
use crate::expression::error::{Cause, Clause};
use crate::expression::lexer::Kind;
use crate::expression::syntax::{Condition, Function, Operand};

pub(in crate::expression) fn condition(text: &str, clause: Clause) -> Result<Condition<'_>> {
    let mut parser = Parser::new(text, clause)?;
    let condition = parser.condition()?;
    parser.finish()?;
    parser.check_operators()?;
    Ok(condition)
}

/// What waits for its right-hand side, or for its closing parenthesis.
enum Pending<'t> {
    Not,
    And(Vec<Condition<'t>>),
    Or(Vec<Condition<'t>>),
    Open,
}

/// What was read last, and how many parentheses stand directly around it. Too many around an operand are only
/// reported when it turns out to be one: what follows may not even fit.
enum Read<'t> {
    Operand { operand: Operand<'t>, parentheses: usize },
    Condition { condition: Condition<'t>, wrapped: bool },
}

impl<'t> Parser<'t> {
    fn condition(&mut self) -> Result<Condition<'t>> {
        let mut pending = Vec::new();
        let mut read = self.primary(&mut pending)?;
        loop {
            read = match read {
                Read::Operand { operand, parentheses } => self.after_operand(operand, parentheses, &mut pending)?,
                Read::Condition { condition, wrapped } => {
                    let (condition, wrapped) = negate(condition, wrapped, &mut pending);
                    match self.kind() {
                        Kind::And => self.conjunction(condition, &mut pending)?,
                        Kind::Or => self.disjunction(condition, &mut pending)?,
                        Kind::Close => self.close(condition, wrapped, &mut pending)?,
                        Kind::End => {
                            let condition = fold(condition, &mut pending);
                            return if pending.is_empty() { Ok(condition) } else { Err(self.syntax_error()) };
                        }
                        _ => return Err(self.syntax_error()),
                    }
                }
            };
        }
    }

    /// Any number of NOT and opening parentheses, then an operand.
    fn primary(&mut self, pending: &mut Vec<Pending<'t>>) -> Result<Read<'t>> {
        loop {
            match self.kind() {
                Kind::Not => {
                    self.operators += 1;
                    pending.push(Pending::Not);
                }
                Kind::Open => pending.push(Pending::Open),
                _ => return Ok(Read::Operand { operand: self.bare_operand()?, parentheses: 0 }),
            }
            self.advance();
        }
    }

    fn after_operand(
        &mut self,
        operand: Operand<'t>,
        parentheses: usize,
        pending: &mut Vec<Pending<'t>>,
    ) -> Result<Read<'t>> {
        if let Some(op) = comparator(self.kind()) {
            self.operator(&operand, parentheses)?;
            let right = self.checked_operand()?;
            return Ok(unwrapped(Condition::Compare { op, left: operand, right }));
        }
        match self.kind() {
            Kind::Between => {
                self.operator(&operand, parentheses)?;
                let low = self.checked_operand()?;
                self.expect(Kind::And)?;
                let high = self.checked_operand()?;
                Ok(unwrapped(Condition::Between { value: operand, low, high }))
            }
            Kind::In => {
                self.operator(&operand, parentheses)?;
                Ok(unwrapped(Condition::In { value: operand, choices: self.choices()? }))
            }
            Kind::Close if matches!(pending.last(), Some(Pending::Open)) => {
                pending.pop();
                self.advance();
                Ok(Read::Operand { operand, parentheses: parentheses + 1 })
            }
            _ => match operand {
                Operand::Call(call) => {
                    self.refuse_redundant(parentheses > 1)?;
                    if call.function == Some(Function::Size) {
                        self.note(call.start, || Cause::MisusedFunction(Function::Size.name()));
                    }
                    Ok(Read::Condition { condition: Condition::Call(call), wrapped: parentheses > 0 })
                }
                _ => Err(self.syntax_error()),
            },
        }
    }

    /// Steps over an operator whose left operand was just read.
    fn operator(&mut self, left: &Operand<'t>, parentheses: usize) -> Result<()> {
        self.refuse_redundant(parentheses > 1)?;
        self.operators += 1;
        self.check_argument(left);
        self.advance();
        Ok(())
    }

    fn checked_operand(&mut self) -> Result<Operand<'t>> {
        let operand = self.operand()?;
        self.check_argument(&operand);
        Ok(operand)
    }

    fn choices(&mut self) -> Result<Vec<Operand<'t>>> {
        self.expect(Kind::Open)?;
        let mut choices = vec![self.checked_operand()?];
        while self.kind() == Kind::Comma {
            self.advance();
            choices.push(self.checked_operand()?);
        }
        self.expect(Kind::Close)?;
        Ok(choices)
    }

    fn conjunction(&mut self, condition: Condition<'t>, pending: &mut Vec<Pending<'t>>) -> Result<Read<'t>> {
        self.operators += 1;
        self.advance();
        match pending.last_mut() {
            Some(Pending::And(list)) => list.push(condition),
            _ => pending.push(Pending::And(vec![condition])),
        }
        self.primary(pending)
    }

    fn disjunction(&mut self, condition: Condition<'t>, pending: &mut Vec<Pending<'t>>) -> Result<Read<'t>> {
        self.operators += 1;
        self.advance();
        let condition = fold_and(condition, pending);
        match pending.last_mut() {
            Some(Pending::Or(list)) => list.push(condition),
            _ => pending.push(Pending::Or(vec![condition])),
        }
        self.primary(pending)
    }

    fn close(&mut self, condition: Condition<'t>, wrapped: bool, pending: &mut Vec<Pending<'t>>) -> Result<Read<'t>> {
        let alone = matches!(pending.last(), Some(Pending::Open));
        let condition = fold(condition, pending);
        match pending.pop() {
            Some(Pending::Open) => {}
            _ => return Err(self.syntax_error()),
        }
        self.advance();
        self.refuse_redundant(wrapped && alone)?;
        Ok(Read::Condition { condition, wrapped: true })
    }
}

fn unwrapped(condition: Condition<'_>) -> Read<'_> {
    Read::Condition { condition, wrapped: false }
}

fn negate<'t>(
    mut condition: Condition<'t>,
    mut wrapped: bool,
    pending: &mut Vec<Pending<'t>>,
) -> (Condition<'t>, bool) {
    while matches!(pending.last(), Some(Pending::Not)) {
        pending.pop();
        condition = Condition::Not(Box::new(condition));
        wrapped = false;
    }
    (condition, wrapped)
}

fn fold_and<'t>(condition: Condition<'t>, pending: &mut Vec<Pending<'t>>) -> Condition<'t> {
    match pending.pop() {
        Some(Pending::And(mut list)) => {
            list.push(condition);
            Condition::And(list)
        }
        other => {
            pending.extend(other);
            condition
        }
    }
}

fn fold<'t>(condition: Condition<'t>, pending: &mut Vec<Pending<'t>>) -> Condition<'t> {
    let condition = fold_and(condition, pending);
    match pending.pop() {
        Some(Pending::Or(mut list)) => {
            list.push(condition);
            Condition::Or(list)
        }
        other => {
            pending.extend(other);
            condition
        }
    }
}

fn comparator(kind: Kind) -> Option<Comparator> {
    Some(match kind {
        Kind::Equal => Comparator::Equal,
        Kind::NotEqual => Comparator::NotEqual,
        Kind::Less => Comparator::Less,
        Kind::LessOrEqual => Comparator::LessOrEqual,
        Kind::Greater => Comparator::Greater,
        Kind::GreaterOrEqual => Comparator::GreaterOrEqual,
        _ => return None,
    })
}
