import { describe, expect, it } from 'vitest'
import { createMemoryProvider, type MemoryProvider } from '../providers/memory/memory-provider.ts'
import { type SandboxProvider, owns } from '../provider.ts'
import { SandboxError, type SandboxErrorKind } from '../sandbox-error.ts'
import { describeSandboxProvider } from '../testing/describe-sandbox-provider.ts'
import { createFailOverProvider } from './create-fail-over-provider.ts'

interface Fixture {
  readonly first: MemoryProvider
  readonly second: MemoryProvider
  readonly both: SandboxProvider
  readonly warnings: string[]
}

function open(): Fixture {
  const first = { ...createMemoryProvider(), name: 'first' }
  const second = { ...createMemoryProvider(), name: 'second' }
  const warnings: string[] = []
  const both = createFailOverProvider([first, second], (_level, message, details) =>
    warnings.push(`${message} ${JSON.stringify(details)}`),
  )
  return { first, second, both, warnings }
}

const spec = { sandbox_id: 's', environment: { A: '1' } }
const refusal = (kind: SandboxErrorKind) => new SandboxError(kind, `It is a matter of ${kind}.`)

describeSandboxProvider(
  'fail-over',
  async () => {
    const { first, both } = open()
    return {
      provider: both,
      crash: async (external_id: string) => first.crash(external_id.replace('first.', '')),
      real: null,
      dispose: async () => undefined,
    }
  },
  { runs_processes: false },
)

describe('a sandbox of several providers', () => {
  it('is made by the first, and says so', async () => {
    const { first, second, both } = open()
    const made = await both.create(spec)
    expect(made).toMatchObject({ external_id: expect.stringMatching(/^first\.sbx_/), provider: 'first' })
    expect([first.sandboxes.size, second.sandboxes.size]).toEqual([1, 0])
  })

  it.each(['capacity', 'quota', 'network'] as const)('goes to the next on %s, and is told', async (kind) => {
    const { first, second, both, warnings } = open()
    first.failNext('create', refusal(kind))
    const { external_id, provider } = await both.create(spec)
    expect(provider).toBe('second')
    expect([first.sandboxes.size, second.sandboxes.size]).toEqual([0, 1])
    expect(warnings).toEqual([expect.stringContaining(`It is a matter of ${kind}.`)])
    await both.stop(external_id)
    expect(await both.status(external_id)).toBe('stopped')
    expect(await both.list()).toEqual([external_id])
    await both.destroy(external_id)
    expect(second.sandboxes.size).toBe(0)
  })

  it.each(['image', 'gone', 'internal'] as const)('does not on %s', async (kind) => {
    const { first, second, both } = open()
    first.failNext('create', refusal(kind))
    await expect(both.create(spec)).rejects.toMatchObject({ kind })
    expect(second.sandboxes.size).toBe(0)
  })

  it('stays with the one that has its files, whatever that one says', async () => {
    const { first, second, both } = open()
    first.failNext('create', refusal('capacity'))
    const { external_id } = await both.create(spec)
    expect((await both.create(spec)).external_id).toBe(external_id)
    expect(first.sandboxes.size).toBe(0)
    second.failNext('create', refusal('capacity'))
    await expect(both.create(spec)).rejects.toMatchObject({ kind: 'capacity' })
    expect(first.sandboxes.size).toBe(0)
  })

  it('is made by the one that is asked for, or by none', async () => {
    const { first, second, both } = open()
    expect(await both.create({ ...spec, provider: 'second' })).toMatchObject({ provider: 'second' })
    second.failNext('create', refusal('network'))
    await expect(both.create({ ...spec, sandbox_id: 't', provider: 'second' })).rejects.toMatchObject({
      kind: 'network',
    })
    expect(first.sandboxes.size).toBe(0)
  })

  it('says who made it, and changes hands there', async () => {
    const { first, second, both } = open()
    first.failNext('create', refusal('capacity'))
    const { external_id } = await both.create(spec)
    expect([both.providerOf?.(external_id), both.providerOf?.('sbx_of_before')]).toEqual(['second', null])
    await both.adopt?.(external_id, { A: 'theirs' })
    expect([...second.sandboxes.values()].map(({ environment }) => environment)).toEqual([{ A: 'theirs' }])
  })

  it('is refused with the words of all when none can', async () => {
    const { first, second, both } = open()
    first.failNext('create', refusal('quota'))
    second.failNext('create', refusal('network'))
    await expect(both.create(spec)).rejects.toMatchObject({
      kind: 'quota',
      retryable: true,
      message: expect.stringMatching(/first: It is a matter of quota\. second: It is a matter of network\./),
    })
  })

  it('is not made by one that cannot make its template, and by none where none can', async () => {
    const poor = {
      ...createMemoryProvider(),
      name: 'poor',
      refusal: () => 'The provider poor has no images.',
    }
    const rich = { ...createMemoryProvider(), name: 'rich' }
    const template = { slug: 'tools', image: 'debian:12' }
    const both = createFailOverProvider([poor, rich], () => undefined)
    expect(both.refusal(template)).toBeNull()
    expect(await both.create({ ...spec, template })).toMatchObject({ provider: 'rich' })
    const none = { ...spec, sandbox_id: 't', template, provider: 'poor' }
    await expect(both.create(none)).rejects.toMatchObject({
      kind: 'image',
      message: expect.stringContaining('provider poor'),
    })
    expect(poor.sandboxes.size).toBe(0)
  })

  it('from before there were several is found by whoever has it', async () => {
    const { second, both } = open()
    const { external_id } = await second.create(spec)
    expect(await both.status(external_id)).toBe('running')
    await both.start(external_id, { A: '2' })
    expect(second.sandboxes.get(external_id)?.environment).toEqual({ A: '2' })
    expect([owns(both, 'second'), owns(both, 'third'), owns(both, null)]).toEqual([true, false, false])
  })

  it('is not said to be gone while one that may have it does not answer', async () => {
    const { first, second } = open()
    const away = { ...first, name: 'away', status: async () => 'unknown' as const }
    const both = createFailOverProvider([second, away], () => undefined)
    expect(await both.status('sbx_of_before')).toBe('unknown')
  })
})
