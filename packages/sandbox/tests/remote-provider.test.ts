import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  createStubTools,
  describeSandboxProvider,
  openIngress,
  type StubTools,
} from '../src/testing/index.ts'
import { behindDoor } from '../src/door/behind-door.ts'
import { post } from '../src/testing/sandbox-client.ts'
import { killDaemon } from './process/kill-daemon.ts'
import { openProvider } from './process/open-provider.ts'

let stub: StubTools

beforeAll(async () => {
  stub = await createStubTools()
})

afterAll(() => stub.remove())

async function makeFixture() {
  const opened = await openProvider(stub, 'none')
  const ingress = await openIngress((external_id) => opened.provider.endpoint(external_id))
  const outside = async (scope: string) => behindDoor(await opened.open(scope), ingress)
  return {
    ingress,
    provider: behindDoor(opened.provider, ingress),
    crash: (external_id: string) => killDaemon(opened.provider, opened.root, external_id),
    real: { proxied: false, another: () => outside('here'), foreign: () => outside('elsewhere') },
    dispose: async () => {
      await opened.dispose()
      await ingress.close()
    },
  }
}

describeSandboxProvider('process behind an https endpoint that asks for a token', makeFixture)

it('is reached with the headers of its endpoint, and not without', async () => {
  const { provider, ingress, dispose } = await makeFixture()
  try {
    const { endpoint } = await provider.create({ sandbox_id: 'one', environment: {} })
    const { headers: _, ...bare } = endpoint
    await expect(post(bare, '/env', '')).rejects.toThrow()
    expect(ingress.refused).toEqual(['/env'])
  } finally {
    await dispose()
  }
})

it('is not reached with the key of another sandbox', async () => {
  const { provider, ingress, dispose } = await makeFixture()
  try {
    const [one, other] = await Promise.all(
      ['one', 'other'].map((sandbox_id) => provider.create({ sandbox_id, environment: {} })),
    )
    const headers = { ...other?.endpoint.headers, 'x-svc-sandbox': one?.external_id ?? '' }
    const mixed = { url: '', ...one?.endpoint, headers }
    await expect(post(mixed, '/env', '')).rejects.toThrow()
    expect(ingress.refused).toEqual(['/env'])
  } finally {
    await dispose()
  }
})
