import { cp, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { accounts, createDatabase, migrate, migrations } from '@svc/db'
import { startEmbeddedPostgres } from '@svc/db/embedded'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { svc } from '../support/clients/svc.ts'
import { builtEntry } from '../support/platform/apps.ts'
import { makePlace, type Place, type Platform, startOn } from '../support/platform/platform.ts'
import { output, run } from '../support/platform/run.ts'

const log = { debug() {}, info() {}, warn() {}, error: console.error }
const newest = migrations.at(-1)?.level ?? 0
/** The level of an earlier release. */
const earlier = newest - 5

let place: Place
let folder: string
let platform: Platform | undefined
beforeAll(async () => {
  place = await makePlace()
  folder = join(place.data_dir, 'backups', `before-${newest}`)
  const server = await startEmbeddedPostgres({ data_dir: join(place.data_dir, 'postgres'), log })
  await migrate(server.connection_string, {
    contract: true,
    migrations: migrations.filter(({ level }) => level <= earlier),
  })
  const db = createDatabase(server.connection_string, { max: 1 })
  const [account_id, user_id, created_at] = [randomUUID(), randomUUID(), new Date()]
  await accounts.createWithOwner(
    db,
    { account_id, name: 'Of before', tier: 'self_host', created_at },
    { user_id, email: 'before@svc.invalid', name: 'Owner', created_at },
  )
  await db.destroy()
  await server.close()
  await output('cp', ['-a', join(place.data_dir, 'postgres'), join(place.root, 'of before')])
})
afterAll(async () => {
  if (platform?.child.ended === false) await platform.stop()
  await place?.remove()
})

const start = (env: Record<string, string>) =>
  run(process.execPath, [builtEntry('standalone')], { env: { ...place.env, ...env } })

test('a start that could not write its backup changes nothing, and says the way without one', async () => {
  await rm(join(place.data_dir, 'backups'), { recursive: true, force: true })
  await writeFile(join(place.data_dir, 'backups'), '')
  const { code, stderr } = await start({})
  expect(code).toBe(1)
  expect(stderr).toContain('No backup could be written before the upgrade, so nothing was changed.')
  expect(stderr).toContain('SVC_BACKUP_BEFORE_UPGRADE=false')
  await rm(join(place.data_dir, 'backups'))
})

test('a start that changes the schema writes a backup of the one before, once', async () => {
  platform = await startOn(place)
  expect((await svc(platform, ['whoami'])).stdout).toContain('Of before (owner)')
  await platform.stop()
  const names = await readdir(folder)
  expect(names).toHaveLength(1)
  await (await startOn(place)).stop()
  expect(await readdir(folder)).toEqual(names)
})

test('that backup is restored by the build of after, which brings it up to its own schema', async () => {
  const [name = ''] = await readdir(folder)
  const env = { ...place.env, SVC_DATA_DIR: join(place.root, 'restored'), NO_COLOR: '1' }
  const keys = ['master', 'gateway'].flatMap((key) => [
    `--${key}-key-file`,
    join(place.data_dir, `${key}.key`),
  ])
  const args = ['self-host', 'restore', '--from', join(folder, name), ...keys, '--resume']
  const { code, stderr } = await run(process.execPath, [builtEntry('cli'), ...args], { env })
  expect(code, stderr).toBe(0)
  platform = await startOn({ ...place, data_dir: env.SVC_DATA_DIR, env })
  expect((await svc(platform, ['whoami'])).stdout).toContain('Of before (owner)')
  await platform.stop()
})

test('of a level the first and the newest backup stay, and of levels the last two', async () => {
  const backups = join(place.data_dir, 'backups')
  const [first = ''] = await readdir(folder)
  // An upgrade that failed after its backup, once, and upgrades of long ago.
  const between = `${first.slice(0, -8)}ffffffff`
  await cp(join(folder, first), join(folder, between), { recursive: true })
  for (const level of [newest - 20, newest - 10]) await mkdir(join(backups, `before-${level}`))
  await rm(join(place.data_dir, 'postgres'), { recursive: true })
  await rename(join(place.root, 'of before'), join(place.data_dir, 'postgres'))
  await (await startOn(place)).stop()
  const names = (await readdir(folder)).toSorted()
  expect(names).toHaveLength(2)
  expect(names[0]).toBe(first)
  expect(names[1]).not.toBe(between)
  expect((await readdir(backups)).toSorted()).toEqual(
    [`before-${newest - 10}`, `before-${newest}`].toSorted(),
  )
})
