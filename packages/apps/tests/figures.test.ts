import { appMinutes } from '@svc/db'
import { addMember } from '@svc/services/testing'
import { beforeAll, expect, test } from 'vitest'
import { listAppMetrics, readAppMetrics } from '../src/index.ts'
import { manifest, openStage, type Stage } from '../src/testing/index.ts'

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
})

const minuteMs = 60_000
const none = { '1xx': 0, '2xx': 0, '3xx': 0, '4xx': 0, '5xx': 0 }

test('the figures of all apps of a project are those of each, and of no other project', async () => {
  const [project, other] = [await stage.project(), await stage.project()]
  const { project_id, ctx } = project
  await project.commit('main', {
    'svc.yaml': manifest('  site: { type: static, path: site }\n  still: { type: static, path: site }'),
  })
  await stage.settle(project)
  await stage.settle(other)
  const { db, clock } = stage.world
  const app_id = async (of: string) =>
    (
      await db
        .selectFrom('apps')
        .select('app_id')
        .where('project_id', '=', of)
        .where('name', '=', 'site')
        .executeTakeFirstOrThrow()
    ).app_id
  const [own, foreign] = [await app_id(project_id), await app_id(other.project_id)]
  const at = (minutes_ago: number) =>
    new Date(Math.floor(clock.now().getTime() / minuteMs) * minuteMs - minutes_ago * minuteMs)
  const minute = (of: string, minutes_ago: number, classes: readonly number[]) => ({
    ...{ app_id: of, minute: at(minutes_ago), classes, latency: [1, 2, 3] },
    ...{ wakes: 1, wake_ms: 20, wake_latency: [0, 0, 1], bytes_out: 300 },
  })
  await appMinutes.add(db, [
    minute(own, 0, [0, 5, 1, 0, 0]),
    minute(own, 1, [0, 2, 0, 1, 4]),
    minute(own, 700, [1, 7, 0, 0, 0]),
    // Before the window of a day.
    minute(own, 1_500, [0, 100, 0, 0, 0]),
    minute(foreign, 3, [0, 50, 0, 0, 0]),
  ])
  for (const window of ['1h', '24h', '14d'] as const) {
    const { metrics } = await readAppMetrics(ctx, { project_id, app: 'site', window })
    const all = await listAppMetrics(ctx, { project_id, window })
    const quiet = metrics.points.map((point) => ({ ...point, requests: 0, errors: 0 }))
    expect(all).toEqual({
      window,
      apps: [
        { app: 'site', requests: metrics.requests, points: metrics.points },
        { app: 'still', requests: none, points: quiet },
      ],
    })
  }
  const { apps } = await listAppMetrics(ctx, { project_id, window: '24h' })
  expect(apps[0]?.requests).toEqual({ '1xx': 1, '2xx': 14, '3xx': 1, '4xx': 1, '5xx': 4 })
  const stranger = stage.world.as((await addMember(stage.world, project, null)).principal)
  await expect(listAppMetrics(stranger, { project_id, window: '24h' })).rejects.toMatchObject({
    code: 'not_found',
  })
})
