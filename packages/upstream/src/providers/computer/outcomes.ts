import type { ComputerResult } from '@svc/connector'
import type { UpstreamOutcome } from '../../shapes.ts'

const none = { upstream_status: null, bytes_out: 0, bytes_in: 0 } as const

/** Nothing was sent: the computer is not there. */
export const offline: UpstreamOutcome = {
  ok: false,
  reason: 'computer_offline',
  message: 'The computer is not connected; run `svc connectors serve computer` on it',
  sent: false,
  ...none,
}

/** The call's time ended before an answer. */
export function lost(sent: boolean): UpstreamOutcome {
  return sent
    ? {
        ok: false,
        reason: 'outcome_unknown',
        message: 'The computer did not answer in time; it may have happened: look there first',
        sent,
        ...none,
      }
    : {
        ok: false,
        reason: 'upstream_timeout',
        message: 'The time of the call ended before it was sent',
        sent,
        ...none,
      }
}

type Sizes = Pick<UpstreamOutcome, 'bytes_out' | 'bytes_in'>

/** The computer's own words, as the end of a call. */
export function outcomeOf(result: ComputerResult, sizes: Sizes): UpstreamOutcome {
  if (result.ok)
    return {
      ok: true,
      data: result.data ?? null,
      truncated: result.truncated,
      upstream_status: null,
      ...sizes,
    }
  const { reason, message, data } = result
  const sent = reason !== 'action_not_found' && reason !== 'invalid_arguments'
  return {
    ok: false,
    reason,
    message,
    sent,
    ...(data === undefined ? {} : { data }),
    upstream_status: null,
    ...sizes,
  }
}
