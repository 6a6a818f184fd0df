import type { Principal } from '@svc/access'
import type { Logger, Meter, Tracing } from '@svc/boot'
import type { DatabaseListener, Db, sessions } from '@svc/db'
import type { RateLimitState, ServiceError } from '@svc/errors'
import type { InboxKind } from '@svc/facts'
import type { Repositories } from '@svc/git'
import type { HarnessPolicy } from '@svc/harness'
import type { Connector } from '@svc/manifest'
import type { ObjectStore } from '@svc/objects'
import type { Enqueue, PubSub, QueueDepth } from '@svc/queue'
import type { TemplateWish } from '@svc/sandbox'
import type { KeySealer, Vault } from '@svc/vault'
import type { Maintenance } from './maintenance/maintenance.ts'
import type { PreviewPlace } from './previews/place.ts'
import type { AuditTrail } from './audit/trail.ts'

/** Settings that an operator decides once for a deployment. */
export interface Settings {
  /** The address that people and sandboxes use, with `/v1`. */
  readonly api_url: string
  /** The model gateway's base URL as a sandbox reaches it; null when the operator offers no models. */
  readonly llm_base_url: string | null
  /** Overrides the cap of live sessions that the account's tier gives. */
  readonly session_cap: number | null
  /** The time for which the sandbox of a person's session stays on unused. */
  readonly idle_after_seconds: number
  /** The same for a session that a trigger started. */
  readonly trigger_idle_after_seconds: number
  /** The time for which an agent's question waits for an answer. */
  readonly ask_timeout_seconds: number
  /** The time for which commands in sandboxes wait for an API that is away; their own default when absent. */
  readonly api_wait_seconds?: number | undefined
  /** The models that a caller may ask for, as `provider/model`; absent while every model is worth a try. */
  readonly offered_models?: readonly string[] | undefined
  /** The model of calls for which nothing nearer names one, of the operator. */
  readonly default_model?: string | undefined
  /** Ranges of private addresses that the platform calls for its users; none when absent. */
  readonly outbound_addresses?: readonly string[] | undefined
  /** The address below which each app has a name of its own; apps have no address when absent. */
  readonly apps_url?: string | undefined
  /** The operator's rules for harnesses; the usual ones when absent. */
  readonly harnesses?: HarnessPolicy | undefined
  /** Host names for previews; none when absent. */
  readonly previews?: PreviewPlace | null | undefined
}

/** A session that is about to start, as the model gateway sees it. */
export interface SessionOfModel {
  readonly project_id: string
  readonly session_id: string
  readonly agent_name: string
  readonly trigger_slug: string | null
  /** `provider/model`, a bare name, or `auto`: the gateway's default. */
  readonly model: string
}

/** The gateway's word on a model: `name` is its own. A model that it does not offer may be the project's own matter. */
export type OfferedModel =
  | { readonly kind: 'offered'; readonly name: string }
  | { readonly kind: 'not_offered'; readonly known_provider: boolean; readonly refusal: ServiceError }
  | { readonly kind: 'not_allowed'; readonly by: string; readonly refusal: ServiceError }

/** The model gateway's word on a session before it starts. */
export interface SessionModels {
  /** Null where the project has no gateway, or nothing can be said. */
  find(db: Db, asked: Omit<SessionOfModel, 'session_id' | 'trigger_slug'>): Promise<OfferedModel | null>
  /** The refusal that its first call would be answered with; null where that would be let in. */
  refusal(db: Db, asked: SessionOfModel): Promise<ServiceError | null>
}

/** A connector that a session gets, and the connection that was chosen for it; null leaves it to a default. */
export interface BoundConnector {
  readonly slug: string
  readonly connection_id: string | null
}

