import type { ConnectorInput, authTypes } from '../schema/connector.ts'

export interface ConnectorPolicy {
  readonly match: string
  readonly action: 'always_run' | 'require_approval' | 'block'
}

/** Keys beside `type` depend on it and are passed on as they are written. */
export type ConnectorAuth = { readonly type: (typeof authTypes)[number] } & Readonly<Record<string, unknown>>

interface ConnectorCommon {
  readonly slug: string
  readonly name: string
  readonly authorization_strategy: 'project' | 'user'
  readonly auth: ConnectorAuth | null
  readonly headers: Readonly<Record<string, string>>
  readonly policies: readonly ConnectorPolicy[]
}

export type Connector = ConnectorCommon &
  (
    | { readonly provider: 'aggregator_a'; readonly app: string }
    | { readonly provider: 'aggregator_b'; readonly app: string | null }
    | { readonly provider: 'mcp'; readonly url: string; readonly transport: 'http' | 'sse' }
    | { readonly provider: 'openapi'; readonly spec: string | null; readonly base_url: string | null }
    | { readonly provider: 'collection'; readonly spec: string | null; readonly base_url: string | null }
    | { readonly provider: 'graphql'; readonly endpoint: string }
    | { readonly provider: 'http'; readonly base_url: string }
    | { readonly provider: 'channel'; readonly platform: 'chat_a' | 'chat_b' | 'email' }
    | { readonly provider: 'computer' }
  )

/** undefined when a key that the provider needs is missing, which the shape has said already. */
export function toConnector(input: ConnectorInput): Connector | undefined {
  const common: ConnectorCommon = {
    slug: input.slug,
    name: input.name ?? input.slug,
    authorization_strategy: input.authorization_strategy ?? 'project',
    auth: input.auth ?? null,
    headers: input.headers ?? {},
    policies: input.policies ?? [],
  }
  const { provider, app, url, endpoint, platform, spec = null } = input
  const base_url = input.base_url ?? input.baseUrl
  switch (provider) {
    case 'aggregator_a':
      return app === undefined ? undefined : { ...common, provider, app }
    case 'aggregator_b':
      return { ...common, provider, app: app ?? null }
    case 'mcp':
      return url === undefined
        ? undefined
        : { ...common, provider, url, transport: input.transport ?? 'http' }
    case 'openapi':
      return { ...common, provider, spec, base_url: base_url ?? null }
    case 'collection':
      return { ...common, provider, spec, base_url: base_url ?? null }
    case 'graphql':
      return endpoint === undefined ? undefined : { ...common, provider, endpoint }
    case 'http':
      return base_url === undefined ? undefined : { ...common, provider, base_url }
    case 'channel':
      return platform === undefined ? undefined : { ...common, provider, platform }
    case 'computer':
      return { ...common, provider }
  }
}
