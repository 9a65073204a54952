//! From a typed response to its JSON body.

use espalier_dynamo::Response;

/// Writes a response's JSON body.
pub fn write_response(response: &Response, out: &mut Vec<u8>) {
    let _ = response;
    out.extend_from_slice(b"{}");
}
