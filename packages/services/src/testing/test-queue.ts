import type { Enqueue } from '@svc/queue'
import { z } from 'zod'

export interface TestJob {
  readonly name: string
  readonly id: string
}

export interface TestQueue {
  readonly enqueue: Enqueue
  /** Kept until the test runs or drops them; empty while `live`. */
  readonly waiting: TestJob[]
  /** Names of jobs for a project or the platform as a whole, which a test runs by itself. */
  readonly upkeep: string[]
  /** Jobs that threw while `live`. */
  readonly failures: unknown[]
  /** Jobs run at once, beside the verb that asked for them. */
  live: boolean
  /** Takes the waiting jobs away, so that they never run. */
  drop(): TestJob[]
  /** Runs what is waiting and whatever that asks for, one after the other. */
  drain(): Promise<void>
  /** Resolves once every job that runs beside the test has ended. */
  settled(): Promise<void>
}

const Ids = z.union([z.object({ attempt_id: z.uuid() }), z.object({ session_id: z.uuid() })])
/** Jobs that no other one waits for. */
const Upkeep = z.union([
  z.object({ project_id: z.uuid() }),
  z.object({ run_id: z.uuid() }),
  z.object({ call_id: z.uuid() }),
  z.object({ subscription_id: z.uuid() }),
  z.object({ release_id: z.uuid() }),
  z.object({ rollout_id: z.uuid() }),
])

/** A queue without a store: the test decides when, and whether, a job runs. */
export function createTestQueue(run: (job: TestJob) => Promise<void>): TestQueue {
  const running = new Set<Promise<void>>()
  const queue: TestQueue = {
    waiting: [],
    upkeep: [],
    failures: [],
    live: false,
    enqueue: async (_queue, name, payload) => {
      if (Upkeep.safeParse(payload).success) {
        queue.upkeep.push(name)
        return
      }
      const ids = Ids.parse(payload)
      const job = { name, id: 'attempt_id' in ids ? ids.attempt_id : ids.session_id }
      if (!queue.live) {
        queue.waiting.push(job)
        return
      }
      const ended: Promise<void> = run(job)
        .catch((error: unknown) => void queue.failures.push(error))
        .finally(() => running.delete(ended))
      running.add(ended)
    },
    drop: () => queue.waiting.splice(0),
    drain: async () => {
      for (let job = queue.waiting.shift(); job; job = queue.waiting.shift()) await run(job)
    },
    settled: async () => {
      while (running.size > 0) await Promise.all(running)
    },
  }
  return queue
}
