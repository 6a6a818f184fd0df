import { createRoute, z } from '@hono/zod-openapi'
import { projectRoles } from '@svc/access'
import { capabilities } from '@svc/facts'
import { reachedBy } from '../kit/access.ts'
import {
  body,
  DefaultModel,
  json,
  Metadata,
  ProjectParams,
  refusals,
  text,
  Timestamp,
} from '../kit/common.ts'
import { examples } from '../kit/examples.ts'

const common = { tags: ['Projects'] }

export const Project = z
  .object({
    project_id: z.uuid(),
    account_id: z.uuid(),
    name: z.string(),
    slug: z.string(),
    repo_url: z.string(),
    git_origin_url: z
      .string()
      .nullable()
      .openapi({ description: "The managed origin's clone URL; null when connected" }),
    default_branch: z.string(),
    status: z.enum(['active', 'archived']),
    metadata: Metadata,
    default_model: DefaultModel,
    created_by: z.uuid(),
    created_at: Timestamp,
    updated_at: Timestamp,
    project_role: z.enum(projectRoles),
  })
  .openapi('Project')

export const ProjectWithCapabilities = Project.extend({
  capabilities: z.array(z.enum(capabilities)).openapi({
    description:
      'All that this token may do in the project: by its role, by custom roles, and by the kind of the token',
  }),
}).openapi('ProjectWithCapabilities')

const name = text(100).refine((value) => value.trim().length > 0, 'must not be blank')

export const ProvisionProject = z
  .strictObject({
    name,
    idempotency_key: z
      .string()
      .regex(/^[A-Za-z0-9._:-]{1,200}$/, 'must be 1 to 200 characters of A-Z a-z 0-9 . _ : -')
      .optional(),
    seed_starter: z
      .boolean()
      .default(true)
      .openapi({ description: 'Start with a README, a manifest and an agent file' }),
  })
  .openapi('ProvisionProject', { example: examples.provisionProject })

export const ConnectProject = z
  .strictObject({
    name,
    repo_url: z
      .string()
      .min(1)
      .max(2048)
      .openapi({ description: 'An https:// address without a credential' }),
    default_branch: z
      .string()
      .min(1)
      .max(255)
      .optional()
      .openapi({ description: "Defaults to the repository's own" }),
    credential: z
      .strictObject({ username: text(255).optional(), token: text(4096).min(1) })
      .optional()
      .openapi({ description: 'Stored sealed; sent to the repository as basic credentials' }),
  })
  .openapi('ConnectProject', { example: examples.connectProject })

export const listProjects = createRoute({
  ...common,
  operationId: 'listProjects',
  ...reachedBy({ any_actor: true }),
  summary: 'List the projects that the token reaches',
  description: 'A token of one project lists that project alone.',
  method: 'get',
  path: '/v1/projects',
  responses: { 200: json(z.array(Project), 'Projects by name'), ...refusals(403) },
})

export const provisionProject = createRoute({
  ...common,
  operationId: 'provisionProject',
  ...reachedBy({ any_person: true }),
  summary: 'Create a project with a new managed repository',
  description: 'The same `idempotency_key` answers with the same project and `push_token: null`.',
  method: 'post',
  path: '/v1/projects/provision',
  request: { body: body(ProvisionProject) },
  responses: {
    201: json(
      Project.extend({ push_token: z.string().nullable() }).openapi('ProvisionedProject'),
      'The project',
    ),
    ...refusals(400, 403, 409, 415, 422),
  },
})

export const connectProject = createRoute({
  ...common,
  operationId: 'connectProject',
  ...reachedBy({ any_person: true }),
  summary: 'Create a project on an existing repository',
  description:
    'The repository stays where it is, and the credential is what the platform reads and writes it with. 400 `repository_not_allowed` for an address that the operator does not allow.',
  method: 'post',
  path: '/v1/projects',
  request: { body: body(ConnectProject) },
  responses: { 201: json(Project, 'The project'), ...refusals(400, 403, 415, 422) },
})

export const getProject = createRoute({
  ...common,
  operationId: 'getProject',
  ...reachedBy({ capability: 'project.read' }),
  summary: 'Read a project',
  description: '404 `project_archived` once it was archived.',
  method: 'get',
  path: '/v1/projects/{project_id}',
  request: { params: ProjectParams },
  responses: { 200: json(ProjectWithCapabilities, 'The project'), ...refusals(400, 403, 404) },
})

export const updateProject = createRoute({
  ...common,
  operationId: 'updateProject',
  ...reachedBy({ capability: 'project.write' }),
  summary: 'Rename a project, replace its metadata or set its default model',
  description: 'Only the given fields; `metadata` is replaced whole.',
  method: 'patch',
  path: '/v1/projects/{project_id}',
  request: {
    params: ProjectParams,
    body: body(
      z
        .strictObject({
          name: name.optional(),
          metadata: Metadata.optional(),
          default_model: DefaultModel.optional(),
        })
        .openapi('UpdateProject', { example: examples.updateProject }),
    ),
  },
  responses: { 200: json(Project, 'The project'), ...refusals(400, 403, 404, 415) },
})

export const archiveProject = createRoute({
  ...common,
  operationId: 'archiveProject',
  ...reachedBy({ capability: 'project.delete' }),
  summary: 'Archive a project: its sandboxes stop, later reads answer 404 `project_archived`',
  description:
    'The way to delete a project: it leaves every list, and nothing can be made in it any more. For people only.',
  method: 'delete',
  path: '/v1/projects/{project_id}',
  request: { params: ProjectParams },
  responses: { 204: { description: 'Archived' }, ...refusals(400, 403, 404) },
})
