import { z } from 'zod'

export const providerNames = ['auto', 'process', 'bubblewrap', 'docker', 'kubernetes'] as const

export type ProviderName = (typeof providerNames)[number]

/** One provider, or several in the order in which they are asked to make a sandbox. */
export type ProviderOrder = ProviderName | readonly [ProviderName, ProviderName, ...ProviderName[]]

/** They keep their sandboxes in one folder, so only one of them can be asked. */
const ofThisMachine: readonly ProviderName[] = ['process', 'bubblewrap']

/** A setting: a name, or names separated by commas. */
export function providerOrder(allowed: readonly ProviderName[] = providerNames) {
  return z.string().transform((text, ctx): ProviderOrder => {
    const refuse = (message: string): never => {
      ctx.addIssue({ code: 'custom', message })
      return z.NEVER
    }
    const words = text.split(',').map((word) => word.trim())
    const names = words.flatMap((word) => allowed.find((name) => name === word) ?? [])
    if (names.length !== words.length)
      return refuse(`must be one of ${allowed.join(', ')}, or several separated by commas`)
    const [first, second, ...more] = names
    if (first === undefined || second === undefined) return first ?? refuse('must name a provider')
    if (names.includes('auto')) return refuse('auto chooses by itself: it cannot be one of several')
    if (new Set(names).size < names.length) return refuse('must name each provider once')
    if (names.filter((name) => ofThisMachine.includes(name)).length > 1)
      return refuse(`must name only one of ${ofThisMachine.join(' and ')}`)
    return [first, second, ...more]
  })
}
