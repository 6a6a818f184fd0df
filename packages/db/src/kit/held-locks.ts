import { sql } from 'kysely'
import type { Db } from '../database.ts'
import { prepared } from './prepared.ts'

/**
 * Advisory locks by the hundred on one connection, which is taken with the first of them and given back with the last.
 * PostgreSQL frees them all when the process, or that connection, ends.
 */
export class HeldLocks {
  readonly #db: Db
  /** PostgreSQL gives a lock to its holder again: this says that it is held. */
  readonly #keys = new Set<string>()
  #held = 0
  #connection: Promise<Db> | null = null
  #giveBack: () => void = () => {}

  constructor(db: Db) {
    this.#db = db
  }

  /** Undefined when it is held, here or by another process. */
  async tryHold(key: string): Promise<(() => Promise<void>) | undefined> {
    if (this.#keys.has(key)) return undefined
    this.#keys.add(key)
    this.#held += 1
    const connection = await this.#open().catch((error: unknown) => {
      this.#keys.delete(key)
      throw error
    })
    const { rows } = await sql<{ locked: boolean }>`${prepared}
      select pg_try_advisory_lock(hashtextextended(${key}, 0)) as locked`
      .execute(connection)
      .catch((error: unknown) => {
        this.#leave(key)
        throw error
      })
    if (rows[0]?.locked !== true) {
      this.#leave(key)
      return undefined
    }
    return async () => {
      try {
        await sql`${prepared} select pg_advisory_unlock(hashtextextended(${key}, 0))`.execute(connection)
      } finally {
        this.#leave(key)
      }
    }
  }

  #open(): Promise<Db> {
    this.#connection ??= new Promise<Db>((resolve, reject) => {
      const done = new Promise<void>((giveBack) => {
        this.#giveBack = giveBack
      })
      this.#db
        .connection()
        .execute(async (connection) => {
          resolve(connection)
          await done
        })
        .catch((error: unknown) => {
          this.#connection = null
          this.#held = 0
          reject(error instanceof Error ? error : new Error(String(error)))
        })
    })
    return this.#connection
  }

  #leave(key: string): void {
    this.#keys.delete(key)
    this.#held -= 1
    if (this.#held > 0) return
    this.#connection = null
    this.#giveBack()
  }
}
