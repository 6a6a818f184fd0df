import type { files as fileRoutes, projects as routes } from '@svc/contract'
import type { Http } from '../http/transport.ts'
import type { RequestOptions } from '../options.ts'
import type {
  Comparison,
  ConnectProjectInput,
  Project,
  ProjectWithCapabilities,
  ProvisionedProject,
  ProvisionProjectInput,
  UpdateProjectInput,
} from '../types.ts'
import { projectApps, type ProjectApps } from './apps/project-apps.ts'
import { changeRequests, type ChangeRequests } from './change-requests.ts'
import { channels, type Channels } from './channels/channels.ts'
import { approvals, type Approvals } from './connectors/approvals.ts'
import { connectorCalls, type ConnectorCalls } from './connectors/connector-calls.ts'
import { connectors, type Connectors } from './connectors/connectors.ts'
import { gateway, type Gateway } from './gateway/gateway.ts'
import { projectHarnesses, type ProjectHarnesses } from './harnesses/harnesses.ts'
import {
  features,
  type Features,
  gatewayKeys,
  type GatewayKeys,
  projectMembers,
  type ProjectMembers,
} from './project-access.ts'
import { projectTokens, type ProjectTokens } from './project-tokens.ts'
import {
  branches,
  type Branches,
  commits,
  type Commits,
  files,
  type Files,
  manifests,
  type Manifests,
} from './repository.ts'
import { reviews, type Reviews } from './reviews.ts'
import { secrets, type Secrets } from './secrets.ts'
import { sessions, type Sessions } from './sessions.ts'
import { triggers, type Triggers } from './triggers.ts'

export interface Projects {
  /** The projects that the token reaches, by name. */
  list(options?: RequestOptions): Promise<Project[]>
  /** The project, and what this token may do in it. */
  get(project_id: string, options?: RequestOptions): Promise<ProjectWithCapabilities>
  /** A project with a new managed repository. Safe to repeat with the same `idempotency_key`. */
  provision(input: ProvisionProjectInput, options?: RequestOptions): Promise<ProvisionedProject>
  /** A project on an existing repository. */
  connect(input: ConnectProjectInput, options?: RequestOptions): Promise<Project>
  update(project_id: string, input: UpdateProjectInput, options?: RequestOptions): Promise<Project>
  /** Archives the project: its sandboxes stop; later reads answer 404 `project_archived`. */
  archive(project_id: string, options?: RequestOptions): Promise<void>
  readonly sessions: Sessions
  readonly changeRequests: ChangeRequests
  readonly apps: ProjectApps
  readonly harnesses: ProjectHarnesses
  readonly reviews: Reviews
  readonly connectors: Connectors
  readonly connectorCalls: ConnectorCalls
  readonly approvals: Approvals
  readonly channels: Channels
  readonly secrets: Secrets
  readonly triggers: Triggers
  readonly tokens: ProjectTokens
  readonly gateway: Gateway
  readonly gatewayKeys: GatewayKeys
  readonly members: ProjectMembers
  readonly features: Features
  readonly files: Files
  readonly commits: Commits
  readonly branches: Branches
  readonly manifest: Manifests
  /** The diff of what `head` changed since it parted from `base`; `path` narrows to one file. */
  compare(
    project_id: string,
    query: { base: string; head: string; path?: string },
    options?: RequestOptions,
  ): Promise<Comparison>
}

export function projects(http: Http): Projects {
  return {
    list: (options = {}) => http.call<typeof routes.listProjects>('GET /v1/projects', options),
    get: (project_id, options = {}) =>
      http.call<typeof routes.getProject>('GET /v1/projects/{project_id}', {
        ...options,
        params: { project_id },
      }),
    provision: (body, options = {}) =>
      http.call<typeof routes.provisionProject>('POST /v1/projects/provision', { ...options, body }),
    connect: (body, options = {}) =>
      http.call<typeof routes.connectProject>('POST /v1/projects', { ...options, body }),
    update: (project_id, body, options = {}) =>
      http.call<typeof routes.updateProject>('PATCH /v1/projects/{project_id}', {
        ...options,
        params: { project_id },
        body,
      }),
    archive: (project_id, options = {}) =>
      http.call<typeof routes.archiveProject>('DELETE /v1/projects/{project_id}', {
        ...options,
        params: { project_id },
      }),
    sessions: sessions(http),
    changeRequests: changeRequests(http),
    apps: projectApps(http),
    harnesses: projectHarnesses(http),
    reviews: reviews(http),
    connectors: connectors(http),
    connectorCalls: connectorCalls(http),
    approvals: approvals(http),
    channels: channels(http),
    secrets: secrets(http),
    triggers: triggers(http),
    tokens: projectTokens(http),
    gateway: gateway(http),
    gatewayKeys: gatewayKeys(http),
    members: projectMembers(http),
    features: features(http),
    files: files(http),
    commits: commits(http),
    branches: branches(http),
    manifest: manifests(http),
    compare: (project_id, query, options = {}) =>
      http.call<typeof fileRoutes.compareBranches>('GET /v1/projects/{project_id}/compare', {
        ...options,
        params: { project_id },
        query,
      }),
  }
}
