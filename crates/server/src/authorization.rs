//! The rules that an `Authorization` header, or the query string of a presigned request, has to meet before
//! anything is executed. They are checked in the order in which Amazon complains. Signatures themselves are not
//! verified yet: any well-formed credentials are accepted.

use std::borrow::Cow;
use std::time::Duration;

use espalier_wire::Fault;
use hyper::header::{AUTHORIZATION, DATE};
use hyper::http::request::Parts;
use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;

const ALGORITHM: &str = "AWS4-HMAC-SHA256";
const SERVICE: &str = "dynamodb";
const TERMINATOR: &str = "aws4_request";
/// Bytes of a date in ISO-8601's basic form.
const BASIC: usize = 16;

/// Why a request is refused with `IncompleteSignatureException`.
#[derive(Debug, thiserror::Error)]
enum Incomplete {
    #[error("'{key}' not a valid key=value pair (missing equal-sign) in Authorization header: '{header}'.")]
    NoEqualSign { key: String, header: String },
    #[error("{lacking}Authorization={header}")]
    Header { lacking: String, header: String },
    #[error("{lacking}Re-examine the query-string parameters.")]
    Query { lacking: String },
    #[error("Date must be in ISO-8601 'basic format'. Got '{0}'. See http://en.wikipedia.org/wiki/ISO_8601")]
    Date(String),
    #[error("Unsupported AWS 'algorithm': '{0}' (only AWS4-HMAC-SHA256 for now). ")]
    Algorithm(String),
    #[error("Credential must have exactly 5 slash-delimited elements, e.g. keyid/date/region/service/term, got '{0}'")]
    Credential(String),
}

/// Why a request is refused with `InvalidSignatureException`.
#[derive(Debug, thiserror::Error)]
enum Invalid {
    #[error("Found both 'X-Amz-Algorithm' as a query-string param and 'Authorization' as HTTP header.")]
    Both,
    #[error("Signature expired: {date} is now earlier than {limit} ({now} - {minutes} min.)")]
    Expired { date: String, limit: String, now: String, minutes: u64 },
    #[error("Signature not yet current: {date} is still later than {limit} ({now} + {minutes} min.)")]
    NotYetCurrent { date: String, limit: String, now: String, minutes: u64 },
    #[error("'Host' must be a 'SignedHeader' in the AWS Authorization.")]
    HostNotSigned,
    #[error("{0}")]
    Scope(String),
}

impl From<Incomplete> for Fault {
    fn from(cause: Incomplete) -> Self {
        Fault::IncompleteSignature { message: cause.to_string() }
    }
}

impl From<Invalid> for Fault {
    fn from(cause: Invalid) -> Self {
        Fault::InvalidSignature { message: cause.to_string() }
    }
}

/// The clock that signature dates are held against.
pub(crate) struct Window {
    /// Seconds since 1970.
    pub(crate) now: fn() -> i64,
    /// How far a date may be off; `None` accepts any.
    pub(crate) tolerance: Option<Duration>,
}

/// What a request says about its signature.
struct Claim<'a> {
    algorithm: Cow<'a, str>,
    credential: Cow<'a, str>,
    signed_headers: Cow<'a, str>,
    date: Cow<'a, str>,
    /// How long a presigned request says that it is good for.
    expires: Option<i64>,
}

/// Whether the request carries well-formed credentials.
pub(crate) fn check(request: &Parts, window: &Window) -> Result<(), Fault> {
    let header = request.headers.get(AUTHORIZATION);
    let presigned = request.uri.query().filter(|query| names_algorithm(query));
    let claim = match (header, presigned) {
        (Some(_), Some(_)) => return Err(Invalid::Both.into()),
        (None, None) => return Err(Fault::MissingAuthenticationToken),
        (Some(header), None) => match header.to_str().map(str::trim) {
            Ok(text) if text.starts_with("AWS4-") => Claim::from_header(text, request)?,
            _ => return Err(Fault::MissingAuthenticationToken),
        },
        (None, Some(query)) => Claim::from_query(query)?,
    };
    claim.check(window)
}

/// Whether a query string is a signature's, however incomplete.
fn names_algorithm(query: &str) -> bool {
    query.split('&').any(|pair| pair.split('=').next() == Some("X-Amz-Algorithm"))
}

