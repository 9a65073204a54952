//! Whether an answer is what a script expects, and what a script would say about an answer.

use serde_json::{Value as Json, json};

use crate::database::Answer;

/// Members whose values differ from run to run; an updated script shows a star for them.
const VOLATILE: [&str; 15] = [
    "CreationDateTime",
    "CreationRequestDateTime",
    "LastUpdateToPayPerRequestDateTime",
    "LastIncreaseDateTime",
    "LastDecreaseDateTime",
    "LastUpdateDateTime",
    "TableId",
    "LatestStreamLabel",
    "LatestStreamArn",
    "StreamArn",
    "StreamLabel",
    "ShardIterator",
    "NextShardIterator",
    "eventID",
    "NextToken",
];

/// Compares an answer with `STATUS`, `STATUS exactly` or `STATUS Exception: message`, and with a body.
pub(super) fn check(head: &str, body: &[String], answer: &Answer) -> Result<(), String> {
    let (status, rest) = head.split_once(' ').unwrap_or((head, ""));
    let shown = shown(answer);
    let actual = shown.split_once(' ').map_or("", |(_, rest)| rest);
    let told = match rest.strip_suffix(": *") {
        Some(exception) => answer.exception() == Some(exception) && answer.message().is_some(),
        None => rest == actual,
    };
    if status != answer.status.to_string() || (status != "200" && !told) {
        let body = if answer.exception().is_some() { String::new() } else { format!("\n  {}", answer.body) };
        return Err(format!("expected < {head}\nactual   < {}{}", short(&shown), short(&body)));
    }
    if body.is_empty() {
        return Ok(());
    }
    let text = body.join("\n");
    let expected = parse(&text)?;
    let exactly = rest == "exactly";
    matches(&expected, &answer.body, "", exactly)
        .map_err(|difference| format!("{}\nactual {}", short(&difference), short(&answer.body.to_string())))
}

/// Enough of a text to see what it is.
fn short(text: &str) -> String {
    let mut start: String = text.chars().take(1000).collect();
    if start.len() < text.len() {
        start.push('…');
    }
    start
}

/// JSON in which a bare star stands for anything.
fn parse(text: &str) -> Result<Json, String> {
    let mut quoted = String::with_capacity(text.len());
    let (mut in_string, mut escaped) = (false, false);
    for letter in text.chars() {
        if letter == '*' && !in_string {
            quoted += STAR_TEXT;
            continue;
        }
        in_string ^= letter == '"' && !escaped;
        escaped = letter == '\\' && in_string && !escaped;
        quoted.push(letter);
    }
    serde_json::from_str(&quoted).map_err(|error| format!("the expected body is not JSON: {error}\n{text}"))
}

const STAR_TEXT: &str = "\"\\u0000*\"";
const STAR: &str = "\u{0}*";

fn matches(expected: &Json, actual: &Json, place: &str, exactly: bool) -> Result<(), String> {
    match (expected, actual) {
        (Json::String(star), _) if star == STAR => Ok(()),
        (Json::Object(expected), Json::Object(actual)) => {
            for (name, value) in expected {
                let Some(found) = actual.get(name) else {
                    return Err(format!("{place}.{name} is missing"));
                };
                // Only the top level may hold more than is mentioned.
                let set = matches!(name.as_str(), "SS" | "NS" | "BS") && found.is_array();
                let (value, found) = if set { (sorted(value), sorted(found)) } else { (value.clone(), found.clone()) };
                matches(&value, &found, &format!("{place}.{name}"), true)?;
            }
            match actual.keys().find(|name| exactly && !expected.contains_key(*name)) {
                Some(name) => Err(format!("unexpected {place}.{name}")),
                None => Ok(()),
            }
        }
        (Json::Array(expected), Json::Array(actual)) if expected.len() == actual.len() => {
            expected.iter().zip(actual).enumerate().try_for_each(|(number, (expected, actual))| {
                matches(expected, actual, &format!("{place}[{number}]"), true)
            })
        }
        (Json::Number(expected), Json::Number(actual)) if expected.as_f64() == actual.as_f64() => Ok(()),
        _ if expected == actual => Ok(()),
        _ => Err(format!("at {place}: expected {expected}, actual {actual}")),
    }
}

fn sorted(set: &Json) -> Json {
    let mut members = set.as_array().cloned().unwrap_or_default();
    members.sort_by_key(Json::to_string);
    Json::Array(members)
}

/// The head of an answer as a script would write it.
fn shown(answer: &Answer) -> String {
    match (answer.exception(), answer.message()) {
        (Some(exception), Some(message)) => format!("{} {exception}: {message}", answer.status),
        (Some(exception), None) => format!("{} {exception}", answer.status),
        _ => answer.status.to_string(),
    }
}

/// The lines a script would have for an answer: the whole body where it had one before.
pub(super) fn updated(head: &str, body: &[String], answer: &Answer) -> (String, Vec<String>) {
    let kept =
        if answer.status == 200 && head.ends_with(" exactly") { "200 exactly".to_owned() } else { shown(answer) };
    let fits = check(head, body, answer).is_ok();
    if fits {
        return (head.to_owned(), body.to_vec());
    }
    let mut rest = answer.body.clone();
    if let Some(members) = rest.as_object_mut() {
        for name in ["__type", "message", "Message"] {
            members.remove(name);
        }
    }
    let is_empty = rest.as_object().is_some_and(serde_json::Map::is_empty);
    if body.is_empty() || is_empty && answer.status != 200 {
        return (kept, Vec::new());
    }
    mask(&mut rest);
    (kept, vec![rest.to_string().replace(&json!(STAR).to_string(), "*")])
}

fn mask(json: &mut Json) {
    match json {
        Json::Object(members) => {
            for (name, value) in members.iter_mut() {
                if VOLATILE.contains(&name.as_str()) {
                    *value = json!(STAR);
                } else {
                    mask(value);
                }
            }
        }
        Json::Array(list) => list.iter_mut().for_each(mask),
        _ => {}
    }
}

/// The text of a member of an answer, by names and places separated by dots.
pub(super) fn member(answer: &Answer, path: &str) -> Option<String> {
    let mut value = &answer.body;
    for step in path.split('.') {
        value = match step.parse::<usize>() {
            Ok(place) => value.get(place)?,
            Err(_) => value.get(step)?,
        };
    }
    Some(value.as_str().map_or_else(|| value.to_string(), str::to_owned))
}
