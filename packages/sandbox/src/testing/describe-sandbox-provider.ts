import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { SandboxProvider } from '../provider.ts'
import { describeRealSandboxes } from './describe-real-sandboxes.ts'
import { until } from './sandbox-client.ts'

/** For providers whose sandboxes run processes and have the stub daemon for an agent. */
export interface RealSandboxes {
  /** True when the way out of its sandboxes is an HTTP proxy of the platform. */
  readonly proxied: boolean
  /** The provider as another process of the same deployment has it. */
  another(): Promise<SandboxProvider>
  /** The provider of another deployment beside this one. */
  foreign(): Promise<SandboxProvider>
}

export interface ProviderFixture {
  readonly provider: SandboxProvider
  /** kill -9 of the sandbox's daemon, behind the provider's back. */
  crash(external_id: string): Promise<void>
  readonly real: RealSandboxes | null
  /** Removes what the fixture made, sandboxes included. */
  dispose(): Promise<void>
}

export const unknownId = `sbx_${'0'.repeat(32)}`

export const newSpec = (environment: Readonly<Record<string, string>> = {}) => ({
  sandbox_id: randomUUID(),
  environment,
})

export interface SuiteOptions {
  /** False for a provider that only pretends: what is promised of running processes is then no part of its suite. */
  readonly runs_processes?: boolean
}

/** The promises of every provider. */
export function describeSandboxProvider(
  name: string,
  make: () => Promise<ProviderFixture>,
  { runs_processes = true }: SuiteOptions = {},
): void {
  describe(`sandbox provider: ${name}`, () => {
    let fixture: ProviderFixture
    let provider: SandboxProvider

    beforeEach(async () => {
      fixture = await make()
      provider = fixture.provider
    })

    afterEach(() => fixture.dispose())

    it('takes a template with an image where it runs programs of images, which it then keeps', () => {
      const refusal = provider.refusal({ slug: 'web', image: 'registry.test/web:1' })
      if (provider.runs.images) expect([refusal, provider.runs.processes]).toEqual([null, true])
      if (provider.images !== undefined) expect(provider.runs.images).toBe(true)
    })

    it('says what it isolates and what not', () => {
      const description = provider.describe()
      expect(description.name).toBe(provider.name)
      expect(description.not_isolated.length).toBeGreaterThan(0)
    })

    it('creates a running sandbox with a url-safe id', async () => {
      const { external_id, endpoint } = await provider.create(newSpec())
      expect(encodeURIComponent(external_id)).toBe(external_id)
      expect(await provider.status(external_id)).toBe('running')
      expect(await provider.endpoint(external_id)).toEqual(endpoint)
      expect(await provider.list()).toEqual([external_id])
      if (provider.running) expect([...(await provider.running([external_id]))]).toEqual([external_id])
    })

    it('answers a second create of the same sandbox with the same one', async () => {
      const spec = newSpec()
      const first = await provider.create(spec)
      expect(await provider.create(spec)).toEqual(first)
      expect(await provider.list()).toHaveLength(1)
    })

    it('makes one sandbox of concurrent creates', async () => {
      const spec = newSpec()
      const made = await Promise.all([1, 2, 3, 4].map(() => provider.create(spec)))
      expect(new Set(made.map(({ external_id }) => external_id)).size).toBe(1)
      expect(await provider.list()).toHaveLength(1)
    })

    it('starts a stopped sandbox when it is created again', async () => {
      const spec = newSpec()
      const { external_id } = await provider.create(spec)
      await provider.stop(external_id)
      expect((await provider.create(spec)).external_id).toBe(external_id)
      expect(await provider.status(external_id)).toBe('running')
    })

    it('makes nothing for a caller who has given up', async () => {
      await expect(provider.create(newSpec(), AbortSignal.abort())).rejects.toThrow()
      expect(await provider.list()).toEqual([])
    })

    it('stops, and stops again', async () => {
      const { external_id } = await provider.create(newSpec())
      await provider.stop(external_id)
      await provider.stop(external_id)
      expect(await provider.status(external_id)).toBe('stopped')
      expect(await provider.endpoint(external_id)).toBeNull()
      expect((await provider.exitReport(external_id)).exit).toBeNull()
    })

    it('starts a running sandbox by leaving it alone', async () => {
      const { external_id, endpoint } = await provider.create(newSpec())
      expect(await provider.start(external_id)).toEqual({ endpoint })
    })

    it('destroys, and destroys again', async () => {
      const { external_id } = await provider.create(newSpec())
      await provider.destroy(external_id)
      await provider.destroy(external_id)
      expect(await provider.status(external_id)).toBe('removed')
      expect(await provider.list()).toEqual([])
      await expect(provider.start(external_id)).rejects.toMatchObject({ kind: 'gone', retryable: false })
    })

    it('shows a killed sandbox as stopped, with its last words', async () => {
      const { external_id } = await provider.create(newSpec())
      await fixture.crash(external_id)
      await until(
        'stopped',
        () => provider.status(external_id),
        (status) => status === 'stopped',
      )
      expect((await provider.exitReport(external_id)).exit).toBe('killed by SIGKILL')
      if (provider.running) expect((await provider.running([external_id])).size).toBe(0)
      await provider.start(external_id)
      expect(await provider.status(external_id)).toBe('running')
      expect((await provider.exitReport(external_id)).exit).toBeNull()
    })

    it.each([unknownId, 'no-such-sandbox', '../..', ''])(
      'takes the unknown id %j for a removed one',
      async (id) => {
        expect(await provider.status(id)).toBe('removed')
        expect(await provider.endpoint(id)).toBeNull()
        expect(await provider.environment(id)).toBeNull()
        expect(await provider.exitReport(id)).toEqual({ exit: null, output: '' })
        await provider.stop(id)
        await provider.destroy(id)
        await expect(provider.start(id)).rejects.toMatchObject({ kind: 'gone' })
        await expect(provider.touch(id)).rejects.toMatchObject({ kind: 'gone' })
      },
    )

    it('is touched without a change', async () => {
      const { external_id } = await provider.create(newSpec())
      await provider.touch(external_id)
      expect(await provider.status(external_id)).toBe('running')
    })

    it('ends in one state after starts and stops at once', async () => {
      const { external_id } = await provider.create(newSpec())
      const calls = [1, 2, 3].flatMap(() => [provider.stop(external_id), provider.start(external_id)])
      await Promise.all(calls)
      const status = await provider.status(external_id)
      expect(['running', 'stopped']).toContain(status)
      expect((await provider.endpoint(external_id)) !== null).toBe(status === 'running')
      await provider.stop(external_id)
      expect(await provider.status(external_id)).toBe('stopped')
    })

    it('stops its sandboxes on closing only when asked', async () => {
      const { external_id } = await provider.create(newSpec())
      await provider.close({ stop_sandboxes: false })
      expect(await provider.status(external_id)).toBe('running')
      await provider.close({ stop_sandboxes: true })
      expect(await provider.status(external_id)).toBe('stopped')
    })

    if (runs_processes) describeRealSandboxes(() => fixture)
  })
}
