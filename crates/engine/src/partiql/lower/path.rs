//! Document paths.

use espalier_dynamo::Path;
use espalier_dynamo::expression::Cause;
use espalier_dynamo::path::Step;

use crate::partiql::error::Error;
use crate::partiql::syntax::{self, Expr, Node};

/// The most steps of a path.
const STEPS_MAX: usize = 32;

/// The document path that an expression is.
pub(super) fn path(expr: &Expr) -> Result<Path, Error> {
    match &expr.node {
        Node::Name(name) => Ok(Path::attribute(name)),
        Node::Path(root, steps) => {
            let Node::Name(name) = &root.node else { return Err(Error::PathComponent(root.at)) };
            let steps = steps.iter().map(step).collect::<Result<Vec<_>, _>>()?;
            if steps.len() >= STEPS_MAX {
                return Err(Cause::TooDeep(steps.len() + 1).into());
            }
            Ok(Path { attribute: name.clone(), steps })
        }
        _ => Err(Error::PathComponent(expr.at)),
    }
}

fn step(step: &syntax::Step) -> Result<Step, Error> {
    match step {
        syntax::Step::Name(name) => Ok(Step::Attribute(name.clone())),
        syntax::Step::Wildcard => Err(Error::Wildcard),
        syntax::Step::Unpivot => Err(Error::Unpivot),
        syntax::Step::Index(expr) => match &expr.node {
            Node::String(name) => Ok(Step::Attribute(name.clone())),
            Node::Number(text) if text.trim_start_matches('-').bytes().all(|byte| byte.is_ascii_digit()) => {
                let index = text.parse::<i64>().ok().and_then(|index| i32::try_from(index).ok());
                let index = index.and_then(|index| usize::try_from(index).ok());
                index.map(Step::Index).ok_or_else(|| Error::ListIndex(text.clone(), expr.at))
            }
            _ => Err(Error::PathComponent(expr.at)),
        },
    }
}

/// The name under which a path's value is returned: its last named step, with the positions after it.
pub(super) fn column_name(path: &Path) -> String {
    let mut name = path.attribute.clone();
    for step in &path.steps {
        match step {
            Step::Attribute(attribute) => name.clone_from(attribute),
            Step::Index(index) => name.push_str(&format!("[{index}]")),
        }
    }
    name
}
