import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import {
  closeChangeRequest,
  createChangeRequest,
  createSession,
  getChangeRequest,
  getChangeRequestDiff,
  listChangeRequests,
  mergeChangeRequest,
  reopenChangeRequest,
  requestChanges,
  updateChangeRequest,
} from '../../src/index.ts'
import { addMember, addOwner, agentPrincipal } from '../../src/testing/people.ts'
import { makeProject } from '../../src/testing/projects.ts'
import { endOf } from '../support/replica.ts'
import { openWorld } from '../../src/testing/world.ts'

const world = await openWorld()
world.queue.live = true
const project = await makeProject(world)
const { project_id, ctx } = project
const create = (head_ref: string, base_ref?: string) =>
  createChangeRequest(ctx, { project_id, title: 'T', head_ref, base_ref })

test('create captures the tips and drops refs/heads/', async () => {
  const head = await project.commit('fresh', { 'f.txt': 'f\n' }, 'F', { from: 'main' })
  const cr = await createChangeRequest(ctx, {
    project_id,
    title: 'A title',
    head_ref: 'refs/heads/fresh',
    session_id: randomUUID(),
  })
  expect(cr).toMatchObject({
    title: 'A title',
    description: '',
    head_ref: 'fresh',
    base_ref: 'main',
    status: 'open',
    head_commit_sha: head,
    base_commit_sha: await project.tip('main'),
    origin_session_id: null,
    created_by: project.owner.user_id,
    metadata: {},
  })
  await expect(create('fresh')).rejects.toMatchObject({
    code: 'CR_ALREADY_OPEN',
    details: { cr_id: cr.cr_id, number: cr.number },
  })
})

test.each([
  ['the same branch', 'main', undefined, 'CR_SAME_REF'],
  ['the same branch, spelled out', 'refs/heads/main', 'main', 'CR_SAME_REF'],
  ['nothing ahead', 'level', undefined, 'CR_HEAD_NOT_AHEAD'],
  ['a branch that was never pushed', 'never', undefined, 'CR_HEAD_NOT_AHEAD'],
  ['a head that is no branch name', 'a..b', undefined, 'CR_HEAD_NOT_AHEAD'],
  ['a base that is not there', 'ahead', 'nowhere', 'CR_REF_NOT_FOUND'],
  ['a base that is no branch name', 'ahead', '--upload-pack=x', 'CR_REF_NOT_FOUND'],
] as const)('%s is refused', async (_what, head_ref, base_ref, code) => {
  await project.git('update-ref', 'refs/heads/level', await project.tip('main'))
  await project.commit('ahead', { 'ahead.txt': `${Math.random()}` }, 'A', { from: 'main' })
  await expect(create(head_ref, base_ref)).rejects.toMatchObject({ code })
})

test('a SHA is not a branch', async () => {
  const sha = await project.commit('sha', { 'sha.txt': '\n' }, 'S', { from: 'main' })
  await expect(create(sha)).rejects.toMatchObject({ code: 'CR_HEAD_NOT_AHEAD' })
})

test('a session is the origin of what it opens', async () => {
  const created = await createSession(ctx, { project_id, respond_async: false, body: {} })
  if (created.kind !== 'created') throw new Error('queued')
  const { session } = created
  await project.commit(session.session_id, { 's.txt': 's\n' })
  const agent = world.as(agentPrincipal(session, ['project.read', 'project.gitops.push']))
  const cr = await createChangeRequest(agent, { project_id, title: 'Mine', head_ref: session.session_id })
  expect(cr).toMatchObject({ origin_session_id: session.session_id, created_by: session.created_by })
  const mine = { project_id, status: 'all' as const, origin_session_id: session.session_id, limit: 5 }
  expect((await listChangeRequests(ctx, mine)).change_requests.map((each) => each.cr_id)).toEqual([cr.cr_id])
})

test('invariant 3: numbers rise by one, however many come at once, and are never used again', async () => {
  const own = await makeProject(world, project.owner)
  const heads = Array.from({ length: 20 }, (_, index) => `head-${index}`)
  const first = await own.commit('head-0', { 'h.txt': 'h\n' }, 'H', { from: 'main' })
  for (const head of heads.slice(1)) await own.git('update-ref', `refs/heads/${head}`, first)
  const open = (head_ref: string) =>
    createChangeRequest(own.ctx, { project_id: own.project_id, title: head_ref, head_ref })
  const crs = await Promise.all(heads.map(open))
  expect(crs.map((cr) => cr.number).sort((a, b) => a - b)).toEqual(heads.map((_, index) => index + 1))
  await expect(open('head-0')).rejects.toMatchObject({ code: 'CR_ALREADY_OPEN' })
  for (const cr of crs.slice(0, 2))
    await closeChangeRequest(own.ctx, { project_id: own.project_id, cr: cr.cr_id })
  expect((await open(crs[0]?.head_ref ?? '')).number).toBe(21)
  const pages = []
  let cursor: string | undefined
  do {
    const page = await listChangeRequests(own.ctx, {
      project_id: own.project_id,
      status: 'all',
      limit: 6,
      cursor,
    })
    pages.push(page.change_requests.map((cr) => cr.number))
    cursor = page.next_cursor
  } while (cursor !== undefined)
  expect(pages.map((page) => page.length)).toEqual([6, 6, 6, 3])
  expect(pages.flat()).toEqual(Array.from({ length: 21 }, (_, index) => 21 - index))
  const closed = await listChangeRequests(own.ctx, {
    project_id: own.project_id,
    status: 'closed',
    limit: 50,
  })
  expect(closed.change_requests).toHaveLength(2)
  await expect(
    listChangeRequests(own.ctx, { project_id: own.project_id, status: 'all', limit: 6, cursor: 'made-up' }),
  ).rejects.toMatchObject({ code: 'invalid_request' })
})

