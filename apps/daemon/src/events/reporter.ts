import { daemonLimits } from '../limits.ts'
import type { Outbox } from '../platform/outbox.ts'
import type { TurnReport } from '../platform/platform-api.ts'
import type { Ask, RuntimeEvent } from '../runtimes/runtime.ts'
import { createDeltas } from './deltas.ts'
import { eventId } from './event-id.ts'
import type { Journal } from './journal.ts'
import { createOutputs } from './outputs.ts'

/** Tells the same story twice: at once to the clients that follow this daemon, and durably to the platform. */
export interface Reporter {
  event(event: RuntimeEvent): void
  /** Only for followers here: the platform makes its own from the report of the turn. */
  localEvent(event: Omit<RuntimeEvent, 'event_id'>): void
  /** `thought`: no part of the answer. */
  delta(message_id: string, delta: string, thought?: boolean): void
  /** The end of what a running tool has printed so far. */
  output(message_id: string, call_id: string, output: string): void
  report(report: TurnReport): void
  ask(ask: Ask): void
  error(event_id: string, message: string): void
}

export function createReporter(parts: {
  readonly outbox: Outbox
  readonly journal: Journal
  readonly now: () => Date
}): Reporter {
  const { outbox, journal } = parts
  const at = (): string => parts.now().toISOString()
  let pieces = 0
  const pass = (type: 'message.delta' | 'tool.delta', payload: Readonly<Record<string, unknown>>): void => {
    const passing = { type, at: at(), payload }
    journal.add(passing)
    pieces += 1
    outbox.addPassing({ kind: 'event', event: { event_id: `delta:${journal.epoch}:${pieces}`, ...passing } })
  }
  /** The message that is thought aloud now; one at a time is. */
  let thinking: string | null = null
  const deltas = createDeltas(
    { everyMs: daemonLimits.deltaMs, maxChars: daemonLimits.messageChars },
    (message_id, delta) =>
      pass('message.delta', { message_id, delta, ...(message_id === thinking ? { thought: true } : {}) }),
  )
  const outputs = createOutputs(daemonLimits.outputMs, (message_id, call_id, output) =>
    pass('tool.delta', { message_id, call_id, output }),
  )
  const event = (event: RuntimeEvent): void => {
    deltas.flush()
    const { call_id, status } = event.payload
    if (event.type === 'tool' && status !== 'running') outputs.end(String(call_id))
    const { event_id, ...entry } = event
    journal.add(entry)
    outbox.add({ kind: 'event', event: { ...entry, event_id: eventId(event_id) } })
  }
  return {
    event,
    localEvent: (entry) => {
      deltas.flush()
      journal.add(entry)
    },
    delta: (message_id, delta, thought = false) => {
      const next = thought ? message_id : null
      // What waits of a thought is said before anything else begins.
      if (next !== thinking) deltas.flush()
      thinking = next
      deltas.add(message_id, delta)
    },
    output: outputs.add,
    report: (report) => {
      deltas.flush()
      outbox.add({ kind: 'report', report })
    },
    ask: (ask) => outbox.add(ask),
    error: (event_id, message) => event({ event_id, type: 'error', at: at(), payload: { message } }),
  }
}
