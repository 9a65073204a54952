//! Compressed answers: which encoding a client's `Accept-Encoding` asks for, read as generously as Amazon reads it.

use std::io::Write;

use flate2::Compression;
use flate2::write::{GzEncoder, ZlibEncoder};
use hyper::HeaderMap;
use hyper::header::ACCEPT_ENCODING;

/// An encoding that Amazon offers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Encoding {
    Gzip,
    Deflate,
}

impl Encoding {
    /// The name in `Content-Encoding`.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Encoding::Gzip => "gzip",
            Encoding::Deflate => "deflate",
        }
    }

    /// The encoding that the request asks for. Of several header lines the last one counts.
    pub(crate) fn asked_for(headers: &HeaderMap) -> Option<Encoding> {
        let wish = headers.get_all(ACCEPT_ENCODING).iter().next_back()?;
        choose(wish.to_str().ok()?)
    }

    /// The compressed body; `None` if that fails, which writing to memory does not.
    pub(crate) fn compress(self, body: &[u8]) -> Option<Vec<u8>> {
        let room = Vec::with_capacity(body.len() / 4);
        let level = Compression::fast();
        match self {
            Encoding::Gzip => {
                let mut encoder = GzEncoder::new(room, level);
                encoder.write_all(body).and_then(|()| encoder.finish()).ok()
            }
            Encoding::Deflate => {
                let mut encoder = ZlibEncoder::new(room, level);
                encoder.write_all(body).and_then(|()| encoder.finish()).ok()
            }
        }
    }
}

/// The highest weight wins; at equal weights a name wins over `*`, and an earlier name over a later one.
/// `identity` never wins: Amazon ignores it.
fn choose(wishes: &str) -> Option<Encoding> {
    let mut named: Vec<(Encoding, f32)> = Vec::with_capacity(2);
    let mut others = 0.0f32;
    for wish in wishes.split(',') {
        let mut parts = wish.split(';');
        let name = parts.next().unwrap_or_default().trim();
        let weight = weight(parts);
        let encoding = match name {
            _ if name.eq_ignore_ascii_case("gzip") => Encoding::Gzip,
            _ if name.eq_ignore_ascii_case("deflate") => Encoding::Deflate,
            "*" => {
                others = others.max(weight);
                continue;
            }
            _ => continue,
        };
        match named.iter_mut().find(|(known, _)| *known == encoding) {
            Some((_, best)) => *best = best.max(weight),
            None => named.push((encoding, weight)),
        }
    }
    for encoding in [Encoding::Gzip, Encoding::Deflate] {
        if !named.iter().any(|(known, _)| *known == encoding) {
            named.push((encoding, others));
        }
    }
    let best = named.iter().map(|(_, weight)| *weight).fold(0.0, f32::max);
    named.into_iter().find(|(_, weight)| *weight > 0.0 && *weight >= best).map(|(encoding, _)| encoding)
}

/// The first `q` counts; what is no number counts as 1, as does anything above.
fn weight<'a>(parameters: impl Iterator<Item = &'a str>) -> f32 {
    parameters
        .filter_map(|parameter| parameter.split_once('='))
        .find(|(name, _)| name.trim().eq_ignore_ascii_case("q"))
        .map_or(1.0, |(_, value)| value.trim().parse::<f32>().map_or(1.0, |weight| weight.clamp(0.0, 1.0)))
}

#[cfg(test)]
mod tests {
    use super::Encoding::{Deflate, Gzip};
    use super::*;

    /// What ScyllaDB's Alternator suite observed on Amazon.
    #[test]
    fn wishes_are_read_as_amazon_reads_them() {
        let cases = [
            ("gzip", Some(Gzip)),
            ("deflate", Some(Deflate)),
            ("identity", None),
            ("", None),
            ("br", None),
            ("x-gzip", None),
            ("gzip, deflate", Some(Gzip)),
            ("br, identity, deflate, gzip", Some(Deflate)),
            ("GZIP, identity", Some(Gzip)),
            ("dog, gzip ,, cat", Some(Gzip)),
            ("gzip;q=0.8, deflate;q=0.5", Some(Gzip)),
            ("br, gzip;q=0, deflate; q = 0.5 , identity;q=0", Some(Deflate)),
            ("*", Some(Gzip)),
            ("*, deflate;q=0.5", Some(Gzip)),
            ("*, deflate", Some(Deflate)),
            ("*, identity", Some(Gzip)),
            ("*, gzip;q=0.5", Some(Deflate)),
            ("gzip ;q=0", None),
            ("identity;q=0", None),
            ("*;q=0", None),
            ("*;q=0.5,identity", Some(Gzip)),
            ("gzip;q=0.5,identity;q=0.8", Some(Gzip)),
            ("br;q=0.8,identity;q=0.5,*;q=0", None),
            ("\"gzip\"", None),
            ("gzip br", None),
            ("gzip:q=1", None),
            ("deflate;q=0.5, gzip;q=31", Some(Gzip)),
            ("gzip;q=31,deflate;q=51", Some(Gzip)),
            ("deflate;q=0.5, gzip;q=0.2", Some(Deflate)),
            ("deflate;q=0.5, gzip;q=1;q=0.2", Some(Gzip)),
            ("deflate;q=0.5,gzip;q=0.", Some(Deflate)),
            ("deflate;q=0.5,gzip;q=0.x", Some(Gzip)),
            ("deflate;q=-0.5,gzip;q=0.2", Some(Gzip)),
            ("gzip;nq=1;q=0 ", None),
            ("gzip;q=0, gzip;q=1, gzip;q=0", Some(Gzip)),
            ("br,identity;q=0.5,gzip;q=0.0001", Some(Gzip)),
        ];
        for (wishes, expected) in cases {
            assert_eq!(choose(wishes), expected, "{wishes}");
        }
    }

    #[test]
    fn text_shrinks() {
        for encoding in [Gzip, Deflate] {
            let repetitive = vec![b'x'; 4096];
            assert!(encoding.compress(&repetitive).expect("compressed").len() < 4096 / 30);
            let random: Vec<u8> = std::iter::repeat_with(|| fastrand::alphanumeric() as u8).take(200_000).collect();
            assert!(encoding.compress(&random).expect("compressed").len() < 200_000 * 10 / 12);
        }
    }
}
