# What every scenario has at hand: the AWS CLI, the table of orders, and ways to compare. Sourced by main.sh.

db() { aws dynamodb --endpoint-url "$ESPALIER_ENDPOINT" --output json "$@"; }

streams_of() { aws dynamodbstreams --endpoint-url "$ESPALIER_ENDPOINT" --output json "$@"; }

fail() {
  echo "$*" >&2
  exit 1
}

check() { # found, expected: texts, or JSON whatever the order of its members
  [ "$1" = "$2" ] && return
  python -c 'import json, sys; sys.exit(json.loads(sys.argv[1]) != json.loads(sys.argv[2]))' "$1" "$2" 2>/dev/null \
    || fail "found $1, expected $2"
}

rejects() { # exception, message or "", command: expects the exception that the CLI names
  local name=$1 message=$2 told
  shift 2
  if told=$("$@" 2>&1); then fail "$name was not raised by: $*"; fi
  case $told in
    *"An error occurred ($name) when calling "*" operation: $message"*) ;;
    *) fail "expected $name: $message, found $told" ;;
  esac
  # The sentence ends where the expected one does.
  [ -z "$message" ] || [[ $told == *": $message" ]] || fail "expected only: $message, found $told"
}

# What a returned item looks like: the CLI shows only the sentence of an exception, its log the whole answer.
rejected_with() { # exception, part of the answer's body, command
  local name=$1 part=$2 told
  shift 2
  if told=$("$@" --debug 2>&1); then fail "$name was not raised by: $*"; fi
  [[ $told == *"An error occurred ($name)"* ]] || fail "expected $name, found ${told: -500}"
  [[ $told == *"$part"* ]] || fail "expected $part in the answer, found $(grep 'Response body' -A 1 <<<"$told")"
}

ATTRIBUTES='AttributeName=customer,AttributeType=S AttributeName=nr,AttributeType=N AttributeName=phase,AttributeType=S
  AttributeName=amount,AttributeType=N AttributeName=placed,AttributeType=S'

orders() { # table: CreateTable
  # shellcheck disable=SC2086 # one word for each attribute
  db create-table --table-name "$1" --billing-mode PAY_PER_REQUEST --attribute-definitions $ATTRIBUTES \
    --key-schema AttributeName=customer,KeyType=HASH AttributeName=nr,KeyType=RANGE \
    --global-secondary-indexes '[{"IndexName": "by_phase", "Projection": {"ProjectionType": "ALL"}, "KeySchema": [
      {"AttributeName": "phase", "KeyType": "HASH"}, {"AttributeName": "amount", "KeyType": "RANGE"}]}]' \
    --local-secondary-indexes '[{"IndexName": "by_day",
      "Projection": {"ProjectionType": "INCLUDE", "NonKeyAttributes": ["amount"]}, "KeySchema": [
      {"AttributeName": "customer", "KeyType": "HASH"}, {"AttributeName": "placed", "KeyType": "RANGE"}]}]' \
    --query TableDescription.TableStatus --output text
}

create_orders() { # table; waiting is shown once, in create_and_describe
  orders "$1" >/dev/null
}

create_plain() { # table, more: the partition key `id` (S) alone; prints the description
  local table=$1
  shift
  db create-table --table-name "$table" --billing-mode PAY_PER_REQUEST \
    --attribute-definitions AttributeName=id,AttributeType=S --key-schema AttributeName=id,KeyType=HASH \
    --query TableDescription "$@"
}

key() { # customer, nr
  echo "{\"customer\": {\"S\": \"$1\"}, \"nr\": {\"N\": \"$2\"}}"
}

order() { # customer, nr
  local phase=paid
  [ $(($2 % 2)) -eq 0 ] || phase=open
  printf '{"customer": {"S": "%s"}, "nr": {"N": "%d"}, "phase": {"S": "%s"}, ' "$1" "$2" "$phase"
  printf '"amount": {"N": "%d"}, "placed": {"S": "2026-01-%02d"}}' $(($2 * 10)) "$2"
}

puts() { # customer, from, to: put requests separated by commas
  local nr
  for ((nr = $2; nr <= $3; nr++)); do
    [ "$nr" -eq "$2" ] || echo ,
    echo "{\"PutRequest\": {\"Item\": $(order "$1" "$nr")}}"
  done
}

# Scenarios that only read share these two tables, made once.
filled=cli_filled_orders
large=cli_large_orders

make_shared() {
  create_orders "$filled"
  fill_orders "$filled"
  create_orders "$large"
  write_large "$large"
}

fill_orders() { # table
  write_batch "{\"$1\": [$(puts ada 1 20)]}"
  write_batch "{\"$1\": [$(puts ada 21 30), $(puts bob 1 10)]}"
}

write_batch() { # requests, repeated for what was left unprocessed
  local pending=$1 round
  for ((round = 0; round < 50; round++)); do
    pending=$(db batch-write-item --query UnprocessedItems --request-items "$pending")
    [ -n "$pending" ] || return 0 # the CLI prints nothing for {}
    sleep 0.05
  done
  fail "unprocessed items are left after 50 rounds"
}

write_large() { # table: 100 items of 180 KB, 25 at a time; too long for a command line
  local file part
  file=$(mktemp)
  for part in 0 1 2 3; do
    python - "$1" "$part" >"$file" <<'PYTHON'
import json, sys
table, first = sys.argv[1], int(sys.argv[2]) * 25
note = {"S": "x" * 180_000}
items = [{"customer": {"S": "big"}, "nr": {"N": str(nr)}, "note": note} for nr in range(first, first + 25)]
print(json.dumps({table: [{"PutRequest": {"Item": item}} for item in items]}))
PYTHON
    write_batch "file://$file"
  done
  rm "$file"
}

words() { # puts words that came on several lines on one
  xargs echo <<<"$1"
}
