import { type ErrorCode, ServiceError } from '@svc/errors'
import { type EventOf, machine, type StateOf } from '@svc/machine'

/** `merged` is an end. */
export const changeRequestMachine = machine({
  open: { merge: 'merged', close: 'closed', request_changes: 'open', edit: 'open' },
  merged: {},
  closed: { reopen: 'open' },
})

export type ChangeRequestStatus = StateOf<typeof changeRequestMachine>
export type ChangeRequestEvent = EventOf<typeof changeRequestMachine>

/** The status after `event`, or the refusal of one that this status does not accept. */
export function statusAfter(status: ChangeRequestStatus, event: ChangeRequestEvent): ChangeRequestStatus {
  if (!changeRequestMachine.accepts(status, event)) throw refusal(status, event)
  return changeRequestMachine.to(event)
}

function refusal(status: ChangeRequestStatus, event: ChangeRequestEvent): ServiceError {
  const code: ErrorCode = event === 'reopen' ? 'CR_NOT_CLOSED' : 'CR_NOT_OPEN'
  const needed = event === 'reopen' ? 'closed' : 'open'
  return new ServiceError(code, `The change request is ${status}; ${verbs[event]} needs it ${needed}`)
}

const verbs: Readonly<Record<ChangeRequestEvent, string>> = {
  merge: 'merging',
  close: 'closing',
  reopen: 'reopening',
  request_changes: 'requesting changes',
  edit: 'editing',
}
