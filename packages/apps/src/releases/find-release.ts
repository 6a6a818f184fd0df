import { appReleases, type AppReleaseRow, type AppRow } from '@svc/db'
import { ServiceError } from '@svc/errors'
import type { Looking } from '../context.ts'

/** A release of an app, by its number or its `release_id`. */
export async function findRelease(
  ctx: Pick<Looking, 'db'>,
  { app_id, name }: AppRow,
  asked: string,
): Promise<AppReleaseRow> {
  const row = /^[0-9]+$/.test(asked)
    ? await appReleases.findNumber(ctx.db, app_id, Number(asked))
    : await appReleases.find(ctx.db, asked)
  if (row?.app_id === app_id) return row
  throw new ServiceError('not_found', `${name} has no release ${asked}; list its releases`)
}
