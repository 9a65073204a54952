//! What happens without being asked: items expire, old stream records and tokens go, new indexes are filled, deleted
//! tables and indexes are cleared away. All of it in small commits on the one road for writes, so that the tables
//! serve meanwhile; all of it can be cut off anywhere and goes on at the next opening.

use std::ops::{Bound, ControlFlow};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use bytes::Bytes;
use espalier_dynamo::item::Item;
use espalier_dynamo::{Error as Fault, Result};
use espalier_store::{Direction, Snapshot};

use crate::engine::{Inner, NEXT_SEQUENCE, scan_prefix};
use crate::key;
use crate::layout::{self, Key, after_prefix};
use crate::limits::{EXPIRY_WINDOW_SECONDS, STREAM_RETENTION_MS};
use crate::stream::record;
use crate::table::{Definition, IndexState, Table, attributes, codec, index};
use crate::write::draft::{Growth, TABLE_ITSELF, expiry_second};
use crate::write::{Action, Draft, Write};

/// How many entries one commit of background work touches.
const STEP: usize = 500;
/// How often the background thread looks for work.
const PAUSE: Duration = Duration::from_secs(1);

/// Starts the background thread.
pub(crate) fn start(inner: Arc<Inner>) -> std::io::Result<std::thread::JoinHandle<()>> {
    std::thread::Builder::new().name("espalier-housekeeping".to_owned()).spawn(move || {
        while !inner.bell.stop.load(Ordering::SeqCst) {
            if let Err(fault) = inner.tick() {
                tracing::error!(?fault, "background work failed; it will be tried again");
            }
            let mut guard = inner.bell.lock.lock();
            if !inner.bell.stop.load(Ordering::SeqCst) {
                inner.bell.wake.wait_for(&mut guard, PAUSE);
            }
        }
    })
}

impl Inner {
    /// Does all background work that is due.
    pub(crate) fn tick(&self) -> Result<()> {
        self.recount_pending()?;
        for table in self.catalogue().tables() {
            self.fill(table)?;
            self.expire(table)?;
            self.trim(table)?;
        }
        self.forget_tokens()?;
        self.clear_away()
    }

    fn stopping(&self) -> bool {
        self.bell.stop.load(Ordering::SeqCst)
    }

    /// Removes items whose time has come, in the order of time.
    fn expire(&self, table: &Arc<Table>) -> Result<()> {
        if table.definition.time_to_live.is_none() {
            return Ok(());
        }
        let now = self.options.clock.now_seconds();
        let window = u64::try_from(now - EXPIRY_WINDOW_SECONDS).unwrap_or(0);
        let Ok(now) = u64::try_from(now) else { return Ok(()) };
        let from = Key::Expiry(table.definition.id, window, &[]).encode();
        let to = Key::Expiry(table.definition.id, now + 1, &[]).encode();
        loop {
            let due = keys_between(&self.store.latest(), &from, Some(&to), STEP)?;
            if due.is_empty() || self.stopping() {
                return Ok(());
            }
            self.commit_now(|draft, _| due.iter().try_for_each(|entry| expire_one(draft, table, entry)), |_, ()| {})?;
        }
    }

    /// Removes stream records older than 24 hours, and streams that were switched off that long ago.
    fn trim(&self, table: &Arc<Table>) -> Result<()> {
        let horizon_ms = self.options.clock.now_ms() - STREAM_RETENTION_MS;
        for stream in &table.definition.streams {
            loop {
                let prefix = Key::Records(table.definition.id, stream.created_ms).encode();
                let mut old = Vec::new();
                scan_prefix(&self.store.latest(), &prefix, |key, value| {
                    if record::created_ms(value) > horizon_ms || old.len() >= STEP {
                        return ControlFlow::Break(());
                    }
                    old.push(Bytes::copy_from_slice(key));
                    ControlFlow::Continue(())
                })?;
                if old.is_empty() || self.stopping() {
                    break;
                }
                self.commit_now(
                    |draft, writer| {
                        old.iter().for_each(|key| draft.raw().delete(key.clone()));
                        // The newest number must survive even when no record does.
                        let next = writer.next_sequence.to_be_bytes().to_vec();
                        draft.raw().put(Key::Meta(NEXT_SEQUENCE).encode(), next);
                        Ok(())
                    },
                    |_, ()| {},
                )?;
            }
        }
        let dead = |definition: &Definition| {
            definition.streams.iter().any(|stream| stream.disabled_ms.is_some_and(|at| at <= horizon_ms))
        };
        if dead(&table.definition) {
            self.redefine(table, |definition| {
                definition.streams.retain(|stream| stream.disabled_ms.is_none_or(|at| at > horizon_ms));
            })?;
        }
        Ok(())
    }

