//! The one place that writes to the terminal.

use std::fmt::Display;
use std::io::Write;

/// A line of the result.
pub(crate) fn line(text: impl Display) {
    // A closed pipe must not end a benchmark whose result may also go to a file.
    let _ = writeln!(std::io::stdout(), "{text}");
}

/// What is going on, beside the result.
pub(crate) fn progress(text: impl Display) {
    let _ = writeln!(std::io::stderr(), "{text}");
}

/// Why it ended.
pub(crate) fn error(text: impl Display) {
    let _ = writeln!(std::io::stderr(), "error: {text}");
}
