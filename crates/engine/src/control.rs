//! Operations on tables: the rules are in [`crate::table`], here they meet the catalogue and the store.

use std::sync::Arc;

use espalier_dynamo::Result;
use espalier_dynamo::operation::table::{
    ContinuousBackupsDescription, CreateTable, DeleteTable, DescribeContinuousBackups, DescribeTable,
    DescribeTimeToLive, EndpointsOutput, LimitsOutput, ListTables, ListTablesOutput, ListTagsOfResource,
    ListTagsOutput, TableDescription, TagResource, TimeToLiveDescription, TimeToLiveSpecification, UntagResource,
    UpdateTable, UpdateTimeToLive,
};

use crate::catalogue::Catalogue;
use crate::engine::Inner;
use crate::layout::Key;
use crate::table::describe::{self, Numbers, Size};
use crate::table::error::TableError;
use crate::table::{Definition, Table, account, codec, create, delete, name, tag, time_to_live, update};
use crate::write::draft::TABLE_ITSELF;

impl Inner {
    /// Makes a table.
    pub fn create_table(&self, request: &CreateTable) -> Result<TableDescription> {
        let definition = self.commit_now(
            |draft, writer| {
                let catalogue = self.catalogue();
                let name = self.owner().table_name(&request.table_name)?;
                let context = create::Context {
                    id: writer.next_table,
                    table_uuid: self.options.random.uuid().to_string(),
                    now_ms: draft.now_ms(),
                    existing_tables: catalogue.len(),
                };
                let definition =
                    create::create(&CreateTable { table_name: name.to_owned(), ..request.clone() }, &context)?;
                if catalogue.get(&definition.name).is_some() {
                    return Err(TableError::AlreadyExists(definition.name).into());
                }
                writer.allocate_table(draft);
                draft.raw().put(Key::Definition(definition.id).encode(), codec::encode(&definition));
                Ok(definition)
            },
            publish,
        )?;
        Ok(describe::created(&definition, request, self.owner()))
    }

    /// Tells about a table.
    pub fn describe_table(&self, request: &DescribeTable) -> Result<TableDescription> {
        let definition = &self.named(&request.table_name)?.definition;
        Ok(describe::describe(definition, &self.sizes(definition), self.owner(), self.options.clock.now_ms()))
    }

    /// Names the tables.
    pub fn list_tables(&self, request: &ListTables) -> Result<ListTablesOutput> {
        let catalogue = self.catalogue();
        Ok(name::list(catalogue.tables().map(|table| table.name()), request)?)
    }

    /// Changes a table.
    pub fn update_table(&self, request: &UpdateTable) -> Result<TableDescription> {
        update::check(request)?;
        let before = self.named(&request.table_name)?;
        let change = |definition: &Definition, now_ms| update::update(definition, request, now_ms);
        let after = self.redefine_named(&request.table_name, change)?;
        self.ring();
        let (sizes, now_ms) = (self.sizes(&after), self.options.clock.now_ms());
        Ok(describe::updated(&before.definition, &after, request, &sizes, self.owner(), now_ms))
    }

    /// Removes a table. Its entries are cleared away in the background; its number is never used again.
    pub fn delete_table(&self, request: &DeleteTable) -> Result<TableDescription> {
        let table = self.commit_now(
            |draft, _| {
                let table = self.named(&request.table_name)?;
                delete::check(&table.definition)?;
                let id = table.definition.id;
                draft.raw().delete(Key::Definition(id).encode());
                draft.raw().put(Key::TableGarbage(id).encode(), Vec::new());
                Ok(table)
            },
            |catalogue, table| Arc::make_mut(catalogue).remove(table.name()),
        )?;
        let (sizes, now_ms) = (self.sizes(&table.definition), self.options.clock.now_ms());
        self.ring();
        Ok(describe::deleted(&table.definition, &sizes, self.owner(), now_ms))
    }

    /// Tells the account's limits.
    pub fn describe_limits(&self) -> LimitsOutput {
        account::limits()
    }

