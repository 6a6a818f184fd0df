import type { Capability } from '@svc/facts'
import type { Entitlement } from '@svc/facts'
import type { AccountRole } from './roles.ts'

/** The callers that reach a route of the contract. Every route states one; the verb behind it asks the same. */
export type AccessRule =
  /** No credential of ours: nothing to hide, or an authentication of its own. */
  | { readonly public: true }
  /** A person with a user token, about what is their own. */
  | { readonly any_person: true }
  /** Any caller that acts on projects; the answer holds those that it may see. */
  | { readonly any_actor: true }
  /** A role on the project in the path. */
  | { readonly capability: Capability; readonly entitlement?: Entitlement }
  /** A role on the account in the path. */
  | { readonly account_role: AccountRole; readonly entitlement?: Entitlement }
  /** A person who runs the platform, with a credential of their own or of an app of the platform. */
  | { readonly platform_admin: true }
  /** The service key of one sandbox of the project. */
  | { readonly sandbox_key: true }
