//! Statements: SELECT, INSERT, UPDATE, DELETE, and UPDATE's other form, FROM … SET.

use super::expression::{CLAUSE, LOWEST};
use super::{Malformed, Parser, Result};
use crate::partiql::lexer::{Kind, Span};
use crate::partiql::syntax::{
    Aliased, Change, Columns, Delete, Expr, Insert, Mapping, Node, Returning, Select, Source, Statement, Step, Update,
};

impl Parser {
    /// A statement that starts with the keyword at hand.
    pub(super) fn statement(&mut self, word: &str) -> Result<Statement> {
        match word {
            "select" => {
                self.advance();
                self.deeper(Self::select).map(Statement::Select)
            }
            "insert" if self.is_keyword_second("into") => self.insert().map(Statement::Insert),
            "update" => {
                self.advance();
                let source = self.written_source()?;
                let changes = self.changes()?;
                let filter = self.filter(LOWEST)?;
                let returning = self.returning()?;
                Ok(Statement::Update(Update { source, changes, filter, returning }))
            }
            "from" => {
                self.advance();
                let source = self.source(LOWEST)?;
                let filter = self.filter(LOWEST)?;
                let changes = self.changes()?;
                let returning = self.returning()?;
                Ok(Statement::Update(Update { source, changes, filter, returning }))
            }
            "delete" => {
                self.advance();
                if !self.accept_keyword("from") {
                    return Err(Malformed::DeleteFrom);
                }
                let source = self.written_source()?;
                let filter = self.filter(LOWEST)?;
                let returning = self.returning()?;
                Ok(Statement::Delete(Delete { source, filter, returning }))
            }
            "set" | "remove" => self.changes().map(|_| Statement::Other("DataManipulation")),
            "create" | "drop" if self.is_keyword_second("table") => {
                self.advance();
                self.advance();
                self.simple_path()?;
                Ok(Statement::Other(if word == "create" { "CreateTable" } else { "DropTable" }))
            }
            _ => Err(Malformed::Keyword),
        }
    }

    fn select(&mut self) -> Result<Select> {
        let distinct = self.accept_keyword("distinct");
        if !distinct {
            self.accept_keyword("all");
        }
        let columns = if self.accept_keyword("value") {
            self.expression(LOWEST)?;
            Columns::Value
        } else {
            self.columns()?
        };
        let columns = if distinct { Columns::Distinct } else { columns };
        if !self.accept_keyword("from") {
            return Err(Malformed::SelectFrom);
        }
        let source = self.source(CLAUSE)?;
        let filter = self.filter(CLAUSE)?;
        let order = self.order()?;
        let unsupported = self.unsupported_clauses()?;
        Ok(Select { columns, source, filter, order, unsupported })
    }

    fn columns(&mut self) -> Result<Columns> {
        let mut aliased = Aliased::No;
        let columns = self.list(|parser| {
            if parser.accept_sign("*") {
                return Ok(None);
            }
            if let Kind::Keyword(word) = parser.peek()
                && matches!(word.as_str(), "set" | "remove" | "update" | "delete" | "select" | "from" | "where")
            {
                return Err(Malformed::ColumnKeyword(word.clone()));
            }
            let column = parser.expression(LOWEST)?;
            let stars = |step: &Step| matches!(step, Step::Wildcard | Step::Unpivot);
            if matches!(&column.node, Node::Path(_, steps) if steps.iter().any(stars)) {
                return Err(Malformed::StarInPath);
            }
            if parser.alias()? == Aliased::Yes {
                aliased = Aliased::Yes;
            }
            Ok(Some(column))
        })?;
        if columns.len() > 1 && columns.iter().any(Option::is_none) {
            return Err(Malformed::StarNotAlone);
        }
        let columns: Vec<Expr> = columns.into_iter().flatten().collect();
        Ok(if columns.is_empty() { Columns::All } else { Columns::List(columns, aliased) })
    }

    /// `AS name`, or just a name.
    fn alias(&mut self) -> Result<Aliased> {
        let keyword = self.accept_keyword("as");
        match self.peek() {
            Kind::Name(_) => {
                self.advance();
                Ok(Aliased::Yes)
            }
            _ if keyword => Err(Malformed::Expected("identifier for AS-alias")),
            _ => Ok(Aliased::No),
        }
    }

    /// What a SELECT reads.
    fn source(&mut self, precedence: u8) -> Result<Source> {
        let expr = self.expression(precedence)?;
        let aliased = self.alias()?;
        let mut several = false;
        while self.accept_sign(",") {
            several = true;
            self.expression(precedence)?;
            self.alias()?;
        }
        Ok(match (several, aliased) {
            (true, _) => Source::Several,
            (false, Aliased::Yes) => Source::Aliased,
            (false, Aliased::No) => names(expr),
        })
    }

