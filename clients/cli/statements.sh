# PartiQL and streams. Sourced by main.sh.

streams() {
  local arn found shard iterator records='' round
  arn=$(create_plain "$1" --stream-specification StreamEnabled=true,StreamViewType=NEW_AND_OLD_IMAGES \
    --query TableDescription.LatestStreamArn --output text)
  put "$1" '{"id": {"S": "a"}, "n": {"N": "1"}}'
  put "$1" '{"id": {"S": "a"}, "n": {"N": "1"}}' # changes nothing, so leaves no record
  put "$1" '{"id": {"S": "a"}, "n": {"N": "2"}}'
  db delete-item --table-name "$1" --key '{"id": {"S": "a"}}'
  put "$1" '{"id": {"S": "b"}}'
  found=$(streams_of list-streams --table-name "$1" --query 'Streams[].StreamArn' --output text)
  check "$found" "$arn"
  found=$(streams_of describe-stream --stream-arn "$arn" --output text \
    --query 'StreamDescription.[StreamStatus, StreamViewType, Shards[].ShardId][]')
  check "$(words "$found" | cut -d ' ' -f 1,2)" "ENABLED NEW_AND_OLD_IMAGES"
  for shard in $(words "$found" | cut -d ' ' -f 3-); do
    iterator=$(streams_of get-shard-iterator --stream-arn "$arn" --shard-id "$shard" \
      --shard-iterator-type TRIM_HORIZON --query ShardIterator --output text)
    # An open shard never ends; four records, at most two at a time, are there within a few rounds.
    for ((round = 0; round < 4; round++)); do
      found=$(streams_of get-records --shard-iterator "$iterator" --limit 2 --output text \
        --query '[Records[].[join(`/`, [eventName, dynamodb.Keys.id.S, dynamodb.OldImage.n.N || `-`,
          dynamodb.NewImage.n.N || `-`])][], NextShardIterator][]')
      records="$records $(words "$found" | tr ' ' '\n' | grep / | grep -E '^(INSERT|MODIFY|REMOVE)/' | xargs echo)"
      iterator=$(words "$found" | tr ' ' '\n' | tail -n 1)
      [ "$(wc -w <<<"$records")" -lt 4 ] && [ "$iterator" != None ] || break
    done
  done
  check "$(words "$records" | tr ' ' '\n' | sort -s -t / -k 2,2 | xargs echo)" \
    "INSERT/a/-/1 MODIFY/a/1/2 REMOVE/a/2/- INSERT/b/-/-"
}

execute() { # statement, more
  local statement=$1
  shift
  db execute-statement --statement "$statement" --query Items "$@"
}

partiql() {
  create_orders "$1"
  local found
  execute "INSERT INTO \"$1\" VALUE {'customer': ?, 'nr': ?, 'phase': 'open', 'amount': 10}" \
    --parameters '[{"S": "ada"}, {"N": "1"}]' >/dev/null
  rejects DuplicateItemException "Duplicate primary key exists in table" \
    execute "INSERT INTO \"$1\" VALUE {'customer': 'ada', 'nr': 1}"
  found=$(execute "SELECT * FROM \"$1\" WHERE customer = ? AND nr = ?" --parameters '[{"S": "ada"}, {"N": "1"}]')
  check "$found" '[{"customer": {"S": "ada"}, "nr": {"N": "1"}, "phase": {"S": "open"}, "amount": {"N": "10"}}]'
  found=$(execute "SELECT amount FROM \"$1\".\"by_phase\" WHERE phase = 'open' AND amount > ?" --parameters '[{"N": "5"}]')
  check "$found" '[{"amount": {"N": "10"}}]'
  found=$(execute "UPDATE \"$1\" SET amount = amount + ? SET phase = 'paid' WHERE customer = 'ada' AND nr = 1
    RETURNING ALL NEW *" --parameters '[{"N": "5"}]')
  check "$found" '[{"customer": {"S": "ada"}, "nr": {"N": "1"}, "phase": {"S": "paid"}, "amount": {"N": "15"}}]'
  execute "DELETE FROM \"$1\" WHERE customer = 'ada' AND nr = 1" >/dev/null
  found=$(execute "SELECT * FROM \"$1\" WHERE customer = 'ada'")
  check "$found" '[]'
}

partiql_pages() {
  local found numbers='' token=() round
  for ((round = 0; round < 10; round++)); do
    found=$(execute "SELECT nr FROM \"$filled\" WHERE customer = 'ada'" --limit 7 "${token[@]}" \
      --query '[Items[].nr.N, not_null(NextToken, `none`)][]' --output text)
    numbers="$numbers $(words "$found" | sed 's/ [^ ]*$//')"
    token=(--next-token "$(words "$found" | sed 's/.* //')")
    [ "${token[1]}" != none ] || break
  done
  check "$(words "$numbers")" "$(seq -s ' ' 1 30)"
}

partiql_batch() {
  create_orders "$1"
  put "$1" "$(order ada 1)"
  local found who statements=''
  found=$(db batch-execute-statement --query 'Responses[].Error.Code' --statements "[
    {\"Statement\": \"INSERT INTO \\\"$1\\\" VALUE {'customer': 'bob', 'nr': 1}\"},
    {\"Statement\": \"INSERT INTO \\\"$1\\\" VALUE {'customer': 'ada', 'nr': 1}\"}]")
  check "$found" '["DuplicateItem"]'
  for who in ada bob eve; do
    statements="$statements, {\"Statement\": \"SELECT nr FROM \\\"$1\\\" WHERE customer = ? AND nr = 1\",
      \"Parameters\": [{\"S\": \"$who\"}]}"
  done
  found=$(db batch-execute-statement --statements "[${statements#,}]" --query 'Responses[*].[Item]')
  check "$found" '[[{"nr": {"N": "1"}}], [{"nr": {"N": "1"}}], [null]]'
}

partiql_transaction() {
  create_orders "$1"
  put "$1" "$(order ada 1)"
  local found insert update
  insert="{\"Statement\": \"INSERT INTO \\\"$1\\\" VALUE {'customer': 'bob', 'nr': 1}\"}"
  update="{\"Statement\": \"UPDATE \\\"$1\\\" SET amount = 1 WHERE customer = 'WHO' AND nr = 1\"}"
  rejects TransactionCanceledException "" db execute-transaction --transact-statements "[$insert, ${update/WHO/eve}]"
  found=$(get "$1" "$(key bob 1)")
  check "$found" null
  db execute-transaction --transact-statements "[$insert, ${update/WHO/ada}]" >/dev/null
  found=$(db execute-transaction --query 'Responses[].Item' --transact-statements "[
    {\"Statement\": \"SELECT * FROM \\\"$1\\\" WHERE customer = 'bob' AND nr = 1\"},
    {\"Statement\": \"SELECT amount FROM \\\"$1\\\" WHERE customer = 'ada' AND nr = 1\"}]")
  check "$found" "[$(key bob 1), {\"amount\": {\"N\": \"1\"}}]"
}
