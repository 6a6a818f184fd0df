import { appReleases, apps } from '@svc/db'
import { ServiceError } from '@svc/errors'
import type { LineSource } from '@svc/app'
import type { Looking } from '../context.ts'
import { type AppInput, requireApp } from './find-app.ts'

export interface AfterInput extends AppInput {
  /** The sequence of the last one that the caller knows. */
  readonly after: number
  readonly limit: number
}

export async function readAppEvents(ctx: Looking, input: AfterInput) {
  const { app } = await requireApp(ctx, input, 'project.app.read')
  const rows = await apps.events(ctx.db, app.app_id, input)
  const events = rows.map(({ app_id: _, ...event }) => event)
  return { events, last_seq: events.at(-1)?.seq ?? input.after }
}

export interface ReadLogInput extends AfterInput {
  readonly source?: LineSource | undefined
  /** Number of a release. */
  readonly release?: number | undefined
}

/** Lines of an app's releases, in their order. `ended` is true when no more will come. */
export async function readAppLog(ctx: Looking, input: ReadLogInput) {
  const { app } = await requireApp(ctx, input, 'project.app.read')
  const { release: number } = input
  const release = number === undefined ? undefined : await appReleases.findNumber(ctx.db, app.app_id, number)
  if (number !== undefined && release === undefined)
    throw new ServiceError('not_found', `${app.name} has no release ${number}; list its releases`)
  const { after, limit, source } = input
  const rows = await appReleases.lines(ctx.db, {
    ...{ app_id: app.app_id, after, limit, source },
    release_id: release?.release_id,
  })
  const lines = rows.map(({ seq, at, source, stream, line }) => ({ seq, at, source, stream, line }))
  const over = release !== undefined && release.finished_at !== null
  return { lines, last_seq: lines.at(-1)?.seq ?? after, ended: over && lines.length < limit }
}