/** A session that is about to start, as connections of connectors see it. */
export interface SessionOfConnectors {
  readonly project_id: string
  readonly connectors: readonly BoundConnector[]
  /** Those without which it does not start. */
  readonly required: readonly string[]
  /** The person whose own connections may be chosen for it; null for a session that others drive or start as well. */
  readonly owner: string | null
  /** True where the owner started it in person, so that own connections count without being chosen. */
  readonly in_person: boolean
  /** The connectors as the manifest declares them; absent, as they were when it was read last. */
  readonly declared?: readonly Connector[]
}

export interface ConnectorsVerdict {
  /** Choices that are no active connection of their connector which the session may use. */
  readonly refused: readonly { readonly slug: string; readonly message: string }[]
  /** Required connectors that would not work in it. */
  readonly unconnected: readonly { readonly slug: string; readonly message: string }[]
}

/** The connectors' word on a session. */
export interface SessionConnections {
  judge(db: Db, asked: SessionOfConnectors): Promise<ConnectorsVerdict>
  /** The connectors of a private session that work with a connection of its owner: it is then the owner's alone. */
  personal(
    db: Db,
    session: Pick<sessions.SessionView, 'project_id' | 'created_by' | 'origin' | 'requested'>,
  ): Promise<readonly string[]>
}

/** An item of the inbox that a person approves there: its kind's own verb does it, by that verb's own rules. */
export type InboxApproval = (
  ctx: Context,
  item: { readonly project_id: string; readonly id: string; readonly version: string },
) => Promise<void>

/** The context that every process has that runs verbs. */
export interface BaseContext {
  readonly db: Db
  readonly listener: DatabaseListener
  /** Messages that may be lost; absent where PostgreSQL carries them. */
  readonly pubsub?: PubSub | undefined
  readonly enqueue: Enqueue
  /** The jobs of each queue; absent where there are no queues. */
  readonly queue_depth?: (() => Promise<QueueDepth[]>) | undefined
  readonly repositories: Repositories
  /** The store of what outlives a process and is no row: archives, bundles, backups of branches. */
  readonly objects: ObjectStore
  readonly vault: Vault
  /** Seals the keys of model providers; absent where the operator gave it no key. */
  readonly provider_sealer?: KeySealer | undefined
  readonly settings: Settings
  readonly log: Logger
  readonly metrics: Meter
  /** Absent while traces are off. */
  readonly tracing?: Tracing | undefined
  /** The trace of the request or job that this is for, as W3C Trace Context writes it; absent while traces are off. */
  readonly traceparent?: string | undefined
  /**
   * The reason why no sandbox is made of a template, by the named provider or by any; null where one is. Absent where
   * another process makes sandboxes: it refuses the template then, and the session fails in the same words.
   */
  readonly template_refusal?: ((template: TemplateWish, provider?: string) => string | null) | undefined
  /** The model gateway's word on sessions; absent where a process starts none, and nothing is refused there. */
  readonly session_models?: SessionModels | undefined
  /** The connectors' word on sessions; absent where a process starts none, and nothing is refused there. */
  readonly session_connections?: SessionConnections | undefined
  /** The approvals that the inbox gives, by kind; absent where a process gives none. */
  readonly inbox_approvals?: Readonly<Partial<Record<InboxKind, InboxApproval>>> | undefined
  /** Whether the platform is closed at this moment, and to what. */
  readonly maintenance: () => Maintenance
  readonly now: () => Date
  readonly newId: () => string
}

/** Everything a verb may reach; a verb picks the few parts that it needs. */
export interface Context extends BaseContext {
  readonly principal: Principal
  /** Ends with the request. */
  readonly signal: AbortSignal
  /** Facts of the request for the audit log; absent where there is no request. */
  readonly trail?: AuditTrail
  /** Reports to the caller how much of a limit is left; absent where there is no answer to tell it in. */
  readonly report_rate?: (state: RateLimitState) => void
}

/** The context of a worker's job: no caller is behind it, the row says what is owed. */
export interface JobContext extends BaseContext {
  /** Connections that do nothing but hold locks, so that waiting for one never starves the queries. */
  readonly locks: Db
  readonly signal: AbortSignal
}
