/** The scripts find `../lib` from their own place, so they work there as well as mounted over /usr/local. */
export function nodeScript(bundle: string): string {
  return `#!/bin/sh
here=\${0%/*}
exec "$here/node" "$here/../lib/${bundle}" "$@"
`
}

export const entrypointScript = `#!/bin/sh
# The first process of a sandbox: makes its folders and becomes the daemon, or what runs in its place.
set -eu
umask 022
# When the machine has no memory left, a sandbox goes before the platform.
{ echo 700 > /proc/self/oom_score_adj; } 2>/dev/null || true
mkdir -p "$SVC_WORKSPACE" "$HOME" "$TMPDIR"
cd "$SVC_WORKSPACE"
exec "\${0%/*}/\${1:-svc-agent}"
`

/** Stands in for a tool that this platform was started without. */
export function missingScript(tool: string): string {
  return `#!/bin/sh
echo "${tool}: not installed in this sandbox" >&2
exit 127
`
}
