import { owedWork } from '@svc/db'
import { enqueueWork } from '../work/enqueue-work.ts'
import { ago, type Check, stuckMs } from './check.ts'

const max = 1_000

/** Rows that are owed work for ten minutes, and no worker is at it. */
export const workStuck: Check = {
  name: 'work_stuck',
  worker: 'merge',
  of: 'project',
  run: async (ctx, scope) => {
    const rows = await owedWork.list(ctx.db, { stuck_since: ago(ctx, stuckMs), limit: max })
    const of = rows.filter(({ project_id }) => scope.project_id === null || project_id === scope.project_id)
    return of.map((row) => ({
      severity: 'warning' as const,
      project_id: row.project_id,
      subject: `work/${row.kind}:${row.id}`,
      message: `This has been owed since ${row.since.toISOString()}${row.last_error === null ? '' : `; its job failed last with: ${row.last_error}`}`,
      repair: async () => {
        await enqueueWork(ctx, row)
        return true
      },
    }))
  },
}
