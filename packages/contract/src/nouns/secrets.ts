import { createRoute, z } from '@hono/zod-openapi'
import { reachedBy } from '../kit/access.ts'
import { body, json, PageQuery, ProjectParams, refusals, text, Timestamp } from '../kit/common.ts'
import { examples } from '../kit/examples.ts'
import { limits } from '../kit/limits.ts'
import { ProjectId, SecretName, SessionId } from '../kit/parameters.ts'

const common = { tags: ['Secrets'] }
const base = '/v1/projects/{project_id}/secrets'

export const Secret = z
  .object({
    name: z.string(),
    created_by: z.uuid(),
    created_at: Timestamp,
    updated_at: Timestamp,
    configured: z.boolean(),
  })
  .openapi('Secret')

const value = text(limits.secretValueBytes)
const SecretParams = z.object({ project_id: ProjectId, name: SecretName })

export const listSecrets = createRoute({
  ...common,
  operationId: 'listSecrets',
  ...reachedBy({ capability: 'project.secret.read' }),
  summary: 'List secrets by name; values are never returned',
  description: '`required` and `optional` are what the manifest on the default branch names.',
  method: 'get',
  path: base,
  request: { params: ProjectParams },
  responses: {
    200: json(
      z.object({
        items: z.array(Secret),
        required: z.array(z.string()),
        optional: z.array(z.string()),
        missing: z.array(z.string()).openapi({ description: 'Required by the manifest but not set' }),
      }),
      'Names',
    ),
    ...refusals(400, 403, 404),
  },
})

export const createSecret = createRoute({
  ...common,
  operationId: 'createSecret',
  ...reachedBy({ capability: 'project.secret.write' }),
  summary: 'Set a secret',
  description:
    'Creates or replaces it. A name that begins with `SVC_` is 400 `SECRET_NAME_RESERVED`; more than 100 writes an hour in one project are 429 `project_secret_write_limit`.',
  method: 'post',
  path: base,
  request: {
    params: ProjectParams,
    body: body(
      z.strictObject({ name: SecretName, value }).openapi('CreateSecret', { example: examples.createSecret }),
    ),
  },
  responses: { 201: json(Secret, 'Stored'), ...refusals(400, 403, 404, 415, 429) },
})

export const putSecret = createRoute({
  ...common,
  operationId: 'putSecret',
  ...reachedBy({ capability: 'project.secret.write' }),
  summary: 'Set a secret by name',
  description:
    'Creates or replaces it. A name that begins with `SVC_` is 400 `SECRET_NAME_RESERVED`; more than 100 writes an hour in one project are 429 `project_secret_write_limit`.',
  method: 'put',
  path: `${base}/{name}`,
  request: {
    params: SecretParams,
    body: body(z.strictObject({ value }).openapi('PutSecret', { example: examples.putSecret })),
  },
  responses: { 200: json(Secret, 'Stored'), ...refusals(400, 403, 404, 415, 429) },
})

export const deleteSecret = createRoute({
  ...common,
  operationId: 'deleteSecret',
  ...reachedBy({ capability: 'project.secret.write' }),
  summary: 'Delete a secret',
  description:
    'Counts as a write: more than 100 an hour in one project are 429 `project_secret_write_limit`.',
  method: 'delete',
  path: `${base}/{name}`,
  request: { params: SecretParams },
  responses: { 204: { description: 'Deleted' }, ...refusals(400, 403, 404, 429) },
})

const personal = '/v1/projects/{project_id}/personal-secrets'

export const PersonalSecret = z
  .object({ name: z.string(), created_at: Timestamp, updated_at: Timestamp })
  .openapi('PersonalSecret')

export const listPersonalSecrets = createRoute({
  ...common,
  operationId: 'listPersonalSecrets',
  ...reachedBy({ capability: 'project.session.start' }),
  summary: 'List your own secrets in a project by name; values are never returned',
  description:
    'They go to sessions that you start yourself, over the project’s of the same name, and to no other person’s.',
  method: 'get',
  path: personal,
  request: { params: ProjectParams },
  responses: {
    200: json(z.object({ items: z.array(PersonalSecret) }), 'Names'),
    ...refusals(400, 403, 404),
  },
})

export const putPersonalSecret = createRoute({
  ...common,
  operationId: 'putPersonalSecret',
  ...reachedBy({ capability: 'project.session.start' }),
  summary: 'Set a secret for your own sessions of a project',
  description: 'A session that was given one stays private: only its owner sees into it. Agents set none.',
  method: 'put',
  path: `${personal}/{name}`,
  request: {
    params: SecretParams,
    body: body(z.strictObject({ value }).openapi('PutPersonalSecret', { example: examples.putSecret })),
  },
  responses: { 200: json(PersonalSecret, 'Stored'), ...refusals(400, 403, 404, 415, 429) },
})

export const deletePersonalSecret = createRoute({
  ...common,
  operationId: 'deletePersonalSecret',
  ...reachedBy({ capability: 'project.session.start' }),
  summary: 'Delete a secret of your own',
  description: 'Sandboxes that have it keep it until they are restarted.',
  method: 'delete',
  path: `${personal}/{name}`,
  request: { params: SecretParams },
  responses: { 204: { description: 'Deleted' }, ...refusals(400, 403, 404, 429) },
})

export const SecretAccess = z
  .object({
    access_id: z.uuid(),
    at: Timestamp,
    session_id: z.uuid(),
    agent_name: z.string(),
    user_id: z.uuid().openapi({ description: 'The owner of the session' }),
    names: z.array(z.string()).openapi({ description: 'Of the project’s secrets' }),
    personal_names: z
      .array(z.string())
      .openapi({ description: 'Of the owner’s own secrets; empty for every other caller' }),
  })
  .openapi('SecretAccess')

export const listSecretAccesses = createRoute({
  ...common,
  operationId: 'listSecretAccesses',
  ...reachedBy({ capability: 'project.secret.read' }),
  summary: 'Which session was given which secrets, newest first',
  description: 'One entry for each sandbox that was made with any, with their names and never a value.',
  method: 'get',
  path: '/v1/projects/{project_id}/secret-accesses',
  request: {
    params: ProjectParams,
    query: PageQuery.extend({
      name: z
        .string()
        .max(limits.secretNameLength)
        .optional()
        .openapi({ description: 'Only of this secret' }),
      session_id: SessionId.optional(),
    }),
  },
  responses: {
    200: json(z.object({ accesses: z.array(SecretAccess), next_cursor: z.string().nullable() }), 'One page'),
    ...refusals(400, 403, 404),
  },
})
