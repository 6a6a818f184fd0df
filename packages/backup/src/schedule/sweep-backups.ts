import type { JobContext, SealedPlace } from '@svc/context'
import { backups, type Db } from '@svc/db'
import type { StoreKeys } from '@svc/objects'
import { openPlace } from '../format/place.ts'
import { runBackup } from '../take/run-backup.ts'
import type { BackupSettings } from './env.ts'
import { isDue } from './is-due.ts'

/** Backups that are taken at their time, in one place. */
export interface BackupPlan {
  readonly target: string
  readonly cron: string
  readonly keep: number
  readonly keys: StoreKeys | undefined
  readonly read_url: string
  readonly places: readonly SealedPlace[]
  readonly version: string
}

/** Null where no place is set. */
export function backupPlan(
  settings: BackupSettings,
  rest: Pick<BackupPlan, 'keys' | 'read_url' | 'places' | 'version'>,
): BackupPlan | null {
  const { SVC_BACKUP_TO: target, SVC_BACKUP_CRON: cron, SVC_BACKUP_KEEP: keep } = settings
  if (target === undefined) return null
  return { ...rest, target, cron, keep, read_url: settings.SVC_BACKUP_DATABASE_URL ?? rest.read_url }
}

type SweepContext = Pick<JobContext, 'db' | 'repositories' | 'objects' | 'vault' | 'now'> & {
  readonly log: Pick<JobContext['log'], 'info' | 'warn'>
  readonly locks: Db
}

/**
 * Takes the backup that was asked for, or the one whose time has come; what a killed process left is failed. Over all
 * schedulers one at a time: whether it is due is decided under the lock, by the rows of those before.
 */
export async function sweepBackups(ctx: SweepContext, plan: BackupPlan): Promise<number> {
  const { target, keep } = plan
  const due = async () => isDue(plan.cron, await backups.listOf(ctx.db, target), ctx.now())
  if (!(await backups.isRunning(ctx.db)) && !(await due())) return 0
  const outcome = await runBackup({ ...ctx, ...plan }, ctx.locks, {
    open: () => openPlace(target, plan.keys),
    target,
    since: null,
    keep,
    own: due,
  })
  if (outcome.kind !== 'done') return 0
  const { name, taken } = outcome
  ctx.log.info({ backup: name, bytes: taken.bytes }, 'A backup was taken')
  for (const project_id of taken.missing)
    ctx.log.warn(
      { backup: name, project_id },
      'A repository is not there or damaged, and so not in the backup',
    )
  return 1
}
