import { type ErrorCode, ServiceError } from '@svc/errors'

export const changeRequestStatuses = ['open', 'merged', 'closed'] as const
export type ChangeRequestStatus = (typeof changeRequestStatuses)[number]

export const changeRequestEvents = ['merge', 'close', 'reopen', 'request_changes', 'edit'] as const
export type ChangeRequestEvent = (typeof changeRequestEvents)[number]

/** State x event. What is absent is refused; `merged` is terminal. */
const table: Readonly<
  Record<ChangeRequestStatus, Readonly<Partial<Record<ChangeRequestEvent, ChangeRequestStatus>>>>
> = {
  open: { merge: 'merged', close: 'closed', request_changes: 'open', edit: 'open' },
  closed: { reopen: 'open' },
  merged: {},
}

export function statusAfter(status: ChangeRequestStatus, event: ChangeRequestEvent): ChangeRequestStatus {
  const next = table[status][event]
  if (next === undefined) throw refusal(status, event)
  return next
}

/** The statuses that an UPDATE for `event` may start from. */
export function statusesAccepting(event: ChangeRequestEvent): ChangeRequestStatus[] {
  return changeRequestStatuses.filter((status) => table[status][event] !== undefined)
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
