import type { SessionTransition, SessionFailure, StopReason } from '@svc/session'
import { jsonb } from '../kit/jsonb.ts'
import type { SessionPatch } from './sessions.table.ts'

/** Input of each event. The new status, and every other column, follow from the event. */
export interface SessionChanges {
  readonly ready: Readonly<Record<never, never>>
  readonly stop: { readonly stop_reason: StopReason }
  readonly exit: { readonly stop_reason: StopReason; readonly failure: SessionFailure }
  readonly fail: { readonly failure: SessionFailure }
  readonly start: Readonly<Record<never, never>>
  readonly restart: Readonly<Record<never, never>>
}

/** Columns that an event alone writes. */
export type SessionEventColumn =
  'status' | 'stop_reason' | 'failure' | 'provisioning_at' | 'started_at' | 'stopped_at'

type Columns = Omit<Pick<SessionPatch, SessionEventColumn>, 'status'>

const onItsWay = (_change: object, provisioning_at: Date): Columns => ({
  provisioning_at,
  stopped_at: null,
  stop_reason: null,
  failure: null,
})

const columns: {
  readonly [Event in SessionTransition]: (change: SessionChanges[Event], now: Date) => Columns
} = {
  ready: (_change, started_at) => ({ started_at, stopped_at: null, stop_reason: null, failure: null }),
  stop: ({ stop_reason }, stopped_at) => ({ stopped_at, stop_reason, failure: null }),
  exit: ({ stop_reason, failure }, stopped_at) => ({ stopped_at, stop_reason, failure: jsonb(failure) }),
  fail: ({ failure }, stopped_at) => ({ stopped_at, stop_reason: null, failure: jsonb(failure) }),
  start: onItsWay,
  restart: onItsWay,
}

export function sessionColumns<Event extends SessionTransition>(
  event: Event,
  change: SessionChanges[Event],
  now: Date,
): Columns {
  return columns[event](change, now)
}
