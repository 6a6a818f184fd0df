import { describe, expect } from 'vitest'
import type { ProviderFixture } from './describe-sandbox-provider.ts'
import { environmentOf, runIn } from './sandbox-client.ts'
import { realTests, spec } from './real-test.ts'
import { describeEndings } from './describe-endings.ts'
import { describeInside } from './describe-inside.ts'

/** The promises about sandboxes that run processes. */
export function describeRealSandboxes(current: () => ProviderFixture): void {
  describeInside(current)
  describeEndings(current)
  describeManagers(current)
}

function describeManagers(current: () => ProviderFixture): void {
  const real = realTests(current)

  describe('who manages it', () => {
    real('is adopted by another process of the same deployment', async ({ provider }, { another }) => {
      const running = spec()
      const { external_id, endpoint } = await provider.create(running)
      await environmentOf(endpoint)
      await provider.close({ stop_sandboxes: false })
      const next = await another()
      expect(await next.list()).toEqual([external_id])
      expect(await next.status(external_id)).toBe('running')
      expect(await next.create(running)).toEqual({ external_id, endpoint })
      await next.stop(external_id)
      expect(await provider.status(external_id)).toBe('stopped')
      await next.close({ stop_sandboxes: false })
    })

    real('is one sandbox when two processes create it at once', async ({ provider }, { another }) => {
      const next = await another()
      const both = spec()
      const made = await Promise.all([provider.create(both), next.create(both), provider.create(both)])
      expect(new Set(made.map(({ external_id }) => external_id)).size).toBe(1)
      await next.close({ stop_sandboxes: false })
    })

    real('is not seen by another deployment', async ({ provider }, { foreign }) => {
      const shared = spec()
      const { external_id } = await provider.create(shared)
      const other = await foreign()
      expect(await other.list()).toEqual([])
      expect(await other.status(external_id)).toBe('removed')
      await other.stop(external_id)
      await other.destroy(external_id)
      expect(await provider.status(external_id)).toBe('running')
      const theirs = await other.create(shared)
      expect(theirs.external_id).not.toBe(external_id)
      await other.destroy(theirs.external_id)
      await other.close({ stop_sandboxes: false })
    })

    real('is apart from its neighbour', async ({ provider }) => {
      const [one, two] = await Promise.all([provider.create(spec()), provider.create(spec())])
      expect(one.endpoint).not.toEqual(two.endpoint)
      await Promise.all([environmentOf(one.endpoint), environmentOf(two.endpoint)])
      await provider.stop(one.external_id)
      expect((await runIn(two.endpoint, 'echo still here')).output).toBe('still here\n')
    })
  })
}
