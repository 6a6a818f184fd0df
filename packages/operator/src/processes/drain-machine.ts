import { recordOperatorAudit, requirePlatformAdmin } from '@svc/context'
import { machines } from '@svc/db'
import { ServiceError } from '@svc/errors'
import { sweepEvictions } from '@svc/services'
import type { Changing } from '../context.ts'

interface MachineInput {
  readonly machine: string
}

/** Empties a machine: no new sandbox is made there, and those that are there end as soon as they may. */
export async function drainMachine(
  ctx: Changing,
  { machine, deadline_seconds }: MachineInput & { readonly deadline_seconds?: number | undefined },
) {
  await requirePlatformAdmin(ctx)
  const drain_until =
    deadline_seconds === undefined ? null : new Date(ctx.now().getTime() + deadline_seconds * 1_000)
  const drained = await setState(ctx, machine, 'drainMachine', { state: 'draining', drain_until })
  await sweepEvictions(ctx)
  return drained
}

/** Has it take sessions again. */
export async function resumeMachine(ctx: Changing, { machine }: MachineInput) {
  await requirePlatformAdmin(ctx)
  return setState(ctx, machine, 'resumeMachine', { state: 'open', drain_until: null })
}

function setState(
  ctx: Changing,
  machine: string,
  action: string,
  to: Parameters<typeof machines.setState>[2],
): Promise<machines.MachineView> {
  return ctx.db.transaction().execute(async (tx) => {
    const known = await machines.setState(tx, machine, to)
    const [shown] = await machines.list(tx, ctx.now(), machine)
    if (!known || !shown)
      throw new ServiceError('not_found', 'There is no such machine; list the machines again.')
    const details = to.drain_until === null ? {} : { drain_until: to.drain_until.toISOString() }
    const target = `admin/machines/${machine}`
    await recordOperatorAudit(ctx, tx, { account_id: null, action, target, details })
    return shown
  })
}
