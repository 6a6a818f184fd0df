import type { Principal } from '@svc/access'
import type { AppPlatform } from '@svc/app'
import { appPlatform, features } from '@svc/db'
import { makeProject, openWorld, type TestProject, type World } from '@svc/services/testing'
import { z } from 'zod'
import type { AppRuntime, Running, Working } from '../context.ts'
import { followPreviews, reconcileApps, runRelease, runRollout, sweepApps } from '../work.ts'
import { type LocalPrograms, localPrograms } from './local-programs.ts'

export const apps_url = 'http://apps.example.test:7703'

export interface Stage {
  readonly world: World
  readonly programs: LocalPrograms
  /** The context of an app-worker. */
  worker(more?: Partial<AppRuntime>, signal?: AbortSignal): Running
  /** A project whose apps are switched on, with these files on its default branch. */
  project(files?: Readonly<Record<string, string>>): Promise<TestProject>
  /** Runs what rows owe until nothing is owed. */
  settle(project: TestProject): Promise<void>
}

export const manifest = (apps: string) => `svc_version: 2\napps:\n${apps}\n`
export const site = {
  'svc.yaml': manifest('  site: { type: static, path: site }'),
  'site/index.html': '<h1>One</h1>',
}

export const rules: AppPlatform = {
  provider: { name: 'local', processes: true, images: false },
  max: { cpu: 4, memory_gb: 8, disk_gb: 20 },
  budget_micros: null,
  prices: { cpu_hour_micros: 30_000, gb_hour_micros: 10_000 },
}

/** With `running`, programs run as processes of this test, which ends them by `programs.close`: an `afterAll` in a `beforeAll` is not called. */
export async function openStage({ running = false } = {}): Promise<Stage> {
  const programs = localPrograms()
  const world = await openWorld({ apps_url })
  if (running) await appPlatform.publish(world.db, rules, world.clock.now())
  const worker: Stage['worker'] = (more, signal) => ({
    ...world.worker(signal && { signal }),
    runtime: { programs, start_ms: 20_000, takeBuild: () => () => undefined, ...more },
  })
  return {
    world,
    programs,
    worker,
    async project(files = site) {
      const project = await makeProject(world)
      await switchApps(world, project, true)
      await project.commit('main', files)
      return project
    },
    settle: (project) => settle(world, running ? worker() : world.worker(), project),
  }
}

export async function switchApps(world: World, { project_id, owner }: TestProject, enabled: boolean) {
  await features.set(world.db, {
    ...{ project_id, feature: 'apps', enabled },
    ...{ updated_by: userOf(owner.principal), updated_at: world.clock.now() },
  })
}

export function userOf(principal: Principal): string {
  if (!('user_id' in principal)) throw new Error('No person')
  return principal.user_id
}

async function settle(world: World, worker: Working, { project_id }: TestProject): Promise<void> {
  await reconcileApps(worker, { project_id })
  await followPreviews(worker)
  for (let round = 0; round < 5; round += 1) {
    world.clock.advance(11_000)
    const owed: (readonly [string, Readonly<Record<string, string>>])[] = []
    await sweepApps({
      ...world.base,
      enqueue: async (_queue, name, ids) =>
        void owed.push([name, z.record(z.string(), z.string()).parse(ids)]),
    })
    for (const [name, ids] of owed) {
      if (name === 'app.release') await runRelease(worker, { release_id: ids['release_id'] ?? '' })
      if (name === 'app.rollout') await runRollout(worker, { rollout_id: ids['rollout_id'] ?? '' })
    }
    if (owed.length === 0) return
  }
}
