//! Next tokens: where the next page of a statement starts. A token is opaque, bound to its statement and its
//! parameters, and carries a digest of itself; reading one trusts no byte of it.

use espalier_dynamo::item::{Item, ValueRef, encode};
use espalier_dynamo::operation::partiql::ParameterizedStatement;
use espalier_dynamo::value::Type;
use espalier_dynamo::{Map, Number, Value};
use md5::{Digest, Md5};

use super::error::Error;

const VERSION: u8 = 1;
const DIGEST: usize = 16;

/// Where the next page starts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Position {
    /// Which of the statement's reads comes next.
    pub(super) read: usize,
    /// After which item, unless it starts at its beginning.
    pub(super) after: Option<Item>,
}

impl Position {
    /// The token for this position in a statement's answer.
    pub(super) fn encode(&self, statement: &ParameterizedStatement) -> String {
        let mut bytes = vec![VERSION];
        bytes.extend_from_slice(&digest_of(statement));
        bytes.extend_from_slice(&(self.read as u16).to_be_bytes());
        for (name, value) in self.after.iter().flat_map(Item::iter) {
            let (kind, content) = match &value {
                ValueRef::S(text) => (Type::S, text.as_bytes().to_vec()),
                ValueRef::B(binary) => (Type::B, binary.to_vec()),
                ValueRef::N(number) => (Type::N, number.as_bytes().to_vec()),
                _ => continue,
            };
            bytes.push(kind as u8);
            for part in [name.as_bytes(), &content] {
                bytes.extend_from_slice(&(part.len() as u16).to_be_bytes());
                bytes.extend_from_slice(part);
            }
        }
        let digest: [u8; DIGEST] = Md5::digest(&bytes).into();
        bytes.extend_from_slice(&digest);
        base64_simd::STANDARD.encode_to_string(&bytes)
    }

    /// The position that a token stands for.
    pub(super) fn decode(token: &str, statement: &ParameterizedStatement) -> Result<Self, Error> {
        let bytes = base64_simd::STANDARD.decode_to_vec(token).map_err(|_| Error::NextToken)?;
        let (content, digest) = bytes.split_last_chunk::<DIGEST>().ok_or(Error::NextToken)?;
        if <[u8; DIGEST]>::from(Md5::digest(content)) != *digest {
            return Err(Error::NextToken);
        }
        let rest = content.strip_prefix(&[VERSION]).ok_or(Error::NextToken)?;
        let (bound_to, rest) = rest.split_first_chunk::<DIGEST>().ok_or(Error::NextToken)?;
        if *bound_to != digest_of(statement) {
            return Err(Error::NextTokenMismatch);
        }
        let (read, rest) = rest.split_first_chunk::<2>().ok_or(Error::NextToken)?;
        let key = read_key(rest).ok_or(Error::NextToken)?;
        let after = (!key.is_empty()).then(|| Item::from(key));
        Ok(Self { read: usize::from(u16::from_be_bytes(*read)), after })
    }
}

fn read_key(mut rest: &[u8]) -> Option<Map> {
    let mut key = Map::new();
    while let Some((kind, after)) = rest.split_first() {
        let (name, after) = read_part(after)?;
        let (content, after) = read_part(after)?;
        let value = match kind {
            kind if *kind == Type::S as u8 => Value::S(std::str::from_utf8(content).ok()?.to_owned()),
            kind if *kind == Type::B as u8 => Value::B(content.to_vec()),
            kind if *kind == Type::N as u8 => Value::N(Number::from_bytes(content)?),
            _ => return None,
        };
        key.insert(std::str::from_utf8(name).ok()?.to_owned(), value);
        rest = after;
    }
    Some(key)
}

fn read_part(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let (length, rest) = bytes.split_first_chunk::<2>()?;
    rest.split_at_checked(usize::from(u16::from_be_bytes(*length)))
}

/// A digest of what was asked, so that a token answers nothing else.
fn digest_of(statement: &ParameterizedStatement) -> [u8; DIGEST] {
    let mut bytes = (statement.statement.len() as u64).to_be_bytes().to_vec();
    bytes.extend_from_slice(statement.statement.as_bytes());
    for parameter in statement.parameters.iter().flatten() {
        encode::value(&mut bytes, parameter);
    }
    Md5::digest(&bytes).into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn statement(text: &str) -> ParameterizedStatement {
        ParameterizedStatement { statement: text.to_owned(), ..ParameterizedStatement::default() }
    }

    fn position() -> Position {
        let key: Map = [
            ("p".to_owned(), Value::from("a")),
            ("s".to_owned(), Value::from(7)),
            ("b".to_owned(), Value::B(vec![0, 255])),
        ]
        .into();
        Position { read: 3, after: Some(key.into()) }
    }

    #[test]
    fn a_token_comes_back_as_it_was() {
        for position in [position(), Position { read: 1, after: None }] {
            let token = position.encode(&statement("SELECT"));
            assert_eq!(Position::decode(&token, &statement("SELECT")), Ok(position));
        }
    }

    #[test]
    fn a_token_belongs_to_its_statement() {
        let token = position().encode(&statement("SELECT"));
        assert_eq!(Position::decode(&token, &statement("SELECT ")), Err(Error::NextTokenMismatch));
        let mut parameters = statement("SELECT");
        parameters.parameters = Some(vec![Value::from(1)]);
        assert_eq!(Position::decode(&token, &parameters), Err(Error::NextTokenMismatch));
    }

    proptest! {
        #[test]
        fn a_changed_token_is_refused(at in 0usize..1000, with in any::<char>()) {
            let token = position().encode(&statement("SELECT"));
            let mut changed: Vec<char> = token.chars().collect();
            let at = at % changed.len();
            prop_assume!(changed[at] != with);
            changed[at] = with;
            let changed: String = changed.into_iter().collect();
            prop_assert_eq!(Position::decode(&changed, &statement("SELECT")), Err(Error::NextToken));
        }

        #[test]
        fn any_bytes_with_a_good_digest_are_read_without_harm(tail in prop::collection::vec(any::<u8>(), 0..80)) {
            let mut bytes = vec![VERSION];
            bytes.extend_from_slice(&digest_of(&statement("SELECT")));
            bytes.extend_from_slice(&tail);
            let digest: [u8; DIGEST] = Md5::digest(&bytes).into();
            bytes.extend_from_slice(&digest);
            let _ = Position::decode(&base64_simd::STANDARD.encode_to_string(&bytes), &statement("SELECT"));
        }
    }
}
