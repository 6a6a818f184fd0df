import type { Context } from '@svc/context'
import { requireCaller } from '../calls/caller.ts'
import { connectorOf } from './definition.ts'
import { usableConnectors, usableTools } from './search.ts'

type ToolContext = Pick<Context, 'db' | 'principal' | 'trail'>

/** Actions that the caller may call and that may be tools of their own: those of connectors that are `inline`. */
export async function listTools(ctx: ToolContext, { project_id }: { readonly project_id: string }) {
  const { rows, tools } = await allTools(ctx, project_id)
  const inline = new Set(rows.filter((row) => connectorOf(row).inline).map(({ slug }) => slug))
  return tools.filter(({ connector }) => inline.has(connector))
}

/** The action by its name as a tool, or by `<slug>.<action>`; undefined when the caller may not call one of that name. */
export async function findTool(
  ctx: ToolContext,
  { project_id, tool }: { readonly project_id: string; readonly tool: string },
) {
  const { tools } = await allTools(ctx, project_id)
  return tools.find((one) => one.tool === tool || `${one.connector}.${one.action}` === tool)
}

async function allTools(ctx: ToolContext, project_id: string) {
  const rows = await usableConnectors(ctx, await requireCaller(ctx, project_id))
  return { rows, tools: await usableTools(ctx, rows) }
}
