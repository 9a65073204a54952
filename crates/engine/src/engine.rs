//! The engine as a whole: what it holds, how it is opened and closed, and which operation goes where.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use espalier_dynamo::item::Item;
use espalier_dynamo::operation::capacity::ItemCollectionMetrics;
use espalier_dynamo::{Answer, Dynamo, Error as Fault, Operation, Response, Result};
use espalier_store::{Direction, Snapshot, Store};
use parking_lot::{Condvar, Mutex, RwLock};
use std::ops::{Bound, ControlFlow};

use crate::catalogue::Catalogue;
use crate::clock::{Clock, Random, SystemClock, SystemRandom};
use crate::key;
use crate::layout::{Key, after_prefix};
use crate::table::Table;
use crate::table::arn::Owner;
use crate::write::Draft;
use crate::write::draft::Growth;

/// How an engine is set up.
#[derive(Debug, Clone)]
pub struct Options {
    /// The region that ARNs name.
    pub region: String,
    /// The account that ARNs name.
    pub account: String,
    /// Where time comes from.
    pub clock: Arc<dyn Clock>,
    /// Where identities come from.
    pub random: Arc<dyn Random>,
    /// Whether expiry, trimming and filling happen by themselves; otherwise [`Engine::tick`] does them.
    pub housekeeping: bool,
    /// How the store is set up.
    pub store: espalier_store::Options,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            region: "us-east-1".to_owned(),
            account: "123456789012".to_owned(),
            clock: Arc::new(SystemClock),
            random: Arc::new(SystemRandom),
            housekeeping: true,
            store: espalier_store::Options::default(),
        }
    }
}

/// The embedded database. Cloning gives another handle on the same one.
#[derive(Clone)]
pub struct Engine {
    inner: Arc<Inner>,
    // Dropped with the last handle: stops the background thread.
    keeper: Arc<Keeper>,
}

/// What an engine holds.
pub struct Inner {
    pub(crate) store: Store,
    pub(crate) options: Options,
    catalogue: RwLock<Arc<Catalogue>>,
    writer: Mutex<Writer>,
    recounts: Mutex<Vec<u32>>,
    pub(crate) bell: Bell,
}

/// What the one writer keeps beside the store.
#[derive(Debug, Default)]
pub struct Writer {
    /// The sequence number of the next stream record.
    pub next_sequence: u64,
    /// The number of the next table.
    pub next_table: u32,
    /// How many items and bytes there are, by table and index.
    pub numbers: HashMap<(u32, u32), Growth>,
}

/// Wakes the background thread.
#[derive(Default)]
pub(crate) struct Bell {
    pub(crate) lock: Mutex<()>,
    pub(crate) wake: Condvar,
    pub(crate) stop: AtomicBool,
}

/// Stops the background thread when the last handle goes.
struct Keeper {
    inner: Arc<Inner>,
    thread: Mutex<Option<std::thread::JoinHandle<()>>>,
}

impl Keeper {
    fn stop(&self) {
        self.inner.bell.stop.store(true, Ordering::SeqCst);
        self.inner.ring();
        if let Some(thread) = self.thread.lock().take() {
            let _ = thread.join();
        }
    }
}

impl Drop for Keeper {
    fn drop(&mut self) {
        self.stop();
    }
}

impl Engine {
    /// Opens the database in a folder, making it if it is not there.
    pub fn open(path: &Path) -> Result<Self> {
        Self::open_with(path, Options::default())
    }

    /// Opens the database in a folder with options.
    pub fn open_with(path: &Path, options: Options) -> Result<Self> {
        Self::on(Store::open(path, options.store.clone()).map_err(Fault::internal)?, options)
    }

    /// A database that lives in memory alone.
    pub fn in_memory() -> Result<Self> {
        Self::in_memory_with(Options::default())
    }

    /// A database in memory with options.
    pub fn in_memory_with(options: Options) -> Result<Self> {
        Self::on(Store::in_memory(options.store.clone()).map_err(Fault::internal)?, options)
    }

