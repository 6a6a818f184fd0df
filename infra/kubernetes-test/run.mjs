#!/usr/bin/env node
/**
 * npm run test:kubernetes: the Kubernetes provider's suite, and the chart, on a real API server, scheduler and kubelet.
 *
 * On a bare Debian 12, as root: installs Go, etcd and Docker from Debian, builds Kubernetes 1.20 from Debian's source
 * package (minutes; kept in the cache folder), and runs everything in namespaces of its own, so that nothing of it is
 * left on the machine however it ends. Arguments go to vitest; those after `--exec` are a command to run there instead.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { installHarnesses } from '../kubernetes/make-image.mjs'
import { buildKubernetes, cache } from './build.mjs'
import { harnessNames } from './images.mjs'
import { installPackages } from './packages.mjs'
import { removeLeftovers, removeLeftoversOfTheDead } from './leftovers.mjs'

const here = dirname(fileURLToPath(import.meta.url))

if (process.platform !== 'linux' || process.getuid?.() !== 0) {
  process.stderr.write('test:kubernetes starts a kubelet: it needs Linux and root.\n')
  process.exit(1)
}
installPackages()
const binaries = buildKubernetes()
// Inside there is no network that npm could ask.
const harnesses = await installHarnesses(join(cache, 'harnesses'), harnessNames)
await removeLeftoversOfTheDead()
const namespaces = [
  '--mount',
  '--propagation',
  'private',
  '--pid',
  '--fork',
  '--kill-child',
  '--mount-proc',
  '--net',
  '--uts',
]
const inside = [
  process.execPath,
  join(here, 'inside.mjs'),
  binaries,
  String(process.pid),
  JSON.stringify(harnesses),
  ...process.argv.slice(2),
]
const cluster = spawn('unshare', [...namespaces, ...inside], { stdio: 'inherit' })
// The end of `unshare` is the end of everything in its namespaces.
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => cluster.kill('SIGKILL'))
const [code] = await once(cluster, 'exit')
await removeLeftovers(process.pid)
process.exit(code ?? 1)
