//! Expressions: operators by precedence, paths, literals, calls.

use super::{Malformed, Parser, Result};
use crate::partiql::keyword;
use crate::partiql::lexer::{Kind, Span};
use crate::partiql::syntax::{Expr, Node, Operator, Step};

/// Below every operator.
pub(super) const LOWEST: u8 = 0;
/// Below every operator but those that join statements.
pub(super) const CLAUSE: u8 = 6;
const SETS: u8 = 5;
const OR: u8 = 10;
const AND: u8 = 20;
const NOT: u8 = 30;
const EQUALITY: u8 = 40;
const ORDER: u8 = 50;
const SUM: u8 = 60;
const PRODUCT: u8 = 70;

/// An operator between expressions, before its operands are known.
#[derive(Clone, Copy)]
enum Infix {
    And,
    Or,
    Binary(Operator),
    Between,
    In,
    Is,
}

impl Parser {
    /// An expression of operators that bind tighter than `precedence`.
    pub(super) fn expression(&mut self, precedence: u8) -> Result<Expr> {
        self.deeper(|parser| {
            let before = parser.depth;
            let mut expr = parser.unary()?;
            while let Some((infix, negated, strength)) = parser.infix().filter(|(_, _, found)| *found > precedence) {
                // A chain of operators makes a deep tree without a deep call stack: it counts as well.
                if !matches!(infix, Infix::And | Infix::Or) {
                    parser.depth += 1;
                    if parser.depth > super::DEPTH_MAX {
                        return Err(Malformed::TooDeep);
                    }
                }
                expr = parser.operation(expr, infix, negated, strength)?;
            }
            parser.depth = before;
            Ok(expr)
        })
    }

    /// The operator at hand, whether NOT stands before it, and how strongly it binds.
    fn infix(&self) -> Option<(Infix, bool, u8)> {
        let (word, negated) = match self.peek() {
            Kind::Keyword(word) if word == "not" => match self.peek_second() {
                Kind::Keyword(word) => (word, true),
                _ => return None,
            },
            Kind::Keyword(word) => (word, false),
            Kind::Sign(sign) => {
                return sign_infix(sign).map(|(operator, found)| (Infix::Binary(operator), false, found));
            }
            _ => return None,
        };
        let (infix, found) = match word.as_str() {
            "in" => (Infix::In, EQUALITY),
            "between" => (Infix::Between, ORDER),
            "like" => (Infix::Binary(Operator::Other("like")), ORDER),
            _ if negated => return None,
            "and" => (Infix::And, AND),
            "or" => (Infix::Or, OR),
            "is" => (Infix::Is, EQUALITY),
            "union" => (Infix::Binary(Operator::Other("union")), SETS),
            "intersect" => (Infix::Binary(Operator::Other("intersect")), SETS),
            "except" => (Infix::Binary(Operator::Other("except")), SETS),
            _ => return None,
        };
        Some((infix, negated, found))
    }

    fn operation(&mut self, left: Expr, infix: Infix, negated: bool, strength: u8) -> Result<Expr> {
        let at = self.at();
        if negated {
            self.advance();
        }
        self.advance();
        let node = match infix {
            Infix::Is => {
                let negated = self.accept_keyword("not");
                let is = Node::Is(Box::new(left), self.type_name()?);
                return Ok(negate_if(negated, is, at));
            }
            Infix::In
                if self.is_sign("(")
                    && !matches!(self.peek_second(), Kind::Keyword(word) if word == "select" || word == "values") =>
            {
                let list_at = self.at();
                self.advance();
                let list = self.list(|parser| parser.expression(LOWEST))?;
                self.expect_sign(")", "RIGHT_PAREN")?;
                Node::In(Box::new(left), Box::new(Expr { node: Node::List(list), at: list_at }))
            }
            _ => {
                if *self.peek() == Kind::End {
                    return Err(Malformed::RightSide);
                }
                let right = self.expression(strength)?;
                match infix {
                    Infix::And => join(left, right, Node::And, |node| match node {
                        Node::And(list) => Ok(list),
                        other => Err(other),
                    }),
                    Infix::Or => join(left, right, Node::Or, |node| match node {
                        Node::Or(list) => Ok(list),
                        other => Err(other),
                    }),
                    Infix::Binary(operator) => Node::Binary(operator, Box::new(left), Box::new(right)),
                    Infix::Between => self.between(left, right, strength)?,
                    Infix::In | Infix::Is => Node::In(Box::new(left), Box::new(right)),
                }
            }
        };
        Ok(negate_if(negated, node, at))
    }

