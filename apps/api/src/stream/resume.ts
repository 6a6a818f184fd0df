import { ServiceError } from '@svc/errors'

export interface StreamHeaders {
  readonly accept?: string | undefined
  readonly 'last-event-id'?: string | undefined
}

export function wantsStream({ accept }: StreamHeaders): boolean {
  return accept?.includes('text/event-stream') === true
}

/** A client that resumes tells the last event it saw; that wins over the address it first asked for. */
export function resumeFrom({ 'last-event-id': last }: StreamHeaders, after: number): number {
  if (last === undefined || last === '') return after
  if (/^[0-9]{1,15}$/.test(last)) return Number(last)
  const message = 'must be the id of an event of this stream'
  throw new ServiceError('invalid_request', `last-event-id: ${message}`, {
    issues: [{ path: 'last-event-id', message }],
  })
}
