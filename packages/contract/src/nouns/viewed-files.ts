import { sha256Pattern } from '@svc/facts'
import { createRoute, z } from '@hono/zod-openapi'
import { reachedBy } from '../kit/access.ts'
import { body, json, refusals, text } from '../kit/common.ts'
import { examples } from '../kit/examples.ts'
import { ViewedFile } from './change-request-records.ts'
import { ChangeRequestParams } from './change-requests.ts'

export { ViewedFile }

const common = { tags: ['Change requests'], ...reachedBy({ capability: 'project.read' }) }
const path = '/v1/projects/{project_id}/change-requests/{cr_id}/viewed'
const answer = json(z.object({ files: z.array(ViewedFile) }).openapi('ViewedFiles'), 'The files')

export const getViewedFiles = createRoute({
  ...common,
  operationId: 'getViewedFiles',
  summary: 'List the files that you have looked at',
  description:
    'A mark is about the content with that `patch_hash`; a file that changed since is to be looked at again.',
  method: 'get',
  path,
  request: { params: ChangeRequestParams },
  responses: { 200: answer, ...refusals(400, 403, 404) },
})

export const setViewedFile = createRoute({
  ...common,
  operationId: 'setViewedFile',
  summary: 'Mark a file as looked at',
  description: 'With `viewed` false the mark is taken away. Marks are yours alone, on every device.',
  method: 'put',
  path,
  request: {
    params: ChangeRequestParams,
    body: body(
      z
        .strictObject({
          path: text(4096).min(1),
          patch_hash: z.string().regex(sha256Pattern, 'must be a SHA-256 in hexadecimal'),
          viewed: z.boolean(),
        })
        .openapi('SetViewedFile', { example: examples.setViewedFile }),
    ),
  },
  responses: { 200: answer, ...refusals(400, 403, 404, 415) },
})
