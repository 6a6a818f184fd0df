import { appLines, apps } from '@svc/db'
import type { LineSource } from '@svc/app'
import type { Looking } from '../context.ts'
import { findRelease } from '../releases/find-release.ts'
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
  /** A release, by its number or its id. */
  readonly release?: string | undefined
}

/** Lines of an app's releases, in their order. `ended` is true when no more will come. */
export async function readAppLog(ctx: Looking, input: ReadLogInput) {
  const { app } = await requireApp(ctx, input, 'project.app.read')
  const release = input.release === undefined ? undefined : await findRelease(ctx, app, input.release)
  const { after, limit, source } = input
  const rows = await appLines.list(ctx.db, {
    ...{ app_id: app.app_id, after, limit, source },
    release_id: release?.release_id,
  })
  const lines = rows.map(({ seq, at, source, stream, line }) => ({ seq, at, source, stream, line }))
  // Its program goes on printing once it is ready.
  const over = release !== undefined && release.finished_at !== null && source !== 'app'
  return { lines, last_seq: lines.at(-1)?.seq ?? after, ended: over && lines.length < limit }
}
