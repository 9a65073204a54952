# Single items: values, conditions, updates, races, capacity, wrong input. Sourced by main.sh.

put() { # table, item, more
  local table=$1 item=$2
  shift 2
  db put-item --table-name "$table" --item "$item" "$@"
}

get() { # table, key, more
  local table=$1 key=$2
  shift 2
  db get-item --table-name "$table" --key "$key" --query Item "$@"
}

ten_types() {
  create_plain "$1" >/dev/null
  # The CLI takes the bytes of a binary as they are and prints them in base64.
  local letters='aé漢😀\u0000\n\"\\/\u2028' item found
  item='{"id": {"S": "all"}, "string": {"S": "'$letters'"}, "empty_string": {"S": ""}, "number": {"N": "-12.5"},
    "binary": {"B": "bytes"}, "empty_binary": {"B": ""}, "yes": {"BOOL": true}, "no": {"BOOL": false},
    "null": {"NULL": true}, "strings": {"SS": ["a", "'$letters'", "b"]}, "numbers": {"NS": ["-1", "0", "2.5"]},
    "binaries": {"BS": ["one", "two"]}, "list": {"L": [{"N": "1"}, {"S": ""}, {"L": []}, {"M": {}}, {"NULL": true}]},
    "map": {"M": {"'$letters'": {"M": {"deep": {"L": [{"B": "deep"}, {"SS": ["x"]}]}}}}}}'
  put "$1" "$item"
  found=$(get "$1" '{"id": {"S": "all"}}' --consistent-read)
  python - "$found" "$item" <<'PYTHON' || fail "found $found, expected $item"
import base64, json, sys
found, expected = map(json.loads, sys.argv[1:])
for name, kind in (("strings", "SS"), ("numbers", "NS"), ("binaries", "BS")):
    found[name][kind].sort()
    expected[name][kind].sort()
encode = lambda text: base64.b64encode(text.encode()).decode()
expected["binary"]["B"] = encode("bytes")
expected["binaries"]["BS"] = sorted(map(encode, ["one", "two"]))
expected["map"]["M"][expected["string"]["S"]]["M"]["deep"]["L"][0]["B"] = encode("deep")
sys.exit(found != expected)
PYTHON
}

exact_numbers() {
  create_plain "$1" >/dev/null
  local found many=12345678901234567890123456789012345678
  put "$1" '{"id": {"S": "n"}, "n": {"L": [{"N": "'$many'"}, {"N": "-0.'$many'"}, {"N": "-1E-130"}, {"N": "007.500"},
    {"N": "1e3"}, {"N": "-0"}, {"N": "0.1"}, {"N": "9.9999999999999999999999999999999999999E125"}]}}'
  found=$(get "$1" '{"id": {"S": "n"}}' --query 'Item.n.L[].N' --output text)
  local least most
  least=-0.$(printf '%0129d' 0)1
  most=$(printf '9%.0s' {1..38})$(printf '%088d' 0)
  check "$(words "$found")" "$many -0.$many $least 7.5 1000 0 0.1 $most"
  rejects ValidationException "Attempting to store more than 38 significant digits in a Number" \
    put "$1" '{"id": {"S": "n"}, "n": {"N": "'${many}9'"}}'
  rejects ValidationException \
    "Number overflow. Attempting to store a number with magnitude larger than supported range" \
    put "$1" '{"id": {"S": "n"}, "n": {"N": "1E126"}}'
  rejects ValidationException \
    "Number underflow. Attempting to store a number with magnitude smaller than supported range" \
    put "$1" '{"id": {"S": "n"}, "n": {"N": "1E-131"}}'
}

