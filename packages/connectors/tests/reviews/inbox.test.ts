import { actOnInbox, countInbox, getInbox, markInboxItem } from '@svc/services'
import { addMember, agentPrincipal, makeProject, openWorld, runningSession } from '@svc/services/testing'
import { expect, test } from 'vitest'
import {
  actOnReview,
  callApproval,
  callConnector,
  getReview,
  resubmitReview,
  reviewApproval,
  submitReview,
} from '../../src/index.ts'
import { openExecutor, openPlace, startService } from '../support/place.ts'
import { plain } from './support.ts'

const world = await openWorld({ session_cap: 500 })
Object.assign(world.base, { inbox_approvals: { review: reviewApproval } })

async function place() {
  const project = await makeProject(world)
  const { project_id } = project
  const session = await runningSession(world, project)
  const agent = world.as(
    agentPrincipal({ ...session, project_id }, ['project.review.submit', 'project.review.act']),
  )
  const submit = (more: Partial<Parameters<typeof submitReview>[1]> = {}) =>
    submitReview(agent, { ...plain, summary: '# Shorter\n\nAnd better.', project_id, ...more })
  return { project, project_id, session, agent, submit }
}
const reviewsIn = async (ctx: Parameters<typeof getInbox>[0]) =>
  (await getInbox(ctx, { limit: 50, kind: 'review' })).items

test('an item waits for those who may decide, until somebody did', async () => {
  const { project, project_id, session, submit } = await place()
  const item = await submit()
  const [entry, ...more] = await reviewsIn(project.ctx)
  expect(more).toEqual([])
  expect(entry).toMatchObject({
    item_id: `review:${item.review_id}`,
    version: '1',
    kind: 'review',
    project_id,
    session_id: session.session_id,
    title: 'The start page',
    phrase: 'Shorter',
    risk: 'medium',
    safe: false,
    verdicts: ['dismiss', 'snooze'],
  })
  expect((await countInbox(project.ctx)).by_kind.review).toBe(1)
  const viewer = world.as((await addMember(world, project, 'viewer')).principal)
  expect(await reviewsIn(viewer)).toEqual([])
  await actOnReview(project.ctx, { project_id, review_id: item.review_id, verdict: 'approve', version: 1 })
  expect(await reviewsIn(project.ctx)).toEqual([])
})

test('put aside it is back with its next version', async () => {
  const { project, project_id, agent, submit } = await place()
  const item = await submit()
  const { review_id } = item
  const mark = { item_id: `review:${review_id}`, version: '1', state: 'done' } as const
  await markInboxItem(project.ctx, mark)
  expect(await reviewsIn(project.ctx)).toEqual([])
  expect((await getReview(project.ctx, { project_id, review_id })).status).toBe('needs_you')
  const changes = { verdict: 'request_changes', version: 1, feedback: 'Longer' } as const
  await actOnReview(project.ctx, { project_id, review_id, ...changes })
  await resubmitReview(agent, { project_id, review_id })
  expect(await reviewsIn(project.ctx)).toMatchObject([{ version: '2' }])
})

test('only what is safe is approved with others, by the same verb, each on its own', async () => {
  const { project, project_id, session, submit } = await place()
  const options = [
    { id: 'a', label: 'A' },
    { id: 'b', label: 'B' },
  ]
  const [none, low, high, choice, gone] = [
    await submit({ risk: 'none' }),
    await submit({ risk: 'low' }),
    await submit({ risk: 'high' }),
    await submit({ risk: 'none', kind: 'decision', options }),
    await submit({ risk: 'none' }),
  ]
  const waiting = await reviewsIn(project.ctx)
  expect(
    waiting
      .filter(({ safe }) => safe)
      .map(({ item_id }) => item_id.slice(7))
      .sort(),
  ).toEqual([none, low, gone].map(({ review_id }) => review_id).sort())
  expect(waiting.find(({ safe }) => safe)?.verdicts).toEqual(['approve', 'dismiss', 'snooze'])
  await actOnReview(project.ctx, { project_id, review_id: gone.review_id, verdict: 'reject', version: 1 })
  const approve = ({ review_id }: { review_id: string }, version = '1') =>
    ({ item_id: `review:${review_id}`, version, verdict: 'approve' }) as const
  const { results } = await actOnInbox(project.ctx, {
    items: [approve(none), approve(low, '2'), approve(high), approve(choice), approve(gone)],
  })
  expect(results.map(({ ok, code }) => (ok ? 'ok' : code))).toEqual([
    'ok',
    'REVIEW_STALE',
    'not_safe_in_bulk',
    'not_safe_in_bulk',
    'not_found',
  ])
  const statusOf = async ({ review_id }: { review_id: string }) =>
    (await getReview(project.ctx, { project_id, review_id })).status
  expect(await Promise.all([none, low, high, choice, gone].map(statusOf))).toEqual([
    'approved',
    'needs_you',
    'needs_you',
    'needs_you',
    'rejected',
  ])
  expect((await getInbox(project.ctx, { limit: 50, session_id: session.session_id })).counts.review).toBe(3)
})

test('reads that wait for an approval are approved together, by a sign-in that is fresh, and no writes', async () => {
  const executor = openExecutor(world)
  const service = await startService()
  const policies = "      - { match: '*', action: require_approval }"
  const { agent, person, project, project_id } = await openPlace(world, executor, service, { policies })
  const freeze = async (action: 'get' | 'post', path: string) => {
    const asked = { project_id, connector: 'tracker', action, args: { path }, door: 'executor' } as const
    const outcome = await callConnector(agent, { ...asked, wait_seconds: 0 })
    if (!('digest' in outcome)) throw new Error(JSON.stringify(outcome))
    return {
      ...{ item_id: `approval:${outcome.call_id}`, version: String(outcome.digest) },
      verdict: 'approve' as const,
    }
  }
  const [one, two, stale, write] = [
    await freeze('get', '/1'),
    await freeze('get', '/2'),
    await freeze('get', '/3'),
    await freeze('post', '/4'),
  ]
  const { items } = await getInbox(person, { limit: 50, kind: 'approval' })
  expect(items.filter(({ safe }) => safe)).toHaveLength(3)
  expect((await countInbox(person)).by_kind.approval).toBe(items.length)
  const ends = async (ctx: Parameters<typeof actOnInbox>[0]) => {
    const asked = [one, two, { ...stale, version: write.version }, write]
    return (await actOnInbox(ctx, { items: asked })).results.map(({ ok, code }) => (ok ? 'ok' : code))
  }
  // By a token, as everywhere.
  const key = { ...project.ctx, inbox_approvals: { approval: callApproval(person) } }
  expect(await ends(key)).toEqual([
    'person_required',
    'person_required',
    'person_required',
    'not_safe_in_bulk',
  ])
  expect(await ends({ ...person, inbox_approvals: key.inbox_approvals })).toEqual([
    'ok',
    'ok',
    'APPROVAL_STALE',
    'not_safe_in_bulk',
  ])
})

test('an agent has no inbox', async () => {
  const { agent, submit } = await place()
  const { review_id } = await submit({ risk: 'none' })
  const items = [{ item_id: `review:${review_id}`, version: '1', verdict: 'approve' }] as const
  await expect(actOnInbox(agent, { items })).rejects.toMatchObject({ code: 'forbidden' })
})
