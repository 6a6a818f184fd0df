import { setTimeout as sleep } from 'node:timers/promises'
import { type IQueueBackend, type JobProgress, Worker } from 'bullmq'

const pause_ms = 500

/** Asks a store that refuses a job again after a pause, where BullMQ alone asks at once, for as long as it is refused. */
export class PausingWorker<B extends IQueueBackend, C> extends Worker<
  unknown,
  unknown,
  string,
  B,
  JobProgress,
  C
> {
  protected override async moveToActive(token: string, name?: string) {
    // One that waited for a job when it was paused would take that job all the same. The declared type forgets `undefined`.
    if (this.isPaused()) return undefined as never
    try {
      return await super.moveToActive(token, name)
    } catch (error) {
      if (!this.closing) await sleep(pause_ms)
      throw error
    }
  }
}
