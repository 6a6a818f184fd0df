import type { Principal } from '@svc/access'
import type { Logger } from '@svc/boot'
import type { Db, DatabaseListener } from '@svc/db'
import type { Repositories } from '@svc/git'
import type { Enqueue } from '@svc/queue'
import type { SandboxProvider, TemplateWish } from '@svc/sandbox'
import type { Vault } from '@svc/vault'
import type { TxtLookup } from './domains/txt-lookup.ts'
import type { MailTransport } from './mail/transport.ts'
import type { PreviewPlace } from './previews/place.ts'
import type { SsoProviders } from './sign-in/sso/providers.ts'
import type { WarmPool } from './sandboxes/warm/pool.ts'
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
  /** The models that a caller may ask for, as `provider/model`; absent while every model is worth a try. */
  readonly offered_models?: readonly string[] | undefined
  /** `open`: every person may sign up; `invited`, also when absent: only a person whom an account invited. */
  readonly sign_up?: 'open' | 'invited' | undefined
  /** The page that links in mails lead to; the platform's own when absent. */
  readonly sign_in_url?: string | undefined
  /** Host names for previews; none when absent. */
  readonly previews?: PreviewPlace | null | undefined
  /** Ranges of private addresses at which OpenID providers of accounts may be; none when absent. */
  readonly issuer_addresses?: readonly string[] | undefined
}

/** The context that every process has that runs verbs. */
export interface BaseContext {
  readonly db: Db
  readonly listener: DatabaseListener
  readonly enqueue: Enqueue
  readonly repositories: Repositories
  readonly vault: Vault
  readonly settings: Settings
  readonly log: Logger
  /**
   * The reason why no sandbox is made of a template, by the named provider or by any; null where one is. Absent where
   * another process makes sandboxes: it refuses the template then, and the session fails in the same words.
   */
  readonly template_refusal?: ((template: TemplateWish, provider?: string) => string | null) | undefined
  /** Absent where no mail is sent. */
  readonly mail?: MailTransport | undefined
  /** Other providers that sign people in; absent where there are none. */
  readonly sso?: SsoProviders | undefined
  /** Looks up mail domains; the name servers of the machine do when absent. */
  readonly txt_lookup?: TxtLookup | undefined
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
}

/** The context of a worker's job: no caller is behind it, the row says what is owed. */
export interface JobContext extends BaseContext {
  /** Connections that do nothing but hold locks, so that waiting for one never starves the queries. */
  readonly locks: Db
  readonly signal: AbortSignal
}

export interface SandboxContext extends JobContext {
  readonly provider: SandboxProvider
  /** Absent where no sandboxes are kept waiting. */
  readonly warm_pool?: WarmPool
}
