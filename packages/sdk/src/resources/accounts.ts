import type {
  accounts as accountRoutes,
  keyRules as ruleRoutes,
  members as routes,
  roles as roleRoutes,
  signInRules as signInRoutes,
} from '@svc/contract'
import type { Http } from '../http/transport.ts'
import type { RequestOptions } from '../options.ts'
import type {
  Account,
  Assignment,
  Branding,
  CreatedInvitation,
  CreateInvitationInput,
  CustomRoleInput,
  Invitation,
  JoinedAccount,
  KeyRules,
  Member,
  Role,
  SignInRules,
  UpdateAccountInput,
  UpdateMemberInput,
} from '../types.ts'
import { audit, type Audit } from './audit.ts'
import { accountBilling, type AccountBilling } from './gateway/money.ts'
import { directory, type Directory } from './directory.ts'
import { accountGateway, type AccountGateway } from './gateway/gateway.ts'
import { serviceAccounts, type ServiceAccounts } from './service-accounts.ts'
import { domains, type Domains, singleSignOn, type SingleSignOn } from './single-sign-on.ts'

export interface Members {
  list(account_id: string, options?: RequestOptions): Promise<Member[]>
  /** 409 `LAST_OWNER` for the last one. */
  update(
    account_id: string,
    user_id: string,
    input: UpdateMemberInput,
    options?: RequestOptions,
  ): Promise<Member>
  /** Any member may leave; 409 `LAST_OWNER` for the last owner. */
  remove(account_id: string, user_id: string, options?: RequestOptions): Promise<void>
}

export interface Invitations {
  list(account_id: string, options?: RequestOptions): Promise<Invitation[]>
  /** `token` is in this answer and never again; it holds for seven days. */
  create(
    account_id: string,
    input: CreateInvitationInput,
    options?: RequestOptions,
  ): Promise<CreatedInvitation>
  revoke(account_id: string, invitation_id: string, options?: RequestOptions): Promise<void>
  /** Accepts as the person whom the invitation names; 409 when it was used or is over. */
  accept(token: string, options?: RequestOptions): Promise<JoinedAccount>
}

/** Creating and changing needs the entitlement `rbac` (402). */
export interface Roles {
  list(account_id: string, options?: RequestOptions): Promise<Role[]>
  create(account_id: string, input: CustomRoleInput, options?: RequestOptions): Promise<Role>
  update(account_id: string, role_id: string, input: CustomRoleInput, options?: RequestOptions): Promise<Role>
  delete(account_id: string, role_id: string, options?: RequestOptions): Promise<void>
  /** The roles of people on projects. */
  assignments(account_id: string, options?: RequestOptions): Promise<Assignment[]>
}

/** An account and its members. Project-scoped tokens and service accounts get 403 on all of these. */
export interface Accounts {
  readonly members: Members
  readonly invitations: Invitations
  readonly roles: Roles
  readonly serviceAccounts: ServiceAccounts
  readonly directory: Directory
  readonly domains: Domains
  readonly sso: SingleSignOn
  readonly audit: Audit
  readonly gateway: AccountGateway
  readonly billing: AccountBilling
  /** Sets the default model; for its owners and admins. */
  update(account_id: string, input: UpdateAccountInput, options?: RequestOptions): Promise<Account>
  /** Replaces the name and the colour that the dashboard shows its members; 402 `entitlement_required` without `branding`. */
  setBranding(account_id: string, branding: Branding, options?: RequestOptions): Promise<Branding>
  /** The account's demands on new keys: an expiry, or one within so many days. */
  keyRules(account_id: string, options?: RequestOptions): Promise<KeyRules>
  setKeyRules(account_id: string, rules: KeyRules, options?: RequestOptions): Promise<KeyRules>
  /** The account's rule on second factors. */
  signInRules(account_id: string, options?: RequestOptions): Promise<SignInRules>
  /** 409 until you have a second factor yourself. Sign-ins without one get 403 `account_mfa_required` from then on. */
  setSignInRules(account_id: string, rules: SignInRules, options?: RequestOptions): Promise<SignInRules>
}

const base = '/v1/accounts/{account_id}'

