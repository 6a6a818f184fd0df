import type { features as flagRoutes, gatewayKeys as keyRoutes, members as memberRoutes } from '@svc/contract'
import type { Http } from '../http/transport.ts'
import type { RequestOptions } from '../options.ts'
import type {
  CreateGatewayKeyInput,
  Feature,
  GatewayKey,
  MintedGatewayKey,
  ProjectMember,
  RotateGatewayKeyInput,
  SetFeaturesInput,
  SetProjectMemberInput,
  UpdateGatewayKeyInput,
} from '../types.ts'

/** Keys for the model gateway of one project. For people only: 403 for every other credential. */
export interface GatewayKeys {
  list(project_id: string, options?: RequestOptions): Promise<GatewayKey[]>
  /** `token` is in this answer and never again. 400 `expiry_required` or `expiry_too_far` by the account's key rules. */
  create(
    project_id: string,
    input: CreateGatewayKeyInput,
    options?: RequestOptions,
  ): Promise<MintedGatewayKey>
  /** Renames it or changes its limits: one that is left out stays, null lifts it. */
  update(
    project_id: string,
    token_id: string,
    input: UpdateGatewayKeyInput,
    options?: RequestOptions,
  ): Promise<GatewayKey>
  /** Another key in its place, with its limits; the old one ends after `grace_seconds`, or at once. */
  rotate(
    project_id: string,
    token_id: string,
    input?: RotateGatewayKeyInput,
    options?: RequestOptions,
  ): Promise<MintedGatewayKey>
  revoke(project_id: string, token_id: string, options?: RequestOptions): Promise<void>
}

/** The people with a role on a project. */
export interface ProjectMembers {
  list(project_id: string, options?: RequestOptions): Promise<ProjectMember[]>
  /** A person or a service account of the account; `role_id` needs the entitlement `rbac` (402). */
  set(
    project_id: string,
    user_id: string,
    input: SetProjectMemberInput,
    options?: RequestOptions,
  ): Promise<ProjectMember>
  /** Their credentials on the project end at once. */
  remove(project_id: string, user_id: string, options?: RequestOptions): Promise<void>
}

/** The features that a project may use. */
export interface Features {
  list(project_id: string, options?: RequestOptions): Promise<Feature[]>
  /** 403 `feature_operator_only` for flags that only the operator changes. */
  set(project_id: string, input: SetFeaturesInput, options?: RequestOptions): Promise<Feature[]>
}

const keys = '/v1/projects/{project_id}/gateway-keys'
const people = '/v1/projects/{project_id}/members'
const flags = '/v1/projects/{project_id}/features'

export function gatewayKeys(http: Http): GatewayKeys {
  return {
    list: async (project_id, options = {}) => {
      const params = { project_id }
      return (await http.call<typeof keyRoutes.listGatewayKeys>(`GET ${keys}`, { ...options, params })).tokens
    },
    create: (project_id, body, options = {}) =>
      http.call<typeof keyRoutes.createGatewayKey>(`POST ${keys}`, {
        ...options,
        params: { project_id },
        body,
      }),
    update: (project_id, token_id, body, options = {}) =>
      http.call<typeof keyRoutes.updateGatewayKey>(`PATCH ${keys}/{token_id}`, {
        ...options,
        params: { project_id, token_id },
        body,
      }),
    rotate: (project_id, token_id, body = {}, options = {}) =>
      http.call<typeof keyRoutes.rotateGatewayKey>(`POST ${keys}/{token_id}/rotate`, {
        ...options,
        params: { project_id, token_id },
        body,
      }),
    revoke: (project_id, token_id, options = {}) =>
      http.call<typeof keyRoutes.revokeGatewayKey>(`DELETE ${keys}/{token_id}`, {
        ...options,
        params: { project_id, token_id },
      }),
  }
}

export function projectMembers(http: Http): ProjectMembers {
  return {
    list: async (project_id, options = {}) => {
      const call = { ...options, params: { project_id } }
      return (await http.call<typeof memberRoutes.listProjectMembers>(`GET ${people}`, call)).members
    },
    set: (project_id, user_id, body, options = {}) =>
      http.call<typeof memberRoutes.setProjectMember>(`PUT ${people}/{user_id}`, {
        ...options,
        params: { project_id, user_id },
        body,
      }),
    remove: (project_id, user_id, options = {}) =>
      http.call<typeof memberRoutes.removeProjectMember>(`DELETE ${people}/{user_id}`, {
        ...options,
        params: { project_id, user_id },
      }),
  }
}

export function features(http: Http): Features {
  return {
    list: async (project_id, options = {}) => {
      const call = { ...options, params: { project_id } }
      return (await http.call<typeof flagRoutes.listFeatures>(`GET ${flags}`, call)).features
    },
    set: async (project_id, body, options = {}) => {
      const call = { ...options, params: { project_id }, body }
      return (await http.call<typeof flagRoutes.setFeatures>(`PATCH ${flags}`, call)).features
    },
  }
}
