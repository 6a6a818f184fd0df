import { checkRuns, withLock } from '@svc/db'
import type { CheckContext } from '../checks/check.ts'
import { checksOf } from '../checks/list.ts'
import { runChecks } from '../checks/run-checks.ts'

const beatMs = 5_000

/** Makes the checks of a run that are this worker's, in one process at a time; one that has ended stays as it is. */
export async function runCheckPart(ctx: CheckContext, key: checkRuns.PartKey): Promise<void> {
  const { run_id, queue } = key
  const alive = setInterval(() => {
    checkRuns
      .beat(ctx.db, key, ctx.now())
      .catch((err: unknown) => ctx.log.warn({ err }, 'A run of checks gave no sign of life'))
  }, beatMs)
  try {
    await withLock(ctx.locks, `checks:${run_id}:${queue}`, async () => {
      const run = await checkRuns.find(ctx.db, run_id)
      if (run === undefined || !(await checkRuns.beat(ctx.db, key, ctx.now()))) return
      const wanted = checksOf(run).filter(({ worker }) => worker === queue)
      const { findings, complete } = await runChecks(ctx, wanted, run)
      const event = complete ? 'finish' : 'fail'
      await checkRuns.end(ctx.db, key, { event, findings, now: ctx.now() })
    })
  } finally {
    clearInterval(alive)
  }
}
