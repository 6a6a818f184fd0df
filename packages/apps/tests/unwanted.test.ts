import { apps, appReleases } from '@svc/db'
import { archiveProject } from '@svc/services'
import type { TestProject } from '@svc/services/testing'
import { beforeAll, expect, test } from 'vitest'
import { bundle, instancesOf, openStage, type Stage, switchApps } from '../src/testing/index.ts'
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

const ends: Record<string, (project: TestProject) => Promise<unknown>> = {
  'its entry goes': async (project) => {
    await project.commit('main', { 'svc.yaml': 'svc_version: 2\n' })
    await reconcileApps(stage.worker(), { project_id: project.project_id })
  },
  'apps are switched off': (project) => switchApps(stage.world, project, false),
  'its project goes': ({ ctx, project_id }) => archiveProject(ctx, { project_id }),
}
const steps = ['build sandbox', 'instance row', 'create', 'ready', 'checking']

test.each(Object.keys(ends).flatMap((end) => steps.map((step) => [end, step] as const)))(
  'when %s at "%s", the release is cancelled, and nothing of it runs',
  async (end, step) => {
    const project = await stage.project(built('one'))
    const { project_id } = project
    const { db, clock } = stage.world
    await stage.settle(project)
    await project.commit('main', built('two'))
    await reconcileApps(stage.worker(), { project_id })
    const app = await apps.find(db, { project_id, name: 'api' })
    const release = app && (await appReleases.findNumber(db, app.app_id, 2))
    const release_id = release?.release_id ?? ''
    let met = false
    const onStep = async (at: string) => {
      if (at !== step || met) return
      met = true
      await ends[end]?.(project)
    }
    // The program that is made beside it is looked after meanwhile.
    await runRelease(stage.worker({ onStep }), { release_id }).catch(() => undefined)
    for (let round = 0; round < 3; round += 1) {
      clock.advance(35_000)
      await lookAfterInstances(stage.worker())
      await runRelease(stage.worker(), { release_id })
    }
    expect(met).toBe(true)
    expect((await appReleases.find(db, release_id))?.status).toBe('cancelled')
    const instances = await instancesOf(db, project_id)
    expect(instances.filter(({ state }) => /starting|healthy|draining/.test(state))).toEqual([])
    await removeStrays(stage.worker(), await removeStrays(stage.worker(), new Set()))
    const left = await stage.programs.list()
    const ids = [release_id, ...instances.map(({ instance_id }) => instance_id)]
    expect(ids.filter((id) => left.includes(`local-${id}`))).toEqual([])
  },
)
