import type { BaseContext } from '@svc/context'

/** A moment of a session's start, for `bench/sessions/timeline.ts`; costs nothing unless the log is at debug. */
export function traceStep({ log }: Pick<BaseContext, 'log'>, session_id: string, step: string): void {
  log.debug({ session_id, step, at: Date.now() }, 'a step of a start')
}
