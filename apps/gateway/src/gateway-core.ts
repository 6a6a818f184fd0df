import type { BaseContext } from '@svc/context'
import type { ObjectStore } from '@svc/objects'
import { VaultError, type KeySealer } from '@svc/vault'
import { configReader } from './config/config.ts'
import { namedId, type NamedProvider } from './config/named-providers.ts'
import { ownProviderOf, type Provider, type UpstreamKey } from './config/provider.ts'
import { type Meter, openMeter } from './call/meter.ts'
import { GatewayRefusal } from './door/refusal.ts'
import type { Upstream } from './upstream.ts'
import { connectionPools, type ConnectionPools } from './upstream/pools.ts'

export interface GatewayParts extends Pick<
  BaseContext,
  'db' | 'now' | 'newId' | 'log' | 'metrics' | 'tracing'
> {
  /** The platform's own provider; null offers the scripted demo model. */
  readonly upstream: Upstream | null
  /** Providers of the operator that the environment names. */
  readonly named?: readonly NamedProvider[]
  /** The models that calls may name, of the operator; every one when absent. */
  readonly offered_models?: readonly string[] | undefined
  readonly default_model?: string | undefined
  /** Ranges of private addresses at which providers of accounts and projects may be. */
  readonly outbound_addresses?: readonly string[] | undefined
  /** Opens the keys of providers; absent where only those of the environment are used. */
  readonly sealer?: KeySealer | undefined
  /** Keeps bodies of calls where a project asks for that; absent where this gateway reaches no store. */
  readonly objects?: Pick<ObjectStore, 'put'> | undefined
}

/** The parts that every call works with. Nothing of it outlives the process. */
export interface GatewayCore extends Pick<
  GatewayParts,
  'db' | 'now' | 'newId' | 'log' | 'metrics' | 'tracing' | 'objects' | 'sealer'
> {
  readonly config: ReturnType<typeof configReader>
  readonly pools: ConnectionPools
  readonly meter: Meter
  readonly offered_models: readonly string[] | null
  readonly default_model: string | null
  /** Ends the calls that outlive the drain. */
  readonly stopping: AbortSignal
  /** The secret of a provider's key; null where it is asked without one. */
  secretOf(provider: Provider, key: UpstreamKey | null): string | null
}

export function gatewayCore(parts: GatewayParts, stopping: AbortSignal): GatewayCore {
  const { db, now, newId, log, metrics, tracing, upstream, sealer, named = [] } = parts
  const own = ownProviderOf(upstream, namedId('svc'))
  const variables = new Map(named.map(({ api_key_env, api_key }) => [api_key_env, api_key]))
  return {
    ...{ db, now, newId, log, metrics, tracing, stopping, sealer },
    objects: parts.objects,
    config: configReader(db, own),
    pools: connectionPools({ open: parts.outbound_addresses ?? [] }),
    meter: openMeter({ db, now, newId, log }),
    offered_models: parts.offered_models ?? null,
    default_model: parts.default_model ?? null,
    secretOf(provider, key) {
      if (provider.provider_id === own.provider_id) return upstream?.api_key ?? null
      if (key === null || key.row === null) return null
      const { row } = key
      if (row.variable !== null) return variables.get(row.variable) ?? keyGone(provider, row.name)
      if (row.sealed === null || sealer === undefined) return keyGone(provider, row.name)
      try {
        return sealer.open([row.provider_id, row.key_id], row.sealed)
      } catch (error) {
        if (!(error instanceof VaultError)) throw error
        return keyGone(provider, row.name, error)
      }
    },
  }
}

function keyGone({ slug }: Provider, name: string, cause?: unknown): never {
  throw new GatewayRefusal(
    {
      status: 503,
      code: 'model_unavailable',
      message: `This gateway cannot open the key ${name} of the provider ${slug}; ask the operator to see SVC_GATEWAY_MASTER_KEY and SVC_GATEWAY_PROVIDERS`,
    },
    { cause },
  )
}
