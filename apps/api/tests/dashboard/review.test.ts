import { execFileSync } from 'node:child_process'
import { createBranch, resolveBranch, writeCommit } from '@svc/git'
import { expect, test } from 'vitest'
import { openWorld } from '../support/world.ts'

const { platform, ask, newProject } = await openWorld()
const signal = new AbortController().signal

async function repositoryOf(project_id: string) {
  return platform.parts.repositories.open({ kind: 'managed', project_id }, { signal })
}

async function commit(
  project_id: string,
  branch: string,
  changes: { path: string; content: string }[],
  from = 'main',
) {
  const repository = await repositoryOf(project_id)
  const at_sha = await writeCommit(repository, {
    parent_sha: await resolveBranch(repository, from),
    changes,
    message: `${branch}: ${changes.map(({ path }) => path).join(', ')}`,
    committed_at: new Date(),
  })
  await createBranch(repository, { branch, at_sha })
  return at_sha
}

test('two branches are compared, and the commits of one alone are listed', async () => {
  const project_id = await newProject('Compared')
  const head = await commit(project_id, 'topic', [{ path: 'a.txt', content: 'a\n' }])
  await commit(project_id, 'next', [{ path: 'b.txt', content: 'b\n' }], 'topic')
  const project = `/v1/projects/${project_id}`
  const whole = await ask('GET', `${project}/compare?base=main&head=next`)
  expect(whole.body).toMatchObject({
    base_ref: 'main',
    head_ref: 'next',
    files_changed: 2,
    patch_truncated: false,
  })
  expect(Object.keys(Object(whole.body))).not.toContain('cr_id')
  const one = await ask('GET', `${project}/compare?base=main&head=next&path=b.txt`)
  expect(one.body).toMatchObject({ files: [{ path: 'b.txt', status: 'added' }] })
  expect(await ask('GET', `${project}/compare?base=main&head=gone`)).toMatchObject({ status: 404 })
  const { body } = await ask('GET', `${project}/commits?ref=next&not=topic`)
  expect(Object(body).commits).toMatchObject([{ message: expect.stringContaining('b.txt'), parents: [head] }])
  expect(await ask('GET', `${project}/commits?ref=next&not=gone`)).toMatchObject({ status: 404 })
})

test('the manifest is told as it is written, with the verdict', async () => {
  const project_id = await newProject('Told')
  const path = `/v1/projects/${project_id}/manifest`
  expect((await ask('GET', path)).body).toMatchObject({
    ref: 'main',
    path: 'svc.yaml',
    valid: true,
    text: expect.stringContaining('svc_version'),
  })
  await commit(project_id, 'broken', [
    { path: 'svc.yaml', content: 'svc_version: 2\ndefault_agent: b\nagents:\n  a: {}\n' },
  ])
  expect((await ask('GET', `${path}?ref=broken`)).body).toMatchObject({
    ref: 'broken',
    valid: false,
    issues: expect.arrayContaining([
      expect.objectContaining({ path: 'default_agent', severity: 'error', line: 2 }),
    ]),
  })
  const bare = (await ask('POST', '/v1/projects/provision', { name: 'bare', seed_starter: false })).pick(
    'project_id',
  )
  expect((await ask('GET', `/v1/projects/${bare}/manifest`)).body).toMatchObject({
    path: null,
    text: null,
    valid: false,
    issues: [{ severity: 'error' }],
  })
})

test('the work of a session is shown from its branch, and from a checkpoint that goes on from there', async () => {
  const project_id = await newProject('Shown')
  const session_id = (await ask('POST', `/v1/projects/${project_id}/sessions`, {})).pick('session_id')
  const path = `/v1/projects/${project_id}/sessions/${session_id}/diff`
  expect((await ask('GET', path)).body).toMatchObject({
    base_ref: 'main',
    head_ref: session_id,
    source: 'branch',
    files: [],
  })
  const repository = await repositoryOf(project_id)
  const saved = await writeCommit(repository, {
    parent_sha: await resolveBranch(repository, session_id),
    changes: [{ path: 'draft.txt', content: 'x\n' }],
    message: 'svc checkpoint',
    committed_at: new Date(),
  })
  execFileSync('git', ['update-ref', `refs/svc/checkpoints/${session_id}/2`, saved], {
    cwd: repository.git_dir,
  })
  expect((await ask('GET', path)).body).toMatchObject({
    source: 'checkpoint',
    files: [{ path: 'draft.txt' }],
  })
  expect((await ask('GET', `${path}?path=none`)).body).toMatchObject({ files: [] })
})

test('a file that was looked at is marked for its content, for one person', async () => {
  const project_id = await newProject('Viewed')
  await commit(project_id, 'topic', [{ path: 'a.txt', content: 'a\n' }])
  const made = await ask('POST', `/v1/projects/${project_id}/change-requests`, {
    title: 'x',
    head_ref: 'topic',
  })
  const path = `/v1/projects/${project_id}/change-requests/${String(Object(made.body).number)}/viewed`
  const file = { path: 'a.txt', patch_hash: 'a'.repeat(64) }
  expect((await ask('GET', path)).body).toEqual({ files: [] })
  expect((await ask('PUT', path, { ...file, viewed: true })).body).toEqual({ files: [file] })
  const other = { ...file, patch_hash: 'b'.repeat(64) }
  expect((await ask('PUT', path, { ...other, viewed: true })).body).toEqual({ files: [other] })
  expect((await ask('PUT', path, { ...file, viewed: false })).body).toEqual({ files: [] })
  expect(await ask('PUT', path, { ...file, patch_hash: 'x', viewed: true })).toMatchObject({ status: 400 })
})
