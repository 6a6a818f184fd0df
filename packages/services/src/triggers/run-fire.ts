import type { BaseContext } from '@svc/context'
import {
  setLockTimeouts,
  type Db,
  type ProjectTriggerRow,
  type TriggerFireRow,
  triggerFires,
  triggers,
} from '@svc/db'
import { enqueueOwed } from '../sessions/owed-jobs.ts'
import { cronWords } from './cron-words.ts'
import { type FireOutcome, startFire, type OpenContext } from './start-fire.ts'
import { settleFire } from './settle-fire.ts'

export type FireContext = OpenContext &
  Pick<BaseContext, 'db' | 'enqueue' | 'log'> & {
    /** Time that a fire waits for rows that another process holds; then it is put off and delays no other. */
    readonly lock_ms?: number
  }

const defaultLockMs = 5_000
const putOffMs = 30_000

/** Inside a transaction of its own whose waits are bounded. */
export async function inBoundedTransaction<T>(
  { db, lock_ms = defaultLockMs }: Pick<FireContext, 'db' | 'lock_ms'>,
  work: (tx: Db) => Promise<T>,
): Promise<T> {
  return db.transaction().execute(async (tx) => {
    await setLockTimeouts(tx, lock_ms)
    return work(tx)
  })
}

/** Gives a fire that was kept its session. The outcome that it has already when another process was first. */
export async function runFire(ctx: FireContext, fire_id: string): Promise<FireOutcome | null> {
  const outcome = await inBoundedTransaction(ctx, async (tx) => {
    const fire = await triggerFires.lock(tx, fire_id)
    if (!fire) return null
    return fire.retry_at === null ? knownOutcome(fire) : fireInside(ctx, tx, fire)
  })
  await enqueueFired(ctx, outcome)
  return outcome
}

/** Takes up the fire that has been owed the longest; false when there is none. */
export async function fireNextOwed(ctx: FireContext): Promise<boolean> {
  let claimed: TriggerFireRow | undefined
  try {
    const outcome = await inBoundedTransaction(ctx, async (tx) => {
      claimed = await triggerFires.claimOwed(tx, ctx.now())
      return claimed === undefined ? null : fireInside(ctx, tx, claimed)
    })
    await enqueueFired(ctx, outcome)
  } catch (error) {
    if (claimed === undefined) throw error
    const { fire_id, slug, project_id } = claimed
    ctx.log.warn({ err: error, fire_id, slug, project_id }, 'a fire was put off')
    const retry_at = new Date(ctx.now().getTime() + putOffMs)
    await inBoundedTransaction(ctx, (tx) => triggerFires.putOff(tx, [{ fire_id, retry_at }]))
  }
  return claimed !== undefined
}

async function fireInside(ctx: FireContext, tx: Db, fire: TriggerFireRow): Promise<FireOutcome> {
  const trigger = await triggers.lock(tx, fire)
  const now = ctx.now()
  const outcome: FireOutcome =
    trigger === undefined
      ? { kind: 'failed', reason: 'The trigger is no longer in the manifest' }
      : await startFire(ctx, tx, wordedAt(fire, trigger, now), trigger)
  return settleFire(ctx, tx, fire, outcome, now)
}

/**
 * A slot that waited fires now, with a prompt that says so and names the fire before it, which may have come
 * meanwhile.
 */
function wordedAt(fire: TriggerFireRow, trigger: ProjectTriggerRow, now: Date): TriggerFireRow {
  const words = fire.type === 'cron' ? cronWords(trigger, now) : null
  return words === null ? fire : { ...fire, prompt: words.prompt, session_key: words.session_key }
}

function knownOutcome(fire: TriggerFireRow): FireOutcome {
  const reason = fire.reason ?? fire.status
  if (fire.status === 'fired' && fire.session_id !== null)
    return { kind: 'fired', session_id: fire.session_id, jobs: [] }
  return fire.status === 'failed' ? { kind: 'failed', reason } : { kind: 'skipped', reason }
}

/** Asks for what a fire owes its session. */
export async function enqueueFired(
  ctx: Pick<BaseContext, 'enqueue'>,
  outcome: FireOutcome | null,
): Promise<void> {
  if (outcome?.kind === 'fired') await enqueueOwed(ctx, outcome.jobs)
}
