import { timingSafeEqual } from 'node:crypto'
import { tokenPrefix } from '@svc/access'
import { type BaseContext, newSecret, type StoredCredential, tokenHash } from '@svc/context'
import { limits } from '@svc/contract'
import { previews } from '@svc/db'
import { ServiceError } from '@svc/errors'
import type { PreviewInput } from './authorize.ts'

/** Spends a ticket for the cookie that opens its preview from then on. */
export async function openPreview(
  ctx: Pick<BaseContext, 'db' | 'now'>,
  { label, ticket }: { readonly label: string; readonly ticket: string },
): Promise<{ readonly cookie: string; readonly max_age_seconds: number }> {
  const now = ctx.now()
  const cookie = newSecret('svc_prv_')
  const expires_at = new Date(now.getTime() + limits.previewSeconds * 1000)
  const opened = await previews.open(
    ctx.db,
    { label, secret_hash: tokenHash(ticket) },
    { secret_hash: tokenHash(cookie), expires_at },
    now,
  )
  if (!opened)
    throw notOpen('The address of this preview was opened before, or is too old; it works once, for a minute')
  return { cookie, max_age_seconds: limits.previewSeconds }
}

export interface OpenPreview extends PreviewInput {
  /** The credential that is checked again at each request. */
  readonly credential: StoredCredential
}

/** The preview that one of the cookies opens. Other previews may have set theirs on this host: those open nothing here. */
export async function findPreview(
  ctx: Pick<BaseContext, 'db' | 'now'>,
  { label, cookies }: { readonly label: string; readonly cookies: readonly string[] },
): Promise<OpenPreview> {
  const offered = cookies.filter((cookie) => tokenPrefix(cookie) === 'svc_prv_')
  const row = offered.length === 0 ? undefined : await previews.findOpen(ctx.db, label, ctx.now())
  if (!row || !offered.some((cookie) => timingSafeEqual(tokenHash(cookie), row.secret_hash)))
    throw notOpen('This preview is not open in this browser, or has ended')
  const { project_id, session_id, port, credential_prefix: prefix, credential_hash: hash } = row
  return { project_id, session_id, port, credential: { prefix, hash } }
}

function notOpen(why: string): ServiceError {
  return new ServiceError('unauthorized', `${why}. Open the preview from its session again`)
}
