import type { InternalServer, Logger } from '@svc/boot'
import type { JobQueue } from '@svc/queue'
import type { Registration } from './schema/registration.ts'

interface Draining {
  readonly log: Pick<Logger, 'warn' | 'error'>
  /** Absent where the process takes no jobs. */
  readonly queue?: Pick<JobQueue, 'pause' | 'resume'> | undefined
}

/** Lets the process drain while an operator asks for it: no new job, /readyz is 503, and what runs is finished. */
export function followDrain(
  { log, queue }: Draining,
  registration: Pick<Registration, 'onState'>,
  internal: Pick<InternalServer, 'drain'>,
): void {
  registration.onState((state) => {
    const draining = state === 'draining'
    log.warn({ state }, draining ? 'An operator drains this process' : 'This process takes work again')
    internal.drain(draining)
    if (!draining) return queue?.resume()
    queue?.pause().catch((err: unknown) => log.error({ err }, 'The workers were not paused'))
  })
}