    /// The database on an opened store.
    pub fn on(store: Store, options: Options) -> Result<Self> {
        let snapshot = store.latest();
        let catalogue = Catalogue::load(&snapshot)?;
        let newest = crate::stream::next_sequence(&snapshot, &catalogue)?;
        let writer = Writer {
            next_table: meta(&snapshot, NEXT_TABLE)?.unwrap_or(1) as u32,
            next_sequence: newest.max(meta(&snapshot, NEXT_SEQUENCE)?.unwrap_or(1)),
            numbers: HashMap::new(),
        };
        let housekeeping = options.housekeeping;
        let inner = Arc::new(Inner {
            store,
            options,
            catalogue: RwLock::new(Arc::new(catalogue)),
            writer: Mutex::new(writer),
            recounts: Mutex::new(Vec::new()),
            bell: Bell::default(),
        });
        inner.load_numbers(&snapshot)?;
        let thread =
            housekeeping.then(|| crate::housekeeping::start(inner.clone())).transpose().map_err(Fault::internal)?;
        let keeper = Keeper { inner: inner.clone(), thread: Mutex::new(thread) };
        Ok(Self { inner, keeper: Arc::new(keeper) })
    }

    /// Does now what would happen by itself: expiry, trimming, filling indexes, clearing away.
    pub fn tick(&self) -> Result<()> {
        self.inner.tick()
    }

    /// Stops cleanly: everything is on disk, and the next opening has nothing to replay.
    pub fn close(&self) -> Result<()> {
        self.keeper.stop();
        self.inner.save_numbers()?;
        self.inner.store.close().map_err(Fault::internal)
    }

    /// The store's own figures.
    #[must_use]
    pub fn store_stats(&self) -> espalier_store::Stats {
        self.inner.store.stats()
    }

    /// Checks that every index and every expiry entry is what the items say; returns what is not.
    pub fn verify(&self) -> Result<Vec<String>> {
        self.inner.verify()
    }
}

impl Dynamo for Engine {
    fn execute(&self, operation: Operation) -> Answer<'_> {
        let inner = &*self.inner;
        Box::pin(async move {
            Ok(match operation {
                Operation::PutItem(request) => Response::PutItem(inner.put_item(request).await?),
                Operation::GetItem(request) => Response::GetItem(inner.get_item(request)?),
                Operation::UpdateItem(request) => Response::UpdateItem(inner.update_item(request).await?),
                Operation::DeleteItem(request) => Response::DeleteItem(inner.delete_item(request).await?),
                Operation::Query(request) => Response::Query(inner.query(request)?),
                Operation::Scan(request) => Response::Scan(inner.scan(request)?),
                Operation::BatchGetItem(request) => Response::BatchGetItem(inner.batch_get_item(request)?),
                Operation::BatchWriteItem(request) => Response::BatchWriteItem(inner.batch_write_item(request).await?),
                Operation::TransactGetItems(request) => Response::TransactGetItems(inner.transact_get_items(request)?),
                Operation::TransactWriteItems(request) => {
                    Response::TransactWriteItems(inner.transact_write_items(request).await?)
                }
                Operation::ExecuteStatement(request) => {
                    Response::ExecuteStatement(inner.execute_statement(request).await?)
                }
                Operation::BatchExecuteStatement(request) => {
                    Response::BatchExecuteStatement(inner.batch_execute_statement(request).await?)
                }
                Operation::ExecuteTransaction(request) => {
                    Response::ExecuteTransaction(inner.execute_transaction(request).await?)
                }
                Operation::CreateTable(request) => Response::CreateTable(inner.create_table(&request)?),
                Operation::DescribeTable(request) => Response::DescribeTable(inner.describe_table(&request)?),
                Operation::ListTables(request) => Response::ListTables(inner.list_tables(&request)?),
                Operation::UpdateTable(request) => Response::UpdateTable(inner.update_table(&request)?),
                Operation::DeleteTable(request) => Response::DeleteTable(inner.delete_table(&request)?),
                Operation::DescribeLimits(_) => Response::DescribeLimits(inner.describe_limits()),
                Operation::DescribeEndpoints(_) => Response::DescribeEndpoints(inner.describe_endpoints()),
                Operation::TagResource(request) => Response::TagResource(inner.tag_resource(&request)?),
                Operation::UntagResource(request) => Response::UntagResource(inner.untag_resource(&request)?),
                Operation::ListTagsOfResource(request) => {
                    Response::ListTagsOfResource(inner.list_tags_of_resource(&request)?)
                }
                Operation::UpdateTimeToLive(request) => {
                    Response::UpdateTimeToLive(inner.update_time_to_live(&request)?)
                }
                Operation::DescribeTimeToLive(request) => {
                    Response::DescribeTimeToLive(inner.describe_time_to_live(&request)?)
                }
                Operation::DescribeContinuousBackups(request) => {
                    Response::DescribeContinuousBackups(inner.describe_continuous_backups(&request)?)
                }
                Operation::ListStreams(request) => Response::ListStreams(inner.list_streams(&request)?),
                Operation::DescribeStream(request) => Response::DescribeStream(inner.describe_stream(&request)?),
                Operation::GetShardIterator(request) => Response::GetShardIterator(inner.get_shard_iterator(&request)?),
                Operation::GetRecords(request) => Response::GetRecords(inner.get_records(&request)?),
            })
        })
    }
}

