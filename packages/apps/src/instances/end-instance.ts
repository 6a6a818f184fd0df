import { appInstances, type AppInstanceRow } from '@svc/db'
import type { Running } from '../context.ts'
import { settleInstance } from '../meter/settle-instance.ts'

/** Counts what an instance cost, removes its sandbox, and writes down how it ended: each may be repeated. */
export async function endInstance(
  ctx: Running,
  instance: AppInstanceRow,
  event: 'stop' | 'fail' | 'lose',
  { reason }: { readonly reason: string | null },
): Promise<boolean> {
  const { instance_id } = instance
  const { programs } = ctx.runtime
  const now = (await appInstances.find(ctx.db, instance_id)) ?? instance
  // What died unseen is counted up to its last sign of life, what ends here until now.
  await settleInstance(ctx, now, event === 'lose' ? now.seen_at : ctx.now())
  const external_id = now.external_id ?? programs.identify(instance_id)
  const exit_report = external_id === null || event !== 'fail' ? null : await reportOf(ctx, external_id)
  if (external_id !== null && event !== 'lose') await programs.destroy(external_id)
  const at = ctx.now()
  const over = await appInstances.apply(ctx.db, instance_id, event, at, {
    finished_at: at,
    exit_report,
    ...(reason !== null && { reason }),
  })
  return over !== undefined
}

async function reportOf(ctx: Running, external_id: string): Promise<string | null> {
  try {
    const { exit, output } = await ctx.runtime.programs.exitReport(external_id)
    return [exit, output.slice(-4096)].filter((part) => part !== null && part !== '').join('\n') || null
  } catch {
    return null
  }
}