test('the same pair opened twice at once is opened once', async () => {
  await project.commit('pair', { 'pair.txt': '\n' }, 'P', { from: 'main' })
  const ends = await Promise.all(Array.from({ length: 6 }, () => endOf(create('pair'))))
  expect(ends.filter((end) => end === 'done')).toHaveLength(1)
  expect(new Set(ends)).toEqual(new Set(['done', 'CR_ALREADY_OPEN']))
})

test('every read of open rows shows the live tips, by one look at the repository', async () => {
  const own = await makeProject(world, project.owner)
  const crs = [await own.propose('one'), await own.propose('two'), await own.propose('three')]
  const key = { project_id: own.project_id }
  await closeChangeRequest(own.ctx, { ...key, cr: '3' })
  world.clock.advance(1000)
  const head = await own.commit('one', { 'more.txt': 'more\n' })
  const base = await own.commit('main', { 'main.txt': 'main\n' })
  await own.git('update-ref', '-d', 'refs/heads/two')

  let opened = 0
  let commands = 0
  const repositories = new Proxy(world.base.repositories, {
    get: (target, name) =>
      name === 'open'
        ? async (...args: Parameters<typeof target.open>) => {
            opened += 1
            const repository = await target.open(...args)
            const runner = new Proxy(repository.runner, {
              get: (inner, method) => {
                if (method === 'run') commands += 1
                const value: unknown = Reflect.get(inner, method)
                return typeof value === 'function' ? value.bind(inner) : value
              },
            })
            return { ...repository, runner }
          }
        : undefined,
  })
  const reader = world.as(project.owner.principal, { repositories })
  const { change_requests } = await listChangeRequests(reader, { ...key, status: 'all', limit: 50 })
  expect({ opened, commands }).toEqual({ opened: 1, commands: 1 })
  expect(change_requests).toMatchObject([
    { number: 3, status: 'closed', head_commit_sha: crs[2]?.head_commit_sha },
    { number: 2, head_commit_sha: crs[1]?.head_commit_sha, base_commit_sha: crs[1]?.base_commit_sha },
    { number: 1, head_commit_sha: head, base_commit_sha: base, updated_at: world.clock.now() },
  ])
  world.clock.advance(1000)
  const again = await getChangeRequest(own.ctx, { ...key, cr: '1' })
  expect(again.change_request).toEqual(change_requests[2])
})

test('many readers of many moved rows do not lock each other out, and all see what is live', async () => {
  const own = await makeProject(world, project.owner)
  for (let index = 0; index < 8; index += 1) await own.propose(`many-${index}`)
  const base = await own.commit('main', { 'main.txt': 'main\n' })
  const pages = await Promise.all(
    Array.from({ length: 12 }, () =>
      listChangeRequests(own.ctx, { project_id: own.project_id, status: 'open', limit: 50 }),
    ),
  )
  const seen = pages.flatMap((page) => page.change_requests.map((cr) => cr.base_commit_sha))
  expect(seen).toHaveLength(96)
  expect(new Set(seen)).toEqual(new Set([base]))
})

test('a repository that cannot be reached is served as it is stored', async () => {
  const own = await makeProject(world, project.owner)
  const cr = await own.propose('stored')
  await world.base.repositories.removeManaged(own.project_id)
  expect(await getChangeRequest(own.ctx, { project_id: own.project_id, cr: '1' })).toMatchObject({
    change_request: cr,
  })
})

