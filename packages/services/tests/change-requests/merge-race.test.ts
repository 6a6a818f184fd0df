import { changeRequests, merges } from '@svc/db'
import { expect, test } from 'vitest'
import {
  closeChangeRequest,
  mergeChangeRequest,
  reopenChangeRequest,
  runMergeAttempt,
} from '../../src/index.ts'
import { askForMerge, expectAgreement } from '../support/merges.ts'
import { makeProject } from '../../src/testing/projects.ts'
import { endOf, someoneWaits, startReplica } from '../support/replica.ts'
import { openWorld } from '../../src/testing/world.ts'

const world = await openWorld()

test('twenty merges into one base by four replicas, with closes among them, lose nothing', async () => {
  const project = await makeProject(world)
  const { project_id } = project
  const replicas = await Promise.all([1, 2, 3, 4].map(() => startReplica(world)))
  const crs = []
  for (let index = 0; index < 20; index += 1) crs.push(await project.propose(`work-${index}`))

  const outcomes = await Promise.all(
    crs.map(async (cr, index) => {
      const key = { project_id, cr: cr.cr_id }
      const ctx = world.as(project.owner.principal, replicas[index % 4]?.context)
      const [merging, closing] = await Promise.all([
        endOf(mergeChangeRequest(ctx, key)),
        index % 5 === 0 ? endOf(closeChangeRequest(project.ctx, key)) : null,
      ])
      return { cr, merging, closing }
    }),
  )
  for (const replica of replicas) await replica.settled()

  for (const { cr, merging, closing } of outcomes) {
    const row = await changeRequests.find(world.db, { project_id, cr: cr.cr_id })
    if (closing === null)
      expect({ merging, status: row?.status }).toEqual({ merging: 'done', status: 'merged' })
    else {
      expect([
        ['done', 'CR_NOT_OPEN', 'merged'],
        ['CR_NOT_OPEN', 'done', 'closed'],
      ]).toContainEqual([merging, closing, row?.status])
    }
    await expectAgreement(world, project, cr.cr_id)
  }
})

test('two who merge the same change request get one merge and one refusal', async () => {
  const project = await makeProject(world)
  const { project_id } = project
  const { cr_id } = await project.propose('twice')
  const replicas = await Promise.all([startReplica(world), startReplica(world)])
  const ends = await Promise.all(
    replicas.map(({ context }) =>
      endOf(mergeChangeRequest(world.as(project.owner.principal, context), { project_id, cr: cr_id })),
    ),
  )
  expect(ends.sort()).toEqual(['CR_NOT_OPEN', 'done'])
  await expectAgreement(world, project, cr_id)
})

test('a close that meets a merge between its plan and its end waits for that end', async () => {
  const project = await makeProject(world)
  const { project_id } = project
  const { cr_id, base_ref, base_commit_sha, head_commit_sha } = await project.propose('planned')
  const attempt_id = await askForMerge(world, project, cr_id)
  const closed = await world.db.transaction().execute(async (tx) => {
    await changeRequests.lock(tx, cr_id)
    const closing = closeChangeRequest(project.ctx, { project_id, cr: cr_id })
    closing.catch(() => undefined)
    await someoneWaits(world)
    await merges.insertIntent(tx, {
      intent_id: world.base.newId(),
      attempt_id,
      cr_id,
      base_ref,
      base_sha: base_commit_sha ?? '',
      head_sha: head_commit_sha ?? '',
      commit_sha: head_commit_sha ?? '',
      fast_forward: true,
      created_at: world.clock.now(),
    })
    await project.git('update-ref', `refs/heads/${base_ref}`, head_commit_sha ?? '')
    return { closing }
  })
  await runMergeAttempt(world.worker(), { attempt_id })
  await expect(closed.closing).rejects.toMatchObject({ code: 'CR_NOT_OPEN' })
  expect(await changeRequests.find(world.db, { project_id, cr: cr_id })).toMatchObject({ status: 'merged' })
  await expectAgreement(world, project, cr_id)
})

test('closed while its merge waits: the merge is refused and git untouched', async () => {
  const project = await makeProject(world)
  const { project_id } = project
  const { cr_id } = await project.propose('late')
  const before = await project.tip('main')
  const merging = mergeChangeRequest(project.ctx, { project_id, cr: cr_id })
  merging.catch(() => undefined)
  while (world.queue.waiting.length === 0) await new Promise((resolve) => setImmediate(resolve))
  await closeChangeRequest(project.ctx, { project_id, cr: cr_id })
  await world.queue.drain()
  await expect(merging).rejects.toMatchObject({ code: 'CR_NOT_OPEN' })
  expect(await project.tip('main')).toBe(before)
  await reopenChangeRequest(project.ctx, { project_id, cr: cr_id })
  await expectAgreement(world, project, cr_id)
})
