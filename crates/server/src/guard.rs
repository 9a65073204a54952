//! Who may speak to the server at all. Without this, a web page that somebody opens in a browser could reach a
//! database on their machine: by a cross-origin request, or by a name of its own that it points at 127.0.0.1.

use std::net::IpAddr;

use hyper::header::{
    ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN,
    ACCESS_CONTROL_EXPOSE_HEADERS, ACCESS_CONTROL_MAX_AGE, ACCESS_CONTROL_REQUEST_HEADERS,
    ACCESS_CONTROL_REQUEST_METHOD, HOST, HeaderValue, ORIGIN, VARY,
};
use hyper::http::request::Parts;
use hyper::{HeaderMap, Version};

/// Why a request is not even looked at.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Refusal {
    /// HTTP wants exactly one `Host`.
    #[error("The request must have exactly one Host header.")]
    NoHost,
    /// The name may be an attacker's.
    #[error("The host '{0}' is not served here. Start the server with --allow-host to serve it.")]
    Host(String),
    /// A browser page of somebody else.
    #[error("Requests from the origin '{0}' are not served. Start the server with --allow-origin to serve them.")]
    Origin(String),
}

/// Which hosts and origins are served.
#[derive(Debug)]
pub(crate) struct Guard {
    hosts: Vec<String>,
    any_host: bool,
    origins: Vec<String>,
    any_origin: bool,
    /// Whether the server listens beyond this machine: then IP addresses and names without a dot are served too,
    /// because no outsider can give those another meaning.
    remote: bool,
}

impl Guard {
    pub(crate) fn new(hosts: &[String], origins: &[String], address: IpAddr) -> Self {
        Self {
            any_host: hosts.iter().any(|host| host == "*"),
            hosts: hosts.to_vec(),
            any_origin: origins.iter().any(|origin| origin == "*"),
            origins: origins.iter().map(|origin| origin.trim_end_matches('/').to_owned()).collect(),
            remote: !address.is_loopback(),
        }
    }

    /// Whether the request may be answered.
    pub(crate) fn check(&self, request: &Parts) -> Result<(), Refusal> {
        let mut hosts = request.headers.get_all(HOST).iter();
        match (hosts.next(), hosts.next()) {
            (Some(host), None) => self.check_host(host)?,
            (None, None) if request.version < Version::HTTP_11 => {}
            _ => return Err(Refusal::NoHost),
        }
        let Some(origin) = request.headers.get(ORIGIN) else { return Ok(()) };
        let origin = String::from_utf8_lossy(origin.as_bytes());
        if self.any_origin || !is_browsers(&origin) {
            return Ok(());
        }
        if self.origins.iter().any(|allowed| origin.eq_ignore_ascii_case(allowed)) {
            return Ok(());
        }
        Err(Refusal::Origin(origin.into_owned()))
    }

    fn check_host(&self, host: &HeaderValue) -> Result<(), Refusal> {
        let text = String::from_utf8_lossy(host.as_bytes());
        let name = without_port(&text);
        if self.any_host || is_local(name) || (self.remote && is_unambiguous(name)) {
            return Ok(());
        }
        if self.hosts.iter().any(|allowed| name.eq_ignore_ascii_case(allowed) || text.eq_ignore_ascii_case(allowed)) {
            return Ok(());
        }
        Err(Refusal::Host(name.to_owned()))
    }

