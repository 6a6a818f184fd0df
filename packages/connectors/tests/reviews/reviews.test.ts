import { randomUUID } from 'node:crypto'
import { audit, sessionEvents, sessionPrompts, type ReviewItemRow } from '@svc/db'
import { deleteSession, stopSession } from '@svc/services'
import {
  addMember,
  agentPrincipal,
  makeProject,
  openWorld,
  runningSession,
  type TestSession,
} from '@svc/services/testing'
import { describe, expect, test } from 'vitest'
import {
  actOnReview,
  getReview,
  listReviews,
  resubmitReview,
  submitReview,
  withdrawReview,
} from '../../src/index.ts'

const world = await openWorld({ session_cap: 500 })
const project = await makeProject(world)
const { project_id, ctx: owner } = project
const grant = ['project.review.submit', 'project.review.read', 'project.review.act'] as const
const agentOf = (session: TestSession) => world.as(agentPrincipal({ ...session, project_id }, grant))
const plain = {
  project_id,
  title: 'The start page',
  summary: 'Shorter.',
  kind: 'output',
  risk: 'medium',
  files: [],
  options: [],
} as const
const decision = {
  ...plain,
  kind: 'decision',
  options: [
    { id: 'now', label: 'Release it now' },
    { id: 'later', label: 'Wait a week' },
  ],
} as const
const submitted = async () => {
  const session = await runningSession(world, project)
  const ctx = agentOf(session)
  return { session, ctx, item: await submitReview(ctx, plain) }
}
const keyOf = ({ review_id }: ReviewItemRow) => ({ project_id, review_id })
const promptsOf = ({ session_id }: TestSession) =>
  sessionPrompts.list(world.db, session_id, { after: 0, limit: 100 })
const eventsOf = async ({ session_id }: TestSession) =>
  (await sessionEvents.listAfter(world.db, session_id, 0, 200))
    .filter(({ type }) => type === 'review')
    .map(({ payload }) => payload)

describe('submitting', () => {
  test('an item of a session is of that session, and its log says so', async () => {
    const { session, item } = await submitted()
    expect(item).toMatchObject({
      ...plain,
      session_id: session.session_id,
      created_by: session.created_by,
      status: 'needs_you',
      version: 1,
      verdict_by: null,
    })
    expect(await eventsOf(session)).toEqual([{ review_id: item.review_id, status: 'needs_you', version: 1 }])
    expect(await getReview(owner, keyOf(item))).toEqual(item)
  })

  test('files are tied to the commit that the branch was at', async () => {
    const session = await runningSession(world, project)
    const sha = await project.commit(session.session_id, { 'a.txt': '1\n', 'b/c.txt': '2\n' })
    const ctx = agentOf(session)
    const item = await submitReview(ctx, { ...plain, files: ['a.txt', 'b/c.txt', 'a.txt'] })
    await project.commit(session.session_id, { 'a.txt': 'other\n' })
    expect((await getReview(ctx, keyOf(item))).files).toEqual([
      { path: 'a.txt', commit_sha: sha },
      { path: 'b/c.txt', commit_sha: sha },
    ])
  })

  test.each(['gone.txt', 'b'])('a path that is no file on the branch is named: %s', async (path) => {
    const session = await runningSession(world, project)
    await project.commit(session.session_id, { 'b/c.txt': '2\n' })
    await expect(
      submitReview(agentOf(session), { ...plain, files: ['b/c.txt', path] }),
    ).rejects.toMatchObject({
      code: 'not_found',
      details: { path },
    })
  })

  test("a person's own is of no session, with files of the default branch", async () => {
    const item = await submitReview(owner, { ...plain, files: ['svc.yaml'] })
    expect(item.session_id).toBeNull()
    expect(item.files).toEqual([{ path: 'svc.yaml', commit_sha: await project.tip('main') }])
  })

  test.each([
    ['an output with options', { ...plain, options: decision.options }],
    ['a decision without', { ...decision, options: [] }],
    ['a decision with one', { ...decision, options: [{ id: 'a', label: 'A' }] }],
    [
      'a decision with one id twice',
      {
        ...decision,
        options: [
          { id: 'a', label: 'A' },
          { id: 'a', label: 'B' },
        ],
      },
    ],
  ])('%s is refused', async (_, input) => {
    await expect(submitReview(owner, input)).rejects.toMatchObject({ code: 'invalid_request' })
  })

  test('50 wait at once of a session, however many come together', async () => {
    const session = await runningSession(world, project)
    const ctx = agentOf(session)
    const all = await Promise.allSettled(Array.from({ length: 60 }, () => submitReview(ctx, plain)))
    const made = all.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
    expect(made).toHaveLength(50)
    await expect(submitReview(ctx, plain)).rejects.toMatchObject({ code: 'conflict' })
    const [first] = made
    if (first) await withdrawReview(ctx, keyOf(first))
    await expect(submitReview(ctx, plain)).resolves.toMatchObject({ status: 'needs_you' })
    await expect(submitReview(agentOf(await runningSession(world, project)), plain)).resolves.toBeTruthy()
  })
})

