import type { PriceCard } from '@svc/models'
import type { Generated, JSONColumnType, Selectable } from 'kysely'
import type { PlaceColumns } from './place.ts'

/** `demo` is the scripted model of the platform. */
export const providerKinds = ['openai', 'openai_compatible', 'anthropic', 'demo'] as const
export type ProviderKind = (typeof providerKinds)[number]

export const providerManagers = ['api', 'environment'] as const
export const outputLimitFields = ['max_tokens', 'max_completion_tokens'] as const
export const breakerStates = ['closed', 'open', 'half_open'] as const

/** A model by its id, or with what is known of it. */
export type ProviderModel =
  | string
  | {
      readonly id: string
      readonly name?: string | undefined
      readonly context_window?: number | undefined
      readonly max_output_tokens?: number | undefined
    }

export interface ProviderDeadlines {
  readonly connect_ms?: number | undefined
  readonly first_byte_ms?: number | undefined
  readonly idle_ms?: number | undefined
  readonly total_ms?: number | undefined
}

export interface ProviderTable extends PlaceColumns {
  provider_id: string
  slug: string
  kind: ProviderKind
  base_url: string
  /** Null: those that the upstream lists. */
  models: JSONColumnType<readonly ProviderModel[] | null, string | null, string | null>
  deadlines: JSONColumnType<ProviderDeadlines>
  output_limit_field: (typeof outputLimitFields)[number]
  enabled: Generated<boolean>
  /** `environment`: a setting of the operator's names it, and nothing else changes it. */
  managed_by: (typeof providerManagers)[number]
  created_by: string | null
  created_at: Date
  updated_at: Date
}

/** The list of a provider of the environment, whose id stays while its row is replaced at each start of a gateway. */
export interface ProviderListTable {
  provider_id: string
  models: JSONColumnType<readonly ProviderModel[]>
  listed_at: Date
}

export interface ProviderKeyTable {
  key_id: string
  provider_id: string
  name: string
  /** Under the gateway's own master key. */
  sealed: string | null
  /** The variable of the gateway that holds it, of a provider that the environment names. */
  variable: string | null
  /** The last four characters. */
  hint: string
  enabled: Generated<boolean>
  /** Until then it is tried last. */
  cooling_until: Generated<Date | null>
  last_used_at: Generated<Date | null>
  last_error: Generated<string | null>
  created_at: Date
}

export interface BreakerTable {
  provider_id: string
  key_id: string
  state: (typeof breakerStates)[number]
  failures: number
  since: Date
  probe_at: Date | null
}

/** A fallback by its name, or with who pays said. */
export type Fallback = string | { readonly model: string; readonly billed?: boolean | undefined }

export interface GatewaySettingsTable extends PlaceColumns {
  default_model: string | null
  /** Globs; null lets every model through. */
  models: string[] | null
  agents: JSONColumnType<Readonly<Record<string, { readonly models: readonly string[] | null }>>>
  fallbacks: JSONColumnType<Readonly<Record<string, readonly Fallback[]>>>
  log_bodies: Generated<boolean>
  body_days: Generated<number>
  /** Another with every change of what the place decides, of its providers and of its prices. */
  revision: Generated<number>
}

export interface GatewayPriceTable extends PlaceColumns {
  model: string
  price_id: string
  card: JSONColumnType<PriceCard>
  updated_at: Date
}

export type ProviderRow = Selectable<ProviderTable>
export type ProviderKeyRow = Selectable<ProviderKeyTable>
export type GatewaySettingsRow = Selectable<GatewaySettingsTable>
export type GatewayPriceRow = Selectable<GatewayPriceTable>
