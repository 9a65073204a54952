//! Words that cannot be names unless they are quoted, and words that name types.

/// Whether a word, in lower case, is a keyword.
pub(super) fn is_keyword(word: &str) -> bool {
    WORDS.binary_search(&word).is_ok()
}

/// Whether a keyword is also the name of a function.
pub(super) fn is_function(keyword: &str) -> bool {
    matches!(
        keyword,
        "avg" | "bag"
            | "bit_length"
            | "char_length"
            | "character_length"
            | "count"
            | "exists"
            | "list"
            | "lower"
            | "max"
            | "min"
            | "octet_length"
            | "sexp"
            | "size"
            | "substring"
            | "sum"
            | "upper"
    )
}

/// The full name, in upper case, of the type that a keyword names.
pub(super) fn type_name(keyword: &str) -> Option<&'static str> {
    Some(match keyword {
        "missing" => "MISSING",
        "null" => "NULL",
        "bool" | "boolean" => "BOOLEAN",
        "smallint" | "int2" | "integer2" => "SMALLINT",
        "int4" | "integer4" => "INTEGER4",
        "int8" | "integer8" | "bigint" => "INTEGER8",
        "int" | "integer" => "INTEGER",
        "float" => "FLOAT",
        "real" => "REAL",
        "double" => "DOUBLE_PRECISION",
        "dec" | "decimal" => "DECIMAL",
        "numeric" => "NUMERIC",
        "timestamp" => "TIMESTAMP",
        "date" => "DATE",
        "time" => "TIME",
        "char" | "character" => "CHARACTER",
        "varchar" => "CHARACTER_VARYING",
        "string" => "STRING",
        "symbol" => "SYMBOL",
        "clob" => "CLOB",
        "blob" => "BLOB",
        "struct" => "STRUCT",
        "tuple" => "TUPLE",
        "list" => "LIST",
        "sexp" => "SEXP",
        "bag" => "BAG",
        "any" => "ANY",
        _ => return None,
    })
}

/// SQL-92's keywords and those that PartiQL adds, ascending.
const WORDS: [&str; 252] = [
    "absolute", "action", "add", "all", "allocate", "alter", "and", "any", "are", "as", "asc", "assertion", "at",
    "authorization", "avg", "bag", "begin", "between", "bigint", "bit", "bit_length", "blob", "bool", "boolean",
    "by", "can_cast", "can_lossless_cast", "cascade", "cascaded", "case", "cast", "catalog", "char", "char_length",
    "character", "character_length", "check", "clob", "close", "coalesce", "collate", "collation", "column",
    "commit", "conflict", "connect", "connection", "constraint", "constraints", "continue", "convert",
    "corresponding", "count", "create", "cross", "current", "current_date", "current_time", "current_timestamp",
    "current_user", "cursor", "date", "date_add", "date_diff", "deallocate", "dec", "decimal", "declare", "default",
    "deferrable", "deferred", "delete", "desc", "describe", "descriptor", "diagnostics", "disconnect", "distinct",
    "do", "domain", "double", "drop", "else", "end", "escape", "except", "exception", "exec", "execute", "exists",
    "external", "extract", "false", "fetch", "first", "float", "for", "foreign", "found", "from", "full", "get",
    "global", "go", "goto", "grant", "group", "having", "identity", "immediate", "in", "index", "indicator",
    "initially", "inner", "input", "insensitive", "insert", "int", "int2", "int4", "int8", "integer", "integer2",
    "integer4", "integer8", "intersect", "interval", "into", "is", "isolation", "join", "key", "language", "last",
    "left", "let", "level", "like", "limit", "list", "local", "lower", "match", "max", "min", "missing", "modified",
    "module", "names", "national", "natural", "nchar", "new", "next", "no", "not", "nothing", "null", "nullif",
    "numeric", "octet_length", "of", "offset", "old", "on", "only", "open", "option", "or", "order", "outer",
    "output", "overlaps", "pad", "partial", "pivot", "position", "precision", "prepare", "preserve", "primary",
    "prior", "privileges", "procedure", "public", "read", "real", "references", "relative", "remove", "restrict",
    "returning", "revoke", "right", "rollback", "rows", "schema", "scroll", "section", "select", "session",
    "session_user", "set", "sexp", "size", "smallint", "some", "space", "sql", "sqlcode", "sqlerror", "sqlstate",
    "string", "struct", "substring", "sum", "symbol", "system_user", "table", "temporary", "then", "time",
    "timestamp", "to", "transaction", "translate", "translation", "trim", "true", "tuple", "union", "unique",
    "unknown", "unpivot", "update", "upper", "usage", "user", "using", "value", "values", "varchar", "varying",
    "view", "when", "whenever", "where", "with", "work", "write", "zone",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_ascend() {
        assert!(WORDS.is_sorted_by(|a, b| a < b));
        assert!(is_keyword("inner") && is_keyword("value") && !is_keyword("artist"));
    }
}
