#!/usr/bin/env bash
# Installs what some tests need beyond Node and git, from Debian's packages: bubblewrap (sandbox isolation),
# redis-server (the Redis back end), pgbouncer (a pooler before PostgreSQL), ripgrep (for shells in tests of sandbox images),
# fish and zsh (completion), docker-compose (the stack of containers), systemd (which judges units), nginx, Caddy and openssl
# (the examples of proxies), promtool of prometheus (alerts and dashboards), Go with sprig (which render the chart where there
# is no Helm), busybox-static (an image with nothing else), docker-registry (which images are fetched from) and chromium (the
# reference and the SDK in a browser).
set -euo pipefail

missing=()
for pair in bwrap:bubblewrap redis-server:redis-server pgbouncer:pgbouncer rg:ripgrep fish:fish zsh:zsh \
  docker-compose:docker-compose systemd-analyze:systemd nginx:nginx-light caddy:caddy openssl:openssl \
  promtool:prometheus busybox:busybox-static docker-registry:docker-registry; do
  command -v "${pair%%:*}" >/dev/null 2>&1 || missing+=("${pair#*:}")
done
command -v chromium >/dev/null 2>&1 || command -v google-chrome >/dev/null 2>&1 || missing+=(chromium)
command -v helm >/dev/null 2>&1 || command -v go >/dev/null 2>&1 || missing+=(golang-go)
sprig=/usr/share/gocode/src/github.com/Masterminds/sprig
command -v helm >/dev/null 2>&1 || [ -d "$sprig" ] || missing+=(golang-github-masterminds-sprig-dev)
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
