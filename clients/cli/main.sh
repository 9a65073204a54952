#!/usr/bin/env bash
# The AWS CLI's answers to ../scenarios.txt. Every call starts a process, so a few scenarios run at the same time.
here=$(dirname "${BASH_SOURCE[0]}")
for file in scenario tables items reads several statements protocol; do
  # shellcheck source=/dev/null
  . "$here/$file.sh"
done

run() { # scenario: runs it in a shell of its own, which ends at the first command that fails
  local began=${EPOCHREALTIME/[.,]/} code elapsed_ms errors
  errors=$(mktemp)
  (
    set -euo pipefail
    "$1" "cli_$1"
  ) >/dev/null 2>"$errors"
  code=$?
  elapsed_ms=$(((${EPOCHREALTIME/[.,]/} - began) / 1000))
  if [ "$code" -eq 0 ]; then
    printf 'passed\t%s\t%s\t\n' "$1" "$elapsed_ms"
  else
    printf 'failed\t%s\t%s\t%s\n' "$1" "$elapsed_ms" "$(tail -c 1500 "$errors" | tr '\n\t' '  ')"
  fi
  rm "$errors"
}

(
  set -euo pipefail
  make_shared
) >/dev/null
at_once=$(($(nproc) + 1))
for name in ${*:-$(sed -n 's/^\([a-z_]*\):.*/\1/p' "$here/../scenarios.txt")}; do
  # A scenario that has no function is left out, which the caller notices.
  declare -F "$name" >/dev/null || continue
  while [ "$(jobs -rp | wc -l)" -ge "$at_once" ]; do wait -n; done
  run "$name" &
done
wait
