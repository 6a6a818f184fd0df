import type { ConnectorInput, authTypes } from '../schema/connector.ts'
import type { policyActions } from '../schema/policy.ts'

type PolicyAction = (typeof policyActions)[number]

/** One of `equals`, `in`, `matches` and `exists`, of the values at `path` of the arguments. */
export type PolicyClause = { readonly path: string } & (
  | { readonly equals: string | number | boolean | null }
  | { readonly in: readonly (string | number | boolean | null)[] }
  | { readonly matches: string }
  | { readonly exists: boolean }
)

export interface ConnectorPolicy {
  readonly match: string
  readonly action: PolicyAction
  /** all of them must hold; none asks nothing of the arguments */
  readonly when: readonly PolicyClause[]
  /** another person than the one who launched the session decides */
  readonly second_person: boolean
  /** a duration from `1h` to `7d`, after which no person can approve any more */
  readonly expires: string
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
  /** where no policy matches; `risk`: reads run, everything else asks */
  readonly default_action: PolicyAction | 'risk'
  readonly timeout_seconds: number
  /** the upstream's own header for a key that makes a repeated request harmless; null where it has none */
  readonly idempotency_header: string | null
  readonly oauth: { readonly client_id: string | null; readonly scopes: readonly string[] }
  /** whether its actions may be tools of their own in `svc-executor` */
  readonly inline: boolean
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

const defaultTimeoutSeconds = 60
const defaultExpiry = '24h'

/** undefined when a key that the provider needs is missing, which the shape has said already. */
export function toConnector(input: ConnectorInput): Connector | undefined {
  const common: ConnectorCommon = {
    slug: input.slug,
    name: input.name ?? input.slug,
    // A computer is a person's own, unless the manifest says that it is the project's.
    authorization_strategy:
      input.authorization_strategy ?? (input.provider === 'computer' ? 'user' : 'project'),
    auth: input.auth ?? null,
    headers: input.headers ?? {},
    policies: (input.policies ?? []).map(toPolicy),
    default_action: input.default_action ?? 'risk',
    timeout_seconds: input.timeout_seconds ?? defaultTimeoutSeconds,
    idempotency_header: input.idempotency_header ?? null,
    oauth: { client_id: input.oauth?.client_id ?? null, scopes: input.oauth?.scopes ?? [] },
    inline: input.inline ?? true,
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

type PolicyInput = NonNullable<ConnectorInput['policies']>[number]
type ClauseInput = NonNullable<PolicyInput['when']>[number]

function toPolicy({
  match,
  action,
  when = [],
  second_person = false,
  expires,
}: PolicyInput): ConnectorPolicy {
  return { match, action, when: when.map(toClause), second_person, expires: expires ?? defaultExpiry }
}

/** The shape has said that one of them is there, and no second one. */
function toClause({ path, equals, in: values, matches, exists }: ClauseInput): PolicyClause {
  if (equals !== undefined) return { path, equals }
  if (values !== undefined) return { path, in: values }
  if (matches !== undefined) return { path, matches }
  return { path, exists: exists ?? true }
}
