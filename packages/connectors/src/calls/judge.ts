import { checkArguments, type DecisionMade, type JsonObject } from '@svc/connector'
import {
  callReads,
  type ConnectorActionRow,
  type ConnectionRow,
  type ConnectorRow,
  personalSecrets,
} from '@svc/db'
import type { Connector } from '@svc/manifest'
import { settled } from '@svc/timing'
import type { ConnectorContext } from '../context.ts'
import { decideCall } from '../connectors/decide-call.ts'
import { connectorOf } from '../connectors/definition.ts'
import { connectUrl } from '../connectors/urls.ts'
import { askingOf, pickConnection } from '../connections/resolve.ts'
import type { Caller } from './caller.ts'
import { type RefusedCall, refusedCall } from './outcome.ts'

export interface AskedAction {
  readonly connector: string
  readonly action: string
  readonly args: JsonObject
}

/** A call that nothing forbids: to be run, or to be frozen for a person. */
export interface JudgedCall {
  readonly row: ConnectorRow
  readonly connector: Connector
  /** With the risk of this very call. */
  readonly action: ConnectorActionRow
  readonly decision: DecisionMade
  readonly connection: ConnectionRow | null
}

/** A refusal that the ledger keeps, with the action that it is about; others leave nothing behind. */
export interface Refusal {
  readonly refused: RefusedCall
  readonly kept?: Pick<JudgedCall, 'row' | 'action' | 'decision'>
}

type JudgeContext = Pick<ConnectorContext, 'db' | 'settings' | 'executor'>

/** The parts of a call as they were read for one person's connections, and the project's. */
interface ReadAhead {
  readonly owner: string
  readonly parts: Promise<callReads.AskedParts | undefined>
}

/** Reads the parts beside the caller's own rows, where the token itself names the project. */
export function readAhead(
  { db, principal }: Pick<ConnectorContext, 'db' | 'principal'>,
  { project_id, connector: slug, action }: AskedAction & { readonly project_id: string },
): ReadAhead | undefined {
  if (principal.type !== 'session' || principal.project_id !== project_id) return undefined
  const owner = principal.user_id
  const parts = callReads.findAsked(db, { project_id, slug, action, owner })
  parts.catch(() => {})
  return { owner, parts }
}

/**
 * The gate, in its order: the session's list, connector, action, arguments, policy, connection. Nothing has left the
 * platform when it says no.
 */
export async function judgeCall(
  ctx: JudgeContext,
  caller: Caller,
  asked: AskedAction,
  ahead?: ReadAhead,
): Promise<JudgedCall | Refusal> {
  const key = { project_id: caller.project.project_id, slug: asked.connector }
  const asking = askingOf({ session: caller.session, user_id: caller.actor.user_id }, asked.connector)
  const { owner } = asking
  const read = owner === null || owner === ahead?.owner ? ahead?.parts : undefined
  const parts = await findParts(ctx, caller, { ...key, action: asked.action, owner }, read)
  if (parts === undefined) return { refused: noConnector(asked, caller) }
  const { connector: row, action: found, connections } = parts
  const connector = connectorOf(row)
  if (found === undefined || found.state === 'gone') return { refused: withoutAction(ctx, row, asked) }
  const fit = checkArguments(found.input_schema, asked.args)
  if (!fit.ok)
    return {
      refused: refusedCall(fit.reason, fit.message, fit.issues.length > 0 ? { issues: [...fit.issues] } : {}),
    }
  const { action, decision } = decideCall(row, found, asked.args)
  const kept = { row, action, decision }
  if (decision.decision === 'block') return { refused: blocked(asked, decision), kept }
  const resolved = pickConnection(connector, asking, connections, row.status)
  if (resolved.kind === 'missing')
    return { refused: unconnected(connector, resolved.why, connectUrl(ctx.settings, key)), kept }
  const connection = resolved.kind === 'connection' ? resolved.connection : null
  if (connection !== null && !(await isOwnersAlone(ctx, caller, connection)))
    return { refused: unconnected(connector, 'none', connectUrl(ctx.settings, key)), kept }
  return { row, connector, action, decision, connection }
}

