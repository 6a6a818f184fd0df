import type { Capability } from '@svc/facts'

/** A person, with every project of their accounts. */
export interface UserPrincipal {
  readonly type: 'user'
  readonly user_id: string
  readonly token_id: string
  /** Set when the credential is that of a sign-in, and not a token that the person minted. */
  readonly sign_in?: SignInFacts
  /** Set when an app acts for the person, with the scopes that they approved. */
  readonly oauth?: OAuthFacts
  /** Set when the person's browser asks, with its cookie. */
  readonly browser_session_id?: string
  /** Set when the person acts by what they wrote or pressed in this channel. */
  readonly channel?: string
}

export interface OAuthFacts {
  readonly client_id: string
  readonly scopes: readonly string[]
  /** As for a sign-in: whether the person proved a second factor when they approved. */
  readonly mfa_needed_by: readonly string[]
  /** As for a sign-in. */
  readonly sso_needed_by: readonly string[]
}

export interface SignInFacts {
  readonly sign_in_id: string
  /** True when the person proved a second factor. */
  readonly mfa: boolean
  /** The accounts of the person that this sign-in stays outside of, because they ask for a second factor. */
  readonly mfa_needed_by: readonly string[]
  /** And those because they ask for a sign-in by their own provider. */
  readonly sso_needed_by: readonly string[]
}

/** A person's token that is bound to one project. `default_branch` is true for the push token of provision. */
export interface ProjectPrincipal {
  readonly type: 'project'
  readonly user_id: string
  readonly token_id: string
  readonly project_id: string
  readonly default_branch: boolean
  /** As for a person. */
  readonly browser_session_id?: string
}

/** The agent of one session: its launching user's power, narrowed by the agent's grant. */
export interface SessionPrincipal {
  readonly type: 'session'
  readonly user_id: string
  readonly token_id: string
  readonly project_id: string
  readonly session_id: string
  /** The first session of its tree: itself, or the one that its line of parents begins with. */
  readonly tree_id: string
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
  /** The hash of the key that it came with: one sandbox of the session, and not the one that takes its place. */
  readonly service_key_hash: Uint8Array
}

/** A key for the model gateway of one project; reaches the inference routes alone. */
export interface GatewayPrincipal {
  readonly type: 'gateway'
  readonly token_id: string
  readonly project_id: string
  readonly session_id: string | null
}

/** The directory of one account; reaches its SCIM routes alone. */
export interface ScimPrincipal {
  readonly type: 'scim'
  readonly token_id: string
  readonly account_id: string
}

export type Principal =
  | UserPrincipal
  | ProjectPrincipal
  | SessionPrincipal
  | ServicePrincipal
  | SandboxPrincipal
  | GatewayPrincipal
  | ScimPrincipal

/** Principals that act for a person or a service account on the REST API. */
export type ActingPrincipal = UserPrincipal | ProjectPrincipal | SessionPrincipal | ServicePrincipal
