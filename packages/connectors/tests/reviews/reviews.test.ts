import { audit } from '@svc/db'
import { deleteSession, stopSession } from '@svc/services'
import { runningSession } from '@svc/services/testing'
import { describe, expect, test } from 'vitest'
import { actOnReview, getReview, submitReview, withdrawReview } from '../../src/index.ts'
import { openReviews } from './support.ts'

const { world, project, owner, agentOf, output, decision, submitted, keyOf, promptsOf, eventsOf } =
  await openReviews()

describe('submitting', () => {
  test('an item of a session is of that session, and its log says so', async () => {
    const { session, item } = await submitted()
    expect(item).toMatchObject({
      ...output,
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
    const item = await submitReview(ctx, { ...output, files: ['a.txt', 'b/c.txt', 'a.txt'] })
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
      submitReview(agentOf(session), { ...output, files: ['b/c.txt', path] }),
    ).rejects.toMatchObject({
      code: 'not_found',
      details: { path },
    })
  })

  test("a person's own is of no session, with files of the default branch", async () => {
    const item = await submitReview(owner, { ...output, files: ['svc.yaml'] })
    expect(item.session_id).toBeNull()
    expect(item.files).toEqual([{ path: 'svc.yaml', commit_sha: await project.tip('main') }])
  })

  test.each([
    ['an output with options', { ...output, options: decision.options }],
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
    const all = await Promise.allSettled(Array.from({ length: 60 }, () => submitReview(ctx, output)))
    const made = all.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
    expect(made).toHaveLength(50)
    await expect(submitReview(ctx, output)).rejects.toMatchObject({ code: 'conflict' })
    const [first] = made
    if (first) await withdrawReview(ctx, keyOf(first))
    await expect(submitReview(ctx, output)).resolves.toMatchObject({ status: 'needs_you' })
    await expect(submitReview(agentOf(await runningSession(world, project)), output)).resolves.toBeTruthy()
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
    const item = await submitReview(owner, output)
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
