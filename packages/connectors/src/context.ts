import type { BaseContext, Context } from '@svc/context'
import type { ConnectorCallRow } from '@svc/db'
import type { Aggregators, ComputerHub, Provider, Upgrade, Wire } from '@svc/upstream'
import type { CallerHere } from './calls/finish.ts'

/** The questions of the API to the process that has the way to other services. Each resolves once that is done, or is refused. */
export interface Executor {
  /** Refused with `executor_unavailable` when none is there: asked before anything is written for it. */
  readonly ready: () => Promise<void>
  /**
   * Carries out a call that is `executing` under this attempt; its row says how it ended. Where that is done in this process,
   * it is the answer, and `here` says until its end is written whether its caller takes it. It may be asked while the row is
   * being written, and does nothing before that.
   */
  readonly run: (
    call: { readonly call_id: string; readonly attempt_id: string },
    here?: CallerHere,
  ) => Promise<ConnectorCallRow | undefined>
  /** Reads the actions of a connector anew; its row says what was found. */
  readonly sync: (connector: { readonly project_id: string; readonly slug: string }) => Promise<void>
  /** Scheme, host and port that a credential of the connector is for; null where the platform sends to no address. */
  readonly origin: (connector: {
    readonly project_id: string
    readonly slug: string
  }) => Promise<string | null>
  /** Whether a connection works: null, or why not. */
  readonly test: (connection: {
    readonly project_id: string
    readonly connection_id: string
  }) => Promise<{ readonly reason: string; readonly message: string } | null>
  /** Finds who signs people in for a connector, and makes a page for one of them. Throws `UpstreamRefusal`. */
  readonly beginSignIn: (authorization: {
    readonly project_id: string
    readonly slug: string
    readonly authorization_id: string
    /** The person whose connection it becomes; null where it becomes the project's. */
    readonly user_id: string | null
  }) => Promise<SignInBegun>
  /** Exchanges the code that an authorization came back with, once. Throws `UpstreamRefusal`. */
  readonly finishSignIn: (authorization: {
    readonly project_id: string
    readonly slug: string
    readonly authorization_id: string
  }) => Promise<SignInFinished>
  /** Takes a connection's access back at its issuer; false where there is none, or where it has no address for that. */
  readonly revoke: (connection: {
    readonly project_id: string
    readonly connection_id: string
  }) => Promise<boolean>
}

/** The way to the WebSockets of paired computers. Rejected with `executor_unavailable` where no executor is. */
export type ComputerDoor = (
  connection: { readonly project_id: string; readonly connection_id: string },
  upgrade: Upgrade,
) => Promise<void>

/** The paired computers whose WebSockets this process has, and the way to those that others have. */
export interface ComputerPlace {
  readonly hub: ComputerHub
  /** The id of this executor, another one with each start. */
  readonly holder: string
  /** The origin at which other executors reach this one; null where they cannot. */
  readonly address: string | null
  /** The executor at such an origin. */
  readonly peer: (address: string) => Executor
}

/** The part that is kept between the two steps; sealed for the authorization. */
export interface SignInBegun {
  /** Both null where an aggregator holds the account, and there is no code. */
  readonly issuer: string | null
  readonly resource: string | null
  readonly authorization_url: string
  /** SHA-256 of `state`, in hexadecimal. */
  readonly state_hash: string
  readonly sealed_verifier: string
}

/** A credential, sealed for the connection of the authorization; or the name of the account at an aggregator. */
export interface SignInFinished {
  readonly sealed_credential: string | null
  readonly external_ref: string | null
  readonly field_names: readonly string[]
  /** ISO 8601; null where the issuer does not say it. */
  readonly expires_at: string | null
  readonly origin: string | null
}

/** Settings of connectors that an operator decides. */
export interface ConnectorSettings {
  /** The time for which a sign-in is fresh enough to decide on a call. */
  readonly approval_sign_in_minutes: number
  /** The days for which the ledger keeps calls that ended. */
  readonly call_days: number
}

export interface ConnectorContext extends Context {
  /**
   * Runs `then` once the answer was written to its caller, and never where the caller left before that. Absent, the answer
   * counts as written when the verb returns.
   */
  readonly when_answered?: ((then: () => Promise<void>) => void) | undefined
  readonly executor: Executor
  readonly connector_settings: ConnectorSettings
}

/** The context of the one process that opens credentials and asks other services. */
export interface ExecutorContext extends BaseContext {
  /** Connections that do nothing but hold locks. */
  readonly locks: BaseContext['db']
  readonly signal: AbortSignal
  readonly providers: Readonly<Partial<Record<string, Provider>>>
  /** The way to issuers of tokens. */
  readonly wire: Wire
  /** Those that the operator set up; none when absent. */
  readonly aggregators?: Aggregators | undefined
  /** None can be paired when absent. */
  readonly computers?: ComputerPlace | undefined
  readonly connector_settings: ConnectorSettings
}
