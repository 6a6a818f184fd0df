import type { Context } from '@svc/context'
import { connections, type ConnectorRow, connectors } from '@svc/db'
import { type Caller, requireCaller } from '../calls/caller.ts'
import { askingOf, pickConnection } from '../connections/resolve.ts'
import { connectorOf } from './definition.ts'
import { toolsOf, type UsableTool } from './kept-tools.ts'
import { connectUrl } from './urls.ts'

export interface SearchInput {
  readonly project_id: string
  readonly query?: string | undefined
  readonly connector?: string | undefined
  readonly limit?: number | undefined
}

/** Actions that the caller may call, the best first, and the connectors that they are of. What is blocked is not there. */
export async function searchTools(
  ctx: Pick<Context, 'db' | 'principal' | 'trail' | 'settings'>,
  input: SearchInput,
) {
  const caller = await requireCaller(ctx, input.project_id)
  const rows = await usableConnectors(ctx, caller)
  const { query = '', connector, limit } = input
  const { discover } = await toolsOf(ctx, rows)
  const found = discover(query, { connector, limit })
  return { tools: [...found], connectors: await showUsable(ctx, caller, rows) }
}

export async function usableConnectors(
  ctx: Pick<Context, 'db'>,
  { project, allowed }: Caller,
): Promise<ConnectorRow[]> {
  const rows = await connectors.list(ctx.db, project.project_id)
  return rows.filter(({ slug }) => allowed === null || allowed.includes(slug))
}

/** Every action that some arguments could let through, by the names that they have as tools. */
export async function usableTools(
  ctx: Pick<Context, 'db'>,
  rows: readonly ConnectorRow[],
): Promise<readonly UsableTool[]> {
  return (await toolsOf(ctx, rows)).tools
}

async function showUsable(
  ctx: Pick<Context, 'db' | 'settings'>,
  { project: { project_id }, session, actor: { user_id } }: Caller,
  rows: readonly ConnectorRow[],
) {
  const known = await connections.list(ctx.db, { project_id, user_id })
  return rows.map((row) => {
    const { slug, status } = row
    const connector = connectorOf(row)
    const found = pickConnection(connector, askingOf({ session, user_id }, slug), known, status)
    return {
      ...{ slug, status, name: connector.name },
      connected: found.kind !== 'missing',
      connect_url: connectUrl(ctx.settings, { project_id, slug }),
    }
  })
}
