import { z } from '@hono/zod-openapi'
import {
  accessModes,
  appEventTypes,
  appStates,
  appTypes,
  channelKinds,
  desiredStates,
  failureCategories,
  lineSources,
  lineStreams,
  releaseMachine,
  releaseSources,
  rolloutKinds,
  rolloutMachine,
} from '@svc/app/states'
import { Sha, Timestamp } from '../kit/common.ts'
import { AppName, ProjectId } from '../kit/parameters.ts'

export const AppParams = z.object({ project_id: ProjectId, app: AppName })

const nullableTime = Timestamp.nullable()

export const AppProvider = z
  .object({
    name: z.string(),
    processes: z.boolean().openapi({ description: 'It runs commands and programs' }),
    images: z.boolean().openapi({ description: 'It runs images' }),
  })
  .openapi('AppProvider', { description: 'The makings of apps that this platform has' })

export const AppIssue = z
  .object({ path: z.string(), message: z.string(), severity: z.enum(['error', 'warning']) })
  .openapi('AppIssue')

const Failure = z
  .object({
    step: z.enum(releaseMachine.states),
    category: z.enum(failureCategories),
    message: z.string(),
    retryable: z.boolean().openapi({ description: 'True where the same again may succeed' }),
  })
  .openapi('AppReleaseFailure')

const Summary = z
  .object({
    release_id: z.uuid(),
    number: z.int(),
    status: z.enum(releaseMachine.states),
    commit_sha: Sha,
    created_by: z.uuid().nullable().openapi({ description: 'Who asked for it, or merged it' }),
    created_at: Timestamp,
    failure: Failure.nullable(),
  })
  .openapi('AppReleaseSummary')

export const Viewer = z.union([
  z.strictObject({ user_id: z.uuid() }),
  z.strictObject({ group_id: z.uuid().openapi({ description: 'A group of the directory' }) }),
])

const AppInstance = z
  .object({
    state: z.enum(['starting', 'healthy']),
    started_at: nullableTime,
    last_request_at: nullableTime,
    restarts: z.int().openapi({ description: 'Ends of its program that were not asked for' }),
    stale: z
      .boolean()
      .openapi({ description: 'True once a secret that it was started with is written anew' }),
  })
  .openapi('AppInstance')

export const AppBudget = z
  .object({ cap_micros: z.int(), spent_micros: z.int(), resets_at: Timestamp })
  .openapi('AppBudget', { description: 'Of this calendar month (UTC), in micro-dollars' })

export const App = z
  .object({
    app_id: z.uuid(),
    project_id: z.uuid(),
    account_id: z.uuid(),
    name: z.string(),
    type: z.enum(appTypes),
    declared: z.boolean().openapi({ description: 'Whether the default branch declares it' }),
    desired: z.enum(desiredStates),
    state: z.enum(appStates),
    url: z.string().nullable().openapi({ description: 'Null where the operator gave apps no address' }),
    access_mode: z.enum(accessModes),
    viewers: z.array(Viewer).openapi({ description: 'Who may look in the mode `restricted`' }),
    policy_revision: z.int(),
    max_concurrency: z.int(),
    preview_secrets: z
      .array(z.string())
      .openapi({ description: 'Names of project secrets that previews get; the others are withheld' }),
    current_release: Summary.nullable().openapi({ description: 'The one that the address shows' }),
    latest_release: Summary.nullable(),
    instance: AppInstance.nullable().openapi({ description: 'Null while it sleeps, and where nothing runs' }),
    budget: AppBudget.nullable().openapi({ description: 'Null without a cap' }),
    created_at: Timestamp,
    updated_at: Timestamp,
  })
  .openapi('App')

