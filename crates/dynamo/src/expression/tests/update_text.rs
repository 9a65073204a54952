//! Update expressions: which texts are accepted, and the exact complaint about each other one.
//! Observed with Amazon's DynamoDB Local 3.3.0, whose parser is the service's own. Where the two are known to differ
//! (which overlapping path is named, `size` as a reserved word, the order of type names) the service's answer stands.

use super::{refusal, update};

#[test]
fn well_formed_updates_are_accepted() {
    for text in [
        "SET a=:s, b=:s",
        "REMOVE a, b",
        "ADD a :n",
        "ADD a1 :ns",
        "DELETE a1 :ns",
        "DELETE a1 :bs",
        "set a = :s",
        "SET a = b + :n",
        "SET a = :n + :n",
        "SET a = (:n + :n)",
        "SET a = (:n) + (:n)",
        "SET a = if_not_exists(a, :n)",
        "SET a = if_not_exists(zz, :n) + :n",
        "SET a = if_not_exists(zz, :s) + :n",
        "SET a = list_append(:l,:l)",
        "SET a = list_append(zz,:l)",
        "SET a = list_append(if_not_exists(zz,:l),:l)",
        "SET a = if_not_exists(zz, if_not_exists(yy, :s))",
        "SET a = zz",
        "SET zz.b = :s",
        "SET p = :s",
        "REMOVE p",
        "SET x[0] = :s",
        "SET a = b.c[1]",
        "SET a = list_append(a, a)",
        "SET a = :n+:n",
        "SET a = :n-:n",
        "SET a=a1-:n",
        "ADD a.b :n",
        "DELETE zz :ss",
        "SET a = if_not_exists(a.b.c, :s) + if_not_exists(b, :n)",
        "SET a = list_append(if_not_exists(zz,:s),:l)",
        "SET a = if_not_exists(zz,:n)+if_not_exists(yy,:n)",
        "SET a = :n + if_not_exists(zz,if_not_exists(y,:n))",
    ] {
        assert!(update(text).is_ok(), "{text}: {:?}", update(text));
    }
}

