import type { z } from 'zod'
import type { ProviderName } from '../provider-names.ts'
import { dockerModule } from './docker/module.ts'
import { kubernetesModule } from './kubernetes/module.ts'
import { processModule } from './process/module.ts'
import type { ProviderModule } from './provider-module.ts'

/** The providers that an operator may choose from, in the order in which `auto` looks at them. */
const registry = [processModule, dockerModule, kubernetesModule] as const

/** The providers as ordinary members of a list. */
export const providerModules: readonly ProviderModule<ProviderSettings>[] = registry

type Registry = (typeof registry)[number]
type Intersection<Union> = (Union extends unknown ? (one: Union) => void : never) extends (
  all: infer All,
) => void
  ? All
  : never
type SettingsShape = Intersection<Registry['settings']>

/** The variables of all providers, for the apps that offer them. Named boundary: a merged list has no type of its own. */
export const providerSettings = Object.assign(
  {},
  ...registry.map(({ settings }) => settings),
) as SettingsShape

export type ProviderSettings = z.infer<z.ZodObject<SettingsShape>>

export const namesElsewhere: readonly ProviderName[] = registry.flatMap(({ place, names }) =>
  place === 'elsewhere' ? names : [],
)
