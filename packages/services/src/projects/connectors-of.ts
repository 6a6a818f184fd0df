import {
  type ConnectorsVerdict,
  type Context,
  pageUrl,
  type SessionOfConnectors,
  type Settings,
} from '@svc/context'
import type { Db } from '@svc/db'
import { ServiceError } from '@svc/errors'
import {
  grantedAgent,
  type ConnectorBindings,
  type Manifest,
  type SessionConnector,
  sessionConnectors,
} from '@svc/manifest'

/** The page of the dashboard where a person connects it. */
export const connectUrl = (
  settings: Pick<Settings, 'api_url'>,
  { project_id, slug }: { readonly project_id: string; readonly slug: string },
): string => pageUrl(settings, `/projects/${project_id}/connectors/${slug}`)

export interface ResolvedConnectors {
  /** In the manifest’s order. */
  readonly connectors: readonly SessionConnector[]
  /** Those without which a session of the agent does not start. */
  readonly required: readonly string[]
}

/**
 * The connectors that a session of this agent gets, as the manifest says. Refuses a binding of one that the agent may
 * not use, and an agent that needs one which nothing declares.
 */
export function resolveConnectors(
  manifest: Manifest | null,
  agent_name: string,
  bindings: ConnectorBindings = {},
): ResolvedConnectors {
  const agent = (manifest && grantedAgent(manifest, agent_name)) ?? noConnectors
  const { connectors, refused, undeclared } = sessionConnectors(manifest ?? noConnectors, agent, bindings)
  if (refused.length > 0) {
    const usable = connectors.map(({ slug }) => slug).join(', ') || 'none'
    const message = `is no connector that the agent ${agent_name} may use; it may use ${usable}`
    throw badBindings(refused.map((slug) => ({ slug, message })))
  }
  if (undeclared.length > 0)
    throw notConnected(
      `The agent ${agent_name} needs ${undeclared.join(', ')}: declare it under connectors in svc.yaml`,
      undeclared.map((slug) => ({ slug, connect_url: null })),
    )
  return { connectors, required: agent.connectors_required }
}

/** Refuses a session whose agent needs a connector that the session which starts it may not use. */
export function requireConnectors(agent_name: string, { connectors, required }: ResolvedConnectors): void {
  const lost = required.filter((slug) => !connectors.some((one) => one.slug === slug))
  if (lost.length === 0) return
  throw notConnected(
    `The agent ${agent_name} needs ${lost.join(', ')}, which the agent that starts it may not use: list it under connectors of that agent in svc.yaml`,
    lost.map((slug) => ({ slug, connect_url: null })),
  )
}

type ConnectionsContext = Pick<Context, 'settings' | 'session_connections'>

/** The refusal of a session for its connections: a choice that is none, or a required connector without one. */
export async function connectionsRefusal(
  ctx: ConnectionsContext,
  db: Db,
  agent_name: string,
  asked: SessionOfConnectors,
): Promise<ServiceError | null> {
  const found = await ctx.session_connections?.judge(db, asked)
  return found === undefined ? null : refusalOf(ctx, agent_name, asked, found)
}

function refusalOf(
  { settings }: ConnectionsContext,
  agent_name: string,
  { project_id }: SessionOfConnectors,
  { refused, unconnected }: ConnectorsVerdict,
): ServiceError | null {
  if (refused.length > 0) return badBindings(refused)
  if (unconnected.length === 0) return null
  const why = unconnected.map(({ slug, message }) => `${slug}, which ${message}`).join('; ')
  return notConnected(
    `The agent ${agent_name} needs ${why}. Connect it, or choose a connection in connector_bindings`,
    unconnected.map(({ slug }) => ({ slug, connect_url: connectUrl(settings, { project_id, slug }) })),
  )
}

/** Refuses choices of connections, each at its place. */
export function badBindings(
  refused: readonly { readonly slug: string; readonly message: string }[],
): ServiceError {
  const [first] = refused
  const more = refused.length > 1 ? ` (and ${refused.length - 1} more)` : ''
  return new ServiceError(
    'INVALID_SESSION_CONNECTOR_BINDINGS',
    `connector_bindings.${first?.slug} ${first?.message}${more}`,
    { issues: refused.map(({ slug, message }) => ({ path: `connector_bindings.${slug}`, message })) },
  )
}

const notConnected = (
  message: string,
  connectors: readonly { readonly slug: string; readonly connect_url: string | null }[],
): ServiceError => new ServiceError('connector_not_connected', message, { connectors })

const noConnectors = { connectors: [], connectors_required: [] } as const