const AppConfig = z
  .object({
    type: z.enum(appTypes),
    folder: z.string().openapi({ description: 'The folder that is shipped; empty for the repository' }),
    spa: z.boolean(),
    secrets: z.array(z.string()),
    withheld_secrets: z.array(z.string()),
    build: z
      .object({
        root: z.string(),
        install_command: z.string().nullable(),
        build_command: z.string().nullable(),
      })
      .optional(),
    image: z
      .object({
        from: z.enum(['image', 'dockerfile']),
        image: z.string().optional(),
        dockerfile: z.string().optional(),
        context: z.string().optional(),
      })
      .optional(),
    run: z
      .object({
        command: z.array(z.string()),
        port: z.int().nullable(),
        readiness_path: z.string().nullable(),
        idle_timeout_seconds: z.int(),
        secrets: z
          .record(z.string(), z.string())
          .openapi({ description: 'Variables, and their secrets by name' }),
      })
      .optional(),
    env: z.array(z.string()).optional().openapi({ description: 'Variables by name' }),
    resources: z.object({ cpu: z.number(), memory_gb: z.number(), disk_gb: z.number() }).optional(),
  })
  .openapi('AppConfig', { description: 'The entry as it was resolved; it never changes' })

export const AppRelease = z
  .object({
    release_id: z.uuid(),
    app_id: z.uuid(),
    app: z.string(),
    number: z.int(),
    channel: z.enum(channelKinds),
    cr_id: z.uuid().nullable(),
    url: z.string().nullable(),
    status: z.enum(releaseMachine.states),
    source: z.enum(releaseSources),
    commit_sha: Sha,
    config: AppConfig,
    secrets: z.array(z.string()).openapi({ description: 'Names of project secrets that it gets' }),
    withheld_secrets: z.array(z.string()),
    provider: z.string(),
    artifact: z
      .object({
        kind: z.enum(['files', 'archive', 'image']),
        digest: z.string(),
        bytes: z.int(),
        files: z.int(),
      })
      .nullable(),
    current: z.boolean().openapi({ description: 'Whether its address shows it' }),
    superseded_by: z
      .int()
      .nullable()
      .openapi({ description: 'Number of a later release that was ready first; this one took no traffic' }),
    failure: Failure.nullable(),
    issues: z.array(AppIssue),
    created_by: z.uuid().nullable(),
    created_at: Timestamp,
    started_at: nullableTime,
    finished_at: nullableTime,
  })
  .openapi('AppRelease')

export const AppRollout = z
  .object({
    rollout_id: z.uuid(),
    app: z.string(),
    kind: z.enum(rolloutKinds),
    from_number: z.int().nullable(),
    to_number: z.int(),
    status: z.enum(rolloutMachine.states),
    error: z.string().nullable(),
    created_at: Timestamp,
    switched_at: nullableTime,
    finished_at: nullableTime,
  })
  .openapi('AppRollout')

export const AppLogLine = z
  .object({
    seq: z.int(),
    at: Timestamp,
    source: z.enum(lineSources),
    stream: z.enum(lineStreams),
    line: z.string(),
  })
  .openapi('AppLogLine')

export const AppEvent = z
  .object({
    seq: z.int(),
    type: z.enum(appEventTypes),
    data: z.record(z.string(), z.unknown()),
    at: Timestamp,
  })
  .openapi('AppEvent')

export const JudgedApp = z
  .object({
    name: z.string(),
    action: z
      .enum(['create', 'release', 'unchanged', 'remove'])
      .openapi({ description: 'What a merge would do about it' }),
    deployable: z.boolean(),
    issues: z.array(AppIssue),
  })
  .openapi('JudgedApp')

const Figures = {
  requests: z.object({
    '1xx': z.int(),
    '2xx': z.int(),
    '3xx': z.int(),
    '4xx': z.int(),
    '5xx': z.int(),
  }),
  bytes_out: z.int(),
  wakes: z.int().openapi({ description: 'Times that a visitor woke it, however many waited' }),
}

const points = z
  .array(z.object({ at: Timestamp, requests: z.int(), errors: z.int() }))
  .openapi({ description: 'The window in 60 parts; errors are answers of 500 and more' })

export const AppMetrics = z
  .object({
    window: z.enum(['1h', '24h', '14d']),
    ...Figures,
    p50_ms: z.int().nullable(),
    p95_ms: z.int().nullable(),
    p99_ms: z.int().nullable(),
    wake_ms: z.int().nullable().openapi({ description: 'Half of the wakes took no longer' }),
    points,
  })
  .openapi('AppMetrics')

/** The answers of one of several apps; how long they took is asked of each by itself. */
export const AppRequests = z
  .object({ app: z.string(), requests: Figures.requests, points })
  .openapi('AppRequests')
