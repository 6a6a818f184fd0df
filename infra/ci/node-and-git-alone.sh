#!/usr/bin/env bash
# Runs a command on a machine that has Node and git alone, as far as the command can see: in a mount namespace of its own
# everything that install-test-tools.sh installs is hidden, and Docker with it. Needs root.
#
#   infra/ci/node-and-git-alone.sh npm run demo
set -euo pipefail

tools=(bwrap redis-server redis-cli rg fish zsh docker docker-compose dockerd promtool chromium google-chrome nginx caddy)

if [ "${SVC_HIDDEN_TOOLS:-}" != here ]; then
  SVC_HIDDEN_TOOLS=here exec unshare --mount --propagation private -- "$0" "$@"
fi
unset SVC_HIDDEN_TOOLS
layers=/mnt
mount -t tmpfs tmpfs "$layers"
for folder in /usr/local/sbin /usr/local/bin /usr/sbin /usr/bin; do
  layer="$layers/${folder//\//-}"
  mkdir -p "$layer/upper" "$layer/work"
  # A device 0:0 in the upper layer says that the file is not there.
  for tool in "${tools[@]}"; do mknod "$layer/upper/$tool" c 0 0; done
  mount -t overlay overlay -o "lowerdir=$folder,upperdir=$layer/upper,workdir=$layer/work" "$folder"
done
for tool in "${tools[@]}"; do
  if command -v "$tool" >/dev/null; then
    echo "$tool is still found: $(command -v "$tool")" >&2
    exit 1
  fi
done
# A test that finds a tool missing fails in CI and skips on a laptop, which is what this is.
unset CI SVC_TEST_DOCKER_SOCKET SVC_TEST_DOCKER_IMAGE DOCKER_HOST
exec "$@"