    /// Adds existing items to new indexes and to the order of expiry.
    fn fill(&self, table: &Arc<Table>) -> Result<()> {
        let filling = |state: IndexState| state == IndexState::Filling;
        let indexes: Vec<usize> =
            (0..table.indexes.len()).filter(|place| filling(table.indexes[*place].definition.state)).collect();
        let expiry = table.definition.time_to_live_filling;
        if indexes.is_empty() && !expiry {
            return Ok(());
        }
        if expiry {
            // What an earlier attribute left behind; what is written meanwhile is added again below.
            self.clear(&Key::Expiries(table.definition.id).encode())?;
        }
        let prefix = Key::Items(table.definition.id).encode();
        let end = after_prefix(&prefix);
        let mut from = Bound::Included(prefix);
        loop {
            if self.stopping() || !self.is_current(table) {
                return Ok(());
            }
            let mut last = None;
            self.commit_now(
                |draft, _| {
                    for (key, item) in items_from(draft.snapshot(), &from, end.as_deref())? {
                        indexes.iter().for_each(|place| draft.fill_index(table, &table.indexes[*place], &item));
                        if expiry {
                            draft.fill_expiry(table, &item);
                        }
                        last = Some(key);
                    }
                    Ok(())
                },
                |_, ()| {},
            )?;
            match last {
                Some(key) => from = Bound::Excluded(key),
                None => break,
            }
        }
        self.redefine(table, |definition| {
            for place in &indexes {
                index::filled(definition, table.indexes[*place].definition.id);
            }
            if expiry {
                definition.time_to_live_filling = false;
            }
        })
    }

    /// Forgets tokens after ten minutes.
    fn forget_tokens(&self) -> Result<()> {
        let from = Key::TokenAges.encode();
        let to = Key::TokenAge(self.options.clock.now_ms(), &[]).encode();
        loop {
            let old = keys_between(&self.store.latest(), &from, Some(&to), STEP)?;
            if old.is_empty() || self.stopping() {
                return Ok(());
            }
            self.commit_now(|draft, _| old.iter().try_for_each(|entry| forget_token(draft, entry)), |_, ()| {})?;
        }
    }

    /// Removes what deleted tables and indexes left behind.
    fn clear_away(&self) -> Result<()> {
        for table in self.catalogue().tables() {
            let id = table.definition.id;
            for index in table.definition.global_indexes.iter().filter(|index| index.state == IndexState::Deleting) {
                if self.clear(&Key::Index(id, index.id).encode())? {
                    self.commit_now(
                        |_, writer| {
                            writer.numbers.remove(&(id, index.id));
                            Ok(())
                        },
                        |_, ()| {},
                    )?;
                    self.redefine(table, |definition| {
                        index::removed(definition, index.id);
                    })?;
                }
            }
            if table.definition.time_to_live.is_none() {
                self.clear(&Key::Expiries(id).encode())?;
            }
        }
        for mark in keys_between(
            &self.store.latest(),
            &Key::AllGarbage.encode(),
            after_prefix(&Key::AllGarbage.encode()).as_deref(),
            STEP,
        )? {
            let table = layout::garbage_table(&mark);
            let mut done = true;
            for prefix in [Key::Items(table), Key::IndexEntries(table), Key::Expiries(table), Key::TableRecords(table)]
            {
                done &= self.clear(&prefix.encode())?;
            }
            if done {
                self.commit_now(
                    |draft, writer| {
                        writer.numbers.retain(|(known, _), _| *known != table);
                        draft.raw().delete(mark.clone());
                        Ok(())
                    },
                    |_, ()| {},
                )?;
            }
        }
        Ok(())
    }

    /// Removes everything below a prefix; `false` if it was cut off.
    fn clear(&self, prefix: &[u8]) -> Result<bool> {
        let end = after_prefix(prefix);
        loop {
            let keys = keys_between(&self.store.latest(), prefix, end.as_deref(), STEP)?;
            if keys.is_empty() {
                return Ok(true);
            }
            if self.stopping() {
                return Ok(false);
            }
            self.commit_now(
                |draft, _| {
                    keys.iter().for_each(|key| draft.raw().delete(key.clone()));
                    Ok(())
                },
                |_, ()| {},
            )?;
        }
    }

    /// Whether a table is still defined as it was.
    fn is_current(&self, table: &Arc<Table>) -> bool {
        self.catalogue().get(table.name()).is_some_and(|known| Arc::ptr_eq(known, table))
    }

    /// Changes the definition of a table, if the table is still there.
    fn redefine(&self, table: &Arc<Table>, change: impl FnOnce(&mut Definition)) -> Result<()> {
        let id = table.definition.id;
        self.commit_now(
            |draft, _| {
                let Some(known) = self.catalogue().by_id(id).cloned() else { return Ok(None) };
                let mut definition = known.definition.clone();
                change(&mut definition);
                draft.raw().put(Key::Definition(id).encode(), codec::encode(&definition));
                Ok(Some(definition))
            },
            |catalogue, definition| {
                if let Some(definition) = definition {
                    Arc::make_mut(catalogue).insert(definition.clone());
                }
            },
        )?;
        Ok(())
    }

