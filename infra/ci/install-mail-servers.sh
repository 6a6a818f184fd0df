#!/usr/bin/env bash
# Puts Postfix and Dovecot, mail servers, with all that they need into a folder of its own, where tests start them by chroot: no
# package of this machine is installed or changed. They are taken from where this machine takes its own packages. Needs root;
# the folder is `SVC_TEST_MAIL_DIR`, else /var/cache/svc-test-mail.
set -euo pipefail

dir="${SVC_TEST_MAIL_DIR:-/var/cache/svc-test-mail}"
[ ! -e "$dir/ready" ] || exit 0
if [ "$(id -u)" -ne 0 ]; then
  echo 'Mail servers are unpacked by root only.' >&2
  exit 1
fi

codename="$(. /etc/os-release && echo "$VERSION_CODENAME")"
# The mirror of this machine: the first address in its list of sources that has the main archive of Debian.
mirror="$(apt-get indextargets --format '$(REPO_URI) $(CODENAME) $(ORIGIN)' |
  awk -v codename="$codename" '$2 == codename && $3 == "Debian" { print $1; exit }')"
if [ -z "$mirror" ]; then
  echo 'No mirror of Debian is in the list of sources, or apt-get update was never run.' >&2
  exit 1
fi
keys=/usr/share/keyrings/debian-archive-keyring.gpg

rm -rf "$dir"
mkdir -p "$dir"/apt/{state/lists/partial,cache/archives/partial} "$dir/root"
touch "$dir/apt/status"
echo "deb [signed-by=$keys] $mirror $codename main" >"$dir/apt/sources.list"
apt() {
  apt-get -qq -o Dir::State="$dir/apt/state" -o Dir::State::status="$dir/apt/status" -o Dir::Cache="$dir/apt/cache" \
    -o Dir::Etc::SourceList="$dir/apt/sources.list" -o Dir::Etc::SourceParts=/dev/null -o APT::Sandbox::User=root "$@"
}
apt update
# With a list of installed packages that is empty, all that they depend on comes along.
apt install -y --no-install-recommends --download-only postfix dovecot-imapd dovecot-lmtpd

root="$dir/root"
for package in "$dir"/apt/cache/archives/*.deb; do
  dpkg-deb --fsys-tarfile "$package" | tar -x -C "$root" --keep-directory-symlink
done
for folder in bin sbin lib lib64; do [ -e "$root/$folder" ] || ln -s "usr/$folder" "$root/$folder"; done
mkdir -p "$root"/{dev,tmp,srv,etc,var/lib/dovecot}
chmod 1777 "$root/tmp"
mknod -m 666 "$root/dev/null" c 1 3 2>/dev/null || : >"$root/dev/null"
mknod -m 666 "$root/dev/urandom" c 1 9 2>/dev/null || : >"$root/dev/urandom"

# The users under which they work, as their packages would make them.
cat >"$root/etc/passwd" <<'END'
root:x:0:0::/:/bin/sh
nobody:x:65534:65534::/:/bin/false
postfix:x:8101:8101::/:/bin/false
dovecot:x:8103:8103::/:/bin/false
dovenull:x:8104:8104::/:/bin/false
vmail:x:8105:8105::/:/bin/false
END
cat >"$root/etc/group" <<'END'
root:x:0:
nogroup:x:65534:
postfix:x:8101:
postdrop:x:8102:
dovecot:x:8103:
dovenull:x:8104:
vmail:x:8105:
END
echo '127.0.0.1 localhost' >"$root/etc/hosts"
printf 'passwd: files\ngroup: files\nhosts: files\nservices: files\n' >"$root/etc/nsswitch.conf"
chroot "$root" /usr/sbin/postconf -d mail_version
chroot "$root" /usr/sbin/dovecot --version
rm -rf "$dir/apt"
touch "$dir/ready"
