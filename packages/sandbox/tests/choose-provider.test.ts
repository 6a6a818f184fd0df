import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { ProviderName } from '../src/index.ts'
import { chooseProvider, providerSettings, type ToolProgram } from '../src/providers/index.ts'
import { z } from 'zod'
import { createStubTools, type StubTools } from '../src/testing/index.ts'
import { describeWithBubblewrap } from './bubblewrap/describe-with-bubblewrap.ts'

let stub: StubTools
let root: string
const warnings: unknown[] = []

beforeEach(async () => {
  stub = await createStubTools()
  root = await mkdtemp(join(tmpdir(), 'svc-choose-'))
  warnings.length = 0
})

afterEach(async () => {
  await stub.remove()
  await rm(root, { recursive: true, force: true })
})

const choose = (name: ProviderName, changes: { bubblewrap_program?: string; runtime?: ToolProgram } = {}) => {
  const { runtime = null, ...others } = changes
  return chooseProvider({
    SVC_SANDBOX_PROVIDER: name,
    settings: z.object(providerSettings).parse({ SVC_DOCKER_HOST: 'unix:///nonexistent.sock' }),
    root,
    scope: 'here',
    tools: { ...stub.sources, runtimes: { agentrt: runtime } },
    api_url: 'http://127.0.0.1:1/v1',
    log: (level, message) => warnings.push([level, message]),
    ...others,
  })
}

describe('chooseProvider on a machine without bubblewrap', () => {
  const bubblewrap_program = '/nonexistent/bwrap'

  it('auto runs plain processes and says why', async () => {
    const { provider, why } = await choose('auto', { bubblewrap_program })
    expect(provider.name).toBe('process')
    expect(why).toMatch(/not isolated .*(is not installed|Linux only)/)
    expect(warnings).toEqual([['warn', 'sandboxes run without isolation']])
    await provider.close({ stop_sandboxes: false })
  })

  it('bubblewrap refuses to start', async () => {
    await expect(choose('bubblewrap', { bubblewrap_program })).rejects.toThrow(
      /does not work here: .*(is not installed|Linux only)/,
    )
  })

  it('process asks for none and is not warned', async () => {
    const { provider, why } = await choose('process', { bubblewrap_program })
    expect(provider.name).toBe('process')
    expect(why).toContain('because it was asked for')
    expect(warnings).toEqual([])
    await provider.close({ stop_sandboxes: false })
  })

  it('refuses to start without the agent runtime it was told of', async () => {
    await expect(choose('process', { runtime: { binary: '/nonexistent/runtime' } })).rejects.toMatchObject({
      kind: 'image',
      message: expect.stringContaining('The program of the runtime agentrt is not at /nonexistent/runtime'),
    })
  })
})

await describeWithBubblewrap('chooseProvider', () => {
  describe('chooseProvider on a machine with bubblewrap', () => {
    it.each(['auto', 'bubblewrap'] as const)('%s isolates with it', async (name) => {
      const { provider, why } = await choose(name)
      expect(provider.name).toBe('bubblewrap')
      expect(why).toContain('isolated with bubblewrap')
      await provider.close({ stop_sandboxes: false })
    })
  })
})