impl<'a> Claim<'a> {
    fn from_header(header: &'a str, request: &'a Parts) -> Result<Self, Incomplete> {
        let mut pieces = pieces(header);
        let algorithm = pieces.next().unwrap_or_default();
        let (mut credential, mut signature, mut signed_headers) = (None, None, None);
        for piece in pieces {
            let Some((key, value)) = piece.split_once('=') else {
                return Err(Incomplete::NoEqualSign { key: piece.to_owned(), header: header.to_owned() });
            };
            match key {
                "Credential" => credential = Some(value),
                "Signature" => signature = Some(value),
                "SignedHeaders" => signed_headers = Some(value),
                _ => {}
            }
        }
        let date = request.headers.get("x-amz-date").or_else(|| request.headers.get(DATE));
        let date = date.map(|value| value.to_str().unwrap_or_default());
        let credential = credential.filter(|text| !text.is_empty());
        let signature = signature.filter(|text| !text.is_empty());
        match (credential, signature, signed_headers, date) {
            (Some(credential), Some(_), Some(signed_headers), Some(date)) => Ok(Self {
                algorithm: algorithm.into(),
                credential: credential.into(),
                signed_headers: signed_headers.into(),
                date: date.into(),
                expires: None,
            }),
            (credential, signature, signed_headers, date) => {
                let present = [credential.is_some(), signature.is_some(), signed_headers.is_some()];
                let mut lacking = String::new();
                for (name, present) in ["Credential", "Signature", "SignedHeaders"].into_iter().zip(present) {
                    if !present {
                        lacking += &format!("Authorization header requires '{name}' parameter. ");
                    }
                }
                if date.is_none() {
                    lacking += "Authorization header requires existence of either a 'X-Amz-Date' or a 'Date' header. ";
                }
                Err(Incomplete::Header { lacking, header: header.to_owned() })
            }
        }
    }

