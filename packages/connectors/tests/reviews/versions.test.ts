import { randomUUID } from 'node:crypto'
import { addMember, agentPrincipal, makeProject, runningSession } from '@svc/services/testing'
import { describe, expect, test } from 'vitest'
import {
  actOnReview,
  getReview,
  listReviews,
  resubmitReview,
  submitReview,
  withdrawReview,
} from '../../src/index.ts'
import { openReviews } from './support.ts'

const { world, project, project_id, owner, grant, agentOf, output, submitted, keyOf, promptsOf, eventsOf } =
  await openReviews()

describe('the next version', () => {
  test('has new files of the branch, no verdict, and takes a verdict of its own', async () => {
    const session = await runningSession(world, project)
    await project.commit(session.session_id, { 'a.txt': '1\n' })
    const ctx = agentOf(session)
    const item = await submitReview(ctx, { ...output, files: ['a.txt'] })
    await actOnReview(owner, { ...keyOf(item), verdict: 'request_changes', version: 1, feedback: 'Longer' })
    const sha = await project.commit(session.session_id, { 'a.txt': '2\n' })
    const next = await resubmitReview(ctx, { ...keyOf(item), summary: 'Longer.' })
    expect(next).toMatchObject({ status: 'needs_you', version: 2, summary: 'Longer.', title: output.title })
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
    const own = await submitReview(owner, output)
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
    await expect(submitReview(viewer, output)).rejects.toMatchObject({ code: 'forbidden' })
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
    made.push((await submitReview(own.ctx, { ...output, project_id: own.project_id })).review_id)
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
