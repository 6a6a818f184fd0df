import type { ChannelKind, ReleaseStatus } from '@svc/app'
import { audited, decodeCursor, encodeCursor } from '@svc/context'
import { appReleases, type AppReleaseRow, apps } from '@svc/db'
import { ServiceError } from '@svc/errors'
import { z } from 'zod'
import { type AppInput, type FoundApp, ofApp, requireApp } from '../app/find-app.ts'
import { presentRelease, presentReleases } from '../app/present.ts'
import type { Changing, Looking } from '../context.ts'
import { factsOf } from './create.ts'
import { findRelease } from './find-release.ts'

export interface ListReleasesInput extends AppInput {
  readonly channel?: ChannelKind | undefined
  readonly status?: ReleaseStatus | undefined
  readonly limit: number
  readonly cursor?: string | undefined
}

const Cursor = z.object({ number: z.int() })

/** A page of the releases of an app, the newest first. */
export async function listAppReleases(ctx: Looking, input: ListReleasesInput) {
  const { channel: kind, status, limit, cursor } = input
  const below = cursor === undefined ? undefined : decodeCursor(Cursor, cursor).number
  const { app } = await requireApp(ctx, input, 'project.app.read')
  const rows = await appReleases.list(ctx.db, { app_id: app.app_id, kind, status, below, limit: limit + 1 })
  const page = rows.slice(0, limit)
  const last = rows.length > limit ? page.at(-1) : undefined
  return {
    releases: await presentReleases(ctx, app, page),
    ...(last && { next_cursor: encodeCursor({ number: last.number }) }),
  }
}

export interface ReleaseInput extends AppInput {
  /** Its number in the app, or its `release_id`. */
  readonly number: string
}

async function requireRelease(
  ctx: Looking,
  input: ReleaseInput,
  capability: 'project.app.read' | 'project.app.deploy',
): Promise<FoundApp & { readonly release: AppReleaseRow }> {
  const found = await requireApp(ctx, input, capability)
  return { ...found, release: await findRelease(ctx, found.app, input.number) }
}

export async function getAppRelease(ctx: Looking, input: ReleaseInput) {
  const { app, release } = await requireRelease(ctx, input, 'project.app.read')
  return { release: await presentRelease(ctx, app, release) }
}

/** Ends the work on a release that is not ready. */
export async function cancelAppRelease(ctx: Changing, input: ReleaseInput) {
  const { app, release } = await requireRelease(ctx, input, 'project.app.deploy')
  const row = await audited(ctx, ofApp('cancelAppRelease', app, { number: release.number }), async (tx) => {
    const row = await appReleases.apply(tx, release.release_id, 'cancel', ctx.now(), {
      finished_at: ctx.now(),
    })
    if (row === undefined) {
      const { status = release.status } = (await appReleases.find(tx, release.release_id)) ?? {}
      throw new ServiceError(
        'app_release_final',
        `Release ${release.number} is ${status}, and stays so; make a new release instead`,
        {
          release_status: status,
        },
      )
    }
    await apps.record(tx, app, 'app.release.cancelled', factsOf(row), ctx.now())
    return row
  })
  return { release: await presentRelease(ctx, app, row) }
}
