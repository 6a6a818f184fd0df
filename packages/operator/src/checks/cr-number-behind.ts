import { checkedRows } from '@svc/db'
import type { Check } from './check.ts'

/** A project that would give a number to a second change request. */
export const crNumberBehind: Check = {
  name: 'cr_number_behind',
  worker: 'merge',
  of: 'project',
  run: async (ctx, scope) => {
    const behind = await checkedRows.crNumbersBehind(ctx.db, scope)
    return behind.map(({ subject: project_id, counter, highest }) => ({
      severity: 'error' as const,
      project_id,
      subject: `projects/${project_id}`,
      message: `The next change request would be #${counter + 1}, and there is #${highest} already`,
      repair: () => checkedRows.raiseCrNumber(ctx.db, project_id),
    }))
  },
}
