import { appInstances, type AppInstanceRow, type ProjectRow, projects, withTriedLock } from '@svc/db'
import { appLimits, type Running } from '../context.ts'
import { lockOf } from './bring-up.ts'
import { endInstance } from './end-instance.ts'
import { keepLines } from './keep-lines.ts'
import { withControl } from './sandbox-of.ts'

/** Every proxy was notified by then, or read the rows again. */
const settledMs = 2000
const graceMs = 5000

/** Ends a draining instance once its visitors are gone, or had their time. Asked too early it does nothing. */
export async function stopInstance(
  ctx: Running,
  { instance_id }: { readonly instance_id: string },
): Promise<void> {
  await withTriedLock(ctx.locks, lockOf(instance_id), async () => {
    const instance = await appInstances.find(ctx.db, instance_id)
    if (instance?.state !== 'draining') return
    const project = await projects.find(ctx.db, instance.project_id)
    if (project === undefined) return
    const age = ctx.now().getTime() - (instance.draining_at ?? instance.updated_at).getTime()
    if (instance.ready_at !== null && age < settledMs) return
    if (!(await drained(ctx, instance, project, age >= appLimits.drainMs))) return
    await endInstance(ctx, instance, 'stop', { reason: null })
  })
}

/** True once nothing of it is needed any more. */
async function drained(
  ctx: Running,
  instance: AppInstanceRow,
  project: ProjectRow,
  late: boolean,
): Promise<boolean> {
  const { instance_id, external_id } = instance
  if (external_id === null) return true
  const done = await withControl(ctx, project, { sandbox_id: instance_id, external_id }, async (control) => {
    const { connections } = await control.state(ctx.signal)
    if (connections > 0 && !late) return false
    await control.drain(graceMs, ctx.signal)
    await keepLines(ctx, instance, control, ctx.signal)
    return true
  })
  return done ?? true
}
