//! `POST /` with `X-Amz-Target`: content type, JSON, target, authorization, operation, in the order in which Amazon
//! complains about them.

use std::sync::Arc;

use bytes::Bytes;
use espalier_dynamo::{Dynamo, Error, Operation, Response};
use espalier_wire::{Fault, Service, parse, write_response};
use hyper::header::CONTENT_TYPE;
use hyper::http::request::Parts;
use hyper::{HeaderMap, StatusCode};

use crate::authorization::{self, Window};
use crate::endpoint::host;
use crate::reply::Reply;

/// The JSON content types; answers come back in the one that was asked in.
pub(crate) const AMZ_JSON_1_0: &str = "application/x-amz-json-1.0";
const JSON: &str = "application/json";

/// Room for the answer to most writes and small reads.
const ANSWER_ROOM: usize = 512;

/// DynamoDB and DynamoDB Streams, spoken over HTTP.
pub(crate) struct DynamoDb {
    pub(crate) dynamo: Arc<dyn Dynamo>,
    pub(crate) window: Window,
}

impl DynamoDb {
    pub(crate) async fn answer(&self, request: &Parts, body: &Bytes) -> Reply {
        let Some(content_type) = content_type(&request.headers, body.is_empty()) else {
            return Reply::not_an_operation();
        };
        match self.execute(request, body).await {
            Ok(answer) => Reply::new(StatusCode::OK, Some(content_type), answer),
            Err(fault) => {
                if let Fault::Dynamo(Error::Internal { detail }) = &fault {
                    tracing::error!(detail, "an operation failed on our side");
                }
                Reply::fault(&fault, content_type)
            }
        }
    }

    async fn execute(&self, request: &Parts, body: &[u8]) -> Result<Vec<u8>, Fault> {
        let operation = self.operation(request, body)?;
        let mut response = self.dynamo.execute(operation).await?;
        if let (Response::DescribeEndpoints(endpoints), Some(host)) = (&mut response, host(&request.headers)) {
            host.clone_into(&mut endpoints.address);
        }
        let mut answer = Vec::with_capacity(ANSWER_ROOM);
        write_response(&response, &mut answer);
        Ok(answer)
    }

    fn operation(&self, request: &Parts, body: &[u8]) -> Result<Operation, Fault> {
        let (service, name) = target(&request.headers).ok_or_else(|| after_syntax(body, Fault::UnknownOperation))?;
        let Err(unauthorized) = authorization::check(request, &self.window) else {
            return parse(name, service, body);
        };
        // An unknown operation is complained about before missing credentials.
        match parse(name, service, body) {
            Err(unknown @ Fault::UnknownOperation) => Err(after_syntax(body, unknown)),
            _ => Err(after_syntax(body, unauthorized)),
        }
    }
}

/// Amazon complains about broken JSON before it complains about target or credentials. A request without either is
/// rare, so that only then the body is looked at twice.
fn after_syntax(body: &[u8], fault: Fault) -> Fault {
    if body.is_empty() || serde_json::from_slice::<serde::de::IgnoredAny>(body).is_ok() {
        fault
    } else {
        Fault::Serialization { message: None }
    }
}

/// The content type to answer in; `None` if there is a body and it is not called JSON.
fn content_type(headers: &HeaderMap, empty: bool) -> Option<&'static str> {
    let given = headers.get(CONTENT_TYPE).map_or(&b""[..], |value| value.as_bytes());
    let given = given.split(|byte| *byte == b';').next().unwrap_or_default().trim_ascii();
    match given {
        _ if given.eq_ignore_ascii_case(AMZ_JSON_1_0.as_bytes()) => Some(AMZ_JSON_1_0),
        _ if empty || given.eq_ignore_ascii_case(JSON.as_bytes()) => Some(JSON),
        _ => None,
    }
}

fn target(headers: &HeaderMap) -> Option<(Service, &str)> {
    let (api, operation) = headers.get("x-amz-target")?.to_str().ok()?.split_once('.')?;
    match api {
        "DynamoDB_20120810" => Some((Service::DynamoDb, operation)),
        "DynamoDBStreams_20120810" => Some((Service::Streams, operation)),
        _ => None,
    }
}
