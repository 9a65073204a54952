# Batches and transactions. Sourced by main.sh.

batch_write() {
  create_orders "$1"
  local table=$1 deletes
  count() {
    local found
    found=$(db scan --table-name "$table" --select COUNT --query Count)
    check "$found" "$1"
  }
  write_batch "{\"$1\": [$(puts ada 1 25)]}"
  count 25
  deletes=$(seq -s , -f '{"DeleteRequest": {"Key": {"customer": {"S": "ada"}, "nr": {"N": "%.0f"}}}}' 1 12)
  write_batch "{\"$1\": [$deletes, $(puts bob 1 13)]}"
  count 26
  rejects ValidationException "" db batch-write-item --request-items "{\"$1\": [$(puts eve 1 26)]}"
  count 26
}

batch_get() {
  local keys pending answer found='' rounds=0
  keys=$(seq -s , -f '{"customer": {"S": "big"}, "nr": {"N": "%.0f"}}' 0 99)
  pending="{\"$large\": {\"Keys\": [$keys], \"ConsistentRead\": true}}"
  while [ "$pending" != "{}" ]; do
    answer=$(db batch-get-item --request-items "$pending" \
      --query "{found: Responses.$large[].[nr.N, to_string(length(note.S))][], pending: UnprocessedKeys}")
    found="$found $(member found "$answer")"
    pending=$(member pending "$answer")
    rounds=$((rounds + 1))
    [ "$rounds" -lt 20 ] || fail "the loop over unprocessed keys does not end"
  done
  check "$(tr ' ' '\n' <<<"$found" | grep . | paste - - | sort -n | xargs echo)" "$(seq -s ' ' -f '%.0f 180000' 0 99)"
  [ "$rounds" -gt 1 ] || fail "18 MB came in one answer"
}

member() { # name, JSON: a member, a list as words
  python -c '
import json, sys
found = json.loads(sys.argv[2])[sys.argv[1]]
print(" ".join(found) if isinstance(found, list) else json.dumps(found))' "$1" "$2"
}

transact_write_and_get() {
  create_orders "$1"
  write_batch "{\"$1\": [$(puts ada 1 3)]}"
  db transact-write-items --transact-items '[{"Put": {"TableName": "'"$1"'", "Item": '"$(order bob 1)"'}},
    {"Update": {"TableName": "'"$1"'", "Key": '"$(key ada 1)"', "UpdateExpression": "SET phase = :paid",
      "ExpressionAttributeValues": {":paid": {"S": "paid"}}}},
    {"Delete": {"TableName": "'"$1"'", "Key": '"$(key ada 2)"'}},
    {"ConditionCheck": {"TableName": "'"$1"'", "Key": '"$(key ada 3)"',
      "ConditionExpression": "attribute_exists(customer)"}}]'
  local found wanted gets=
  for wanted in "$(key bob 1)" "$(key ada 1)" "$(key ada 2)" "$(key ada 3)"; do
    gets="$gets, {\"Get\": {\"TableName\": \"$1\", \"Key\": $wanted}}"
  done
  found=$(db transact-get-items --transact-items "[${gets#,}]" --query Responses)
  check "$found" "[{\"Item\": $(order bob 1)}, {\"Item\": $(order ada 1 | sed s/open/paid/)}, {},
    {\"Item\": $(order ada 3)}]"
}

transact_cancelled() {
  create_orders "$1"
  put "$1" "$(order ada 1)"
  local found write
  write=(db transact-write-items --transact-items '[{"Put": {"TableName": "'"$1"'", "Item": '"$(order bob 1)"'}},
    {"Put": {"TableName": "'"$1"'", "Item": '"$(order ada 1)"', "ConditionExpression": "attribute_not_exists(customer)",
      "ReturnValuesOnConditionCheckFailure": "ALL_OLD"}}]')
  rejects TransactionCanceledException \
    "Transaction cancelled, please refer cancellation reasons for specific reasons [None, ConditionalCheckFailed]" \
    "${write[@]}"
  rejected_with TransactionCanceledException '"CancellationReasons":[{"Code":"None"},{' "${write[@]}"
  found=$(get "$1" "$(key bob 1)")
  check "$found" null
}

transact_token() {
  create_plain "$1" >/dev/null
  local found table=$1
  add() { # amount
    db transact-write-items --client-request-token token_of_cli --transact-items '[{"Update": {"TableName": "'"$table"'",
      "Key": {"id": {"S": "t"}}, "UpdateExpression": "ADD hits :n",
      "ExpressionAttributeValues": {":n": {"N": "'"$1"'"}}}}]'
  }
  add 1
  add 1
  found=$(get "$1" '{"id": {"S": "t"}}' --query Item.hits.N --output text)
  check "$found" 1
  rejects IdempotentParameterMismatchException "" add 2
}
