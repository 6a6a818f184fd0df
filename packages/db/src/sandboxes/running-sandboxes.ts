import { sql } from 'kysely'
import type { Db } from '../database.ts'
import { literals } from '../kit/literals.ts'

export interface RunningSandbox {
  readonly session_id: string
  readonly external_id: string
}

/** A worker's own: of these providers, and not of these other machines. */
export interface Watched {
  readonly providers: readonly string[]
  readonly others: readonly string[]
}

const isWatched = ({ providers, others }: Watched) => sql`
  provider in ${literals(providers)} and (machine is null or machine <> all(${[...others]}::text[]))`

/** Those that should run: by `session_sandboxes_active`. */
export async function list(db: Db, watched: Watched): Promise<RunningSandbox[]> {
  const { rows } = await sql<RunningSandbox>`
    select session_id, external_id from session_sandboxes
    where status = 'active' and owed is null and ${isWatched(watched)}`.execute(db)
  return rows
}

export interface Silence {
  /** The lease of a busy one ended before this. */
  readonly lease_before: Date
  /** It has taken no prompts since before this. */
  readonly unreachable_before: Date
}

/**
 * Sandboxes that should run and do not answer: by `session_sandboxes_lease` and `session_sandboxes_unreachable`. A lease
 * is forgotten with the sandbox, so that neither index holds what has ended.
 */
export async function listSilent(
  db: Db,
  { lease_before, unreachable_before }: Silence,
  limit: number,
): Promise<string[]> {
  const { rows } = await sql<{ session_id: string }>`
    (select session_id from session_sandboxes
      where lease_expires_at < ${lease_before} and status = 'active' order by lease_expires_at limit ${limit})
    union
    (select session_id from session_sandboxes
      where unreachable_since < ${unreachable_before} and status = 'active'
      order by unreachable_since limit ${limit})`.execute(db)
  return rows.map((row) => row.session_id)
}

/**
 * Takes up to `limit` that were not looked at since `before`, the longest unseen first, for providers that are asked of
 * one at a time: by `session_sandboxes_checked`. Each is one caller's.
 */
export async function takeUnchecked(
  db: Db,
  query: Watched & {
    readonly before: Date
    readonly now: Date
    readonly limit: number
  },
): Promise<string[]> {
  const { rows } = await sql<{ session_id: string }>`
    update session_sandboxes set checked_at = ${query.now} where session_id in (
      select session_id from session_sandboxes
      where status = 'active' and owed is null and ${isWatched(query)}
        and (checked_at is null or checked_at < ${query.before})
      order by checked_at nulls first limit ${query.limit} for update skip locked)
    returning session_id`.execute(db)
  return rows.map((row) => row.session_id)
}