const NEXT_TABLE: &str = "next-table";
pub(crate) const NEXT_SEQUENCE: &str = "next-sequence";
const NUMBERS: &str = "numbers";

/// A counter of the engine.
fn meta(snapshot: &Snapshot, name: &'static str) -> Result<Option<u64>> {
    let stored = snapshot.get(&Key::Meta(name).encode()).map_err(Fault::internal)?;
    Ok(stored.and_then(|bytes| bytes.as_ref().try_into().ok()).map(u64::from_be_bytes))
}

impl Inner {
    /// The table that a request names, by name or ARN.
    pub fn table(&self, named: &str) -> Result<Arc<Table>> {
        if let Some(table) = self.catalogue.read().get(named) {
            return Ok(table.clone());
        }
        let name = self.owner().table_name(named)?;
        Ok(self.catalogue.read().table(name)?.clone())
    }

    /// Whose ARNs are meant.
    pub fn owner(&self) -> Owner<'_> {
        Owner { region: &self.options.region, account: &self.options.account }
    }

    /// All tables as they are now.
    pub fn catalogue(&self) -> Arc<Catalogue> {
        self.catalogue.read().clone()
    }

    /// Runs a draft against the newest state and waits until it is on disk. When it fails nothing is written,
    /// but the answer still waits for what it saw: no client may learn of something that a power cut can undo.
    pub async fn commit<T, E>(&self, run: impl FnOnce(&mut Draft) -> Result<T, E>) -> Result<Result<T, E>> {
        let (outcome, commit) = {
            let mut writer = self.writer.lock();
            let mut draft = Draft::new(self.store.latest(), self.options.clock.now_ms());
            let outcome = run(&mut draft);
            let changes = if outcome.is_ok() { writer.take(draft) } else { espalier_store::Changes::new() };
            (outcome, self.store.commit(changes))
        };
        commit.await.map_err(Fault::internal)?;
        Ok(outcome)
    }

    /// The same for callers that may block: background work and changes of the catalogue. Whatever `publish`
    /// does happens after the change is on disk and before the next writer's turn.
    pub fn commit_now<T>(
        &self,
        run: impl FnOnce(&mut Draft, &mut Writer) -> Result<T>,
        publish: impl FnOnce(&mut Arc<Catalogue>, &T),
    ) -> Result<T> {
        let mut writer = self.writer.lock();
        let mut draft = Draft::new(self.store.latest(), self.options.clock.now_ms());
        let outcome = run(&mut draft, &mut writer)?;
        let changes = writer.take(draft);
        self.store.commit(changes).wait().map_err(Fault::internal)?;
        publish(&mut self.catalogue.write(), &outcome);
        Ok(outcome)
    }

    /// Items and bytes of a table or one of its indexes.
    pub fn numbers(&self, table: u32, index: u32) -> Growth {
        self.writer.lock().numbers.get(&(table, index)).copied().unwrap_or_default()
    }

    /// Wakes the background thread.
    pub fn ring(&self) {
        let _guard = self.bell.lock.lock();
        self.bell.wake.notify_all();
    }

    /// An estimate of the size of an item collection; only tables with local indexes have them.
    pub fn item_collection_metrics(&self, table: &Table, key: &Item) -> Result<Option<ItemCollectionMetrics>> {
        if !table.has_item_collections() {
            return Ok(None);
        }
        let partition = crate::layout::Position::partition(
            table.keys.partition.iter().filter_map(|part| key.get(&part.name)).collect::<Vec<_>>().into_iter(),
        );
        let prefix = Key::Item(table.definition.id, partition.as_bytes()).encode();
        let mut bytes = 0usize;
        scan_prefix(&self.store.snapshot(), &prefix, |_, value| {
            bytes += espalier_dynamo::ItemRef::new(value).size();
            ControlFlow::Continue(())
        })?;
        let low = (bytes / (1024 * 1024 * 1024)) as f64;
        Ok(Some(ItemCollectionMetrics {
            key: key::select(key.view(), table.keys.partition.iter()),
            size_range_gb: (low, low + 1.0),
        }))
    }
}

