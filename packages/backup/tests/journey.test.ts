import { once } from 'node:events'
import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { backups, migrate } from '@svc/db'
import { emptyDatabase } from '@svc/db/testing'
import { makeRepositories, testGit } from '@svc/git/testing'
import { openFolderStore, readObject } from '@svc/objects'
import { mergeChangeRequest, servicePlaces } from '@svc/services'
import { makeProject, openWorld, runningSession } from '@svc/services/testing'
import { createVault } from '@svc/vault'
import { sql } from 'kysely'
import { afterAll, expect, onTestFinished, test, vi } from 'vitest'
import { bundleProcess } from '../../../scripts/bundle-process.ts'
import { restoreBackup, runBackup } from '../src/index.ts'

const world = await openWorld()
const { base } = world
const folder = await mkdtemp(join(tmpdir(), 'svc-backup-'))
afterAll(() => rm(folder, { recursive: true, force: true }))
const target = join(folder, 'backups')
const to = await openFolderStore(target)
const parts = {
  ...base,
  read_url: world.connection_string,
  places: servicePlaces,
  version: '1.0.0',
  // The clock of the killed processes as well.
  now: () => new Date(),
}
const take = () => runBackup(parts, world.worker().locks, { open: async () => to, target, since: null })

/** Waits for PostgreSQL to free the lock of a process that was killed. */
const finished = () =>
  vi.waitFor(
    async () => {
      const outcome = await take()
      if (outcome.kind !== 'done') throw new Error(`No backup was taken: ${outcome.kind}`)
      return outcome.name
    },
    { timeout: 20_000 },
  )

/** Every row of every table, and how far each sequence is, but of those that a restore writes itself. */
async function rowsOf(db: typeof world.db): Promise<Record<string, unknown>> {
  const { rows: tables } = await sql<{ name: string }>`
    select c.relname as name from pg_class c where c.relnamespace = current_schema()::regnamespace
      and c.relkind in ('r', 'p') and not c.relispartition order by 1`.execute(db)
  const own = /^(kysely_|schema_|processes|session_claims|rate_limits|attempt_counts|backups|maintenance)/
  const found: Record<string, unknown> = {}
  for (const { name } of tables.filter((table) => !own.test(table.name))) {
    const { rows } = await sql<{ row: unknown }>`
      select to_jsonb(t) as row from ${sql.table(name)} t order by to_jsonb(t)::text`.execute(db)
    found[name] = rows.map(({ row }) => row)
  }
  // Numbers go on behind those that were given.
  const { rows: sequences } = await sql<{ name: string; last: string }>`
    select sequencename as name, last_value::text as last from pg_sequences
    where schemaname = current_schema() and last_value is not null order by 1`.execute(db)
  expect(sequences.length).toBeGreaterThan(0)
  found['sequences'] = sequences
  return found
}

/** An empty deployment, and the restore of a backup into it. */
async function openTarget(name: string, more: { readonly marks?: string } = {}) {
  const [database, storage] = [await emptyDatabase(), await makeRepositories()]
  onTestFinished(() => database.close())
  onTestFinished(() => storage.remove())
  const place = more.marks ?? (await mkdtemp(join(folder, 'target-')))
  const objects = await openFolderStore(join(place, 'objects'))
  const restore = (given: Partial<Parameters<typeof restoreBackup>[1]> = {}) =>
    restoreBackup(
      { store: to, name },
      {
        database_url: database.connection_string,
        repositories: storage.repositories,
        repositories_dir: storage.root,
        objects,
        vault: base.vault,
        version: '1.0.0',
        metrics: base.metrics,
        marks_file: join(place, 'restore.json'),
        marks_folder: place,
        migrateSchema: () => migrate(database.connection_string, { version: '1.0.0' }),
        ...given,
      },
    )
  return { ...database, root: storage.root, objects, restore }
}

