//! What every scenario has at hand: clients, the table of orders, and a way to expect an exception.

use std::collections::HashMap;
use std::error::Error;
use std::fmt::{Debug, Display};
use std::ops::RangeInclusive;
use std::pin::Pin;
use std::time::Duration;

use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::client::Waiters;
use aws_sdk_dynamodb::config::{BehaviorVersion, Builder, Credentials, Region};
use aws_sdk_dynamodb::error::{DisplayErrorContext, ProvideErrorMetadata, SdkError};
use aws_sdk_dynamodb::operation::create_table::builders::CreateTableFluentBuilder;
use aws_sdk_dynamodb::types::{
    AttributeDefinition, AttributeValue, BillingMode, GlobalSecondaryIndex, KeySchemaElement, KeyType,
    LocalSecondaryIndex, Projection, ProjectionType, PutRequest, ScalarAttributeType, TableDescription, WriteRequest,
};

pub type Item = HashMap<String, AttributeValue>;
pub type Failure = Box<dyn Error + Send + Sync>;
pub type Outcome<T = ()> = Result<T, Failure>;
pub type Scenario = fn(Shop) -> Pin<Box<dyn Future<Output = Outcome> + Send>>;

/// Names of scenarios with the functions of those names.
macro_rules! scenarios {
    ($($name:ident),* $(,)?) => {
        pub fn scenarios() -> Vec<(&'static str, $crate::scenario::Scenario)> {
            vec![$((stringify!($name), |shop| Box::pin($name(shop)))),*]
        }
    };
}
pub(crate) use scenarios;

/// An SDK error says little by itself; what was behind it says the rest.
pub fn failure_text(failure: &(dyn Error + Send + Sync)) -> String {
    DisplayErrorContext(failure).to_string()
}

/// The clients, and the name of a table that no other scenario uses.
#[derive(Clone)]
pub struct Shop {
    pub dynamodb: Client,
    pub streams: aws_sdk_dynamodbstreams::Client,
    pub endpoint: String,
    pub table: String,
}

const WAIT: Duration = Duration::from_secs(30);

impl Shop {
    pub fn new(endpoint: &str, scenario: &str) -> Self {
        let http = aws_smithy_http_client::Builder::new().build_http();
        let streams = aws_sdk_dynamodbstreams::Config::builder()
            .behavior_version(BehaviorVersion::v2026_01_12())
            .region(Region::new("us-east-1"))
            .credentials_provider(Credentials::new("client", "secret", None, None, "clients"))
            .endpoint_url(endpoint)
            .http_client(http);
        Self {
            dynamodb: Client::from_conf(Self::settings(endpoint).build()),
            streams: aws_sdk_dynamodbstreams::Client::from_conf(streams.build()),
            endpoint: endpoint.to_owned(),
            table: format!("rust_{scenario}"),
        }
    }

    pub fn settings(endpoint: &str) -> Builder {
        aws_sdk_dynamodb::Config::builder()
            .behavior_version(BehaviorVersion::v2026_01_12())
            .region(Region::new("us-east-1"))
            .credentials_provider(Credentials::new("client", "secret", None, None, "clients"))
            .endpoint_url(endpoint)
            .http_client(aws_smithy_http_client::Builder::new().build_http())
    }

    pub async fn wait_until_exists(&self) -> Outcome {
        self.dynamodb.wait_until_table_exists().table_name(&self.table).wait(WAIT).await?;
        Ok(())
    }

    pub async fn wait_until_gone(&self) -> Outcome {
        self.dynamodb.wait_until_table_not_exists().table_name(&self.table).wait(WAIT).await?;
        Ok(())
    }

    /// The request that creates the table of orders.
    pub fn orders(&self) -> Outcome<CreateTableFluentBuilder> {
        let by_phase = GlobalSecondaryIndex::builder()
            .index_name("by_phase")
            .key_schema(key_element("phase", KeyType::Hash)?)
            .key_schema(key_element("amount", KeyType::Range)?)
            .projection(Projection::builder().projection_type(ProjectionType::All).build());
        let including = Projection::builder().projection_type(ProjectionType::Include).non_key_attributes("amount");
        let by_day = LocalSecondaryIndex::builder()
            .index_name("by_day")
            .key_schema(key_element("customer", KeyType::Hash)?)
            .key_schema(key_element("placed", KeyType::Range)?)
            .projection(including.build());
        Ok(self
            .dynamodb
            .create_table()
            .table_name(&self.table)
            .billing_mode(BillingMode::PayPerRequest)
            .set_attribute_definitions(Some(order_attributes()?))
            .key_schema(key_element("customer", KeyType::Hash)?)
            .key_schema(key_element("nr", KeyType::Range)?)
            .global_secondary_indexes(by_phase.build()?)
            .local_secondary_indexes(by_day.build()?))
    }

    pub async fn create_orders(&self) -> Outcome {
        self.orders()?.send().await?;
        self.wait_until_exists().await
    }

