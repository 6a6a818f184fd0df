import type { Db } from '@svc/db'
import type { ChannelWorkerContext } from '../src/worker/index.ts'

/** A worker that is gone before its query of that number: a transaction that is open then was never. */
export function dyingWorker(worker: ChannelWorkerContext, last: number) {
  const state = { died: false }
  let count = 0
  const db: Db = worker.db.withPlugin({
    transformQuery: ({ node }) => {
      count += 1
      state.died ||= count > last
      if (state.died) throw new Error('The worker is gone')
      return node
    },
    transformResult: async ({ result }) => result,
  })
  return { state, worker: { ...worker, db } }
}

/** Runs the work with workers that die one query later each time, until one does all of it. */
export async function untilOneLives(
  living: ChannelWorkerContext,
  round: (n: number, worker: ChannelWorkerContext) => Promise<() => Promise<void>>,
): Promise<number> {
  for (let n = 0; ; n += 1) {
    const { state, worker } = dyingWorker(living, n)
    const check = await round(n, worker)
    await check()
    if (!state.died) return n
  }
}
