import { z } from 'zod'
import { type ProviderName, providerNames } from './provider-names.ts'
import { providerModules } from './providers/registry.ts'

/** One provider, or several in the order in which they are asked to make a sandbox. */
export type ProviderOrder = ProviderName | readonly [ProviderName, ProviderName, ...ProviderName[]]

/** A setting: a name, or names separated by commas. */
export function providerOrder() {
  return z.string().transform((text, ctx): ProviderOrder => {
    const refuse = (message: string): never => {
      ctx.addIssue({ code: 'custom', message })
      return z.NEVER
    }
    const words = text.split(',').map((word) => word.trim())
    const names = words.flatMap((word) => providerNames.find((name) => name === word) ?? [])
    if (names.length !== words.length)
      return refuse(`must be one of ${providerNames.join(', ')}, or several separated by commas`)
    const [first, second, ...more] = names
    if (first === undefined || second === undefined) return first ?? refuse('must name a provider')
    if (names.includes('auto')) return refuse('auto chooses by itself: it cannot be one of several')
    if (new Set(names).size < names.length) return refuse('must name each provider once')
    for (const { names: alike } of providerModules)
      if (names.filter((name) => alike.includes(name)).length > 1)
        return refuse(`must name only one of ${alike.join(' and ')}`)
    return [first, second, ...more]
  })
}