describe('a verdict', () => {
  test.each([
    ['approve', undefined, 'approved', 'was approved'],
    ['request_changes', 'Keep the claim', 'changes_requested', 'Keep the claim'],
    ['reject', 'No', 'rejected', 'was rejected'],
    ['dismiss', undefined, 'dismissed', 'was dismissed'],
  ] as const)('%s is a prompt of its session, once, with the event and the audit', async (...row) => {
    const [verdict, feedback, status, words] = row
    const { session, item } = await submitted()
    const given = { ...keyOf(item), verdict, version: 1, feedback }
    const decided = await actOnReview(owner, given)
    expect(decided).toMatchObject({ status, feedback: feedback ?? null, verdict_by: project.owner.user_id })
    const [prompt, ...more] = await promptsOf(session)
    expect(more).toEqual([])
    expect(prompt).toMatchObject({ source: 'review', dedupe_key: `review:${item.review_id}:1` })
    expect(prompt?.text).toContain(words)
    expect(prompt?.text).toContain(item.title)
    expect((await eventsOf(session)).at(-1)).toEqual({ review_id: item.review_id, status, version: 1 })
    const [said] = await audit.list(world.db, project.account_id, { limit: 1 })
    expect(said).toMatchObject({ action: 'actOnReviewItem', details: { verdict, version: 1 } })
    await expect(actOnReview(owner, given)).rejects.toMatchObject({
      code: 'REVIEW_NOT_OPEN',
      details: { review_status: status },
    })
    expect(await promptsOf(session)).toHaveLength(1)
  })

  test('of many at once one counts, and the session hears it once', async () => {
    const { session, item } = await submitted()
    const give = (verdict: 'approve' | 'reject') =>
      actOnReview(owner, { ...keyOf(item), verdict, version: 1 })
    const all = await Promise.allSettled(
      [1, 2, 3, 4, 5, 6].map((n) => give(n % 2 === 0 ? 'approve' : 'reject')),
    )
    const [winner, ...others] = all.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
    expect(others).toEqual([])
    const refused = all.flatMap((one) =>
      one.status === 'rejected' ? [(one.reason as { code: string }).code] : [],
    )
    expect(new Set(refused)).toEqual(new Set(['REVIEW_NOT_OPEN']))
    const prompts = await promptsOf(session)
    expect(prompts).toHaveLength(1)
    expect(prompts[0]?.text).toContain(`was ${winner?.status}`)
  })

  test('it wakes a session that sleeps', async () => {
    const { session, item } = await submitted()
    world.queue.live = true
    await stopSession(owner, session.key)
    await world.queue.settled()
    world.queue.live = false
    expect((await session.row()).status).toBe('stopped')
    await actOnReview(owner, { ...keyOf(item), verdict: 'approve', version: 1 })
    expect((await session.row()).status).toBe('provisioning')
    world.queue.drop()
  })

  test('on an item whose session was deleted is kept, and read', async () => {
    const { session, item } = await submitted()
    await deleteSession(owner, session.key)
    const decided = await actOnReview(owner, { ...keyOf(item), verdict: 'approve', version: 1 })
    expect(decided.status).toBe('approved')
  })

  test('on an item of no session is only read', async () => {
    const item = await submitReview(owner, plain)
    await expect(
      actOnReview(owner, { ...keyOf(item), verdict: 'approve', version: 1 }),
    ).resolves.toMatchObject({
      status: 'approved',
    })
  })

  test('on a decision names an option, and no other verdict does', async () => {
    const session = await runningSession(world, project)
    const item = await submitReview(agentOf(session), decision)
    const act = (more: object) =>
      actOnReview(owner, { ...keyOf(item), version: 1, verdict: 'approve', ...more })
    await expect(act({})).rejects.toMatchObject({ code: 'invalid_request' })
    await expect(act({ option: 'never' })).rejects.toMatchObject({ code: 'invalid_request' })
    await expect(act({ verdict: 'reject', option: 'now' })).rejects.toMatchObject({ code: 'invalid_request' })
    expect(await act({ option: 'later' })).toMatchObject({ status: 'approved', option: 'later' })
    expect((await promptsOf(session))[0]?.text).toContain('Chosen: Wait a week (later).')
  })

  test.each([undefined, '', ' \n'])('that requests changes says which: %j', async (feedback) => {
    const { item } = await submitted()
    await expect(
      actOnReview(owner, { ...keyOf(item), verdict: 'request_changes', version: 1, feedback }),
    ).rejects.toMatchObject({ code: 'invalid_request', details: { issues: [{ path: 'feedback' }] } })
  })
})

