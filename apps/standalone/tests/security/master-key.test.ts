import { randomUUID } from 'node:crypto'
import { mkdtemp, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { accounts } from '@svc/db'
import { testDatabase } from '@svc/db/testing'
import { createVault } from '@svc/vault'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { masterKeySettings, replaceMasterKey } from '../../src/master-key.ts'
import { StartError } from '../../src/start-error.ts'

let database: Awaited<ReturnType<typeof testDatabase>>
let path: string
let folder: string
beforeAll(async () => {
  database = await testDatabase()
  folder = await mkdtemp(join(tmpdir(), 'svc-master-key-'))
  path = join(folder, 'master.key')
})
afterAll(async () => {
  await database.close()
  await rm(folder, { recursive: true, force: true })
})

const vaultOf = () => {
  const { SVC_MASTER_KEY, SVC_MASTER_KEY_ID: key_id, SVC_OTHER_MASTER_KEYS: others } = masterKeySettings(path)
  return createVault(SVC_MASTER_KEY, { key_id, others })
}
const said: unknown[] = []
const log = { warn: (...line: unknown[]) => void said.push(line) }
const replace = () => replaceMasterKey(path, { ctx: { db: database.db, vault: vaultOf() } }, log)

/** A row that is sealed as the platform seals it. */
async function addProject(vault = vaultOf()): Promise<string> {
  const [account_id, user_id, project_id] = [randomUUID(), randomUUID(), randomUUID()]
  const created_at = new Date()
  await accounts.createWithOwner(
    database.db,
    { account_id, name: 'Account', tier: 'self_host', created_at },
    { user_id, email: `${user_id}@svc.invalid`, name: 'Owner', created_at },
  )
  const sealed_data_key = vault.createDataKey([project_id]).sealed
  await database.db
    .insertInto('projects')
    .values({
      ...{ project_id, account_id, name: 'P', slug: 'p', kind: 'managed', repo_url: `managed:${project_id}` },
      ...{ default_branch: 'main', sealed_data_key, sealed_credential: null, created_by: user_id },
      ...{ created_at, updated_at: created_at, archived_at: null },
    })
    .execute()
  return project_id
}

async function opens(project_id: string): Promise<boolean> {
  const { sealed_data_key } = await database.db
    .selectFrom('projects')
    .select('sealed_data_key')
    .where('project_id', '=', project_id)
    .executeTakeFirstOrThrow()
  const { SVC_MASTER_KEY, SVC_MASTER_KEY_ID: key_id } = masterKeySettings(path)
  try {
    return createVault(SVC_MASTER_KEY, { key_id }).openDataKey(sealed_data_key, [project_id]) !== null
  } catch {
    return false
  }
}

test('a key that is moved aside is replaced at the next start, again and again', async () => {
  const { SVC_MASTER_KEY } = masterKeySettings(path)
  // As a platform of before keys had names sealed it.
  const first = await addProject(createVault(SVC_MASTER_KEY, { key_id: 'operator' }))
  await replace()
  expect(said).toEqual([])
  for (let turn = 0; turn < 2; turn += 1) {
    const second = await addProject()
    await rename(path, `${path}.old`)
    await replace()
    expect(await opens(first)).toBe(true)
    expect(await opens(second)).toBe(true)
  }
  expect(JSON.stringify(said)).toContain('nothing needs')
  expect(JSON.stringify(said)).not.toContain(masterKeySettings(path).SVC_MASTER_KEY)
})

test('a start that would leave something shut is refused, and changes nothing of it', async () => {
  await addProject()
  await rename(path, join(folder, 'lost.key'))
  await rm(`${path}.old`)
  masterKeySettings(path)
  await rename(path, `${path}.old`)
  const lost = replace()
  await expect(lost).rejects.toBeInstanceOf(StartError)
  await expect(lost).rejects.toThrow('Put the key back')
  await rename(join(folder, 'lost.key'), `${path}.old`)
  await replace()
})