const project = await makeProject(world)
const { project_id } = project
const merged = await project.propose('merged')
await mergeChangeRequest(world.as(project.owner.principal, { signal: AbortSignal.abort() }), {
  project_id,
  cr: merged.cr_id,
}).catch(() => undefined)
await world.queue.drain()
await project.propose('open')
const session = await runningSession(world, project)
await project.git('update-ref', `refs/svc/checkpoints/${session.session_id}/1`, await project.tip('main'))
await base.objects.put('events/archived', Buffer.from('a month'))
const refs = (git_dir: string) => testGit(['for-each-ref', '--format=%(objectname) %(refname)'], { git_dir })

test('a deployment that runs is restored into an empty one: its rows, references and objects', async () => {
  const [rows, tips] = [await rowsOf(world.db), await refs(world.gitDir(project_id))]
  const name = await finished()
  // What comes afterwards is not in it.
  await project.propose('later')

  const restored = await openTarget(name)
  // Before the steps that say what a restore changes.
  const seen: Record<string, unknown>[] = []
  const outcome = await restored.restore({
    migrateSchema: async () => {
      seen.push(await rowsOf(restored.db))
    },
  })
  expect(outcome).toMatchObject({ sessions_stopped: 1, findings: null })
  expect(seen).toEqual([rows])
  expect(await refs(join(restored.root, `${project_id}.git`))).toBe(tips)
  await testGit(['fsck', '--strict', '--no-dangling'], { git_dir: join(restored.root, `${project_id}.git`) })
  expect(String(await readObject(restored.objects, 'events/archived'))).toBe('a month')

  const { status, stop_reason } = await restored.db
    .selectFrom('project_sessions')
    .select(['status', 'stop_reason'])
    .where('session_id', '=', session.session_id)
    .executeTakeFirstOrThrow()
  expect([status, stop_reason]).toEqual(['stopped', 'platform_shutdown'])
  expect(await restored.db.selectFrom('maintenance').select('mode').execute()).toEqual([
    { mode: 'read_only' },
  ])
  expect(await backups.list(restored.db, { limit: 10 })).toMatchObject([{ name, state: 'done' }])
  await expect(restored.restore({ marks_file: join(folder, 'other.json') })).rejects.toThrow(
    'The database is not empty: it has 1 projects. Restore into a new one.',
  )
})

test('nothing is written where a part is damaged, or another key is at hand', async () => {
  const name = await finished()
  const other = await openTarget(name)
  const vault = createVault(Buffer.alloc(32, 7), { key_id: 'other' })
  await expect(other.restore({ vault })).rejects.toThrow('Key test is needed')
  const path = join(target, name, 'repositories', `${project_id}.bundle`)
  const whole = await readFile(path)
  await writeFile(path, Buffer.concat([whole.subarray(0, -1), Buffer.from([whole.at(-1) === 0 ? 1 : 0])]))
  await expect(other.restore()).rejects.toThrow(`repositories/${project_id}.bundle is not what was written`)
  await writeFile(path, whole)
  const { rows } = await sql<{ name: string | null }>`select to_regclass('projects') as name`.execute(
    other.db,
  )
  expect(rows).toEqual([{ name: null }])
  await other.objects.put('events/left', Buffer.from('x'))
  await expect(other.restore()).rejects.toThrow('The object store is not empty: it has events/left.')
})

test('a restore that ends at any step goes on with it', async () => {
  const name = await finished()
  const restored = await openTarget(name)
  const failing = { list: [] as string[] }
  for (const step of ['schema', 'rows', 'repositories', 'objects', 'checks']) {
    const progress = (text: string) => {
      failing.list.push(text)
      if (text === step) throw new Error(`killed at ${step}`)
    }
    await expect(restored.restore({ progress })).rejects.toThrow(`killed at ${step}`)
  }
  await restored.restore()
  expect(failing.list).toEqual([
    ...['schema', 'schema', 'rows', 'rows', 'repositories', 'repositories', 'objects', 'objects', 'checks'],
  ])
  expect(await refs(join(restored.root, `${project_id}.git`))).toBe(await refs(world.gitDir(project_id)))
})

