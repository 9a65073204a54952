use proptest::collection::vec;
use proptest::option::of;
use proptest::prelude::*;
use proptest::sample::select;

use super::*;

fn text() -> impl Strategy<Value = String> {
    ".{1,12}"
}

fn named<T: Clone + std::fmt::Debug + 'static>(
    names: &'static [&'static str],
    from_name: fn(&str) -> Option<T>,
) -> impl Strategy<Value = T> {
    select(names).prop_map(move |name| from_name(name).unwrap())
}

fn pair() -> impl Strategy<Value = OptionalThroughput> {
    (of(any::<i64>()), of(any::<i64>())).prop_map(|(read, write)| OptionalThroughput { read, write })
}

fn capacity() -> impl Strategy<Value = ThroughputDescription> {
    (any::<(i64, i64, i64)>(), of(any::<i64>()), of(any::<i64>())).prop_map(|((read, write, decreases), up, down)| {
        ThroughputDescription {
            throughput: Throughput { read, write },
            last_increase_ms: up,
            last_decrease_ms: down,
            decreases_today: decreases,
        }
    })
}

fn keys() -> impl Strategy<Value = Vec<KeySchemaElement>> {
    let element = (text(), named(KeyType::NAMES, KeyType::from_name));
    vec(element.prop_map(|(name, key_type)| KeySchemaElement { name, key_type }), 1..9)
}

fn any_index() -> impl Strategy<Value = IndexDefinition> {
    let projection = (of(named(ProjectionType::NAMES, ProjectionType::from_name)), of(vec(text(), 0..3)))
        .prop_map(|(kind, non_key_attributes)| Projection { kind, non_key_attributes });
    let states = vec![IndexState::Active, IndexState::Filling, IndexState::Deleting];
    let kinds = vec![IndexKind::Local, IndexKind::Global];
    let parts = (any::<u32>(), text(), select(kinds), keys(), projection, select(states), capacity());
    (parts, of(pair()), of(pair())).prop_map(
        |((id, name, kind, key_schema, projection, state, throughput), on_demand, warm)| IndexDefinition {
            id,
            name,
            kind,
            key_schema,
            projection,
            state,
            throughput,
            on_demand,
            warm,
        },
    )
}

fn any_definition() -> impl Strategy<Value = Definition> {
    let attribute = (text(), named(ScalarType::NAMES, ScalarType::from_name))
        .prop_map(|(name, kind)| AttributeDefinition { name, kind });
    let stream = (any::<i64>(), of(any::<i64>()), named(StreamViewType::NAMES, StreamViewType::from_name))
        .prop_map(|(created_ms, disabled_ms, view_type)| Stream { created_ms, disabled_ms, view_type });
    let sse = (of(any::<bool>()), of(named(SseType::NAMES, SseType::from_name)), of(text()))
        .prop_map(|(enabled, kind, kms_key_id)| SseSpecification { enabled, kind, kms_key_id });
    let tag = (text(), ".{0,5}").prop_map(|(key, value)| Tag { key, value });
    let identity = (any::<u32>(), text(), text(), any::<i64>(), any::<u32>());
    let schema = (vec(attribute, 0..3), keys(), vec(any_index(), 0..2), vec(any_index(), 0..3));
    let paid =
        (of(named(BillingMode::NAMES, BillingMode::from_name)), of(any::<i64>()), capacity(), of(pair()), of(pair()));
    let rest = (
        vec(stream, 0..3),
        of(text()),
        any::<(bool, bool)>(),
        of(sse),
        of(named(TableClass::NAMES, TableClass::from_name)),
        of(any::<i64>()),
        vec(tag, 0..3),
    );
    (identity, schema, paid, rest).prop_map(|(identity, schema, paid, rest)| Definition {
        id: identity.0,
        name: identity.1,
        table_id: identity.2,
        created_ms: identity.3,
        next_index_id: identity.4,
        attributes: schema.0,
        key_schema: schema.1,
        local_indexes: schema.2,
        global_indexes: schema.3,
        billing_mode: paid.0,
        on_demand_since_ms: paid.1,
        throughput: paid.2,
        on_demand: paid.3,
        warm: paid.4,
        streams: rest.0,
        time_to_live: rest.1,
        time_to_live_filling: rest.2.0,
        deletion_protection: rest.2.1,
        sse: rest.3,
        table_class: rest.4,
        table_class_updated_ms: rest.5,
        tags: rest.6,
    })
}

proptest! {
    #[test]
    fn a_definition_survives(definition in any_definition()) {
        prop_assert_eq!(decode(&encode(&definition)).unwrap(), definition);
    }
}

fn bytes(attributes: Map) -> Vec<u8> {
    Item::from(attributes).as_bytes().to_vec()
}

fn least() -> Map {
    let texts = [("n", "Music"), ("u", "uuid")].map(|(name, text)| (name.to_owned(), Value::from(text)));
    let numbers = [("id", 1), ("ni", 1)].map(|(name, number)| (name.to_owned(), Value::from(number)));
    texts.into_iter().chain(numbers).collect()
}

#[test]
fn what_is_missing_has_a_default_and_what_is_unknown_is_passed_over() {
    let mut map = least();
    map.insert("a later idea".to_owned(), Value::Null);
    let definition = decode(&bytes(map)).unwrap();
    assert_eq!(definition.name, "Music");
    assert_eq!(definition.throughput, ThroughputDescription::default());
    assert!(definition.tags.is_empty() && definition.streams.is_empty() && !definition.deletion_protection);
}

#[test]
fn what_cannot_be_guessed_is_an_error() {
    for (name, sentence) in [("n", "has no `n`"), ("id", "has no `id`")] {
        let mut map = least();
        map.remove(name);
        let Err(Error::Internal { detail }) = decode(&bytes(map)) else { panic!("{name} is needed") };
        assert!(detail.ends_with(sentence), "{detail}");
    }
    for (name, value) in
        [("n", Value::from(1)), ("bm", Value::from("FREE")), ("id", Value::from(-1)), ("s", Value::Null)]
    {
        let mut map = least();
        map.insert(name.to_owned(), value);
        let Err(Error::Internal { detail }) = decode(&bytes(map)) else { panic!("{name} is strange") };
        assert!(detail.ends_with(&format!("has a strange `{name}`")), "{detail}");
    }
}
