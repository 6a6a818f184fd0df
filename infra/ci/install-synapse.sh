#!/usr/bin/env bash
# Puts Synapse, the Matrix homeserver, with all that it needs into a folder of its own, where tests start it by chroot: no
# package of this machine is installed or changed. Debian has it in `sid` alone, which is taken from where this machine takes
# its other packages. Needs root; the folder is `SVC_TEST_SYNAPSE_DIR`, else /var/cache/svc-test-synapse.
set -euo pipefail

dir="${SVC_TEST_SYNAPSE_DIR:-/var/cache/svc-test-synapse}"
[ ! -e "$dir/ready" ] || exit 0
. "$(dirname "$0")/unpack-packages.sh"
unpack_packages "$dir" sid matrix-synapse

root="$dir/root"
# Each start would compile it anew, which takes six seconds.
chroot "$root" /usr/bin/python3 -m compileall -q /usr/lib/python3/dist-packages >/dev/null || true
chroot "$root" /usr/bin/python3 -c 'import synapse.app.homeserver'
touch "$dir/ready"
