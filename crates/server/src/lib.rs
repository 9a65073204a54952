//! Sockets: DynamoDB's HTTP endpoint over anything that is [`espalier_dynamo::Dynamo`].
//!
//! A request travels `server` (accepting, limits, shutdown) → `connection` (one task per connection, watched by
//! one sweeper) → `endpoint` (routes, panics, the outermost answer) → `guard` (which hosts and browser origins may
//! speak at all) → `body` (bounded collection, gzip) → `dynamodb` (content type, target, `authorization`, one parse,
//! one execution, one buffer out) → `reply` (request id, checksum, `encoding`).
//!
//! ```no_run
//! # async fn example(dynamo: std::sync::Arc<dyn espalier_dynamo::Dynamo>) -> Result<(), espalier_server::Error> {
//! use espalier_server::{Options, Server};
//! let server = Server::bind(([127, 0, 0, 1], 8000).into(), dynamo, Options::default())?;
//! server.run(std::future::pending()).await;
//! # Ok(())
//! # }
//! ```

mod authorization;
mod body;
mod connection;
mod dynamodb;
mod encoding;
mod endpoint;
mod guard;
mod options;
mod reply;
mod server;
mod worker;

pub use options::{Options, Workers};
pub use server::{Error, Server};