    fn from_query(query: &'a str) -> Result<Self, Incomplete> {
        const NAMES: [&str; 5] =
            ["X-Amz-Algorithm", "X-Amz-Credential", "X-Amz-Signature", "X-Amz-SignedHeaders", "X-Amz-Date"];
        let mut found: [Option<Cow<'a, str>>; 5] = Default::default();
        let mut expires = None;
        for (name, value) in form_urlencoded::parse(query.as_bytes()) {
            if let Some(place) = NAMES.iter().position(|known| *known == name) {
                found[place] = Some(value).filter(|text| !text.is_empty());
            } else if name == "X-Amz-Expires" {
                expires = value.parse().ok();
            }
        }
        match found {
            [Some(algorithm), Some(credential), Some(_), Some(signed_headers), Some(date)] => {
                Ok(Self { algorithm, credential, signed_headers, date, expires })
            }
            found => {
                let lacking = NAMES.iter().zip(&found).filter(|(_, value)| value.is_none());
                let lacking = lacking.map(|(name, _)| format!("AWS query-string parameters must include '{name}'. "));
                Err(Incomplete::Query { lacking: lacking.collect() })
            }
        }
    }

    fn check(&self, window: &Window) -> Result<(), Fault> {
        let signed = parse_date(&self.date).ok_or_else(|| Incomplete::Date(self.date.clone().into_owned()))?;
        self.check_age(signed, window)?;
        if !self.signed_headers.split(';').any(|name| name.eq_ignore_ascii_case("host")) {
            return Err(Invalid::HostNotSigned.into());
        }
        if self.algorithm != ALGORITHM {
            return Err(Incomplete::Algorithm(self.algorithm.clone().into_owned()).into());
        }
        let mut scope = self.credential.trim_end_matches('/').split('/');
        let parts = [scope.next(), scope.next(), scope.next(), scope.next(), scope.next(), scope.next()];
        let [Some(_), Some(day), Some(region), Some(service), Some(terminator), None] = parts else {
            return Err(Incomplete::Credential(self.credential.clone().into_owned()).into());
        };
        check_scope([day, region, service, terminator], &self.date, signed)
    }

    fn check_age(&self, signed: Timestamp, window: &Window) -> Result<(), Invalid> {
        let Some(tolerance) = window.tolerance else { return Ok(()) };
        let now = Timestamp::from_second((window.now)()).unwrap_or(Timestamp::MAX);
        let (minutes, tolerance) = (tolerance.as_secs() / 60, tolerance.as_secs().cast_signed());
        let seconds = |offset: i64| Timestamp::from_second(now.as_second().saturating_add(offset)).unwrap_or(now);
        let good_for = self.expires.map_or(tolerance, |expires| expires.clamp(1, 604_800).max(tolerance));
        let (date, now_text) = (|| basic(signed), || basic(now));
        if signed < seconds(-good_for) {
            return Err(Invalid::Expired { date: date(), limit: basic(seconds(-good_for)), now: now_text(), minutes });
        }
        if signed > seconds(tolerance) {
            let limit = basic(seconds(tolerance));
            return Err(Invalid::NotYetCurrent { date: date(), limit, now: now_text(), minutes });
        }
        Ok(())
    }
}

fn check_scope([day, region, service, terminator]: [&str; 4], date: &str, signed: Timestamp) -> Result<(), Fault> {
    // The day is usually written at the start of the date already.
    let same_day = date.len() == BASIC && date.get(..8) == Some(day);
    // Signers that take the service from the name of the host find none in "localhost" or "127.0.0.1".
    let service_fits = service == SERVICE || service.is_empty();
    let is_right = |same_day| !region.is_empty() && service_fits && terminator == TERMINATOR && same_day;
    if is_right(same_day) {
        return Ok(());
    }
    let date = basic(signed);
    let http_day = date.get(..8).unwrap_or_default();
    if is_right(day == http_day) {
        return Ok(());
    }
    let mut wrong = String::new();
    if region.is_empty() {
        wrong += "Credential should be scoped to a valid region, not ''. ";
    }
    if !service_fits {
        wrong += "Credential should be scoped to correct service: 'dynamodb'. ";
    }
    if terminator != TERMINATOR {
        wrong += &format!("Credential should be scoped with a valid terminator: 'aws4_request', not '{terminator}'. ");
    }
    if day != http_day {
        wrong += &format!(
            "Date in Credential scope does not match YYYYMMDD from ISO-8601 version of date from HTTP: \
             '{day}' != '{http_day}', from '{date}'."
        );
    }
    Err(Invalid::Scope(wrong).into())
}

/// What stands between commas and spaces. Bytes are compared, because characters cost more on every request.
fn pieces(header: &str) -> impl Iterator<Item = &str> {
    let mut rest = header;
    std::iter::from_fn(move || {
        rest = rest.trim_start_matches([',', ' ']);
        let end = rest.bytes().position(|byte| byte == b',' || byte == b' ').unwrap_or(rest.len());
        let (piece, after) = rest.split_at(end);
        rest = after;
        (!piece.is_empty()).then_some(piece)
    })
}

/// ISO-8601's basic form, `20130609T095204Z`, or the form of HTTP's `Date` header.
fn parse_date(text: &str) -> Option<Timestamp> {
    parse_basic(text.as_bytes()).or_else(|| jiff::fmt::rfc2822::parse(text).ok().map(|zoned| zoned.timestamp()))
}

fn parse_basic(text: &[u8]) -> Option<Timestamp> {
    let text: &[u8; BASIC] = text.try_into().ok()?;
    if text[8] != b'T' || text[15] != b'Z' {
        return None;
    }
    let number = |from: usize, to: usize| {
        text[from..to]
            .iter()
            .try_fold(0i16, |sum, digit| digit.is_ascii_digit().then(|| sum * 10 + i16::from(digit - b'0')))
    };
    let small = |from: usize| number(from, from + 2).and_then(|number| i8::try_from(number).ok());
    let date = DateTime::new(number(0, 4)?, small(4)?, small(6)?, small(9)?, small(11)?, small(13)?, 0).ok()?;
    TimeZone::UTC.to_timestamp(date).ok()
}

fn basic(time: Timestamp) -> String {
    time.strftime("%Y%m%dT%H%M%SZ").to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use hyper::Request;

    /// 2013-06-09T10:00:15Z.
    const NOW: i64 = 1_370_772_015;

    fn verdict(uri: &str, headers: &[(&str, &str)]) -> Result<(), Fault> {
        let mut request = Request::post(uri);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let (parts, ()) = request.body(()).expect("a valid request").into_parts();
        check(&parts, &Window { now: || NOW, tolerance: Some(Duration::from_secs(900)) })
    }

    fn message(uri: &str, headers: &[(&str, &str)]) -> String {
        match verdict(uri, headers) {
            Ok(()) => "fine".to_owned(),
            Err(Fault::MissingAuthenticationToken) => "missing".to_owned(),
            Err(Fault::IncompleteSignature { message }) => format!("incomplete: {message}"),
            Err(Fault::InvalidSignature { message }) => format!("invalid: {message}"),
            Err(other) => format!("{other:?}"),
        }
    }

    fn with(authorization: &str, date: &str) -> String {
        message("/", &[("authorization", authorization), ("x-amz-date", date)])
    }

    const GOOD: &str = "AWS4-HMAC-SHA256 Credential=key/20130609/eu-north-1/dynamodb/aws4_request, \
                        SignedHeaders=host;x-amz-date, Signature=0a";

    #[test]
    fn well_formed_credentials_are_accepted() {
        assert_eq!(with(GOOD, "20130609T100015Z"), "fine");
        assert_eq!(with(&GOOD.replace(", ", ","), "20130609T100015Z"), "fine");
        assert_eq!(with(&GOOD.replace(", ", " "), "20130609T100015Z"), "fine");
        assert_eq!(with(&GOOD.replace("dynamodb", ""), "20130609T100015Z"), "fine");
        assert_eq!(message("/", &[("authorization", GOOD), ("date", "Sun, 09 Jun 2013 10:00:15 GMT")]), "fine");
    }

    #[test]
    fn nothing_or_another_scheme_is_missing() {
        assert_eq!(message("/", &[]), "missing");
        assert_eq!(with("AWS4", ""), "missing");
        assert_eq!(with("Bearer secret", ""), "missing");
    }

    #[test]
    fn what_lacks_is_listed_in_amazons_order() {
        assert_eq!(
            message("/", &[("authorization", "AWS4-")]),
            "incomplete: Authorization header requires 'Credential' parameter. Authorization header requires \
             'Signature' parameter. Authorization header requires 'SignedHeaders' parameter. Authorization header \
             requires existence of either a 'X-Amz-Date' or a 'Date' header. Authorization=AWS4-"
        );
        assert_eq!(
            with("AWS4-HMAC-SHA256 Signature=b,    Credential,    SignedHeaders", "20130609T100015Z"),
            "incomplete: 'Credential' not a valid key=value pair (missing equal-sign) in Authorization header: \
             'AWS4-HMAC-SHA256 Signature=b,    Credential,    SignedHeaders'."
        );
    }

    #[test]
    fn dates_are_checked() {
        assert_eq!(
            with(GOOD, "201"),
            "incomplete: Date must be in ISO-8601 'basic format'. Got '201'. See http://en.wikipedia.org/wiki/ISO_8601"
        );
        assert_eq!(
            with(GOOD, "20130301T000000Z"),
            "invalid: Signature expired: 20130301T000000Z is now earlier than 20130609T094515Z \
             (20130609T100015Z - 15 min.)"
        );
        assert_eq!(
            with(GOOD, "20130609T101600Z"),
            "invalid: Signature not yet current: 20130609T101600Z is still later than 20130609T101515Z \
             (20130609T100015Z + 15 min.)"
        );
    }

    #[test]
    fn scope_is_checked() {
        let now = "20130609T100015Z";
        assert_eq!(
            with(&GOOD.replace("host;", ""), now),
            "invalid: 'Host' must be a 'SignedHeader' in the AWS Authorization."
        );
        assert_eq!(
            with(&GOOD.replace("SHA256", "SHA25"), now),
            "incomplete: Unsupported AWS 'algorithm': 'AWS4-HMAC-SHA25' (only AWS4-HMAC-SHA256 for now). "
        );
        assert_eq!(
            with("AWS4-HMAC-SHA256 Credential=a/b/c/d, SignedHeaders=Host, Signature=0", now),
            "incomplete: Credential must have exactly 5 slash-delimited elements, e.g. \
             keyid/date/region/service/term, got 'a/b/c/d'"
        );
        assert_eq!(
            with(&GOOD.replace("dynamodb", "s3"), now),
            "invalid: Credential should be scoped to correct service: 'dynamodb'. "
        );
        assert_eq!(
            with("AWS4-HMAC-SHA256 Credential=a/b/c/d/e, SignedHeaders=host, Signature=0", now),
            "invalid: Credential should be scoped to correct service: 'dynamodb'. Credential should be scoped with a \
             valid terminator: 'aws4_request', not 'e'. Date in Credential scope does not match YYYYMMDD from \
             ISO-8601 version of date from HTTP: 'b' != '20130609', from '20130609T100015Z'."
        );
    }

    #[test]
    fn presigned_requests_are_accepted_unless_signed_twice() {
        let query = "/?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=a%2F20130609%2Fr%2Fdynamodb%2Faws4_request\
                     &X-Amz-Date=20130609T100015Z&X-Amz-Expires=60&X-Amz-SignedHeaders=host&X-Amz-Signature=0";
        assert_eq!(message(query, &[]), "fine");
        assert_eq!(
            message(query, &[("authorization", GOOD)]),
            "invalid: Found both 'X-Amz-Algorithm' as a query-string param and 'Authorization' as HTTP header."
        );
        assert_eq!(
            message("/?X-Amz-Algorithm", &[("authorization", "X")]),
            "invalid: Found both 'X-Amz-Algorithm' as a query-string param and 'Authorization' as HTTP header."
        );
        assert_eq!(message("/?X-Amz-Algorith", &[("authorization", "X")]), "missing");
        assert_eq!(
            message("/?X-Amz-Algorithm=a&X-Amz-Date=b", &[]),
            "incomplete: AWS query-string parameters must include 'X-Amz-Credential'. AWS query-string parameters \
             must include 'X-Amz-Signature'. AWS query-string parameters must include 'X-Amz-SignedHeaders'. \
             Re-examine the query-string parameters."
        );
    }
}
