import type { Reporter } from '../events/reporter.ts'
import type { Log } from '../log.ts'
import type { TurnOutcome } from '../prompts/turn.ts'
import { nowText } from '../shared/now-text.ts'

/** Tells when a turn begins, and how it ends. */
export function createTurnReports({ reporter, log }: { readonly reporter: Reporter; readonly log: Log }) {
  return {
    begin: (prompt_id: string): void => {
      reporter.localEvent({ type: 'turn', at: nowText(), payload: { prompt_id, state: 'begin' } })
      reporter.report({ kind: 'turn_begin', prompt_id })
    },
    end: (prompt_id: string, { status, error, stop_reason, first_token_ms }: TurnOutcome): void => {
      const redacted = {
        ...(error === undefined ? {} : { error: log.redact(error) }),
        ...(stop_reason === undefined ? {} : { stop_reason }),
      }
      const payload = { prompt_id, state: 'end', status, error: null, ...redacted }
      reporter.localEvent({ type: 'turn', at: nowText(), payload })
      const measured = first_token_ms === undefined ? {} : { first_token_ms }
      reporter.report({ kind: 'turn_end', prompt_id, status, ...redacted, ...measured })
    },
  }
}
