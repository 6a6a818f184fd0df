import { createDiscover, decide, type Discover, isHidden, toolNames } from '@svc/connector'
import type { Context } from '@svc/context'
import { connectorActions, type ConnectorActionRow, type ConnectorRow } from '@svc/db'
import { LRUCache } from 'lru-cache'
import { catalogueDigest } from './catalogue-digest.ts'
import { rulesOf } from './definition.ts'

export type UsableTool = ReturnType<typeof toolsFrom>[number]

export interface UsableTools {
  /** Every action that some arguments could let through, by the names that they have as tools. */
  readonly tools: readonly UsableTool[]
  /** Searches them; the index is made with the first search. */
  readonly discover: Discover<UsableTool>
}

/** In actions: 5,000 of them with their index take some 11 MB. */
const kept = new LRUCache<string, UsableTools>({
  maxSize: 50_000,
  sizeCalculation: ({ tools }) => tools.length + 1,
})

/**
 * The tools of these connectors, kept for as long as nothing changes that they are made of. They are of the connectors of one
 * caller alone: another set of connectors is another entry, so that a caller finds nothing of one that is not theirs.
 */
export async function toolsOf(ctx: Pick<Context, 'db'>, rows: readonly ConnectorRow[]): Promise<UsableTools> {
  const key = keyOf(rows)
  const known = kept.get(key)
  if (known !== undefined) return known
  const actions = await actionsOf(ctx, rows)
  // Another request may have made them while the rows were read.
  const made = kept.get(key) ?? withSearch(toolsFrom(rows, actions))
  if (isOfRows(rows, actions)) kept.set(key, made)
  return made
}

/** Another with each change of what the tools are made of. A title is in no digest: a look at the service is a new time. */
function keyOf(rows: readonly ConnectorRow[]): string {
  return JSON.stringify(
    rows.map(({ project_id, slug, definition_digest, catalogue_digest, synced_at }) => [
      ...[project_id, slug, definition_digest],
      ...[catalogue_digest, synced_at],
    ]),
  )
}

async function actionsOf(
  ctx: Pick<Context, 'db'>,
  rows: readonly ConnectorRow[],
): Promise<ConnectorActionRow[]> {
  const [first] = rows
  const slugs = rows.map(({ slug }) => slug)
  return first === undefined ? [] : connectorActions.list(ctx.db, first.project_id, slugs)
}

/** False when a look at a service wrote its actions after `rows` were read: those would be kept under the name of older ones. */
function isOfRows(rows: readonly ConnectorRow[], actions: readonly ConnectorActionRow[]): boolean {
  const by_slug = new Map<string, ConnectorActionRow[]>(rows.map(({ slug }) => [slug, []]))
  for (const action of actions) by_slug.get(action.slug)?.push(action)
  return rows.every(({ slug, catalogue_digest }) => {
    const own = by_slug.get(slug) ?? []
    return catalogue_digest === null ? own.length === 0 : catalogueDigest(own) === catalogue_digest
  })
}

function toolsFrom(rows: readonly ConnectorRow[], actions: readonly ConnectorActionRow[]) {
  const rules = new Map(rows.map((row) => [row.slug, rulesOf(row)]))
  const usable = actions.filter((action) => {
    const of = rules.get(action.slug)
    return action.state !== 'gone' && of !== undefined && !isHidden(of, action)
  })
  const names = toolNames(usable)
  return usable.flatMap((row, at) => {
    const of = rules.get(row.slug)
    const { action, title, description, risk, input_schema, slug: connector } = row
    if (of === undefined) return []
    const { decision } = decide({ connector: of, action: row, args: {} })
    const tool = names[at] ?? action
    const needs_approval = decision === 'require_approval'
    return [{ tool, connector, action, title, description, risk, needs_approval, input_schema }]
  })
}

function withSearch(tools: readonly UsableTool[]): UsableTools {
  let search: Discover<UsableTool> | undefined
  return {
    tools,
    discover: (query, options) => {
      search ??= createDiscover(tools)
      return search(query, options)
    },
  }
}
