#!/usr/bin/env bash
# Puts Swift, OpenStack's object store, with all that it needs into a folder of its own, where tests start it by chroot and speak S3's
# protocol to it: no package of this machine is installed or changed. It is taken from where this machine takes its own packages.
# Needs root; the folder is `SVC_TEST_SWIFT_DIR`, else /var/cache/svc-test-swift.
set -euo pipefail

dir="${SVC_TEST_SWIFT_DIR:-/var/cache/svc-test-swift}"
[ ! -e "$dir/ready" ] || exit 0
. "$(dirname "$0")/unpack-packages.sh"
unpack_packages "$dir" '' swift-proxy swift-account swift-container swift-object memcached

root="$dir/root"
mkdir -p "$root/dev/shm" "$root/proc"
chmod 1777 "$root/tmp" "$root/dev/shm"
mknod -m 666 "$root/dev/urandom" c 1 9 2>/dev/null || : >"$root/dev/urandom"
echo 'root:x:0:0::/:/bin/sh' >"$root/etc/passwd"
echo 'root:x:0:' >"$root/etc/group"
echo '127.0.0.1 localhost' >"$root/etc/hosts"
printf '[swift-hash]\nswift_hash_path_suffix = tests\n' >"$root/etc/swift/swift.conf"
chroot "$root" /usr/bin/python3 -m compileall -q /usr/lib/python3/dist-packages >/dev/null || true
chroot "$root" /usr/bin/python3 -c 'import swift.common.middleware.s3api.s3api'
touch "$dir/ready"
