//! The one place that writes to the terminal.

use std::fmt::Display;
use std::io::Write;

/// A line of what was asked for. A reader that went away is not an error.
pub(crate) fn line(text: impl Display) {
    let mut out = std::io::stdout().lock();
    let _ = writeln!(out, "{text}").and_then(|()| out.flush());
}

/// Something to think about.
pub(crate) fn warning(text: impl Display) {
    let _ = writeln!(std::io::stderr(), "warning: {text}");
}

/// Why the command ended, and what to do next.
pub(crate) fn failure(text: impl Display) {
    let _ = writeln!(std::io::stderr(), "error: {text}");
}
