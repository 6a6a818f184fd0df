import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { DatabaseError } from 'pg'
import type { Db } from '../database.ts'
import { prepared } from './prepared.ts'

/** Until the transaction ends, a statement fails that waits longer than this for a lock, or runs twice as long. */
export async function setLockTimeouts(tx: Db, lock_ms: number): Promise<void> {
  await sql`${prepared}
    select set_config('lock_timeout', ${String(lock_ms)}, true),
      set_config('statement_timeout', ${String(2 * lock_ms)}, true)`.execute(tx)
}

const maxTries = 30

/** It waited too long for a lock, or for one whose holder waited for it: PostgreSQL finds the second sooner. */
export const isLocked = (error: unknown): boolean =>
  error instanceof DatabaseError && ['55P03', '40P01'].includes(error.code ?? '')

/** Tries again what failed for another's lock; the work is told which try it is, from 1 on. */
export async function againIfLocked<T>(
  work: (tries: number) => Promise<T>,
  isPassing: (error: unknown) => boolean = isLocked,
): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work(tries)
    } catch (error) {
      if (!isPassing(error) || tries === maxTries) throw error
      await sleep(100 + Math.random() * 900)
    }
  }
}

const foreignKey = '23503'

/** The same for one statement that also passes when a row went that it was about to refer to. */
export const againIfPassing = <T>(work: () => Promise<T>): Promise<T> =>
  againIfLocked(
    work,
    (error) => isLocked(error) || (error instanceof DatabaseError && error.code === foreignKey),
  )
