//! Every rule of HTTP that the endpoint keeps, over raw sockets against a server in this process.

mod authorization;
mod browser;
mod encoding;
mod fake;
mod limits;
mod protocol;
mod shutdown;
mod smuggling;
mod socket;
