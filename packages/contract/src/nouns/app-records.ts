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
    created_at: Timestamp,
    updated_at: Timestamp,
  })
  .openapi('App')

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
    config: z
      .object({
        type: z.enum(appTypes),
        folder: z.string().openapi({ description: 'The folder that is shipped; empty for the repository' }),
        spa: z.boolean(),
      })
      .loose()
      .openapi({ description: 'The entry as it was resolved; it never changes' }),
    secrets: z.array(z.string()).openapi({ description: 'Names of project secrets that it gets' }),
    withheld_secrets: z.array(z.string()),
    provider: z.string(),
    artifact: z
      .object({ kind: z.enum(['files']), digest: z.string(), bytes: z.int(), files: z.int() })
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
