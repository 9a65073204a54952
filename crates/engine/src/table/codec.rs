//! The stored form of a definition: an encoded item with short attribute names.
//!
//! An attribute that is missing means the default, and one that is not known is passed over, so that later
//! versions can add to it and earlier ones still read it.

use bytes::Bytes;
use espalier_dynamo::operation::table::{
    AttributeDefinition, BillingMode, KeySchemaElement, KeyType, OptionalThroughput, Projection, ProjectionType,
    ScalarType, SseSpecification, SseType, StreamViewType, TableClass, Tag, Throughput, ThroughputDescription,
};
use espalier_dynamo::{Error, Item, Map, Value};

use super::definition::{Definition, IndexDefinition, IndexKind, IndexState, Stream};

/// Why stored bytes are not a definition.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CodecError {
    /// Something without which there is no definition.
    #[error("a stored table definition has no `{0}`")]
    Missing(&'static str),
    /// Something of another type, or a name that is not known.
    #[error("a stored table definition has a strange `{0}`")]
    Strange(&'static str),
}

impl From<CodecError> for Error {
    fn from(cause: CodecError) -> Self {
        Error::internal(cause)
    }
}

type Decoded<T> = Result<T, CodecError>;

/// The bytes to store.
#[must_use]
pub fn encode(definition: &Definition) -> Vec<u8> {
    let mut out = Writer::default();
    out.number("id", definition.id);
    out.text("n", &definition.name);
    out.text("u", &definition.table_id);
    out.number("c", definition.created_ms);
    out.list("a", &definition.attributes, attribute);
    out.list("k", &definition.key_schema, key);
    out.list("li", &definition.local_indexes, index);
    out.list("gi", &definition.global_indexes, index);
    out.number("ni", definition.next_index_id);
    out.name("bm", definition.billing_mode.map(BillingMode::name));
    out.optional("od", definition.on_demand_since_ms);
    out.value("t", throughput(&definition.throughput));
    out.pair("oc", definition.on_demand);
    out.pair("w", definition.warm);
    out.list("s", &definition.streams, stream);
    out.name("tl", definition.time_to_live.as_deref());
    out.flag("tf", definition.time_to_live_filling);
    if let Some(sse) = &definition.sse {
        out.value("e", encryption(sse));
    }
    out.name("tc", definition.table_class.map(TableClass::name));
    out.optional("tu", definition.table_class_updated_ms);
    out.flag("dp", definition.deletion_protection);
    out.list("g", &definition.tags, tag);
    Item::from(out.0).as_bytes().to_vec()
}

/// The definition in stored bytes. Their integrity is the store's business: bytes that no [`encode`] wrote may
/// panic, as all encoded items do.
pub fn decode(bytes: &[u8]) -> Result<Definition, Error> {
    let map = Item::from_encoded(Bytes::copy_from_slice(bytes)).to_map();
    Ok(definition(&Reader(&map))?)
}

fn definition(from: &Reader<'_>) -> Decoded<Definition> {
    Ok(Definition {
        id: from.id("id")?,
        name: from.needed_text("n")?,
        table_id: from.needed_text("u")?,
        created_ms: from.number("c")?.unwrap_or(0),
        attributes: from.list("a", read_attribute)?,
        key_schema: from.list("k", read_key)?,
        local_indexes: from.list("li", read_index)?,
        global_indexes: from.list("gi", read_index)?,
        next_index_id: from.id("ni")?,
        billing_mode: from.name("bm", BillingMode::from_name)?,
        on_demand_since_ms: from.number("od")?,
        throughput: read_throughput(from, "t")?,
        on_demand: from.pair("oc")?,
        warm: from.pair("w")?,
        streams: from.list("s", read_stream)?,
        time_to_live: from.text("tl")?,
        time_to_live_filling: from.flag("tf")?.unwrap_or(false),
        sse: from.map("e")?.map(|map| read_encryption(&map)).transpose()?,
        table_class: from.name("tc", TableClass::from_name)?,
        table_class_updated_ms: from.number("tu")?,
        deletion_protection: from.flag("dp")?.unwrap_or(false),
        tags: from.list("g", read_tag)?,
    })
}

fn attribute(attribute: &AttributeDefinition) -> Map {
    let mut out = Writer::default();
    out.text("n", &attribute.name);
    out.text("t", attribute.kind.name());
    out.0
}

fn read_attribute(from: &Reader<'_>) -> Decoded<AttributeDefinition> {
    let kind = from.name("t", ScalarType::from_name)?.ok_or(CodecError::Missing("attribute type"))?;
    Ok(AttributeDefinition { name: from.needed_text("n")?, kind })
}

fn key(element: &KeySchemaElement) -> Map {
    let mut out = Writer::default();
    out.text("n", &element.name);
    out.text("t", element.key_type.name());
    out.0
}

fn read_key(from: &Reader<'_>) -> Decoded<KeySchemaElement> {
    let key_type = from.name("t", KeyType::from_name)?.ok_or(CodecError::Missing("key type"))?;
    Ok(KeySchemaElement { name: from.needed_text("n")?, key_type })
}

const LOCAL: &str = "L";
const GLOBAL: &str = "G";
const FILLING: &str = "F";
const DELETING: &str = "D";

fn index(index: &IndexDefinition) -> Map {
    let mut out = Writer::default();
    out.number("id", index.id);
    out.text("n", &index.name);
    out.text(
        "y",
        match index.kind {
            IndexKind::Local => LOCAL,
            IndexKind::Global => GLOBAL,
        },
    );
    out.list("k", &index.key_schema, key);
    out.name("p", index.projection.kind.map(ProjectionType::name));
    if let Some(names) = &index.projection.non_key_attributes {
        out.value("pn", Value::L(names.iter().map(|name| Value::from(name.as_str())).collect()));
    }
    let state = match index.state {
        IndexState::Active => None,
        IndexState::Filling => Some(FILLING),
        IndexState::Deleting => Some(DELETING),
    };
    out.name("s", state);
    out.value("t", throughput(&index.throughput));
    out.pair("oc", index.on_demand);
    out.pair("w", index.warm);
    out.0
}

fn read_index(from: &Reader<'_>) -> Decoded<IndexDefinition> {
    let kind = from.name("y", |kind| match kind {
        LOCAL => Some(IndexKind::Local),
        GLOBAL => Some(IndexKind::Global),
        _ => None,
    });
    let state = from.name("s", |state| match state {
        FILLING => Some(IndexState::Filling),
        DELETING => Some(IndexState::Deleting),
        _ => None,
    });
    let projection =
        Projection { kind: from.name("p", ProjectionType::from_name)?, non_key_attributes: from.texts("pn")? };
    Ok(IndexDefinition {
        id: from.id("id")?,
        name: from.needed_text("n")?,
        kind: kind?.ok_or(CodecError::Missing("index kind"))?,
        key_schema: from.list("k", read_key)?,
        projection,
        state: state?.unwrap_or(IndexState::Active),
        throughput: read_throughput(from, "t")?,
        on_demand: from.pair("oc")?,
        warm: from.pair("w")?,
    })
}

fn throughput(throughput: &ThroughputDescription) -> Map {
    let mut out = Writer::default();
    out.number("r", throughput.throughput.read);
    out.number("w", throughput.throughput.write);
    out.optional("i", throughput.last_increase_ms);
    out.optional("d", throughput.last_decrease_ms);
    out.number("n", throughput.decreases_today);
    out.0
}

fn read_throughput(from: &Reader<'_>, name: &'static str) -> Decoded<ThroughputDescription> {
    let Some(map) = from.map(name)? else { return Ok(ThroughputDescription::default()) };
    Ok(ThroughputDescription {
        throughput: Throughput { read: map.number("r")?.unwrap_or(0), write: map.number("w")?.unwrap_or(0) },
        last_increase_ms: map.number("i")?,
        last_decrease_ms: map.number("d")?,
        decreases_today: map.number("n")?.unwrap_or(0),
    })
}

fn stream(stream: &Stream) -> Map {
    let mut out = Writer::default();
    out.number("c", stream.created_ms);
    out.optional("d", stream.disabled_ms);
    out.text("v", stream.view_type.name());
    out.0
}

fn read_stream(from: &Reader<'_>) -> Decoded<Stream> {
    Ok(Stream {
        created_ms: from.number("c")?.ok_or(CodecError::Missing("stream"))?,
        disabled_ms: from.number("d")?,
        view_type: from.name("v", StreamViewType::from_name)?.ok_or(CodecError::Missing("stream view type"))?,
    })
}

fn encryption(sse: &SseSpecification) -> Map {
    let mut out = Writer::default();
    if let Some(enabled) = sse.enabled {
        out.flag("e", enabled);
    }
    out.name("t", sse.kind.map(SseType::name));
    out.name("k", sse.kms_key_id.as_deref());
    out.0
}

fn read_encryption(from: &Reader<'_>) -> Decoded<SseSpecification> {
    let kind = from.name("t", SseType::from_name)?;
    Ok(SseSpecification { enabled: from.flag("e")?, kind, kms_key_id: from.text("k")? })
}

fn tag(tag: &Tag) -> Map {
    let mut out = Writer::default();
    out.text("k", &tag.key);
    out.text("v", &tag.value);
    out.0
}

fn read_tag(from: &Reader<'_>) -> Decoded<Tag> {
    Ok(Tag { key: from.needed_text("k")?, value: from.needed_text("v")? })
}

/// Puts attributes into a map; what is absent is left out.
#[derive(Default)]
struct Writer(Map);

impl Writer {
    fn value(&mut self, name: &str, value: impl Into<Value>) {
        self.0.insert(name.to_owned(), value.into());
    }

    fn text(&mut self, name: &str, text: &str) {
        self.value(name, text);
    }

    fn name(&mut self, name: &str, text: Option<&str>) {
        if let Some(text) = text {
            self.value(name, text);
        }
    }

    fn number(&mut self, name: &str, number: impl Into<i64>) {
        self.value(name, number.into());
    }

    fn optional(&mut self, name: &str, number: Option<i64>) {
        if let Some(number) = number {
            self.value(name, number);
        }
    }

    fn flag(&mut self, name: &str, flag: bool) {
        self.value(name, flag);
    }

    fn pair(&mut self, name: &str, pair: Option<OptionalThroughput>) {
        if let Some(pair) = pair {
            let mut map = Self::default();
            map.optional("r", pair.read);
            map.optional("w", pair.write);
            self.value(name, map.0);
        }
    }

    fn list<T>(&mut self, name: &str, elements: &[T], write: impl Fn(&T) -> Map) {
        let values: Vec<Value> = elements.iter().map(|element| Value::M(write(element))).collect();
        self.value(name, values);
    }
}

/// Takes attributes out of a map.
struct Reader<'m>(&'m Map);

