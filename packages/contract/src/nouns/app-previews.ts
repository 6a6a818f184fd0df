import { createRoute, z } from '@hono/zod-openapi'
import { reachedBy } from '../kit/access.ts'
import { json, refusals } from '../kit/common.ts'
import { AppName } from '../kit/parameters.ts'
import { AppProvider, AppRelease, JudgedApp } from './app-records.ts'
import { ChangeRequestParams } from './change-requests.ts'

export const ChangeRequestApp = JudgedApp.extend({
  preview: z
    .object({ url: z.string().nullable(), release: AppRelease.nullable() })
    .nullable()
    .openapi({ description: 'The app as the change request has it; null until one is made' }),
}).openapi('ChangeRequestApp')

export const listChangeRequestApps = createRoute({
  tags: ['Apps'],
  operationId: 'listChangeRequestApps',
  ...reachedBy({ capability: 'project.app.read' }),
  summary: 'List what merging a change request would deploy, and its previews',
  description: 'Judged at the head of the change request. Nothing where the project may deploy no apps.',
  method: 'get',
  path: '/v1/projects/{project_id}/change-requests/{cr_id}/apps',
  request: { params: ChangeRequestParams },
  responses: {
    200: json(z.object({ provider: AppProvider, apps: z.array(ChangeRequestApp) }), 'The apps'),
    ...refusals(400, 403, 404),
  },
})

export const removeAppPreview = createRoute({
  tags: ['Apps'],
  operationId: 'removeAppPreview',
  ...reachedBy({ capability: 'project.app.deploy' }),
  summary: 'Take the preview of a change request away',
  description: 'Its address answers 404 from then on. Done twice is done once.',
  method: 'delete',
  path: '/v1/projects/{project_id}/change-requests/{cr_id}/apps/{app}/preview',
  request: { params: ChangeRequestParams.extend({ app: AppName }) },
  responses: { 204: { description: 'Gone' }, ...refusals(400, 403, 404) },
})
