# Sourced by the scripts beside it. `unpack_packages <folder> <suite> <package>…` puts packages of Debian with all that they need
# below <folder>/root, for programs that tests start by chroot: no package of this machine is installed or changed. They are
# taken from where this machine takes its own packages; an empty suite is the machine's. Needs root.

unpack_packages() {
  local dir="$1" suite="$2" codename mirror package folder
  shift 2
  if [ "$(id -u)" -ne 0 ]; then
    echo "$1 is unpacked by root only." >&2
    return 1
  fi
  codename="$(. /etc/os-release && echo "$VERSION_CODENAME")"
  # The mirror of this machine: the first address in its list of sources that has the main archive of Debian.
  mirror="$(apt-get indextargets --format '$(REPO_URI) $(CODENAME) $(ORIGIN)' |
    awk -v codename="$codename" '$2 == codename && $3 == "Debian" { print $1; exit }')"
  if [ -z "$mirror" ]; then
    echo 'No mirror of Debian is in the list of sources, or apt-get update was never run.' >&2
    return 1
  fi

  rm -rf "$dir"
  mkdir -p "$dir"/apt/{state/lists/partial,cache/archives/partial} "$dir/root"
  touch "$dir/apt/status"
  echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror ${suite:-$codename} main" >"$dir/apt/sources.list"
  apt() {
    apt-get -qq -o Dir::State="$dir/apt/state" -o Dir::State::status="$dir/apt/status" -o Dir::Cache="$dir/apt/cache" \
      -o Dir::Etc::SourceList="$dir/apt/sources.list" -o Dir::Etc::SourceParts=/dev/null -o APT::Sandbox::User=root "$@"
  }
  apt update
  # With a list of installed packages that is empty, all that they depend on comes along.
  apt install -y --no-install-recommends --download-only "$@"
  for package in "$dir"/apt/cache/archives/*.deb; do
    dpkg-deb --fsys-tarfile "$package" | tar -x -C "$dir/root" --keep-directory-symlink
  done
  rm -rf "$dir/apt"
  for folder in bin sbin lib lib64; do [ -e "$dir/root/$folder" ] || ln -s "usr/$folder" "$dir/root/$folder"; done
  mkdir -p "$dir"/root/{dev,tmp,srv}
  mknod -m 666 "$dir/root/dev/null" c 1 3 2>/dev/null || : >"$dir/root/dev/null"
}
