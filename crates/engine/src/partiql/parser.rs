//! From tokens to a tree.
//!
//! Amazon's parser treats statements as terms of expressions: `SLECT * FROM t` is a product whose right side is a
//! FROM without an operation. Following that grammar is what makes the sentences about syntax come out the same.

mod expression;
mod statement;
#[cfg(test)]
mod tests;

use super::error::Malformed;
use super::lexer::{Kind, Span, Token, tokens};
use super::syntax::Expr;

/// How deep expressions may nest: far beyond use, and far from the end of any stack.
const DEPTH_MAX: usize = 100;

type Result<T> = std::result::Result<T, Malformed>;

/// Parses one statement.
pub fn parse(text: &str) -> Result<Expr> {
    let mut parser = Parser { tokens: tokens(text)?, next: 0, depth: 0 };
    let expr = parser.expression(expression::LOWEST)?;
    match parser.peek() {
        Kind::End => Ok(expr),
        Kind::Sign(";") if *parser.peek_second() == Kind::End => Ok(expr),
        Kind::Sign(";") => Err(Malformed::SecondStatement),
        _ => Err(Malformed::Leftover),
    }
}

struct Parser {
    /// Never empty: the last one is the end.
    tokens: Vec<Token>,
    next: usize,
    depth: usize,
}

impl Parser {
    fn peek(&self) -> &Kind {
        &self.tokens[self.next].kind
    }

    fn peek_second(&self) -> &Kind {
        let last = self.tokens.len() - 1;
        &self.tokens[(self.next + 1).min(last)].kind
    }

    fn at(&self) -> Span {
        self.tokens[self.next].at
    }

    fn advance(&mut self) {
        if self.next + 1 < self.tokens.len() {
            self.next += 1;
        }
    }

    fn is_sign(&self, sign: &str) -> bool {
        matches!(self.peek(), Kind::Sign(known) if *known == sign)
    }

    fn is_keyword(&self, keyword: &str) -> bool {
        matches!(self.peek(), Kind::Keyword(known) if known == keyword)
    }

    fn is_keyword_second(&self, keyword: &str) -> bool {
        matches!(self.peek_second(), Kind::Keyword(known) if known == keyword)
    }

    fn accept_sign(&mut self, sign: &str) -> bool {
        let found = self.is_sign(sign);
        if found {
            self.advance();
        }
        found
    }

    fn accept_keyword(&mut self, keyword: &str) -> bool {
        let found = self.is_keyword(keyword);
        if found {
            self.advance();
        }
        found
    }

    fn accept_keywords(&mut self, first: &str, second: &str) -> bool {
        let found = self.is_keyword(first) && self.is_keyword_second(second);
        if found {
            self.advance();
            self.advance();
        }
        found
    }

    fn expect_sign(&mut self, sign: &str, name: &'static str) -> Result<()> {
        if self.accept_sign(sign) { Ok(()) } else { Err(Malformed::Expected(name)) }
    }

    /// Goes one level deeper for as long as `parse` runs.
    fn deeper<T>(&mut self, parse: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        if self.depth >= DEPTH_MAX {
            return Err(Malformed::TooDeep);
        }
        self.depth += 1;
        let parsed = parse(self);
        self.depth -= 1;
        parsed
    }

    /// Things with commas between them.
    fn list<T>(&mut self, mut item: impl FnMut(&mut Self) -> Result<T>) -> Result<Vec<T>> {
        let mut items = vec![item(self)?];
        while self.accept_sign(",") {
            items.push(item(self)?);
        }
        Ok(items)
    }
}