test('a backup that is killed at any part is none, and the next one removes what is left of it', async () => {
  const program = await bundleProcess(new URL('run-backup.ts', import.meta.url))
  const before = await backups.list(world.db, { limit: 100 })
  const names: string[] = []
  for (const stop_at of ['rows/projects', 'repositories/', 'objects/', 'manifest.json']) {
    const args = [
      world.connection_string,
      dirname(world.gitDir(project_id)),
      world.objects_dir,
      target,
      stop_at,
    ]
    const child = spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
    onTestFinished(() => void child.kill('SIGKILL'))
    const [name = ''] = String(await once(child.stdout, 'data')).split('/')
    // While it is under way no other is taken.
    expect(await take()).toEqual({ kind: 'running' })
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
    names.push(name)
    await expect((await openTarget(name)).restore()).rejects.toThrow('it is no backup that was finished')
  }
  const name = await finished()
  for (const half of names) {
    const left: string[] = []
    for await (const { key } of to.list(`${half}/`)) left.push(key)
    expect(left).toEqual([])
  }
  const rows = await backups.list(world.db, { limit: 100 })
  expect(rows.filter(({ state }) => state === 'running')).toEqual([])
  expect(rows.filter((row) => names.includes(row.name)).map(({ state }) => state)).toEqual(
    names.map(() => 'failed'),
  )
  expect(rows).toHaveLength(before.length + names.length + 1)
  expect((await (await openTarget(name)).restore()).backup_id).toBe(rows[0]?.backup_id)
})

test('where git fails and nothing is damaged, the backup fails and leaves nothing out', async () => {
  await (await makeProject(world)).commit('main', { 'new.txt': 'x\n' })
  const { repositories } = base
  const open: typeof repositories.open = async (source) => {
    const repository = await repositories.open(source)
    const { runner } = repository
    const spawn: typeof runner.spawn = (args, options) =>
      runner.spawn(args[0] === 'bundle' ? ['bundle', 'create', '-', 'refs/heads/none'] : args, options)
    const run: typeof runner.run = (args, options) => runner.run(args, options)
    return { ...repository, runner: Object.assign(Object.create(runner), { spawn, run }) }
  }
  const failing = { ...parts, repositories: Object.assign(Object.create(repositories), { open }) }
  const plan = { open: async () => to, target, since: null }
  await expect(runBackup(failing, world.worker().locks, plan)).rejects.toThrow('git bundle exited')
  expect((await backups.list(world.db, { limit: 1 }))[0]).toMatchObject({ state: 'failed', missing: null })
})

test('one damaged repository is left out and named, and all others are in the backup', async () => {
  const hurt = await makeProject(world)
  await hurt.commit('main', { 'hurt.txt': 'x\n' })
  const blob = await hurt.git('rev-parse', 'main:hurt.txt')
  await rm(join(world.gitDir(hurt.project_id), 'objects', blob.slice(0, 2), blob.slice(2)))
  const outcome = await take()
  if (outcome.kind !== 'done') throw new Error(`No backup was taken: ${outcome.kind}`)
  const { name, taken } = outcome
  expect(taken.missing).toEqual([hurt.project_id])
  expect(taken.manifest.repositories).toContainEqual({
    ...{ project_id: hurt.project_id, bundle: null, tips_sha256: null },
  })
  expect(await backups.newestWith(world.db, { project_id, created_at: new Date(0) })).toMatchObject({ name })
  const other = { project_id: hurt.project_id, created_at: new Date(0) }
  expect((await backups.newestWith(world.db, other))?.name).not.toBe(name)
  const restored = await openTarget(name)
  await restored.restore()
  expect(await refs(join(restored.root, `${project_id}.git`))).toBe(await refs(world.gitDir(project_id)))
})
