import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { emptyDatabase } from '@svc/db/testing'
import { createRepositories } from '@svc/git'
import { createKeySealer, createVault } from '@svc/vault'
import { afterAll, expect, test } from 'vitest'
import { runBackupCommand } from '../../src/operator/backup-command.ts'
import { runRestoreCommand } from '../../src/operator/restore-command.ts'
import { openWorld } from '../support/world.ts'

const folder = await mkdtemp(join(tmpdir(), 'svc-backup-'))
const root = join(folder, 'repositories')
const repositories = await createRepositories({
  root,
  cache_root: join(folder, 'cache'),
  identity: { name: 'svc', email: 'noreply@svc.invalid' },
  allow: {},
})
const master_key = randomBytes(32).toString('hex')
const gateway_key = randomBytes(32).toString('hex')
const { ask, platform, newProject } = await openWorld({
  repositories,
  provider_sealer: createKeySealer(gateway_key),
  vault: createVault(master_key, { key_id: 'operator' }),
})
const target = await emptyDatabase()
afterAll(async () => {
  await target.close()
  await repositories.close()
  await rm(folder, { recursive: true, force: true })
})

const env = {
  DATABASE_URL: platform.database.connection_string,
  SVC_PUBLIC_URL: 'http://127.0.0.1:1',
  SVC_REPOSITORIES_DIR: root,
  SVC_MIRRORS_DIR: join(folder, 'mirrors'),
  SVC_MASTER_KEY: master_key,
  SVC_GATEWAY_MASTER_KEY: gateway_key,
  SVC_INTERNAL_PORT: '0',
}
const elsewhere = {
  ...env,
  DATABASE_URL: target.connection_string,
  SVC_REPOSITORIES_DIR: join(folder, 'restored'),
  SVC_MIRRORS_DIR: join(folder, 'restored-mirrors'),
}

async function run(command: typeof runBackupCommand, source: typeof env, ...words: string[]) {
  const out: string[] = []
  const err: string[] = []
  const streams = { out: (line: string) => void out.push(line), err: (line: string) => void err.push(line) }
  return { code: await command(words, source, streams), out: out.join('\n'), err: err.join('\n') }
}

test('what is misused says how it is used', async () => {
  expect(await run(runBackupCommand, env)).toMatchObject({
    code: 2,
    err: expect.stringContaining('backup --to'),
  })
  expect(await run(runRestoreCommand, elsewhere, '--into', 'x')).toMatchObject({
    code: 2,
    err: expect.stringContaining('restore --from'),
  })
  const wrong = await run(runRestoreCommand, elsewhere, '--from', join(folder, 'x'))
  expect(wrong).toMatchObject({ code: 1, err: expect.stringContaining('its last part is svc-backup-') })
})

test('a deployment is written into a folder, and put back elsewhere, where nobody works before a person looked', async () => {
  const project_id = await newProject()
  const provider = { slug: 'acme', kind: 'openai', base_url: 'https://8.8.8.8/v1', api_key: 'sk-0123456789' }
  await ask('POST', `/v1/projects/${project_id}/gateway/providers`, provider)
  const place = join(folder, 'backups')
  const first = await run(runBackupCommand, env, '--to', place)
  expect(first, first.err).toMatchObject({
    code: 0,
    out: expect.stringContaining('The master key is not in it'),
  })
  const second = await run(runBackupCommand, env, '--to', place, '--with-master-key', '--json')
  expect(second.code, second.err).toBe(0)
  const { name } = JSON.parse(second.out) as { readonly name: string }
  expect(await readFile(join(place, name, 'master.key'), 'utf8')).toBe(master_key)
  expect(await readFile(join(place, name, 'gateway.key'), 'utf8')).toBe(gateway_key)
  expect(await readdir(place)).toHaveLength(2)
  const { key_ids } = JSON.parse(await readFile(join(place, name, 'manifest.json'), 'utf8'))
  expect(key_ids).toEqual([createKeySealer(gateway_key).key_id, 'operator'])

  const other_key = { ...elsewhere, SVC_MASTER_KEY: randomBytes(32).toString('hex') }
  expect(await run(runRestoreCommand, other_key, '--from', join(place, name))).toMatchObject({
    code: 1,
    err: expect.stringContaining('Key operator is needed'),
  })
  const other_gateway = { ...elsewhere, SVC_GATEWAY_MASTER_KEY: randomBytes(32).toString('hex') }
  expect(await run(runRestoreCommand, other_gateway, '--from', join(place, name))).toMatchObject({
    code: 1,
    err: expect.stringContaining('SVC_GATEWAY_MASTER_KEY'),
  })
  const restored = await run(runRestoreCommand, elsewhere, '--from', join(place, name))
  expect(restored, restored.err).toMatchObject({ code: 0, out: expect.stringContaining('read-only') })
  expect(await readdir(elsewhere.SVC_REPOSITORIES_DIR)).toContain(`${project_id}.git`)
  const rows = await target.db.selectFrom('projects').select('project_id').execute()
  expect(rows).toContainEqual({ project_id })
  const mode = () => target.db.selectFrom('maintenance').select('mode').execute()
  expect(await mode()).toEqual([{ mode: 'read_only' }])
  const again = await run(runRestoreCommand, elsewhere, '--from', join(place, name), '--resume')
  expect(again, again.err).toMatchObject({ code: 0, out: expect.stringContaining('is open') })
  expect(await mode()).toEqual([{ mode: 'off' }])
  const taken = await run(
    runRestoreCommand,
    { ...elsewhere, SVC_REPOSITORIES_DIR: join(folder, 'third') },
    '--from',
    join(place, name),
  )
  expect(taken).toMatchObject({ code: 1, err: expect.stringContaining('The database is not empty') })
})
