import type { CallAttempt, gatewayAccess } from '@svc/db'
import { findModel, type ModelName, modelText } from '@svc/models'
import type { GatewayConfig } from '../config/config.ts'
import type { Provider, UpstreamKey } from '../config/provider.ts'

/** A model at a provider with one of its keys. */
export interface Candidate {
  readonly name: ModelName
  readonly provider: Provider
  /** Null where the provider is asked without one. */
  readonly key: UpstreamKey | null
  /** 0 for the model that was asked for, else its place in the list of fallbacks. */
  readonly fallback: number
}

export interface Candidates {
  /** In the order in which they are tried. */
  readonly usable: readonly Candidate[]
  /** Those that are not tried, as the log shows them. */
  readonly skipped: readonly CallAttempt[]
  /** When the first open breaker lets a probe through; null where none is open. */
  readonly probe_at: Date | null
}

/** The model that was asked for on each key of its pool, then its fallbacks; keys that cool are last. */
export function candidatesOf(
  config: GatewayConfig,
  asked: ModelName,
  caller: Pick<gatewayAccess.GatewayAccess, 'pools' | 'troubles'>,
  { now, isAllowed }: { readonly now: Date; readonly isAllowed: (name: ModelName) => boolean },
): Candidates {
  const first = providerNamed(config, asked)
  const skipped: CallAttempt[] = []
  const all = [...keysOf(first, caller).map((key) => ({ name: asked, provider: first, key, fallback: 0 }))]
  for (const [at, entry] of fallbacksOf(config, asked).entries()) {
    const fallback = modelOf(config, entry.model)
    if (fallback === null || !isAllowed(fallback)) continue
    const provider = providerNamed(config, fallback)
    if (provider.scope !== first.scope && !(entry.billed && pays(entry.set_by, provider.scope))) {
      skipped.push({ ...attemptOf({ name: fallback, provider, key: null }), skipped: 'own_key' })
      continue
    }
    for (const key of keysOf(provider, caller)) all.push({ name: fallback, provider, key, fallback: at + 1 })
  }
  const open = all.filter((candidate) => isOpen(candidate, caller, now))
  for (const candidate of open) skipped.push({ ...attemptOf(candidate), skipped: 'breaker_open' })
  const probes = open.map((candidate) => probeOf(candidate, caller) ?? 0)
  const closed = all.filter((candidate) => !open.includes(candidate))
  const cooling = closed.filter((candidate) => isCooling(candidate, caller))
  return {
    usable: [...closed.filter((candidate) => !cooling.includes(candidate)), ...cooling],
    skipped,
    probe_at: probes.length === 0 ? null : new Date(Math.min(...probes)),
  }
}

export function attemptOf({
  name,
  provider,
  key,
}: Pick<Candidate, 'name' | 'provider' | 'key'>): CallAttempt {
  return {
    model: modelText(name),
    provider: provider.slug,
    provider_scope: provider.scope,
    key_id: key?.key_id ?? null,
  }
}

/** The key of a breaker: a provider without keys has its own id for one. */
export function breakerOf({ provider, key }: Pick<Candidate, 'provider' | 'key'>) {
  return { provider_id: provider.provider_id, key_id: key?.key_id ?? provider.provider_id }
}

/** An open breaker whose time has come lets one call through, which has to take the probe first. */
export function needsProbe(candidate: Candidate, caller: Pick<gatewayAccess.GatewayAccess, 'troubles'>) {
  return probeOf(candidate, caller) !== null
}

function probeOf(
  candidate: Pick<Candidate, 'provider' | 'key'>,
  { troubles }: Pick<gatewayAccess.GatewayAccess, 'troubles'>,
): number | null {
  const { provider_id, key_id } = breakerOf(candidate)
  const found = troubles.find(
    (one) => one.provider_id === provider_id && one.key_id === key_id && one.probe_at !== null,
  )
  return found?.probe_at ? new Date(found.probe_at).getTime() : null
}

function isOpen(candidate: Candidate, caller: Pick<gatewayAccess.GatewayAccess, 'troubles'>, now: Date) {
  const probe_at = probeOf(candidate, caller)
  return probe_at !== null && probe_at > now.getTime()
}

function isCooling({ key }: Candidate, { troubles }: Pick<gatewayAccess.GatewayAccess, 'troubles'>) {
  return troubles.some((one) => one.key_id === key?.key_id && one.cooling_until !== null)
}

function keysOf(
  provider: Provider,
  { pools }: Pick<gatewayAccess.GatewayAccess, 'pools'>,
): readonly (UpstreamKey | null)[] {
  const pool = pools[provider.slug]
  if (pool !== undefined)
    return pool.flatMap((key_id) => provider.keys.filter((key) => key.key_id === key_id))
  return provider.keys.length === 0 ? [null] : provider.keys
}

function providerNamed({ providers }: GatewayConfig, { provider }: ModelName): Provider {
  const found = providers.find(({ slug }) => slug === provider)
  if (!found) throw new Error(`The provider ${provider} of a found model is not there`)
  return found
}

interface SetFallback {
  readonly model: string
  readonly billed: boolean
  readonly set_by: Provider['scope']
}

/** The list of the nearest place that has one for the model. */
function fallbacksOf({ settings }: GatewayConfig, asked: ModelName): readonly SetFallback[] {
  for (const set_by of ['project', 'account', 'operator'] as const) {
    const lists = settings[set_by]?.fallbacks ?? {}
    const list = lists[modelText(asked)] ?? lists[`${asked.provider}/${asked.id}`]
    if (list)
      return list.map((entry) =>
        typeof entry === 'string'
          ? { model: entry, billed: false, set_by }
          : { model: entry.model, billed: entry.billed === true, set_by },
      )
  }
  return []
}

/** A call on an operator's provider is paid by the account, one on another place's key by that place. */
function pays(set_by: Provider['scope'], scope: Provider['scope']): boolean {
  return set_by === scope || (scope === 'operator' && set_by === 'account')
}

function modelOf(config: GatewayConfig, name: string): ModelName | null {
  try {
    return findModel(name, offersOf(config))
  } catch {
    return null
  }
}

export function offersOf({ providers }: GatewayConfig) {
  return providers
    .filter(({ enabled }) => enabled)
    .map(({ slug, models }) => ({ provider: slug, models: models?.map(({ id }) => id) ?? null }))
}
