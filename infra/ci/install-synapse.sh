#!/usr/bin/env bash
# Puts Synapse, the Matrix homeserver, with all that it needs into a folder of its own, where tests start it by chroot: no
# package of this machine is installed or changed. Debian has it in `sid` alone, which is taken from where this machine takes
# its other packages. Needs root; the folder is `SVC_TEST_SYNAPSE_DIR`, else /var/cache/svc-test-synapse.
set -euo pipefail

dir="${SVC_TEST_SYNAPSE_DIR:-/var/cache/svc-test-synapse}"
[ ! -e "$dir/ready" ] || exit 0
if [ "$(id -u)" -ne 0 ]; then
  echo 'Synapse is unpacked by root only.' >&2
  exit 1
fi

# The mirror of this machine: the first address in its list of sources that has the main archive of Debian.
mirror="$(apt-get indextargets --format '$(REPO_URI) $(CODENAME) $(ORIGIN)' |
  awk -v codename="$(. /etc/os-release && echo "$VERSION_CODENAME")" '$2 == codename && $3 == "Debian" { print $1; exit }')"
if [ -z "$mirror" ]; then
  echo 'No mirror of Debian is in the list of sources, or apt-get update was never run.' >&2
  exit 1
fi
keys=/usr/share/keyrings/debian-archive-keyring.gpg

rm -rf "$dir"
mkdir -p "$dir"/apt/{state/lists/partial,cache/archives/partial} "$dir/root"
touch "$dir/apt/status"
echo "deb [signed-by=$keys] $mirror sid main" >"$dir/apt/sources.list"
apt() {
  apt-get -qq -o Dir::State="$dir/apt/state" -o Dir::State::status="$dir/apt/status" -o Dir::Cache="$dir/apt/cache" \
    -o Dir::Etc::SourceList="$dir/apt/sources.list" -o Dir::Etc::SourceParts=/dev/null -o APT::Sandbox::User=root "$@"
}
apt update
# With a list of installed packages that is empty, all that it depends on comes along.
apt install -y --no-install-recommends --download-only matrix-synapse

root="$dir/root"
for package in "$dir"/apt/cache/archives/*.deb; do
  dpkg-deb --fsys-tarfile "$package" | tar -x -C "$root" --keep-directory-symlink
done
for folder in bin sbin lib lib64; do [ -e "$root/$folder" ] || ln -s "usr/$folder" "$root/$folder"; done
mkdir -p "$root"/{dev,tmp,srv}
mknod -m 666 "$root/dev/null" c 1 3 2>/dev/null || : >"$root/dev/null"
# Each start would compile it anew, which takes six seconds.
chroot "$root" /usr/bin/python3 -m compileall -q /usr/lib/python3/dist-packages >/dev/null || true
chroot "$root" /usr/bin/python3 -c 'import synapse.app.homeserver'
rm -rf "$dir/apt"
touch "$dir/ready"
