import { createRoute, z } from '@hono/zod-openapi'
import { reachedBy } from '../kit/access.ts'
import { json, ProjectParams, refusals } from '../kit/common.ts'
import { AppBudget, AppMetrics, AppParams, AppRequests } from './app-records.ts'

const common = { tags: ['Apps'] }
const base = '/v1/projects/{project_id}/apps'

export const readAppEnv = createRoute({
  ...common,
  operationId: 'readAppEnv',
  ...reachedBy({ capability: 'project.app.read' }),
  summary: 'List the variables of an app by name',
  description: 'Never a value. `configured` is false for a secret that the project does not have.',
  method: 'get',
  path: `${base}/{app}/env`,
  request: { params: AppParams },
  responses: {
    200: json(
      z.object({
        env: z.array(
          z.object({
            name: z.string(),
            source: z.enum(['env', 'secret', 'platform']),
            secret: z.string().optional().openapi({ description: 'The name of the project’s secret' }),
            configured: z.boolean(),
          }),
        ),
        stale: z.boolean().openapi({ description: 'True while what runs has other values' }),
      }),
      'The variables',
    ),
    ...refusals(400, 403, 404),
  },
})

const windows = ['1h', '24h', '14d'] as const
const inWindow = (otherwise: (typeof windows)[number]) =>
  z.object({ window: z.enum(windows).default(otherwise).openapi({ description: 'Up to now' }) })

export const listAppMetrics = createRoute({
  ...common,
  operationId: 'listAppMetrics',
  ...reachedBy({ capability: 'project.app.read' }),
  summary: 'Get how all apps of a project answer',
  description: 'Counted by the minute at the app-proxies, and kept for 14 days; by name.',
  method: 'get',
  path: '/v1/projects/{project_id}/app-metrics',
  request: { params: ProjectParams, query: inWindow('24h') },
  responses: {
    200: json(
      z.object({ window: z.enum(windows), apps: z.array(AppRequests) }),
      'Each app, also one without a request',
    ),
    ...refusals(400, 403, 404),
  },
})

export const readAppMetrics = createRoute({
  ...common,
  operationId: 'readAppMetrics',
  ...reachedBy({ capability: 'project.app.read' }),
  summary: 'Get how an app answers',
  description:
    'Counted by the minute at the app-proxies, and kept for 14 days. Times are upper bounds: the part of the answers named took no longer.',
  method: 'get',
  path: `${base}/{app}/metrics`,
  request: {
    params: AppParams,
    query: inWindow('1h'),
  },
  responses: { 200: json(z.object({ metrics: AppMetrics }), 'The figures'), ...refusals(400, 403, 404) },
})

export const readAppUsage = createRoute({
  ...common,
  operationId: 'readAppUsage',
  ...reachedBy({ capability: 'project.app.read' }),
  summary: 'Get what an app costs',
  description:
    'By calendar month (UTC), the newest first, with the answers of that month; previews count for their app. Files and builds cost nothing.',
  method: 'get',
  path: `${base}/{app}/usage`,
  request: { params: AppParams },
  responses: {
    200: json(
      z.object({
        months: z.array(
          z.object({
            month: z.string().openapi({ description: 'Its first day' }),
            seconds: z.int(),
            cost_micros: z.int(),
            requests: z.int().openapi({ description: 'Answers at its address and those of its previews' }),
            bytes_out: z.int(),
          }),
        ),
        budget: AppBudget.nullable().openapi({ description: 'Null without a cap' }),
      }),
      'The months',
    ),
    ...refusals(400, 403, 404),
  },
})
