import { appPlatform } from '@svc/db'
import { SandboxError } from '@svc/sandbox'
import { beforeAll, expect, test } from 'vitest'
import { listApps, releaseApp } from '../src/index.ts'
import { openStage, rules, type Stage } from '../src/testing/index.ts'
import { reconcileApps, runRelease } from '../src/work.ts'

let stage: Stage
beforeAll(async () => {
  stage = await openStage({ running: true })
  const provider = { name: 'local', processes: true, images: true }
  await appPlatform.publish(stage.world.db, { ...rules, provider }, stage.world.clock.now())
  return () => stage.programs.close()
})

const image = '{ type: dockerfile, command: [x], port: 3000 }'

test('an account has two builds at a time, of Dockerfiles as well and however many workers ask', async () => {
  const project = await stage.project({
    'svc.yaml': `svc_version: 2\napps:\n${['a', 'b', 'c', 'd'].map((name) => `  ${name}: ${image}\n`).join('')}`,
    Dockerfile: 'FROM scratch\n',
  })
  const { ctx, project_id } = project
  await reconcileApps(stage.worker(), { project_id })
  const releases = await stage.world.db
    .selectFrom('app_releases')
    .select('release_id')
    .where('project_id', '=', project_id)
    .execute()
  expect(releases).toHaveLength(4)

  let [running, most] = [0, 0]
  let letEnd: () => void = () => undefined
  const held = new Promise<void>((resolve) => (letEnd = resolve))
  const build = async () => {
    most = Math.max(most, (running += 1))
    await held
    running -= 1
    throw new SandboxError('image', 'Tried enough')
  }
  const programs = { ...stage.programs, build, runs: { ...stage.programs.runs, images: true } }
  let left = 0
  const asked = releases.map((one) => runRelease(stage.worker({ programs }), one).finally(() => (left += 1)))
  // The others find no room, and wait for their next turn.
  await expect.poll(() => [running, left]).toEqual([2, 2])
  letEnd()
  await Promise.all(asked)
  const states = async () =>
    (await listApps(ctx, { project_id })).apps.map(({ latest_release }) => latest_release?.status)
  expect((await states()).toSorted()).toEqual(['failed', 'failed', 'queued', 'queued'])
  await Promise.all(releases.map((one) => runRelease(stage.worker({ programs }), one)))
  expect([most, new Set(await states())]).toEqual([2, new Set(['failed'])])
  expect((await releaseApp(ctx, { project_id, app: 'a' })).release.status).toBe('queued')
})
