import { createRoute, z } from '@hono/zod-openapi'
import { accessModes, lineSources } from '@svc/app/states'
import { reachedBy } from '../kit/access.ts'
import { body, json, ProjectParams, refusals, text } from '../kit/common.ts'
import { examples } from '../kit/examples.ts'
import { limits } from '../kit/limits.ts'
import { Accept, After, LastEventId, Limit, ReleaseNumber } from '../kit/parameters.ts'
import { App, AppEvent, AppLogLine, AppParams, AppProvider, JudgedApp, Viewer } from './app-records.ts'

export { listAppMetrics, readAppEnv, readAppMetrics, readAppUsage } from './app-figures.ts'

export { App, AppEvent, AppLogLine, AppParams, JudgedApp }

const common = { tags: ['Apps'] }
const base = '/v1/projects/{project_id}/apps'
const One = z.object({ app: App })
const followed = { 'last-event-id': LastEventId, accept: Accept }

export const listApps = createRoute({
  ...common,
  operationId: 'listApps',
  ...reachedBy({ capability: 'project.app.read' }),
  summary: 'List the apps that the default branch declares or declared',
  description:
    'With the makings that this platform has, and what is wrong with entries that cannot be read. 403 `feature_disabled` while apps are switched off, as at every route of apps.',
  method: 'get',
  path: base,
  request: { params: ProjectParams },
  responses: {
    200: json(
      z.object({
        apps: z.array(App),
        provider: AppProvider,
        errors: z.array(z.object({ name: z.string(), path: z.string(), message: z.string() })),
      }),
      'The apps',
    ),
    ...refusals(400, 403, 404),
  },
})

export const getApp = createRoute({
  ...common,
  operationId: 'getApp',
  ...reachedBy({ capability: 'project.app.read' }),
  summary: 'Get an app, its address and what that shows',
  description: 'With an `ETag`.',
  method: 'get',
  path: `${base}/{app}`,
  request: { params: AppParams },
  responses: { 200: json(One, 'The app'), ...refusals(400, 403, 404) },
})

export const updateApp = createRoute({
  ...common,
  operationId: 'updateApp',
  ...reachedBy({ capability: 'project.app.write' }),
  summary: 'Change who may look at an app',
  description:
    'A change of mode, password or viewers closes every way in that was given before. Holders of `project.app.write` may always look. The mode `password` needs a password, 8 characters or more, which is kept as a hash.',
  method: 'patch',
  path: `${base}/{app}`,
  request: {
    params: AppParams,
    body: body(
      z
        .strictObject({
          access_mode: z.enum(accessModes).optional(),
          password: text(256).min(8).optional(),
          viewers: z
            .array(Viewer)
            .max(200)
            .optional()
            .openapi({ description: 'People and groups of the account' }),
          max_concurrency: z
            .int()
            .min(1)
            .max(10_000)
            .optional()
            .openapi({ description: 'Requests at a time, at each app-proxy; as many again wait for 5 s' }),
          preview_secrets: z.array(z.string().min(1).max(255)).max(200).optional(),
        })
        .openapi('UpdateApp', { example: examples.updateApp }),
    ),
  },
  responses: { 200: json(One, 'The app as it is now'), ...refusals(400, 403, 404, 415) },
})

const setDesired = (
  operationId: 'stopApp' | 'startApp',
  summary: string,
  description: string,
  path: string,
) => ({
  ...common,
  operationId,
  ...reachedBy({ capability: 'project.app.write' }),
  summary,
  description,
  method: 'post' as const,
  path,
  request: { params: AppParams },
  responses: { 200: json(One, 'The app as it is now'), ...refusals(400, 403, 404) },
})

export const stopApp = createRoute(
  setDesired(
    'stopApp',
    'Stop an app',
    'Its address answers 503 `app_stopped` until it is started. Releases go on being made. Done twice is done once.',
    `${base}/{app}/stop`,
  ),
)

export const startApp = createRoute(
  setDesired(
    'startApp',
    'Start a stopped app',
    'Its address shows its release again.',
    `${base}/{app}/start`,
  ),
)

const LogQuery = z.object({ after: After, limit: Limit(1, limits.pageMax, limits.pageMax) })
const Lines = z.object({ lines: z.array(AppLogLine), last_seq: z.int() })

