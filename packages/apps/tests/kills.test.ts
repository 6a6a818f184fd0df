import { apps, appReleases } from '@svc/db'
import { beforeAll, expect, test } from 'vitest'
import { getApp } from '../src/index.ts'
import { bundle, instancesOf, openStage, type Stage, visitFront } from '../src/testing/index.ts'
import { lookAfterInstances, reconcileApps, removeStrays, runRelease } from '../src/work.ts'

let stage: Stage
beforeAll(async () => {
  stage = await openStage({ running: true })
  return () => stage.programs.close()
})

const built = (word: string) => ({
  ...bundle(word),
  'svc.yaml': `svc_version: 2\napps:\n  api: { type: bundle, root: api, build_command: "echo built > built.txt", command: [node, server.js] }\n`,
})

/** A worker that ends at this step, as one that is killed there: what it wrote stays, and nothing of it goes on. */
async function runUntil(step: string, release_id: string): Promise<boolean> {
  const killed = new AbortController()
  const onStep = async (at: string) => {
    if (at !== step) return
    killed.abort(new Error(`Killed at ${step}`))
    throw killed.signal.reason
  }
  await runRelease(stage.worker({ onStep }, killed.signal), { release_id }).catch(() => undefined)
  return killed.signal.aborted
}

const steps = [
  'building',
  'build sandbox',
  'built',
  'artifact',
  'instance row',
  'create',
  'start',
  'ready',
  'checking',
  'inside the switch',
]

test.each(steps)('a worker that is killed at "%s" leaves what the next one ends', async (step) => {
  const project = await stage.project(built('one'))
  const { ctx, project_id } = project
  const { db } = stage.world
  await stage.settle(project)
  await project.commit('main', built('two'))
  await reconcileApps(stage.worker(), { project_id })
  const app = await apps.find(db, { project_id, name: 'api' })
  const release = app && (await appReleases.findNumber(db, app.app_id, 2))
  expect(await runUntil(step, release?.release_id ?? '')).toBe(true)
  const shown = async () => (await getApp(ctx, { project_id, app: 'api' })).app.current_release?.number
  expect(await shown()).toBe(1)

  await stage.settle(project)
  expect(await shown()).toBe(2)
  const live = (await instancesOf(db, project_id)).filter(
    ({ state }) => state === 'healthy' || state === 'starting',
  )
  expect(live).toHaveLength(1)
  expect(await visitFront(live[0])).toBe('two of release 2')
  stage.world.clock.advance(3000)
  await lookAfterInstances(stage.worker())
  const strays = await removeStrays(stage.worker(), new Set())
  await removeStrays(stage.worker(), strays)
  // No sandbox is left without a row.
  expect(await removeStrays(stage.worker(), new Set())).toEqual(new Set())
  const external_ids = new Set(live.map(({ external_id }) => external_id))
  const others = (await instancesOf(db, project_id)).filter(({ state }) => state === 'draining')
  expect(others).toEqual([])
  for (const id of external_ids) expect(await stage.programs.list()).toContain(id)
  expect(await stage.programs.list()).not.toContain(`local-${release?.release_id}`)
})
