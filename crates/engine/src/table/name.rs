//! Names of tables and indexes, and listing them. The wire checks names too; callers inside the process meet the
//! same rules here.

use espalier_dynamo::operation::table::{ListTables, ListTablesOutput};

/// The shortest name.
const LENGTH_MIN: usize = 3;
/// The longest name.
const LENGTH_MAX: usize = 255;
/// The longest list of names.
const PAGE_MAX: i64 = 100;

/// What is wrong with a name or a limit.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("1 validation error detected: Value '{value}' at '{member}' failed to satisfy constraint: Member must {rule}")]
pub struct NameError {
    value: String,
    member: &'static str,
    rule: &'static str,
}

impl From<NameError> for espalier_dynamo::Error {
    fn from(cause: NameError) -> Self {
        Self::invalid(cause)
    }
}

/// Checks a table's name.
pub fn check(name: &str) -> Result<(), NameError> {
    check_at(name, "tableName")
}

/// Checks an index's name.
pub fn check_index(name: &str) -> Result<(), NameError> {
    check_at(name, "indexName")
}

fn check_at(name: &str, member: &'static str) -> Result<(), NameError> {
    let is_allowed = |character: char| character.is_ascii_alphanumeric() || "_.-".contains(character);
    let rule = if name.len() < LENGTH_MIN {
        "have length greater than or equal to 3"
    } else if name.len() > LENGTH_MAX {
        "have length less than or equal to 255"
    } else if !name.chars().all(is_allowed) {
        "satisfy regular expression pattern: [a-zA-Z0-9_.-]+"
    } else {
        return Ok(());
    };
    Err(NameError { value: name.to_owned(), member, rule })
}

/// One page of names. They come in ascending order; those up to the start are skipped here.
pub fn list<'n>(names: impl Iterator<Item = &'n str>, request: &ListTables) -> Result<ListTablesOutput, NameError> {
    let limit = request.limit.unwrap_or(PAGE_MAX);
    let refuse = |rule| Err(NameError { value: limit.to_string(), member: "limit", rule });
    if limit < 1 {
        return refuse("have value greater than or equal to 1");
    }
    if limit > PAGE_MAX {
        return refuse("have value less than or equal to 100");
    }
    let start = request.exclusive_start_table_name.as_deref();
    let mut following = names.filter(|name| start.is_none_or(|start| *name > start));
    let page = usize::try_from(limit).expect("between 1 and 100");
    let table_names: Vec<String> = following.by_ref().take(page).map(str::to_owned).collect();
    let last = following.next().and_then(|_| table_names.last().cloned());
    Ok(ListTablesOutput { table_names, last_evaluated_table_name: last })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_have_a_length_and_a_pattern() {
        let sentence = |name: &str| check(name).unwrap_err().to_string();
        assert_eq!(
            sentence("ab"),
            "1 validation error detected: Value 'ab' at 'tableName' failed to satisfy constraint: Member must have length greater than or equal to 3"
        );
        assert!(sentence(&"a".repeat(256)).ends_with("Member must have length less than or equal to 255"));
        assert_eq!(
            sentence("bad table!@#"),
            "1 validation error detected: Value 'bad table!@#' at 'tableName' failed to satisfy constraint: Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+"
        );
        assert!(check("a.B_-9").is_ok());
        assert!(check(&"a".repeat(255)).is_ok());
        assert!(check_index("x").unwrap_err().to_string().contains("'indexName'"));
    }

    #[test]
    fn pages_follow_one_another() {
        let names = ["aaa", "bbb", "ccc"];
        let page = |start: Option<&str>, limit: Option<i64>| {
            let request = ListTables { exclusive_start_table_name: start.map(str::to_owned), limit };
            let output = list(names.into_iter(), &request).unwrap();
            (output.table_names.join(","), output.last_evaluated_table_name)
        };
        assert_eq!(page(None, None), ("aaa,bbb,ccc".to_owned(), None));
        assert_eq!(page(None, Some(2)), ("aaa,bbb".to_owned(), Some("bbb".to_owned())));
        assert_eq!(page(Some("bbb"), Some(1)), ("ccc".to_owned(), None));
        assert_eq!(page(Some("b"), Some(3)), ("bbb,ccc".to_owned(), None));
        assert_eq!(page(Some("zzz"), None), (String::new(), None));
        let refused = |limit| {
            let request = ListTables { exclusive_start_table_name: None, limit: Some(limit) };
            list(names.into_iter(), &request).unwrap_err().to_string()
        };
        assert!(refused(0).ends_with(
            "'0' at 'limit' failed to satisfy constraint: Member must have value greater than or equal to 1"
        ));
        assert!(refused(101).ends_with("Member must have value less than or equal to 100"));
    }
}
