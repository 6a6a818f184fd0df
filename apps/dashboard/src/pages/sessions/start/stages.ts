import type { Session } from '@svc/sdk'
import type { Stage } from '../../../conversation/session-log.ts'

export interface ShownStage {
  readonly name: string
  readonly state: 'done' | 'running' | 'to come' | 'failed'
  readonly ms: number | null
  readonly since: string | null
  readonly limit: string
}

/** The way of a session up, with how long each part may take. */
const parts = [
  { name: 'queued', status: 'queued', limit: 'until there is room' },
  { name: 'branch', status: 'branching', limit: 'at most 2 min' },
  { name: 'sandbox and agent', status: 'provisioning', limit: 'at most 30 min' },
] as const

const ups = ['queued', 'branching', 'provisioning', 'running'] as const

/** The stages of the last start, by the status events of the log. */
export function stagesOf(
  events: readonly Stage[],
  { status }: Pick<Session, 'status'>,
): readonly ShownStage[] {
  const last = lastStart(events)
  return parts.flatMap((part): readonly ShownStage[] => {
    const at = last.findIndex((stage) => stage.status === part.status)
    const begun = last[at]
    // A start that wakes a sandbox has no branch to cut and no queue.
    if (begun === undefined) return []
    const next = last[at + 1]
    const ms = next === undefined ? null : Date.parse(next.at) - Date.parse(begun.at)
    const failed = next === undefined ? status === 'failed' : next.status === 'failed'
    const state = failed
      ? 'failed'
      : next !== undefined
        ? 'done'
        : status === part.status
          ? 'running'
          : 'done'
    return [{ name: part.name, state, ms, since: begun.at, limit: part.limit }]
  })
}

/** From the last time on that the session began to come up. */
function lastStart(events: readonly Stage[]): readonly Stage[] {
  let from = 0
  events.forEach(({ status }, index) => {
    const before = events[index - 1]?.status
    const coming = ups.some((up) => up === status && up !== 'running')
    if (coming && (before === undefined || !ups.some((up) => up === before) || before === 'running'))
      from = index
  })
  return events.slice(from)
}
