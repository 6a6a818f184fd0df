import { randomUUID } from 'node:crypto'
import { it } from 'vitest'
import type { ProviderFixture, RealSandboxes } from './describe-sandbox-provider.ts'

export const spec = (environment: Readonly<Record<string, string>> = {}) => ({
  sandbox_id: randomUUID(),
  environment,
})

type RealTest = (name: string, test: (fixture: ProviderFixture, real: RealSandboxes) => Promise<void>) => void

/** Tests of sandboxes that run processes, each with the fixture of its moment. */
export function realTests(current: () => ProviderFixture): RealTest {
  return (name, test) =>
    it(name, async () => {
      const fixture = current()
      if (fixture.real === null) throw new Error('This fixture runs no processes')
      await test(fixture, fixture.real)
    })
}