    fn between(&mut self, value: Expr, low: Expr, strength: u8) -> Result<Node> {
        if !self.accept_keyword("and") {
            return Err(Malformed::Expected("AND keyword"));
        }
        if *self.peek() == Kind::End {
            return Err(Malformed::UpperBound);
        }
        let high = self.expression(strength)?;
        Ok(Node::Between(Box::new(value), Box::new(low), Box::new(high)))
    }

    fn type_name(&mut self) -> Result<&'static str> {
        let Kind::Keyword(word) = self.peek() else { return Err(Malformed::TypeName) };
        let name = keyword::type_name(word).ok_or(Malformed::TypeName)?;
        self.advance();
        match name {
            "DOUBLE_PRECISION" if !self.accept_keyword("precision") => Err(Malformed::TypeName),
            "CHARACTER" if self.accept_keyword("varying") => Ok("CHARACTER_VARYING"),
            _ => Ok(name),
        }
    }

    fn unary(&mut self) -> Result<Expr> {
        let at = self.at();
        let sign = match self.peek() {
            Kind::Sign("+") => Operator::Plus,
            Kind::Sign("-") => Operator::Minus,
            Kind::Keyword(word) if word == "not" => {
                self.advance();
                let inner = self.expression(NOT)?;
                return Ok(Expr { node: Node::Not(Box::new(inner)), at });
            }
            _ => return self.path(),
        };
        self.advance();
        let term = self.deeper(Self::unary)?;
        Ok(match (sign, term.node) {
            (Operator::Plus, Node::Number(text)) => Expr { node: Node::Number(text), at: term.at },
            (_, Node::Number(text)) => Expr { node: Node::Number(negative(text)), at: term.at },
            (sign, node) => Expr { node: Node::Signed(sign, Box::new(Expr { node, at: term.at })), at },
        })
    }

    /// A term and the steps into it.
    fn path(&mut self) -> Result<Expr> {
        let root = self.term()?;
        let steps = self.steps()?;
        let at = root.at;
        Ok(if steps.is_empty() { root } else { Expr { node: Node::Path(Box::new(root), steps), at } })
    }

    /// A name and the steps into it, where nothing else may stand: what is written to.
    pub(super) fn simple_path(&mut self) -> Result<Expr> {
        let at = self.at();
        let Kind::Name(name) = self.peek() else { return Err(Malformed::SimplePath) };
        let root = Expr { node: Node::Name(name.clone()), at };
        self.advance();
        let steps = self.steps()?;
        let literal = |expr: &Expr| matches!(expr.node, Node::Number(_) | Node::String(_));
        if steps.iter().any(|step| !matches!(step, Step::Name(_)) && !matches!(step, Step::Index(at) if literal(at))) {
            return Err(Malformed::SimplePathIndex);
        }
        Ok(if steps.is_empty() { root } else { Expr { node: Node::Path(Box::new(root), steps), at } })
    }

    fn steps(&mut self) -> Result<Vec<Step>> {
        let mut steps = Vec::new();
        loop {
            if self.accept_sign(".") {
                let step = match self.peek() {
                    Kind::Name(name) => Step::Name(name.clone()),
                    Kind::Sign("*") => Step::Unpivot,
                    _ => return Err(Malformed::PathDot),
                };
                self.advance();
                steps.push(step);
            } else if self.accept_sign("[") {
                let step = if self.accept_sign("*") { Step::Wildcard } else { Step::Index(self.expression(LOWEST)?) };
                self.expect_sign("]", "RIGHT_BRACKET")?;
                steps.push(step);
            } else {
                return Ok(steps);
            }
        }
    }

    fn term(&mut self) -> Result<Expr> {
        let at = self.at();
        let node = match self.peek().clone() {
            Kind::Keyword(word) => return self.keyword_term(&word, at),
            Kind::Name(name) => {
                self.advance();
                if self.is_sign("(") { self.call(name.to_ascii_lowercase())? } else { Node::Name(name) }
            }
            Kind::Sign(sign) => return self.sign_term(sign, at),
            Kind::String(text) => self.literal(Node::String(text)),
            Kind::Number(text) => self.literal(Node::Number(text)),
            Kind::Ion => self.literal(Node::Ion),
            Kind::Parameter(place) => self.literal(Node::Parameter(place)),
            Kind::End => return Err(Malformed::Term),
        };
        Ok(Expr { node, at })
    }

    fn literal(&mut self, node: Node) -> Node {
        self.advance();
        node
    }

    fn keyword_term(&mut self, word: &str, at: Span) -> Result<Expr> {
        let node = match word {
            "true" | "false" => self.literal(Node::Bool(word == "true")),
            "null" => self.literal(Node::Null),
            "missing" => self.literal(Node::Missing),
            "in" | "is" | "and" | "or" | "between" | "like" | "union" | "intersect" | "except" => {
                return Err(Malformed::Operator);
            }
            _ if keyword::is_function(word) && matches!(self.peek_second(), Kind::Sign("(")) => {
                self.advance();
                self.call(word.to_owned())?
            }
            _ => Node::Statement(Box::new(self.statement(word)?)),
        };
        Ok(Expr { node, at })
    }

    fn sign_term(&mut self, sign: &'static str, at: Span) -> Result<Expr> {
        let node = match sign {
            "(" => {
                self.advance();
                let mut group = self.list(|parser| parser.expression(LOWEST))?;
                self.expect_sign(")", "RIGHT_PAREN")?;
                // Parentheses around one expression only group; around several they make a list.
                match (group.len(), group.pop()) {
                    (1, Some(only)) => return Ok(only),
                    (_, last) => Node::List(group.into_iter().chain(last).collect()),
                }
            }
            "[" => Node::List(self.members("]", "RIGHT_BRACKET", |parser| parser.expression(LOWEST))?),
            "<<" => Node::Bag(self.members(">>", "RIGHT_DOUBLE_ANGLE_BRACKET", |parser| parser.expression(LOWEST))?),
            "{" => Node::Struct(self.members("}", "RIGHT_CURLY", |parser| {
                let name = parser.expression(LOWEST)?;
                parser.expect_sign(":", "COLON")?;
                Ok((name, parser.expression(LOWEST)?))
            })?),
            "=" | "<>" | "<" | "<=" | ">" | ">=" | "/" | "%" | "||" | "@" | "~" => return Err(Malformed::Operator),
            _ => return Err(Malformed::Term),
        };
        Ok(Expr { node, at })
    }

    /// What stands between brackets, possibly nothing.
    fn members<T>(
        &mut self,
        close: &str,
        close_name: &'static str,
        item: impl FnMut(&mut Self) -> Result<T>,
    ) -> Result<Vec<T>> {
        self.advance();
        if self.accept_sign(close) {
            return Ok(Vec::new());
        }
        let members = self.list(item)?;
        self.expect_sign(close, close_name)?;
        Ok(members)
    }

    fn call(&mut self, name: String) -> Result<Node> {
        if name == "count" && matches!(self.peek_second(), Kind::Sign("*")) {
            self.advance();
            self.advance();
            self.expect_sign(")", "RIGHT_PAREN")?;
            return Ok(Node::Call(name, Vec::new()));
        }
        Ok(Node::Call(name, self.members(")", "RIGHT_PAREN", |parser| parser.expression(LOWEST))?))
    }
}

