import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { putSecret, servicePlaces } from '@svc/services'
import { makeProject, openWorld, secretEnvironment, type TestProject } from '@svc/services/testing'
import { createVault, type Vault } from '@svc/vault'
import { build } from 'esbuild'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { runMasterKeyCommand } from '../src/index.ts'

const [oldKey, newKey] = [randomBytes(32), randomBytes(32)]
const onlyOld = createVault(oldKey, { key_id: 'k-old' })
const onlyNew = createVault(newKey, { key_id: 'k-new' })
/** The two steps of a platform on its way: it knows the new key, then it seals with it. */
const knowsNew = createVault(oldKey, { key_id: 'k-old', others: { 'k-new': newKey } })
const sealsNew = createVault(newKey, { key_id: 'k-new', others: { 'k-old': oldKey } })

const world = await openWorld()
const withVault = (project: TestProject, vault: Vault) => world.as(project.owner.principal, { vault })
const children = new Set<ChildProcess>()

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-master-key-'))
  await build({
    entryPoints: [fileURLToPath(new URL('processes/master-key-main.ts', import.meta.url))],
    outfile: join(folder, 'main.mjs'),
    bundle: true,
    platform: 'node',
    format: 'esm',
    external: ['pg-native', '@node-rs/argon2', '*.node'],
    banner: {
      js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url); const __filename = import.meta.filename; const __dirname = import.meta.dirname;",
    },
  })
})
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL')
  await rm(folder, { recursive: true, force: true, maxRetries: 5 })
})

function startCommand(...words: string[]): ChildProcess {
  const env = {
    DATABASE_URL: world.connection_string,
    SVC_MASTER_KEY: newKey.toString('base64'),
    SVC_MASTER_KEY_ID: 'k-new',
    SVC_OTHER_MASTER_KEYS: `k-old=${oldKey.toString('hex')}`,
  }
  const child = spawn(process.execPath, [join(folder, 'main.mjs'), ...words], { env })
  children.add(child)
  return child
}

async function command(...words: string[]): Promise<{ code: unknown; said: string }> {
  const child = startCommand(...words)
  const read = (stream: NodeJS.ReadableStream | null) => (stream === null ? '' : text(stream))
  const [out, err, [code]] = await Promise.all([read(child.stdout), read(child.stderr), once(child, 'exit')])
  return { code, said: out + err }
}

/** Projects that no test uses, sealed as the platform seals them. */
async function addProjects({ project_id }: TestProject, vault: Vault, count: number): Promise<string[]> {
  const model = await world.db
    .selectFrom('projects')
    .selectAll()
    .where('project_id', '=', project_id)
    .executeTakeFirstOrThrow()
  const ids = Array.from({ length: count }, () => randomUUID())
  await world.db
    .insertInto('projects')
    .values(
      ids.map((id) => ({
        ...model,
        metadata: JSON.stringify(model.metadata),
        project_id: id,
        slug: id,
        repo_url: `managed:${id}`,
        sealed_data_key: vault.createDataKey([id]).sealed,
      })),
    )
    .execute()
  return ids
}

async function sealedKeys(): Promise<{ id: string; sealed: string }[]> {
  const { rows } = await sql<{ id: string; sealed: string }>`
    select project_id::text as id, sealed_data_key as sealed from projects`.execute(world.db)
  return rows
}

const sealedWith = async (key_id: string) =>
  (await sealedKeys()).filter(({ sealed }) => sealed.startsWith(`k1.${key_id}.`)).length

async function valueFor(project: TestProject, vault: Vault): Promise<string | undefined> {
  const row = await world.db
    .selectFrom('projects')
    .selectAll()
    .where('project_id', '=', project.project_id)
    .executeTakeFirstOrThrow()
  return (await secretEnvironment({ db: world.db, vault }, row, undefined)).values['KEY']
}

