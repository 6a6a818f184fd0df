import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connectorCalls } from '@svc/db'
import { openWorld } from '@svc/services/testing'
import { createVault } from '@svc/vault'
import { afterAll, expect, test } from 'vitest'
import { bundleProcess } from '../../../../scripts/bundle-process.ts'
import { callConnector, decideApproval, getApproval } from '../../src/index.ts'
import { openExecutor, openPlace, startService } from '../support/place.ts'

/** At each line, of each kind; `KILLS` asks for more. */
const kills = Number(process.env['KILLS'] ?? 1)
const atOnce = 2

const world = await openWorld({ session_cap: 500 })
const master_key = randomBytes(32)
Object.assign(world.base, { vault: createVault(master_key, { key_id: 'test' }) })
const executor = openExecutor(world)
const service = await startService()
const program = await bundleProcess(new URL('run-executor.ts', import.meta.url))
const folder = await mkdtemp(join(tmpdir(), 'svc-executor-'))
afterAll(() => rm(folder, { recursive: true }))

/** Runs one call in a process that is killed at `line` of it. */
async function killedAt(line: string, call_id: string): Promise<void> {
  const { connection_string } = world
  const settings = { connection_string, folder, line, call_id, master_key: master_key.toString('hex') }
  const now = world.clock.now().toISOString()
  const child = spawn(process.execPath, [program, JSON.stringify({ ...settings, now })], {
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  const [, signal] = await once(child, 'exit')
  expect(signal).toBe('SIGKILL')
}

/** The end of a write whose service knows no key, and of one whose service does; how often each is then asked in all. */
const lines = [
  { line: 'gate', plain: 'succeeded', keyed: 'succeeded', asked: { plain: 1, keyed: 1 } },
  { line: 'sent', plain: 'unknown', keyed: 'succeeded', asked: { plain: 0, keyed: 1 } },
  { line: 'answered', plain: 'unknown', keyed: 'succeeded', asked: { plain: 1, keyed: 2 } },
  { line: 'finished', plain: 'succeeded', keyed: 'succeeded', asked: { plain: 1, keyed: 1 } },
] as const

test.each(lines)(
  `an executor that is killed at the line $line (${kills} of each kind) doubles nothing and loses nothing`,
  async ({ line, asked, ...ends }) => {
    for (const kind of ['plain', 'keyed'] as const) {
      const place = await openPlace(
        world,
        executor,
        service,
        kind === 'keyed' ? { more: '    idempotency_header: Idempotency-Key' } : {},
      )
      const { project_id } = place
      const ids: string[] = []
      for (let n = 0; n < kills; n += 1) {
        const outcome = await callConnector(place.agent, {
          ...{ project_id, connector: 'tracker', action: 'post', wait_seconds: 0, door: 'executor' },
          args: { path: `/${line}/${kind}/${n}`, body: { n } },
        })
        const call_id = outcome.call_id ?? ''
        const { digest } = await getApproval(place.person, { project_id, call_id })
        await decideApproval(place.person, { project_id, call_id, decision: 'approve', digest })
        ids.push(call_id)
      }
      const waiting = [...ids]
      const work = async () => {
        for (let id = waiting.shift(); id !== undefined; id = waiting.shift()) await killedAt(line, id)
      }
      await Promise.all(Array.from({ length: atOnce }, work))
      world.clock.advance(11_000)
      const statuses = async () =>
        Promise.all(ids.map(async (id) => (await connectorCalls.find(world.db, id))?.status))
      // PostgreSQL frees the lock of a killed process when it sees the end of its connection, a moment later.
      await expect
        .poll(async () => {
          await executor.sweep()
          return [...new Set(await statuses())]
        })
        .toEqual([ends[kind]])
      const requests = service.asked.filter(({ path }) => path.startsWith(`/api/${line}/${kind}/`))
      expect(requests).toHaveLength(kills * asked[kind])
      // A service that knows the key does it once, however often it is asked.
      const keys = new Set(requests.map(({ headers }) => headers['idempotency-key'] ?? Math.random()))
      expect(keys.size).toBe(kills * Math.min(1, asked[kind]))
      expect(await place.prompts()).toHaveLength(kills)
    }
  },
)