    /// The request that creates a table with the partition key `id` (S) alone.
    pub fn plain(&self) -> Outcome<CreateTableFluentBuilder> {
        Ok(self
            .dynamodb
            .create_table()
            .table_name(&self.table)
            .billing_mode(BillingMode::PayPerRequest)
            .attribute_definitions(attribute("id", ScalarAttributeType::S)?)
            .key_schema(key_element("id", KeyType::Hash)?))
    }

    pub async fn create(&self, request: CreateTableFluentBuilder) -> Outcome<TableDescription> {
        let created = request.send().await?;
        self.wait_until_exists().await?;
        Ok(created.table_description.ok_or("no description")?)
    }

    pub async fn create_plain(&self) -> Outcome<TableDescription> {
        self.create(self.plain()?).await
    }

    pub async fn fill_orders(&self) -> Outcome {
        let ada = (1..=30).map(|nr| order("ada", nr));
        let items: Vec<Item> = ada.chain((1..=10).map(|nr| order("bob", nr))).collect();
        for items in items.chunks(25) {
            self.write_batch(puts(items.iter().cloned())?).await?;
        }
        Ok(())
    }

    /// One BatchWriteItem, repeated for what was left unprocessed.
    pub async fn write_batch(&self, requests: Vec<WriteRequest>) -> Outcome {
        let mut pending = HashMap::from([(self.table.clone(), requests)]);
        for _ in 0..50 {
            let answer = self.dynamodb.batch_write_item().set_request_items(Some(pending)).send().await?;
            pending = answer.unprocessed_items.unwrap_or_default();
            if pending.is_empty() {
                return Ok(());
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        Err("unprocessed items are left after 50 rounds".into())
    }

    pub async fn put(&self, item: Item) -> Outcome {
        self.dynamodb.put_item().table_name(&self.table).set_item(Some(item)).send().await?;
        Ok(())
    }

    pub async fn get(&self, key: Item) -> Outcome<Option<Item>> {
        let get = self.dynamodb.get_item().table_name(&self.table).set_key(Some(key)).consistent_read(true);
        Ok(get.send().await?.item)
    }
}

/// Expects that exception with that message, if one is given, and answers the operation's own error.
pub fn rejected<T: Debug, E>(answer: Result<T, SdkError<E>>, code: &str, message: &str) -> E
where
    E: Error + ProvideErrorMetadata + Send + Sync + 'static,
{
    let error = match answer.expect_err(code) {
        SdkError::ServiceError(context) => context.into_err(),
        other => panic!("expected {code}: {}", DisplayErrorContext(other)),
    };
    assert_eq!(error.code(), Some(code), "{error:?}");
    if !message.is_empty() {
        assert_eq!(error.message(), Some(message));
    }
    error
}

pub fn attribute(name: &str, kind: ScalarAttributeType) -> Outcome<AttributeDefinition> {
    Ok(AttributeDefinition::builder().attribute_name(name).attribute_type(kind).build()?)
}

pub fn key_element(name: &str, kind: KeyType) -> Outcome<KeySchemaElement> {
    Ok(KeySchemaElement::builder().attribute_name(name).key_type(kind).build()?)
}

pub fn order_attributes() -> Outcome<Vec<AttributeDefinition>> {
    [
        ("customer", ScalarAttributeType::S),
        ("nr", ScalarAttributeType::N),
        ("phase", ScalarAttributeType::S),
        ("amount", ScalarAttributeType::N),
        ("placed", ScalarAttributeType::S),
    ]
    .into_iter()
    .map(|(name, kind)| attribute(name, kind))
    .collect()
}

pub fn s(text: impl Into<String>) -> AttributeValue {
    AttributeValue::S(text.into())
}

pub fn n(number: impl Display) -> AttributeValue {
    AttributeValue::N(number.to_string())
}

pub fn item<const COUNT: usize>(attributes: [(&str, AttributeValue); COUNT]) -> Item {
    attributes.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

pub fn id(text: &str) -> Item {
    item([("id", s(text))])
}

pub fn key(customer: &str, nr: i32) -> Item {
    item([("customer", s(customer)), ("nr", n(nr))])
}

pub fn order(customer: &str, nr: i32) -> Item {
    item([
        ("customer", s(customer)),
        ("nr", n(nr)),
        ("phase", s(if nr % 2 == 1 { "open" } else { "paid" })),
        ("amount", n(nr * 10)),
        ("placed", s(format!("2026-01-{nr:02}"))),
    ])
}

pub fn puts(items: impl IntoIterator<Item = Item>) -> Outcome<Vec<WriteRequest>> {
    let put = |item| -> Outcome<WriteRequest> {
        let put = PutRequest::builder().set_item(Some(item)).build()?;
        Ok(WriteRequest::builder().put_request(put).build())
    };
    items.into_iter().map(put).collect()
}

/// That attribute of each item, a number.
pub fn numbers(items: &[Item], name: &str) -> Vec<i32> {
    let number = |item: &Item| item[name].as_n().expect("a number").parse().expect("a small number");
    items.iter().map(number).collect()
}

pub fn all(range: RangeInclusive<i32>) -> Vec<i32> {
    range.collect()
}
