import { recordOperatorAudit, requirePlatformAdmin } from '@svc/context'
import { processes } from '@svc/db'
import { ServiceError } from '@svc/errors'
import type { Changing } from '../context.ts'

interface ProcessInput {
  readonly process_id: string
}

/** Has a process take no new job and finish what it has, from its next sign of life on. */
export async function drainProcess(ctx: Changing, { process_id }: ProcessInput) {
  const { user_id } = await requirePlatformAdmin(ctx)
  const to = { state: 'draining', drain_reason: `Asked for by the platform admin ${user_id}` } as const
  return setState(ctx, process_id, 'drainProcess', to)
}

/** Has it take jobs again. */
export async function resumeProcess(ctx: Changing, { process_id }: ProcessInput) {
  await requirePlatformAdmin(ctx)
  return setState(ctx, process_id, 'resumeProcess', { state: 'running', drain_reason: null })
}

function setState(
  ctx: Changing,
  process_id: string,
  action: string,
  to: Parameters<typeof processes.setState>[2],
) {
  return ctx.db.transaction().execute(async (tx) => {
    const row = await processes.setState(tx, process_id, to, ctx.now())
    if (!row) throw new ServiceError('not_found', 'No such process lives; list the processes again.')
    const target = `admin/processes/${process_id}`
    const details = { service: row.service, machine: row.machine, pid: row.pid }
    await recordOperatorAudit(ctx, tx, { account_id: null, action, target, details })
    return row
  })
}
