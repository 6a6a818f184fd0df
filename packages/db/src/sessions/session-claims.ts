import { sessionLimits } from '@svc/session'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../database.ts'
import { prepared } from '../kit/prepared.ts'
import type { SessionClaimTable } from './session-claims.table.ts'

export type ClaimKey = Pick<SessionClaimTable, 'session_id' | 'work'>

export interface Claim {
  /** Throws `StaleClaim` once another worker has claimed the work; until `tx` ends no other worker can. */
  hold(tx: Db): Promise<void>
}

/** Another worker has taken this work over: whatever is still to be written for it is of no use. */
export class StaleClaim extends Error {
  override readonly name = 'StaleClaim'
}

/** In milliseconds; `sessionLimits` says what each is. */
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
  times: ClaimTimes = sessionLimits,
  /** Called when a worker that gave no sign of life was put out. */
  on_take_over?: () => void,
): Promise<T | undefined> {
  return locks.connection().execute(async (connection) => {
    const name = lockName(key)
    let hasTurn = true
    try {
      // Mostly no other worker is there, which the first query finds out.
      const first = await beginIfFree(connection, key)
      hasTurn = first.locked || (await takeTurn(connection, key, times, on_take_over))
      if (!hasTurn) return undefined
      const fence = first.locked ? first.fence : await begin(connection, key)
      if (fence === null) return undefined
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
      if (hasTurn)
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
  on_take_over: (() => void) | undefined,
): Promise<boolean> {
  const deadline = Date.now() + times.workerTurnMs
  for (;;) {
    if (await tryLock(connection, lockName(key), Math.min(waitMs, times.workerTurnMs))) return true
    if (Date.now() >= deadline) return false
    if (await evictSilent(connection, key, times.workerSilenceMs)) on_take_over?.()
  }
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
async function evictSilent(connection: Db, key: ClaimKey, silence_ms: number): Promise<boolean> {
  const { rows } = await sql`
    select pg_terminate_backend(l.pid)
    from session_claims c
    join pg_locks l on l.pid = c.backend_pid and l.locktype = 'advisory' and l.granted
      and l.database = (select oid from pg_database where datname = current_database())
      and (l.classid::bigint << 32 | l.objid::bigint) = hashtextextended(${lockName(key)}, 0)
    where c.session_id = ${key.session_id} and c.work = ${key.work}
      and c.beat_at < clock_timestamp() - make_interval(secs => ${silence_ms / 1000}::double precision)`.execute(
    connection,
  )
  return rows.length > 0
}

interface ClaimStart {
  readonly locked: boolean
  /** Null without the lock, and when there is no such session any more. */
  readonly fence: number | null
}

/** Takes the turn and begins in one statement, unless another worker has the turn. */
async function beginIfFree(connection: Db, key: ClaimKey): Promise<ClaimStart> {
  const { rows } = await sql<ClaimStart>`${prepared}
    with turn as (select pg_try_advisory_lock(hashtextextended(${lockName(key)}, 0)) as locked),
      begun as (${beginning(key, sql`select from turn where locked`)})
    select locked, (select fence from begun) as fence from turn`.execute(connection)
  return rows[0] ?? { locked: false, fence: null }
}

/** Null when there is no such session any more. */
async function begin(connection: Db, key: ClaimKey): Promise<number | null> {
  const { rows } = await sql<{ fence: number }>`${beginning(key, sql`select`)}`.execute(connection)
  return rows[0]?.fence ?? null
}

/** The next fence of the work, where `allowed` gives a row. */
function beginning({ session_id, work }: ClaimKey, allowed: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    insert into session_claims as c (session_id, work, backend_pid, beat_at)
    select session_id, ${work}, pg_backend_pid(), clock_timestamp() from project_sessions
      where session_id = ${session_id} and exists (${allowed})
    on conflict (session_id, work) do update
      set fence = c.fence + 1, backend_pid = excluded.backend_pid, beat_at = excluded.beat_at
    returning fence`
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
  const { rows } = await sql<{ fence: number }>`${prepared}
    select fence from session_claims where session_id = ${session_id} and work = ${work} for share`.execute(
    tx,
  )
  if (rows[0]?.fence !== fence) throw new StaleClaim('Another worker has taken this session over')
}
