import DataLoader from 'dataloader'
import type { Db } from '../database.ts'

const maxBatchSize = 64

export interface BatchOptions {
  /** Calls that run at a time. One makes the largest batches; with more, a call that hangs does not hold up the others. */
  readonly at_once?: number
}

/**
 * Batches calls: inputs of one turn of the event loop, and those that come while a batch runs, share the next call of
 * `run`. So an answer is never older than its question, and many callers cost little more than one.
 */
export function batched<Input, Output>(
  run: (inputs: readonly Input[]) => Promise<readonly Output[]>,
  { at_once = 1 }: BatchOptions = {},
): (input: Input) => Promise<Output> {
  let free = at_once
  const waiting: (() => void)[] = []
  const end = () => {
    const next = waiting.shift()
    if (next) next()
    else free += 1
  }
  const loader = new DataLoader<Input, Output>((inputs) => together(run, inputs).finally(end), {
    cache: false,
    maxBatchSize,
    batchScheduleFn: (dispatch) => {
      if (free === 0) return void waiting.push(dispatch)
      free -= 1
      setImmediate(dispatch)
    },
  })
  return (input) => loader.load(input)
}

/**
 * The same for reads by key, which find at most one row. In a transaction each read is its own: it sees rows that others
 * do not.
 */
export function batchedRead<Key, Row>(
  find: (db: Db, keys: readonly Key[]) => Promise<readonly (Row | undefined)[]>,
): (db: Db, key: Key) => Promise<Row | undefined> {
  const readers = new WeakMap<Db, (key: Key) => Promise<Row | undefined>>()
  return async (db, key) => {
    if (db.isTransaction) return (await find(db, [key]))[0]
    const known = readers.get(db)
    if (known) return known(key)
    const made = batched((keys: readonly Key[]) => find(db, keys), { at_once: 2 })
    readers.set(db, made)
    return made(key)
  }
}

/** A batch that fails is tried one by one, so that no caller is refused for another caller's input. */
async function together<Input, Output>(
  run: (inputs: readonly Input[]) => Promise<readonly Output[]>,
  inputs: readonly Input[],
): Promise<(Output | Error)[]> {
  if (inputs.length > 1) {
    try {
      return [...(await run(inputs))]
    } catch {
      // The single runs below show which input was at fault.
    }
  }
  const outcomes = await Promise.allSettled(inputs.map((input) => run([input])))
  return outcomes.flatMap((outcome): (Output | Error)[] =>
    outcome.status === 'fulfilled' ? [...outcome.value] : [asError(outcome.reason)],
  )
}

const asError = (reason: unknown): Error => (reason instanceof Error ? reason : new Error(String(reason)))