    /// What UPDATE and DELETE change.
    fn written_source(&mut self) -> Result<Source> {
        let path = self.simple_path()?;
        Ok(if self.alias()? == Aliased::Yes { Source::Aliased } else { names(path) })
    }

    fn filter(&mut self, precedence: u8) -> Result<Option<Expr>> {
        if self.accept_keyword("where") { self.expression(precedence).map(Some) } else { Ok(None) }
    }

    fn order(&mut self) -> Result<Vec<(Expr, bool)>> {
        if !self.accept_keyword("order") {
            return Ok(Vec::new());
        }
        if !self.accept_keyword("by") {
            return Err(Malformed::Expected("BY"));
        }
        self.list(|parser| {
            let expr = parser.expression(LOWEST)?;
            let descending = parser.accept_keyword("desc");
            if !descending {
                parser.accept_keyword("asc");
            }
            Ok((expr, descending))
        })
    }

    /// Clauses that are well formed, and that DynamoDB does not have.
    fn unsupported_clauses(&mut self) -> Result<Option<(&'static str, Option<Span>)>> {
        let mut first = None;
        if self.accept_keyword("group") {
            if !self.accept_keyword("by") {
                return Err(Malformed::Expected("BY"));
            }
            self.list(|parser| parser.expression(CLAUSE))?;
            first = first.or(Some(("GROUP BY", None)));
        }
        for (keyword, name) in [("having", "HAVING"), ("limit", "LIMIT"), ("offset", "OFFSET")] {
            if self.accept_keyword(keyword) {
                let expr = self.expression(CLAUSE)?;
                first = first.or(Some((name, Some(expr.at))));
            }
        }
        Ok(first)
    }

    fn insert(&mut self) -> Result<Insert> {
        let insert_at = self.at();
        self.advance();
        self.advance();
        let source = names(self.simple_path()?);
        let single = self.accept_keyword("value");
        if !single && self.is_keyword("values") {
            self.advance();
        }
        let value = self.expression(LOWEST)?;
        let mut insert = Insert { source, value, single, at: None, on_conflict: false, returning: false };
        if single {
            if self.accept_keyword("at") {
                self.expression(LOWEST)?;
                insert.at = Some(insert_at);
            }
            if self.accept_keywords("on", "conflict") {
                let conditional = self.filter(LOWEST)?.is_some();
                if !conditional || !self.accept_keywords("do", "nothing") {
                    return Err(Malformed::OnConflict);
                }
                insert.on_conflict = true;
            }
            insert.returning = self.returning()?.is_some();
        }
        Ok(insert)
    }

    /// SET and REMOVE, in any order and number.
    fn changes(&mut self) -> Result<Vec<Change>> {
        let mut changes = Vec::new();
        loop {
            if self.accept_keyword("set") {
                changes.extend(self.list(|parser| {
                    let path = parser.simple_path()?;
                    if !parser.accept_sign("=") {
                        return Err(Malformed::Assignment);
                    }
                    Ok(Change::Set(path, parser.expression(LOWEST)?))
                })?);
            } else if self.accept_keyword("remove") {
                changes.push(Change::Remove(self.simple_path()?));
            } else if changes.is_empty() {
                return Err(Malformed::Manipulation);
            } else {
                return Ok(changes);
            }
        }
    }

    fn returning(&mut self) -> Result<Option<Returning>> {
        if !self.accept_keyword("returning") {
            return Ok(None);
        }
        let elements = self.list(|parser| {
            let all = parser.is_keyword("all");
            if !all && !parser.is_keyword("modified") {
                return Err(Malformed::Returning);
            }
            parser.advance();
            let mapping = match (all, parser.peek()) {
                (true, Kind::Keyword(word)) if word == "old" => Mapping::AllOld,
                (true, Kind::Keyword(word)) if word == "new" => Mapping::AllNew,
                (false, Kind::Keyword(word)) if word == "old" => Mapping::ModifiedOld,
                (false, Kind::Keyword(word)) if word == "new" => Mapping::ModifiedNew,
                _ => return Err(Malformed::Returning),
            };
            parser.advance();
            if parser.accept_sign("*") {
                return Ok(Returning::Star(mapping));
            }
            parser.expression(LOWEST)?;
            Ok(Returning::Columns)
        })?;
        Ok(Some(match elements.as_slice() {
            [only] => *only,
            _ => Returning::Several,
        }))
    }
}

fn names(expr: Expr) -> Source {
    match expr.node {
        Node::Name(name) => Source::Names(vec![name]),
        Node::Path(root, steps) => {
            let Node::Name(name) = root.node else { return Source::Other };
            let mut names = vec![name];
            for step in steps {
                let Step::Name(name) = step else { return Source::Other };
                names.push(name);
            }
            Source::Names(names)
        }
        _ => Source::Other,
    }
}
