import { lifecycle } from '@svc/session'
import { sql } from 'kysely'
import type { Db } from './database.ts'
import type { SessionClaimTable } from './session-claims.table.ts'

export type ClaimKey = Pick<SessionClaimTable, 'session_id' | 'work'>

export interface Claim {
  /** Throws `StaleClaim` once somebody else has claimed the work; until `tx` ends nobody can. */
  hold(tx: Db): Promise<void>
}

/** Another worker has taken this work over: whatever is still to be written for it is of no use. */
export class StaleClaim extends Error {
  override readonly name = 'StaleClaim'
}

/** In milliseconds; `lifecycle` says what each is. */
export type ClaimTimes = {
  readonly [name in 'workerSilenceMs' | 'workerBeatMs' | 'workerTurnMs']: number
}

const waitMs = 2_000
const lockNotAvailable = '55P03'

/**
 * Runs `work` while this process alone does this work on the session. A holder that dies lets go at once, with its
 * connection. One that is paused, and gives no sign of life, loses its connection to the next; what it writes when it
 * wakes up fails on its fence. Undefined when no turn came in time, or when the session is gone.
 */
export async function withClaim<T>(
  locks: Db,
  key: ClaimKey,
  work: (claim: Claim) => Promise<T>,
  times: ClaimTimes = lifecycle,
): Promise<T | undefined> {
  return locks.connection().execute(async (connection) => {
    if (!(await takeTurn(connection, key, times))) return undefined
    const name = lockName(key)
    try {
      const fence = await begin(connection, key)
      if (fence === undefined) return undefined
      const beat = setInterval(() => {
        beatOf(connection, key, fence).catch(() => undefined)
      }, times.workerBeatMs)
      try {
        return await work({ hold: (tx) => hold(tx, key, fence) })
      } finally {
        clearInterval(beat)
      }
    } finally {
      // A connection that is lost has let go already, and must not hide how the work ended.
      await sql`select pg_advisory_unlock(hashtextextended(${name}, 0))`
        .execute(connection)
        .catch(() => undefined)
    }
  })
}

const lockName = ({ session_id, work }: ClaimKey) => `${work}:${session_id}`

async function takeTurn(
  connection: Db,
  key: ClaimKey,
  times: Pick<ClaimTimes, 'workerSilenceMs' | 'workerTurnMs'>,
): Promise<boolean> {
  // Mostly nobody else is there, which one question finds out.
  if (await lockIfFree(connection, lockName(key))) return true
  const deadline = Date.now() + times.workerTurnMs
  for (;;) {
    if (await tryLock(connection, lockName(key), Math.min(waitMs, times.workerTurnMs))) return true
    if (Date.now() >= deadline) return false
    await evictSilent(connection, key, times.workerSilenceMs)
  }
}

async function lockIfFree(connection: Db, name: string): Promise<boolean> {
  const { rows } = await sql<{ locked: boolean }>`
    select pg_try_advisory_lock(hashtextextended(${name}, 0)) as locked`.execute(connection)
  return rows[0]?.locked === true
}

async function tryLock(connection: Db, name: string, ms: number): Promise<boolean> {
  try {
    await connection.transaction().execute(async (tx) => {
      await sql`select set_config('lock_timeout', ${`${Math.ceil(ms)}ms`}, true)`.execute(tx)
      await sql`select pg_advisory_lock(hashtextextended(${name}, 0))`.execute(tx)
    })
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === lockNotAvailable) return false
    throw error
  }
}

/** The lock belongs to a connection; its worker says in the claim that it still lives. */
async function evictSilent(connection: Db, key: ClaimKey, silence_ms: number): Promise<void> {
  await sql`
    select pg_terminate_backend(l.pid)
    from session_claims c
    join pg_locks l on l.pid = c.backend_pid and l.locktype = 'advisory' and l.granted
      and l.database = (select oid from pg_database where datname = current_database())
      and (l.classid::bigint << 32 | l.objid::bigint) = hashtextextended(${lockName(key)}, 0)
    where c.session_id = ${key.session_id} and c.work = ${key.work}
      and c.beat_at < clock_timestamp() - make_interval(secs => ${silence_ms / 1000}::double precision)`.execute(
    connection,
  )
}

/** Undefined when there is no such session any more. */
async function begin(connection: Db, { session_id, work }: ClaimKey): Promise<number | undefined> {
  const { rows } = await sql<{ fence: number }>`
    insert into session_claims as c (session_id, work, backend_pid, beat_at)
    select session_id, ${work}, pg_backend_pid(), clock_timestamp() from project_sessions
      where session_id = ${session_id}
    on conflict (session_id, work) do update
      set fence = c.fence + 1, backend_pid = excluded.backend_pid, beat_at = excluded.beat_at
    returning fence`.execute(connection)
  return rows[0]?.fence
}

async function beatOf(connection: Db, { session_id, work }: ClaimKey, fence: number): Promise<void> {
  await connection
    .updateTable('session_claims')
    .set({ beat_at: sql<Date>`clock_timestamp()` })
    .where('session_id', '=', session_id)
    .where('work', '=', work)
    .where('fence', '=', fence)
    .execute()
}

async function hold(tx: Db, { session_id, work }: ClaimKey, fence: number): Promise<void> {
  const row = await tx
    .selectFrom('session_claims')
    .select('fence')
    .where('session_id', '=', session_id)
    .where('work', '=', work)
    .forShare()
    .executeTakeFirst()
  if (row?.fence !== fence) throw new StaleClaim('Another worker has taken this session over')
}
