#!/usr/bin/env node
/**
 * The parts of a built checkout that the services need, and nothing else: their bundles, the sandboxes' files, the
 * health check, the schema's command, and what reads the credentials of systemd.
 *
 *   node infra/docker/assemble.mjs <folder>
 */
import { chmodSync, cpSync, mkdirSync, realpathSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
const services = [
  ...['api', 'app-proxy', 'app-worker', 'channel-worker', 'executor', 'gateway'],
  ...['merge-worker', 'sandbox-worker', 'scheduler'],
]
const tools = ['appd', 'daemon', 'cli']

const [folder] = process.argv.slice(2)
if (folder === undefined) {
  process.stderr.write('usage: node infra/docker/assemble.mjs <folder>\n')
  process.exit(2)
}
for (const app of [...services, ...tools]) {
  const dist = join(root, 'apps', app, 'dist')
  cpSync(dist, join(folder, 'apps', app, 'dist'), {
    recursive: true,
    filter: (source) => !source.endsWith('.map'),
  })
}
writeFileSync(join(folder, 'package.json'), '{ "type": "module", "private": true }\n')
cpSync(join(root, 'infra/docker/healthcheck.mjs'), join(folder, 'healthcheck.mjs'))
cpSync(join(root, 'infra/systemd/load-credentials.mjs'), join(folder, 'load-credentials.mjs'))
// The schema's command has a name of its own, wherever it is called from.
writeFileSync(
  join(folder, 'svc-migrate'),
  '#!/bin/sh\nexec node "$(dirname "$(readlink -f "$0")")/apps/api/dist/main.js" migrate "$@"\n',
  { mode: 0o755 },
)
mkdirSync(join(folder, 'runtime'), { recursive: true })
const runtime = join(folder, 'runtime/opencode')
cpSync(runtimeBinary(), runtime)
chmodSync(runtime, 0o755)

/** The binary of the agent runtime that npm installed for this machine. */
function runtimeBinary() {
  const require = createRequire(join(root, 'apps/daemon/package.json'))
  const name = `opencode-${process.platform}-${process.arch}`
  return realpathSync(join(dirname(require.resolve(`${name}/package.json`)), 'bin/opencode'))
}
