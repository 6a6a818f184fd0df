#!/usr/bin/env node
/**
 * npm run test:compose: the stack of infra/compose for real, in a Docker engine of its own. Needs root on Debian 12, and
 * a minute or two. Arguments go to vitest.
 */
import { spawnSync } from 'node:child_process'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const here = dirname(fileURLToPath(import.meta.url))
const engine = join(here, '../ci/start-docker.mjs')
const run = (file, args, options) => spawnSync(file, args, { stdio: 'inherit', ...options })

if (run(join(here, '../ci/install-test-tools.sh'), []).status !== 0) process.exit(1)
const started = run(process.execPath, [engine, 'start'], { stdio: ['ignore', 'pipe', 'inherit'] })
if (started.status !== 0) process.exit(1)
const found = String(started.stdout).matchAll(/^export (\w+)='(.*)'$/gm)
const env = { ...process.env, ...Object.fromEntries([...found].map(([, name, value]) => [name, value])) }
const vitest = ['vitest', 'run', '--config', join(here, 'vitest.config.mjs'), ...process.argv.slice(2)]
const { status } = run('npx', vitest, { env })
run(process.execPath, [engine, 'stop'], { env })
process.exit(status ?? 1)