# The CLI's own ways of writing items: its shorthand, and whole requests as JSON; and of printing them: text.
document_client() {
  create_plain "$1" >/dev/null
  local found
  local many=12345678901234567890123456789012345678
  put "$1" "id={S=doc},price={N=$many},colours={SS=[green,red]},more={M={deep={L=[{BOOL=true}]}}}"
  found=$(get "$1" 'id={S=doc}' --output text \
    --query 'Item.[price.N, join(`+`, sort(colours.SS)), more.M.deep.L[0].BOOL]')
  check "$(words "$found")" "$many green+red True"
  found=$(db update-item --cli-input-json '{"TableName": "'"$1"'", "Key": {"id": {"S": "doc"}},
    "UpdateExpression": "SET small = :small", "ExpressionAttributeValues": {":small": {"N": "0.30"}},
    "ReturnValues": "UPDATED_NEW"}')
  check "$found" '{"Attributes": {"small": {"N": "0.3"}}}'
}

conditional_put() {
  create_orders "$1"
  put "$1" "$(order ada 1)" --condition-expression 'attribute_not_exists(customer)'
  local condition=(--condition-expression 'attribute_not_exists(customer) OR amount > :least'
    --expression-attribute-values '{":least": {"N": "10"}}')
  rejects ConditionalCheckFailedException "The conditional request failed" \
    put "$1" '{"customer": {"S": "ada"}, "nr": {"N": "1"}}' "${condition[@]}"
  rejected_with ConditionalCheckFailedException '"Item":{' \
    put "$1" '{"customer": {"S": "ada"}, "nr": {"N": "1"}}' "${condition[@]}" \
    --return-values-on-condition-check-failure ALL_OLD
}

update_clauses() {
  create_plain "$1" >/dev/null
  put "$1" '{"id": {"S": "u"}, "hits": {"N": "1"}, "list": {"L": [{"S": "a"}, {"S": "b"}, {"S": "c"}]},
    "map": {"M": {"inside": {"M": {"x": {"N": "1"}}}}}, "colours": {"SS": ["red", "green"]}, "gone": {"S": "soon"}}'
  db update-item --table-name "$1" --key '{"id": {"S": "u"}}' \
    --update-expression 'SET #map.inside.x = #map.inside.x + :two, fresh = if_not_exists(fresh, :zero),
      more = list_append(#list, :tail), #list[0] = :first
      REMOVE gone, #list[1] ADD hits :two, sizes :sizes DELETE colours :red' \
    --expression-attribute-names '{"#map": "map", "#list": "list"}' \
    --expression-attribute-values '{":two": {"N": "2"}, ":zero": {"N": "0"}, ":tail": {"L": [{"S": "d"}]},
      ":first": {"S": "A"}, ":sizes": {"NS": ["7"]}, ":red": {"SS": ["red"]}}'
  local found
  found=$(get "$1" '{"id": {"S": "u"}}')
  check "$found" '{"id": {"S": "u"}, "hits": {"N": "3"}, "list": {"L": [{"S": "A"}, {"S": "c"}]},
    "map": {"M": {"inside": {"M": {"x": {"N": "3"}}}}}, "colours": {"SS": ["green"]}, "fresh": {"N": "0"},
    "more": {"L": [{"S": "a"}, {"S": "b"}, {"S": "c"}, {"S": "d"}]}, "sizes": {"NS": ["7"]}}'
}

update_return_values() {
  create_plain "$1" >/dev/null
  local nr=0 values
  update() { # return values, expected attributes
    local found
    nr=$((nr + 1))
    found=$(db update-item --table-name "$table" --key '{"id": {"S": "r"}}' --return-values "$1" --query Attributes \
      --update-expression 'SET nr = :nr, kept = if_not_exists(kept, :nr)' \
      --expression-attribute-values "{\":nr\": {\"N\": \"$nr\"}}")
    check "$found" "$2"
  }
  values() { echo "{${2:-}\"nr\": {\"N\": \"$1\"}, \"kept\": {\"N\": \"1\"}}"; }
  local table=$1 key='"id": {"S": "r"}, '
  update NONE null
  update ALL_OLD "$(values 1 "$key")"
  update UPDATED_OLD "$(values 2)"
  update ALL_NEW "$(values 4 "$key")"
  update UPDATED_NEW "$(values 5)"
}

