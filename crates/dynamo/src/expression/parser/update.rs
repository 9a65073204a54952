//! `SET path = term, … REMOVE path, … ADD path :value, … DELETE path :value, …`

use super::{Parser, Result};
use crate::expression::error::{Cause, Clause};
use crate::expression::lexer::Kind;
use crate::expression::syntax::{Action, Operand, Term};

pub(in crate::expression) fn update(text: &str) -> Result<Vec<Action<'_>>> {
    let mut parser = Parser::new(text, Clause::Update)?;
    let mut actions = Vec::new();
    let mut seen = Vec::with_capacity(4);
    loop {
        let section = parser.kind();
        let Some(name) = section_name(section) else {
            if section == Kind::End && !actions.is_empty() {
                break;
            }
            return Err(parser.syntax_error());
        };
        parser.advance();
        parser.section(section, &mut actions)?;
        // Noted at the end of the section, so that faults inside of it come first.
        if seen.contains(&section) {
            parser.note(parser.current.start, || Cause::RepeatedSection(name));
        }
        seen.push(section);
    }
    parser.finish()?;
    parser.check_operators()?;
    Ok(actions)
}

fn section_name(kind: Kind) -> Option<&'static str> {
    Some(match kind {
        Kind::Set => "SET",
        Kind::Remove => "REMOVE",
        Kind::Add => "ADD",
        Kind::Delete => "DELETE",
        _ => return None,
    })
}

impl<'t> Parser<'t> {
    fn section(&mut self, section: Kind, actions: &mut Vec<Action<'t>>) -> Result<()> {
        loop {
            let path = self.path()?;
            actions.push(match section {
                Kind::Set => {
                    self.expect(Kind::Equal)?;
                    Action::Set(path, self.term()?)
                }
                Kind::Remove => Action::Remove(path),
                Kind::Add => Action::Add(path, self.value()?),
                _ => Action::Delete(path, self.value()?),
            });
            if self.kind() != Kind::Comma {
                return Ok(());
            }
            self.advance();
        }
    }

    fn value(&mut self) -> Result<&'t str> {
        let token = self.expect(Kind::Value)?;
        Ok(self.slice(token))
    }

    /// An operand, or a sum or difference of two; parentheses may stand around each operand and around the whole.
    fn term(&mut self) -> Result<Term<'t>> {
        let mut open = 0;
        while self.kind() == Kind::Open {
            self.advance();
            open += 1;
        }
        let left = self.bare_operand()?;
        let mut closed = 0;
        while closed < open && self.kind() == Kind::Close {
            self.advance();
            closed += 1;
        }
        let sign = self.kind();
        if closed < open && !matches!(sign, Kind::Plus | Kind::Minus) {
            return Err(self.syntax_error());
        }
        self.refuse_redundant(closed > 1)?;
        if !matches!(sign, Kind::Plus | Kind::Minus) {
            return Ok(Term::Operand(left));
        }
        self.operators += 1;
        self.check_argument(&left);
        self.advance();
        let right = self.summand()?;
        for _ in closed..open {
            self.expect(Kind::Close)?;
        }
        self.refuse_redundant(open - closed > 1)?;
        Ok(if sign == Kind::Plus { Term::Plus(left, right) } else { Term::Minus(left, right) })
    }

    fn summand(&mut self) -> Result<Operand<'t>> {
        let operand = self.operand()?;
        self.check_argument(&operand);
        Ok(operand)
    }
}
