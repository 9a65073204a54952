//! From text to a [`super::syntax`] tree.
//!
//! Errors come in DynamoDB's order. First, the first token that cannot continue any expression, or that closes
//! redundant parentheses. Then the first of those faults that a name alone shows (reserved words, unknown or
//! misplaced functions). What needs the names' meaning is left to [`super::bind`].

mod condition;
mod projection;
mod update;

use super::error::{Cause, Clause};
use super::lexer::{self, Kind, Token};
use super::reserved::is_reserved;
use super::syntax::{Call, Function, Name, Operand, Path, Step};

pub(super) use condition::condition;
pub(super) use projection::projection;
pub(super) use update::update;

/// The longest expression, in bytes.
const TEXT_MAX: usize = 4096;
/// The most operators and functions in one expression.
const OPERATORS_MAX: usize = 300;

type Result<T> = std::result::Result<T, Cause>;

struct Parser<'t> {
    text: &'t str,
    clause: Clause,
    /// The token before `current`.
    previous: Option<Token>,
    current: Token,
    operators: usize,
    /// How many calls the current token is inside of.
    calls: usize,
    /// The first fault that is not about syntax, with its position.
    fault: Option<(usize, Cause)>,
}

impl<'t> Parser<'t> {
    fn new(text: &'t str, clause: Clause) -> Result<Self> {
        if text.is_empty() {
            return Err(Cause::Empty);
        }
        if text.len() > TEXT_MAX {
            return Err(Cause::TooLong(text.len()));
        }
        Ok(Self { text, clause, previous: None, current: lexer::token(text, 0), operators: 0, calls: 0, fault: None })
    }

    fn refuse_redundant(&self, redundant: bool) -> Result<()> {
        if redundant { Err(Cause::RedundantParentheses) } else { Ok(()) }
    }

    /// Reports what was noted on the way through a text that follows the grammar.
    fn finish(&mut self) -> Result<()> {
        match self.fault.take() {
            Some((_, cause)) => Err(cause),
            None => Ok(()),
        }
    }

    /// Bounds the tree, so that everything after parsing may recurse.
    fn check_operators(&self) -> Result<()> {
        if self.operators > OPERATORS_MAX { Err(Cause::TooManyOperators(OPERATORS_MAX + 1)) } else { Ok(()) }
    }

    fn kind(&self) -> Kind {
        self.current.kind
    }

    fn advance(&mut self) -> Token {
        let token = self.current;
        self.previous = Some(token);
        self.current = lexer::token(self.text, token.end);
        token
    }

    fn expect(&mut self, kind: Kind) -> Result<Token> {
        if self.kind() == kind { Ok(self.advance()) } else { Err(self.syntax_error()) }
    }

    fn slice(&self, token: Token) -> &'t str {
        &self.text[token.start..token.end]
    }

    /// The current token does not fit. `near` runs from the token before it to the token after it.
    fn syntax_error(&self) -> Cause {
        let start = self.previous.map_or(0, |token| token.start);
        let next = lexer::token(self.text, self.current.end);
        let token = if self.kind() == Kind::End { "<EOF>" } else { self.slice(self.current) };
        Cause::Syntax { token: token.to_owned(), near: self.text[start..next.end].to_owned() }
    }

    /// Notes a fault unless an earlier part of the text has one.
    fn note(&mut self, position: usize, cause: impl FnOnce() -> Cause) {
        if self.fault.as_ref().is_none_or(|(earlier, _)| position < *earlier) {
            self.fault = Some((position, cause()));
        }
    }

    fn name(&mut self) -> Result<Name<'t>> {
        match self.kind() {
            Kind::Name => {
                let token = self.advance();
                let name = self.slice(token);
                if is_reserved(name) {
                    self.note(token.start, || Cause::ReservedWord(name.to_owned()));
                }
                Ok(Name::Plain(name))
            }
            Kind::Alias => {
                let token = self.advance();
                Ok(Name::Alias(self.slice(token)))
            }
            _ => Err(self.syntax_error()),
        }
    }

    fn path(&mut self) -> Result<Path<'t>> {
        let head = self.name()?;
        let mut steps = Vec::new();
        loop {
            match self.kind() {
                Kind::Dot => {
                    self.advance();
                    steps.push(Step::Name(self.name()?));
                }
                Kind::OpenBracket => {
                    self.advance();
                    steps.push(Step::Index(self.index()?));
                    self.expect(Kind::CloseBracket)?;
                }
                _ => return Ok(Path { head, steps }),
            }
        }
    }

    fn index(&mut self) -> Result<usize> {
        let token = self.expect(Kind::Integer)?;
        let text = self.slice(token);
        match text.parse::<i32>() {
            Ok(index) => Ok(index as usize),
            Err(_) => {
                self.note(token.start, || Cause::IndexRange(text.to_owned()));
                Ok(0)
            }
        }
    }

    /// An operand that may stand in parentheses.
    fn operand(&mut self) -> Result<Operand<'t>> {
        let mut open = 0;
        while self.kind() == Kind::Open {
            self.advance();
            open += 1;
        }
        let operand = self.bare_operand()?;
        for closed in 0..open {
            self.expect(Kind::Close)?;
            self.refuse_redundant(closed > 0)?;
        }
        Ok(operand)
    }

    fn bare_operand(&mut self) -> Result<Operand<'t>> {
        match self.kind() {
            Kind::Value => {
                let token = self.advance();
                Ok(Operand::Value(self.slice(token)))
            }
            Kind::Name if lexer::token(self.text, self.current.end).kind == Kind::Open => {
                self.call().map(Operand::Call)
            }
            _ => self.path().map(Operand::Path),
        }
    }

    fn call(&mut self) -> Result<Call<'t>> {
        let token = self.advance();
        let name = self.slice(token);
        self.operators += 1;
        self.calls += 1;
        if self.calls > OPERATORS_MAX {
            return Err(Cause::TooManyOperators(OPERATORS_MAX + 1));
        }
        let function = Function::from_name(name);
        match function {
            None => self.note(token.start, || Cause::UnknownFunction(name.to_owned())),
            Some(function) => self.check_clause(function, token.start),
        }
        self.expect(Kind::Open)?;
        let mut arguments = Vec::with_capacity(2);
        loop {
            let argument = self.operand()?;
            self.check_argument(&argument);
            arguments.push(argument);
            if self.kind() != Kind::Comma {
                break;
            }
            self.advance();
        }
        self.expect(Kind::Close)?;
        self.calls -= 1;
        Ok(Call { function, start: token.start, arguments })
    }

    fn check_clause(&mut self, function: Function, position: usize) {
        let in_update = self.clause == Clause::Update;
        if function.belongs_to_updates() && !in_update {
            self.note(position, || Cause::NotInCondition(function.name()));
        } else if !function.belongs_to_updates() && in_update {
            self.note(position, || Cause::NotInUpdate(function.name()));
        }
    }

    /// Of all functions, only `size` and `if_not_exists` have a result that other operators can take.
    fn check_argument(&mut self, operand: &Operand<'t>) {
        if let Operand::Call(Call { function: Some(function), start, .. }) = operand
            && !matches!(function, Function::Size | Function::IfNotExists)
        {
            let function = *function;
            self.note(*start, || Cause::MisusedFunction(function.name()));
        }
    }
}
