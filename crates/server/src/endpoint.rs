//! The outermost step of every request: who may ask, what is asked for, and an answer whatever happens.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::pin;
use std::task::Poll;

use bytes::Bytes;
use espalier_dynamo::Error;
use espalier_wire::Fault;
use hyper::body::Incoming;
use hyper::header::{CONTENT_ENCODING, HOST, ORIGIN};
use hyper::http::request::Parts;
use hyper::{HeaderMap, Method, Request, StatusCode};

use crate::body::{self, Collector};
use crate::dynamodb::{AMZ_JSON_1_0, DynamoDb};
use crate::encoding::Encoding;
use crate::guard::{Guard, Refusal};
use crate::options::{COMPRESS_FROM, MAX_HEAD};
use crate::reply::{HttpResponse, Reply};

/// Everything a connection needs to answer requests.
pub(crate) struct Endpoint {
    pub(crate) guard: Guard,
    pub(crate) bodies: Collector,
    pub(crate) dynamodb: DynamoDb,
    pub(crate) compress: bool,
}

impl Endpoint {
    pub(crate) async fn answer(&self, request: Request<Incoming>) -> HttpResponse {
        let (parts, body) = request.into_parts();
        if let Err(refusal) = self.guard.check(&parts) {
            return refused(&refusal).into_response(None);
        }
        let reply = match survive(self.route(&parts, body)).await {
            Ok(reply) => reply,
            Err(panic) => panicked(panic.as_ref()),
        };
        let large = self.compress && reply.body.len() >= COMPRESS_FROM;
        let encoding = if large { Encoding::asked_for(&parts.headers) } else { None };
        let mut response = reply.into_response(encoding);
        if parts.headers.contains_key(ORIGIN) {
            self.guard.add_cors(&parts.headers, response.headers_mut());
            if parts.method == Method::OPTIONS {
                self.guard.add_preflight(&parts.headers, response.headers_mut());
            }
        }
        response
    }

    async fn route(&self, request: &Parts, body: Incoming) -> Reply {
        if head_size(request) > MAX_HEAD {
            return Reply::closing(StatusCode::BAD_REQUEST);
        }
        match (&request.method, request.uri.path()) {
            (&Method::POST, "/") => self.post(request, body).await,
            (&Method::GET, "/") => Reply::new(StatusCode::OK, None, health(request)),
            (&Method::GET, "/healthz") => {
                Reply::new(StatusCode::OK, Some("application/json"), Bytes::from_static(br#"{"status":"ok"}"#))
            }
            (&Method::OPTIONS, _) if request.headers.contains_key(ORIGIN) => {
                Reply::new(StatusCode::OK, None, Bytes::new())
            }
            _ => Reply::not_an_operation(),
        }
    }

    async fn post(&self, request: &Parts, body: Incoming) -> Reply {
        let collected = match self.bodies.collect(body).await {
            Ok(collected) => collected,
            Err(error) => return undeliverable(&error),
        };
        let Some(encoding) = request.headers.get(CONTENT_ENCODING) else {
            return self.dynamodb.answer(request, &collected.bytes).await;
        };
        match body::decode(&String::from_utf8_lossy(encoding.as_bytes()), &collected.bytes) {
            Ok(plain) => self.dynamodb.answer(request, &plain).await,
            Err(error) => undeliverable(&error),
        }
    }
}

/// What `GET /` answers. The space at the end is Amazon's.
fn health(request: &Parts) -> String {
    format!("healthy: {} ", host(&request.headers).unwrap_or("unnamed"))
}

/// The name and port that the client knows the server by.
pub(crate) fn host(headers: &HeaderMap) -> Option<&str> {
    headers.get(HOST)?.to_str().ok()
}

/// Bytes of the request line and the headers, about as they were sent.
fn head_size(request: &Parts) -> usize {
    let line = request.method.as_str().len() + request.uri.path_and_query().map_or(0, |text| text.as_str().len());
    line + size(&request.headers)
}

fn size(headers: &HeaderMap) -> usize {
    headers.iter().map(|(name, value)| name.as_str().len() + value.len() + 4).sum()
}

fn refused(refusal: &Refusal) -> Reply {
    let fault = Fault::AccessDenied { message: refusal.to_string() };
    let status = match refusal {
        Refusal::NoHost => StatusCode::BAD_REQUEST,
        Refusal::Host(_) | Refusal::Origin(_) => StatusCode::FORBIDDEN,
    };
    Reply { status, ..Reply::fault(&fault, AMZ_JSON_1_0).and_close() }
}

fn undeliverable(error: &body::Error) -> Reply {
    match error {
        body::Error::TooLarge => Reply::fault(&Fault::RequestTooLarge, AMZ_JSON_1_0).and_close().in_chunks(),
        body::Error::TooSlow => Reply::closing(StatusCode::REQUEST_TIMEOUT),
        body::Error::Broken(_) => Reply::closing(StatusCode::BAD_REQUEST),
        // Amazon calls its own fault what it cannot decode.
        body::Error::UnknownEncoding(_) | body::Error::NotGzip(_) => {
            Reply::fault(&Fault::Dynamo(Error::internal(error)), AMZ_JSON_1_0)
        }
    }
}

fn panicked(panic: &(dyn Any + Send)) -> Reply {
    let text = panic.downcast_ref::<&str>().copied().or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    tracing::error!(panic = text.unwrap_or("of unknown kind"), "a request panicked");
    Reply::fault(&Fault::Dynamo(Error::internal("a panic")), AMZ_JSON_1_0)
}

/// Turns a panic inside a future into an error, so that one request cannot take a connection or a thread along.
async fn survive<T>(future: impl Future<Output = T>) -> Result<T, Box<dyn Any + Send>> {
    let mut future = pin!(future);
    std::future::poll_fn(|context| {
        catch_unwind(AssertUnwindSafe(|| future.as_mut().poll(context)))
            .map_or_else(|panic| Poll::Ready(Err(panic)), |poll| poll.map(Ok))
    })
    .await
}
