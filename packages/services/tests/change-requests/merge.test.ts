import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { createSession, getChangeRequestDiff, getMergePreview, mergeChangeRequest } from '../../src/index.ts'
import { addMember, agentPrincipal } from '../../src/testing/people.ts'
import { makeProject } from '../../src/testing/projects.ts'
import { openWorld } from '../../src/testing/world.ts'

const world = await openWorld()
world.queue.live = true
const project = await makeProject(world)
const { project_id, ctx } = project
const merge = (cr: string, more: object = {}) => mergeChangeRequest(ctx, { project_id, cr, ...more })

test('a head that is strictly ahead is a fast-forward', async () => {
  const cr = await project.propose('ahead')
  const before = await project.tip('main')
  const { change_request, merge: merged } = await merge(cr.cr_id)
  const head = await project.tip('ahead')
  expect(merged).toEqual({
    merge_commit_sha: head,
    fast_forward: true,
    base_sha_before: before,
    base_sha_after: head,
  })
  expect(await project.tip('main')).toBe(head)
  expect(change_request).toMatchObject({
    status: 'merged',
    head_commit_sha: head,
    base_commit_sha: before,
    merge_commit_sha: head,
    merged_by: project.owner.user_id,
    merged_at: world.clock.now(),
  })
})

test('anything else is a merge commit with its message, trailers and author', async () => {
  const session = await createSession(ctx, { project_id, respond_async: false, body: {} })
  if (session.kind !== 'created') throw new Error('queued')
  const { session_id } = session.session
  const cr = await project.propose('beside', undefined, { session_id, title: 'Täst 😀' })
  await project.commit('main', { 'other.txt': 'other\n' })
  const before = await project.tip('main')
  const { merge: merged } = await merge(String(cr.number))
  expect(merged).toMatchObject({ fast_forward: false, base_sha_before: before })
  const show = (format: string) => project.git('show', '--no-patch', `--format=${format}`, 'main')
  expect(await show('%B')).toBe(`Merge CR #${cr.number}: Täst 😀\n\nCR: ${cr.cr_id}\nSession: ${session_id}`)
  expect(await show('%an <%ae>')).toBe('svc <noreply@svc.invalid>')
  expect(await show('%P')).toBe(`${before} ${await project.tip('beside')}`)
  expect(await show('%(trailers:key=CR,valueonly)')).toBe(cr.cr_id)
})

test('the caller may word the message', async () => {
  const cr = await project.propose('worded')
  await project.commit('main', { 'worded-main.txt': '\n' })
  await merge(cr.cr_id, { message: 'In my words\n\nand more' })
  expect(await project.git('show', '--no-patch', '--format=%B', 'main')).toBe(
    `In my words\n\nand more\n\nCR: ${cr.cr_id}`,
  )
})

test('a conflict is named, and nothing moves', async () => {
  const cr = await project.propose('conflict', { 'same.txt': 'head\n' })
  await project.commit('main', { 'same.txt': 'main\n' })
  const before = await project.tip('main')
  await expect(merge(cr.cr_id)).rejects.toMatchObject({
    code: 'MERGE_CONFLICT',
    message: expect.stringMatching(
      /^CONFLICT .* in same\.txt; merge main into conflict, resolve it and push$/,
    ),
    details: { conflicts: ['same.txt'] },
  })
  expect(await getMergePreview(ctx, { project_id, cr: cr.cr_id })).toMatchObject({
    can_merge: false,
    can_fast_forward: false,
    conflicts: ['same.txt'],
    ahead: 1,
    behind: 1,
    manifest: { valid: true, issues: [], blocks: false },
  })
  expect(await project.tip('main')).toBe(before)
})

test('an invalid manifest on the head blocks the merge', async () => {
  const cr = await project.propose('manifest', { 'svc.yaml': 'svc_version: 2\nchannels: []\n' })
  const before = await project.tip('main')
  await expect(merge(cr.cr_id)).rejects.toMatchObject({
    code: 'MANIFEST_INVALID',
    details: { issues: expect.arrayContaining([expect.objectContaining({ path: 'channels' })]) },
  })
  expect(await getMergePreview(ctx, { project_id, cr: cr.cr_id })).toMatchObject({
    can_merge: true,
    manifest: { valid: false, blocks: true },
  })
  expect(await project.tip('main')).toBe(before)
})

