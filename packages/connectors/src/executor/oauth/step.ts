import { type ConnectorRow, connectors, type ProjectRow } from '@svc/db'
import { ServiceError } from '@svc/errors'
import type { ExecutorContext } from '../../context.ts'
import { requireProjectRow } from '../target.ts'

export interface AuthorizationKey {
  readonly project_id: string
  readonly slug: string
  readonly authorization_id: string
}

export interface BeginningKey extends AuthorizationKey {
  readonly user_id: string | null
}

/** The time that the services of one step have to answer. */
const stepMs = 20_000

export async function declared(
  ctx: ExecutorContext,
  { project_id, slug }: AuthorizationKey,
): Promise<{ readonly row: ConnectorRow; readonly project: ProjectRow }> {
  const row = await connectors.find(ctx.db, { project_id, slug })
  if (row === undefined)
    throw new ServiceError(
      'not_found',
      `${slug} is not declared any more; declare it in svc.yaml and merge that`,
    )
  return { row, project: await requireProjectRow(ctx, project_id) }
}

export const limited = (ctx: ExecutorContext) => AbortSignal.any([ctx.signal, AbortSignal.timeout(stepMs)])
