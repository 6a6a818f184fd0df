import { afterAll, beforeAll } from 'vitest'
import { sharesLoopback } from '../../src/providers/index.ts'
import { createStubTools, describeSandboxProvider, type StubTools } from '../../src/testing/index.ts'
import { describeWithBubblewrap } from '../bubblewrap/describe-with-bubblewrap.ts'
import { killDaemon } from './kill-daemon.ts'
import { openProvider } from './open-provider.ts'

let stub: StubTools

beforeAll(async () => {
  stub = await createStubTools()
})

afterAll(() => stub.remove())

async function makeFixture(isolation: 'bubblewrap' | 'none') {
  const { provider, root, open, dispose } = await openProvider(stub, isolation)
  return {
    provider,
    crash: (external_id: string) => killDaemon(provider, root, external_id),
    real: {
      proxied: !sharesLoopback(provider),
      another: () => open('here'),
      foreign: () => open('elsewhere'),
    },
    dispose,
  }
}

describeSandboxProvider('process without isolation', () => makeFixture('none'))

await describeWithBubblewrap('sandbox provider', () => {
  describeSandboxProvider('process with bubblewrap', () => makeFixture('bubblewrap'))
})
