#!/usr/bin/env bash
# Installs what some tests need beyond Node and git, from Debian's packages: bubblewrap (sandbox isolation),
# redis-server (the Redis back end) and ripgrep (the agent runtime's search tools).
set -euo pipefail

missing=()
for pair in bwrap:bubblewrap redis-server:redis-server rg:ripgrep; do
  command -v "${pair%%:*}" >/dev/null 2>&1 || missing+=("${pair#*:}")
done
[ "${#missing[@]}" -gt 0 ] || exit 0

sudo=""
[ "$(id -u)" -eq 0 ] || sudo="sudo"
export DEBIAN_FRONTEND=noninteractive
# A package that starts its server by itself would take a port that nobody asked for.
policy=/usr/sbin/policy-rc.d
if [ ! -e "$policy" ]; then
  printf '#!/bin/sh\nexit 101\n' | $sudo tee "$policy" >/dev/null
  $sudo chmod +x "$policy"
  trap '$sudo rm -f "$policy"' EXIT
fi
$sudo apt-get update -qq
$sudo apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
