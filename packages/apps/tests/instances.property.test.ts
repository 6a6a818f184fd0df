import { appInstances, appReleases } from '@svc/db'
import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { getApp, listAppReleases, releaseApp, rollbackApp } from '../src/index.ts'
import { bundle, instancesOf, openStage, type Stage, visitFront } from '../src/testing/index.ts'
import { lookAfterInstances, runRelease, runRollout, wakeRelease } from '../src/work.ts'

let stage: Stage
beforeAll(async () => {
  stage = await openStage({ running: true })
  return () => stage.programs.close()
})

/** The moments at which a worker may be killed while it makes a release. */
const moments = [
  'building',
  'artifact',
  'instance row',
  'create',
  'start',
  'ready',
  'inside the switch',
] as const

type Step =
  /** Asks for a release of a commit that runs, or of one that ends at once. */
  | { readonly kind: 'ask'; readonly runs: boolean }
  | { readonly kind: 'run'; readonly pick: number }
  | { readonly kind: 'killed'; readonly pick: number; readonly at: (typeof moments)[number] }
  | { readonly kind: 'back'; readonly pick: number }
  | { readonly kind: 'lose' }
  | { readonly kind: 'sleep' }

const pick = fc.nat(9)
const step: fc.Arbitrary<Step> = fc.oneof(
  { arbitrary: fc.record({ kind: fc.constant('ask' as const), runs: fc.boolean() }), weight: 3 },
  { arbitrary: fc.record({ kind: fc.constant('run' as const), pick }), weight: 3 },
  fc.record({ kind: fc.constant('killed' as const), pick, at: fc.constantFrom(...moments) }),
  { arbitrary: fc.record({ kind: fc.constant('back' as const), pick }), weight: 2 },
  fc.record({ kind: fc.constant('lose' as const) }),
  fc.record({ kind: fc.constant('sleep' as const) }),
)

/** A worker that ends at this moment: what it wrote stays, and nothing of it goes on. */
async function runUntil(moment: string, release_id: string): Promise<void> {
  const killed = new AbortController()
  const onStep = async (at: string) => {
    if (at !== moment) return
    killed.abort(new Error(`Killed at ${moment}`))
    throw killed.signal.reason
  }
  await runRelease(stage.worker({ onStep }, killed.signal), { release_id }).catch(() => undefined)
}

test('whatever is released, killed, lost, put to sleep and moved back, one version is shown, and it answers', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 10 }), async (steps) => {
      const project = await stage.project(bundle('word', ', idle_timeout_seconds: 120'))
      const { project_id, ctx } = project
      const { db, clock } = stage.world
      const address = { project_id, app: 'api' }
      await stage.settle(project)
      const commits = {
        ends: await project.commit('main', { 'api/server.js': 'process.exit(3)' }),
        runs: await project.commit('main', bundle('word', ', idle_timeout_seconds: 120')),
      }
      const waiting: { release_id: string; number: number; runs: boolean }[] = []
      const ready = [1]
      // The model: a number is shown, and those up to the floor never take over again.
      let [shown, floor, last] = [1, 1, 1]
      const end = ({ number, runs }: { readonly number: number; readonly runs: boolean }) => {
        if (!runs) return
        ready.push(number)
        if (number > floor) shown = floor = number
      }
      for (const one of steps) {
        if (one.kind === 'ask') {
          const commit_sha = one.runs ? commits.runs : commits.ends
          waiting.push({ ...(await releaseApp(ctx, { ...address, commit_sha })).release, runs: one.runs })
          last += 1
        } else if (one.kind === 'run' || one.kind === 'killed') {
          const [release] = waiting.length === 0 ? [] : waiting.splice(one.pick % waiting.length, 1)
          if (release === undefined) continue
          if (one.kind === 'killed') await runUntil(one.at, release.release_id)
          await runRelease(stage.worker(), release)
          end(release)
        } else if (one.kind === 'back') {
          const number = ready[one.pick % ready.length] ?? 1
          const { rollout } = await rollbackApp(ctx, { ...address, number, expected_current: shown })
          await runRollout(stage.worker(), rollout)
          ;[shown, floor] = [number, last]
        } else if (one.kind === 'lose') {
          const lost = (await instancesOf(db, project_id)).find(({ state }) => state === 'healthy')
          if (lost?.external_id) await stage.programs.lose(lost.external_id)
        } else clock.advance(125_000)
        clock.advance(3000)
        await lookAfterInstances(stage.worker())
        await holds(project, shown)
      }
      const { releases } = await listAppReleases(ctx, { ...address, limit: 50 })
      expect(releases.map(({ number }) => number)).toEqual(Array.from({ length: last }, (_, n) => last - n))
    }),
    { numRuns: process.env['SVC_LONG_TESTS'] ? 40 : 3 },
  )
})

/** One current version, at most one instance of a release, and none of one that failed: true after each step. */
async function holds({ project_id, ctx }: Awaited<ReturnType<Stage['project']>>, shown: number) {
  const { db } = stage.world
  const { app } = await getApp(ctx, { project_id, app: 'api' })
  expect(app.current_release?.number).toBe(shown)
  const { releases } = await listAppReleases(ctx, { project_id, app: 'api', limit: 50 })
  expect(releases.filter(({ current }) => current).map(({ number }) => number)).toEqual([shown])
  const release_id = app.current_release?.release_id ?? ''
  const live = (await instancesOf(db, project_id)).filter(({ state }) => /starting|healthy/.test(state))
  // Only what is shown runs between steps.
  expect(live.filter((one) => one.release_id !== release_id)).toEqual([])
  expect(live.length).toBeLessThan(2)
  const release = await appReleases.find(db, release_id)
  expect(release?.status).toBe('ready')
  if (release === undefined) return
  // A visitor comes: asleep or lost, the same release answers.
  const now = stage.world.clock.now()
  const { account_id } = app
  await db
    .transaction()
    .execute((tx) =>
      appInstances.want(tx, { instance_id: stage.world.base.newId(), release, account_id, now }),
    )
  await wakeRelease(stage.worker(), { release_id })
  const answers = await appInstances.findLive(db, release_id)
  expect(await visitFront(answers)).toBe(`word of release ${shown}`)
  await appInstances.sawRequests(db, [answers?.instance_id ?? ''], now)
}
