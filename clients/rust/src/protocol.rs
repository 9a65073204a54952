//! What passes between client and server beneath the API. This SDK does not compare x-amz-crc32 itself.

use std::sync::{Arc, Mutex};

use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::config::interceptors::AfterDeserializationInterceptorContextRef;
use aws_sdk_dynamodb::config::{ConfigBag, Intercept, RuntimeComponents};
use aws_sdk_dynamodb::error::BoxError;

use crate::scenario::{Outcome, Shop, id, item, rejected, s, scenarios};

scenarios![checksum];

/// Pairs of the checksum that came with an answer and the one that its body has.
#[derive(Debug, Clone, Default)]
struct Checksums(Arc<Mutex<Vec<(u32, u32)>>>);

impl Intercept for Checksums {
    fn name(&self) -> &'static str {
        "Checksums"
    }

    fn read_after_deserialization(
        &self,
        context: &AfterDeserializationInterceptorContextRef<'_>,
        _: &RuntimeComponents,
        _: &mut ConfigBag,
    ) -> Result<(), BoxError> {
        let told = context.response().headers().get("x-amz-crc32").ok_or("no checksum")?.parse()?;
        let body = context.response().body().bytes().ok_or("the body is not there yet")?;
        self.0.lock().expect("no other lock is held").push((told, crc32(body)));
        Ok(())
    }
}

fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!0, |crc, byte| {
        (0..8).fold(crc ^ u32::from(*byte), |crc, _| (crc >> 1) ^ if crc & 1 == 1 { 0xedb8_8320 } else { 0 })
    })
}

async fn checksum(shop: Shop) -> Outcome {
    shop.create_plain().await?;
    shop.put(item([("id", s("a")), ("note", s("x".repeat(10_000)))])).await?;
    let seen = Checksums::default();
    let watched = Client::from_conf(Shop::settings(&shop.endpoint).interceptor(seen.clone()).build());
    watched.get_item().table_name(&shop.table).set_key(Some(id("a"))).send().await?;
    watched.list_tables().send().await?;
    let missing = watched.describe_table().table_name("missing_table_of_checksum").send().await;
    rejected(missing, "ResourceNotFoundException", "");
    let seen = seen.0.lock().expect("no other lock is held").clone();
    assert_eq!(seen.len(), 3);
    for (told, found) in seen {
        assert_eq!(told, found);
    }
    Ok(())
}