fn sign_infix(sign: &'static str) -> Option<(Operator, u8)> {
    Some(match sign {
        "=" => (Operator::Equal, EQUALITY),
        "<>" => (Operator::NotEqual, EQUALITY),
        "<" => (Operator::Less, ORDER),
        "<=" => (Operator::LessOrEqual, ORDER),
        ">" => (Operator::Greater, ORDER),
        ">=" => (Operator::GreaterOrEqual, ORDER),
        "+" => (Operator::Plus, SUM),
        "-" => (Operator::Minus, SUM),
        "||" => (Operator::Other("||"), SUM),
        "*" | "/" | "%" => (Operator::Other(sign), PRODUCT),
        _ => return None,
    })
}

fn negate_if(negated: bool, node: Node, at: Span) -> Expr {
    let expr = Expr { node, at };
    if negated { Expr { node: Node::Not(Box::new(expr)), at } } else { expr }
}

/// Chains of AND, and chains of OR, become one node.
fn join(
    left: Expr,
    right: Expr,
    make: fn(Vec<Expr>) -> Node,
    parts: fn(Node) -> std::result::Result<Vec<Expr>, Node>,
) -> Node {
    let mut joined = Vec::new();
    for side in [left, right] {
        let at = side.at;
        match parts(side.node) {
            Ok(list) => joined.extend(list),
            Err(node) => joined.push(Expr { node, at }),
        }
    }
    make(joined)
}

fn negative(text: String) -> String {
    match text.strip_prefix('-') {
        Some(positive) => positive.to_owned(),
        None => format!("-{text}"),
    }
}