/**
 * A session that calls with a connection of its owner is the owner's alone from then on: no other person speaks to an agent
 * that acts as the owner. False when it was shared meanwhile.
 */
async function isOwnersAlone(
  { db }: Pick<JudgeContext, 'db'>,
  { session }: Caller,
  { user_id }: ConnectionRow,
): Promise<boolean> {
  if (user_id === null || session === null || session.holds_personal_secrets) return true
  return personalSecrets.claimSession(db, session.session_id)
}

/** The wait for a first reading: with that for the call, it is within the time of a request. */
const firstReadMs = 3_000

/** One that was declared a moment ago is read at once; a slow service goes on being read when this call has its answer. */
async function findParts(
  ctx: JudgeContext,
  caller: Caller,
  asked: Parameters<typeof callReads.findAsked>[1],
  read?: ReadAhead['parts'],
): Promise<callReads.AskedParts | undefined> {
  const { project_id, slug } = asked
  if (caller.allowed !== null && !caller.allowed.includes(slug)) return undefined
  const parts = await (read ?? callReads.findAsked(ctx.db, asked))
  if (parts === undefined || parts.connector.synced_at !== null || parts.connector.status === 'error')
    return parts
  const reading = ctx.executor.sync({ project_id, slug })
  if (await settled(firstReadMs, reading)) await reading
  return callReads.findAsked(ctx.db, asked)
}

function noConnector({ connector }: AskedAction, { allowed }: Caller): RefusedCall {
  const named = JSON.stringify(connector)
  const usable = allowed === null ? '' : `; this agent may use ${allowed.join(', ') || 'none'}`
  return refusedCall(
    'connector_not_found',
    `There is no connector ${named} here${usable}. Declare it in svc.yaml and list it for the agent`,
  )
}

/** The reason why an action is not there: what its service has is known only once it could be asked. */
function withoutAction({ settings }: JudgeContext, row: ConnectorRow, asked: AskedAction): RefusedCall {
  if (row.status === 'error') return unusable(row)
  if (row.status === 'syncing') return beingRead(row)
  if (row.status !== 'needs_connection') return noAction(asked)
  return unconnected(connectorOf(row), 'none', connectUrl(settings, row))
}

function noAction({ connector, action }: AskedAction): RefusedCall {
  return refusedCall(
    'action_not_found',
    `${connector} has no action ${JSON.stringify(action)}; discover or list its actions and take a name from there`,
  )
}

function unusable({ slug, error }: ConnectorRow): RefusedCall {
  return refusedCall(
    'connector_unusable',
    `The actions of ${slug} could not be read: ${error}; a person reads them again, or connects it anew`,
    {
      detail: error,
    },
  )
}

function beingRead({ slug }: ConnectorRow): RefusedCall {
  return refusedCall(
    'connector_unusable',
    `The actions of ${slug} are being read for the first time, which its service takes long for; call again in a minute`,
    { detail: 'its actions are being read' },
  )
}

function blocked({ connector, action }: AskedAction, { rule, hidden }: DecisionMade): RefusedCall {
  const by = rule.match === null ? 'the default of the connector' : `the policy ${JSON.stringify(rule.match)}`
  const whole = hidden ? '' : ' with these arguments'
  return refusedCall(
    'policy_block',
    `${connector}.${action} is blocked${whole} by ${by}; a change of svc.yaml is the only way`,
    { rule },
  )
}

function unconnected(
  { slug, name }: Connector,
  why: 'none' | 'expired' | 'revoked',
  connect_url: string,
): RefusedCall {
  return why === 'expired'
    ? refusedCall('connection_expired', `The connection of ${name} expired; a person connects it again`, {
        connector: slug,
        connect_url,
      })
    : refusedCall('connector_not_connected', `${name} is not connected; a person connects it`, {
        connector: slug,
        connect_url,
      })
}
