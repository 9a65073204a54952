//! Client request tokens: a retried transaction is recognised for ten minutes, across restarts.
//!
//! The token is stored in the same commit as the transaction it belongs to, so there is no moment at which one
//! exists without the other.

use bytes::Bytes;
use espalier_dynamo::error::Invalid;
use espalier_dynamo::{Error as Fault, Result};

use super::Draft;
use crate::layout::Key;
use crate::limits::TOKEN_MS;

/// The token was used with another request.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "Idempotent operation detected with different parameters: the client request token was used before with another request"
)]
pub struct Mismatch;

/// A token, and what it stands for.
#[derive(Debug, Clone)]
pub struct Claim {
    /// The client's token.
    pub token: String,
    /// A digest of the request.
    pub fingerprint: [u8; 16],
}

impl Claim {
    /// Whether this very request was carried out under this token before.
    pub fn is_repeated(&self, draft: &Draft) -> Result<bool> {
        let stored = draft.snapshot().get(&Key::Token(self.token.as_bytes()).encode()).map_err(Fault::internal)?;
        let Some((expires_ms, fingerprint)) = stored.as_deref().and_then(|stored| stored.split_first_chunk::<8>())
        else {
            return Ok(false);
        };
        if i64::from_be_bytes(*expires_ms) <= draft.now_ms() {
            return Ok(false);
        }
        if fingerprint != self.fingerprint {
            return Err(Fault::IdempotentParameterMismatch(Invalid::new(Mismatch)));
        }
        Ok(true)
    }

    /// Stores the token beside the writes of the draft.
    pub fn remember(&self, draft: &mut Draft) {
        let expires_ms = draft.now_ms() + TOKEN_MS;
        let mut value = expires_ms.to_be_bytes().to_vec();
        value.extend_from_slice(&self.fingerprint);
        let token = self.token.as_bytes();
        draft.raw().put(Key::Token(token).encode(), value);
        draft.raw().put(Key::TokenAge(expires_ms, token).encode(), Bytes::new());
    }
}
