import { createRoute, z } from '@hono/zod-openapi'
import { reachedBy } from './access.ts'
import { bearer, body, json, ProjectParams, refusals, text, Timestamp } from './common.ts'
import { examples } from './examples.ts'
import { limits } from './limits.ts'
import { ProjectId, SecretName } from './parameters.ts'

const common = { tags: ['Secrets'], security: bearer }
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
  method: 'post',
  path: base,
  request: {
    params: ProjectParams,
    body: body(
      z.object({ name: SecretName, value }).openapi('CreateSecret', { example: examples.createSecret }),
    ),
  },
  responses: { 201: json(Secret, 'Stored'), ...refusals(400, 403, 404, 415, 429) },
})

export const putSecret = createRoute({
  ...common,
  operationId: 'putSecret',
  ...reachedBy({ capability: 'project.secret.write' }),
  summary: 'Set a secret by name',
  method: 'put',
  path: `${base}/{name}`,
  request: {
    params: SecretParams,
    body: body(z.object({ value }).openapi('PutSecret', { example: examples.putSecret })),
  },
  responses: { 200: json(Secret, 'Stored'), ...refusals(400, 403, 404, 415, 429) },
})

export const deleteSecret = createRoute({
  ...common,
  operationId: 'deleteSecret',
  ...reachedBy({ capability: 'project.secret.write' }),
  summary: 'Delete a secret',
  method: 'delete',
  path: `${base}/{name}`,
  request: { params: SecretParams },
  responses: { 204: { description: 'Deleted' }, ...refusals(400, 403, 404, 429) },
})
