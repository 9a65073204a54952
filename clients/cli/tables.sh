# Tables: creating, describing, changing, deleting. Sourced by main.sh.

create_and_describe() {
  local found arn
  found=$(orders "$1")
  check "$found" CREATING
  db wait table-exists --table-name "$1"
  found=$(db describe-table --table-name "$1" --query 'Table.{status: TableStatus, count: ItemCount,
    keys: KeySchema[].AttributeName, attributes: sort(AttributeDefinitions[].AttributeName),
    global: GlobalSecondaryIndexes[].[IndexName, IndexStatus], local: LocalSecondaryIndexes[].[IndexName, Projection]}')
  check "$found" '{"status": "ACTIVE", "count": 0, "keys": ["customer", "nr"],
    "attributes": ["amount", "customer", "nr", "phase", "placed"], "global": [["by_phase", "ACTIVE"]],
    "local": [["by_day", {"ProjectionType": "INCLUDE", "NonKeyAttributes": ["amount"]}]]}'
  arn=$(db describe-table --table-name "$1" --query 'Table.[TableArn, GlobalSecondaryIndexes[0].IndexArn]' --output text)
  [[ $(words "$arn") =~ ^arn:aws:dynamodb:us-east-1:[0-9]+:table/$1\ arn:.*:table/$1/index/by_phase$ ]] || fail "$arn"
}

list_tables_pages() {
  local letter found expected=
  for letter in a b c d e f g; do
    create_plain "$1_$letter" >/dev/null
    expected="$expected $1_$letter"
  done
  # Text is printed page by page.
  found=$(db list-tables --page-size 3 --query TableNames --output text)
  [ "$(head -n 1 <<<"$found" | wc -w)" -eq 3 ] || fail "pages are $found"
  check "$(tr '\t' '\n' <<<"$found" | grep "^$1_" | xargs echo)" "${expected# }"
  # And cut short by the client, with a token to go on from.
  found=$(db list-tables --page-size 2 --max-items 3 --query '[length(TableNames), NextToken != null]')
  check "$found" '[3, true]'
}

create_twice() {
  create_plain "$1" >/dev/null
  rejects ResourceInUseException "Table already exists: $1" create_plain "$1"
}

missing_table() {
  rejects ResourceNotFoundException "Requested resource not found" \
    db get-item --table-name "$1" --key '{"id": {"S": "a"}}'
  rejects ResourceNotFoundException "Requested resource not found: Table: $1 not found" \
    db describe-table --table-name "$1"
}

add_and_remove_index() {
  create_orders "$1"
  fill_orders "$1"
  # shellcheck disable=SC2086 # one word for each attribute
  db update-table --table-name "$1" --attribute-definitions $ATTRIBUTES --global-secondary-index-updates '[{"Create": {
    "IndexName": "by_placed", "KeySchema": [{"AttributeName": "placed", "KeyType": "HASH"}],
    "Projection": {"ProjectionType": "KEYS_ONLY"}}}]' >/dev/null
  wait_for_indexes "$1" '[["by_phase", "ACTIVE"], ["by_placed", "ACTIVE"]]'
  local found query
  query=(db query --table-name "$1" --index-name by_placed --key-condition-expression 'placed = :day'
    --expression-attribute-values '{":day": {"S": "2026-01-07"}}')
  found=$("${query[@]}" --query 'sort_by(Items, &customer.S)')
  check "$found" '[{"customer": {"S": "ada"}, "nr": {"N": "7"}, "placed": {"S": "2026-01-07"}},
    {"customer": {"S": "bob"}, "nr": {"N": "7"}, "placed": {"S": "2026-01-07"}}]'
  db update-table --table-name "$1" --global-secondary-index-updates '[{"Delete": {"IndexName": "by_placed"}}]' >/dev/null
  wait_for_indexes "$1" '[["by_phase", "ACTIVE"]]'
  rejects ValidationException "The table does not have the specified index: by_placed" "${query[@]}"
}

wait_for_indexes() { # table, expected names and statuses
  local found round
  for ((round = 0; round < 30; round++)); do
    found=$(db describe-table --table-name "$1" \
      --query 'sort_by(Table.GlobalSecondaryIndexes, &IndexName)[].[IndexName, IndexStatus]')
    (check "$found" "$2") 2>/dev/null && return
  done
  fail "indexes are $found, not $2"
}

time_to_live() {
  create_plain "$1" >/dev/null
  local found enable
  found=$(db describe-time-to-live --table-name "$1" --query TimeToLiveDescription)
  check "$found" '{"TimeToLiveStatus": "DISABLED"}'
  enable=(db update-time-to-live --table-name "$1" --time-to-live-specification Enabled=true,AttributeName=expires)
  found=$("${enable[@]}")
  check "$found" '{"TimeToLiveSpecification": {"Enabled": true, "AttributeName": "expires"}}'
  found=$(db describe-time-to-live --table-name "$1" --query TimeToLiveDescription)
  check "$found" '{"TimeToLiveStatus": "ENABLED", "AttributeName": "expires"}'
  rejects ValidationException "TimeToLive is already enabled" "${enable[@]}"
}

tags() {
  local arn found
  arn=$(create_plain "$1" --tags Key=team,Value=garden --query TableDescription.TableArn --output text)
  db tag-resource --resource-arn "$arn" --tags Key=cost,Value=low Key=team,Value=fruit
  found=$(db list-tags-of-resource --resource-arn "$arn" --query 'sort_by(Tags, &Key)[].[Key, Value]')
  check "$found" '[["cost", "low"], ["team", "fruit"]]'
  db untag-resource --resource-arn "$arn" --tag-keys team
  found=$(db list-tags-of-resource --resource-arn "$arn" --query 'Tags[].[Key, Value]')
  check "$found" '[["cost", "low"]]'
}

deletion_protection() {
  local found
  found=$(create_plain "$1" --deletion-protection-enabled --query TableDescription.DeletionProtectionEnabled)
  check "$found" true
  rejects ValidationException \
    "Resource cannot be deleted as it is currently protected against deletion. Disable deletion protection first." \
    db delete-table --table-name "$1"
  db update-table --table-name "$1" --no-deletion-protection-enabled >/dev/null
  db delete-table --table-name "$1" >/dev/null
  db wait table-not-exists --table-name "$1"
}

delete_table() {
  local found
  create_plain "$1" >/dev/null
  found=$(db delete-table --table-name "$1" --query 'TableDescription.[TableName, TableStatus]')
  check "$found" "[\"$1\", \"DELETING\"]"
  db wait table-not-exists --table-name "$1"
  rejects ResourceNotFoundException "" db describe-table --table-name "$1"
  found=$(db list-tables --query "contains(TableNames, '$1')")
  check "$found" false
}
