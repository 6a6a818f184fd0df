import type { AuditEvent, AuditFilter } from '@svc/sdk'

export const outcomes = ['success', 'denied', 'failed'] as const satisfies readonly AuditEvent['outcome'][]

interface Search {
  readonly actor?: string | undefined
  readonly action?: string | undefined
  readonly outcome?: string | undefined
  readonly from?: string | undefined
  readonly to?: string | undefined
}

/** The filters of the address as the API takes them: a day begins where the reader is. */
export function auditQuery({ actor, action, outcome, from, to }: Search): AuditFilter {
  const known = outcomes.find((one) => one === outcome)
  return {
    ...(actor === undefined ? {} : { actor }),
    ...(action === undefined ? {} : { action }),
    ...(known === undefined ? {} : { outcome: known }),
    ...(from === undefined ? {} : { since: new Date(`${from}T00:00:00`).toISOString() }),
    ...(to === undefined ? {} : { until: new Date(`${to}T23:59:59.999`).toISOString() }),
  }
}