    /// Counts the items and bytes of tables whose figures a crash has lost.
    fn recount_pending(&self) -> Result<()> {
        while let Some(id) = self.next_recount() {
            let Some(table) = self.catalogue().by_id(id).cloned() else {
                self.recounted(id);
                continue;
            };
            let places: Vec<(u32, Bytes)> = std::iter::once((TABLE_ITSELF, Key::Items(id).encode()))
                .chain(
                    table
                        .indexes
                        .iter()
                        .map(|index| (index.definition.id, Key::Index(id, index.definition.id).encode())),
                )
                .collect();
            // Forget what was counted so far and count a snapshot of this moment; what is written meanwhile adds up.
            let snapshot = self.commit_now(
                |draft, writer| {
                    writer.numbers.retain(|(known, _), _| *known != id);
                    Ok(draft.snapshot().clone())
                },
                |_, _| {},
            )?;
            for (place, prefix) in places {
                let mut growth = Growth::default();
                scan_prefix(&snapshot, &prefix, |_, value| {
                    growth.count += 1;
                    growth.bytes += espalier_dynamo::ItemRef::new(value).size() as i64;
                    if self.stopping() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
                })?;
                if self.stopping() {
                    return Ok(());
                }
                self.commit_now(
                    |_, writer| {
                        let sum = writer.numbers.entry((id, place)).or_default();
                        sum.count += growth.count;
                        sum.bytes += growth.bytes;
                        Ok(())
                    },
                    |_, ()| {},
                )?;
            }
            self.recounted(id);
        }
        Ok(())
    }
}

fn expire_one(draft: &mut Draft, table: &Arc<Table>, entry: &[u8]) -> Result<()> {
    let (second, primary) = layout::expiry_parts(entry);
    let attribute = table.definition.time_to_live.as_deref().unwrap_or_default();
    let item = draft.stored(table, primary)?.filter(|item| expiry_second(attribute, item.view()) == Some(second));
    let Some(item) = item else {
        draft.raw().delete(Bytes::copy_from_slice(entry));
        return Ok(());
    };
    let write = Write {
        table: table.clone(),
        named: String::new(),
        primary: primary.to_vec(),
        key: key::select(item.view(), attributes(&table.keys)),
        action: Action::Delete,
        condition: None,
        by_time_to_live: true,
        is_update_item: false,
    };
    match draft.apply(&write) {
        Ok(_) => Ok(()),
        Err(crate::write::Refusal::Invalid(fault)) => Err(fault),
        Err(crate::write::Refusal::Condition(_)) => Err(Fault::internal("an expiry has no condition")),
    }
}

fn forget_token(draft: &mut Draft, entry: &[u8]) -> Result<()> {
    let (expires_ms, token) = layout::token_age_parts(entry);
    let key = Key::Token(token).encode();
    let stored = draft.snapshot().get(&key).map_err(Fault::internal)?;
    // A token that was used again meanwhile has a younger age entry of its own.
    if stored.is_some_and(|stored| stored.starts_with(&expires_ms.to_be_bytes())) {
        draft.raw().delete(key);
    }
    draft.raw().delete(Bytes::copy_from_slice(entry));
    Ok(())
}

fn keys_between(snapshot: &Snapshot, from: &[u8], to: Option<&[u8]>, most: usize) -> Result<Vec<Bytes>> {
    let mut keys = Vec::new();
    let to = to.map_or(Bound::Unbounded, Bound::Excluded);
    snapshot
        .scan(Bound::Included(from), to, Direction::Forward, &mut |key, _| {
            keys.push(Bytes::copy_from_slice(key));
            if keys.len() < most { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        })
        .map_err(Fault::internal)?;
    Ok(keys)
}

fn items_from(snapshot: &Snapshot, from: &Bound<Bytes>, end: Option<&[u8]>) -> Result<Vec<(Bytes, Item)>> {
    let from = match from {
        Bound::Included(key) => Bound::Included(key.as_ref()),
        Bound::Excluded(key) => Bound::Excluded(key.as_ref()),
        Bound::Unbounded => Bound::Unbounded,
    };
    let mut items = Vec::new();
    snapshot
        .scan(from, end.map_or(Bound::Unbounded, Bound::Excluded), Direction::Forward, &mut |key, value| {
            items.push((Bytes::copy_from_slice(key), Item::from_encoded(Bytes::copy_from_slice(value))));
            if items.len() < STEP { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        })
        .map_err(Fault::internal)?;
    Ok(items)
}
