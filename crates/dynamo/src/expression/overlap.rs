//! Paths of one projection or update must not overlap (`a`, `a.b`) or conflict (`a.b`, `a[0]`).

use super::error::Cause;
use crate::path::{Path, Step};

/// Below this many paths, comparing each with each is faster than sorting.
const FEW: usize = 8;

/// Refuses two paths that overlap or conflict. DynamoDB goes from the last path to the first, and holds each
/// against those after it.
pub(super) fn check_overlap(paths: &[Path]) -> Result<(), Cause> {
    if paths.len() > FEW && !any_meet(paths) {
        return Ok(());
    }
    for (position, one) in paths.iter().enumerate().rev() {
        for two in &paths[position + 1..] {
            match meeting(one, two) {
                Meeting::None => {}
                Meeting::Overlap => return Err(Cause::Overlap(one.clone(), two.clone())),
                Meeting::Conflict => return Err(Cause::Conflict(one.clone(), two.clone())),
            }
        }
    }
    Ok(())
}

enum Meeting {
    None,
    Overlap,
    Conflict,
}

fn meeting(one: &Path, two: &Path) -> Meeting {
    if one.attribute != two.attribute {
        return Meeting::None;
    }
    for pair in one.steps.iter().zip(&two.steps) {
        match pair {
            (Step::Attribute(a), Step::Attribute(b)) if a == b => {}
            (Step::Index(a), Step::Index(b)) if a == b => {}
            (Step::Attribute(_), Step::Attribute(_)) | (Step::Index(_), Step::Index(_)) => return Meeting::None,
            _ => return Meeting::Conflict,
        }
    }
    Meeting::Overlap
}

/// In sorted order a path stands right before one that it contains, and names right before indexes.
fn any_meet(paths: &[Path]) -> bool {
    let mut sorted: Vec<&Path> = paths.iter().collect();
    sorted.sort_unstable();
    sorted.windows(2).any(|pair| !matches!(meeting(pair[0], pair[1]), Meeting::None))
}
