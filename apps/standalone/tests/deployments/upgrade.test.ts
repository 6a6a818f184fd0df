import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type EmptyDatabase, emptyDatabase, type SchemaChange, watchDdl } from '@svc/db/testing'
import { readBootstrap } from '@svc/identity'
import { createClient } from '@svc/sdk'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeRoleUrls } from '../support/platform/role-urls.ts'
import { hasRedis, type RedisServer, startRedis } from '../support/platform/redis.ts'
import { output } from '../support/platform/run.ts'
import { type Fleet, startFleet } from '../support/upgrade/fleet.ts'
import { wrongWork } from '../support/upgrade/ledger.ts'
import { type Asked, type Load, type LoadedProject, startLoad } from '../support/upgrade/load.ts'
import { endSandboxes } from '../support/platform/settle.ts'
import { loadedProject } from '../support/upgrade/loaded-project.ts'
import { forget, type Release, type TwoReleases, twoReleases } from '../support/upgrade/releases.ts'

if (!hasRedis && process.env.CI) throw new Error('CI needs redis-server for these tests')
if (!hasRedis) console.warn('Skipped: redis-server is not installed')

/** For which both releases work side by side, at each step. */
const besideMs = Number(process.env.UPGRADE_BESIDE_SECONDS ?? 3) * 1_000

// Each step begins where the one before it ended: none can be tried a second time.
describe.skipIf(!hasRedis)(
  'two of every service, of a release and of the next, under load',
  { retry: 0 },
  () => {
    let releases: TwoReleases
    let database: EmptyDatabase
    let redis: RedisServer
    let fleet: Fleet
    let urlOf: (app: string) => string
    let loaded: LoadedProject
    let load: Load
    let asked: Asked
    let schemaChanges: () => Promise<readonly SchemaChange[]>

    beforeAll(async () => {
      ;[releases, database, redis] = await Promise.all([twoReleases(), emptyDatabase(), startRedis()])
      const { older } = releases
      urlOf = await makeRoleUrls(database.connection_string, entry(older))
      fleet = await startFleet({ database: urlOf, redis: redis.url })
      await fleet.add(older, 'older 1')
      await fleet.add(older, 'older 2')
      const { token = '' } = (await readBootstrap(join(fleet.root, 'bootstrap.json'))) ?? {}
      const client = createClient({ api_url: `${fleet.origin}/v1`, token })
      loaded = await loadedProject(client, token, fleet.root)
      schemaChanges = await watchDdl(database.db)
      load = startLoad(loaded, () => `open: ${fleet.open().join(', ') || 'nothing'}`)
      await sleep(besideMs)
    })
    afterAll(async () => {
      // Its own failure is told by the test that stops it.
      await load?.stop().catch(() => undefined)
      if (load) await endSandboxes(loaded, fleet.origin).catch((error: unknown) => console.warn(error))
      await fleet?.close()
      await redis?.close()
      await database?.close()
      if (releases) await forget(releases)
    })

    const entry = ({ folder }: Release) => join(folder, 'apps/api/dist/main.js')
    const migrate = (release: Release, DATABASE_URL: string, ...flags: string[]) =>
      output(process.execPath, [entry(release), 'migrate', ...flags], { env: { DATABASE_URL } })

    /** One after the other: the new process is ready before the old one is asked to leave. */
    async function roll(release: Release, steps: Readonly<Record<string, string>>): Promise<void> {
      for (const [leaving, coming] of Object.entries(steps)) {
        await fleet.add(release, coming)
        await sleep(besideMs)
        const codes = await fleet.leave(leaving)
        expect(new Set(Object.values(codes)), JSON.stringify(codes)).toEqual(new Set([0]))
        await sleep(besideMs)
      }
    }

    test('the schema of the next release is made while the older one works', async () => {
      const before = await database.db.selectFrom('schema_state').select('level').executeTakeFirstOrThrow()
      expect(await migrate(releases.newer, urlOf('owner'))).toContain('ran ')
      const ran = await database.db
        .selectFrom('schema_migrations')
        .select('duration_ms')
        .where('level', '>', before.level)
        .execute()
      // The locks of a migration are held to its end, and for no longer.
      console.info(`longest lock: ${Math.max(...ran.map(({ duration_ms }) => duration_ms ?? 0))} ms`)
      await sleep(besideMs)
    })

    test('the next release takes over, one process at a time', () =>
      roll(releases.newer, { 'older 1': 'newer 1', 'older 2': 'newer 2' }))

    test('one goes back to the older release, on the schema of the next', () =>
      roll(releases.older, { 'newer 1': 'older 3' }))

    test('and forward again', () => roll(releases.newer, { 'older 3': 'newer 3' }))

    test('what may go goes once no older process runs', async () => {
      await migrate(releases.newer, urlOf('owner'), '--contract')
      await sleep(besideMs)
      asked = await load.stop()
    })

    test('every request was answered well, and every call ended as asked', () => {
      const { shipped, prompts, hooks, pushed, reads, visits, wrong } = asked
      const done = { shipped, prompts, hooks, pushed }
      const counts = Object.entries(done).map(([what, items]) => `${items.length} ${what}`)
      console.info(
        `${fleet.asked()} requests: ${[...counts, `${reads} reads`, `${visits} visits`].join(', ')}`,
      )
      const errors = fleet
        .logs()
        .split('\n')
        .filter((line) => line.includes('"level":"error"'))
      expect(fleet.failed(), errors.slice(-5).join('\n')).toEqual([])
      expect(wrong).toEqual([])
      for (const [what, items] of Object.entries(done)) expect(items.length, what).toBeGreaterThan(2)
    })

    test('rows show each piece of work once', async () => {
      expect(await wrongWork(loaded, asked, fleet.origin)).toEqual([])
    })

    test('no service changed the schema, and none lacked a right', async () => {
      const changes = await schemaChanges()
      expect(changes.filter(({ session_role }) => session_role === 'svc_owner')).not.toEqual([])
      expect(changes.filter(({ rights_of }) => rights_of !== 'svc_owner')).toEqual([])
      expect(fleet.logs()).not.toContain('permission denied')
    })
  },
)
