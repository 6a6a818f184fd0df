import type { BaseContext } from '@svc/context'
import { type Db, triggers } from '@svc/db'

const batchMs = 20
const batches = new WeakMap<Db, Set<string>>()

/**
 * Says that fires are owed, a moment later and once for all that came meanwhile: PostgreSQL lets commits that notify wait
 * for each other. A word that is lost with this process costs time and no fire: schedulers look by themselves as well.
 */
export function notifySchedulers(ctx: Pick<BaseContext, 'db' | 'log'>, project_id: string): void {
  const { db } = ctx
  const batch = batches.get(db)
  if (batch !== undefined) {
    batch.add(project_id)
    return
  }
  const projects = new Set([project_id])
  batches.set(db, projects)
  setTimeout(() => {
    batches.delete(db)
    void Promise.all([...projects].map((id) => triggers.notifyChanged(db, id))).catch((error: unknown) => {
      ctx.log.warn({ err: error }, 'the schedulers were not told of what is owed')
    })
  }, batchMs)
}
