import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { runBench } from '../report.ts'

const journey = 'apps/standalone/tests/deployments/upgrade.test.ts'
const root = fileURLToPath(new URL('../..', import.meta.url))

/** Requests that fail while two of each service are rolled to the next release under load: the journey of an upgrade, and its figures. */
await runBench('operations/upgrade', async ({ quick }) => {
  const env = {
    ...process.env,
    // Its lines are read.
    NO_COLOR: '1',
    SVC_UPGRADE_TEST: '1',
    UPGRADE_BESIDE_SECONDS: quick ? '3' : '30',
  }
  const args = ['vitest', 'run', '--project', 'journeys', '--reporter', 'verbose', journey]
  const child = spawn('npx', args, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] })
  const exited = once(child, 'exit')
  const [said, errors] = await Promise.all([text(child.stdout), text(child.stderr)])
  const [code] = await exited
  const asked = /\d+ requests: .*$/m.exec(said)?.[0] ?? 'no requests were counted'
  const lock_ms = Number(/longest lock: (\d+) ms$/m.exec(said)?.[1] ?? Number.NaN)
  if (code !== 0) process.stderr.write(said + errors)
  return {
    verdicts: [
      { what: 'requests that failed', promise: '0', measured: asked, held: code === 0 },
      { what: 'the longest lock of a migration', promise: 'a figure', measured: `${lock_ms} ms`, held: true },
    ],
    figures: { asked, lock_ms, passed: code === 0 },
  }
})
