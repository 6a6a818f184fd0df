import { AsyncLocalStorage } from 'node:async_hooks'
import type { Db } from '@svc/db'

/** The one line at which a call of a process is to stop. */
interface HeldAt {
  readonly session_id: string
  readonly line: string
}

/** A query outside of transactions, and the lines right before and right after it. */
export interface HeldQuery {
  readonly begins: string
  readonly before?: string
  readonly after?: string
  /** A transaction in one statement: it has the lines of those, and is done in one for that. */
  readonly commits?: true
}

/** Sent to the test, which kills the process once every call is at its line. */
export interface Reached {
  readonly reached: string
}

const at = new AsyncLocalStorage<HeldAt>()

interface Standing {
  readonly left: Promise<void>
  readonly leave: () => void
}
const standing = new Map<string, Standing>()

export const withLine = <T>(held: HeldAt, work: () => Promise<T>): Promise<T> => at.run(held, work)

/** Stays there for good when this is the line of the call at hand: nothing that follows runs before the process is killed. */
export async function reach(line: string): Promise<void> {
  const held = at.getStore()
  if (held?.line !== line) return
  let leave = () => {}
  const left = new Promise<void>((resolve) => (leave = resolve))
  standing.set(held.session_id, { left, leave })
  process.send?.({ reached: held.session_id } satisfies Reached)
  await left
}

/** Whatever else the call at hand does meanwhile, such as its look at the row once a second, stands as well. */
const stand = () => standing.get(at.getStore()?.session_id ?? '')?.left

/** Lets one go on after all. */
export const letGo = (session_id: string): void => standing.get(session_id)?.leave()

/** The database of a process whose calls stop around these queries, and before (`uncommitted`) and after (`committed`) each commit. */
export function heldDatabase(db: Db, queries: readonly HeldQuery[]): Db {
  const executor = db.getExecutor()
  const execute = executor.executeQuery.bind(executor)
  const begin = db.transaction.bind(db)
  Object.assign(executor, {
    executeQuery: async (query: Parameters<typeof execute>[0]) => {
      await stand()
      const text = query.sql.replace('/* prepared */', '').trimStart()
      const held = queries.find(({ begins }) => text.startsWith(begins))
      if (held?.commits) return db.transaction().execute((tx) => tx.executeQuery(query))
      if (held?.before !== undefined) await reach(held.before)
      const result = await execute(query)
      if (held?.after !== undefined) await reach(held.after)
      return result
    },
  })
  return Object.assign(db, {
    transaction: () => {
      const transaction = begin()
      const run = transaction.execute.bind(transaction)
      return Object.assign(transaction, {
        execute: async <T>(work: (tx: Parameters<Parameters<typeof run>[0]>[0]) => Promise<T>) => {
          const done = await run(async (tx) => {
            const result = await work(tx)
            await reach('uncommitted')
            return result
          })
          await reach('committed')
          return done
        },
      })
    },
  })
}