impl Reader<'_> {
    fn text(&self, name: &'static str) -> Decoded<Option<String>> {
        match self.0.get(name) {
            None => Ok(None),
            Some(Value::S(text)) => Ok(Some(text.clone())),
            Some(_) => Err(CodecError::Strange(name)),
        }
    }

    fn needed_text(&self, name: &'static str) -> Decoded<String> {
        self.text(name)?.ok_or(CodecError::Missing(name))
    }

    fn name<T>(&self, name: &'static str, from_name: impl Fn(&str) -> Option<T>) -> Decoded<Option<T>> {
        match self.text(name)? {
            None => Ok(None),
            Some(text) => from_name(&text).map(Some).ok_or(CodecError::Strange(name)),
        }
    }

    fn number(&self, name: &'static str) -> Decoded<Option<i64>> {
        match self.0.get(name) {
            None => Ok(None),
            Some(Value::N(number)) => number.to_i64().map(Some).ok_or(CodecError::Strange(name)),
            Some(_) => Err(CodecError::Strange(name)),
        }
    }

    fn id(&self, name: &'static str) -> Decoded<u32> {
        let number = self.number(name)?.ok_or(CodecError::Missing(name))?;
        u32::try_from(number).map_err(|_| CodecError::Strange(name))
    }

    fn flag(&self, name: &'static str) -> Decoded<Option<bool>> {
        match self.0.get(name) {
            None => Ok(None),
            Some(Value::Bool(flag)) => Ok(Some(*flag)),
            Some(_) => Err(CodecError::Strange(name)),
        }
    }

    fn map(&self, name: &'static str) -> Decoded<Option<Reader<'_>>> {
        match self.0.get(name) {
            None => Ok(None),
            Some(Value::M(map)) => Ok(Some(Reader(map))),
            Some(_) => Err(CodecError::Strange(name)),
        }
    }

    fn pair(&self, name: &'static str) -> Decoded<Option<OptionalThroughput>> {
        let Some(map) = self.map(name)? else { return Ok(None) };
        Ok(Some(OptionalThroughput { read: map.number("r")?, write: map.number("w")? }))
    }

    fn elements(&self, name: &'static str) -> Decoded<Option<&[Value]>> {
        match self.0.get(name) {
            None => Ok(None),
            Some(Value::L(values)) => Ok(Some(values)),
            Some(_) => Err(CodecError::Strange(name)),
        }
    }

    fn list<T>(&self, name: &'static str, read: impl Fn(&Reader<'_>) -> Decoded<T>) -> Decoded<Vec<T>> {
        let read_one = |value: &Value| match value {
            Value::M(map) => read(&Reader(map)),
            _ => Err(CodecError::Strange(name)),
        };
        self.elements(name)?.unwrap_or_default().iter().map(read_one).collect()
    }

    fn texts(&self, name: &'static str) -> Decoded<Option<Vec<String>>> {
        let read_one = |value: &Value| match value {
            Value::S(text) => Ok(text.clone()),
            _ => Err(CodecError::Strange(name)),
        };
        self.elements(name)?.map(|values| values.iter().map(read_one).collect()).transpose()
    }
}

#[cfg(test)]
mod tests;
