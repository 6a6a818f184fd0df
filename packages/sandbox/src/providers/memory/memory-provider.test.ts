import { describe, expect, it } from 'vitest'
import { createMemoryProvider } from './memory-provider.ts'
import { SandboxError } from '../../sandbox-error.ts'
import { describeSandboxProvider } from '../../testing/describe-sandbox-provider.ts'

const memoryFixture = async () => {
  const provider = createMemoryProvider()
  return {
    provider,
    crash: async (external_id: string) => provider.crash(external_id),
    real: null,
    dispose: async () => undefined,
  }
}

describeSandboxProvider('memory', memoryFixture, { runs_processes: false })

describe('the memory provider’s handles', () => {
  it('fails the next call once', async () => {
    const provider = createMemoryProvider()
    provider.failNext('create', new SandboxError('capacity', 'full'))
    const spec = { sandbox_id: 's', environment: {} }
    await expect(provider.create(spec)).rejects.toMatchObject({ kind: 'capacity', retryable: true })
    expect(await provider.create(spec)).toMatchObject({ external_id: expect.any(String) })
  })

  it('counts starts and touches', async () => {
    const provider = createMemoryProvider({ endpoint: () => ({ url: 'http://127.0.0.1:1' }) })
    const { external_id, endpoint } = await provider.create({ sandbox_id: 's', environment: { A: '1' } })
    expect(endpoint.url).toBe('http://127.0.0.1:1')
    await provider.stop(external_id)
    await provider.start(external_id, { A: '2' })
    await provider.touch(external_id)
    expect(provider.sandboxes.get(external_id)).toMatchObject({
      starts: 2,
      touches: 1,
      environment: { A: '2' },
    })
  })
})
