//! `path, path, …`

use super::{Parser, Result};
use crate::expression::error::Clause;
use crate::expression::lexer::Kind;
use crate::expression::syntax::Path;

pub(in crate::expression) fn projection(text: &str) -> Result<Vec<Path<'_>>> {
    let mut parser = Parser::new(text, Clause::Projection)?;
    let mut paths = vec![parser.path()?];
    while parser.kind() == Kind::Comma {
        parser.advance();
        paths.push(parser.path()?);
    }
    parser.expect(Kind::End)?;
    parser.finish()?;
    Ok(paths)
}
