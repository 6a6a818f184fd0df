import { spawnSync } from 'node:child_process'
import { existsSync, rmSync, writeFileSync } from 'node:fs'

const wanted = [
  ['/usr/bin/go', 'golang-go'],
  ['/usr/bin/dpkg-source', 'dpkg-dev'],
  ['/usr/bin/etcd', 'etcd-server'],
  ['/usr/sbin/dockerd', 'docker.io'],
  ['/usr/sbin/iptables', 'iptables'],
  ['/usr/sbin/ip', 'iproute2'],
  ['/usr/bin/git', 'git'],
  ['/usr/bin/docker-registry', 'docker-registry'],
  ['/bin/busybox', 'busybox-static'],
  // For the chart: what renders it, and the Redis beside the cluster.
  ['/usr/share/gocode/src/github.com/Masterminds/sprig', 'golang-github-masterminds-sprig-dev'],
  ['/usr/share/gocode/src/gopkg.in/yaml.v3', 'golang-gopkg-yaml.v3-dev'],
  ['/usr/bin/redis-server', 'redis-server'],
]

export function installPackages() {
  const missing = wanted.filter(([path]) => !existsSync(path)).map(([, name]) => name)
  if (missing.length === 0) return
  process.stderr.write(`test:kubernetes: installing ${missing.join(', ')}\n`)
  const policy = '/usr/sbin/policy-rc.d'
  const guarded = !existsSync(policy)
  // Installing a server would start it with Debian's settings.
  if (guarded) writeFileSync(policy, '#!/bin/sh\nexit 101\n', { mode: 0o755 })
  try {
    apt(['update', '-qq'])
    apt(['install', '-y', '-qq', '--no-install-recommends', ...missing])
  } finally {
    if (guarded) rmSync(policy, { force: true })
  }
}

function apt(args) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const options = { env, stdio: ['ignore', 'ignore', 'inherit'] }
  const { status } = spawnSync('apt-get', ['-o', 'DPkg::Lock::Timeout=600', ...args], options)
  if (status !== 0) throw new Error(`apt-get ${args.join(' ')} failed`)
}