    /// Tells the address to talk to.
    pub fn describe_endpoints(&self) -> EndpointsOutput {
        account::endpoints(&self.options.region)
    }

    /// Labels a table.
    pub fn tag_resource(&self, request: &TagResource) -> Result<()> {
        let name = self.owner().resource(&request.arn)?;
        tag::check_given(&request.tags)?;
        let missing = TableError::ResourceNotFound(request.arn.clone());
        self.redefine_tagged(name, missing, |definition| tag::tag(definition, &request.tags))
    }

    /// Takes labels off a table.
    pub fn untag_resource(&self, request: &UntagResource) -> Result<()> {
        let name = self.owner().resource(&request.arn)?;
        tag::check_keys_given(&request.keys)?;
        self.redefine_tagged(name, TableError::NotFound, |definition| tag::untag(definition, &request.keys))
    }

    /// Lists the labels of a table.
    pub fn list_tags_of_resource(&self, request: &ListTagsOfResource) -> Result<ListTagsOutput> {
        let name = self.owner().resource(&request.arn)?;
        let table =
            self.catalogue().get(name).cloned().ok_or_else(|| TableError::ResourceNotFound(request.arn.clone()))?;
        Ok(tag::list(&table.definition))
    }

    /// Switches time to live on or off.
    pub fn update_time_to_live(&self, request: &UpdateTimeToLive) -> Result<TimeToLiveSpecification> {
        self.redefine_named(&request.table_name, |definition, _| {
            time_to_live::update(definition, &request.specification)
        })?;
        self.ring();
        Ok(request.specification.clone())
    }

    /// Tells where time to live stands.
    pub fn describe_time_to_live(&self, request: &DescribeTimeToLive) -> Result<TimeToLiveDescription> {
        Ok(time_to_live::describe(&self.named(&request.table_name)?.definition))
    }

    /// Tells about backups of a table: there are none yet.
    pub fn describe_continuous_backups(
        &self,
        request: &DescribeContinuousBackups,
    ) -> Result<ContinuousBackupsDescription> {
        let name = self.owner().table_name(&request.table_name)?;
        if self.catalogue().get(name).is_none() {
            return Err(TableError::BackupTableNotFound(name.to_owned()).into());
        }
        Ok(account::continuous_backups())
    }

    /// The table that an operation on tables names, by name or ARN.
    fn named(&self, named: &str) -> Result<Arc<Table>> {
        let name = self.owner().table_name(named)?;
        let table = self.catalogue().get(name).cloned();
        table.ok_or_else(|| TableError::TableNotFound(name.to_owned()).into())
    }

    fn redefine_named(
        &self,
        named: &str,
        change: impl FnOnce(&Definition, i64) -> Result<Definition>,
    ) -> Result<Definition> {
        self.commit_now(
            |draft, _| {
                let table = self.named(named)?;
                let definition = change(&table.definition, draft.now_ms())?;
                draft.raw().put(Key::Definition(definition.id).encode(), codec::encode(&definition));
                Ok(definition)
            },
            publish,
        )
    }

    fn redefine_tagged(
        &self,
        name: &str,
        missing: TableError,
        change: impl FnOnce(&Definition) -> Result<Definition>,
    ) -> Result<()> {
        if self.catalogue().get(name).is_none() {
            return Err(missing.into());
        }
        self.redefine_named(name, |definition, _| change(definition)).map(drop)
    }

    /// How much a table and its indexes hold.
    fn sizes(&self, definition: &Definition) -> Numbers {
        let size = |place: u32| {
            let sum = self.numbers(definition.id, place);
            Size { items: sum.count.max(0), bytes: sum.bytes.max(0) }
        };
        let indexes = definition.local_indexes.iter().chain(&definition.global_indexes);
        Numbers { table: size(TABLE_ITSELF), indexes: indexes.map(|index| (index.id, size(index.id))).collect() }
    }
}

fn publish(catalogue: &mut Arc<Catalogue>, definition: &Definition) {
    Arc::make_mut(catalogue).insert(definition.clone());
}
