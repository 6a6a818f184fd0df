import { type BaseContext, requirePlatformAdmin } from '@svc/context'
import { allSessions, backups, jobFailures, machines, owedWork, processes, readSchema } from '@svc/db'
import type { QueueDepth } from '@svc/queue'
import type { Looking } from '../context.ts'
import { readMaintenance } from '../maintenance/maintenance.ts'

type OverviewContext = Looking & Pick<BaseContext, 'queue_depth' | 'log'>

/** The state of the whole platform, on one page. */
export async function getOverview(
  ctx: OverviewContext,
  build: { readonly version: string; readonly commit: string },
) {
  await requirePlatformAdmin(ctx)
  const now = ctx.now()
  const [schema, sessions, owed, queues, failed, living, all, maintenance, backup_at] = await Promise.all([
    readSchema(ctx.db),
    allSessions.countByStatus(ctx.db),
    owedWork.count(ctx.db, now),
    queuesOf(ctx),
    jobFailures.countOpen(ctx.db),
    processes.listLiving(ctx.db, now),
    machines.list(ctx.db, now),
    readMaintenance(ctx),
    backups.lastSuccess(ctx.db),
  ])
  const { level, newest, min_reader, pending } = schema
  return {
    version: build.version,
    commit: build.commit,
    schema: { level, newest, min_reader, pending: [...pending] },
    maintenance,
    sessions,
    owed,
    queues: queues.map((figures) => ({ ...figures, failed: failed.get(figures.queue) ?? 0 })),
    processes: living,
    machines: all,
    last_backup_at: backup_at?.toISOString() ?? null,
  }
}

/** The overview is looked at when something is away: what the rows say is told all the same. */
async function queuesOf({ queue_depth, now, log }: OverviewContext) {
  try {
    return byQueue((await queue_depth?.()) ?? [], now())
  } catch (error) {
    log.warn({ err: error }, 'The queues could not be counted')
    return []
  }
}

/** One row for each queue; `oldest_seconds` is the age of the job that waits the longest for a worker. */
function byQueue(depths: readonly QueueDepth[], now: Date) {
  return [...new Set(depths.map(({ queue }) => queue))].map((queue) => {
    const of = (state: QueueDepth['state']) =>
      depths.find((one) => one.queue === queue && one.state === state)
    const jobs = (state: QueueDepth['state']) => of(state)?.jobs ?? 0
    const oldest_at = of('waiting')?.oldest_at ?? now.getTime()
    const oldest_seconds = Math.max(0, Math.floor((now.getTime() - oldest_at) / 1000))
    const [waiting, active, delayed] = [jobs('waiting'), jobs('active'), jobs('delayed')]
    return { queue, waiting, active, delayed, oldest_seconds }
  })
}
