import { catalogue, type EventType, eventTypes } from '@svc/event'
import { beforeAll, expect, test } from 'vitest'
import { releaseApp, stopApp } from '../src/index.ts'
import { manifest, openStage, type Stage } from '../src/testing/index.ts'

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
})

/** Events of apps that other programs are told of, oldest first; each has the shape of the catalogue and nothing more. */
async function eventsOf(project_id: string) {
  const rows = await stage.world.db
    .selectFrom('platform_events')
    .selectAll()
    .where('project_id', '=', project_id)
    .where('type', 'like', 'app.%')
    .orderBy('position')
    .execute()
  return rows.map(({ type, data }) => {
    expect(catalogue[type as EventType].data.strict().parse(data)).toEqual(data)
    return { type, data }
  })
}

test('an address that moves, a release that fails and a stop are told, and no preview', async () => {
  const project = await stage.project()
  await stage.settle(project)
  const { project_id, ctx } = project
  const cr = await project.propose('change', { 'site/index.html': 'Proposed' })
  await releaseApp(ctx, { project_id, app: 'site', cr_id: cr.cr_id })
  await stage.settle(project)
  const broken = await project.commit('main', {
    'svc.yaml': manifest('  site: { type: static, path: nowhere }'),
  })
  await stage.settle(project)
  await stopApp(ctx, { project_id, app: 'site' })
  const events = await eventsOf(project_id)
  expect(events).toEqual([
    {
      type: 'app.switched',
      data: {
        ...{ app: 'site', number: 1, commit_sha: expect.stringMatching(/^[0-9a-f]{40}$/) },
        ...{ url: expect.stringMatching(/^site--project/), failure_category: null },
      },
    },
    {
      type: 'app.release.failed',
      data: expect.objectContaining({
        app: 'site',
        number: 3,
        commit_sha: broken,
        failure_category: 'config',
      }),
    },
    {
      type: 'app.stopped',
      data: expect.objectContaining({ app: 'site', number: 1, failure_category: null }),
    },
  ])
  // A program that ends by itself is told of in instances.test.
  const types = eventTypes.filter((type) => type.startsWith('app.') && type !== 'app.crashed')
  expect(new Set(events.map(({ type }) => type))).toEqual(new Set(types))
})
