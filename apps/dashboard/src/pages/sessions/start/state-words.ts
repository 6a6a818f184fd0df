import type { Session } from '@svc/sdk'

export interface StateWords {
  readonly what: string
  /** The platform's or the sandbox's own words; null where there is nothing to explain. */
  readonly why: string | null
  readonly advice: string | null
}

type StateOf = Pick<Session, 'status' | 'stop_reason' | 'failure' | 'error'>

const stopped: Readonly<Record<NonNullable<Session['stop_reason']>, string>> = {
  user: 'A person stopped it.',
  idle: 'It was stopped because it was idle.',
  sandbox_exited: 'Its sandbox ended by itself.',
  platform_shutdown: 'It was stopped because the platform ended.',
  deleted: 'It was deleted.',
  operator: 'It was stopped by those who run the platform.',
}

const wake = 'Its files are kept: Start or a prompt goes on where it was.'

/** The meaning of a session's state, why it is in it, and what a person can do about that. */
export function stateWords({ status, stop_reason, failure, error }: StateOf): StateWords {
  switch (status) {
    case 'queued':
      return { what: 'It waits to begin.', why: null, advice: null }
    case 'branching':
      return { what: 'Its branch is being cut.', why: null, advice: null }
    case 'provisioning':
      return { what: 'Its sandbox is on the way; prompts wait for it.', why: error, advice: null }
    case 'running':
      return { what: 'Its agent takes prompts.', why: null, advice: null }
    case 'stopped':
      return {
        what: stop_reason === null ? 'It is stopped.' : stopped[stop_reason],
        why: failure?.message ?? error,
        advice: wake,
      }
    case 'failed':
      return { what: failedWhat(failure), why: failure?.message ?? error, advice: failedAdvice(failure) }
    case 'completed':
      return { what: 'It has ended.', why: null, advice: null }
  }
}

function failedWhat(failure: Session['failure']): string {
  return failure === null ? 'It has no usable sandbox.' : `It has no usable sandbox (${failure.category}).`
}

function failedAdvice(failure: Session['failure']): string | null {
  if (failure === null) return null
  return failure.retryable
    ? 'This may pass: Start tries again.'
    : 'Trying again will end the same way until its cause is mended.'
}