export const readAppLog = createRoute({
  ...common,
  operationId: 'readAppLog',
  ...reachedBy({ capability: 'project.app.read' }),
  summary: 'Get the log lines of an app',
  description:
    'With `Accept: text/event-stream` the lines arrive as they are written (`id` = seq, `event: line`), from `Last-Event-ID` or `after` on.',
  method: 'get',
  path: `${base}/{app}/logs`,
  request: {
    params: AppParams,
    headers: z.object(followed),
    query: LogQuery.extend({
      source: z.enum(lineSources).optional().openapi({ description: 'Only lines of this source' }),
      release: ReleaseNumber.optional(),
    }),
  },
  responses: {
    200: {
      description: 'Lines after the given one',
      content: {
        'application/json': { schema: Lines },
        'text/event-stream': { schema: z.string(), example: examples.appLogStream },
      },
    },
    ...refusals(400, 403, 404),
  },
})

export const readAppReleaseLog = createRoute({
  ...common,
  operationId: 'readAppReleaseLog',
  ...reachedBy({ capability: 'project.app.read' }),
  summary: 'Get the log lines of a release',
  description:
    'Kept as long as the release. With `Accept: text/event-stream` the lines arrive as they are written, and `event: end` once the release ended.',
  method: 'get',
  path: `${base}/{app}/releases/{number}/logs`,
  request: {
    params: AppParams.extend({ number: ReleaseNumber }),
    headers: z.object(followed),
    query: LogQuery,
  },
  responses: {
    200: {
      description: 'Lines after the given one',
      content: {
        'application/json': { schema: Lines },
        'text/event-stream': { schema: z.string(), example: examples.appLogStream },
      },
    },
    ...refusals(400, 403, 404),
  },
})

export const readAppEvents = createRoute({
  ...common,
  operationId: 'readAppEvents',
  ...reachedBy({ capability: 'project.app.read' }),
  summary: 'List the events of an app',
  description:
    'Its releases, its moves, and changes of its access; kept for 30 days. With `Accept: text/event-stream` they arrive as they happen (`id` = seq, `event` = type).',
  method: 'get',
  path: `${base}/{app}/events`,
  request: { params: AppParams, headers: z.object(followed), query: LogQuery },
  responses: {
    200: {
      description: 'Events after the given one',
      content: {
        'application/json': { schema: z.object({ events: z.array(AppEvent), last_seq: z.int() }) },
        'text/event-stream': { schema: z.string(), example: examples.appEventStream },
      },
    },
    ...refusals(400, 403, 404),
  },
})

export const checkApps = createRoute({
  ...common,
  operationId: 'checkApps',
  ...reachedBy({ capability: 'project.app.read' }),
  summary: 'Say what this platform would make of the apps of a manifest',
  description: 'Of a ref, by default the default branch, or of a manifest at hand. Nothing is written.',
  method: 'post',
  path: `${base}/check`,
  request: {
    params: ProjectParams,
    body: body(
      z
        .strictObject({
          ref: z.string().min(1).max(255).optional(),
          manifest: text(1024 * 1024)
            .optional()
            .openapi({ description: 'The text of a svc.yaml' }),
        })
        .openapi('CheckApps', { example: examples.checkApps }),
      false,
    ),
  },
  responses: {
    200: json(z.object({ provider: AppProvider, apps: z.array(JudgedApp) }), 'The apps'),
    ...refusals(400, 403, 404, 415),
  },
})

export const enterApp = createRoute({
  ...common,
  operationId: 'enterApp',
  ...reachedBy({ any_actor: true }),
  summary: 'Get a way into an app',
  description:
    'For those whom its policy names; else 403 `forbidden` with the `action`. `url` opens once, within two minutes, and sets the cookie of the app’s host; `token` is for machines, as `X-Svc-App-Token`, for an hour. 404 `app_not_found` for a host of no app.',
  method: 'post',
  path: '/v1/apps/enter',
  request: {
    body: body(
      z
        .strictObject({
          host: z.string().min(1).max(300).openapi({ description: 'As the browser shows it' }),
          return_path: z
            .string()
            .max(4096)
            .regex(/^\/(?:[^/\\\s][^\\\s]*)?$/, 'must be a path of the app, from / on')
            .default('/'),
        })
        .openapi('EnterApp', { example: examples.enterApp }),
    ),
  },
  responses: {
    201: json(
      z.object({ url: z.string(), token: z.string(), expires_at: z.iso.datetime() }).openapi('AppEntry'),
      'The way in',
    ),
    ...refusals(400, 403, 404, 415),
  },
})
