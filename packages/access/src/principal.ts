import type { Capability } from './capabilities.ts'

/** A person, with every project of their accounts. */
export interface UserPrincipal {
  readonly type: 'user'
  readonly user_id: string
  readonly token_id: string
}

/** A person's token that is bound to one project. `default_branch` is true for the push token of provision. */
export interface ProjectPrincipal {
  readonly type: 'project'
  readonly user_id: string
  readonly token_id: string
  readonly project_id: string
  readonly default_branch: boolean
}

/** The agent of one session: its launching user's power, narrowed by the agent's grant. */
export interface SessionPrincipal {
  readonly type: 'session'
  readonly user_id: string
  readonly token_id: string
  readonly project_id: string
  readonly session_id: string
  readonly grant: readonly Capability[]
  readonly merge_granted: boolean
}

/** A service account: power on the projects where a role was assigned to it, and no account routes. */
export interface ServicePrincipal {
  readonly type: 'service'
  /** The service account's own id, which stands wherever a person's would. */
  readonly user_id: string
  readonly token_id: string
  readonly account_id: string
}

/** The daemon of one sandbox; reaches the sandbox-identity routes alone. */
export interface SandboxPrincipal {
  readonly type: 'sandbox'
  readonly project_id: string
  readonly session_id: string
}

/** A key for the model gateway of one project; reaches the inference routes alone. */
export interface GatewayPrincipal {
  readonly type: 'gateway'
  readonly token_id: string
  readonly project_id: string
  readonly session_id: string | null
}

export type Principal =
  UserPrincipal | ProjectPrincipal | SessionPrincipal | ServicePrincipal | SandboxPrincipal | GatewayPrincipal

/** Principals that act for a person or a service account on the REST API. */
export type ActingPrincipal = UserPrincipal | ProjectPrincipal | SessionPrincipal | ServicePrincipal