#[test]
fn every_other_text_is_refused_with_its_own_sentence() {
    for (text, sentence) in [
        ("", "The expression can not be empty;"),
        ("SET", "Syntax error; token: \"<EOF>\", near: \"SET\""),
        ("SET a", "Syntax error; token: \"<EOF>\", near: \"a\""),
        ("SET a =", "Syntax error; token: \"<EOF>\", near: \"=\""),
        ("SET a = :s SET b = :s", "The \"SET\" section can only be used once in an update expression;"),
        ("SET a=:s,", "Syntax error; token: \"<EOF>\", near: \",\""),
        ("REMOVE", "Syntax error; token: \"<EOF>\", near: \"REMOVE\""),
        ("REMOVE a b", "Syntax error; token: \"b\", near: \"a b\""),
        ("ADD a", "Syntax error; token: \"<EOF>\", near: \"a\""),
        ("ADD a b", "Syntax error; token: \"b\", near: \"a b\""),
        (
            "ADD a :s",
            "Incorrect operand type for operator or function; operator: ADD, operand type: STRING, typeSet: ALLOWED_FOR_ADD_OPERAND",
        ),
        (
            "ADD a :l",
            "Incorrect operand type for operator or function; operator: ADD, operand type: LIST, typeSet: ALLOWED_FOR_ADD_OPERAND",
        ),
        (
            "ADD a :b",
            "Incorrect operand type for operator or function; operator: ADD, operand type: BOOLEAN, typeSet: ALLOWED_FOR_ADD_OPERAND",
        ),
        (
            "ADD a :m",
            "Incorrect operand type for operator or function; operator: ADD, operand type: MAP, typeSet: ALLOWED_FOR_ADD_OPERAND",
        ),
        (
            "ADD a :nul",
            "Incorrect operand type for operator or function; operator: ADD, operand type: NULL, typeSet: ALLOWED_FOR_ADD_OPERAND",
        ),
        (
            "ADD a :bin",
            "Incorrect operand type for operator or function; operator: ADD, operand type: BINARY, typeSet: ALLOWED_FOR_ADD_OPERAND",
        ),
        (
            "DELETE a :n",
            "Incorrect operand type for operator or function; operator: DELETE, operand type: NUMBER, typeSet: ALLOWED_FOR_DELETE_OPERAND",
        ),
        (
            "DELETE a :s",
            "Incorrect operand type for operator or function; operator: DELETE, operand type: STRING, typeSet: ALLOWED_FOR_DELETE_OPERAND",
        ),
        (
            "SET a = :s REMOVE a",
            "Two document paths overlap with each other; must remove or rewrite one of these paths; path one: [a], path two: [a]",
        ),
        (
            "SET a = :s, a.b = :s",
            "Two document paths overlap with each other; must remove or rewrite one of these paths; path one: [a], path two: [a, b]",
        ),
        (
            "SET a[1] = :s, a.b = :s",
            "Two document paths conflict with each other; must remove or rewrite one of these paths; path one: [a, [1]], path two: [a, b]",
        ),
        (
            "SET a.b = :s, a[1]=:s",
            "Two document paths conflict with each other; must remove or rewrite one of these paths; path one: [a, b], path two: [a, [1]]",
        ),
        (
            "REMOVE a, a",
            "Two document paths overlap with each other; must remove or rewrite one of these paths; path one: [a], path two: [a]",
        ),
        (
            "SET a[1]=:s REMOVE a",
            "Two document paths overlap with each other; must remove or rewrite one of these paths; path one: [a, [1]], path two: [a]",
        ),
        ("foo a", "Syntax error; token: \"foo\", near: \"foo a\""),
        ("SET abort = :s", "Attribute name is a reserved keyword; reserved keyword: abort"),
        ("SET a = abort", "Attribute name is a reserved keyword; reserved keyword: abort"),
        ("SET a = :un", "An expression attribute value used in expression is not defined; attribute value: :un"),
        ("SET #un = :s", "An expression attribute name used in the document path is not defined; attribute name: #un"),
        ("SET a = :n + :n + :n", "Syntax error; token: \"+\", near: \":n + :n\""),
        ("SET a = ((:n))", "The expression has redundant parentheses;"),
        ("SET a = ((:n + :n))", "The expression has redundant parentheses;"),
        ("SET a = (:n + :n) + :n", "Syntax error; token: \"+\", near: \") + :n\""),
        ("SET a = :n + (:n + :n)", "Syntax error; token: \"+\", near: \":n + :n\""),
        (
            "SET a = :s + :n",
            "Incorrect operand type for operator or function; operator or function: +, operand type: S",
        ),
        (
            "SET a = :n - :l",
            "Incorrect operand type for operator or function; operator or function: -, operand type: L",
        ),
        ("SET a = foo(b)", "Invalid function name; function: foo"),
        ("SET a = size(b)", "The function is not allowed in an update expression; function: size"),
        (
            "SET a = if_not_exists(b)",
            "Incorrect number of operands for operator or function; operator or function: if_not_exists, number of operands: 1",
        ),
        (
            "SET a = if_not_exists(:s, :s)",
            "Operator or function requires a document path; operator or function: if_not_exists",
        ),
        (
            "SET a = list_append(:s,:l)",
            "Incorrect operand type for operator or function; operator or function: list_append, operand type: S",
        ),
        (
            "SET a = list_append(:l)",
            "Incorrect number of operands for operator or function; operator or function: list_append, number of operands: 1",
        ),
        (
            "SET a = list_append(:l,:l)+:n",
            "The function is not allowed to be used this way in an expression; function: list_append",
        ),
        ("SET a = if_not_exists(zz, :n + :n)", "Syntax error; token: \"+\", near: \":n + :n\""),
        (
            "SET a = if_not_exists(if_not_exists(a,:n), :n)",
            "Operator or function requires a document path; operator or function: if_not_exists",
        ),
        ("SET a = IF_NOT_EXISTS(a,:n)", "Invalid function name; function: IF_NOT_EXISTS"),
        (
            "SET a = :s ADD a :n",
            "Two document paths overlap with each other; must remove or rewrite one of these paths; path one: [a], path two: [a]",
        ),
        (
            "SET a=:s REMOVE b ADD c :n DELETE d :ss SET e = :s",
            "The \"SET\" section can only be used once in an update expression;",
        ),
        ("SET a=:s b=:s", "Syntax error; token: \"b\", near: \":s b=\""),
        ("SET a=:s REMOVE", "Syntax error; token: \"<EOF>\", near: \"REMOVE\""),
        (
            "SET a = attribute_exists(b)",
            "The function is not allowed in an update expression; function: attribute_exists",
        ),
        ("SET a = :s = :s", "Syntax error; token: \"=\", near: \":s = :s\""),
        ("SET (a) = :s", "Syntax error; token: \"(\", near: \"SET (a\""),
        ("SET a=:s WHERE b=:s", "Syntax error; token: \"WHERE\", near: \":s WHERE b\""),
        ("SET size = :s", "Attribute name is a reserved keyword; reserved keyword: size"),
        ("SET a.set = :s", "Syntax error; token: \"set\", near: \".set =\""),
        ("SET add=:s", "Syntax error; token: \"add\", near: \"SET add=\""),
        ("ADD add :n", "Syntax error; token: \"add\", near: \"ADD add :n\""),
        ("SET a = set", "Syntax error; token: \"set\", near: \"= set\""),
        ("SET a = list_append(:n + :n, :l)", "Syntax error; token: \"+\", near: \":n + :n\""),
        ("SET a = :un, abort = :s", "Attribute name is a reserved keyword; reserved keyword: abort"),
        ("SET a=foo(:un), abort=:s", "Invalid function name; function: foo"),
        ("SET a = foo(abort)", "Invalid function name; function: foo"),
        ("SET a=:s SET abort=:s", "Attribute name is a reserved keyword; reserved keyword: abort"),
        (
            "SET a=:un, #un=:s",
            "An expression attribute name used in the document path is not defined; attribute name: #un",
        ),
        (
            "SET a=#un + :un",
            "An expression attribute name used in the document path is not defined; attribute name: #un",
        ),
        (
            "SET a=:un REMOVE a",
            "Two document paths overlap with each other; must remove or rewrite one of these paths; path one: [a], path two: [a]",
        ),
        (
            "SET a=:s REMOVE a ADD b :s",
            "Two document paths overlap with each other; must remove or rewrite one of these paths; path one: [a], path two: [a]",
        ),
        (
            "SET a=:s+:n REMOVE a",
            "Two document paths overlap with each other; must remove or rewrite one of these paths; path one: [a], path two: [a]",
        ),
        (
            "SET b = if_not_exists(:s,:s) REMOVE b",
            "Two document paths overlap with each other; must remove or rewrite one of these paths; path one: [b], path two: [b]",
        ),
        (
            "ADD b :s SET b = :s+:n",
            "Two document paths overlap with each other; must remove or rewrite one of these paths; path one: [b], path two: [b]",
        ),
        (
            "SET b=:s+:n ADD c :s",
            "Incorrect operand type for operator or function; operator: ADD, operand type: STRING, typeSet: ALLOWED_FOR_ADD_OPERAND",
        ),
        ("SET b=size(a)", "The function is not allowed in an update expression; function: size"),
        (
            "SET a=if_not_exists(a,:n)-:s",
            "Incorrect operand type for operator or function; operator or function: -, operand type: S",
        ),
        (
            "ADD zz :bin",
            "Incorrect operand type for operator or function; operator: ADD, operand type: BINARY, typeSet: ALLOWED_FOR_ADD_OPERAND",
        ),
        ("SET abort = foo(a)", "Attribute name is a reserved keyword; reserved keyword: abort"),
        ("SET a = foo(a), abort=:s", "Invalid function name; function: foo"),
        ("SET a=:s SET b=foo(a)", "Invalid function name; function: foo"),
        ("SET b=foo(a) SET a=:s", "Invalid function name; function: foo"),
        ("SET a=size(b), abort=:s", "The function is not allowed in an update expression; function: size"),
        ("SET abort=size(b)", "Attribute name is a reserved keyword; reserved keyword: abort"),
        (
            "SET a=list_append(:l,:l)+:n, abort=:s",
            "The function is not allowed to be used this way in an expression; function: list_append",
        ),
        ("SET abort=list_append(:l,:l)+:n", "Attribute name is a reserved keyword; reserved keyword: abort"),
        ("SET a=:s SET b=size(a)", "The function is not allowed in an update expression; function: size"),
        ("SET a=((:n)), b=foo(a)", "The expression has redundant parentheses;"),
        ("SET a=((:n)), abort = :n", "The expression has redundant parentheses;"),
        (
            "SET a=list_append(:un,:s), b=:s+:n",
            "Incorrect operand type for operator or function; operator or function: +, operand type: S",
        ),
        ("SET a=:s+:n, b=:un", "An expression attribute value used in expression is not defined; attribute value: :un"),
        (
            "SET a=if_not_exists(b), c=:un",
            "An expression attribute value used in expression is not defined; attribute value: :un",
        ),
        (
            "SET a=:un, b=if_not_exists(b)",
            "Incorrect number of operands for operator or function; operator or function: if_not_exists, number of operands: 1",
        ),
        (
            "SET a=if_not_exists(b), a=:s",
            "Two document paths overlap with each other; must remove or rewrite one of these paths; path one: [a], path two: [a]",
        ),
        ("SET a=:un+#un", "An expression attribute value used in expression is not defined; attribute value: :un"),
        (
            "SET a=if_not_exists(:un,#un)",
            "An expression attribute value used in expression is not defined; attribute value: :un",
        ),
        (
            "SET a=:s, a=:s, c=:un",
            "Two document paths overlap with each other; must remove or rewrite one of these paths; path one: [a], path two: [a]",
        ),
        ("ADD a :s SET c=:un", "An expression attribute value used in expression is not defined; attribute value: :un"),
        (
            "SET c=:un ADD a :s",
            "Incorrect operand type for operator or function; operator: ADD, operand type: STRING, typeSet: ALLOWED_FOR_ADD_OPERAND",
        ),
        (
            "SET c=:s+:n ADD a :s",
            "Incorrect operand type for operator or function; operator: ADD, operand type: STRING, typeSet: ALLOWED_FOR_ADD_OPERAND",
        ),
        (
            "ADD a :s SET c=:s+:n",
            "Incorrect operand type for operator or function; operator or function: +, operand type: S",
        ),
        ("SET a[99999999999]=:s", "List index is not within the allowable range; index: [99999999999]"),
        ("SET a[99999999999]=:s, abort=:s", "List index is not within the allowable range; index: [99999999999]"),
        (
            "SET a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a = :s",
            "The document path has too many nesting levels; nesting levels: 33",
        ),
        (
            "SET a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a = :s, abort=:s",
            "Attribute name is a reserved keyword; reserved keyword: abort",
        ),
        (
            "SET a.b=:s, a[1]=:s, a=:s",
            "Two document paths overlap with each other; must remove or rewrite one of these paths; path one: [a, [1]], path two: [a]",
        ),
        (
            "SET a.b=:s, a=:s, a[1]=:s",
            "Two document paths overlap with each other; must remove or rewrite one of these paths; path one: [a], path two: [a, [1]]",
        ),
        (
            "SET x=:s REMOVE x ADD z :un",
            "Two document paths overlap with each other; must remove or rewrite one of these paths; path one: [x], path two: [x]",
        ),
        (
            "SET a = list_append(list_append(:l,:l),:l)",
            "The function is not allowed to be used this way in an expression; function: list_append",
        ),
        (
            "SET a = list_append(list_append(:l,:s),:l)",
            "The function is not allowed to be used this way in an expression; function: list_append",
        ),
        (
            "SET a = if_not_exists(zz,list_append(:l,:l))",
            "The function is not allowed to be used this way in an expression; function: list_append",
        ),
        (
            "SET a = if_not_exists(zz,list_append(:l,:l))+:n",
            "The function is not allowed to be used this way in an expression; function: list_append",
        ),
        (
            "REMOVE #un, a, a",
            "Two document paths overlap with each other; must remove or rewrite one of these paths; path one: [a], path two: [a]",
        ),
        (
            "REMOVE a, a, #un",
            "An expression attribute name used in the document path is not defined; attribute name: #un",
        ),
        (
            "REMOVE a, a.b, c.d, c",
            "Two document paths overlap with each other; must remove or rewrite one of these paths; path one: [c, d], path two: [c]",
        ),
        (
            "REMOVE c.d, c[0], a, a.b",
            "Two document paths overlap with each other; must remove or rewrite one of these paths; path one: [a], path two: [a, b]",
        ),
        (
            "SET a=:s, b=:s, c=:un, a.b=:s",
            "Two document paths overlap with each other; must remove or rewrite one of these paths; path one: [a], path two: [a, b]",
        ),
        ("SET x = ((:n", "Syntax error; token: \"<EOF>\", near: \":n\""),
        ("SET x = (((:n))", "Syntax error; token: \"<EOF>\", near: \")\""),
        ("SET x = ((:n)) + :s SET y", "The expression has redundant parentheses;"),
        ("SET a = (((:n) + :n)", "Syntax error; token: \"<EOF>\", near: \")\""),
        ("SET a=((:n)", "Syntax error; token: \"<EOF>\", near: \")\""),
        ("SET a=((:n +", "Syntax error; token: \"<EOF>\", near: \"+\""),
        ("SET a=((:n) +", "Syntax error; token: \"<EOF>\", near: \"+\""),
    ] {
        assert_eq!(refusal(update(text)), format!("Invalid UpdateExpression: {sentence}"), "{text}");
    }
}
