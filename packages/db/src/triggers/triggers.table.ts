import type { Capability, FireKind, RuntimeName, TriggerType } from '@svc/facts'
import type { FrozenHarness } from '@svc/harness'
import type { DeliveryVerdict, FireStatus } from '@svc/trigger'
import type { Generated, JSONColumnType, Selectable } from 'kysely'

/** An entry that is not usable, as the manifest's reader names it. */
export interface CatalogueError {
  readonly slug: string | null
  readonly path: string
  readonly error: string
}

/** The verdict on the manifest of a default branch. */
export interface CatalogueManifest {
  readonly errors: number
  /** The first of them. */
  readonly path: string | null
  readonly message: string | null
  readonly required_secrets: readonly string[]
  /** Connectors that an agent does not start without; absent in what was read before they were kept. */
  readonly required_connectors?: readonly string[]
}

export interface TriggerCatalogueTable {
  project_id: string
  /** The commit that was read last. */
  tip_sha: string | null
  /** Files and blobs that were read, a line each: the same source says the same. */
  source: string | null
  errors: JSONColumnType<CatalogueError[], string | undefined, string>
  paused: Generated<boolean>
  /** The verdict on the manifest there; null until it was looked at. */
  manifest: JSONColumnType<CatalogueManifest | null, string | null | undefined, string | null>
  /** Checks that failed one after the other. */
  failures: Generated<number>
  check_at: Date
  checked_at: Date | null
}

/** The agent of a trigger's sessions and what it may do, as the manifest said. */
export interface TriggerAgent {
  readonly agent_name: string
  readonly grant: readonly Capability[]
  readonly merge_granted: boolean
  readonly secrets: 'all' | readonly string[]
  /** Absent on what was read before there were these; the next look at the manifest writes them. */
  readonly skills?: 'all' | readonly string[]
  readonly connectors?: readonly { readonly slug: string; readonly connection_id: string | null }[]
  /** Those without which its sessions do not start. */
  readonly connectors_required?: readonly string[]
  /** The model that its own file names. */
  readonly model: string | null
  /** The manifest's runtime where it is not the default, so that a sandbox starts the right one at once. */
  readonly runtime?: RuntimeName
  /** The harness that is its agent, where it is one. */
  readonly harness?: FrozenHarness
  /** The sandbox template of its agent, where it has one. */
  readonly template?: {
    readonly slug: string
    readonly image?: string
    readonly dockerfile?: string
    readonly entrypoint?: string
  }
}

export interface ProjectTriggerTable {
  project_id: string
  slug: string
  position: number
  type: TriggerType
  definition: JSONColumnType<Readonly<Record<string, unknown>>, string, string>
  agent: JSONColumnType<TriggerAgent | null, string | null, string | null>
  /** The reason that no agent can run it. */
  agent_error: string | null
  enabled: boolean
  /** The nominal slot that comes next. */
  next_fire_at: Date | null
  /** The time at which a scheduler looks at it: the slot, or later after a failure. Null while nothing is due. */
  due_at: Date | null
  last_fired_at: Date | null
  /** Of the fire that was settled last. */
  last_status: FireStatus | null
  last_error: string | null
  last_attempt_at: Date | null
  created_at: Date
  updated_at: Date
}

export interface TriggerFireTable {
  fire_id: string
  project_id: string
  slug: string
  type: FireKind
  occurrence: string
  scheduled_at: Date
  fired_at: Date | null
  status: FireStatus
  reason: string | null
  /** The code of the refusal that ended it. */
  code: Generated<string | null>
  session_id: string | null
  /** The id that a session of its own will have. */
  planned_session_id: string
  /** Null once no session is owed and it can be rendered again. */
  prompt: string | null
  session_key: Generated<string>
  /** The person of a manual fire. */
  actor: string | null
  /** The session whose agent asked for it, in that person's name. */
  actor_session_id: Generated<string | null>
  receipt_id: string | null
  delivery_id: string | null
  /** The fire that this one repeats, at a caller's wish. */
  replay_of: Generated<string | null>
  attempts: Generated<number>
  /** Set exactly while a session is owed. */
  retry_at: Date | null
  created_at: Date
}

export interface TriggerDeliveryTable {
  receipt_id: string
  project_id: string
  slug: string
  delivery_id: string | null
  received_at: Date
  headers: JSONColumnType<Record<string, string>, string, never>
  body: Buffer | null
  body_bytes: number
  verdict: DeliveryVerdict
  reason: string | null
  redelivery_of: string | null
}

export interface TriggerDeliveryKeyTable {
  project_id: string
  slug: string
  delivery_id: string
  receipt_id: string
  received_at: Date
}

export interface TriggerSessionTable {
  session_id: string
  project_id: string
  slug: string
  session_key: string
  created_at: Date
}

export type TriggerCatalogueRow = Selectable<TriggerCatalogueTable>
export type ProjectTriggerRow = Selectable<ProjectTriggerTable>
export type TriggerFireRow = Selectable<TriggerFireTable>
export type TriggerDeliveryRow = Selectable<TriggerDeliveryTable>
