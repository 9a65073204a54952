//! `table t pk:S sk:N global g a:S b:N KEYS_ONLY stream NEW_IMAGE ttl e`: tables in one line.

use serde_json::{Value as Json, json};

/// The requests that make the table.
pub(super) fn requests(line: &str) -> Option<Vec<(&'static str, Json)>> {
    let mut words = line.split_whitespace().peekable();
    let name = words.next()?;
    let mut definitions: Vec<(String, String)> = Vec::new();
    let key_schema = keys(&mut words, &mut definitions)?;
    let mut request = json!({"TableName": name, "KeySchema": key_schema, "BillingMode": "PAY_PER_REQUEST"});
    let mut time_to_live = None;
    while let Some(word) = words.next() {
        match word {
            "local" | "global" => {
                let index = words.next()?;
                let mut key_schema = keys(&mut words, &mut definitions)?;
                if word == "local" {
                    // A local index shares the table's partition key, so the line names its sort key alone.
                    let partition = request["KeySchema"][0].clone();
                    key_schema[0]["KeyType"] = json!("RANGE");
                    key_schema.insert(0, partition);
                }
                let projection = projection(&mut words);
                let member = if word == "local" { "LocalSecondaryIndexes" } else { "GlobalSecondaryIndexes" };
                if request[member].is_null() {
                    request[member] = json!([]);
                }
                let described = json!({"IndexName": index, "KeySchema": key_schema, "Projection": projection});
                request[member].as_array_mut()?.push(described);
            }
            "stream" => {
                request["StreamSpecification"] = json!({"StreamEnabled": true, "StreamViewType": words.next()?})
            }
            "ttl" => time_to_live = Some(words.next()?),
            _ => return None,
        }
    }
    let definition = |(name, kind): &(String, String)| json!({"AttributeName": name, "AttributeType": kind});
    request["AttributeDefinitions"] = definitions.iter().map(definition).collect();
    let mut requests = vec![("CreateTable", request)];
    if let Some(attribute) = time_to_live {
        let wish = json!({"Enabled": true, "AttributeName": attribute});
        requests.push(("UpdateTimeToLive", json!({"TableName": name, "TimeToLiveSpecification": wish})));
    }
    Some(requests)
}

type Words<'w> = std::iter::Peekable<std::str::SplitWhitespace<'w>>;

/// `pk:S` or `pk:S sk:N`, each possibly several attributes separated by commas.
fn keys(words: &mut Words<'_>, definitions: &mut Vec<(String, String)>) -> Option<Vec<Json>> {
    let mut schema = Vec::new();
    for role in ["HASH", "RANGE"] {
        if !words.peek().is_some_and(|word| word.contains(':')) {
            break;
        }
        for part in words.next()?.split(',') {
            let (name, kind) = part.split_once(':')?;
            let definition = (name.to_owned(), kind.to_owned());
            if !definitions.contains(&definition) {
                definitions.push(definition);
            }
            schema.push(json!({"AttributeName": name, "KeyType": role}));
        }
    }
    (!schema.is_empty()).then_some(schema)
}

fn projection(words: &mut Words<'_>) -> Json {
    let Some(word) = words.peek().copied() else { return json!({"ProjectionType": "ALL"}) };
    let kind = match word {
        "ALL" | "KEYS_ONLY" => json!({"ProjectionType": word}),
        _ => match word.strip_prefix("INCLUDE(").and_then(|rest| rest.strip_suffix(')')) {
            Some(names) => {
                json!({"ProjectionType": "INCLUDE", "NonKeyAttributes": names.split(',').collect::<Vec<_>>()})
            }
            None => return json!({"ProjectionType": "ALL"}),
        },
    };
    words.next();
    kind
}
