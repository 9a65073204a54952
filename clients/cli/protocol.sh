# What passes between client and server beneath the API. Sourced by main.sh.

# The CLI compares x-amz-crc32 itself, so every other scenario shows that it fits.
checksum() {
  local proxy url told
  url=$(mktemp)
  python "$here/../python/wrong_checksum.py" >"$url" &
  proxy=$!
  # shellcheck disable=SC2064 # the id as it is now
  trap "kill $proxy" EXIT
  until [ -s "$url" ]; do sleep 0.05; done
  export AWS_RETRY_MODE=legacy AWS_MAX_ATTEMPTS=2
  if told=$(aws dynamodb list-tables --endpoint-url "$(cat "$url")" 2>&1); then
    fail "a wrong checksum was not noticed"
  fi
  [[ $told == *"Checksum crc32 failed"* ]] || fail "$told"
  rm "$url"
}
