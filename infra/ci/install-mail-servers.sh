#!/usr/bin/env bash
# Puts Postfix and Dovecot, mail servers, with all that they need into a folder of its own, where tests start them by chroot: no
# package of this machine is installed or changed. They are taken from where this machine takes its own packages. Needs root;
# the folder is `SVC_TEST_MAIL_DIR`, else /var/cache/svc-test-mail.
set -euo pipefail

dir="${SVC_TEST_MAIL_DIR:-/var/cache/svc-test-mail}"
[ ! -e "$dir/ready" ] || exit 0
. "$(dirname "$0")/unpack-packages.sh"
unpack_packages "$dir" '' postfix dovecot-imapd dovecot-lmtpd

root="$dir/root"
mkdir -p "$root"/{etc,var/lib/dovecot}
chmod 1777 "$root/tmp"
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
touch "$dir/ready"
