import { type Db, type ProjectTriggerRow, type TriggerFireRow, triggerFires, triggers } from '@svc/db'
import { type DueSlots, dueSlots } from '@svc/trigger'
import { cronWords } from './cron-words.ts'
import { definitionOf, scheduleOf } from './definition.ts'
import { type FireOutcome, startFire } from './start-fire.ts'
import { enqueueFired, type FireContext, inBoundedTransaction } from './run-fire.ts'
import { settleFire } from './settle-fire.ts'

export interface DueOptions {
  /** A slot that is older than this is missed. */
  readonly catch_up_ms: number
}

export type LedgerContext = Pick<FireContext, 'newId' | 'now' | 'metrics'>

/** Time that a trigger is left alone whose fire could not be written. */
const putOffMs = 30_000

/**
 * Fires the schedule that has been due the longest; false when none is. Ledger, session and next slot are one
 * transaction on a row that is locked: a process that dies in it leaves all as it was, one that comes second finds it
 * done.
 */
export async function fireNextDue(ctx: FireContext, options: DueOptions): Promise<boolean> {
  let claimed: triggers.DueTrigger | undefined
  try {
    const outcome = await inBoundedTransaction(ctx, async (tx) => {
      claimed = await triggers.claimDue(tx, ctx.now())
      return claimed === undefined ? null : fireRow(ctx, tx, claimed, options)
    })
    await enqueueFired(ctx, outcome)
  } catch (error) {
    if (claimed === undefined) throw error
    const { project_id, slug } = claimed
    ctx.log.warn({ err: error, project_id, slug }, 'a due trigger was put off')
    const due_at = new Date(ctx.now().getTime() + putOffMs)
    await inBoundedTransaction(ctx, (tx) => triggers.putOff(tx, { project_id, slug }, due_at))
  }
  return claimed !== undefined
}

async function fireRow(
  ctx: FireContext,
  tx: Db,
  row: triggers.DueTrigger,
  { catch_up_ms }: DueOptions,
): Promise<FireOutcome | null> {
  const schedule = scheduleOf(definitionOf(row))
  const { project } = row
  if (schedule === null || row.next_fire_at === null || project.status !== 'active') {
    await triggers.patch(tx, row, { next_fire_at: null, due_at: null })
    return null
  }
  const now = ctx.now()
  const due = dueSlots(schedule, row.next_fire_at, now, catch_up_ms)
  await recordMissed(ctx, tx, row, due, 'No scheduler ran in time')
  const slot = { next_fire_at: due.next, due_at: due.next }
  const fire = due.fire === null ? undefined : await keepFire(ctx, tx, row, due.fire, now)
  // Without a fire, or with one that is in the ledger already: the trigger was taken out of the manifest and put back.
  if (fire === undefined) {
    await triggers.patch(tx, row, slot)
    return null
  }
  const outcome: FireOutcome = fire.wanted
    ? await startFire(ctx, tx, fire.row, row, project)
    : { kind: 'skipped', reason: 'filter' }
  return settleFire(ctx, tx, fire.row, outcome, now, slot)
}

/** Writes the slots of a schedule that will not fire into the ledger, each with the reason. */
export async function recordMissed(
  ctx: LedgerContext,
  tx: Db,
  row: ProjectTriggerRow,
  { missed, missed_between }: DueSlots,
  reason: string,
): Promise<void> {
  const missedFire = (occurrence: string, scheduled_at: Date) => ({
    ...ledgerRow(ctx, row, occurrence, scheduled_at),
    status: 'missed' as const,
    reason,
  })
  const rows = missed.map((slot) => missedFire(slot.toISOString(), slot))
  if (missed_between !== null) {
    const { first, last } = missed_between
    rows.push(missedFire(`${first.toISOString()}/${last.toISOString()}`, last))
  }
  await triggerFires.insertAll(tx, rows)
  ctx.metrics.count('svc_trigger_fires_total', { type: 'cron', status: 'missed' }, rows.length)
}

async function keepFire(
  ctx: FireContext,
  tx: Db,
  row: ProjectTriggerRow,
  slot: Date,
  now: Date,
): Promise<{ row: TriggerFireRow; wanted: boolean } | undefined> {
  const words = cronWords(row, now)
  if (words === null) return undefined
  const { wanted, ...rendered } = words
  const fire = await triggerFires.insert(tx, {
    ...ledgerRow(ctx, row, slot.toISOString(), slot),
    status: 'pending',
    ...rendered,
    retry_at: now,
  })
  return fire && { row: fire, wanted }
}

function ledgerRow(
  ctx: LedgerContext,
  { project_id, slug }: ProjectTriggerRow,
  occurrence: string,
  scheduled_at: Date,
) {
  return {
    fire_id: ctx.newId(),
    project_id,
    slug,
    type: 'cron' as const,
    occurrence,
    scheduled_at,
    planned_session_id: ctx.newId(),
    created_at: ctx.now(),
  }
}