describe('the next version', () => {
  test('has new files of the branch, no verdict, and takes a verdict of its own', async () => {
    const session = await runningSession(world, project)
    await project.commit(session.session_id, { 'a.txt': '1\n' })
    const ctx = agentOf(session)
    const item = await submitReview(ctx, { ...plain, files: ['a.txt'] })
    await actOnReview(owner, { ...keyOf(item), verdict: 'request_changes', version: 1, feedback: 'Longer' })
    const sha = await project.commit(session.session_id, { 'a.txt': '2\n' })
    const next = await resubmitReview(ctx, { ...keyOf(item), summary: 'Longer.' })
    expect(next).toMatchObject({ status: 'needs_you', version: 2, summary: 'Longer.', title: plain.title })
    expect(next).toMatchObject({ verdict_by: null, feedback: null, decided_at: null })
    expect(next.files).toEqual([{ path: 'a.txt', commit_sha: sha }])
    await expect(
      actOnReview(owner, { ...keyOf(item), verdict: 'approve', version: 1 }),
    ).rejects.toMatchObject({
      code: 'REVIEW_STALE',
      details: { version: 2 },
    })
    await actOnReview(owner, { ...keyOf(item), verdict: 'approve', version: 2 })
    expect((await promptsOf(session)).map(({ dedupe_key }) => dedupe_key)).toEqual([
      `review:${item.review_id}:1`,
      `review:${item.review_id}:2`,
    ])
    expect((await eventsOf(session)).map((payload) => payload['status'])).toEqual([
      'needs_you',
      'changes_requested',
      'needs_you',
      'approved',
    ])
  })

  test('comes only where changes were requested', async () => {
    const { ctx, item } = await submitted()
    await expect(resubmitReview(ctx, keyOf(item))).rejects.toMatchObject({ code: 'REVIEW_NOT_OPEN' })
  })
})

