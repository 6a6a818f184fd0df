import type { gatewayProviders, ProviderKeyRow, ProviderKind, ProviderModel } from '@svc/db'
import { ownProvider } from '@svc/models'
import type { OfferedModel } from '@svc/spend'
import { demoModel } from '../demo-model/completion.ts'
import type { Upstream } from '../upstream.ts'
import { type Deadlines, defaultDeadlines } from '../upstream/deadlines.ts'

/** A key of a provider; its secret is opened for each request. */
export interface UpstreamKey {
  readonly key_id: string
  readonly row: ProviderKeyRow | null
}

/** A provider as a call sees it. */
export interface Provider {
  readonly provider_id: string
  readonly scope: 'operator' | 'account' | 'project'
  readonly slug: string
  readonly kind: ProviderKind
  readonly base_url: string
  /** Null: each id is worth a try, and the upstream lists them. */
  readonly models: readonly OfferedModel[] | null
  readonly deadlines: Deadlines
  readonly output_limit_field: 'max_tokens' | 'max_completion_tokens'
  readonly enabled: boolean
  readonly keys: readonly UpstreamKey[]
}

export function providerOf(row: gatewayProviders.ProviderWithKeys): Provider {
  const { provider_id, scope, slug, kind, base_url, output_limit_field, enabled } = row
  return {
    ...{ provider_id, scope, slug, kind, base_url, output_limit_field, enabled },
    models: row.models?.map(offered) ?? null,
    deadlines: deadlinesWith(row.deadlines),
    keys: row.keys.filter((key) => key.enabled).map((key) => ({ key_id: key.key_id, row: key })),
  }
}

/** The provider of the platform itself: the endpoint of the operator's settings, or the scripted model. */
export function ownProviderOf(upstream: Upstream | null, provider_id: string): Provider {
  const common = {
    provider_id,
    scope: 'operator',
    slug: ownProvider,
    enabled: true,
    keys: [],
    // What most endpoints of the kind read.
    output_limit_field: 'max_tokens',
  } as const
  if (upstream === null) {
    const { id, name, context_window, max_output_tokens } = demoModel
    const models = [{ id, name, context_window, max_output_tokens }]
    return { ...common, kind: 'demo', base_url: '', models, deadlines: defaultDeadlines }
  }
  const { base_url, model, deadlines } = upstream
  return { ...common, kind: 'openai_compatible', base_url, models: [{ id: model }], deadlines }
}

function deadlinesWith(set: Partial<{ [Name in keyof Deadlines]: number | undefined }>): Deadlines {
  const { connect_ms, first_byte_ms, idle_ms, total_ms } = defaultDeadlines
  return {
    connect_ms: set.connect_ms ?? connect_ms,
    first_byte_ms: set.first_byte_ms ?? first_byte_ms,
    idle_ms: set.idle_ms ?? idle_ms,
    total_ms: set.total_ms ?? total_ms,
  }
}

function offered(model: ProviderModel): OfferedModel {
  return typeof model === 'string' ? { id: model } : model
}
