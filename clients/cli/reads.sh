# Query and Scan with the CLI's paginator: `--page-size` asks for pages, and text is printed page by page. Sourced by
# main.sh.

query() { # table, key condition, values, more
  local table=$1 condition=$2 values=$3
  shift 3
  db query --table-name "$table" --key-condition-expression "$condition" --expression-attribute-values "$values" "$@"
}

query_pages() {
  local found ada='{":who": {"S": "ada"}}'
  found=$(query "$filled" 'customer = :who' "$ada" --page-size 7 --query Count --output text)
  check "$(words "$found")" "7 7 7 7 2"
  found=$(query "$filled" 'customer = :who' "$ada" --page-size 7 --query 'Items[].nr.N' --output text)
  check "$(words "$found")" "$(seq -s ' ' 1 30)"
}

query_index() {
  local found
  found=$(query "$filled" 'phase = :paid' '{":paid": {"S": "paid"}}' --index-name by_phase --page-size 6 \
    --query 'Items[].amount.N' --output text)
  check "$(wc -l <<<"$found")" 4
  check "$(words "$found")" "20 20 40 40 60 60 80 80 100 100 $(seq -s ' ' 120 20 300)"
  found=$(query "$filled" 'customer = :who AND placed BETWEEN :from AND :to' \
    '{":who": {"S": "ada"}, ":from": {"S": "2026-01-10"}, ":to": {"S": "2026-01-19"}}' \
    --index-name by_day --page-size 4 --query '[Items[].nr.N, sort(keys(Items[0]))]')
  check "$found" "[[\"$(seq -s '","' 10 19)\"], [\"amount\", \"customer\", \"nr\", \"placed\"]]"
}

query_backward() {
  local found
  found=$(query "$filled" 'customer = :who AND nr > :nr' \
    '{":who": {"S": "ada"}, ":nr": {"N": "10"}, ":open": {"S": "open"}}' \
    --page-size 8 --no-scan-index-forward --filter-expression 'phase = :open' --projection-expression 'nr, #amount' \
    --expression-attribute-names '{"#amount": "amount"}' --query '[Items[].[nr.N, amount.N][], Count, ScannedCount]')
  check "$found" '[["29", "290", "27", "270", "25", "250", "23", "230", "21", "210", "19", "190", "17", "170", "15",
    "150", "13", "130", "11", "110"], 10, 20]'
}

scan_pages() {
  local found
  found=$(db scan --table-name "$filled" --page-size 9 --query 'Items[].[join(`-`, [customer.S, nr.N])][]' --output text)
  check "$(wc -l <<<"$found")" 5
  check "$(tr '\t' '\n' <<<"$found" | sort -V | xargs echo)" "$(echo ada-{1..30} bob-{1..10})"
  found=$(db scan --table-name "$filled" --select COUNT --query Count)
  check "$found" 40
}

scan_segments() {
  create_plain "$1" >/dev/null
  local first segment found
  for first in 0 25 50 75; do
    write_batch "{\"$1\": [$(seq -s , -f '{"PutRequest": {"Item": {"id": {"S": "s%.0f"}}}}' "$first" $((first + 24)))]}"
  done
  found=$(mktemp -d)
  for segment in 0 1 2 3; do
    db scan --table-name "$1" --segment "$segment" --total-segments 4 --page-size 10 --query 'Items[].id.S' \
      --output text >"$found/$segment" &
  done
  wait
  for segment in 0 1 2 3; do
    [ -s "$found/$segment" ] || fail "segment $segment is empty"
  done
  check "$(cat "$found"/* | tr '\t' '\n' | grep . | sort -V | xargs echo)" "$(echo s{0..99})"
  rm -r "$found"
}

large_pages() {
  local found
  # A page ends with the item that crosses 1 MB, here the sixth.
  found=$(query "$large" 'customer = :who' '{":who": {"S": "big"}}' --query 'Items[].nr.N' --output text)
  check "$(while read -r page; do wc -w <<<"$page"; done <<<"$found" | xargs echo)" "6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 4"
  check "$(words "$found")" "$(seq -s ' ' 0 99)"
}
