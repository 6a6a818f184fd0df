import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { getApp, listAppReleases, releaseApp, rollbackApp } from '../src/index.ts'
import { openStage, type Stage } from '../src/testing/index.ts'
import { runRelease, runRollout } from '../src/work.ts'

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
})

type Step =
  | { readonly kind: 'ask' }
  | { readonly kind: 'run'; readonly pick: number }
  | { readonly kind: 'back'; readonly pick: number }

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.constant({ kind: 'ask' } as const),
  fc.record({ kind: fc.constant('run' as const), pick: fc.nat(9) }),
  fc.record({ kind: fc.constant('back' as const), pick: fc.nat(9) }),
)

test('whatever order releases end in, what is shown goes back by a rollback alone', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 14 }), async (steps) => {
      const project = await stage.project()
      await stage.settle(project)
      const { project_id, ctx } = project
      const address = { project_id, app: 'site' }
      const waiting: { release_id: string; number: number }[] = []
      const ready = [1]
      // The model: a number is shown, and those up to the floor never take over again.
      let [shown, floor, last] = [1, 1, 1]
      for (const { kind, ...more } of steps) {
        const pick = 'pick' in more ? more.pick : 0
        if (kind === 'ask') {
          waiting.push((await releaseApp(ctx, address)).release)
          last += 1
        } else if (kind === 'run') {
          const [release] = waiting.length === 0 ? [] : waiting.splice(pick % waiting.length, 1)
          if (release === undefined) continue
          await runRelease(stage.world.worker(), release)
          ready.push(release.number)
          if (release.number > floor) shown = floor = release.number
        } else {
          const number = ready[pick % ready.length] ?? 1
          const { rollout } = await rollbackApp(ctx, { ...address, number, expected_current: shown })
          await runRollout(stage.world.worker(), rollout)
          ;[shown, floor] = [number, last]
        }
        expect((await getApp(ctx, address)).app.current_release?.number).toBe(shown)
      }
      const { releases } = await listAppReleases(ctx, { ...address, limit: 50 })
      expect(releases.map(({ number }) => number)).toEqual(Array.from({ length: last }, (_, n) => last - n))
      expect(releases.filter(({ current }) => current)).toHaveLength(1)
    }),
    { numRuns: process.env['SVC_LONG_TESTS'] ? 40 : 4 },
  )
})
