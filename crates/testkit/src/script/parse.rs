//! From a script's text to its lines, and back.

/// One line of a script, with the lines that belong to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Line {
    /// A comment or an empty line, as it stands.
    Comment(String),
    /// `table …`
    Table(String),
    /// `> Operation body`
    Request {
        /// The operation.
        operation: String,
        /// The body's lines, the first one from the request's own line.
        body: Vec<String>,
    },
    /// `< …`
    Answer {
        /// What follows the arrow.
        head: String,
        /// The indented lines.
        body: Vec<String>,
    },
    /// `save NAME path`
    Save {
        /// The name.
        name: String,
        /// Members and places, separated by dots.
        path: String,
    },
    /// `clock +…`, in milliseconds.
    Clock(String),
    /// `tick`
    Tick,
    /// `reopen`
    Reopen,
    /// `crash`
    Crash,
}

/// A script.
#[derive(Debug, Clone)]
pub struct Script {
    /// Its lines with their numbers.
    pub lines: Vec<(usize, Line)>,
}

impl Script {
    /// Reads a script, or says which line is not understood.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut lines: Vec<(usize, Line)> = Vec::new();
        for (number, text) in text.lines().enumerate() {
            let number = number + 1;
            if text.starts_with([' ', '\t']) {
                match lines.last_mut() {
                    Some((_, Line::Request { body, .. } | Line::Answer { body, .. })) => {
                        body.push(text.trim().to_owned())
                    }
                    _ => return Err(format!("line {number}: nothing before it goes on")),
                }
                continue;
            }
            lines.push((number, line(text.trim_end()).ok_or_else(|| format!("line {number}: {text}"))?));
        }
        Ok(Self { lines })
    }

    /// The text again, with the answers that the lines now hold.
    #[must_use]
    pub fn text(&self) -> String {
        let mut out = String::new();
        for (_, line) in &self.lines {
            match line {
                Line::Comment(text) => out += text,
                Line::Table(rest) => out += &format!("table {rest}"),
                Line::Request { operation, body } => out += format!("> {operation} {}", body.join("\n  ")).trim_end(),
                Line::Answer { head, body } => {
                    out += &format!("< {head}");
                    for text in body {
                        out += &format!("\n  {text}");
                    }
                }
                Line::Save { name, path } => out += &format!("save {name} {path}"),
                Line::Clock(by) => out += &format!("clock {by}"),
                Line::Tick => out += "tick",
                Line::Reopen => out += "reopen",
                Line::Crash => out += "crash",
            }
            out.push('\n');
        }
        out
    }

    /// What the script says it shows.
    #[must_use]
    pub fn has_header(&self) -> bool {
        let comments = || {
            self.lines.iter().filter_map(|(_, line)| match line {
                Line::Comment(text) => Some(text.as_str()),
                _ => None,
            })
        };
        matches!(self.lines.first(), Some((_, Line::Comment(text))) if text.starts_with("# "))
            && comments().any(|text| text.starts_with("# source: "))
    }
}

fn line(text: &str) -> Option<Line> {
    let (word, rest) = text.split_once(' ').map_or((text, ""), |(word, rest)| (word, rest.trim()));
    Some(match word {
        "" => Line::Comment(String::new()),
        _ if word.starts_with('#') => Line::Comment(text.to_owned()),
        "table" => Line::Table(rest.to_owned()),
        ">" => {
            let (operation, body) = rest.split_once(' ').unwrap_or((rest, ""));
            Line::Request { operation: operation.to_owned(), body: vec![body.trim().to_owned()] }
        }
        "<" => Line::Answer { head: rest.to_owned(), body: Vec::new() },
        "save" => {
            let (name, path) = rest.split_once(' ')?;
            Line::Save { name: name.to_owned(), path: path.trim().to_owned() }
        }
        "clock" => Line::Clock(rest.to_owned()),
        "tick" => Line::Tick,
        "reopen" => Line::Reopen,
        "crash" => Line::Crash,
        _ => return None,
    })
}

/// `+1h` in milliseconds.
pub(super) fn duration_ms(text: &str) -> Option<i64> {
    let text = text.strip_prefix('+')?;
    let unit = text.find(|letter: char| !letter.is_ascii_digit())?;
    let factor = match &text[unit..] {
        "ms" => 1,
        "s" => 1000,
        "m" => 60 * 1000,
        "h" => 3600 * 1000,
        "d" => 24 * 3600 * 1000,
        _ => return None,
    };
    Some(text[..unit].parse::<i64>().ok()? * factor)
}

/// The body with `@repeat(…)`, `@each(…)` and `$name` written out.
pub(super) fn expand(body: &str, saved: &[(String, String)]) -> String {
    let mut out = String::with_capacity(body.len());
    let mut rest = body;
    while let Some(at) = rest.find(['@', '$']) {
        out += &rest[..at];
        rest = &rest[at..];
        let known =
            saved.iter().filter(|(name, _)| rest[1..].starts_with(name.as_str())).max_by_key(|(name, _)| name.len());
        if let Some((name, value)) = known.filter(|_| rest.starts_with('$')) {
            out += value;
            rest = &rest[1 + name.len()..];
        } else if let Some((text, after)) = call(rest, "@repeat(") {
            let (what, count) = text.rsplit_once(',').unwrap_or((text, "1"));
            out += &expand(what, saved).repeat(count.trim().parse().unwrap_or(1));
            rest = after;
        } else if let Some((text, after)) = call(rest, "@each(") {
            out += &each(text, saved);
            rest = after;
        } else {
            out += &rest[..1];
            rest = &rest[1..];
        }
    }
    out + rest
}

fn each(text: &str, saved: &[(String, String)]) -> String {
    let mut parts = text.splitn(3, ',');
    let mut number = || parts.next().and_then(|part| part.trim().parse::<i64>().ok()).unwrap_or(0);
    let (from, to) = (number(), number());
    let template = parts.next().unwrap_or("");
    let copies: Vec<String> =
        (from..=to).map(|number| expand(&template.replace("@i", &number.to_string()), saved)).collect();
    copies.join(",")
}

/// What stands between the parentheses of a call, and what comes after it.
fn call<'t>(text: &'t str, name: &str) -> Option<(&'t str, &'t str)> {
    let inner = text.strip_prefix(name)?;
    let mut depth = 1;
    for (at, letter) in inner.char_indices() {
        match letter {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some((&inner[..at], &inner[at + 1..]));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_kept() {
        let text = "# What.\n# source: us\n\ntable t pk:S\n> GetItem {\"a\":\n  1}\n< 200\n  {\"b\": *}\nsave x a.b\nclock +1h\ntick\nreopen\n";
        assert_eq!(Script::parse(text).expect("understood").text(), text);
    }

    #[test]
    fn stand_ins_are_written_out() {
        let saved = [("x".to_owned(), "7".to_owned())];
        assert_eq!(expand("a@repeat(xy,3)b $x $y", &saved), "axyxyxyb 7 $y");
        assert_eq!(expand("[@each(1,3,{\"n\":@i})]", &saved), "[{\"n\":1},{\"n\":2},{\"n\":3}]");
    }
}