describe('where the base has an invalid manifest already', () => {
  const manifest = (...triggers: string[]) => ({
    'svc.yaml': `svc_version: 2\ndefault_agent: a\nagents: { a: {} }\ntriggers:\n${triggers.join('')}`,
  })
  const tick = (slug: string, cron = '0 0 0 * * *') =>
    `  - { slug: ${slug}, type: cron, prompt: x, cron: '${cron}' }\n`
  const broken = tick('broken', 'never')
  const verdict = async (cr_id: string) => (await getMergePreview(ctx, { project_id, cr: cr_id })).manifest
  beforeAll(async () => {
    await project.commit('main', manifest(tick('first'), broken), 'Break the manifest')
  })
  // A file of its own each: the branches of this file are merged one after another.
  const propose = (head: string, files = {}) => project.propose(head, { [`${head}.txt`]: head, ...files })

  test('a change that leaves it as it is merges', async () => {
    const cr = await propose('untouched')
    expect(await verdict(cr.cr_id)).toMatchObject({ valid: false, blocks: false })
    expect((await merge(cr.cr_id)).change_request.status).toBe('merged')
  })

  test('one that moves the invalid entry merges, with the manifest as it is then', async () => {
    const cr = await propose('moved', manifest(broken))
    expect(await verdict(cr.cr_id)).toMatchObject({ valid: false, blocks: false })
    expect((await merge(cr.cr_id)).change_request.status).toBe('merged')
  })

  test('one that adds an error is refused with that error alone', async () => {
    const cr = await propose('worse', manifest(broken, tick('other', 'sometimes')))
    expect(await verdict(cr.cr_id)).toMatchObject({ valid: false, blocks: true })
    await expect(merge(cr.cr_id)).rejects.toMatchObject({
      code: 'MANIFEST_INVALID',
      message: 'The manifest on the head branch has errors that main has not: correct them',
      details: { issues: [{ path: 'triggers[1].cron' }] },
    })
  })

  test('one that repairs it merges, and from then on every error counts again', async () => {
    const late = await propose('late', manifest(broken))
    const repair = await propose('repair', manifest(tick('first')))
    expect(await verdict(repair.cr_id)).toMatchObject({ valid: true, blocks: false })
    expect((await merge(repair.cr_id)).change_request.status).toBe('merged')
    await expect(merge(late.cr_id)).rejects.toMatchObject({ code: 'MANIFEST_INVALID' })
  })
})

test('invariant 2: expected SHAs that are no longer true refuse it', async () => {
  const cr = await project.propose('stale')
  const old = await project.tip('stale')
  const head = await project.commit('stale', { 'more.txt': 'more\n' })
  await expect(merge(cr.cr_id, { expected_head_sha: old })).rejects.toMatchObject({
    code: 'CR_STALE_HEAD',
    details: { actual_sha: head },
  })
  await expect(merge(cr.cr_id, { expected_base_sha: old })).rejects.toMatchObject({ code: 'CR_STALE_BASE' })
  const expected = { expected_head_sha: head, expected_base_sha: await project.tip('main') }
  expect((await merge(cr.cr_id, expected)).change_request.status).toBe('merged')
})

test('unrelated histories do not merge', async () => {
  const cr = await project.propose('unrelated')
  await project.commit('unrelated', { 'x.txt': 'x\n' }, 'Elsewhere', { orphan: true })
  await expect(merge(cr.cr_id)).rejects.toMatchObject({ code: 'CR_UNRELATED_HISTORIES' })
  expect(await getMergePreview(ctx, { project_id, cr: cr.cr_id })).toMatchObject({
    merge_base: null,
    can_merge: false,
  })
})

test('a head that the base already contains stays open', async () => {
  const cr = await project.propose('contained')
  await project.git('update-ref', 'refs/heads/main', await project.tip('contained'))
  await expect(merge(cr.cr_id)).rejects.toMatchObject({ code: 'CR_HEAD_NOT_AHEAD' })
  expect(await getMergePreview(ctx, { project_id, cr: cr.cr_id })).toMatchObject({
    is_up_to_date: true,
    can_merge: false,
  })
})

