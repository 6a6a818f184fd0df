import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createRepositories } from '@svc/git'
import { createVault } from '@svc/vault'
import { afterAll, expect, test } from 'vitest'
import { runDoctorCommand } from '../../src/operator/doctor-command.ts'
import { openWorld } from '../support/world.ts'

const folder = await mkdtemp(join(tmpdir(), 'svc-doctor-'))
const root = join(folder, 'repositories')
const repositories = await createRepositories({
  root,
  cache_root: join(folder, 'cache'),
  identity: { name: 'svc', email: 'noreply@svc.invalid' },
  allow: {},
})
const master_key = randomBytes(32).toString('hex')
const { platform, newProject } = await openWorld({
  repositories,
  vault: createVault(master_key, { key_id: 'operator' }),
})
afterAll(async () => {
  await repositories.close()
  await rm(folder, { recursive: true, force: true })
})

const env = {
  DATABASE_URL: platform.database.connection_string,
  SVC_PUBLIC_URL: 'http://127.0.0.1:1',
  SVC_REPOSITORIES_DIR: root,
  SVC_MIRRORS_DIR: join(folder, 'mirrors'),
  SVC_MASTER_KEY: master_key,
  SVC_INTERNAL_PORT: '0',
}

async function doctor(...words: string[]) {
  const out: string[] = []
  const err: string[] = []
  const streams = { out: (line: string) => void out.push(line), err: (line: string) => void err.push(line) }
  const code = await runDoctorCommand(words, env, streams)
  return { code, out: out.join('\n'), err: err.join('\n') }
}

test('without a platform the rows are compared with what is there, and what can be is put right', async () => {
  const project_id = await newProject()
  const clean = await doctor()
  expect(clean, clean.out).toMatchObject({ code: 0, out: 'Nothing is wrong.' })
  expect(clean.err).toContain('sandbox_orphan')

  const { db } = platform.parts
  const lost = { title: 't', base_ref: 'main', head_ref: 'work', created_by: platform.owner.user_id }
  await db
    .insertInto('change_requests')
    .values({
      ...{ cr_id: project_id, account_id: platform.owner.account_id, project_id, number: 7, status: 'open' },
      ...{ head_commit_sha: null, base_commit_sha: null, origin_session_id: null, merged_at: null },
      ...{ merged_by: null, merge_commit_sha: null, closed_at: null, closed_by: null, ...lost },
      ...{ created_at: new Date(), updated_at: new Date() },
    })
    .execute()
  const found = await doctor('--project', project_id, '--json')
  expect(found.code).toBe(1)
  expect(JSON.parse(found.out)).toMatchObject({
    findings: [{ check: 'cr_number_behind', project_id, repairable: true, repaired: false }],
  })
  expect(await doctor('--repair')).toMatchObject({ code: 0, out: expect.stringContaining('(repaired)') })
  expect(await doctor()).toMatchObject({ code: 0 })

  await rm(join(root, `${project_id}.git`), { recursive: true })
  expect(await doctor('--repair')).toMatchObject({
    ...{ code: 1, out: expect.stringContaining(`repository_missing repositories/${project_id} (error)`) },
  })
})

test.each([['--what'], ['--project', 'shop'], ['more']])('%j is misuse', async (...words) => {
  expect(await doctor(...words)).toMatchObject({ code: 2, out: '' })
})