export function accounts(http: Http): Accounts {
  return {
    members: members(http),
    invitations: invitations(http),
    roles: roles(http),
    serviceAccounts: serviceAccounts(http),
    directory: directory(http),
    domains: domains(http),
    sso: singleSignOn(http),
    audit: audit(http),
    gateway: accountGateway(http),
    billing: accountBilling(http),
    update: (account_id, body, options = {}) =>
      http.call<typeof accountRoutes.updateAccount>(`PATCH ${base}`, {
        ...options,
        params: { account_id },
        body,
      }),
    setBranding: (account_id, body, options = {}) =>
      http.call<typeof accountRoutes.setBranding>(`PUT ${base}/branding`, {
        ...options,
        params: { account_id },
        body,
      }),
    keyRules: (account_id, options = {}) =>
      http.call<typeof ruleRoutes.getKeyRules>(`GET ${base}/key-rules`, {
        ...options,
        params: { account_id },
      }),
    setKeyRules: (account_id, body, options = {}) =>
      http.call<typeof ruleRoutes.setKeyRules>(`PUT ${base}/key-rules`, {
        ...options,
        params: { account_id },
        body,
      }),
    signInRules: (account_id, options = {}) =>
      http.call<typeof signInRoutes.getSignInRules>(`GET ${base}/sign-in-rules`, {
        ...options,
        params: { account_id },
      }),
    setSignInRules: (account_id, body, options = {}) =>
      http.call<typeof signInRoutes.setSignInRules>(`PUT ${base}/sign-in-rules`, {
        ...options,
        params: { account_id },
        body,
      }),
  }
}

function members(http: Http): Members {
  return {
    list: async (account_id, options = {}) => {
      const call = { ...options, params: { account_id } }
      return (await http.call<typeof routes.listMembers>(`GET ${base}/members`, call)).members
    },
    update: (account_id, user_id, body, options = {}) =>
      http.call<typeof routes.updateMember>(`PATCH ${base}/members/{user_id}`, {
        ...options,
        params: { account_id, user_id },
        body,
      }),
    remove: (account_id, user_id, options = {}) =>
      http.call<typeof routes.removeMember>(`DELETE ${base}/members/{user_id}`, {
        ...options,
        params: { account_id, user_id },
      }),
  }
}

function invitations(http: Http): Invitations {
  return {
    list: async (account_id, options = {}) => {
      const call = { ...options, params: { account_id } }
      return (await http.call<typeof routes.listInvitations>(`GET ${base}/invitations`, call)).invitations
    },
    create: (account_id, body, options = {}) =>
      http.call<typeof routes.createInvitation>(`POST ${base}/invitations`, {
        ...options,
        params: { account_id },
        body,
      }),
    revoke: (account_id, invitation_id, options = {}) =>
      http.call<typeof routes.revokeInvitation>(`DELETE ${base}/invitations/{invitation_id}`, {
        ...options,
        params: { account_id, invitation_id },
      }),
    accept: (token, options = {}) =>
      http.call<typeof routes.acceptInvitation>('POST /v1/accounts/invitations/accept', {
        ...options,
        body: { token },
      }),
  }
}

function roles(http: Http): Roles {
  return {
    list: async (account_id, options = {}) => {
      const call = { ...options, params: { account_id } }
      return (await http.call<typeof roleRoutes.listRoles>(`GET ${base}/roles`, call)).roles
    },
    create: (account_id, body, options = {}) =>
      http.call<typeof roleRoutes.createRole>(`POST ${base}/roles`, {
        ...options,
        params: { account_id },
        body,
      }),
    update: (account_id, role_id, body, options = {}) =>
      http.call<typeof roleRoutes.updateRole>(`PUT ${base}/roles/{role_id}`, {
        ...options,
        params: { account_id, role_id },
        body,
      }),
    delete: (account_id, role_id, options = {}) =>
      http.call<typeof roleRoutes.deleteRole>(`DELETE ${base}/roles/{role_id}`, {
        ...options,
        params: { account_id, role_id },
      }),
    assignments: async (account_id, options = {}) => {
      const call = { ...options, params: { account_id } }
      return (await http.call<typeof roleRoutes.listAssignments>(`GET ${base}/assignments`, call)).assignments
    },
  }
}
