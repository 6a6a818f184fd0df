import { type Asks, createAsks } from '../events/asks.ts'
import type { Reporter } from '../events/reporter.ts'
import type { Log } from '../log.ts'
import type { Ask, RuntimeClient } from '../runtimes/runtime.ts'
import { nowText } from '../shared/now-text.ts'

const timedOutWords = 'No answer came in time. Go on without it, or say what you would need.'

/** The asks of a session: told to the platform, and rejected for the agent when their time is over. */
export function createSessionAsks(parts: {
  readonly reporter: Reporter
  /** Null while the runtime is away. */
  readonly client: () => RuntimeClient | null
  readonly timeoutMs: number
  readonly log: Log
}): Asks {
  const { reporter, timeoutMs, log } = parts

  function report({ kind: type, request_id }: Ask, state: string, message?: string): void {
    const payload = { request_id, state, ...(message === undefined ? {} : { message }) }
    reporter.event({ event_id: `${type}:${request_id}:${state}`, type, at: nowText(), payload })
  }

  /** The agent is told of a permission why it was not given; a question has no room for words. */
  async function reject({ kind, request_id }: Ask): Promise<void> {
    const client = parts.client()
    if (kind === 'permission') await client?.answerPermission(request_id, 'reject', timedOutWords)
    else await client?.answerQuestion(request_id, null)
  }

  return createAsks({
    onAsked: reporter.ask,
    onExpired: (ask) => report(ask, 'expired'),
    onTimedOut: (ask) => {
      report(ask, 'timed_out', `No answer came within ${Math.round(timeoutMs / 1000)} s`)
      void reject(ask).catch((error: unknown) => log.warn('an ask was not rejected', { error }))
    },
    timeoutMs,
  })
}
