import { createDiscover, decide, isHidden, type JsonObject, toolNames } from '@svc/connector'
import { recordAudit } from '@svc/context'
import { connectorActions, type ConnectorActionRow, type ConnectorRow, connectors } from '@svc/db'
import { ServiceError } from '@svc/errors'
import type { ConnectorContext } from '../context.ts'
import { catalogueDigest } from './catalogue-digest.ts'
import { decideCall } from './decide-call.ts'
import { rulesOf } from './definition.ts'
import { type ConnectorInput, type ReadContext, requireConnector, showConnector } from './list.ts'

/** The actions of a connector with what would become of each: the blocked ones too, marked as such. */
export async function listActions(
  ctx: ReadContext,
  input: ConnectorInput & { readonly query?: string | undefined },
) {
  const { row } = await requireConnector(ctx, input, 'project.connector.read')
  const rows = await activeActions(ctx, row)
  const names = toolNames(rows)
  const all = rows.map((action, at) => presentAction(row, action, names[at] ?? action.action))
  const { query } = input
  const found = query === undefined || query.trim() === '' ? all : createDiscover(all.map(asFound))(query)
  return { actions: found.map(({ connector: _, ...action }) => action), next_cursor: null }
}

async function activeActions(ctx: Pick<ReadContext, 'db'>, row: ConnectorRow): Promise<ConnectorActionRow[]> {
  const rows = await connectorActions.list(ctx.db, row.project_id, [row.slug])
  return rows.filter(({ state }) => state !== 'gone')
}

function presentAction(row: ConnectorRow, action: ConnectorActionRow, tool: string) {
  const { title, description, risk, state, input_schema } = action
  const { decision, rule } = decide({ connector: rulesOf(row), action, args: {} })
  const name = action.action
  const hidden = isHidden(rulesOf(row), action)
  return {
    connector: row.slug,
    tool,
    action: name,
    title,
    description,
    risk,
    state,
    decision,
    rule,
    hidden,
    input_schema,
  }
}

const asFound = <T>(action: T): T => action

export interface AcceptInput extends ConnectorInput {
  /** Of the catalogue that was looked at. */
  readonly catalogue_digest: string
  /** All that changed, unless some are named. */
  readonly actions?: readonly string[] | undefined
}

/** Says that what changed of its actions was looked at: rules that let them run do so again. */
export async function acceptActions(ctx: ConnectorContext, input: AcceptInput) {
  const { project, row } = await requireConnector(ctx, input, 'project.connector.write')
  const { project_id, slug } = row
  const wanted = input.actions === undefined ? null : new Set(input.actions)
  await ctx.db.transaction().execute(async (tx) => {
    const current = await connectors.lock(tx, input)
    if (current?.catalogue_digest !== input.catalogue_digest)
      throw new ServiceError(
        'CATALOGUE_STALE',
        'The actions changed since you looked at them; look again, and accept what they are now',
        { catalogue_digest: current?.catalogue_digest ?? null },
      )
    const rows = await connectorActions.list(tx, project_id, [slug])
    const accepted = rows.filter(({ action, state }) => state === 'changed' && (wanted?.has(action) ?? true))
    await connectorActions.accept(
      tx,
      input,
      accepted.map(({ action }) => action),
    )
    const next = await connectorActions.list(tx, project_id, [slug])
    await connectors.setDigest(tx, input, catalogueDigest(next))
    await recordAudit(ctx, tx, {
      ...{ account_id: project.account_id, project_id, action: 'acceptConnectorActions' },
      target: `projects/${project_id}/connectors/${slug}`,
      details: { actions: accepted.map(({ action }) => action) },
    })
  })
  return showConnector(ctx, (await connectors.find(ctx.db, input)) ?? row)
}

/** The decision on a call, the rule that says so, and why each one before it did not. It calls nothing. */
export async function testPolicy(
  ctx: ReadContext,
  input: ConnectorInput & { readonly action: string; readonly args?: JsonObject | undefined },
) {
  const { row } = await requireConnector(ctx, input, 'project.connector.read')
  const action = await connectorActions.find(ctx.db, input, input.action)
  if (action === undefined || action.state === 'gone')
    throw new ServiceError(
      'not_found',
      `${row.slug} has no action ${JSON.stringify(input.action)}; list its actions and take a name from there`,
    )
  const { steps, ...decided } = decideCall(row, action, input.args ?? {}).decision
  return { ...decided, steps: [...steps] }
}
