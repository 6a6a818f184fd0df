import { backOffMs } from '@svc/timing'
import { setTimeout as sleep } from 'node:timers/promises'
import type { V1Pod } from '@kubernetes/client-node'
import { toClusterError } from './api-failure.ts'
import type { Cluster } from './cluster.ts'

/**
 * Follows a pod until `judge` has a result. The judge sees every change and at least every few seconds the present
 * state, so it may look at the clock; it decides in the end, also while the API server is away.
 */
export async function awaitPod<T>(
  cluster: Pick<Cluster, 'findPod' | 'watchPod'>,
  name: string,
  judge: (pod: V1Pod | null) => T | null,
  options: {
    readonly deadline_ms: number
    readonly look_every_ms: number
    readonly signal?: AbortSignal | undefined
  },
): Promise<T> {
  const { deadline_ms, look_every_ms, signal } = options
  const deadline = Date.now() + deadline_ms
  let outage: unknown = new Error('the deadline is over')
  for (let round = 0; Date.now() < deadline || round === 0; round += 1) {
    signal?.throwIfAborted()
    try {
      const pod = await cluster.findPod(name)
      const result = judge(pod)
      if (result !== null) return result
      const until = Math.max(1, Math.min(look_every_ms, deadline - Date.now()))
      const look = AbortSignal.timeout(until)
      const ends = signal === undefined ? look : AbortSignal.any([look, signal])
      const version = pod?.metadata?.resourceVersion
      const later = await judgeChanges(cluster.watchPod(name, version, ends), judge)
      if (later !== null) return later
    } catch (error) {
      signal?.throwIfAborted()
      if (toClusterError(error, '').kind !== 'network') throw error
      outage = error
    }
    // A watch that is refused or cut at once must not turn this into a storm of questions.
    await sleep(backOffMs(round, 50, 1_000) * (0.5 + Math.random() / 2))
  }
  throw outage
}

/** Null when the watch ended without a result, for whatever reason: the next look tells what is wrong. */
async function judgeChanges<T>(
  changes: AsyncIterable<V1Pod | null>,
  judge: (pod: V1Pod | null) => T | null,
): Promise<T | null> {
  try {
    for await (const pod of changes) {
      const result = judge(pod)
      if (result !== null) return result
    }
  } catch {
    return null
  }
  return null
}
