import { requireProject } from '@svc/context'
import { connectorCalls, type ConnectorCallRow } from '@svc/db'
import { ServiceError } from '@svc/errors'
import type { ConnectorContext } from '../context.ts'
import { awaitCall } from './await-call.ts'
import { type Caller, requireCaller } from './caller.ts'
import type { CallOutcome } from './outcome.ts'
import { presentCall } from './present.ts'

export interface CallKey {
  readonly project_id: string
  readonly call_id: string
}

/** The state of a call: with its result for the one who called, without for others who may read the ledger. */
export async function getCall(
  ctx: ConnectorContext,
  { wait_seconds, ...key }: CallKey & { readonly wait_seconds: number },
): Promise<{ readonly outcome: CallOutcome; readonly call: ReturnType<typeof presentCall> }> {
  const { caller, row } = await requireCall(ctx, key)
  const outcome = await awaitCall(ctx, caller, row, wait_seconds)
  return { outcome, call: presentCall((await connectorCalls.find(ctx.db, key.call_id)) ?? row) }
}

/** The call, for its own caller and for those who may read the ledger of the project. */
export async function requireCall(
  ctx: Pick<ConnectorContext, 'db' | 'principal' | 'trail'>,
  { project_id, call_id }: CallKey,
): Promise<{ readonly caller: Caller; readonly row: ConnectorCallRow }> {
  const caller = await requireCaller(ctx, project_id)
  const row = await connectorCalls.find(ctx.db, call_id)
  if (row?.project_id === project_id && row.actor_id === caller.actor_id) return { caller, row }
  await requireProject(ctx, project_id, 'project.connector.read')
  if (row?.project_id !== project_id)
    throw new ServiceError('not_found', 'There is no such call; take its call_id from the answer to the call')
  return { caller, row }
}
