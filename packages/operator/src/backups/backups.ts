import { decodeCursor, recordOperatorAudit, requirePlatformAdmin } from '@svc/context'
import { backups } from '@svc/db'
import { ServiceError } from '@svc/errors'
import { backupName } from '@svc/facts'
import { z } from 'zod'
import type { Changing, Looking } from '../context.ts'
import { type PageInput, pageOf } from '../page.ts'

const Position = z.object({ started_at: z.coerce.date(), backup_id: z.uuid() })

/** Every backup that a row knows, the newest first. */
export async function listBackups(ctx: Looking, { limit, cursor }: PageInput) {
  await requirePlatformAdmin(ctx)
  const after = cursor === undefined ? undefined : decodeCursor(Position, cursor)
  const rows = await backups.list(ctx.db, { after, limit: limit + 1 })
  const { page, next_cursor } = pageOf(rows, limit, ({ started_at, backup_id }) => ({
    started_at,
    backup_id,
  }))
  return { backups: page.map(({ claimed_at: _, ...backup }) => backup), next_cursor }
}

/** Asks the schedulers for a backup; the answer does not wait for it. */
export async function startBackup(ctx: Changing, target: string | null) {
  await requirePlatformAdmin(ctx)
  if (target === null)
    throw new ServiceError(
      'BACKUP_NOT_CONFIGURED',
      'No place for backups is set: give SVC_BACKUP_TO to the API and the scheduler, and start them again.',
    )
  const [backup_id, started_at] = [ctx.newId(), ctx.now()]
  const name = backupName(backup_id, started_at)
  await ctx.db.transaction().execute(async (tx) => {
    if (!(await backups.ask(tx, { backup_id, name, target, started_at })))
      throw new ServiceError('BACKUP_RUNNING', 'Another backup is being taken; wait for its end.')
    const entry = {
      account_id: null,
      action: 'startBackup',
      target: `admin/backups/${backup_id}`,
      details: { name },
    }
    await recordOperatorAudit(ctx, tx, entry)
  })
  return { backup_id }
}
