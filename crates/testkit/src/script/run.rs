//! Running a script.

use super::parse::{Line, Script, duration_ms, expand};
use super::{expect, fixture};
use crate::database::{Answer, Database, Road};

/// How a script is run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// Embedded, in memory.
    Memory,
    /// Embedded, on disk, opened anew after every third request: after closing it, and after just dropping it.
    Disk,
    /// Over HTTP.
    Http,
}

/// Why a script failed.
#[derive(Debug, Clone)]
pub struct Failure {
    /// The line.
    pub line: usize,
    /// What is wrong there.
    pub text: String,
}

/// After how many requests a database on disk is opened anew; not a divisor of anything that scripts do in steps.
const REOPEN_EVERY: usize = 3;

/// When scripts take place.
const NOW_MS: i64 = 1_767_225_600_000;

/// Runs a script. All wrong answers are told; with `update` they are written into the script instead.
pub fn run(script: &mut Script, mode: Mode, update: bool) -> Vec<Failure> {
    let road = match mode {
        Mode::Memory => Road::Memory,
        Mode::Disk => Road::Disk,
        Mode::Http => Road::Http,
    };
    let mut run = Run { database: Database::new(road, NOW_MS), saved: Vec::new(), last: None, mode, requests: 0 };
    let mut failures = Vec::new();
    for (number, line) in &mut script.lines {
        if let Err(text) = run.line(line, update) {
            failures.push(Failure { line: *number, text });
        }
    }
    failures
}

struct Run {
    database: Database,
    saved: Vec<(String, String)>,
    last: Option<Answer>,
    mode: Mode,
    requests: usize,
}

impl Run {
    fn line(&mut self, line: &mut Line, update: bool) -> Result<(), String> {
        match line {
            Line::Comment(_) => {}
            Line::Table(text) => {
                for (operation, body) in fixture::requests(text).ok_or("not a table")? {
                    let answer = self.database.call(operation, body.to_string().as_bytes());
                    if answer.status != 200 {
                        return Err(format!("{operation} {body}\n{answer:?}"));
                    }
                }
                self.database.tick();
            }
            Line::Request { operation, body } => {
                self.requests += 1;
                if self.mode == Mode::Disk && self.requests.is_multiple_of(REOPEN_EVERY) {
                    // Closed and just dropped in turn.
                    self.database.reopen(self.requests.is_multiple_of(2 * REOPEN_EVERY));
                }
                let body = expand(&body.join("\n"), &self.saved);
                self.last = Some(self.database.call(operation, body.as_bytes()));
            }
            Line::Answer { head, body } => {
                let answer = self.last.as_ref().ok_or("no request before it")?;
                let expanded: Vec<String> = body.iter().map(|text| expand(text, &self.saved)).collect();
                if update {
                    let (new_head, new_body) = expect::updated(head, &expanded, answer);
                    if new_body != expanded {
                        *body = new_body;
                    }
                    *head = new_head;
                } else {
                    expect::check(&expand(head, &self.saved), &expanded, answer)?;
                }
            }
            Line::Save { name, path } => {
                let answer = self.last.as_ref().ok_or("no request before it")?;
                let value = expect::member(answer, path).ok_or_else(|| format!("no {path} in {}", answer.body))?;
                self.saved.retain(|(known, _)| known != name);
                self.saved.push((name.clone(), value));
            }
            Line::Clock(by) => self.database.advance_ms(duration_ms(by).ok_or("not a duration")?),
            Line::Tick => self.database.tick(),
            Line::Reopen => self.database.reopen(true),
            Line::Crash => self.database.reopen(false),
        }
        Ok(())
    }
}
