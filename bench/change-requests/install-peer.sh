#!/usr/bin/env bash
# Installs the web server that `git http-backend` stands behind in this bench, from Debian's packages. Nothing of it is
# started: the bench runs a server of its own with a configuration of its own.
set -euo pipefail

[ ! -x /usr/sbin/apache2 ] || exit 0

sudo=""
[ "$(id -u)" -eq 0 ] || sudo="sudo"
export DEBIAN_FRONTEND=noninteractive
$sudo apt-get update -qq
$sudo apt-get install -y -qq --no-install-recommends apache2-bin >/dev/null
