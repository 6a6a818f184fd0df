import type { MonitorState } from '@svc/trigger'
import type { Generated, Selectable } from 'kysely'

/** The sandbox that a project's monitors run in, and who looks after it. */
export interface MonitorHostTable {
  project_id: string
  /** The system session whose sandbox it is. */
  session_id: string | null
  /** The disk of the sandbox that answered last: another one has forgotten what ran. */
  host_id: string | null
  /** Grows with every claim and never falls. */
  fence: Generated<number>
  /** By the database's clock. Null: no scheduler holds it. */
  held_until: Date | null
  /** Starts of the sandbox in a row that did not last. */
  failures: Generated<number>
  /** The next start comes no sooner. */
  retry_at: Date | null
  /** The reason that its scheduler does not reach it, once that has lasted. */
  unreached: string | null
}

export interface ProjectMonitorTable {
  project_id: string
  slug: string
  /** With `seq` the occurrence of an event. A monitor that left the manifest and came back has another one. */
  epoch: string
  /** The last event that was taken over. */
  seq: Generated<number>
  state: Generated<Exclude<MonitorState, 'paused'>>
  tokens: number
  tokens_at: Date
  suppressed_until: Date | null
  /** The ledger row that counts what is suppressed now. */
  suppressed_fire_id: string | null
  suppressed_lines: Generated<number>
  suppressed_total: Generated<number>
  last_line_at: Date | null
  /** The last exit of its command. */
  last_exit: string | null
}

export type MonitorHostRow = Selectable<MonitorHostTable>
export type ProjectMonitorRow = Selectable<ProjectMonitorTable>
