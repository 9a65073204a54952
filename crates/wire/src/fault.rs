//! What a client gets instead of a response: status, `__type` and message of everything that can go wrong.
//!
//! Nothing outside this file knows these three. They are derived from the variant, never from text.

use espalier_dynamo as dynamo;
use espalier_dynamo::error::CancellationReason;

use crate::fields::Mismatch;
use crate::response::writer::Object;

/// The namespace of exceptions that Amazon's service framework raises.
const FRAMEWORK: &str = "com.amazon.coral.service#";
/// The namespace of `ValidationException`.
const VALIDATION: &str = "com.amazon.coral.validate#";
/// The namespace of DynamoDB's own exceptions.
const DYNAMODB: &str = "com.amazonaws.dynamodb.v20120810#";

/// Everything that is answered instead of a response.
#[derive(Debug, Clone)]
pub enum Fault {
    /// The body is not the JSON that the operation takes.
    Serialization {
        /// Which type is wrong; `None` if it is not even JSON, about which DynamoDB says nothing.
        message: Option<Mismatch>,
    },
    /// No such operation.
    UnknownOperation,
    /// An operation of Amazon's that is not offered here.
    NotOffered {
        /// Its name.
        operation: String,
    },
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

/// Under which key the message stands; Amazon uses both.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum MessageKey {
    Lower,
    Upper,
}

/// Namespace, name and key of the message.
struct Exception(&'static str, &'static str, MessageKey);

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
        self.kind().1
    }

    /// The JSON body.
    #[must_use]
    pub fn body(&self) -> Vec<u8> {
        let Exception(namespace, name, key) = self.kind();
        let mut out = Vec::with_capacity(256);
        let mut object = Object::begin(&mut out);
        object.text("__type", &format!("{namespace}{name}"));
        if let Fault::Dynamo(dynamo::Error::TransactionCanceled(reasons)) = self {
            object.list("CancellationReasons", reasons, cancellation_reason);
        }
        if let Some(message) = self.message() {
            let key = if key == MessageKey::Upper { "Message" } else { "message" };
            object.text(key, &message);
        }
        if let Fault::Dynamo(dynamo::Error::ConditionalCheckFailed { item: Some(item) }) = self {
            object.item("Item", item);
        }
        object.end();
        out
    }

    fn message(&self) -> Option<String> {
        match self {
            Fault::Serialization { message } => message.as_ref().map(ToString::to_string),
            Fault::UnknownOperation => None,
            Fault::NotOffered { operation } => {
                Some(format!("The operation {operation} is part of DynamoDB but is not offered by this server"))
            }
            Fault::MissingAuthenticationToken => Some("Request is missing Authentication Token".to_owned()),
            Fault::UnrecognizedClient => Some("The security token included in the request is invalid.".to_owned()),
            Fault::RequestTooLarge => Some("Request size exceeded 16777216 bytes".to_owned()),
            Fault::IncompleteSignature { message }
            | Fault::InvalidSignature { message }
            | Fault::AccessDenied { message } => Some(message.clone()),
            Fault::Dynamo(error) => Some(error.to_string()),
        }
    }

    fn kind(&self) -> Exception {
        use MessageKey::{Lower, Upper};
        match self {
            Fault::Serialization { .. } => Exception(FRAMEWORK, "SerializationException", Upper),
            Fault::UnknownOperation | Fault::NotOffered { .. } => {
                Exception(FRAMEWORK, "UnknownOperationException", Lower)
            }
            Fault::MissingAuthenticationToken => Exception(FRAMEWORK, "MissingAuthenticationTokenException", Lower),
            Fault::IncompleteSignature { .. } => Exception(FRAMEWORK, "IncompleteSignatureException", Lower),
            Fault::InvalidSignature { .. } => Exception(FRAMEWORK, "InvalidSignatureException", Lower),
            Fault::UnrecognizedClient => Exception(FRAMEWORK, "UnrecognizedClientException", Lower),
            Fault::AccessDenied { .. } => Exception(FRAMEWORK, "AccessDeniedException", Upper),
            Fault::RequestTooLarge => Exception(FRAMEWORK, "RequestEntityTooLargeException", Lower),
            Fault::Dynamo(error) => dynamo_exception(error),
        }
    }
}

fn dynamo_exception(error: &dynamo::Error) -> Exception {
    use MessageKey::{Lower, Upper};
    let (name, key) = match error {
        dynamo::Error::Validation(_) => return Exception(VALIDATION, "ValidationException", Lower),
        dynamo::Error::NotOffered(_) => return Exception(FRAMEWORK, "UnknownOperationException", Lower),
        dynamo::Error::AccessDenied(_) => return Exception(FRAMEWORK, "AccessDeniedException", Upper),
        dynamo::Error::ConditionalCheckFailed { .. } => ("ConditionalCheckFailedException", Lower),
        dynamo::Error::TransactionCanceled(_) => ("TransactionCanceledException", Upper),
        dynamo::Error::TransactionConflict => ("TransactionConflictException", Lower),
        dynamo::Error::IdempotentParameterMismatch(_) => ("IdempotentParameterMismatchException", Upper),
        dynamo::Error::ResourceNotFound(_) => ("ResourceNotFoundException", Lower),
        dynamo::Error::TableNotFound(_) => ("TableNotFoundException", Lower),
        dynamo::Error::ResourceInUse(_) => ("ResourceInUseException", Lower),
        dynamo::Error::LimitExceeded(_) => ("LimitExceededException", Lower),
        dynamo::Error::ItemCollectionSizeLimitExceeded => ("ItemCollectionSizeLimitExceededException", Lower),
        dynamo::Error::DuplicateItem => ("DuplicateItemException", Lower),
        dynamo::Error::ExpiredIterator { .. } => ("ExpiredIteratorException", Lower),
        dynamo::Error::TrimmedDataAccess(_) => ("TrimmedDataAccessException", Lower),
        _ => ("InternalServerError", Lower),
    };
    Exception(DYNAMODB, name, key)
}

/// DynamoDB's code for the error of one statement of a batch.
pub(crate) fn statement_code(error: &dynamo::Error) -> &'static str {
    match error {
        dynamo::Error::Validation(_) => "ValidationError",
        dynamo::Error::AccessDenied(_) => "AccessDenied",
        dynamo::Error::ConditionalCheckFailed { .. } => "ConditionalCheckFailed",
        dynamo::Error::TransactionConflict => "TransactionConflict",
        dynamo::Error::ResourceNotFound(_) => "ResourceNotFound",
        dynamo::Error::LimitExceeded(_) => "RequestLimitExceeded",
        dynamo::Error::ItemCollectionSizeLimitExceeded => "ItemCollectionSizeLimitExceeded",
        dynamo::Error::DuplicateItem => "DuplicateItem",
        _ => "InternalServerError",
    }
}

fn cancellation_reason(out: &mut Vec<u8>, reason: &CancellationReason) {
    let mut object = Object::begin(out);
    object.text("Code", reason.code());
    if let CancellationReason::ConditionalCheckFailed(Some(item)) = reason {
        object.item("Item", item);
    }
    if let Some(message) = reason.message() {
        object.text("Message", &message);
    }
    object.end();
}

impl From<dynamo::Error> for Fault {
    fn from(error: dynamo::Error) -> Self {
        Fault::Dynamo(error)
    }
}
