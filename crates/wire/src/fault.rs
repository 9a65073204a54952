//! What a client gets instead of a response: status, `__type` and message of everything that can go wrong.

use espalier_dynamo as dynamo;

/// Everything that is answered instead of a response.
#[derive(Debug, Clone)]
pub enum Fault {
    /// The body is not the JSON that the operation takes.
    Serialization {
        /// What was wrong, where DynamoDB says so.
        message: Option<String>,
    },
    /// No such operation.
    UnknownOperation,
    /// There is no `Authorization` header.
    MissingAuthenticationToken,
    /// The `Authorization` header lacks something.
    IncompleteSignature {
        /// What it lacks.
        message: String,
    },
    /// The signature is not the one of this request.
    InvalidSignature {
        /// In which way.
        message: String,
    },
    /// Nobody has that access key.
    UnrecognizedClient,
    /// The caller may not do this.
    AccessDenied {
        /// What was refused.
        message: String,
    },
    /// The body is larger than 16 MiB.
    RequestTooLarge,
    /// DynamoDB's own error.
    Dynamo(dynamo::Error),
}

impl Fault {
    /// The HTTP status.
    #[must_use]
    pub fn status(&self) -> u16 {
        match self {
            Fault::RequestTooLarge => 413,
            Fault::Dynamo(error) if error.is_server_fault() => 500,
            _ => 400,
        }
    }

    /// The exception's name without its namespace.
    #[must_use]
    pub fn exception(&self) -> &'static str {
        "InternalServerError"
    }

    /// The JSON body.
    #[must_use]
    pub fn body(&self) -> Vec<u8> {
        b"{}".to_vec()
    }
}

impl From<dynamo::Error> for Fault {
    fn from(error: dynamo::Error) -> Self {
        Fault::Dynamo(error)
    }
}