describe('who may', () => {
  test('an agent decides on nothing that its own tree has shown, and on what another has', async () => {
    const { session, ctx, item } = await submitted()
    const act = { ...keyOf(item), verdict: 'approve', version: 1 } as const
    await expect(actOnReview(ctx, act)).rejects.toMatchObject({ code: 'REVIEW_SELF_ACT_REFUSED' })
    const child = agentPrincipal(
      { project_id, session_id: randomUUID(), created_by: session.created_by },
      grant,
    )
    const ofTree = world.as({ ...child, tree_id: session.session_id })
    await expect(actOnReview(ofTree, act)).rejects.toMatchObject({ code: 'REVIEW_SELF_ACT_REFUSED' })
    const other = agentOf(await runningSession(world, project))
    await expect(actOnReview(other, act)).resolves.toMatchObject({ status: 'approved' })
  })

  test('only its submitter resubmits or withdraws', async () => {
    const { item } = await submitted()
    const other = agentOf(await runningSession(world, project))
    for (const ctx of [owner, other])
      await expect(withdrawReview(ctx, keyOf(item))).rejects.toMatchObject({ code: 'forbidden' })
    const own = await submitReview(owner, plain)
    await expect(withdrawReview(other, keyOf(own))).rejects.toMatchObject({ code: 'forbidden' })
    const editor = world.as((await addMember(world, project, 'editor')).principal)
    await expect(withdrawReview(editor, keyOf(own))).rejects.toMatchObject({ code: 'forbidden' })
    await expect(withdrawReview(owner, keyOf(own))).resolves.toMatchObject({ status: 'withdrawn' })
    await expect(withdrawReview(owner, keyOf(own))).rejects.toMatchObject({ code: 'REVIEW_NOT_OPEN' })
  })

  test('a viewer reads, another account sees nothing', async () => {
    const { item } = await submitted()
    const viewer = world.as((await addMember(world, project, 'viewer')).principal)
    expect((await getReview(viewer, keyOf(item))).review_id).toBe(item.review_id)
    await expect(submitReview(viewer, plain)).rejects.toMatchObject({ code: 'forbidden' })
    await expect(
      actOnReview(viewer, { ...keyOf(item), verdict: 'approve', version: 1 }),
    ).rejects.toMatchObject({ code: 'forbidden' })
    const stranger = await makeProject(world)
    await expect(getReview(stranger.ctx, keyOf(item))).rejects.toMatchObject({ code: 'not_found' })
    await expect(
      getReview(stranger.ctx, { project_id: stranger.project_id, review_id: item.review_id }),
    ).rejects.toMatchObject({ code: 'not_found' })
  })
})

test('a list is the newest first, by pages, status and session', async () => {
  const own = await makeProject(world)
  const made: string[] = []
  for (let n = 0; n < 5; n++) {
    world.clock.advance(n % 2 === 0 ? 1000 : 0)
    made.push((await submitReview(own.ctx, { ...plain, project_id: own.project_id })).review_id)
  }
  const seen: string[] = []
  let cursor: string | undefined
  do {
    const page = await listReviews(own.ctx, { project_id: own.project_id, status: 'all', limit: 2, cursor })
    seen.push(...page.items.map(({ review_id }) => review_id))
    cursor = page.next_cursor
  } while (cursor !== undefined)
  expect(seen.toSorted()).toEqual(made.toSorted())
  const times = (await listReviews(own.ctx, { project_id: own.project_id, status: 'all', limit: 9 })).items
  expect(times.map((one) => one.created_at.getTime())).toEqual(
    times.map((one) => one.created_at.getTime()).toSorted((a, b) => b - a),
  )
  await withdrawReview(own.ctx, { project_id: own.project_id, review_id: made[0] ?? '' })
  const open = await listReviews(own.ctx, { project_id: own.project_id, status: 'needs_you', limit: 9 })
  expect(open.items).toHaveLength(4)
  const none = { project_id: own.project_id, status: 'all', session_id: randomUUID(), limit: 9 } as const
  expect((await listReviews(own.ctx, none)).items).toEqual([])
})