    /// What a browser needs to hand an answer to its page. Only called after [`Guard::check`].
    pub(crate) fn add_cors(&self, request: &HeaderMap, answer: &mut HeaderMap) {
        let Some(origin) = request.get(ORIGIN) else { return };
        let exposed = "x-amzn-RequestId,x-amzn-ErrorType,x-amzn-ErrorMessage,Date";
        answer.insert(ACCESS_CONTROL_EXPOSE_HEADERS, HeaderValue::from_static(exposed));
        if self.any_origin || !is_browsers(&String::from_utf8_lossy(origin.as_bytes())) {
            answer.insert(ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*"));
        } else {
            answer.insert(ACCESS_CONTROL_ALLOW_ORIGIN, origin.clone());
            answer.insert(VARY, HeaderValue::from_static("Origin"));
        }
    }

    /// What a browser wants to know before it sends a request. Only called after [`Guard::check`].
    pub(crate) fn add_preflight(&self, request: &HeaderMap, answer: &mut HeaderMap) {
        let echoes = [
            (ACCESS_CONTROL_REQUEST_HEADERS, ACCESS_CONTROL_ALLOW_HEADERS),
            (ACCESS_CONTROL_REQUEST_METHOD, ACCESS_CONTROL_ALLOW_METHODS),
        ];
        for (asked, allowed) in echoes {
            if let Some(value) = request.get(asked) {
                answer.insert(allowed, value.clone());
            }
        }
        answer.insert(ACCESS_CONTROL_MAX_AGE, HeaderValue::from_static("172800"));
    }
}

/// Whether an origin is one as browsers write it. Anything else comes from a program that could as well have left the
/// header out.
fn is_browsers(origin: &str) -> bool {
    origin.contains("://") || origin.eq_ignore_ascii_case("null")
}

fn without_port(host: &str) -> &str {
    if let Some(rest) = host.strip_prefix('[') {
        return rest.split_once(']').map_or(host, |(address, _)| address);
    }
    host.rsplit_once(':').map_or(host, |(name, _)| name)
}

/// Names that mean this machine wherever they are looked up.
fn is_local(name: &str) -> bool {
    name == "localhost"
        || name.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
        || name.eq_ignore_ascii_case("localhost")
        || name.to_ascii_lowercase().ends_with(".localhost")
        || name.eq_ignore_ascii_case("host.docker.internal")
}

fn is_unambiguous(name: &str) -> bool {
    name.parse::<IpAddr>().is_ok() || (!name.is_empty() && !name.contains('.'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use hyper::Request;

    fn serves(guard: &Guard, host: &str, origin: Option<&str>) -> bool {
        let mut request = Request::post("/").header(HOST, host);
        if let Some(origin) = origin {
            request = request.header(ORIGIN, origin);
        }
        guard.check(&request.body(()).expect("a valid request").into_parts().0).is_ok()
    }

    #[test]
    fn only_local_names_are_served_on_loopback() {
        let guard = Guard::new(&["db.example".to_owned()], &[], [127, 0, 0, 1].into());
        for host in ["localhost:8000", "127.0.0.1", "127.9.9.9:1", "[::1]:8000", "a.LocalHost", "db.example:8000"] {
            assert!(serves(&guard, host, None), "{host}");
        }
        for host in ["evil.example", "10.0.0.1:8000", "localhost.evil.example", "dynamodb:8000", "", "[::2]"] {
            assert!(!serves(&guard, host, None), "{host}");
        }
    }

    #[test]
    fn names_of_the_network_are_served_on_other_addresses() {
        let guard = Guard::new(&[], &[], [0, 0, 0, 0].into());
        for host in ["dynamodb:8000", "10.0.0.1:8000", "localhost"] {
            assert!(serves(&guard, host, None), "{host}");
        }
        assert!(!serves(&guard, "evil.example", None));
    }

    #[test]
    fn browsers_are_refused_unless_their_origin_is_allowed() {
        let closed = Guard::new(&[], &[], [127, 0, 0, 1].into());
        assert!(!serves(&closed, "localhost", Some("http://localhost:3000")));
        assert!(!serves(&closed, "localhost", Some("null")));
        assert!(serves(&closed, "localhost", Some("whatever")));
        let open = Guard::new(&[], &["http://localhost:3000/".to_owned()], [127, 0, 0, 1].into());
        assert!(serves(&open, "localhost", Some("http://localhost:3000")));
        assert!(!serves(&open, "localhost", Some("http://localhost:3001")));
    }
}
