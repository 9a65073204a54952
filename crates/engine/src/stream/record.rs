//! Stream records as they are stored: what happened to one item, with the images the stream shows.

use bytes::{Buf, Bytes};
use espalier_dynamo::item::Item;
use espalier_dynamo::operation::stream::{EventName, StreamRecord};
use espalier_dynamo::operation::table::StreamViewType;
use md5::{Digest, Md5};

const BY_TIME_TO_LIVE: u8 = 0x80;

/// What happened to one item.
#[derive(Debug)]
pub struct Change<'a> {
    /// Created, changed or removed.
    pub event: EventName,
    /// Whether time to live did it.
    pub by_time_to_live: bool,
    /// When.
    pub created_ms: i64,
    /// The item's key.
    pub keys: &'a Item,
    /// The item before.
    pub old: Option<&'a Item>,
    /// The item after.
    pub new: Option<&'a Item>,
}

impl Change<'_> {
    /// The stored form, with only the images that the view type shows.
    #[must_use]
    pub fn encode(&self, view: StreamViewType) -> Vec<u8> {
        let (shows_new, shows_old) = match view {
            StreamViewType::KeysOnly => (false, false),
            StreamViewType::NewImage => (true, false),
            StreamViewType::OldImage => (false, true),
            StreamViewType::NewAndOldImages => (true, true),
        };
        let mut out = Vec::with_capacity(128);
        let event = match self.event {
            EventName::Insert => 1,
            EventName::Modify => 2,
            EventName::Remove => 3,
        };
        out.push(if self.by_time_to_live { event | BY_TIME_TO_LIVE } else { event });
        out.extend_from_slice(&self.created_ms.to_be_bytes());
        for image in [Some(self.keys), self.new.filter(|_| shows_new), self.old.filter(|_| shows_old)] {
            let bytes = image.map_or(&[] as &[u8], |item| item.as_bytes());
            out.extend_from_slice(&(bytes.len() as u32).to_be_bytes());
            out.extend_from_slice(bytes);
        }
        out
    }
}

/// When a stored record was made.
#[must_use]
pub fn created_ms(stored: &[u8]) -> i64 {
    stored.get(1..9).and_then(|bytes| bytes.try_into().ok()).map_or(0, i64::from_be_bytes)
}

/// The sequence number as clients see it: at least 21 digits, ordered as text.
#[must_use]
pub fn sequence_text(sequence: u64) -> String {
    format!("1{sequence:020}")
}

/// The sequence number a client names.
#[must_use]
pub fn parse_sequence(text: &str) -> Option<u64> {
    text.strip_prefix('1').filter(|rest| rest.len() == 20)?.parse().ok()
}

/// A stored record as clients see it.
#[must_use]
pub fn decode(table: u32, sequence: u64, view_type: StreamViewType, stored: &[u8]) -> StreamRecord {
    let mut stored = Bytes::copy_from_slice(stored);
    let kind = stored.get_u8();
    let created_ms = stored.get_i64();
    let mut image = || {
        let length = stored.get_u32() as usize;
        (length > 0).then(|| Item::from_encoded(stored.split_to(length)))
    };
    let keys = image().expect("a record has keys");
    let (new_image, old_image) = (image(), image());
    let size = |item: &Option<Item>| item.as_ref().map_or(0, Item::size);
    StreamRecord {
        event_id: event_id(table, sequence),
        event_name: match kind & !BY_TIME_TO_LIVE {
            1 => EventName::Insert,
            2 => EventName::Modify,
            _ => EventName::Remove,
        },
        by_time_to_live: kind & BY_TIME_TO_LIVE != 0,
        created_seconds: created_ms.div_euclid(1000),
        size_bytes: keys.size() + size(&new_image) + size(&old_image),
        keys,
        new_image,
        old_image,
        sequence_number: sequence_text(sequence),
        view_type,
    }
}

/// An id that is the same whenever the record is read.
fn event_id(table: u32, sequence: u64) -> String {
    let digest = Md5::new().chain_update(table.to_be_bytes()).chain_update(sequence.to_be_bytes()).finalize();
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}