test('a new master key takes over while the platform writes, also when the command is killed on the way', async () => {
  const busy = await makeProject({ ...world, as: (principal) => world.as(principal, { vault: onlyOld }) })
  const ids = (await addProjects(busy, onlyOld, 250)).sort()
  await putSecret(withVault(busy, onlyOld), { project_id: busy.project_id, name: 'KEY', value: 'first' })

  // One row in the middle is held, so that the command is certainly on its way when it dies.
  const held = ids[Math.floor(ids.length / 2)] ?? ''
  const holder = await world.db.startTransaction().execute()
  await sql`select 1 from projects where project_id = ${held}::uuid for update`.execute(holder)
  const victim = startCommand('rotate')
  await vi.waitFor(async () => {
    const { rows } = await sql`select 1 from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(world.db)
    expect(rows).toHaveLength(1)
  }, 180_000)
  victim.kill('SIGKILL')
  await once(victim, 'exit')
  await holder.commit().execute()

  const done = await sealedWith('k-new')
  expect(done).toBeGreaterThan(0)
  expect(done).toBeLessThan(ids.length)
  // A process that has either key first, and knows the other, opens every row of this mixture.
  for (const { id, sealed } of await sealedKeys())
    for (const vault of [knowsNew, sealsNew]) vault.openDataKey(sealed, [id])
  expect((await command('status')).said).toMatch(/projects: \d+ sealed with k-old/)

  // Beside the second run one process still seals with the old key; both write and read.
  let writing = true
  let rounds = 0
  const write = async (vault: Vault, name: string) => {
    for (; writing; rounds += 1) {
      await addProjects(busy, vault, 3)
      const value = `${name} ${rounds}`
      await world.db.deleteFrom('project_secret_writes').execute()
      await putSecret(withVault(busy, vault), { project_id: busy.project_id, name, value })
      expect(await valueFor(busy, vault)).toBe('first')
    }
  }
  const writers = [write(knowsNew, 'BY_OLD'), write(sealsNew, 'BY_NEW')]
  await vi.waitFor(() => expect(rounds).toBeGreaterThan(2), 180_000)
  await command('rotate')
  writing = false
  await Promise.all(writers)

  const last = await command('rotate')
  expect(last).toMatchObject({ code: 0, said: expect.stringContaining('0 left: k-new opens everything') })
  expect(last.said + newKey.toString('base64')).not.toContain(oldKey.toString('hex'))
  for (const { id, sealed } of await sealedKeys()) onlyNew.openDataKey(sealed, [id])
  expect(await valueFor(busy, onlyNew)).toBe('first')
  expect((await command('status')).code).toBe(0)
})

test('a row that no key opens is named, left as it is, and stops nothing else', async () => {
  const project = await makeProject({ ...world, as: (principal) => world.as(principal, { vault: onlyNew }) })
  const lost = createVault(randomBytes(32), { key_id: 'k-lost' })
  const [id = ''] = await addProjects(project, lost, 1)
  await addProjects(project, onlyOld, 5)
  const before = (await sealedKeys()).find((row) => row.id === id)
  const { code, said } = await command('rotate')
  expect(code).toBe(1)
  expect(said).toContain(`projects ${id} is left as it is`)
  expect(said).toContain('1 left that k-new does not open, but k-lost')
  expect(await sealedWith('k-old')).toBe(0)
  expect((await sealedKeys()).find((row) => row.id === id)).toEqual(before)
})

test.each([
  [[], 2, 'master-key rotate'],
  [['turn'], 2, 'master-key status'],
  [['rotate', 'now'], 2, 'master-key rotate'],
  [['status'], 1, 'SVC_MASTER_KEY: is missing'],
])('%j without its settings ends with %i', async (words, code, said) => {
  const lines: string[] = []
  const line = (text: string) => void lines.push(text)
  expect(await runMasterKeyCommand(words, {}, servicePlaces, { out: line, err: line })).toBe(code)
  expect(lines.join('\n')).toContain(said)
})

test('a wrong key is named by its place and not shown', async () => {
  const lines: string[] = []
  const line = (text: string) => void lines.push(text)
  const wrong = { DATABASE_URL: world.connection_string, SVC_MASTER_KEY: newKey.toString('hex') }
  const others = `k-old=${oldKey.toString('hex').slice(1)}`
  const source = { ...wrong, SVC_OTHER_MASTER_KEYS: others }
  expect(await runMasterKeyCommand(['status'], source, servicePlaces, { out: line, err: line })).toBe(1)
  expect(lines.join('\n')).toContain('k-old, is not 32 bytes')
  expect(lines.join('\n')).not.toContain(oldKey.toString('hex').slice(1, 20))
})
