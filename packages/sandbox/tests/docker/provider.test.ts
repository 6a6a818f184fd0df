import { afterAll, beforeAll } from 'vitest'
import { createStubTools, describeSandboxProvider, type StubTools } from '../../src/testing/index.ts'
import { describeWithDocker } from './engine.ts'
import { killDockerDaemon, openDocker } from './open-docker.ts'

describeWithDocker('sandbox provider', (engine) => {
  const egress = { mode: 'open', forbidden_urls: [], private_repositories: false } as const
  let stub: StubTools

  beforeAll(async () => {
    stub = await createStubTools()
  })

  afterAll(() => stub.remove())

  describeSandboxProvider('docker', async () => {
    const opened = await openDocker(stub, engine, { egress })
    const { provider, open, dispose } = opened
    return {
      provider,
      crash: (external_id: string) => killDockerDaemon(opened, external_id),
      real: { proxied: true, another: () => open('here'), foreign: () => open('elsewhere') },
      dispose,
    }
  })
})