test('branches that are gone', async () => {
  const cr = await project.propose('gone', undefined)
  await project.git('update-ref', '-d', 'refs/heads/gone')
  await expect(merge(cr.cr_id)).rejects.toMatchObject({ code: 'CR_HEAD_NOT_AHEAD' })
  await expect(getMergePreview(ctx, { project_id, cr: cr.cr_id })).rejects.toMatchObject({
    code: 'CR_HEAD_NOT_AHEAD',
  })
  await expect(getChangeRequestDiff(ctx, { project_id, cr: cr.cr_id })).rejects.toMatchObject({
    code: 'CR_HEAD_NOT_AHEAD',
  })
  await project.commit('base-gone', {}, 'Base', { from: 'main' })
  const other = await project.propose('other', undefined, { base_ref: 'base-gone' })
  await project.git('update-ref', '-d', 'refs/heads/base-gone')
  await expect(merge(other.cr_id)).rejects.toMatchObject({ code: 'CR_REF_NOT_FOUND' })
})

test('a session does not merge its own change request without a grant that names the merge', async () => {
  const created = await createSession(ctx, { project_id, respond_async: false, body: {} })
  if (created.kind !== 'created') throw new Error('queued')
  const { session } = created
  const cr = await project.propose('own', undefined, { session_id: session.session_id })
  const grant = ['project.read', 'project.gitops.push', 'project.gitops.merge'] as const
  const by = (principal: ReturnType<typeof agentPrincipal>) =>
    mergeChangeRequest(world.as(principal), { project_id, cr: cr.cr_id })
  await expect(by(agentPrincipal(session, grant))).rejects.toMatchObject({ code: 'CR_SELF_MERGE_REFUSED' })
  await expect(by(agentPrincipal(session, ['project.read']))).rejects.toMatchObject({
    code: 'CR_SELF_MERGE_REFUSED',
  })
  const another = { ...session, session_id: randomUUID() }
  await expect(by(agentPrincipal(another, ['project.read']))).rejects.toMatchObject({
    code: 'forbidden',
    details: { action: 'project.gitops.merge' },
  })
  await world.db
    .updateTable('project_sessions')
    .set({ merge_granted: true })
    .where('session_id', '=', session.session_id)
    .execute()
  expect((await by(agentPrincipal(session, grant, true))).change_request.merged_by).toBe(
    project.owner.user_id,
  )
})

test('merging needs the role for it, and an open change request', async () => {
  const cr = await project.propose('roles')
  const by = async (role: 'member' | 'viewer' | 'editor') => {
    const { principal } = await addMember(world, project, role)
    return mergeChangeRequest(world.as(principal), { project_id, cr: cr.cr_id })
  }
  await expect(by('member')).rejects.toMatchObject({
    code: 'forbidden',
    details: { action: 'project.gitops.merge' },
  })
  await expect(by('viewer')).rejects.toMatchObject({ code: 'forbidden' })
  expect((await by('editor')).change_request.status).toBe('merged')
  await expect(merge(cr.cr_id)).rejects.toMatchObject({ code: 'CR_NOT_OPEN' })
})

test('a merge that takes too long answers request_deadline, and is done all the same', async () => {
  const cr = await project.propose('slow')
  world.queue.live = false
  const signal = AbortSignal.abort()
  await expect(
    mergeChangeRequest(world.as(project.owner.principal, { signal }), { project_id, cr: cr.cr_id }),
  ).rejects.toMatchObject({ code: 'request_deadline', details: { retry_after: 5 } })
  await world.queue.drain()
  world.queue.live = true
  await expect(merge(cr.cr_id)).rejects.toMatchObject({ code: 'CR_NOT_OPEN' })
})

test('a merged diff is of what was merged, whatever the branches do later', async () => {
  const cr = await project.propose('frozen', { 'frozen.txt': 'one\ntwo\n' })
  await merge(cr.cr_id)
  await project.commit('frozen', { 'later.txt': 'later\n' })
  await project.git('update-ref', '-d', 'refs/heads/frozen')
  const diff = await getChangeRequestDiff(ctx, { project_id, cr: cr.cr_id })
  expect(diff.files).toEqual([
    { path: 'frozen.txt', old_path: null, status: 'added', additions: 2, deletions: 0, binary: false },
  ])
  expect(diff).toMatchObject({ files_changed: 1, additions: 2, deletions: 0, patch_truncated: false })
  expect(diff.patch).toContain('+one\n+two\n')
})
