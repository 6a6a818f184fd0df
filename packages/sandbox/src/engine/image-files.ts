/** Paths in an image that has the tools. */
export const imagePlaces = {
  tools: '/opt/svc/tools',
  boot: '/opt/svc/svc-boot.mjs',
  setup: '/opt/svc/setup',
  entrypoint: '/usr/local/bin/svc-entrypoint',
} as const

/** Beside the tools in an image of which nothing is known: the loader of Node, and its libraries. */
export const loaderFolder = `${imagePlaces.tools}/ld`
/** A folder there that every user may write to, for files that are put. */
export const filesFolder = '/opt/svc/files'

/** Starts Node with a loader of its own, so that an image needs none. */
export const programEntrypoint = [
  `${loaderFolder}/loader`,
  ...['--library-path', loaderFolder],
  `${imagePlaces.tools}/bin/node`,
  imagePlaces.boot,
] as const

/** Nothing of the image is run or changed; its entrypoint is the container's to replace. */
export function programDockerfile(from: string): string {
  return `FROM ${from}\nCOPY rootfs/ /\n`
}

/** The shell waits for every child, so it also collects what its parent left behind. */
export const pidOneScript = `#!/bin/sh
# The first process of a sandbox: starts the daemon, hands signals on, collects the dead, and ends as the daemon does.
umask 022
cd /workspace || exit 1
${imagePlaces.tools}/bin/node ${imagePlaces.boot} &
daemon=$!
signalled=0
trap 'signalled=1; kill -TERM "$daemon" 2>/dev/null' TERM INT HUP
while :; do
  wait "$daemon"
  code=$?
  [ "$signalled" = 1 ] || exit "$code"
  signalled=0
done
`

/** Runs while the image is built, as root, on an image of which nothing is known yet. */
export const setupScript = `#!/bin/sh
set -eu
refuse() { echo "svc: $1" >&2; exit 1; }
command -v git >/dev/null || refuse 'the image has no git: install it'
${imagePlaces.tools}/bin/node --version >/dev/null || refuse 'the image cannot run Node: it needs glibc 2.28 or newer and libstdc++'
grep -q '^[^:]*:[^:]*:1000:' /etc/passwd || echo 'svc:x:1000:1000:svc:/opt/svc/home:/bin/sh' >> /etc/passwd
grep -q '^[^:]*:[^:]*:1000:' /etc/group || echo 'svc:x:1000:' >> /etc/group
mkdir -p /workspace /opt/svc/home /tmp /var/tmp
chown -R 1000:1000 /workspace /opt/svc/home
chmod 1777 /tmp /var/tmp
`

/** The tools find their neighbours by where they lie, so what lies on the usual path only calls them. */
export function wrapperScript(tool: string): string {
  return `#!/bin/sh\nexec ${imagePlaces.tools}/bin/${tool} "$@"\n`
}

export function toolsDockerfile(from: string, labels: Readonly<Record<string, string>>): string {
  const label = Object.entries(labels).map(([name, value]) => `LABEL ${name}=${JSON.stringify(value)}`)
  return [
    `FROM ${from}`,
    'USER 0:0',
    'COPY rootfs/ /',
    `RUN ["/bin/sh", "${imagePlaces.setup}"]`,
    ...label,
    'USER 1000:1000',
    'WORKDIR /workspace',
    `ENTRYPOINT ["${imagePlaces.entrypoint}"]`,
    'CMD []',
    '',
  ].join('\n')
}

/** Variables of an image that would steer Node itself; its program gets them by way of `svc-appd`. */
export const withheldVariables = ['NODE_OPTIONS', 'NODE_PATH', 'LD_PRELOAD', 'LD_LIBRARY_PATH', 'LD_AUDIT']
