import type { SessionSummary } from '@svc/sdk'

/** The groups of the list, the ones that want a person first. */
export const summaryStates = [
  'waiting',
  'working',
  'starting',
  'idle',
  'stopped',
  'failed',
] as const satisfies readonly SessionSummary['state'][]

export type SummaryState = SessionSummary['state']

/** The part of the list that is shown. */
export interface SummaryFilter {
  readonly q?: string | undefined
  readonly state?: SummaryState | undefined
  readonly agent?: string | undefined
  readonly mine?: true | undefined
}

export const stateHeadings: Readonly<Record<SummaryState, string>> = {
  waiting: 'Waiting',
  working: 'Working',
  starting: 'Starting',
  idle: 'Idle',
  stopped: 'Stopped',
  failed: 'Failed',
}