delete_returns_old() {
  create_orders "$1"
  put "$1" "$(order ada 1)"
  local found remove
  remove=(db delete-item --table-name "$1" --key "$(key ada 1)" --return-values ALL_OLD --query Attributes)
  found=$("${remove[@]}")
  check "$found" "$(order ada 1)"
  found=$("${remove[@]}")
  check "$found" null
  found=$(get "$1" "$(key ada 1)")
  check "$found" null
}

optimistic_locking() {
  create_plain "$1" >/dev/null
  put "$1" '{"id": {"S": "v"}, "version": {"N": "0"}}'
  local version table=$1
  update() { # version seen
    db update-item --table-name "$table" --key '{"id": {"S": "v"}}' --update-expression 'SET version = :next' \
      --condition-expression 'version = :seen' \
      --expression-attribute-values "{\":seen\": {\"N\": \"$1\"}, \":next\": {\"N\": \"$(($1 + 1))\"}}"
  }
  for version in 0 1 2; do
    local told won=0 racer
    told=$(mktemp -d)
    for racer in 1 2; do
      { update "$version" 2>"$told/$racer.error" && echo won >"$told/$racer.won"; } &
    done
    wait
    for racer in 1 2; do
      if [ -e "$told/$racer.won" ]; then
        won=$((won + 1))
      else
        grep -q ConditionalCheckFailedException "$told/$racer.error" || fail "$(cat "$told/$racer.error")"
      fi
    done
    rm -r "$told"
    check "$won" 1
  done
}

atomic_counter() {
  create_plain "$1" >/dev/null
  local caller found callers=()
  for caller in 1 2 3 4 5 6; do
    db update-item --table-name "$1" --key '{"id": {"S": "c"}}' --update-expression 'ADD hits :one' \
      --expression-attribute-values '{":one": {"N": "1"}}' &
    callers+=($!)
  done
  for caller in "${callers[@]}"; do wait "$caller"; done
  found=$(get "$1" '{"id": {"S": "c"}}' --consistent-read --query Item.hits.N --output text)
  check "$found" 6
}

consumed_capacity() {
  create_orders "$1"
  local found item note
  note=$(printf 'x%.0s' {1..1500})
  item=$(order ada 1)
  item="${item%\}}, \"note\": {\"S\": \"$note\"}}"
  found=$(put "$1" "$item" --return-consumed-capacity INDEXES --query ConsumedCapacity)
  check "$found" '{"TableName": "'"$1"'", "CapacityUnits": 5.0, "Table": {"CapacityUnits": 2.0},
    "GlobalSecondaryIndexes": {"by_phase": {"CapacityUnits": 2.0}},
    "LocalSecondaryIndexes": {"by_day": {"CapacityUnits": 1.0}}}'
  found=$(get "$1" "$(key ada 1)" --consistent-read --return-consumed-capacity TOTAL --query ConsumedCapacity)
  check "$found" '{"TableName": "'"$1"'", "CapacityUnits": 1.0}'
  found=$(get "$1" "$(key ada 1)" --return-consumed-capacity TOTAL --query ConsumedCapacity)
  check "$found" '{"TableName": "'"$1"'", "CapacityUnits": 0.5}'
}

wrong_input() {
  create_orders "$1"
  rejects ValidationException "One or more parameter values were invalid: Missing the key nr in the item" \
    put "$1" '{"customer": {"S": "ada"}}'
  rejects ValidationException \
    "One or more parameter values were invalid: Type mismatch for key nr expected: N actual: S" \
    put "$1" '{"customer": {"S": "ada"}, "nr": {"S": "1"}}'
  rejects ValidationException \
    "Value provided in ExpressionAttributeNames unused in expressions: keys: {#unused}" \
    put "$1" "$(order ada 1)" --condition-expression 'attribute_not_exists(customer)' \
    --expression-attribute-names '{"#unused": "x"}'
  local file
  file=$(mktemp)
  {
    printf '{"customer": {"S": "ada"}, "nr": {"N": "1"}, "note": {"S": "'
    head -c 409600 /dev/zero | tr '\0' x
    printf '"}}'
  } >"$file"
  rejects ValidationException "Item size has exceeded the maximum allowed size" put "$1" "file://$file"
  rm "$file"
}