test('close, reopen and edit follow the status', async () => {
  const cr = await project.propose('life')
  const key = { project_id, cr: cr.cr_id }
  expect(await updateChangeRequest(ctx, { ...key, title: 'New', description: '' })).toMatchObject({
    title: 'New',
  })
  await expect(reopenChangeRequest(ctx, key)).rejects.toMatchObject({ code: 'CR_NOT_CLOSED' })
  world.clock.advance(5000)
  expect(await closeChangeRequest(ctx, key)).toMatchObject({
    status: 'closed',
    closed_at: world.clock.now(),
    closed_by: project.owner.user_id,
  })
  await expect(closeChangeRequest(ctx, key)).rejects.toMatchObject({ code: 'CR_NOT_OPEN' })
  await expect(updateChangeRequest(ctx, { ...key, title: 'Late' })).rejects.toMatchObject({
    code: 'CR_NOT_OPEN',
  })
  await expect(mergeChangeRequest(ctx, key)).rejects.toMatchObject({ code: 'CR_NOT_OPEN' })
  await expect(requestChanges(ctx, { ...key, feedback: 'x' })).rejects.toMatchObject({ code: 'CR_NOT_OPEN' })

  const head = await project.commit('life', { 'life-2.txt': '\n' })
  const second = await create('life')
  await expect(reopenChangeRequest(ctx, key)).rejects.toMatchObject({
    code: 'CR_ALREADY_OPEN',
    details: { cr_id: second.cr_id },
  })
  await closeChangeRequest(ctx, { project_id, cr: second.cr_id })
  const races = await Promise.all(
    [cr, second].map((each) => endOf(reopenChangeRequest(ctx, { project_id, cr: each.cr_id }))),
  )
  expect(races.sort()).toEqual(['CR_ALREADY_OPEN', 'done'])
  const open = (await listChangeRequests(ctx, { project_id, status: 'open', limit: 200 })).change_requests
  expect(open.filter((each) => each.head_ref === 'life')).toMatchObject([
    { head_commit_sha: head, closed_at: null, closed_by: null },
  ])
})

test('a closed change request whose head is gone or merged is not reopened', async () => {
  const cr = await project.propose('away')
  const key = { project_id, cr: cr.cr_id }
  await closeChangeRequest(ctx, key)
  await project.git('update-ref', 'refs/heads/away', await project.tip('main'))
  await expect(reopenChangeRequest(ctx, key)).rejects.toMatchObject({ code: 'CR_HEAD_NOT_AHEAD' })
  await project.git('update-ref', '-d', 'refs/heads/away')
  await expect(reopenChangeRequest(ctx, key)).rejects.toMatchObject({ code: 'CR_HEAD_NOT_AHEAD' })
})

test('invariant 3: merged is the end', async () => {
  const cr = await project.propose('end')
  const key = { project_id, cr: cr.cr_id }
  await mergeChangeRequest(ctx, key)
  await expect(closeChangeRequest(ctx, key)).rejects.toMatchObject({ code: 'CR_NOT_OPEN' })
  await expect(reopenChangeRequest(ctx, key)).rejects.toMatchObject({ code: 'CR_NOT_CLOSED' })
  await expect(updateChangeRequest(ctx, { ...key, title: 'x' })).rejects.toMatchObject({
    code: 'CR_NOT_OPEN',
  })
  await expect(
    world.db.updateTable('change_requests').set({ title: 'x' }).where('cr_id', '=', cr.cr_id).execute(),
  ).rejects.toThrow(/never changes/)
})

test('the diff of an open one is what the head adds since the branches parted', async () => {
  const cr = await project.propose('diff', { 'diff.txt': 'one\n', 'dir/b.bin': new Uint8Array([0, 1, 2]) })
  await project.commit('main', { 'unseen.txt': 'unseen\n' })
  const diff = await getChangeRequestDiff(ctx, { project_id, cr: cr.cr_id })
  expect(diff.files.map((file) => [file.path, file.status, file.additions, file.binary])).toEqual([
    ['diff.txt', 'added', 1, false],
    ['dir/b.bin', 'added', 0, true],
  ])
  expect(diff).toMatchObject({
    cr_id: cr.cr_id,
    base_sha: await project.tip('main'),
    head_sha: await project.tip('diff'),
  })
  const one = await getChangeRequestDiff(ctx, { project_id, cr: cr.cr_id, path: 'dir/b.bin' })
  expect(one.files.map((file) => file.path)).toEqual(['dir/b.bin'])
})

test('who may do what', async () => {
  const cr = await project.propose('roles')
  const key = { project_id, cr: cr.cr_id }
  const viewer = world.as((await addMember(world, project, 'viewer')).principal)
  const stranger = world.as((await addOwner(world)).principal)
  expect((await getChangeRequest(viewer, key)).change_request.cr_id).toBe(cr.cr_id)
  await expect(closeChangeRequest(viewer, key)).rejects.toMatchObject({ code: 'forbidden' })
  await expect(requestChanges(viewer, { ...key, feedback: 'x' })).rejects.toMatchObject({ code: 'forbidden' })
  await expect(getChangeRequest(stranger, key)).rejects.toMatchObject({ code: 'not_found' })
  const other = await makeProject(world, project.owner)
  await expect(getChangeRequest(ctx, { ...key, project_id: other.project_id })).rejects.toMatchObject({
    code: 'not_found',
  })
  await expect(getChangeRequest(ctx, { project_id, cr: '9999' })).rejects.toMatchObject({ code: 'not_found' })
})