/// Visits everything below a prefix, ascending.
pub(crate) fn scan_prefix(
    snapshot: &Snapshot,
    prefix: &[u8],
    mut visit: impl FnMut(&[u8], &[u8]) -> ControlFlow<()>,
) -> Result<()> {
    let end = after_prefix(prefix);
    let to = end.as_deref().map_or(Bound::Unbounded, Bound::Excluded);
    snapshot.scan(Bound::Included(prefix), to, Direction::Forward, &mut visit).map_err(Fault::internal)
}

impl Writer {
    /// Takes what a draft made: its changes are numbered, and what grew is counted.
    fn take(&mut self, draft: Draft) -> espalier_store::Changes {
        let (changes, growth) = draft.finish(&mut self.next_sequence);
        for (table, index, growth) in growth {
            let sum = self.numbers.entry((table, index)).or_default();
            sum.count += growth.count;
            sum.bytes += growth.bytes;
        }
        changes
    }

    /// A number for a new table, never used before.
    pub fn allocate_table(&mut self, draft: &mut Draft) -> u32 {
        let id = self.next_table;
        self.next_table += 1;
        draft.raw().put(Key::Meta(NEXT_TABLE).encode(), u64::from(self.next_table).to_be_bytes().to_vec());
        id
    }
}

/// Items and bytes are exact while running. They are saved at a clean stop; after any other stop they are counted
/// anew in the background, since keeping them in every commit would cost each write for a figure that DynamoDB
/// itself updates only every six hours.
impl Inner {
    fn load_numbers(&self, snapshot: &Snapshot) -> Result<()> {
        let stored = snapshot.get(&Key::Meta(NUMBERS).encode()).map_err(Fault::internal)?;
        let catalogue = self.catalogue();
        match stored {
            Some(stored) => {
                let mut writer = self.writer.lock();
                for entry in stored.chunks_exact(24) {
                    let word = |at: usize| u64::from_be_bytes(entry[at..at + 8].try_into().expect("eight bytes"));
                    let place = ((word(0) >> 32) as u32, word(0) as u32);
                    writer.numbers.insert(place, Growth { count: word(8) as i64, bytes: word(16) as i64 });
                }
                drop(writer);
                // From now on the saved figures are old; a crash must not bring them back.
                self.commit_now(
                    |draft, _| {
                        draft.raw().delete(Key::Meta(NUMBERS).encode());
                        Ok(())
                    },
                    |_, ()| {},
                )
            }
            None => {
                *self.recounts.lock() = catalogue.tables().map(|table| table.definition.id).collect();
                Ok(())
            }
        }
    }

    /// A table whose figures have to be counted anew.
    pub(crate) fn next_recount(&self) -> Option<u32> {
        self.recounts.lock().last().copied()
    }

    /// Whether the figures are complete.
    pub(crate) fn is_recounted(&self) -> bool {
        self.recounts.lock().is_empty()
    }

    /// A table's figures are complete again.
    pub(crate) fn recounted(&self, table: u32) {
        self.recounts.lock().retain(|known| *known != table);
    }

    fn save_numbers(&self) -> Result<()> {
        if !self.recounts.lock().is_empty() {
            return Ok(());
        }
        self.commit_now(
            |draft, writer| {
                let mut stored = Vec::with_capacity(24 * writer.numbers.len());
                for ((table, index), growth) in &writer.numbers {
                    stored.extend_from_slice(&table.to_be_bytes());
                    stored.extend_from_slice(&index.to_be_bytes());
                    stored.extend_from_slice(&growth.count.to_be_bytes());
                    stored.extend_from_slice(&growth.bytes.to_be_bytes());
                }
                draft.raw().put(Key::Meta(NUMBERS).encode(), stored);
                draft.raw().put(Key::Meta(NEXT_SEQUENCE).encode(), writer.next_sequence.to_be_bytes().to_vec());
                Ok(())
            },
            |_, ()| {},
        )
    }
}
