//! Paths of one projection or update must not overlap (`a`, `a.b`) or conflict (`a.b`, `a[0]`).

use super::error::Cause;
use crate::path::{Path, Step};

/// Below this many paths, comparing each with each is faster than sorting.
const FEW: usize = 8;

/// Refuses the first two paths of which one contains the other, or else the first two that disagree on what
/// something is.
pub(super) fn check_overlap(paths: &[Path]) -> Result<(), Cause> {
    if paths.len() > FEW && !any_meet(paths) {
        return Ok(());
    }
    let mut conflict = None;
    for (position, two) in paths.iter().enumerate() {
        for one in &paths[..position] {
            match meeting(one, two) {
                Meeting::None => {}
                Meeting::Overlap => return Err(Cause::Overlap(one.clone(), two.clone())),
                Meeting::Conflict => {
                    conflict = conflict.or_else(|| Some(Cause::Conflict(one.clone(), two.clone())));
                }
            }
        }
    }
    conflict.map_or(Ok(()), Err)
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
